package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"parley/client/rawjson"
)

// HeaderParam is an argument of a tool that Streamable HTTP repeats in a header field
// (spec: 2026-07-28, basic/transports/streamable-http, custom headers).
type HeaderParam struct {
	Name string   // what follows "Mcp-Param-"
	Path []string // of keys, in the arguments
	Type string   // string, integer or boolean
}

// ParamField is a header field with its value as text, not yet encoded for the wire.
type ParamField struct{ Name, Value string }

// paramPrefix begins the names of the header fields that repeat arguments.
const paramPrefix = "Mcp-Param-"

const headerKeyword = "x-mcp-header"

// HeaderParams finds the arguments that a tool's input schema marks with x-mcp-header.
// A problem, in words, says why the tool must not be used over Streamable HTTP: there
// is a mark that means nothing, or stands where no argument can be found by it.
func HeaderParams(inputSchema json.RawMessage) (params []HeaderParam, problem string) {
	if !bytes.Contains(inputSchema, []byte(headerKeyword)) && !bytes.Contains(inputSchema, []byte(`\u`)) {
		return nil, "" // as nearly all are
	}
	m := marks{names: map[string]string{}}
	m.schema(inputSchema, nil, "", 0)
	return m.params, m.problem
}

// marks collects the marks of one schema; it ends with the first problem.
type marks struct {
	params  []HeaderParam
	names   map[string]string // in lower case, to the place that has it
	problem string
}

// maxSchemaDepth bounds what is looked at of a schema inside a schema.
const maxSchemaDepth = 128

// schema looks at one schema. outside names the keyword by which it was reached when
// that is not properties alone.
func (m *marks) schema(raw []byte, path []string, outside string, depth int) {
	if m.problem != "" || rawjson.KindOf(raw) != rawjson.Object {
		return
	}
	if depth > maxSchemaDepth {
		m.problem = "the input schema is nested too deeply"
		return
	}
	if mark, ok := rawjson.Get(raw, headerKeyword); ok {
		m.mark(raw, mark, path, outside)
	}
	_ = rawjson.Each(raw, func(key string, _, raw []byte) bool {
		m.keyword(key, raw, path, outside, depth+1)
		return m.problem == ""
	})
}

// keyword follows a keyword of a schema to the schemas in it. What is data, such as
// default and enum, has none.
func (m *marks) keyword(key string, raw []byte, path []string, outside string, depth int) {
	if outside == "" && key != "properties" {
		outside = key
	}
	switch key {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		if rawjson.KindOf(raw) != rawjson.Object {
			return
		}
		_ = rawjson.Each(raw, func(name string, _, raw []byte) bool {
			m.schema(raw, append(slices.Clone(path), name), outside, depth)
			return m.problem == ""
		})
	case "items", "additionalItems", "contains", "additionalProperties", "propertyNames", "unevaluatedItems",
		"unevaluatedProperties", "not", "if", "then", "else", "contentSchema", "allOf", "anyOf", "oneOf", "prefixItems":
		if rawjson.KindOf(raw) != rawjson.Array {
			m.schema(raw, path, outside, depth)
			return
		}
		_ = rawjson.Elements(raw, func(_ int, raw []byte) bool {
			m.schema(raw, path, outside, depth)
			return m.problem == ""
		})
	}
}

// mark checks one mark and takes it.
func (m *marks) mark(schema, mark []byte, path []string, outside string) {
	at := strings.Join(path, ".")
	if at == "" {
		at = "the schema itself"
	}
	say := func(format string, args ...any) {
		m.problem = headerKeyword + " of " + at + " " + fmt.Sprintf(format, args...)
	}
	name, isText := rawjson.Unquote(mark)
	typ := typeOf(schema)
	switch {
	case !isText:
		say("is %s, not a string", rawjson.KindOf(mark))
	case name == "":
		say("is empty")
	case !isToken(name):
		say("is %s, which is no name of a header field", strconv.QuoteToASCII(name))
	case outside == "$defs" || outside == "definitions":
		say("stands in %s, where only $ref leads", outside)
	case outside != "":
		say("stands under %s: only properties may lead to it", outside)
	case typ == "":
		say("is on an argument without a type; string, integer and boolean can have it")
	case typ != "string" && typ != "integer" && typ != "boolean":
		say("is on an argument of type %s; string, integer and boolean can have it", typ)
	case m.names[strings.ToLower(name)] != "":
		say("is %s, which %s has already", name, m.names[strings.ToLower(name)])
	default:
		m.names[strings.ToLower(name)] = at
		m.params = append(m.params, HeaderParam{Name: name, Path: path, Type: typ})
	}
}

// typeOf gives a schema's type: the text, or the JSON that stands instead of it.
func typeOf(schema []byte) string {
	raw, ok := rawjson.Get(schema, "type")
	if !ok {
		return ""
	}
	if s, isText := rawjson.Unquote(raw); isText {
		return s
	}
	return clip(raw)
}

// isToken reports whether s is a token of HTTP (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}

// FieldsOf gives the header fields that repeat arguments, in the order of params. What
// is absent or null has none.
func FieldsOf(params []HeaderParam, arguments json.RawMessage) []ParamField {
	var fields []ParamField
	for _, p := range params {
		raw, ok := argument(arguments, p.Path)
		if !ok {
			continue
		}
		var value string
		switch rawjson.KindOf(raw) {
		case rawjson.String:
			value, _ = rawjson.Unquote(raw)
		case rawjson.Bool:
			value = string(raw)
		case rawjson.Number:
			value = decimal(string(raw))
		default:
			continue
		}
		fields = append(fields, ParamField{paramPrefix + p.Name, value})
	}
	return fields
}

// argument finds a value by keys alone: [rawjson.Get] would take them for indexes too.
func argument(raw []byte, path []string) ([]byte, bool) {
	for _, key := range path {
		if rawjson.KindOf(raw) != rawjson.Object {
			return nil, false
		}
		var ok bool
		if raw, ok = rawjson.Get(raw, key); !ok {
			return nil, false
		}
	}
	return raw, true
}

// decimal spells a whole number with its digits only: 4.2e1 as 42. Every other number
// stays as it is.
func decimal(spelled string) string {
	if !strings.ContainsAny(spelled, ".eE") || tooLong(spelled) {
		return spelled
	}
	if n, ok := new(big.Rat).SetString(spelled); ok && n.IsInt() {
		return n.Num().String()
	}
	return spelled
}

// tooLong reports whether a number's exponent would make more digits than any integer
// of JSON that two programs agree on has.
func tooLong(spelled string) bool {
	i := strings.IndexAny(spelled, "eE")
	if i < 0 {
		return len(spelled) > 100
	}
	exp, err := strconv.Atoi(spelled[i+1:])
	return err != nil || exp > 100 || exp < -100 || i > 100
}
