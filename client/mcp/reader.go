package mcp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/client/rawjson"
)

// reader reads one JSON object leniently and collects what is wrong with it.
type reader struct {
	what     string // what is read, for messages: "result"
	isObject bool
	keys     []string
	problems []string
}

func newReader(what string) *reader { return &reader{what: what} }

func (r *reader) say(problem string) {
	if !slices.Contains(r.problems, problem) {
		r.problems = append(r.problems, problem)
	}
}

// problem gives everything that was found wrong, the first first.
func (r *reader) problem() string { return strings.Join(r.problems, "; ") }

// object calls fn for each member of the object raw, in order.
func (r *reader) object(raw []byte, fn func(key string, raw []byte)) {
	if r.isObject = r.want(r.what, raw, rawjson.Object); !r.isObject {
		return
	}
	err := rawjson.Each(raw, func(key string, _, raw []byte) bool {
		r.keys = append(r.keys, key)
		fn(key, raw)
		return true
	})
	if err != nil {
		r.say(r.what + " is cut or not valid JSON")
	}
}

// member calls fn for each member of the inner object raw, with a key that
// begins with the outer one, and reports whether raw is an object.
func (r *reader) member(outer string, raw []byte, fn func(key string, raw []byte)) bool {
	if !r.want(outer, raw, rawjson.Object) {
		return false
	}
	err := rawjson.Each(raw, func(key string, _, raw []byte) bool {
		fn(outer+"."+key, raw)
		return true
	})
	if err != nil {
		r.say(outer + " is cut or not valid JSON")
	}
	return true
}

func (r *reader) elements(key string, raw []byte, fn func(raw []byte)) {
	if !r.want(key, raw, rawjson.Array) {
		return
	}
	err := rawjson.Elements(raw, func(_ int, raw []byte) bool {
		fn(raw)
		return true
	})
	if err != nil {
		r.say(key + " is cut or not valid JSON")
	}
}

func (r *reader) has(key string) bool { return slices.Contains(r.keys, key) }

// require notes a key that the object, if it is one, does not have.
func (r *reader) require(key string) {
	if r.isObject && !r.has(key) {
		r.say(key + " is missing")
	}
}

// want notes a value of another kind and reports whether it is of that one.
func (r *reader) want(key string, raw []byte, kind rawjson.Kind) bool {
	got := rawjson.KindOf(raw)
	switch got {
	case kind:
		return true
	case rawjson.Null:
		r.say(key + " is null")
	default:
		r.say(fmt.Sprintf("%s is %s, not %s", key, got, kind))
	}
	return false
}

func (r *reader) text(key string, raw []byte) string {
	if !r.want(key, raw, rawjson.String) {
		return ""
	}
	s, ok := rawjson.Unquote(raw)
	if !ok {
		r.say(key + " is not a valid string")
	}
	return s
}

func (r *reader) boolean(key string, raw []byte) *bool {
	if !r.want(key, raw, rawjson.Bool) {
		return nil
	}
	b := string(raw) == "true"
	return &b
}

// whole reads a whole number, which may be spelled 3 or 3.0.
func (r *reader) whole(key string, raw []byte) *int64 {
	if !r.want(key, raw, rawjson.Number) {
		return nil
	}
	n, ok := wholeNumber(raw)
	if !ok {
		r.say(fmt.Sprintf("%s is %s, not a whole number in range", key, clip(raw)))
		return nil
	}
	return &n
}

func wholeNumber(raw []byte) (int64, bool) {
	spelled := string(raw)
	if whole, frac, ok := strings.Cut(spelled, "."); ok && strings.Trim(frac, "0") == "" {
		spelled = whole
	}
	n, err := strconv.ParseInt(spelled, 10, 64)
	return n, err == nil
}

// clip shortens a value for a message.
func clip(raw []byte) string {
	const most = 40
	s := strings.ToValidUTF8(string(raw), "\ufffd")
	if len(s) <= most {
		return s
	}
	cut := 0
	for i := range s {
		if i > most {
			break
		}
		cut = i
	}
	return s[:cut] + "…"
}
