package config

import "github.com/tailscale/hujson"

// node is a value of a configuration file, whatever its syntax: JSON, TOML and
// YAML are read into nodes, and the servers are read from those.
type node struct {
	kind    byte   // { [ " 0 t n, as JSON would begin: object, array, string, number, boolean, null
	text    string // of a string, number or boolean
	members []member
	items   []*node
	at      spot
	loose   bool // a scalar without quotes, which may stand for a text (YAML)
}

type member struct {
	key   string
	at    spot
	value *node
}

// spot is where something is in a file: a byte offset, or a line and a column
// where the reader of the syntax gives those.
type spot struct{ offset, line, col int }

// get gives an object's member, nil when it has none of that name. Of several
// the last one counts, as everywhere in JSON.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return n.members[i].value
		}
	}
	return nil
}

// jsonNode makes a node of JSON whose offsets begin at base.
func jsonNode(v *hujson.Value, base int) *node {
	n := &node{at: spot{offset: base + v.StartOffset}}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.kind = '{'
		n.members = make([]member, len(value.Members))
		for i := range value.Members {
			m := &value.Members[i]
			n.members[i] = member{
				key: m.Name.Value.(hujson.Literal).String(), at: spot{offset: base + m.Name.StartOffset},
				value: jsonNode(&m.Value, base),
			}
		}
	case *hujson.Array:
		n.kind = '['
		n.items = make([]*node, len(value.Elements))
		for i := range value.Elements {
			n.items[i] = jsonNode(&value.Elements[i], base)
		}
	case hujson.Literal:
		switch n.kind = byte(value.Kind()); n.kind {
		case '"':
			n.text = value.String()
		case 'f':
			n.kind, n.text = 't', "false"
		case 't':
			n.text = "true"
		case '0':
			n.text = string(value)
		}
	}
	return n
}

// kindName says in words what a value is.
func kindName(n *node) string {
	switch n.kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't':
		return "a boolean"
	}
	return "null"
}
