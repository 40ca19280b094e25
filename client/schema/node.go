package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parley/client/rawjson"
)

// node is one schema inside a document, with its keywords at hand. A keyword
// that a schema has itself goes before the one of the schema it refers to.
type node struct {
	raw      []byte
	keywords []keyword
}

type keyword struct {
	name string
	raw  []byte
}

// newNode reads the keywords of a schema; true, false and what is no schema at
// all have none.
func newNode(raw []byte) node {
	n := node{raw: raw}
	if rawjson.KindOf(raw) == rawjson.Object {
		_ = rawjson.Each(raw, func(key string, _, raw []byte) bool {
			n.keywords = append(n.keywords, keyword{key, raw})
			return true
		})
	}
	return n
}

// get returns the value of a keyword, nil when there is none.
func (n node) get(name string) []byte {
	for i := len(n.keywords) - 1; i >= 0; i-- { // of a repeated one the last counts
		if n.keywords[i].name == name {
			return n.keywords[i].raw
		}
	}
	return nil
}

func (n node) has(name string) bool { return n.get(name) != nil }

// text returns a keyword that is a string, "" when it is none.
func (n node) text(name string) string {
	raw := n.get(name)
	if rawjson.KindOf(raw) != rawjson.String {
		return ""
	}
	s, _ := rawjson.Unquote(raw)
	return s
}

// number returns a keyword that is a number as it is spelled.
func (n node) number(name string) string {
	raw := n.get(name)
	if rawjson.KindOf(raw) != rawjson.Number {
		return ""
	}
	return string(raw)
}

func (n node) count(name string) *int64 {
	spelled, _, _ := strings.Cut(n.number(name), ".0")
	if i, err := strconv.ParseInt(spelled, 10, 64); err == nil {
		return &i
	}
	return nil
}

// types returns the values of "type", one or several.
func (n node) types() []string {
	if t := n.text("type"); t != "" {
		return []string{t}
	}
	var types []string
	for _, raw := range n.list("type") {
		if t, ok := rawjson.Unquote(raw); ok && !has(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// list returns the elements of a keyword that is an array.
func (n node) list(name string) [][]byte {
	raw := n.get(name)
	if rawjson.KindOf(raw) != rawjson.Array {
		return nil
	}
	var list [][]byte
	_ = rawjson.Elements(raw, func(_ int, raw []byte) bool {
		list = append(list, raw)
		return true
	})
	return list
}

// under returns the node with the keywords of an outer one going before its
// own; the outer one's keywords in except are left out.
func (n node) under(outer node, except ...string) node {
	merged := node{raw: outer.raw, keywords: slices.Clone(n.keywords)}
	for _, k := range outer.keywords {
		if !has(except, k.name) {
			merged.keywords = append(merged.keywords, k)
		}
	}
	return merged
}

// document is the schema that references point into. What they point to is
// remembered, and bounded: a few schemas that refer to each other can stand for
// a tree without end.
type document struct {
	raw    []byte
	found  map[string][]byte
	budget int // bytes that references may still lead to
}

func newDocument(raw []byte) *document {
	return &document{raw: raw, found: map[string][]byte{}, budget: 4<<20 + 16*len(raw)}
}

// maxReferences bounds a chain of references.
const maxReferences = 32

// resolve follows the references of a node, which point into the same document,
// or says in words which reference leads nowhere. An allOf of one schema is a
// reference of sorts: generators write it to put a description beside one.
func (d *document) resolve(n node) (resolved node, why string) {
	for range maxReferences {
		inner := n.list("allOf")
		switch {
		case n.has("$ref"):
			if rawjson.KindOf(n.get("$ref")) != rawjson.String {
				return n, "reference that is not a string"
			}
			target, why := d.find(n.text("$ref"))
			if why != "" {
				return n, why
			}
			n = newNode(target).under(n, "$ref")
		case len(inner) == 1 && !n.has("type") && !n.has("properties"):
			n = newNode(inner[0]).under(n, "allOf")
		default:
			return n, ""
		}
	}
	return n, "reference to itself"
}

// find returns what a reference points to.
func (d *document) find(ref string) (target []byte, why string) {
	target, ok := d.found[ref]
	if !ok {
		if target, why = d.lookUp(ref); why != "" {
			return nil, why
		}
		d.found[ref] = target
	}
	if d.budget -= len(target); d.budget < 0 {
		return nil, "reference that leads too far"
	}
	return target, ""
}

func (d *document) lookUp(ref string) (target []byte, why string) {
	fragment, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil, "reference to another document, " + strconv.Quote(ref)
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return nil, "reference that is not valid, " + strconv.Quote(ref)
	}
	if pointer != "" && !strings.HasPrefix(pointer, "/") {
		if target = d.anchor(pointer); target != nil {
			return target, ""
		}
	} else if off, n, ok := rawjson.Find(d.raw, pointer); ok {
		return d.raw[off : off+n], ""
	}
	return nil, "reference to nothing, " + strconv.Quote(ref)
}

// anchor finds a schema by its "$anchor" among the definitions.
func (d *document) anchor(name string) (target []byte) {
	for _, place := range []string{"$defs", "definitions"} {
		defs, ok := rawjson.Get(d.raw, place)
		if !ok || rawjson.KindOf(defs) != rawjson.Object {
			continue
		}
		_ = rawjson.Each(defs, func(_ string, _, raw []byte) bool {
			if newNode(raw).text("$anchor") == name {
				target = raw
			}
			return target == nil
		})
	}
	return target
}

func has(list []string, s string) bool { return slices.Contains(list, s) }
