package schema

import (
	"strconv"

	"parley/client/rawjson"
)

// At finds the field at a path of property names and decimal indexes, through
// properties, items, prefixItems, additionalProperties, references inside of the
// schema and alternatives of which one is not null. A field further inside is read
// like those of the form, except that Required says nothing. It reports false where
// the schema says nothing about the place.
func (o *Object) At(path ...string) (*Field, bool) {
	if len(path) == 0 {
		return nil, false
	}
	f, known := o.Field(path[0])
	if known && len(path) == 1 {
		return f, true
	}
	d := newDocument(o.Raw)
	var raw []byte
	if known {
		raw = f.Schema
	} else {
		if rawjson.KindOf(o.Raw) != rawjson.Object {
			return nil, false
		}
		raw = o.Raw
	}
	steps := path
	if known {
		steps = path[1:]
	}
	for _, step := range steps {
		if raw = d.child(newNode(raw), step, 0); raw == nil {
			return nil, false
		}
	}
	return d.field(path[len(path)-1], raw), true
}

// child is the schema of a member or an element, nil where there is none.
func (d *document) child(n node, step string, depth int) []byte {
	n, why := d.resolve(n)
	if why != "" || depth > maxDepth {
		return nil
	}
	if raw, ok := rawjson.Get(n.get("properties"), step); ok {
		return raw
	}
	if i, err := strconv.Atoi(step); err == nil && i >= 0 && (n.has("items") || n.has("prefixItems")) {
		return element(n, i)
	}
	if raw := n.get("additionalProperties"); isSchema(raw) {
		return raw
	}
	branches, _ := d.branches(n)
	if len(branches) == 1 {
		return d.child(branches[0], step, depth+1)
	}
	return nil
}

// element is the schema of an array's element. Before 2020-12 items was a list too.
func element(n node, i int) []byte {
	first := n.list("prefixItems")
	others := n.get("items")
	if first == nil && rawjson.KindOf(others) == rawjson.Array {
		first, others = n.list("items"), n.get("additionalItems")
	}
	if i < len(first) {
		return first[i]
	}
	if isSchema(others) {
		return others
	}
	return nil
}

func isSchema(raw []byte) bool { return raw != nil && rawjson.KindOf(raw) == rawjson.Object }
