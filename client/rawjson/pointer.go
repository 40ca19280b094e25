package rawjson

import (
	"bytes"
	"strconv"
	"strings"
)

// Get gives the value at a path of keys and decimal indexes, part of src. Of
// members with one key the last counts. ok is false if there is no such value.
func Get(src []byte, path ...string) (raw []byte, ok bool) {
	off, n, ok := locate(src, path)
	if !ok {
		return nil, false
	}
	return src[off : off+n], true
}

// Find gives where the value at a JSON pointer (RFC 6901) stands in src, as
// [Get] does.
func Find(src []byte, pointer string) (off, n int, ok bool) {
	path, ok := splitPointer(pointer)
	if !ok {
		return 0, 0, false
	}
	return locate(src, path)
}

var (
	pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
)

// splitPointer gives the path that a JSON pointer is.
func splitPointer(pointer string) (path []string, ok bool) {
	if pointer == "" {
		return nil, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	path = strings.Split(pointer[1:], "/")
	for i := range path {
		path[i] = pointerUnescaper.Replace(path[i])
	}
	return path, true
}

func joinPointer(path []string) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteByte('/')
		b.WriteString(pointerEscaper.Replace(step))
	}
	return b.String()
}

// locate finds the value at a path.
func locate(src []byte, path []string) (off, n int, ok bool) {
	p := parser{src: src}
	l := p.next()
	off = p.start
	if !p.skipValue(l) {
		return 0, 0, false
	}
	end := p.at
	for _, step := range path {
		m, ok := child(src, off, step)
		if !ok {
			return 0, 0, false
		}
		off, end = m.off, m.end
	}
	return off, end - off, true
}

// child finds the member or element that a step of a path names, in the
// container that begins at off.
func child(src []byte, off int, step string) (found member, ok bool) {
	switch src[off] {
	case '{':
		_, err := walk(src, off, func(m member) bool {
			if keyIs(src[m.keyOff:m.keyEnd], step) {
				found, ok = m, true
			}
			return true
		})
		return found, ok && err == nil
	case '[':
		index, valid := indexOf(step)
		if !valid {
			return member{}, false
		}
		_, err := walk(src, off, func(m member) bool {
			found, ok = m, index == 0
			index--
			return !ok
		})
		return found, ok && err == nil
	}
	return member{}, false
}

// keyIs reports whether a key, as it is written, is the one given.
func keyIs(raw []byte, key string) bool {
	inside := raw[1 : len(raw)-1]
	if bytes.IndexByte(inside, '\\') < 0 {
		return string(inside) == key
	}
	return string(Unescape(nil, inside)) == key
}

// indexOf reads an array index: decimal, without leading zeros or a sign.
func indexOf(step string) (int, bool) {
	i, err := strconv.Atoi(step)
	return i, err == nil && i >= 0 && strconv.Itoa(i) == step
}
