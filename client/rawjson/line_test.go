package rawjson

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestScanLine(t *testing.T) {
	names := "_,K\"0T!" // by kind
	for _, tt := range []struct{ line, want string }{
		{`  "a": "b",`, `__KKK,_""",`},
		{`"a" :1`, `KKK_,0`},
		{`    "a\"b\\": -1.5e+3,`, `____KKKKKKKK,_0000000,`},
		{`true,false null`, `TTTT,TTTTT_TTTT`},
		{`{"a":[]}`, `{KKK:[]}`},
		{`"cut \`, `""""""`},
		{`"cut`, `""""`},
		{`tru 01 1.x --1 nope 1`, `!!!_!!_!!!_!!!_!!!!_0`},
		{`a"b"é:`, `!"""!!,`},
		{"\x00\xff", `!!`},
		{``, ``},
	} {
		var got strings.Builder
		for _, token := range ScanLine([]byte(tt.line), nil) {
			got.WriteString(strings.Repeat(names[token.Kind:token.Kind+1], token.Len))
		}
		want := strings.NewReplacer("{", ",", "}", ",", "[", ",", "]", ",", ":", ",").Replace(tt.want)
		if got.String() != want {
			t.Errorf("%s\n%s, want\n%s", tt.line, got.String(), want)
		}
	}
}

func FuzzScanLine(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		at := 0
		for _, token := range ScanLine(line, nil) {
			if token.Off != at || token.Len <= 0 {
				t.Fatalf("%q: %+v does not begin at %d", line, token, at)
			}
			at += token.Len
		}
		if at != len(line) {
			t.Errorf("%q: tokens end at %d", line, at)
		}
		// The lines of indented JSON have the tokens of the whole.
		if _, _, ok := Valid(line); !ok {
			return
		}
		indented, _ := Indent(nil, line)
		var apart, whole []string
		for part := range bytes.Lines(indented) {
			apart = append(apart, spellings(part)...)
		}
		whole = spellings(indented)
		if !reflect.DeepEqual(apart, whole) {
			t.Errorf("%q: by lines %q, whole %q", line, apart, whole)
		}
	})
}

// spellings gives the tokens of valid JSON but for whitespace.
func spellings(line []byte) (all []string) {
	for _, token := range ScanLine(line, nil) {
		if token.Kind != TokenSpace {
			all = append(all, fmt.Sprint(token.Kind, string(line[token.Off:token.Off+token.Len])))
		}
		if token.Kind == TokenBad {
			all = append(all, "bad")
		}
	}
	return all
}

func BenchmarkScanLine(b *testing.B) {
	indented, _ := Indent(nil, toolList(100))
	lines := bytes.SplitAfter(indented, []byte{'\n'})
	var tokens []Token
	b.SetBytes(int64(len(indented)))
	for b.Loop() {
		for _, line := range lines {
			tokens = ScanLine(line, tokens[:0])
		}
	}
}
