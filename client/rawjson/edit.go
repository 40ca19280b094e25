package rawjson

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// ErrNotFound is what an error of [Set] or [Delete] wraps if the pointer leads
// nowhere.
var ErrNotFound = errors.New("there is no such value")

// Set returns src with the value at a JSON pointer replaced by raw. If the last
// step is a key that its object does not have, or "-" or the length of its
// array, raw is appended, with the whitespace that the member before it has.
// All other bytes stay as they are; src is not changed. raw must be JSON.
func Set(src []byte, pointer string, raw []byte) ([]byte, error) {
	if at, reason, ok := Valid(raw); !ok {
		return nil, fmt.Errorf("set %q: the new value: %w", pointer, &SyntaxError{at, reason})
	}
	path, err := checkEdit(src, pointer)
	if err != nil {
		return nil, fmt.Errorf("set %q: %w", pointer, err)
	}
	if off, n, ok := locate(src, path); ok {
		return slices.Concat(src[:off], raw, src[off+n:]), nil
	}
	parent, last := path[:len(path)-1], path[len(path)-1]
	off, _, ok := locate(src, parent)
	if !ok {
		return nil, fmt.Errorf("set %q: %q: %w", pointer, joinPointer(parent), ErrNotFound)
	}
	switch src[off] {
	case '{':
		return appendChild(src, off, Quote(nil, last), raw), nil
	case '[':
		if last == "-" || isLength(src, off, last) {
			return appendChild(src, off, nil, raw), nil
		}
		return nil, fmt.Errorf("set %q: %q is no index of the array: %w", pointer, last, ErrNotFound)
	}
	return nil, fmt.Errorf("set %q: %q is %s: %w", pointer, joinPointer(parent), KindOf(src[off:]), ErrNotFound)
}

// Delete returns src without the member or element at a JSON pointer, its comma
// and the whitespace before it. All members of one key go. Everything else stays
// as it is; src is not changed.
func Delete(src []byte, pointer string) ([]byte, error) {
	path, err := checkEdit(src, pointer)
	switch {
	case err != nil:
		return nil, fmt.Errorf("delete %q: %w", pointer, err)
	case len(path) == 0:
		return nil, errors.New("delete: the whole value cannot be deleted")
	}
	off, _, ok := locate(src, path[:len(path)-1])
	if !ok {
		return nil, fmt.Errorf("delete %q: %w", pointer, ErrNotFound)
	}
	last := path[len(path)-1]
	object := src[off] == '{'
	m, ok := child(src, off, last)
	if !ok {
		return nil, fmt.Errorf("delete %q: %w", pointer, ErrNotFound)
	}
	for ok {
		src = deleteChild(src, off, m)
		if !object {
			break // the next element has the same index now
		}
		m, ok = child(src, off, last)
	}
	return src, nil
}

// checkEdit splits the pointer of an edit and makes sure that src is JSON.
func checkEdit(src []byte, pointer string) ([]string, error) {
	path, ok := splitPointer(pointer)
	if !ok {
		return nil, errors.New("a JSON pointer begins with a slash")
	}
	if at, reason, ok := Valid(src); !ok {
		return nil, &SyntaxError{at, reason}
	}
	return path, nil
}

func isLength(src []byte, off int, step string) bool {
	want, ok := indexOf(step)
	n := 0
	_, _ = walk(src, off, func(member) bool { n++; return true })
	return ok && n == want
}

// appendChild adds a member, or an element if key is nil, to the container that
// begins at off, written like the one before it.
func appendChild(src []byte, off int, key, raw []byte) []byte {
	var last member
	begin := off + 1 // of the last member, with the whitespace before it
	end := begin
	_, _ = walk(src, off, func(m member) bool {
		last = m
		if end > off+1 {
			begin = end + bytes.IndexByte(src[end:], ',') + 1
		}
		end = m.end
		return true
	})
	out := append(make([]byte, 0, len(src)+len(key)+len(raw)+16), src[:end]...)
	colon := []byte{':'}
	if last.end > 0 {
		first := last.off
		if key != nil {
			first = last.keyOff
			colon = src[last.keyEnd:last.off]
		}
		out = append(append(out, ','), src[begin:first]...)
	}
	if key != nil {
		out = append(append(out, key...), colon...)
	}
	return append(append(out, raw...), src[end:]...)
}

// deleteChild takes a member or an element out of the container that begins at
// off.
func deleteChild(src []byte, off int, gone member) []byte {
	before, after := -1, -1 // the neighbours: where one ends, where the other begins
	closing, _ := walk(src, off, func(m member) bool {
		begin := m.off
		if src[off] == '{' {
			begin = m.keyOff
		}
		switch {
		case m.end < gone.end:
			before = m.end
		case m.off > gone.off && after < 0:
			after = begin
		}
		return true
	})
	begin := gone.off
	if src[off] == '{' {
		begin = gone.keyOff
	}
	switch {
	case before >= 0: // with the comma before it
		return slices.Concat(src[:before], src[gone.end:])
	case after >= 0: // with the comma after it
		return slices.Concat(src[:begin], src[after:])
	}
	return slices.Concat(src[:off+1], src[closing-1:])
}
