package schema

import (
	"strings"
	"sync"
	"testing"
)

func TestValidate(t *testing.T) {
	tests := []struct {
		name, schema, args string
		want               []string
	}{
		{"fine", `{"type":"object","properties":{"a":{"type":"number"}}}`, `{"a":1.0}`, nil},
		{"type", `{"properties":{"latitude":{"type":"number"}}}`, `{"latitude":"40"}`,
			[]string{"latitude: expected a number, found a string"}},
		{"integer", `{"properties":{"a":{"type":"integer"}}}`, `{"a":1.5}`,
			[]string{"a: expected a whole number, found a number that is not whole"}},
		{"integer text", `{"properties":{"a":{"type":"integer"}}}`, `{"a":"1"}`, []string{"a: expected a whole number, found a string"}},
		{"whole", `{"properties":{"a":{"type":"integer"}}}`, `{"a":1.0}`, nil},
		{"types", `{"properties":{"a":{"type":["string","null"]}}}`, `{"a":[]}`, []string{"a: expected a string or null, found an array"}},
		{"required", `{"required":["b","a"]}`, `{}`, []string{"a: required, but missing", "b: required, but missing"}},
		{"no args", `{"required":["a"]}`, ``, []string{"a: required, but missing"}},
		{"unknown", `{"properties":{"a":{}},"additionalProperties":false}`, `{"a":1,"b":1,"c/d":2}`,
			[]string{"b: unknown name, and the schema allows no other names", "c/d: unknown name, and the schema allows no other names"}},
		{"enum", `{"properties":{"a":{"enum":["c","f",1.0]}}}`, `{"a":"k"}`, []string{"a: expected one of c, f, 1.0, found k"}},
		{"const", `{"properties":{"a":{"const":{"k":1}}}}`, `{"a":[true]}`, []string{`a: expected {"k":1}, found [true]`}},
		{"limits", `{"properties":{"a":{"minimum":0.1},"b":{"maximum":9007199254740993},"c":{"exclusiveMinimum":0},"d":{"exclusiveMaximum":1e2},"e":{"multipleOf":0.5}}}`,
			`{"a":0.05,"b":9007199254740994,"c":0,"d":100.0,"e":0.3}`,
			[]string{"a: expected at least 0.1, found 0.05", "b: expected at most 9007199254740993, found 9007199254740994",
				"c: expected more than 0, found 0", "d: expected less than 100, found 100", "e: expected a multiple of 0.5, found 0.3"}},
		{"lengths", `{"properties":{"a":{"minLength":1},"b":{"maxLength":2},"c":{"minItems":2},"d":{"maxItems":1},"e":{"minProperties":1},"f":{"maxProperties":1},"g":{"uniqueItems":true}}}`,
			`{"a":"","b":"天天天","c":[1],"d":[1,2],"e":{},"f":{"x":1,"y":2},"g":[1,2,1.0]}`,
			[]string{"a: expected at least 1 character, found 0", "b: expected at most 2 characters, found 3",
				"c: expected at least 2 items, found 1", "d: expected at most 1 item, found 2", "e: expected at least 1 name, found 0",
				"f: expected at most 1 name, found 2", "g: items 0 and 2 are equal"}},
		{"pattern", `{"properties":{"a":{"pattern":"^\\d+$"}}}`, `{"a":"x"}`, []string{`a: x does not match the pattern ^\d+$`}},
		{"pattern that Go has not", `{"properties":{"a":{"pattern":"^(?!x)"}}}`, `{"a":"x"}`, nil},
		{"the same in draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"pattern":"^(?!x)"}}}`, `{"a":"x"}`, nil},
		{"format", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"email"}}}`, `{"a":"x"}`,
			[]string{"a: x is not of the format email"}},
		{"format is a remark since 2019", `{"properties":{"a":{"format":"email"}}}`, `{"a":"x"}`, nil},
		{"inside", `{"properties":{"a":{"items":{"properties":{"b.c":{"type":"string"}},"required":["d"]}}}}`, `{"a":[{"d":1},{"b.c":5}]}`,
			[]string{"a[1].b.c: expected a string, found a number", "a[1].d: required, but missing"}},
		{"false", `{"properties":{"a":false}}`, `{"a":1}`, []string{"a: the schema allows no value here"}},
		{"not", `{"properties":{"a":{"not":{"type":"string"}}}}`, `{"a":"x"}`, []string{"a: the schema excludes this value"}},
		{"dependent", `{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, []string{"b: required when a is given, but missing"}},
		{"names", `{"propertyNames":{"pattern":"^[a-z]+$"}}`, `{"A1":1}`, []string{"A1: the schema does not allow this name"}},
		{"reference", `{"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"number"}}}`, `{"a":"x"}`,
			[]string{"a: expected a number, found a string"}},
		{"anyOf of types", `{"properties":{"a":{"anyOf":[{"type":"number"},{"type":"null"}]}}}`, `{"a":"x"}`,
			[]string{"a: expected a number or null, found a string"}},
		{"anyOf, one meant", `{"properties":{"a":{"anyOf":[{"type":"string","maxLength":1},{"type":"null"}]}}}`, `{"a":"xyz"}`,
			[]string{"a: expected at most 1 character, found 3"}},
		{"anyOf, several meant", `{"properties":{"a":{"anyOf":[{"required":["x"]},{"required":["y"]}]}}}`, `{"a":{}}`,
			[]string{"a: fits none of what the schema allows here"}},
		{"anyOf of references", `{"properties":{"a":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}},"$defs":{"n":{"type":"number"}}}`, `{"a":"x"}`,
			[]string{"a: expected a number or null, found a string"}},
		{"oneOf, two fit", `{"properties":{"a":{"oneOf":[{"type":"number"},{"minimum":0}]}}}`, `{"a":1}`,
			[]string{"a: fits more than one of what the schema allows here, and must fit just one"}},
		{"oneOf, none fits", `{"properties":{"a":{"oneOf":[{"type":"number"},{"type":"string"}]}}}`, `{"a":[]}`,
			[]string{"a: expected a number or a string, found an array"}},
		{"allOf", `{"allOf":[{"required":["a"]},{"properties":{"b":{"type":"string"}}}]}`, `{"b":1}`,
			[]string{"a: required, but missing", "b: expected a string, found a number"}},
		{"if", `{"if":{"properties":{"k":{"const":"p"}}},"then":{"required":["p"]},"else":{"required":["e"]}}`, `{"k":"x"}`, []string{"e: required, but missing"}},
		{"root", `{"type":"object"}`, `[1]`, []string{"expected an object, found an array"}},
		{"args are no JSON", `{"type":"object"}`, `{"a":}`, []string{"not JSON at byte 5: "}},
		{"large number", `{"properties":{"a":{"maximum":5}}}`, `{"a":1e999999999}`, []string{"could not be checked: "}},
		{"true", `true`, `{"a":1}`, nil},
		{"unevaluated", `{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, []string{"b: the schema allows no value here"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			problems := Validate([]byte(test.schema), []byte(test.args))
			if len(problems) != len(test.want) {
				t.Fatalf("got %v", problems)
			}
			for i, p := range problems {
				if p.Schema || !strings.HasPrefix(p.String(), test.want[i]) {
					t.Errorf("got  %s\nwant %s", p, test.want[i])
				}
				if (p.Field == "") != (p.Path == "") || p.Path != "" && p.Path[0] != '/' {
					t.Errorf("path %q, field %q", p.Path, p.Field)
				}
			}
		})
	}
}

func TestValidatePlaces(t *testing.T) {
	problems := Validate([]byte(`{"properties":{"a/b":{"properties":{"c~d":{"type":"string"}}}}}`), []byte(`{"a/b":{"c~d":1}}`))
	want := Problem{Path: "/a~1b/c~0d", Field: "a/b", Message: "expected a string, found a number"}
	if len(problems) != 1 || problems[0] != want || problems[0].String() != "a/b.c~d: expected a string, found a number" {
		t.Errorf("%+v", problems)
	}
}

func TestSchemasThatCannotBeUsed(t *testing.T) {
	tests := []struct{ schema, want string }{
		{``, "there is no schema to check against"},
		{`null`, "the schema is null: nothing was checked"},
		{`[]`, "the schema is an array: nothing was checked"},
		{`"x"`, "the schema is a string: nothing was checked"},
		{`{"type":`, "the schema is not JSON"},
		{`{"type":"strin"}`, "the schema itself is wrong: type: "},
		{`{"properties":{"a":{"minLength":"5"}}}`, "the schema itself is wrong: properties.a.minLength: expected a whole number, found a string"},
		{`{"$ref":"https://example.com/other.json"}`, "the schema refers to another document, which is not loaded: https://example.com/other.json"},
		{`{"$ref":"other.json#/a"}`, "the schema refers to another document, which is not loaded: parley://schema/other.json"},
		{`{"$ref":"file:///etc/passwd"}`, "the schema refers to another document, which is not loaded: file:///etc/passwd"},
		{`{"$ref":"#/$defs/none"}`, "the schema cannot be used: "},
		{`{"$schema":"https://example.com/own-dialect"}`, "the schema is of a dialect that is not supported: https://example.com/own-dialect"},
	}
	for _, test := range tests {
		t.Run(test.schema, func(t *testing.T) {
			problems := Validate([]byte(test.schema), []byte(`{}`))
			if len(problems) != 1 || !problems[0].Schema || problems[0].Path != "" || !strings.HasPrefix(problems[0].Message, test.want) {
				t.Errorf("got %v, want %s", problems, test.want)
			}
		})
	}
}

func TestDialects(t *testing.T) {
	for _, dialect := range []string{
		"http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#", "http://json-schema.org/draft-07/schema#",
		"http://json-schema.org/draft-07/schema", "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema",
	} {
		schema := `{"$schema":"` + dialect + `","type":"object","properties":{"a":{"type":"string"}}}`
		if got := Validate([]byte(schema), []byte(`{"a":1}`)); len(got) != 1 || got[0].Schema {
			t.Errorf("%s: %v", dialect, got)
		}
	}
}

func TestRecursiveSchemas(t *testing.T) {
	tree := `{"properties":{"next":{"$ref":"#"},"n":{"type":"number"}}}`
	if got := Validate([]byte(tree), []byte(`{"next":{"next":{"n":"x"}}}`)); len(got) != 1 || got[0].Path != "/next/next/n" {
		t.Errorf("%v", got)
	}
	for _, endless := range []string{`{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}]}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`} {
		if got := Validate([]byte(endless), []byte(`{}`)); len(got) == 0 {
			t.Errorf("%s: nothing is said about an endless reference", endless)
		}
	}
}

func TestValidatorIsForManyGoroutines(t *testing.T) {
	v := NewValidator([]byte(`{"properties":{"a":{"type":"number"}}}`))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := v.Validate([]byte(`{"a":"x"}`)); len(got) != 1 {
				t.Errorf("%v", got)
			}
		})
	}
	wg.Wait()
}

func BenchmarkValidate(b *testing.B) {
	schema := []byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":14}},"required":["city"]}`)
	args := []byte(`{"city":"Utrecht","days":15}`)
	b.Run("compiling", func(b *testing.B) {
		for b.Loop() {
			Validate(schema, args)
		}
	})
	b.Run("compiled", func(b *testing.B) {
		v := NewValidator(schema)
		for b.Loop() {
			v.Validate(args)
		}
	})
}
