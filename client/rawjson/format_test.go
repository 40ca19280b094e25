package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestIndent(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{`{"a":[1.0,{"b":"x y"}],"c":{},"d":[ ],"e":[[]]}`, `{
  "a": [
    1.0,
    {
      "b": "x y"
    }
  ],
  "c": {},
  "d": [],
  "e": [
    []
  ]
}`},
		{` 1e400 `, `1e400 `},
		{"\"<\\u00e9>\u2028\"", "\"<\\u00e9>\u2028\""},
		{strings.Repeat("[", 40) + strings.Repeat("]", 40), indentedBrackets(40)},
	} {
		got, ok := Indent([]byte("> "), []byte(tt.src))
		if want := "> " + tt.want; !ok || string(got) != want {
			t.Errorf("Indent(%s), %v:\n%s\nwant\n%s", tt.src, ok, got, want)
		}
	}
	for _, src := range []string{``, `{"a" : 1,`, `[1, 2,]`, `nope`, strings.Repeat("[", MaxIndentDepth+1) + strings.Repeat("]", MaxIndentDepth+1)} {
		if got, ok := Indent([]byte("> "), []byte(src)); ok || string(got) != "> "+src {
			t.Errorf("Indent(%.20s) = %.20s, %v", src, got, ok)
		}
	}
}

func indentedBrackets(n int) string {
	var b strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&b, "%*s[\n", 2*i, "")
	}
	fmt.Fprintf(&b, "%*s[]", 2*(n-1), "")
	for i := n - 2; i >= 0; i-- {
		fmt.Fprintf(&b, "\n%*s]", 2*i, "")
	}
	return b.String()
}

func FuzzIndent(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if bytes.Count(src, []byte{'['})+bytes.Count(src, []byte{'{'}) > MaxIndentDepth {
			return
		}
		got, ok := Indent(nil, src)
		var want bytes.Buffer
		if err := json.Indent(&want, src, "", "  "); err != nil {
			if ok || !bytes.Equal(got, src) {
				t.Errorf("Indent(%q) = %q, %v; encoding/json: %v", src, got, ok, err)
			}
			return
		}
		if !ok || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("Indent(%q) = %q, %v, want %q", src, got, ok, want.Bytes())
		}
	})
}

func TestCompactLoose(t *testing.T) {
	for _, tt := range []struct{ src, want, reason string }{
		{"{\n \"a\" : [ 1 , 2.0 ] }\n", `{"a":[1,2.0]}`, ""},
		{"// first\n{\"a\":1, // one\n /* two\n */ \"b\": \"// no /* comment */\",}// last", `{"a":1,"b":"// no /* comment */"}`, ""},
		{`[1,[],{},/**/]`, `[1,[],{}]`, ""},
		{`/**/1`, `1`, ""},
		{`[1,,2]`, ``, "expected a value, found ,"},
		{`[,]`, ``, "expected a value or ], found ,"},
		{`{,}`, ``, "expected a key or }, found ,"},
		{`{"a":1,"b",}`, ``, "expected a colon, found ,"},
		{`[1]/`, ``, "expected a comment after /"},
		{`[1] /* x`, ``, "a comment is not closed"},
		{`/*/`, ``, "a comment is not closed"},
		{`1,`, ``, "expected nothing more, found ,"},
		{`// only`, ``, "expected a value, found the end"},
	} {
		got, err := CompactLoose([]byte("> "), []byte(tt.src))
		if string(got) != "> "+tt.want {
			t.Errorf("CompactLoose(%s) = %s, want %s", tt.src, got, tt.want)
		}
		if reasonOf(err) != tt.reason {
			t.Errorf("CompactLoose(%s): %v, want %s", tt.src, err, tt.reason)
		}
	}
}

func reasonOf(err error) string {
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		return syntax.Reason
	}
	return ""
}

func FuzzCompact(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if bytes.Count(src, []byte{'['})+bytes.Count(src, []byte{'{'}) > 9000 {
			return
		}
		got, err := Compact(nil, src)
		var want bytes.Buffer
		wantErr := json.Compact(&want, src)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("Compact(%q): %v; encoding/json: %v", src, err, wantErr)
		}
		loose, looseErr := CompactLoose(nil, src)
		if err == nil && (!bytes.Equal(got, want.Bytes()) || !bytes.Equal(loose, got)) {
			t.Errorf("Compact(%q) = %q, loosely %q, want %q", src, got, loose, want.Bytes())
		}
		if looseErr == nil && !json.Valid(loose) {
			t.Errorf("CompactLoose(%q) = %q", src, loose)
		}
	})
}

// toolList is a typical large result.
func toolList(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"tools":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"search_files_%d","title":"Search files","description":"Recursively search for files and directories matching a pattern. Returns full paths.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"where to begin"},"limit":{"type":"integer","minimum":0,"maximum":1000},"excludePatterns":{"type":"array","items":{"type":"string"},"default":[]}},"required":["path"],"additionalProperties":false}}`, i)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

func BenchmarkFormat(b *testing.B) {
	src := toolList(2000)
	var buf bytes.Buffer
	var dst []byte
	for _, bench := range []struct {
		name string
		run  func()
	}{
		{"Valid", func() { Valid(src) }},
		{"json.Valid", func() { json.Valid(src) }},
		{"Indent", func() { dst, _ = Indent(dst[:0], src) }},
		{"json.Indent", func() { buf.Reset(); _ = json.Indent(&buf, src, "", "  ") }},
		{"Compact", func() { dst, _ = Compact(dst[:0], src) }},
		{"json.Compact", func() { buf.Reset(); _ = json.Compact(&buf, src) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				bench.run()
			}
		})
	}
}
