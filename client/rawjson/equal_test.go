package rawjson

import (
	"encoding/json"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEqual(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true},
		{`100`, `1e2`, true},
		{`0.00125`, ` 12.5E-4 `, true},
		{`-0`, `0.0e99999999999999999999`, true},
		{`-1`, `1`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`0.1`, `0.10000000000000000000000000000001`, false},
		{`1e99999999999999999999`, `1e99999999999999999999`, true},
		{`1e99999999999999999999`, `1e99999999999999999998`, false},
		{`"a\u00e9\/"`, `"aé/"`, true},
		{`"a"`, `"A"`, false},
		{`"1"`, `1`, false},
		{`{"a":1,"b":[1,2]}`, ` { "b" : [ 1.0 , 2 ] , "\u0061" : 1 } `, true},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`{"a":1,"b":2}`, `{"a":1,"c":2}`, false},
		{`{"a":1,"a":2}`, `{"a":2}`, true},
		{`[1,2]`, `[2,1]`, false},
		{`[1,2]`, `[1]`, false},
		{`[1]`, `[1,2]`, false},
		{`[]`, `[ ]`, true},
		{`[]`, `{}`, false},
		{`true`, `false`, false},
		{`null`, ` null`, true},
		{`nul`, `nul`, false},
		{`1`, ``, false},
		{``, `1`, false},
	} {
		if got := Equal([]byte(tt.a), []byte(tt.b)); got != tt.want {
			t.Errorf("Equal(%s, %s) = %v", tt.a, tt.b, got)
		}
		if got := Equal([]byte(tt.b), []byte(tt.a)); got != tt.want {
			t.Errorf("Equal(%s, %s) = %v", tt.b, tt.a, got)
		}
	}
}

func TestEqualDeep(t *testing.T) {
	const n = 1 << 18
	deep := func(inside string) []byte {
		return []byte(strings.Repeat("[", n) + inside + strings.Repeat("]", n))
	}
	if !Equal(deep("1 "), deep(" 1")) || Equal(deep("1"), deep("2")) {
		t.Error("deep values compare wrongly")
	}
}

var hugeExponent = regexp.MustCompile(`[eE][+-]?\d{4}`)

func FuzzEqual(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s), []byte(` `+s))
	}
	f.Add([]byte(`{"a":1.0,"b":"\u0041"}`), []byte(`{"b":"A","a":10e-1}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		got := Equal(a, b)
		if got != Equal(b, a) {
			t.Errorf("Equal(%q, %q) depends on the order", a, b)
		}
		if !utf8.Valid(a) || !utf8.Valid(b) || hugeExponent.Match(a) || hugeExponent.Match(b) {
			return
		}
		x, okA := decode(a)
		y, okB := decode(b)
		if want := okA && okB && reflect.DeepEqual(x, y); got != want {
			t.Errorf("Equal(%q, %q) = %v", a, b, got)
		}
	})
}

// decode gives a value in which equal numbers are equal strings.
func decode(src []byte) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(string(src)))
	d.UseNumber()
	if !json.Valid(src) || d.Decode(&v) != nil {
		return nil, false
	}
	return exact(v), true
}

func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		r, _ := new(big.Rat).SetString(string(v))
		return json.Number(r.String())
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = exact(v[key])
		}
	}
	return v
}
