package rawjson

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestValid(t *testing.T) {
	for _, tt := range []struct {
		src    string
		offset int
		reason string
	}{
		{` {"a":[1,-0.5e+3,true,false,null,"\u00e9\n\"",{},[]]} `, 0, ""},
		{"\"\xff\"", 0, ""},
		{``, 0, "expected a value, found the end"},
		{` {`, 2, "expected a key or }, found the end"},
		{`{"a"`, 4, "expected a colon, found the end"},
		{`{"a":}`, 5, "expected a value, found }"},
		{`{"a":1 "b"`, 7, `expected a comma or }, found "`},
		{`{"a":1,}`, 7, "expected a key, found }"},
		{`{a:1}`, 1, "expected a key or }, found a"},
		{`[1,]`, 3, "expected a value, found ]"},
		{`[1 2]`, 3, "expected a comma or ], found 2"},
		{`[`, 1, "expected a value or ], found the end"},
		{`[1}`, 2, "expected a comma or ], found }"},
		{`['a']`, 1, "expected a value or ], found a single quote"},
		{`1 x`, 2, "expected nothing more, found x"},
		{"\ufeff{}", 0, "expected a value, found U+FEFF"},
		{"\xff", 0, "expected a value, found byte 0xff"},
		{`"a`, 2, "a string is not closed"},
		{`"a\`, 3, "a string is not closed"},
		{`"\u00`, 5, "a string is not closed"},
		{"\"a\nb\"", 2, "control character U+000A in a string"},
		{`"\x41"`, 2, "no escape in a string has x here"},
		{`"\u004g"`, 6, "no escape in a string has g here"},
		{`nulL`, 3, "expected null, found L"},
		{`tru`, 3, "expected true, found the end"},
		{`-`, 1, "expected a digit, found the end"},
		{`1.x`, 2, "expected a digit, found x"},
		{`1e+,`, 3, "expected a digit, found ,"},
		{`01`, 1, "expected nothing more, found 1"},
		{`// a`, 0, "expected a value, found /"},
	} {
		offset, reason, ok := Valid([]byte(tt.src))
		if offset != tt.offset || reason != tt.reason || ok != (tt.reason == "") {
			t.Errorf("Valid(%q) = %d, %q, %v, want %d, %q", tt.src, offset, reason, ok, tt.offset, tt.reason)
		}
	}
}

func TestValidDeep(t *testing.T) {
	for _, pair := range []string{"[]", `{"":}`} {
		src := strings.Repeat(pair[:len(pair)-1], 1<<18) + "0" + strings.Repeat(pair[len(pair)-1:], 1<<18)
		if at, reason, ok := Valid([]byte(src)); !ok {
			t.Errorf("%s: %d %s", pair, at, reason)
		}
		if _, _, ok := Valid([]byte(src[:len(src)-1])); ok {
			t.Errorf("%s: one end is missing", pair)
		}
	}
}

// samples are inputs that several fuzz tests begin with.
var samples = []string{
	``, ` `, `1`, ` "a" `, `{}`, `[]`, `[ ]`, `{"a":{"b":[1,2.50,{"c":null}],"":"\u00e9\\"},"d":[[],{}]}`,
	"{\n  \"a\" : [ 1 , true ]\n}\n", `[1,]`, `{"a":1,"a":2}`, "\"a\x01\"", `"\ud83d\ude00"`, `-0.1e-5`, `[[[[`, "\"日本\xff\"",
	"// c\n[1, /* x */ 2,]", `{"a": /`,
}

func FuzzValid(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if strings.Count(string(src), "[")+strings.Count(string(src), "{") > 9000 {
			return // encoding/json has a limit
		}
		offset, reason, ok := Valid(src)
		err := json.Unmarshal(src, new(json.RawMessage))
		if ok != (err == nil) {
			t.Fatalf("Valid(%q) = %d, %q, %v; encoding/json: %v", src, offset, reason, ok, err)
		}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && offset != len(src) && int64(offset) != syntax.Offset-1 {
			t.Errorf("Valid(%q) stops at %d (%s), encoding/json behind %d", src, offset, reason, syntax.Offset)
		}
	})
}
