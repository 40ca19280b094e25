package script

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"

	"parley/client/rawjson"
)

// Bounds of what is looked through, so that a key never waits for a large value.
const (
	maxLooked  = 4 << 20 // bytes of a value
	maxMembers = 200     // completions
	maxIndex   = 10      // elements of a list that are offered one by one
	maxBrief   = 40      // bytes of a value that are shown
)

// path completes what stands behind the name of a variable: $x.con, $x.list[0].na.
// Only plain paths are followed, not what jq makes of them.
func (c *completer) path(w fragment, dollar int, name string) {
	text := w.text[dollar:]
	begin := strings.IndexAny(text, ".[") // of the path
	if begin < 0 || c.src == nil {
		return
	}
	c.from, c.to = w.from+dollar, c.at
	for c.to < len(c.line) && isNameByte(c.line[c.to]) {
		c.to++
	}
	if name == "env" {
		c.environment(text[:begin], text[begin:])
		return
	}
	value := c.src.Value(name)
	if len(value) == 0 || len(value) > maxLooked {
		return
	}
	p := pathText{rest: text[begin:], value: value}
	for p.step() {
	}
	before := text[:len(text)-len(p.rest)]
	switch {
	case strings.HasPrefix(p.rest, "["):
		c.elements(before, p.rest, p.value)
	case strings.HasPrefix(p.rest, "."):
		c.members(before, p.rest[1:], p.value)
	}
}

// pathText is a path that is being followed into a value.
type pathText struct {
	rest  string // what was not followed
	value []byte // where it leads so far
}

// step follows one part of the path that is complete, because another one follows.
func (p *pathText) step() bool {
	key, rest, ok := "", "", false
	switch {
	case strings.HasPrefix(p.rest, `["`):
		if end := strings.Index(p.rest, `"]`); end > 1 {
			key, ok = rawjson.Unquote([]byte(p.rest[1 : end+1]))
			rest = p.rest[end+2:]
		}
	case strings.HasPrefix(p.rest, "["):
		key, rest, ok = strings.Cut(p.rest[1:], "]")
		return ok && rest != "" && p.element(key, rest)
	case strings.HasPrefix(p.rest, "."):
		end := strings.IndexAny(p.rest[1:], ".[")
		if end < 0 {
			return false
		}
		key, rest, ok = p.rest[1:1+end], p.rest[1+end:], true
		if end == 0 && strings.HasPrefix(rest, "[") { // .["a b"] and .[0] are [..] behind a dot
			p.rest = rest
			return true
		}
	}
	if !ok || rest == "" {
		return false
	}
	value, found := rawjson.Get(p.value, key)
	if !found || rawjson.KindOf(p.value) != rawjson.Object {
		p.rest = ""
		return false
	}
	p.value, p.rest = value, rest
	return true
}

// element follows an index; [] is any element, and the first is looked at.
func (p *pathText) element(index, rest string) bool {
	if index == "" {
		index = "0"
	}
	value, found := rawjson.Get(p.value, index)
	if !found || rawjson.KindOf(p.value) != rawjson.Array {
		p.rest = ""
		return false
	}
	p.value, p.rest = value, rest
	return true
}

// members offers those of an object. In the place of a list's stand its elements.
func (c *completer) members(before, typed string, value []byte) {
	if rawjson.KindOf(value) == rawjson.Array && typed == "" {
		c.elements(before, "[", value)
		return
	}
	n := 0
	_ = rawjson.Each(value, func(key string, rawKey, member []byte) bool {
		text := before + "." + key
		if !isPlainKey(key) {
			text = before + "[" + string(rawKey) + "]"
		}
		had := len(c.list) + len(c.inside)
		if c.offer(typed, text, key, brief(member)); len(c.list)+len(c.inside) > had {
			n++
		}
		return n < maxMembers
	})
}

// elements offers the elements of a list, and all of them.
func (c *completer) elements(before, typed string, value []byte) {
	add := func(index, info string) {
		if strings.HasPrefix(index, typed) {
			c.list = append(c.list, Completion{before + index, index, info})
		}
	}
	n := 0
	switch rawjson.KindOf(value) {
	case rawjson.Array:
		_ = rawjson.Elements(value, func(i int, element []byte) bool {
			add("["+strconv.Itoa(i)+"]", brief(element))
			n++
			return n < maxIndex
		})
		if n > 1 {
			add("[]", "each of them")
		}
	case rawjson.Object:
		_ = rawjson.Each(value, func(_ string, rawKey, member []byte) bool {
			add("["+string(rawKey)+"]", brief(member))
			n++
			return n < maxMembers
		})
	}
}

// environment offers the variables of the environment, never their values.
func (c *completer) environment(before, path string) {
	typed, ok := strings.CutPrefix(path, ".")
	if !ok {
		return
	}
	var names []string
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); isPlainKey(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		c.offer(typed, before+"."+name, name, "")
	}
}

// isPlainKey reports whether a key can stand behind a dot.
func isPlainKey(key string) bool {
	if key == "" || key[0] >= '0' && key[0] <= '9' {
		return false
	}
	return strings.IndexFunc(key, func(r rune) bool { return r >= 0x80 || !isNameByte(byte(r)) }) < 0
}

// brief shows a value in a few bytes, or says what it is.
func brief(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) <= maxBrief && bytes.IndexByte(raw, '\n') < 0 {
		return string(raw)
	}
	if rawjson.KindOf(raw) == rawjson.String {
		return strings.ToValidUTF8(string(raw[:maxBrief]), "") + "…"
	}
	return strings.TrimPrefix(strings.TrimPrefix(rawjson.KindOf(raw).String(), "an "), "a ")
}
