// Package schema turns a JSON Schema of arguments into the rows of a form, what
// was entered there into exact JSON, and says in words what in JSON does not
// fit its schema.
//
// Forms are flat: a property is a row of a simple type, and whatever is not
// simple is a row in which JSON is typed, with the reason. Parsing a schema
// therefore never fails on what schemas may contain; odd ones give a form of
// one row for all arguments.
//
// Values keep their spelling: 1.0, 1e2 and 9007199254740993 are sent as typed.
// Everything here is pure, and nothing is ever loaded from a network or a file.
package schema

import (
	"encoding/json"
	"fmt"

	"parley/client/rawjson"
)

// Object is the schema of a tool's arguments, or of an answer to the server,
// as a flat form.
type Object struct {
	Title, Description string

	Fields []*Field // in the order of the schema's properties
	Closed bool     // no other names are allowed
	Raw    []byte   // the schema, exactly as given

	// Problem says in words why the schema cannot be drawn as fields. Fields
	// is empty then, and the arguments are one piece of JSON.
	Problem string
}

// Field finds a field by its exact name.
func (o *Object) Field(name string) (*Field, bool) {
	for _, f := range o.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}

// Type is how a field is filled in.
type Type uint8

// The types of fields.
const (
	JSON    Type = iota // anything else: JSON is typed, Field.Reason says why
	String              // text
	Number              // a number
	Integer             // a whole number
	Boolean             // true or false
	Enum                // one of Field.Enum
	Const               // always Field.Const
)

var typeNames = [...]string{"json", "string", "number", "integer", "boolean", "enum", "const"}

// String gives the name of the type in lower case.
func (t Type) String() string { return typeNames[t] }

// Option is one of the values of an [Enum] field.
type Option struct {
	Raw   json.RawMessage // what is sent
	Label string          // what is shown: its title, a string's text, or the JSON
}

// Field is one property.
type Field struct {
	Name, Title, Description string

	Type     Type
	Required bool
	Nullable bool // null is allowed besides what Type says
	Untyped  bool // of type JSON because the schema does not say any type

	Enum    []Option // of an Enum, without null
	Const   json.RawMessage
	Default json.RawMessage // nil when there is none

	Format, Pattern      string
	MinLength, MaxLength *int64
	// Limits of numbers as the schema spells them, empty when there are none.
	Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum string

	Multiline bool            // a String that is likely to have several lines
	Schema    json.RawMessage // as in the properties, references not resolved
	Reason    string          // of type JSON: what it is, in words, "array of objects"

	takesText bool // of type JSON: a string is one of the things allowed
}

// Label is the name for people: title or name.
func (f *Field) Label() string {
	if f.Title != "" {
		return f.Title
	}
	return f.Name
}

// Parse reads a schema. The only error is that the bytes are not JSON; a schema
// that is missing, null or otherwise odd has a Problem.
func Parse(schema []byte) (*Object, error) {
	o := &Object{Raw: schema}
	if len(schema) == 0 {
		o.Problem = "there is no schema"
		return o, nil
	}
	if at, reason, ok := rawjson.Valid(schema); !ok {
		return nil, fmt.Errorf("the schema is not JSON at byte %d: %s", at, reason)
	}
	d := newDocument(schema)
	root, why := d.root(schema)
	if why == "" {
		why = d.object(o, root)
	}
	if why != "" {
		o.Problem, o.Fields = why, nil
	}
	return o, nil
}

// root finds the schema that says what the arguments are, following references
// at the root, or says why there is none.
func (d *document) root(raw []byte) (root node, why string) {
	switch rawjson.KindOf(raw) {
	case rawjson.Object:
	case rawjson.Null:
		return node{}, "the schema is null"
	case rawjson.Bool:
		if string(raw) == "true" {
			return node{}, "the schema is true: it allows anything"
		}
		return node{}, "the schema is false: it allows nothing"
	default:
		return node{}, "the schema is " + rawjson.KindOf(raw).String() + ", not an object"
	}
	n, why := d.resolve(newNode(raw))
	if why != "" {
		return node{}, "the schema is a " + why
	}
	return n, ""
}

// object reads the properties, or says why they cannot be drawn.
func (d *document) object(o *Object, root node) (why string) {
	o.Title, o.Description = root.text("title"), root.text("description")
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "if"} {
		if root.has(keyword) {
			return fmt.Sprintf("the schema uses %q for all arguments together", keyword)
		}
	}
	if types := root.types(); len(types) > 0 && !has(types, "object") {
		return "the schema describes " + article(orList(types)) + ", not an object"
	}
	properties := root.get("properties")
	switch kind := rawjson.KindOf(properties); {
	case properties == nil || kind == rawjson.Null:
	case kind != rawjson.Object:
		return `"properties" is ` + rawjson.KindOf(properties).String() + ", not an object"
	default:
		_ = rawjson.Each(properties, func(name string, _, raw []byte) bool {
			d.add(o, d.field(name, raw))
			return true
		})
	}
	d.required(o, root)
	other := root.get("additionalProperties")
	o.Closed = string(other) == "false" || string(root.get("unevaluatedProperties")) == "false"
	switch {
	case len(o.Fields) > 0:
	case len(root.types()) == 0 && properties == nil:
		return "the schema does not say what it describes"
	case string(other) == "true" || rawjson.KindOf(other) == rawjson.Object:
		return "the schema leaves the names of the arguments open"
	}
	return ""
}

// add appends a field; of a repeated name the last one counts, in the place of
// the first.
func (d *document) add(o *Object, f *Field) {
	for i := range o.Fields {
		if o.Fields[i].Name == f.Name {
			o.Fields[i] = f
			return
		}
	}
	o.Fields = append(o.Fields, f)
}

// required marks the required fields. A required name without a property
// becomes a field too, for it has to be sent.
func (d *document) required(o *Object, root node) {
	list := root.get("required")
	if rawjson.KindOf(list) != rawjson.Array {
		return
	}
	_ = rawjson.Elements(list, func(_ int, raw []byte) bool {
		name, ok := rawjson.Unquote(raw)
		if !ok || rawjson.KindOf(raw) != rawjson.String {
			return true
		}
		f, ok := o.Field(name)
		if !ok {
			f = &Field{Name: name, Untyped: true, Reason: "required, but not described"}
			o.Fields = append(o.Fields, f)
		}
		f.Required = true
		return true
	})
}
