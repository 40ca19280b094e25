package rawjson

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestKindOf(t *testing.T) {
	for src, want := range map[string]Kind{
		"": Invalid, " \n": Invalid, "x": Invalid, "\x00": Invalid, "+1": Invalid,
		"null": Null, " true": Bool, "\tfalse": Bool, "0": Number, "-1": Number, "\"": String, "\r\n[": Array, "{}": Object,
	} {
		if got := KindOf([]byte(src)); got != want {
			t.Errorf("KindOf(%q) = %v, want %v", src, got, want)
		}
	}
	if s := Kind(99).String(); s != "no JSON" {
		t.Error(s)
	}
}

func TestEach(t *testing.T) {
	for _, tt := range []struct{ src, want, err string }{
		{` { "a" : 1 , "\u0062":[1,{"x":2}],"a":"z" } tail`, `a "a" 1|b "\u0062" [1,{"x":2}]|a "a" "z"|`, ""},
		{`{}`, ``, ""},
		{`[1]`, ``, "an object was expected, found an array"},
		{``, ``, "an object was expected, found no JSON"},
		{`{"a":1,"b":[1}`, `a "a" 1|`, "not JSON at byte 13: expected a comma or ], found }"},
		{`{"a":1`, `a "a" 1|`, "not JSON at byte 6: expected a comma or }, found the end"},
	} {
		var got strings.Builder
		err := Each([]byte(tt.src), func(key string, rawKey, raw []byte) bool {
			fmt.Fprintf(&got, "%s %s %s|", key, rawKey, raw)
			return true
		})
		if got.String() != tt.want || errorText(err) != tt.err {
			t.Errorf("Each(%s): %s, %v, want %s, %s", tt.src, got.String(), err, tt.want, tt.err)
		}
	}
	n := 0
	if err := Each([]byte(`{"a":1,"b":2,`), func(string, []byte, []byte) bool { n++; return n < 2 }); err != nil || n != 2 {
		t.Errorf("stopped after %d, %v", n, err)
	}
}

func TestElements(t *testing.T) {
	for _, tt := range []struct{ src, want, err string }{
		{`[ 1 , [2,3],{"a":[]}, "x" ]`, `0 1|1 [2,3]|2 {"a":[]}|3 "x"|`, ""},
		{`[]`, ``, ""},
		{`{}`, ``, "an array was expected, found an object"},
		{`[1,nul`, `0 1|`, "not JSON at byte 6: expected null, found the end"},
	} {
		var got strings.Builder
		err := Elements([]byte(tt.src), func(i int, raw []byte) bool {
			fmt.Fprintf(&got, "%d %s|", i, raw)
			return true
		})
		if got.String() != tt.want || errorText(err) != tt.err {
			t.Errorf("Elements(%s): %s, %v, want %s, %s", tt.src, got.String(), err, tt.want, tt.err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

const document = ` {"foo": ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, "k\"l": 6, "\u0061": {"x": [[10, 11]], "x": {"y": null}}} `

func TestFind(t *testing.T) {
	for _, tt := range []struct{ pointer, want string }{
		{"", strings.TrimSpace(document)},
		{"/foo", `["bar", "baz"]`},
		{"/foo/0", `"bar"`},
		{"/foo/1", `"baz"`},
		{"/", `0`},
		{"/a~1b", `1`},
		{"/m~0n", `8`},
		{`/k"l`, `6`},
		{"/a/x/y", `null`},
		{"/a/x/0", ""},
		{"/foo/2", ""},
		{"/foo/-", ""},
		{"/foo/01", ""},
		{"/foo/-1", ""},
		{"/foo/bar", ""},
		{"/foo/0/x", ""},
		{"/missing", ""},
		{"foo", ""},
		{"/m~2n", ""},
	} {
		off, n, ok := Find([]byte(document), tt.pointer)
		if got := document[off : off+n]; got != tt.want || ok != (tt.want != "") {
			t.Errorf("Find(%s) = %s, %v, want %s", tt.pointer, got, ok, tt.want)
		}
	}
	if raw, ok := Get([]byte(document), "foo", "1"); !ok || string(raw) != `"baz"` {
		t.Errorf("Get: %s, %v", raw, ok)
	}
	for _, broken := range []string{``, `{"a":1`, `{"a":1,}`, `[`, `{"a":tru}`} {
		if raw, ok := Get([]byte(broken), "a"); ok {
			t.Errorf("Get from %s: %s", broken, raw)
		}
	}
	if raw, ok := Get([]byte(`[1,2,`), "1"); ok {
		t.Errorf("Get from an array that is cut: %s", raw)
	}
}

func TestSet(t *testing.T) {
	for _, tt := range []struct{ src, pointer, raw, want string }{
		{` { "a" : 1.0 , "b":[ 2 ] } `, "/a", `"x"`, ` { "a" : "x" , "b":[ 2 ] } `},
		{` { "a" : 1.0 , "b":[ 2 ] } `, "/b/0", `{}`, ` { "a" : 1.0 , "b":[ {} ] } `},
		{` 1 `, "", `[ ]`, ` [ ] `},
		{`{"a":1}`, "/b", `2`, `{"a":1,"b":2}`},
		{`{"a":1,"b":{"c" : 0}}`, "/b/d", `2`, `{"a":1,"b":{"c" : 0,"d" : 2}}`},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}", `/"`, `3`, "{\n  \"a\": 1,\n  \"b\": 2,\n  \"\\\"\": 3\n}"},
		{`{ }`, "/a~1b", `3`, `{"a/b":3 }`},
		{`[]`, "/-", `3`, `[3]`},
		{`[]`, "/0", `3`, `[3]`},
		{`[ 1 , [2] ]`, "/-", `3`, `[ 1 , [2], 3 ]`},
		{`[1, 2]`, "/2", `3`, `[1, 2, 3]`},
		{`{"a":1,"a":2}`, "/a", `3`, `{"a":1,"a":3}`},
		{`{"\u0061":1}`, "/a", `3`, `{"\u0061":3}`},
	} {
		src := []byte(tt.src)
		got, err := Set(src, tt.pointer, []byte(tt.raw))
		if err != nil || string(got) != tt.want {
			t.Errorf("Set(%s, %s, %s) = %s, %v, want %s", tt.src, tt.pointer, tt.raw, got, err, tt.want)
		}
		if string(src) != tt.src {
			t.Errorf("Set(%s, %s) changed its source to %s", tt.src, tt.pointer, src)
		}
	}
	for _, tt := range []struct{ src, pointer, raw, err string }{
		{`{"a":1}`, "/b/c", `1`, `set "/b/c": "/b": there is no such value`},
		{`{"a":1}`, "/a/c", `1`, `set "/a/c": "/a" is a number: there is no such value`},
		{`[1]`, "/2", `1`, `set "/2": "2" is no index of the array: there is no such value`},
		{`[1]`, "/01", `1`, `set "/01": "01" is no index of the array: there is no such value`},
		{`[1]`, "x", `1`, `set "x": a JSON pointer begins with a slash`},
		{`[1`, "/0", `1`, `set "/0": not JSON at byte 2: expected a comma or ], found the end`},
		{`[1]`, "/0", `{`, `set "/0": the new value: not JSON at byte 1: expected a key or }, found the end`},
	} {
		if got, err := Set([]byte(tt.src), tt.pointer, []byte(tt.raw)); errorText(err) != tt.err {
			t.Errorf("Set(%s, %s) = %s, %v", tt.src, tt.pointer, got, err)
		}
	}
}

func TestDelete(t *testing.T) {
	for _, tt := range []struct{ src, pointer, want string }{
		{`{"a":1}`, "/a", `{}`},
		{"{\n  \"a\": 1\n}", "/a", `{}`},
		{`{"a":1, "b":2, "c":3}`, "/a", `{"b":2, "c":3}`},
		{`{"a":1, "b":2, "c":3}`, "/b", `{"a":1, "c":3}`},
		{`{"a":1, "b":2 , "c":3 }`, "/c", `{"a":1, "b":2 }`},
		{`{"a":1,"b":2,"a":3,"c":4,"a":5}`, "/a", `{"b":2,"c":4}`},
		{` [ 1 , 2 , 2 ] `, "/1", ` [ 1 , 2 ] `},
		{` [ 1 , 2 ] `, "/0", ` [ 2 ] `},
		{`{"x":[{"y": [1]}]}`, "/x/0/y/0", `{"x":[{"y": []}]}`},
	} {
		src := []byte(tt.src)
		got, err := Delete(src, tt.pointer)
		if err != nil || string(got) != tt.want {
			t.Errorf("Delete(%s, %s) = %s, %v, want %s", tt.src, tt.pointer, got, err, tt.want)
		}
		if string(src) != tt.src {
			t.Errorf("Delete(%s, %s) changed its source to %s", tt.src, tt.pointer, src)
		}
	}
	for _, pointer := range []string{"/b", "/a/b", "/x/y", "/a/0"} {
		if got, err := Delete([]byte(`{"a":1}`), pointer); !errors.Is(err, ErrNotFound) {
			t.Errorf("Delete(%s) = %s, %v", pointer, got, err)
		}
	}
	for _, pointer := range []string{"", "a"} {
		if got, err := Delete([]byte(`{"a":1}`), pointer); err == nil {
			t.Errorf("Delete(%q) = %s", pointer, got)
		}
	}
}

// What was set is found, and deleting what was appended gives the source back.
func FuzzSet(f *testing.F) {
	f.Add([]byte(`{"a": 1, "b": [ ]}`), "c", []byte(`{"d": null}`))
	f.Add([]byte("[\n  1,\n  2\n]"), "-", []byte(`"x"`))
	f.Add([]byte(`{}`), "~1", []byte(`1`))
	f.Fuzz(func(t *testing.T, src []byte, key string, raw []byte) {
		pointer := joinPointer([]string{key})
		_, had := Get(src, key)
		got, err := Set(src, pointer, raw)
		if err != nil {
			return
		}
		if _, reason, ok := Valid(got); !ok {
			t.Fatalf("Set(%q, %q, %q) = %q: %s", src, key, raw, got, reason)
		}
		if KindOf(src) == Array {
			n := 0
			_ = Elements(got, func(int, []byte) bool { n++; return true })
			if key == "-" {
				key = fmt.Sprint(n - 1)
			}
			pointer = "/" + key
		}
		if found, ok := Get(got, key); !ok || !Equal(found, raw) {
			if !strings.ContainsRune(key, '\uFFFD') && strings.ToValidUTF8(key, "") == key {
				t.Fatalf("Set(%q, %q, %q) = %q", src, key, raw, got)
			}
			return
		}
		back, err := Delete(got, pointer)
		if err != nil {
			t.Fatal(err)
		}
		if !had && !Equal(back, src) {
			t.Errorf("Set and Delete of %q in %q give %q", key, src, back)
		}
	})
}
