package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/client/rawjson"
)

// sketch writes a field as one line, for comparison: name, type, and whatever
// else is not as usual.
func sketch(f *Field) string {
	s := f.Name + " " + f.Type.String()
	if f.Required {
		s += " *"
	}
	if f.Nullable {
		s += " nullable"
	}
	if f.Untyped {
		s += " untyped"
	}
	if f.Multiline {
		s += " multiline"
	}
	for _, o := range f.Enum {
		s += fmt.Sprintf(" %s=%s", o.Label, o.Raw)
	}
	if f.Const != nil {
		s += " =" + string(f.Const)
	}
	if f.Default != nil {
		s += " default " + string(f.Default)
	}
	if f.Reason != "" {
		s += " (" + f.Reason + ")"
	}
	return s
}

func TestFields(t *testing.T) {
	tests := []struct{ property, want string }{
		{`{"type":"string"}`, "x string"},
		{`{"type":"number"}`, "x number"},
		{`{"type":"integer","default":9007199254740993}`, "x integer default 9007199254740993"},
		{`{"type":"boolean","default":false}`, "x boolean default false"},
		{`{"type":["string"]}`, "x string"},
		{`{"type":["integer","number"]}`, "x number"},
		{`{"type":"string","const":"a"}`, `x const ="a"`},
		{`{"const":null}`, `x const =null`},

		{`{"enum":["a","b"]}`, `x enum a="a" b="b"`},
		{`{"type":"string","enum":["a",""]}`, `x enum a="a" ""=""`},
		{`{"enum":[1,1.0,"1",true,{"a": 1}]}`, `x enum 1=1 1.0=1.0 1="1" true=true {"a":1}={"a": 1}`},
		{`{"type":"string","enum":["a","b"],"enumNames":["A","B"]}`, `x enum A="a" B="b"`},
		{`{"type":"string","enum":["a","b"],"enumNames":["A"]}`, `x enum a="a" b="b"`},
		{`{"enum":["a",null]}`, `x enum nullable a="a"`},
		{`{"enum":[]}`, `x json (an enum without values)`},
		{`{"oneOf":[{"const":"a","title":"A"},{"const":2}]}`, `x enum A="a" 2=2`},
		{`{"type":"string","oneOf":[{"const":"a","title":"A"}]}`, `x enum A="a"`},
		{`{"anyOf":[{"const":"a"},{"enum":["b","c"]},{"type":"null"}]}`, `x enum nullable a="a" b="b" c="c"`},

		{`{"type":["string","null"]}`, "x string nullable"},
		{`{"type":["null","integer"],"default":null}`, "x integer nullable default null"},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, "x string nullable"},
		{`{"oneOf":[{"type":"null"},{"type":"boolean"}],"default":true}`, "x boolean nullable default true"},
		{`{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`, `x enum nullable a="a"`},
		{`{"anyOf":[{"type":"integer"}]}`, "x integer"},
		{`{"anyOf":[{"anyOf":[{"type":"number"},{"type":"null"}]}]}`, "x number nullable"},
		{`{"type":"string","anyOf":[{"format":"uri"},{"maxLength":0}]}`, "x string"},
		{`{"allOf":[{"type":"string"}],"default":"d"}`, `x string default "d"`},

		{`{"$ref":"#/$defs/city"}`, "x string"},
		{`{"$ref":"#/definitions/unit","default":"k"}`, `x enum c="c" k="k" default "k"`},
		{`{"anyOf":[{"$ref":"#/$defs/city"},{"type":"null"}]}`, "x string nullable"},
		{`{"allOf":[{"$ref":"#/$defs/alias"}]}`, "x string"},
		{`{"$ref":"#named"}`, "x integer"},
		{`{"$ref":"#/$defs/a~1b%20c"}`, "x boolean"},
		{`{"$ref":"#/$defs/place"}`, "x json (object)"},
		{`{"$ref":"#/$defs/loop"}`, "x json (reference to itself)"},
		{`{"$ref":"#/$defs/none"}`, `x json (reference to nothing, "#/$defs/none")`},
		{`{"$ref":"https://example.com/s.json"}`, `x json (reference to another document, "https://example.com/s.json")`},
		{`{"$ref":7}`, `x json (reference that is not a string)`},

		{`{"type":"object","properties":{"a":{}}}`, "x json (object)"},
		{`{"type":"object"}`, "x json (object with free names)"},
		{`{"properties":{"a":{}}}`, "x json (object)"},
		{`{"type":"object","properties":{},"additionalProperties":false}`, "x json (empty object)"},
		{`{"type":"array","items":{"type":"string"}}`, "x json (array of strings)"},
		{`{"type":"array","items":{"$ref":"#/$defs/place"}}`, "x json (array of objects)"},
		{`{"type":"array","items":{"enum":["a"]}}`, "x json (array of choices)"},
		{`{"type":"array","items":{"anyOf":[{"const":"a"}]}}`, "x json (array of choices)"},
		{`{"type":"array","items":{}}`, "x json (array of values)"},
		{`{"type":"array"}`, "x json (array)"},
		{`{"type":["null","array"],"items":{"type":"integer"}}`, "x json nullable (array of integers)"},
		{`{"type":["string","number"]}`, "x json (string or number)"},
		{`{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`, "x json (string or array of strings)"},
		{`{"anyOf":[{"type":"string","maxLength":5},{"type":"string","format":"uri"}]}`, "x string"},
		{`{"anyOf":[{"type":"integer"},{"const":"auto"}]}`, "x json (integer or a choice)"},
		{`{"anyOf":[{"oneOf":[{"$ref":"#/$defs/place"},{"type":"string"}]},{"type":"string"},{"type":"null"}]}`, "x json nullable (object or string)"},
		{`{"anyOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"b":{}}}]}`, "x json (object)"},
		{`{"allOf":[{"type":"string"},{"minLength":1}]}`, "x json (several schemas together)"},
		{`{}`, "x json untyped (any value)"},
		{`true`, "x json untyped (any value)"},
		{`{"description":"d"}`, "x json untyped (any value)"},
		{`false`, "x json (no value is allowed)"},
		{`null`, "x json untyped (the schema is null)"},
		{`"string"`, "x json untyped (the schema is a string)"},
		{`{"type":"text"}`, "x json (text)"},
		{`{"type":[]}`, "x json untyped (any value)"},
		{`{"type":"null"}`, "x json (null)"},
	}
	for _, test := range tests {
		t.Run(test.property, func(t *testing.T) {
			o, err := Parse([]byte(`{"type":"object","properties":{"x":` + test.property + `},
				"$defs":{"city":{"type":"string","title":"C"},"alias":{"$ref":"#/$defs/city"},"loop":{"$ref":"#/$defs/loop"},
					"place":{"type":"object","properties":{"a":{}}},"n":{"$anchor":"named","type":"integer"},"a/b c":{"type":"boolean"}},
				"definitions":{"unit":{"enum":["c","k"],"default":"c"}}}`))
			if err != nil || o.Problem != "" || len(o.Fields) != 1 {
				t.Fatalf("%+v, %v", o, err)
			}
			if got := sketch(o.Fields[0]); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if string(o.Fields[0].Schema) != test.property {
				t.Errorf("schema %s", o.Fields[0].Schema)
			}
		})
	}
}

func TestFieldFacts(t *testing.T) {
	o, err := Parse([]byte(`{"type":"object","title":"T","description":"D","additionalProperties":false,
		"required":["b","zzz",3],"properties":{
		"b":{"type":"number","minimum":-0.10,"maximum":1e3,"exclusiveMinimum":0,"exclusiveMaximum":9007199254740993},
		"a":{"type":"string","title":"A","description":"first","minLength":1,"maxLength":10,"format":"uri","pattern":"^h"},
		"r":{"$ref":"#/$defs/s","description":"mine"},
		"b":{"type":"integer","minimum":5}},
		"$defs":{"s":{"type":"string","title":"theirs","description":"theirs"}}}`))
	if err != nil || o.Title != "T" || o.Description != "D" || !o.Closed {
		t.Fatalf("%+v, %v", o, err)
	}
	var names []string
	for _, f := range o.Fields {
		names = append(names, sketch(f))
	}
	want := "b integer * | a string | r string | zzz json * untyped (required, but not described)"
	if got := strings.Join(names, " | "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	a, _ := o.Field("a")
	if a.Label() != "A" || a.Description != "first" || *a.MinLength != 1 || *a.MaxLength != 10 || a.Format != "uri" || a.Pattern != "^h" {
		t.Errorf("%+v", a)
	}
	if r, _ := o.Field("r"); r.Label() != "theirs" || r.Description != "mine" {
		t.Errorf("%+v", r)
	}
	limits, err := Parse([]byte(`{"type":"object","properties":{"n":{"type":"number","minimum":-0.10,"maximum":1e3,
		"exclusiveMinimum":9007199254740993,"exclusiveMaximum":true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := limits.Fields[0]; n.Minimum != "-0.10" || n.Maximum != "1e3" || n.ExclusiveMinimum != "9007199254740993" || n.ExclusiveMaximum != "" {
		t.Errorf("%+v", n)
	}
}

func TestOddRoots(t *testing.T) {
	tests := []struct{ schema, problem string }{
		{``, "there is no schema"},
		{`null`, "the schema is null"},
		{`true`, "the schema is true: it allows anything"},
		{`false`, "the schema is false: it allows nothing"},
		{`[]`, "the schema is an array, not an object"},
		{`"object"`, "the schema is a string, not an object"},
		{`7`, "the schema is a number, not an object"},
		{`{}`, "the schema does not say what it describes"},
		{`{"type":"string"}`, "the schema describes a string, not an object"},
		{`{"type":["array","null"]}`, "the schema describes an array or null, not an object"},
		{`{"type":"object","allOf":[{"required":["a"]}]}`, `the schema uses "allOf" for all arguments together`},
		{`{"anyOf":[{"type":"object"}]}`, `the schema uses "anyOf" for all arguments together`},
		{`{"type":"object","oneOf":[]}`, `the schema uses "oneOf" for all arguments together`},
		{`{"type":"object","properties":{"a":{}},"if":{}}`, `the schema uses "if" for all arguments together`},
		{`{"type":"object","properties":[]}`, `"properties" is an array, not an object`},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, "the schema leaves the names of the arguments open"},
		{`{"type":"object","properties":{},"additionalProperties":true}`, "the schema leaves the names of the arguments open"},
		{`{"$ref":"#/nothing"}`, `the schema is a reference to nothing, "#/nothing"`},
		{`{"$ref":"#"}`, `the schema is a reference to itself`},

		{`{"type":"object"}`, ""},
		{`{"type":"object","properties":null,"required":null}`, ""},
		{`{"type":["object","null"],"properties":{}}`, ""},
		{`{"properties":{}}`, ""},
		{`{"properties":{"a":{"type":"string"}}}`, ""},
		{`{"type":"object","additionalProperties":false}`, ""},
		{`{"$ref":"#/definitions/args","definitions":{"args":{"type":"object","properties":{"a":{"type":"string"}}}}}`, ""},
	}
	for _, test := range tests {
		t.Run(test.schema, func(t *testing.T) {
			o, err := Parse([]byte(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			if o.Problem != test.problem {
				t.Errorf("problem %q, want %q", o.Problem, test.problem)
			}
			if o.Problem != "" && len(o.Fields) > 0 {
				t.Errorf("fields %v besides the problem", o.Fields)
			}
			if strings.Contains(test.schema, `"a"`) && test.problem == "" && len(o.Fields) != 1 {
				t.Errorf("fields %v", o.Fields)
			}
			// whatever the schema, all arguments can be given as one piece
			args := `{"n":1.0,"m":[1,{"a":null}]}`
			values, extra, err := Split(o, []byte(args))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Build(o, values, extra); err != nil || string(got) != args {
				t.Errorf("built %s, %v", got, err)
			}
		})
	}
	if _, err := Parse([]byte(`{"type":`)); err == nil {
		t.Error("bytes that are not JSON were taken for a schema")
	}
}

func TestReferencesWithoutEndAreBounded(t *testing.T) {
	branches := strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/a"},{"type":"string"},`, 500), ",")
	schema := `{"type":"object","properties":{"x":{"$ref":"#/$defs/a"},"y":{"$ref":"#/$defs/s"}},
		"$defs":{"s":{"type":"string"},"a":{"anyOf":[` + branches + `]}}}`
	o, err := Parse([]byte(schema))
	if err != nil || len(o.Fields) != 2 || o.Fields[0].Type != JSON {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestMultiline(t *testing.T) {
	tests := []struct {
		name, property string
		want           bool
	}{
		{"content", `{"type":"string"}`, true},
		{"file_content", `{"type":"string"}`, true},
		{"newText", `{"type":"string"}`, true},
		{"commit-message", `{"type":"string"}`, true},
		{"HTML", `{"type":"string"}`, true},
		{"context", `{"type":"string"}`, false},
		{"content_type", `{"type":"string"}`, false},
		{"name", `{"type":"string"}`, false},
		{"query", `{"type":"string"}`, false},
		{"query", `{"type":"string","maxLength":2000}`, true},
		{"text", `{"type":"string","maxLength":80}`, false},
		{"message", `{"type":"string","format":"email"}`, false},
		{"code", `{"type":"string","pattern":"^[A-Z]{3}$"}`, false},
		{"data", `{"type":"string","contentMediaType":"application/json"}`, true},
		{"x", `{"type":"string","format":"markdown"}`, true},
		{"x", `{"type":"string","description":"May have multiple lines"}`, true},
		{"text", `{"type":"number"}`, false},
	}
	for _, test := range tests {
		o, err := Parse([]byte(`{"type":"object","properties":{"` + test.name + `":` + test.property + `}}`))
		if err != nil || o.Fields[0].Multiline != test.want {
			t.Errorf("%s %s: multiline is %v, %v", test.name, test.property, o.Fields[0].Multiline, err)
		}
	}
}

// realSchemas returns the input schemas of real tools, by file and tool.
func realSchemas(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for _, file := range files {
		message, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tools, ok := rawjson.Get(message, "result", "tools")
		if !ok {
			t.Fatalf("%s has no tools", file)
		}
		_ = rawjson.Elements(tools, func(_ int, tool []byte) bool {
			name, _ := rawjson.Get(tool, "name")
			schema, _ := rawjson.Get(tool, "inputSchema")
			found[filepath.Base(file)+" "+string(name)] = schema
			return true
		})
	}
	return found
}

const (
	ownAnswers = "../mcp/testdata"
	allAnswers = "../../../shared/zoo/schemas"
)

func TestRealSchemas(t *testing.T) {
	real := realSchemas(t, ownAnswers)
	if len(real) == 0 {
		t.Fatal("no schemas in " + ownAnswers)
	}
	checkReal(t, real)
	all := realSchemas(t, allAnswers)
	if len(all) == 0 {
		t.Skip("the schemas of more real servers are not there")
	}
	checkReal(t, all)
}

// checkReal holds for every schema: it is parsed, untouched forms send just the
// constants that are required, every field can be set and read back, and the
// schema can be used for validation.
func checkReal(t *testing.T, schemas map[string][]byte) {
	t.Helper()
	drawn, whole, reasons := 0, 0, map[string]int{}
	for name, schema := range schemas {
		o, err := Parse(schema)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		drawn += len(o.Fields)
		if o.Problem != "" {
			whole++
			reasons[o.Problem]++
		}
		empty, err := Build(o, nil, nil)
		if err != nil || !rawjson.Equal(empty, requiredConsts(o)) {
			t.Errorf("%s: untouched form gives %s, %v", name, empty, err)
		}
		for _, problem := range Validate(schema, empty) {
			if problem.Schema {
				t.Errorf("%s: %s", name, problem)
			}
		}
		for _, f := range o.Fields {
			if f.Type == JSON {
				reasons[f.Reason]++
			}
			if raw := f.Default; raw != nil {
				v, ok := f.Parse(raw)
				back, err := f.Raw(v)
				if !ok || err != nil || !rawjson.Equal(back, raw) {
					t.Errorf("%s: %s: default %s gives %s, %v", name, f.Name, raw, back, err)
				}
			}
		}
	}
	t.Logf("%d schemas, %d fields, %d schemas in one piece; JSON because: %v", len(schemas), drawn, whole, reasons)
}

func requiredConsts(o *Object) []byte {
	out := []byte("{}")
	for _, f := range o.Fields {
		if f.Required && f.Type == Const {
			out, _ = rawjson.Set(out, "/"+f.Name, f.Const)
		}
	}
	return out
}

func BenchmarkParse(b *testing.B) {
	schemas := realSchemas(b, allAnswers)
	if len(schemas) == 0 {
		schemas = realSchemas(b, ownAnswers)
	}
	size := 0
	for _, s := range schemas {
		size += len(s)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, s := range schemas {
			_, _ = Parse(s)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"type":"null"}]}}}`), []byte(`{"a":null,"b":1.0}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":["integer"],"enum":[1]}},"required":["a","c"]}`), []byte(`{"a":1.0}`))
	f.Fuzz(func(t *testing.T, schema, args []byte) {
		o, err := Parse(schema)
		if err != nil {
			return
		}
		if o.Problem != "" && len(o.Fields) > 0 {
			t.Fatal("fields besides a problem")
		}
		values, extra, err := Split(o, args)
		if err != nil {
			return
		}
		back, err := Build(o, values, extra)
		if err != nil {
			t.Fatalf("split into %v and %s, then: %v", values, extra, err)
		}
		if !repeats(args) && !rawjson.Equal(args, back) {
			t.Fatalf("%s became %s", args, back)
		}
	})
}

// repeats reports whether an object has a name twice: which one counts is then
// anybody's choice.
func repeats(object []byte) bool {
	seen, twice := map[string]bool{}, false
	_ = rawjson.Each(object, func(key string, _, _ []byte) bool {
		twice = twice || seen[key]
		seen[key] = true
		return true
	})
	return twice
}
