package rawjson

import "fmt"

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of values.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"no JSON", "null", "a boolean", "a number", "a string", "an array", "an object"}

// String names the kind for people: "an object".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[Invalid]
}

// KindOf tells the type of a value by how it begins. It does not check the
// rest: see [Valid].
func KindOf(raw []byte) Kind {
	for _, c := range raw {
		switch c {
		case ' ', '\n', '\r', '\t':
			continue
		case '"':
			return String
		case '{':
			return Object
		case '[':
			return Array
		case 't', 'f':
			return Bool
		case 'n':
			return Null
		}
		if c == '-' || c-'0' <= 9 {
			return Number
		}
		break
	}
	return Invalid
}

// KindError says that a value is not of the type needed.
type KindError struct{ Want, Got Kind }

func (e *KindError) Error() string {
	return fmt.Sprintf("%s was expected, found %s", e.Want, e.Got)
}

// Each calls fn for each member of an object, in order, with its decoded key,
// the key as it is written and the value; the slices are part of src. It stops
// when fn returns false. The error is a [*KindError], or a [*SyntaxError] after
// the members before it were given. What follows the object is not looked at.
func Each(src []byte, fn func(key string, rawKey, raw []byte) bool) error {
	if k := KindOf(src); k != Object {
		return &KindError{Object, k}
	}
	_, err := walk(src, 0, func(m member) bool {
		rawKey := src[m.keyOff:m.keyEnd]
		key, _ := Unquote(rawKey)
		return fn(key, rawKey, src[m.off:m.end])
	})
	return err
}

// Elements does the same for the elements of an array, which it counts from 0.
func Elements(src []byte, fn func(i int, raw []byte) bool) error {
	if k := KindOf(src); k != Array {
		return &KindError{Array, k}
	}
	i := 0
	_, err := walk(src, 0, func(m member) bool {
		i++
		return fn(i-1, src[m.off:m.end])
	})
	return err
}

// member is where a member of an object or an element of an array stands; an
// element has no key.
type member struct{ keyOff, keyEnd, off, end int }

// walk calls fn for each member or element of the container that begins at or
// after at, until fn returns false. It gives the container's end, if it came to
// that.
func walk(src []byte, at int, fn func(member) bool) (end int, err error) {
	p := parser{src: src, at: at}
	l := p.next()
	if l == lexBad {
		return 0, p.err()
	}
	if l != lexOpen {
		return p.at, nil
	}
	var m member
	for {
		switch l = p.next(); l {
		case lexBad:
			return 0, p.err()
		case lexClose:
			return p.at, nil
		case lexKey:
			m.keyOff, m.keyEnd = p.start, p.at
		case lexScalar, lexOpen:
			m.off = p.start
			if !p.skipValue(l) {
				return 0, p.err()
			}
			if m.end = p.at; !fn(m) {
				return 0, nil
			}
		}
	}
}
