package history

import (
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
		c.values("", recorded, now, 0)
	} else {
		c.add("", Changed, recorded, now)
	}
	return c.found
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

// maxCompareDepth bounds the recursion; values below it are equal or not.
const maxCompareDepth = 1000

func (c *comparison) values(path string, a, b []byte, depth int) {
	kind := rawjson.KindOf(a)
	switch {
	case kind == rawjson.KindOf(b) && kind == rawjson.Object && depth < maxCompareDepth:
		c.objects(path, a, b, depth)
	case kind == rawjson.KindOf(b) && kind == rawjson.Array && depth < maxCompareDepth:
		c.arrays(path, a, b, depth)
	case !rawjson.Equal(a, b):
		c.add(path, Changed, a, b)
	}
}

func (c *comparison) objects(path string, a, b []byte, depth int) {
	keysA, was := members(a)
	keysB, is := members(b)
	for _, key := range keysA {
		at := path + pathKey(key)
		switch value, ok := is[key]; {
		case c.skipID && depth == 0 && key == "id":
		case !ok:
			c.add(at, Removed, was[key], nil)
		default:
			c.values(at, was[key], value, depth+1)
		}
	}
	for _, key := range keysB {
		if _, ok := was[key]; !ok && !(c.skipID && depth == 0 && key == "id") {
			c.add(path+pathKey(key), Added, nil, is[key])
		}
	}
}

// members returns the keys of an object in order, each once, and their values,
// of which the last counts.
func members(raw []byte) (keys []string, values map[string][]byte) {
	values = make(map[string][]byte)
	rawjson.Each(raw, func(key string, _, value []byte) bool {
		if _, again := values[key]; !again {
			keys = append(keys, key)
		}
		values[key] = value
		return true
	})
	return keys, values
}

// arrays compares element by element, after setting aside what is equal at
// both ends: one element more at the front is one difference.
func (c *comparison) arrays(path string, a, b []byte, depth int) {
	was, is := elements(a), elements(b)
	start := 0
	for start < len(was) && start < len(is) && rawjson.Equal(was[start], is[start]) {
		start++
	}
	endA, endB := len(was), len(is)
	for len(was) != len(is) && endA > start && endB > start && rawjson.Equal(was[endA-1], is[endB-1]) {
		endA--
		endB--
	}
	for i := start; i < endA || i < endB; i++ {
		at := path + "[" + strconv.Itoa(i) + "]"
		switch {
		case i >= endB:
			c.add(at, Removed, was[i], nil)
		case i >= endA:
			c.add(at, Added, nil, is[i])
		default:
			c.values(at, was[i], is[i], depth+1)
		}
	}
}

func elements(raw []byte) (list [][]byte) {
	rawjson.Elements(raw, func(_ int, value []byte) bool {
		list = append(list, value)
		return true
	})
	return list
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
