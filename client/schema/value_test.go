package schema

import (
	"errors"
	"strings"
	"testing"

	"parley/client/rawjson"
)

// field makes a field named x from the schema of a property.
func field(t testing.TB, property string) *Field {
	t.Helper()
	o, err := Parse([]byte(`{"type":"object","properties":{"x":` + property + `}}`))
	if err != nil || len(o.Fields) != 1 {
		t.Fatalf("%s: %+v, %v", property, o, err)
	}
	return o.Fields[0]
}

const (
	aString  = `{"type":"string"}`
	aNumber  = `{"type":"number"}`
	anInt    = `{"type":"integer"}`
	aBool    = `{"type":"boolean"}`
	anEnum   = `{"enum":["a",1.0,true],"enumNames":["A","one","yes"]}`
	aConst   = `{"const":{"k": 1}}`
	aList    = `{"type":"array","items":{"type":"string"}}`
	anything = `{}`
)

func TestRaw(t *testing.T) {
	tests := []struct{ property, text, want, err string }{
		{aString, "", `""`, ""},
		{aString, "a\"\n天", `"a\"\n天"`, ""},
		{aString, "null", `"null"`, ""},
		{aNumber, "1.0", "1.0", ""},
		{aNumber, "1e2", "1e2", ""},
		{aNumber, "-0.10", "-0.10", ""},
		{aNumber, " 3 ", "3", ""},
		{aNumber, "0.1234567890123456789", "0.1234567890123456789", ""},
		{aNumber, "abc", "", `x: expected a number, found "abc"`},
		{aNumber, "", "", `x: expected a number, found nothing`},
		{aNumber, "1,5", "", `x: expected a number, found "1,5"`},
		{aNumber, ".5", "", `x: expected a number, found ".5"`},
		{aNumber, "+1", "", `x: expected a number, found "+1"`},
		{aNumber, "01", "", `x: expected a number, found "01"`},
		{aNumber, "1 2", "", `x: expected a number, found "1 2"`},
		{aNumber, "NaN", "", `x: expected a number, found "NaN"`},
		{aNumber, `"1"`, "", `x: expected a number, found "\"1\""`},
		{anInt, "9007199254740993", "9007199254740993", ""},
		{anInt, "-3", "-3", ""},
		{anInt, "1.0", "1.0", ""},
		{anInt, "12e2", "12e2", ""},
		{anInt, "1200E-2", "1200E-2", ""},
		{anInt, "1.5", "", `x: expected a whole number, found "1.5"`},
		{anInt, "12e-2", "", `x: expected a whole number, found "12e-2"`},
		{aBool, "true", "true", ""},
		{aBool, "false", "false", ""},
		{aBool, "yes", "", `x: expected true or false, found "yes"`},
		{anEnum, "1.0", "1.0", ""},
		{anEnum, `"other"`, `"other"`, ""},
		{anEnum, "a", "", `x: expected JSON, found "a"`},
		{aConst, "", `{"k": 1}`, ""},
		{aConst, "7", `7`, ""},
		{aList, "[\n \"a b\",\n 1.0 ]", `["a b",1.0]`, ""},
		{aList, "a", "", `x: expected JSON (array of strings), found "a"`},
		{aList, "", "", `x: expected JSON (array of strings), found nothing`},
		{anything, `{"a": null}`, `{"a":null}`, ""},
		{anything, "a", "", `x: expected JSON, found "a"`},
	}
	for _, test := range tests {
		t.Run(test.property+test.text, func(t *testing.T) {
			f := field(t, test.property)
			raw, err := f.Raw(Value{State: Set, Text: test.text})
			if string(raw) != test.want || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
				t.Errorf("got %s, %v", raw, err)
			}
			var wrong *FieldError
			if err != nil && (!errors.As(err, &wrong) || wrong.Field != "x" || wrong.Word() != "usage") {
				t.Errorf("%#v", err)
			}
			if raw, err := f.Raw(Value{State: Null, Text: test.text}); string(raw) != "null" || err != nil {
				t.Errorf("null gives %s, %v", raw, err)
			}
			if raw, err := f.Raw(Value{Text: test.text}); raw != nil || err != nil {
				t.Errorf("absent gives %s, %v", raw, err)
			}
		})
	}
}

func TestIsWhole(t *testing.T) {
	for number, want := range map[string]bool{
		"0": true, "-0": true, "0.0": true, "0e-5": true, "0.000e9": true, "7": true, "70": true, "7.0": true, "7.10": false,
		"7e0": true, "7e3": true, "7e-1": false, "70e-1": true, "700e-3": false, "7.5e1": true, "7.55e1": false, "7.50E+1": true,
		"-1.5e1": true, "1e999999999999999999999": true, "1e-999999999999999999999": false, "0e-999999999999999999999": true,
		"1e1000000000": true, "10e-1000000000": false,
	} {
		if got := isWhole(number); got != want {
			t.Errorf("isWhole(%s) = %v", number, got)
		}
	}
}

func TestParseValue(t *testing.T) {
	set := func(text string) Value { return Value{State: Set, Text: text} }
	tests := []struct {
		property, raw string
		want          Value
		ok            bool
	}{
		{aString, `"a\u0062\n"`, set("ab\n"), true},
		{aString, `""`, set(""), true},
		{aString, `null`, Value{State: Null}, true},
		{aString, `"\ud800"`, Value{}, false},
		{aString, `"\uD83D\ude00"`, set("😀"), true},
		{aString, `"\uFFFD"`, set("\ufffd"), true},
		{aString, "\"\ufffd\"", set("\ufffd"), true},
		{aString, "\"\xff\"", Value{}, false},
		{aString, `1`, Value{}, false},
		{aNumber, ` 1.0 `, set("1.0"), true},
		{aNumber, `"1"`, Value{}, false},
		{anInt, `9007199254740993`, set("9007199254740993"), true},
		{anInt, `1.5`, Value{}, false},
		{aBool, `true`, set("true"), true},
		{aBool, `"true"`, Value{}, false},
		{anEnum, `"\u0061"`, set(`"a"`), true},
		{anEnum, `1`, set("1.0"), true},
		{anEnum, `"b"`, Value{}, false},
		{anEnum, `null`, Value{State: Null}, true},
		{aConst, `{"k":1.0}`, set(`{"k":1.0}`), true},
		{aConst, `{}`, Value{}, false},
		{`{"const":null}`, `null`, set(`null`), true},
		{aList, `["a"]`, set(`["a"]`), true},
		{aList, `{"not": "a list"}`, set(`{"not": "a list"}`), true},
		{aList, `[`, Value{}, false},
		{anything, `null`, Value{State: Null}, true},
		{aString, ``, Value{}, false},
	}
	for _, test := range tests {
		t.Run(test.property+test.raw, func(t *testing.T) {
			f := field(t, test.property)
			v, ok := f.Parse([]byte(test.raw))
			if ok != test.ok || ok && v != test.want {
				t.Fatalf("got %+v, %v", v, ok)
			}
			if back, err := f.Raw(v); ok && (err != nil || !rawjson.Equal(back, []byte(test.raw))) {
				t.Errorf("back to %s, %v", back, err)
			}
		})
	}
}

func TestFromText(t *testing.T) {
	const union = `{"type":["string","number"]}`
	tests := []struct{ property, text, want, err string }{
		{aString, "3", `"3"`, ""},
		{aString, "", `""`, ""},
		{`{"type":["string","null"]}`, "null", `"null"`, ""},
		{anything, "3", `"3"`, ""},
		{anything, `{"a":1}`, `"{\"a\":1}"`, ""},
		{aNumber, "3.10", "3.10", ""},
		{aNumber, "x", "", `x: expected a number, found "x"`},
		{`{"type":["number","null"]}`, "null", "null", ""},
		{aNumber, "null", "", `x: expected a number, found "null"`},
		{anInt, "3", "3", ""},
		{anInt, "3.5", "", `x: expected a whole number, found "3.5"`},
		{aBool, "true", "true", ""},
		{aBool, "1", "", `x: expected true or false, found "1"`},
		{anEnum, "A", `"a"`, ""},
		{anEnum, "a", `"a"`, ""},
		{anEnum, "one", "1.0", ""},
		{anEnum, "1.0", "1.0", ""},
		{anEnum, "YES", "true", ""},
		{anEnum, "b", "", `x: expected one of A, one, yes, found "b"`},
		{`{"enum":["1",1]}`, "1", `"1"`, ""},
		{aConst, `{"k":1}`, `{"k": 1}`, ""},
		{aConst, "x", "", `x: expected {"k":1}, found "x"`},
		{aList, `["a", 1.0]`, `["a",1.0]`, ""},
		{aList, "a", "", `x: expected JSON (array of strings), found "a"`},
		{union, "1e2", "1e2", ""},
		{union, "main", `"main"`, ""},
		{`{"anyOf":[{"type":"object"},{"type":"string"}]}`, `{"a": 1}`, `{"a":1}`, ""},
		{`{"anyOf":[{"type":"object"},{"type":"string"}]}`, `{a}`, `"{a}"`, ""},
	}
	for _, test := range tests {
		t.Run(test.property+test.text, func(t *testing.T) {
			raw, err := field(t, test.property).FromText(test.text)
			if string(raw) != test.want || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
				t.Errorf("got %s, %v", raw, err)
			}
		})
	}
	many := field(t, `{"enum":["`+strings.Repeat(`a","`, 20)+`"]}`)
	if _, err := many.FromText("x"); !strings.Contains(err.Error(), "a, a and 9 more, found") {
		t.Error(err)
	}
	long := strings.Repeat("天", 500)
	if _, err := field(t, aNumber).FromText(long); len(err.Error()) > 300 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

func TestBuild(t *testing.T) {
	o, err := Parse([]byte(`{"type":"object","required":["city","kind"],"properties":{
		"city":{"type":"string"},"days":{"type":"integer"},"kind":{"const":"w"},"note":{"const":"n"},"a\"b":{"type":["boolean","null"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	set := func(text string) Value { return Value{State: Set, Text: text} }
	tests := []struct {
		name   string
		values map[string]Value
		extra  string
		want   string
	}{
		{"untouched", nil, "", `{"kind":"w"}`},
		{"order", map[string]Value{"days": set("3"), "city": set("")}, "", `{"city":"","days":3,"kind":"w"}`},
		{"null and absent", map[string]Value{`a"b`: {State: Null}, "city": {}}, "", `{"kind":"w","a\"b":null}`},
		{"no constant", map[string]Value{"kind": {}}, "", `{}`},
		{"an optional constant", map[string]Value{"note": set("")}, "", `{"kind":"w","note":"n"}`},
		{"extra", map[string]Value{"days": set("1.0")}, "{ \"z\" : 1.0,\n\"days\":2,\"\\u0061\":[ 1 ] }", `{"days":1.0,"kind":"w","z":1.0,"\u0061":[1]}`},
		{"extra constant", nil, `{"kind":"other"}`, `{"kind":"other"}`},
		{"unknown value", map[string]Value{"zzz": set("1")}, "", `{"kind":"w"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Build(o, test.values, []byte(test.extra))
			if err != nil || string(got) != test.want {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
	for name, test := range map[string]struct {
		values map[string]Value
		extra  string
		want   string
	}{
		"value":           {map[string]Value{"days": set("x")}, "", `days: expected a whole number, found "x"`},
		"extra array":     {nil, "[]", "the other arguments: expected an object, found an array"},
		"extra not JSON":  {nil, "{", "the other arguments: "},
		"extra two parts": {nil, "{} {}", "the other arguments: "},
	} {
		if got, err := Build(o, test.values, []byte(test.extra)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

func TestSplit(t *testing.T) {
	o, err := Parse([]byte(`{"type":"object","required":["kind"],"properties":{
		"city":{"type":"string"},"days":{"type":"integer"},"kind":{"const":"w"},"tags":{"type":"array"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ args, extra, built string }{
		{`{}`, "", `{}`},
		{`{"kind":"w"}`, "", `{"kind":"w"}`},
		{`{"kind":"v","city":null}`, `{"kind":"v"}`, `{"city":null,"kind":"v"}`},
		{`{"zz": 1.0, "days": 9007199254740993, "city": "x\u0021", "kind":"w"}`, `{"zz":1.0}`,
			`{"city":"x!","days":9007199254740993,"kind":"w","zz":1.0}`},
		{`{"days":"3","tags":[ 1.0 ]}`, `{"days":"3"}`, `{"tags":[1.0],"days":"3"}`},
		{`{"days":3,"days":"x"}`, `{"days":"x"}`, `{"days":"x"}`},
		{`{"days":"x","days":3}`, `{"days":"x"}`, `{"days":3}`},
	}
	for _, test := range tests {
		values, extra, err := Split(o, []byte(test.args))
		if err != nil || string(extra) != test.extra {
			t.Errorf("%s: extra %s, %v", test.args, extra, err)
		}
		if got, err := Build(o, values, extra); err != nil || string(got) != test.built {
			t.Errorf("%s: built %s, %v", test.args, got, err)
		}
	}
	for args, want := range map[string]string{
		`[1]`:  "expected an object, found an array",
		``:     "not JSON at byte 0: ",
		`{"a"`: "not JSON at byte 4: ",
	} {
		if _, _, err := Split(o, []byte(args)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	whole := &Object{Problem: "odd"}
	values, extra, err := Split(whole, []byte(`[1, 2]`))
	if got, e := Build(whole, values, extra); err != nil || e != nil || string(got) != "[1,2]" {
		t.Errorf("arguments in one piece: %s, %v, %v", got, err, e)
	}
}
