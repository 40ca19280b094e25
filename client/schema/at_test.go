package schema_test

import (
	"testing"

	"parley/client/schema"
)

func TestAt(t *testing.T) {
	o, err := schema.Parse([]byte(`{"type":"object","properties":{
 "n":{"type":"integer"},
 "list":{"type":"array","items":{"type":"number"}},
 "pair":{"prefixItems":[{"type":"string"},{"type":"boolean"}],"items":{"type":"integer"}},
 "old":{"items":[{"type":"string"}],"additionalItems":{"type":"boolean"}},
 "who":{"$ref":"#/$defs/who"},
 "maybe":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/who"}]},
 "either":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"object"}]},
 "map":{"type":"object","additionalProperties":{"enum":["a","b"]}},
 "free":{"type":"object"}, "loop":{"$ref":"#/properties/loop"}
},"additionalProperties":{"type":"boolean"},
"$defs":{"who":{"type":"object","properties":{"age":{"type":"integer"},"friends":{"type":"array","items":{"$ref":"#/$defs/who"}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		path []string
	}{
		{"integer", []string{"n"}},
		{"number", []string{"list", "0"}},
		{"number", []string{"list", "17"}},
		{"string", []string{"pair", "0"}},
		{"boolean", []string{"pair", "1"}},
		{"integer", []string{"pair", "2"}},
		{"string", []string{"old", "0"}},
		{"boolean", []string{"old", "1"}},
		{"integer", []string{"who", "age"}},
		{"integer", []string{"who", "friends", "0", "friends", "1", "age"}},
		{"integer", []string{"maybe", "age"}},
		{"enum", []string{"map", "any name"}},
		{"boolean", []string{"other"}},
		{"", nil},
		{"", []string{"n", "inside"}},
		{"", []string{"list", "x"}},
		{"", []string{"either", "0"}},
		{"", []string{"free", "x"}},
		{"", []string{"who", "nobody"}},
		{"", []string{"loop", "x"}},
	} {
		f, ok := o.At(c.path...)
		got := ""
		if ok {
			got = f.Type.String()
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.path, got, c.want)
		}
	}
}

func TestAtOfOddSchemas(t *testing.T) {
	for _, raw := range []string{``, `null`, `true`, `[]`, `{"properties":[]}`, `{"type":"string"}`} {
		o, err := schema.Parse([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := o.At("a", "0"); ok {
			t.Errorf("%s: %v", raw, f)
		}
	}
}
