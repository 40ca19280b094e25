package script_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/client/rawjson"
	"parley/script"
)

func texts(raws []json.RawMessage) []string {
	var out []string
	for _, r := range raws {
		out = append(out, string(r))
	}
	return out
}

func TestQuery(t *testing.T) {
	for _, c := range []struct {
		expr, raw string
		want      []string
	}{
		{".", `{ "b": 1.0, "a":"\u0041" }`, []string{`{ "b": 1.0, "a":"\u0041" }`}},
		{".tools[].name", `{"tools":[{"name":"a"},{"name":"b"}]}`, []string{`"a"`, `"b"`}},
		{".tools[1]", `{"tools":[{},{ "z":1e2, "a":9007199254740993 }]}`, []string{`{ "z":1e2, "a":9007199254740993 }`}},
		{"{a: .b}", `{"b":[ 1.0 ]}`, []string{`{"a":[ 1.0 ]}`}},
		{".[1:]", `[1.0, 2.0, 3.50]`, []string{`[2.0,3.50]`}},
		{"empty", `1`, nil},
		{"halt", `1`, nil},
		{".a", `{"a":null}`, []string{`null`}},
		{".", `9007199254740993`, []string{`9007199254740993`}},
		{".", `123456789012345678901234567890.10`, []string{`123456789012345678901234567890.10`}},
		{".+0", `1.50`, []string{`1.5`}},
		{"[.[], {}, []]", `[]`, []string{`[{},[]]`}},
		{".a = 2 | .b", `{"a":{"x":1.0},"b":{"y":1.0}}`, []string{`{"y":1.0}`}},
		{".a.x = 2", `{"a":{"x":1.0, "y":3.0}}`, []string{`{"a":{"x":2,"y":3.0}}`}},
		{"., (.a = 2), .", `{"a":1.0}`, []string{`{"a":1.0}`, `{"a":2}`, `{"a":1.0}`}},
		{"del(.b), .", `{"b":1, "a":2.0}`, []string{`{"a":2.0}`, `{"b":1, "a":2.0}`}},
		{"(. += [4]), .", `[ 1.0 ]`, []string{`[1.0,4]`, `[ 1.0 ]`}},
		{"sort, .", `[ 2.0, 1 ]`, []string{`[1,2.0]`, `[ 2.0, 1 ]`}},
		{"reduce .[] as $x ({}; . + $x), .[0]", `[{ "a":1.0 },{"b":2}]`, []string{`{"a":1.0,"b":2}`, `{ "a":1.0 }`}},
		{"10000000000000000000000", `1`, []string{`10000000000000000000000`}},
	} {
		got, err := script.Query(c.expr, []byte(c.raw))
		if err != nil || !slices.Equal(texts(got), c.want) {
			t.Errorf("%s of %s gives %q, %v, want %q", c.expr, c.raw, texts(got), err, c.want)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	for _, c := range []struct{ expr, raw, want, caret string }{
		{".tools[", `{}`, ".tools[: unexpected end at character 8", ".tools[\n       ^"},
		{".a]b", `{}`, `.a]b: unexpected token "]" at character 3`, ".a]b\n  ^"},
		{".é | nme", `{}`, `.é | nme: `, ""},
		{".a | nme", `{}`, ".a | nme: function not defined: nme/0 at character 6", ".a | nme\n     ^"},
		{".a + $x", `{}`, ".a + $x: variable not defined: $x at character 6", ".a + $x\n     ^"},
		{".a[]", `{"a":1}`, ".a[]: cannot iterate over: number (1)", ""},
		{".a", `{"a":`, ".a: the input is not JSON: unexpected end", ""},
		{".a", `1 2`, ".a: the input is not JSON: more than one JSON value", ""},
		{".", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), ".: the input is not JSON: nested deeper than 10000 levels", ""},
	} {
		_, err := script.Query(c.expr, []byte(c.raw))
		var wrong *script.QueryError
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.expr, err, c.want)
			continue
		}
		if c.caret != "" && wrong.Caret() != c.caret {
			t.Errorf("%s: caret\n%s", c.expr, wrong.Caret())
		}
		if wrong.Word() != "usage" || wrong.Hint() == "" {
			t.Errorf("word %q, hint %q", wrong.Word(), wrong.Hint())
		}
	}
	if script.CheckQuery(".a") != nil || script.CheckQuery(".a[") == nil {
		t.Error("checking is wrong")
	}
}

func TestQueryEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := script.QueryContext(ctx, "[range(infinite)] | length", []byte("1")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

// So does the reading of a large value, before the expression begins.
func TestQueryEndsWhileItsInputIsRead(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	large := []byte("[" + strings.Repeat("1,", 10_000) + "1]")
	if _, err := script.QueryContext(ctx, "length", large); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestMergePages(t *testing.T) {
	for _, c := range []struct {
		pages []string
		want  string
	}{
		{nil, ""},
		{[]string{`{"tools":[ {"a":1.0} ]}`}, `{"tools":[{"a":1.0}]}`},
		{[]string{`{"tools":[{"a":1}],"nextCursor":"2"}`, `{"tools":[]}`, `{"nextCursor":"3","tools":[{"b":2} , {"c":3}]}`}, `{"tools":[{"a":1},{"b":2} , {"c":3}]}`},
		{[]string{`{"nextCursor":"2","tools":[],"_meta":{"x":1}}`, `{"tools":[1]}`}, `{"tools":[1],"_meta":{"x":1}}`},
		{[]string{`{"tools":{}}`, `{"tools":[1]}`}, `{"tools":{}}`},
		{[]string{`{"tools":[1]}`, `[]`, `{"tools":null}`}, `{"tools":[1]}`},
		{[]string{`null`, `{}`}, `null`},
	} {
		var pages []json.RawMessage
		for _, p := range c.pages {
			pages = append(pages, json.RawMessage(p))
		}
		if got := script.MergePages(pages); string(got) != c.want {
			t.Errorf("%q gives %s, want %s", c.pages, got, c.want)
		}
	}
}

// What a query lets through is what came in.
func FuzzQueryIdentity(f *testing.F) {
	for _, s := range []string{`{"a":[1.0,{"b":"\u0041"}]}`, `[]`, `"x"`, `1e400`, `[[],[[]]]`, `{"a":1,"a":2}`, "[\"\xff\"]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, _, ok := rawjson.Valid(raw); !ok {
			return
		}
		got, err := script.Query(".", raw)
		if err != nil {
			if strings.Contains(err.Error(), "nested deeper") {
				return
			}
			t.Fatal(err)
		}
		if k := rawjson.KindOf(raw); (k == rawjson.Object || k == rawjson.Array) && len(strings.TrimSpace(string(raw))) > 2 {
			if n, err := script.Query("length", raw); err == nil && string(n[0]) != "0" && string(got[0]) != strings.Trim(string(raw), " \t\r\n") {
				t.Errorf("%q became %q", raw, got[0])
			}
		}
		if _, err := script.Query("[.. | scalars], {a: ., b: [.]}", raw); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
	})
}
