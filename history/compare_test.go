package history

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCompare(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{`{"id":1,"result":{}}`, `{"result":{},"id":"x"}`, ""},
		{`{"id":1,"a":{"id":1}}`, `{"a":{"id":2}}`, ".a.id changed 1 2"},
		{`{"a":1.0,"b":"\u0041"}`, `{"b":"A","a":1}`, ""},
		{`{"a":9007199254740993}`, `{"a":9007199254740992}`, ".a changed 9007199254740993 9007199254740992"},
		{`{"result":{"content":[{"text":"a b"}]}}`, `{"result":{"content":[{"text":"c"}]}}`, `.result.content[0].text changed "a b" "c"`},
		{`{"a":1}`, `{"b":2}`, ".a removed 1 ; .b added  2"},
		{`{"a b":1,"0":2,"é":3,"":4,"_x1":5}`, `{}`, `.["a b"] removed 1 ; .["0"] removed 2 ; .["é"] removed 3 ; .[""] removed 4 ; ._x1 removed 5 `},
		{`{"a":{"b c":[1]}}`, `{"a":{"b c":[2]}}`, `.a["b c"][0] changed 1 2`},
		{`{"a":{"x": 1}}`, `{"a":[ 1, 2 ]}`, `.a changed {"x":1} [1,2]`},
		{`[1,2,3]`, `[1,3]`, ".[1] removed 2 "},
		{`[1,3]`, `[0,1,3]`, ".[0] added  0"},
		{`[1,2,3]`, `[1,9,3]`, ".[1] changed 2 9"},
		{`[[1],[2]]`, `[[1],[2],[3],[4]]`, ".[2] added  [3]; .[3] added  [4]"},
		{`[]`, `{}`, ". changed [] {}"},
		{`{"a":1,"a":2}`, `{"a":2}`, ""},
		{`{"a":null}`, `{}`, ".a removed null "},
		{`plain text`, `plain text`, ""},
		{`plain text`, `{}`, ". changed plain text {}"},
	} {
		var got []string
		for _, d := range Compare([]byte(c.a), []byte(c.b)) {
			got = append(got, fmt.Sprintf("%s %s %s %s", d.Path, d.Kind, d.Recorded, d.Now))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s and %s:\ngot  %s\nwant %s", c.a, c.b, s, c.want)
		}
	}
	if d := CompareWithID([]byte(`{"id":1}`), []byte(`{"id":2}`)); len(d) != 1 || d[0].Path != ".id" {
		t.Errorf("%v", d)
	}
}

func TestCompareCutsValues(t *testing.T) {
	long := `"` + strings.Repeat("天", 300) + `"`
	d := Compare([]byte(long), []byte(`"`+strings.Repeat("x", 198)+`"`))
	if len(d) != 1 || utf8.RuneCountInString(d[0].Recorded) != 200 || !strings.HasSuffix(d[0].Recorded, "天…") || len(d[0].Now) != 200 {
		t.Errorf("%v", d)
	}
}

func TestCompareDeepValues(t *testing.T) {
	nest := func(s string) []byte {
		return []byte(strings.Repeat(`[`, 4_000) + s + strings.Repeat(`]`, 4_000))
	}
	if d := Compare(nest("1"), nest(" 1 ")); len(d) != 0 {
		t.Errorf("%d differences", len(d))
	}
	if d := Compare(nest("1"), nest("2")); len(d) != 1 {
		t.Errorf("%d differences", len(d))
	}
}
