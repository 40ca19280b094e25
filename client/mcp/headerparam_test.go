package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestHeaderParams(t *testing.T) {
	object := func(properties string) string { return `{"type":"object","properties":{` + properties + `}}` }
	tests := []struct {
		name, schema string
		want         string // params as text
		problem      string
	}{
		{"none", object(`"a":{"type":"string"}`), "", ""},
		{"one of each type", object(`"r":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"},"b":{"type":"boolean","x-mcp-header":"b-1"}`),
			"Region=r:string N=n:integer b-1=b:boolean", ""},
		{"nested", object(`"where":{"type":"object","properties":{"region":{"x-mcp-header":"Region","type":"string"}}}`), "Region=where.region:string", ""},
		{"an argument of that name", object(`"x-mcp-header":{"type":"string"}`), "", ""},
		{"in a default", object(`"a":{"type":"object","default":{"type":"string","x-mcp-header":""}}`), "", ""},
		{"in an enum", object(`"a":{"enum":[{"x-mcp-header":1}]}`), "", ""},
		{"escaped keyword", object(`"a":{"type":"string","x-mcp-heade\u0072":"A"}`), "A=a:string", ""},
		{"empty", object(`"a":{"type":"string","x-mcp-header":""}`), "", "x-mcp-header of a is empty"},
		{"no text", object(`"a":{"type":"string","x-mcp-header":5}`), "", "is a number, not a string"},
		{"null", object(`"a":{"type":"string","x-mcp-header":null}`), "", "is null, not a string"},
		{"a space", object(`"a":{"type":"string","x-mcp-header":"a b"}`), "", "no name of a header field"},
		{"a colon", object(`"a":{"type":"string","x-mcp-header":"a:"}`), "", "no name of a header field"},
		{"not ASCII", object(`"a":{"type":"string","x-mcp-header":"é"}`), "", `"\u00e9", which is no name`},
		{"a line break", object(`"a":{"type":"string","x-mcp-header":"a\r\nb"}`), "", `"a\r\nb", which is no name`},
		{"twice", object(`"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"A"}`), "", "of b is A, which a has already"},
		{"twice but for case", object(`"a":{"type":"string","x-mcp-header":"Ab"},"b":{"type":"object","properties":{"c":{"type":"string","x-mcp-header":"aB"}}}`), "", "of b.c is aB, which a has already"},
		{"number", object(`"a":{"type":"number","x-mcp-header":"A"}`), "", "type number"},
		{"object", object(`"a":{"type":"object","x-mcp-header":"A"}`), "", "type object"},
		{"array", object(`"a":{"type":"array","x-mcp-header":"A"}`), "", "type array"},
		{"the type null", object(`"a":{"type":"null","x-mcp-header":"A"}`), "", "type null"},
		{"several types", object(`"a":{"type":["string","null"],"x-mcp-header":"A"}`), "", `type ["string","null"]`},
		{"no type", object(`"a":{"x-mcp-header":"A"}`), "", "without a type"},
		{"the root", `{"type":"object","x-mcp-header":"A"}`, "", "of the schema itself is on an argument of type object"},
		{"items", object(`"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}`), "", "under items"},
		{"prefixItems", object(`"a":{"type":"array","prefixItems":[{"type":"string","x-mcp-header":"A"}]}`), "", "under prefixItems"},
		{"below items", object(`"a":{"items":{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}}`), "", "under items"},
		{"anyOf", object(`"a":{"anyOf":[{"type":"string","x-mcp-header":"A"},{"type":"null"}]}`), "", "under anyOf"},
		{"oneOf at the root", `{"type":"object","oneOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`, "", "under oneOf"},
		{"allOf", `{"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`, "", "under allOf"},
		{"not", object(`"a":{"not":{"type":"string","x-mcp-header":"A"}}`), "", "under not"},
		{"if", `{"if":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}`, "", "under if"},
		{"then", `{"then":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}`, "", "under then"},
		{"else", `{"else":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}`, "", "under else"},
		{"additionalProperties", `{"additionalProperties":{"type":"string","x-mcp-header":"A"}}`, "", "under additionalProperties"},
		{"patternProperties", `{"patternProperties":{"^a":{"type":"string","x-mcp-header":"A"}}}`, "", "under patternProperties"},
		{"$ref", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string","x-mcp-header":"A"}}}`, "", "stands in $defs, where only $ref leads"},
		{"no schema", `true`, "", ""},
		{"cut", `{"properties":{"a":{"type":"string","x-mcp-header":"A`, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			params, problem := HeaderParams(json.RawMessage(tt.schema))
			if (problem == "") != (tt.problem == "") || !strings.Contains(problem, tt.problem) {
				t.Fatalf("problem %q, want %q", problem, tt.problem)
			}
			var got []string
			for _, p := range params {
				got = append(got, fmt.Sprintf("%s=%s:%s", p.Name, strings.Join(p.Path, "."), p.Type))
			}
			if s := strings.Join(got, " "); problem == "" && s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

func TestHeaderParamsOfADeepSchema(t *testing.T) {
	deep := strings.Repeat(`{"not":`, 1000) + `{"x-mcp-header":"A"}` + strings.Repeat(`}`, 1000)
	if _, problem := HeaderParams(json.RawMessage(deep)); !strings.Contains(problem, "too deeply") {
		t.Errorf("problem %q", problem)
	}
}

func TestFieldsOf(t *testing.T) {
	params := []HeaderParam{
		{"Region", []string{"region"}, "string"}, {"N", []string{"n"}, "integer"},
		{"B", []string{"b"}, "boolean"}, {"In", []string{"in", "0"}, "string"},
	}
	tests := []struct {
		arguments string
		want      []ParamField
	}{
		{`{"region":"us-west1","n":42,"b":true,"in":{"0":"x"}}`, []ParamField{
			{"Mcp-Param-Region", "us-west1"}, {"Mcp-Param-N", "42"}, {"Mcp-Param-B", "true"}, {"Mcp-Param-In", "x"}}},
		{`{"region":null,"n":null,"b":false}`, []ParamField{{"Mcp-Param-B", "false"}}},
		{`{"region":"","in":["x"]}`, []ParamField{{"Mcp-Param-Region", ""}}},
		{`{"region":" \u00e9\n"}`, []ParamField{{"Mcp-Param-Region", " é\n"}}},
		{`{"n":-0}`, []ParamField{{"Mcp-Param-N", "-0"}}},
		{`{"n":4.2e1}`, []ParamField{{"Mcp-Param-N", "42"}}},
		{`{"n":7.0}`, []ParamField{{"Mcp-Param-N", "7"}}},
		{`{"n":1.5}`, []ParamField{{"Mcp-Param-N", "1.5"}}},
		{`{"n":9007199254740993}`, []ParamField{{"Mcp-Param-N", "9007199254740993"}}},
		{`{"n":1e999999999}`, []ParamField{{"Mcp-Param-N", "1e999999999"}}},
		{`{"n":"7"}`, []ParamField{{"Mcp-Param-N", "7"}}},
		{`{"n":{},"region":[]}`, nil},
		{`{}`, nil},
		{`[]`, nil},
		{``, nil},
	}
	for _, tt := range tests {
		if got := FieldsOf(params, json.RawMessage(tt.arguments)); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.arguments, got, tt.want)
		}
	}
}

func FuzzHeaderParams(f *testing.F) {
	f.Add(`{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`, `{"a":"b"}`)
	f.Add(`{"properties":{"a":{"type":"integer","x-mcp-header":"A"}}}`, `{"a":1e3}`)
	f.Fuzz(func(t *testing.T, schema, arguments string) {
		params, problem := HeaderParams(json.RawMessage(schema))
		seen := map[string]bool{}
		for _, p := range params {
			if low := strings.ToLower(p.Name); !isToken(p.Name) || seen[low] {
				t.Errorf("took the name %q", p.Name)
			} else {
				seen[low] = true
			}
		}
		if problem == "" && len(FieldsOf(params, json.RawMessage(arguments))) > len(params) {
			t.Error("more fields than marks")
		}
	})
}
