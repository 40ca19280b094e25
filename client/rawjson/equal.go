package rawjson

import (
	"bytes"
	"strconv"
)

// maxEqualDepth is how deep [Equal] looks into values.
const maxEqualDepth = 1000

// Equal reports whether a and b are the same JSON value. The order of members
// makes no difference, nor does the spelling of strings and numbers: numbers
// are compared by their exact decimal value, and 1.0 equals 1. Of members with
// one key the last counts. Values nested deeper than 1000 levels are compared
// by their bytes, whitespace aside. What is not JSON equals nothing.
func Equal(a, b []byte) bool {
	if _, _, ok := Valid(a); !ok {
		return false
	}
	if _, _, ok := Valid(b); !ok {
		return false
	}
	return equal(trim(a), trim(b), 0)
}

func trim(raw []byte) []byte { return bytes.Trim(raw, " \t\r\n") }

// equal compares two valid values without whitespace around them.
func equal(a, b []byte, depth int) bool {
	kind := KindOf(a)
	switch {
	case bytes.Equal(a, b):
		return true
	case kind != KindOf(b):
		return false
	case depth == maxEqualDepth:
		a, _ = Compact(nil, a)
		b, _ = Compact(nil, b)
		return bytes.Equal(a, b)
	}
	switch kind {
	case Number:
		return decimalOf(a) == decimalOf(b)
	case String:
		s, _ := Unquote(a)
		t, _ := Unquote(b)
		return s == t
	case Array:
		return equalArrays(a, b, depth)
	case Object:
		return equalObjects(a, b, depth)
	}
	return false
}

func equalArrays(a, b []byte, depth int) bool {
	var of [][]byte
	walk(a, 0, func(m member) bool {
		of = append(of, a[m.off:m.end])
		return true
	})
	n, same := 0, true
	walk(b, 0, func(m member) bool {
		same = n < len(of) && equal(of[n], b[m.off:m.end], depth+1)
		n++
		return same
	})
	return same && n == len(of)
}

func equalObjects(a, b []byte, depth int) bool {
	of, other := membersOf(a), membersOf(b)
	if len(of) != len(other) {
		return false
	}
	for key, value := range of {
		if with, ok := other[key]; !ok || !equal(value, with, depth+1) {
			return false
		}
	}
	return true
}

func membersOf(src []byte) map[string][]byte {
	members := map[string][]byte{}
	walk(src, 0, func(m member) bool {
		key, _ := Unquote(src[m.keyOff:m.keyEnd])
		members[key] = src[m.off:m.end]
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
