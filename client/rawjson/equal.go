package rawjson

import (
	"bytes"
	"strconv"
)

// maxEqualDepth is how deep [Equal] looks into values.
const maxEqualDepth = 10000

// Equal reports whether a and b are the same JSON value. The order of members
// makes no difference, nor does the spelling of strings and numbers: numbers
// are compared by their exact decimal value, and 1.0 equals 1. Of members with
// one key the last counts. Values nested deeper than 10,000 levels are compared
// by their bytes, whitespace aside. What is not JSON equals nothing.
func Equal(a, b []byte) bool {
	x, okA := measure(a)
	y, okB := measure(b)
	return okA && okB && (bytes.Equal(a, b) || equal(x, y, x.root, y.root, 0))
}

// measured is a JSON value in which containers can be skipped, so that every
// level can be walked at the cost of that level only.
type measured struct {
	src        []byte
	root       value
	containers []extent // in the order in which they begin
}

// extent is where a container ends, and the first container that begins later.
type extent struct{ end, next int }

// value is where a value stands, and if it is a container, which one.
type value struct{ off, end, container int }

func measure(src []byte) (*measured, bool) {
	m := &measured{src: src}
	p := parser{src: src}
	var open []int
	for first := true; ; first = false {
		l := p.next()
		if first {
			m.root.off = p.start
		}
		switch l {
		case lexBad:
			return nil, false
		case lexEnd:
			return m, true
		case lexOpen:
			open = append(open, len(m.containers))
			m.containers = append(m.containers, extent{})
		case lexClose:
			last := len(open) - 1
			m.containers[open[last]] = extent{p.at, len(m.containers)}
			open = open[:last]
		}
		m.root.end = p.at
	}
}

// walk calls fn for each member or element of a container until it returns
// false. Elements have no key.
func (m *measured) walk(v value, fn func(key []byte, v value) bool) {
	p := parser{src: m.src, at: v.off}
	p.next()
	child := v.container + 1
	var key []byte
	for {
		found := value{container: child}
		switch l := p.next(); l {
		case lexClose:
			return
		case lexKey:
			key = m.src[p.start:p.at]
			continue
		case lexOpen:
			found.off = p.start
			p.at = m.containers[child].end - 1 // its closing bracket
			p.want = wantFirst
			if m.src[p.at] == '}' {
				p.want = wantFirstKey
			}
			p.next()
			child = m.containers[child].next
		case lexScalar:
			found.off = p.start
		default:
			continue
		}
		found.end = p.at
		if !fn(key, found) {
			return
		}
	}
}

func equal(a, b *measured, x, y value, depth int) bool {
	rawA, rawB := a.src[x.off:x.end], b.src[y.off:y.end]
	kind := KindOf(rawA)
	switch {
	case kind != KindOf(rawB):
		return false
	case kind == Array && depth < maxEqualDepth:
		return equalArrays(a, b, x, y, depth)
	case kind == Object && depth < maxEqualDepth:
		return equalObjects(a, b, x, y, depth)
	case kind == Array || kind == Object:
		rawA, _ = Compact(nil, rawA)
		rawB, _ = Compact(nil, rawB)
	case bytes.Equal(rawA, rawB):
		return true
	case kind == Number:
		return decimalOf(rawA) == decimalOf(rawB)
	case kind == String:
		s, _ := Unquote(rawA)
		t, _ := Unquote(rawB)
		return s == t
	}
	return bytes.Equal(rawA, rawB)
}

func equalArrays(a, b *measured, x, y value, depth int) bool {
	var of []value
	a.walk(x, func(_ []byte, v value) bool {
		of = append(of, v)
		return true
	})
	n, same := 0, true
	b.walk(y, func(_ []byte, v value) bool {
		same = n < len(of) && equal(a, b, of[n], v, depth+1)
		n++
		return same
	})
	return same && n == len(of)
}

func equalObjects(a, b *measured, x, y value, depth int) bool {
	of, other := a.members(x), b.members(y)
	if len(of) != len(other) {
		return false
	}
	for key, v := range of {
		if with, ok := other[key]; !ok || !equal(a, b, v, with, depth+1) {
			return false
		}
	}
	return true
}

func (m *measured) members(v value) map[string]value {
	members := map[string]value{}
	m.walk(v, func(rawKey []byte, v value) bool {
		key, _ := Unquote(rawKey)
		members[key] = v
		return true
	})
	return members
}

// decimal is the value of a number, spelled in one way: 0.digits times ten to
// the power of exponent, digits without zeros at either end. Zero has none.
type decimal struct {
	negative bool
	digits   string
	exponent int64
	spelling string // of the whole number, if the exponent does not fit
}

func decimalOf(raw []byte) decimal {
	rest, negative := bytes.CutPrefix(raw, []byte{'-'})
	exponent, fits := int64(0), true
	if k := bytes.IndexAny(rest, "eE"); k >= 0 {
		n, err := strconv.ParseInt(string(rest[k+1:]), 10, 62)
		exponent, fits = n, err == nil
		rest = rest[:k]
	}
	whole, fraction, _ := bytes.Cut(rest, []byte{'.'})
	digits := append(bytes.Clone(whole), fraction...)
	exponent += int64(len(whole))
	significant := bytes.TrimLeft(digits, "0")
	exponent -= int64(len(digits) - len(significant))
	significant = bytes.TrimRight(significant, "0")
	switch {
	case len(significant) == 0:
		return decimal{}
	case !fits:
		return decimal{spelling: string(raw)}
	}
	return decimal{negative: negative, digits: string(significant), exponent: exponent}
}
