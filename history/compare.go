package history

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"parley/client/rawjson"
)

// DifferenceKind says how two values differ at a place.
type DifferenceKind uint8

// The kinds of differences.
const (
	Changed DifferenceKind = iota // both have a value there
	Added                         // only what is now has it
	Removed                       // only what was recorded has it
)

var differenceNames = [...]string{"changed", "added", "removed"}

// String gives the kind for people.
func (k DifferenceKind) String() string {
	if int(k) < len(differenceNames) {
		return differenceNames[k]
	}
	return "unknown"
}

// Difference is a place where two JSON values differ.
type Difference struct {
	// Path leads to the place, as jq spells it: .result.content[0].text. An
	// index is that of the recorded array, of an added element that of now.
	Path          string
	Kind          DifferenceKind
	Recorded, Now string // the values without spaces, at most 200 characters; empty where there is none
}

// Compare finds where two JSON-RPC messages differ, whatever their ids are:
// differences of the top-level "id" do not count. The order of an object's
// members makes no difference, nor does the spelling of numbers (1.0 is 1) or
// strings. What is not JSON is compared byte for byte.
func Compare(recorded, now []byte) []Difference {
	return compare(recorded, now, true)
}

// CompareWithID is Compare, and differences of the ids count.
func CompareWithID(recorded, now []byte) []Difference {
	return compare(recorded, now, false)
}

func compare(recorded, now []byte, skipID bool) []Difference {
	if string(recorded) == string(now) {
		return nil
	}
	c := comparison{skipID: skipID}
	_, _, ok1 := rawjson.Valid(recorded)
	_, _, ok2 := rawjson.Valid(now)
	if ok1 && ok2 {
		c.values("", newNode(recorded, 0), newNode(now, 0), 0)
	} else {
		c.add("", Changed, recorded, now)
	}
	return c.found
}

// node is a JSON value taken apart.
type node struct {
	raw    []byte
	kind   rawjson.Kind
	keys   []string         // of an object, in order, each once
	values map[string]*node // of members with one key the last
	items  []*node          // of an array
}

// maxCompareDepth bounds how deep values are taken apart; what is below is
// compared by its bytes, spaces aside.
const maxCompareDepth = 200

func newNode(raw []byte, depth int) *node {
	n := &node{raw: raw, kind: rawjson.KindOf(raw)}
	if depth == maxCompareDepth {
		n.kind = rawjson.Invalid
		n.raw, _ = rawjson.Compact(nil, raw)
		return n
	}
	// The value is known to be valid: these have no errors to return.
	switch n.kind {
	case rawjson.Object:
		n.values = make(map[string]*node)
		_ = rawjson.Each(raw, func(key string, _, value []byte) bool {
			if n.values[key] == nil {
				n.keys = append(n.keys, key)
			}
			n.values[key] = newNode(value, depth+1)
			return true
		})
	case rawjson.Array:
		_ = rawjson.Elements(raw, func(_ int, value []byte) bool {
			n.items = append(n.items, newNode(value, depth+1))
			return true
		})
	}
	return n
}

// equal reports whether two values are the same.
func (n *node) equal(o *node) bool {
	if n.kind != o.kind || len(n.keys) != len(o.keys) || len(n.items) != len(o.items) {
		return false
	}
	switch n.kind {
	case rawjson.Object:
		for _, key := range n.keys {
			if v := o.values[key]; v == nil || !n.values[key].equal(v) {
				return false
			}
		}
		return true
	case rawjson.Array:
		for i := range n.items {
			if !n.items[i].equal(o.items[i]) {
				return false
			}
		}
		return true
	}
	return bytes.Equal(n.raw, o.raw) || n.kind != rawjson.Invalid && rawjson.Equal(n.raw, o.raw)
}

type comparison struct {
	skipID bool
	found  []Difference
}

func (c *comparison) add(path string, kind DifferenceKind, recorded, now []byte) {
	if path == "" || path[0] != '.' {
		path = "." + path // as jq spells the root: . and .[0] and .["a b"]
	}
	c.found = append(c.found, Difference{Path: path, Kind: kind, Recorded: excerpt(recorded), Now: excerpt(now)})
}

func (c *comparison) values(path string, was, is *node, depth int) {
	switch {
	case was.kind == rawjson.Object && is.kind == rawjson.Object:
		c.objects(path, was, is, depth)
	case was.kind == rawjson.Array && is.kind == rawjson.Array:
		c.arrays(path, was.items, is.items, depth)
	case !was.equal(is):
		c.add(path, Changed, was.raw, is.raw)
	}
}

func (c *comparison) objects(path string, was, is *node, depth int) {
	skip := func(key string) bool { return c.skipID && depth == 0 && key == "id" }
	for _, key := range was.keys {
		at := path + pathKey(key)
		switch value := is.values[key]; {
		case skip(key):
		case value == nil:
			c.add(at, Removed, was.values[key].raw, nil)
		default:
			c.values(at, was.values[key], value, depth+1)
		}
	}
	for _, key := range is.keys {
		if was.values[key] == nil && !skip(key) {
			c.add(path+pathKey(key), Added, nil, is.values[key].raw)
		}
	}
}

// arrays compares element by element. If one is longer, what is equal at the
// ends is set aside first: one element more at the front is one difference.
func (c *comparison) arrays(path string, was, is []*node, depth int) {
	start, endA, endB := 0, len(was), len(is)
	if endA != endB {
		for start < endA && start < endB && was[start].equal(is[start]) {
			start++
		}
		for endA > start && endB > start && was[endA-1].equal(is[endB-1]) {
			endA--
			endB--
		}
	}
	for i := start; i < endA || i < endB; i++ {
		at := path + "[" + strconv.Itoa(i) + "]"
		switch {
		case i >= endB:
			c.add(at, Removed, was[i].raw, nil)
		case i >= endA:
			c.add(at, Added, nil, is[i].raw)
		default:
			c.values(at, was[i], is[i], depth+1)
		}
	}
}

// pathKey spells a key as a step of a jq path.
func pathKey(key string) string {
	for i, c := range []byte(key) {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return "[" + string(rawjson.Quote(nil, key)) + "]"
		}
	}
	if key == "" {
		return `[""]`
	}
	return "." + key
}

const maxExcerpt = 200

// excerpt returns a value without spaces, cut to maxExcerpt characters.
func excerpt(raw []byte) string {
	if out, err := rawjson.Compact(nil, raw); err == nil {
		raw = out
	}
	count := 0
	for i := 0; i < len(raw); count++ {
		_, size := utf8.DecodeRune(raw[i:])
		if count == maxExcerpt-1 && i+size < len(raw) {
			return string(raw[:i]) + "…"
		}
		i += size
	}
	return string(raw)
}
