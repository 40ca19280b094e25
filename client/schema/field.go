package schema

import (
	"bytes"
	"strings"

	"parley/client/rawjson"
)

// field reads one property.
func (d *document) field(name string, raw []byte) *Field {
	f := &Field{Name: name, Schema: raw}
	switch {
	case string(raw) == "false":
		f.Reason = "no value is allowed"
		return f
	case rawjson.KindOf(raw) != rawjson.Object && string(raw) != "true":
		f.Untyped, f.Reason = true, "the schema is "+rawjson.KindOf(raw).String()
		return f
	}
	n := d.shape(f, newNode(raw), 0)
	f.Title, f.Description = n.text("title"), n.text("description")
	f.Default = n.get("default")
	f.Format, f.Pattern = n.text("format"), n.text("pattern")
	f.MinLength, f.MaxLength = n.count("minLength"), n.count("maxLength")
	f.Minimum, f.Maximum = n.number("minimum"), n.number("maximum")
	f.ExclusiveMinimum, f.ExclusiveMaximum = n.number("exclusiveMinimum"), n.number("exclusiveMaximum")
	f.Multiline = f.Type == String && multiline(f, n.text("contentMediaType"))
	return f
}

// shape finds the type of a field and returns the node with everything that
// holds for it, references and single alternatives included.
func (d *document) shape(f *Field, n node, depth int) node {
	n, why := d.resolve(n)
	types := n.types()
	if i := indexOf(types, "null"); i >= 0 && len(types) > 1 {
		f.Nullable = true
		types = append(types[:i:i], types[i+1:]...)
	}
	switch {
	case why != "":
		f.Type, f.Reason = JSON, why
	case n.has("const"):
		f.Type, f.Const = Const, n.get("const")
	case n.has("enum"):
		d.enum(f, n)
	case d.choices(n) || len(types) == 0 && (n.has("anyOf") || n.has("oneOf")):
		return d.alternatives(f, n, depth)
	case len(types) == 1 && flat[types[0]] != JSON:
		f.Type = flat[types[0]]
	case len(types) == 2 && has(types, "integer") && has(types, "number"):
		f.Type = Number
	case len(types) == 0 && len(n.list("allOf")) > 0:
		f.Type, f.Reason = JSON, "several schemas together"
	default:
		f.Type, f.Reason = JSON, d.describe(n, types)
		f.Untyped = f.Reason == anyValue
		f.takesText = has(types, "string")
	}
	return n
}

// flat has the types that are rows of their own.
var flat = map[string]Type{"string": String, "number": Number, "integer": Integer, "boolean": Boolean}

// choices reports whether the alternatives of a node are all constants.
func (d *document) choices(n node) bool {
	branches, _ := d.branches(n)
	for _, b := range branches {
		if !b.has("const") && !b.has("enum") {
			return false
		}
	}
	return len(branches) > 0
}

// branches returns the alternatives of a node, references resolved, without
// null ones, and whether there was one of those.
func (d *document) branches(n node) (branches []node, null bool) {
	list := n.list("anyOf")
	if list == nil {
		list = n.list("oneOf")
	}
	for _, raw := range list {
		b, _ := d.resolve(newNode(raw))
		types := b.types()
		if len(types) == 1 && types[0] == "null" || string(b.get("const")) == "null" {
			null = true
			continue
		}
		branches = append(branches, b)
	}
	return branches, null
}

const maxDepth = 8

// alternatives reads anyOf and oneOf: one alternative besides null is that
// alternative, constants are an enum, everything else is JSON.
func (d *document) alternatives(f *Field, n node, depth int) node {
	branches, null := d.branches(n)
	f.Nullable = f.Nullable || null
	switch {
	case d.choices(n):
		for _, b := range branches {
			if b.has("const") {
				f.option(b.get("const"), b.text("title"))
			} else {
				d.enum(f, b)
			}
		}
		f.Type = Enum
		return n
	case len(branches) == 1 && depth < maxDepth:
		return d.shape(f, branches[0].under(n, "anyOf", "oneOf", "type"), depth+1)
	}
	kinds := d.kinds(n, depth)
	f.Type, f.Reason = JSON, orList(kinds)
	f.takesText = has(kinds, "string") || has(kinds, aChoice)
	switch {
	case len(kinds) == 1 && flat[kinds[0]] != JSON:
		f.Type, f.Reason = flat[kinds[0]], "" // they differ in limits only
	case len(kinds) == 0:
		f.Reason = "no value is allowed"
	}
	return n
}

// kinds says in words what the alternatives of a node are, those of
// alternatives that have some themselves included, without repeating any.
func (d *document) kinds(n node, depth int) (kinds []string) {
	branches, _ := d.branches(n)
	for _, b := range branches {
		types := b.types()
		words := []string{d.describe(b, types)}
		if len(types) == 0 && !d.choices(b) && (b.has("anyOf") || b.has("oneOf")) && depth < maxDepth {
			words = d.kinds(b, depth+1)
		}
		for _, word := range words {
			if !has(kinds, word) {
				kinds = append(kinds, word)
			}
		}
	}
	return kinds
}

// enum reads the values of "enum". null among them makes the field nullable.
func (d *document) enum(f *Field, n node) {
	values, names := n.list("enum"), n.list("enumNames")
	for i, raw := range values {
		title := ""
		if len(names) == len(values) && rawjson.KindOf(names[i]) == rawjson.String {
			title, _ = rawjson.Unquote(names[i])
		}
		f.option(raw, title)
	}
	f.Type = Enum
	if len(f.Enum) == 0 {
		f.Type, f.Reason = JSON, "an enum without values"
	}
}

func (f *Field) option(raw []byte, title string) {
	if string(raw) == "null" {
		f.Nullable = true
		return
	}
	f.Enum = append(f.Enum, Option{Raw: raw, Label: label(raw, title)})
}

func label(raw []byte, title string) string {
	if title != "" {
		return title
	}
	if rawjson.KindOf(raw) == rawjson.String {
		if s, ok := rawjson.Unquote(raw); ok && s != "" {
			return s
		}
	}
	if c, err := rawjson.Compact(nil, raw); err == nil {
		return string(c)
	}
	return string(raw)
}

const (
	anyValue = "any value"
	aChoice  = "a choice"
)

// describe says in words what a node that is no row of its own is.
func (d *document) describe(n node, types []string) string {
	if len(types) == 0 {
		switch {
		case n.has("properties"):
			types = []string{"object"}
		case n.has("items"):
			types = []string{"array"}
		case n.has("const") || n.has("enum"):
			return aChoice
		case n.has("anyOf") || n.has("oneOf") || n.has("allOf") || n.has("$ref"):
			return "a combination of schemas"
		default:
			return anyValue
		}
	}
	words := make([]string, 0, len(types))
	for _, t := range types {
		switch t {
		case "object":
			words = append(words, describeObject(n))
		case "array":
			words = append(words, "array"+d.describeItems(n.get("items")))
		default:
			words = append(words, t)
		}
	}
	return orList(words)
}

func describeObject(n node) string {
	if rawjson.KindOf(n.get("properties")) != rawjson.Object || string(bytes.TrimSpace(n.get("properties"))) == "{}" {
		if string(n.get("additionalProperties")) == "false" {
			return "empty object"
		}
		return "object with free names"
	}
	return "object"
}

// describeItems gives " of strings" for the schema of an array's items.
func (d *document) describeItems(items []byte) string {
	if rawjson.KindOf(items) != rawjson.Object {
		return ""
	}
	n, why := d.resolve(newNode(items))
	types := n.types()
	switch {
	case why != "":
		return " of a " + why
	case n.has("enum") || d.choices(n):
		return " of choices"
	case len(types) == 1 && types[0] != "null":
		return " of " + types[0] + "s"
	case len(types) == 0 && n.has("properties"):
		return " of objects"
	}
	return " of values"
}

// article puts a or an before a word that takes one.
func article(word string) string {
	switch {
	case word == "null" || word == "":
		return word
	case strings.ContainsRune("aeiou", rune(word[0])):
		return "an " + word
	}
	return "a " + word
}

func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func indexOf(list []string, s string) int {
	for i := range list {
		if list[i] == s {
			return i
		}
	}
	return -1
}
