package script

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley/client/rawjson"
)

// compareSides says whether left OP right holds. The error is of sides that cannot
// be compared.
func compareSides(op Op, left, right side) (bool, error) {
	switch op {
	case True:
		return left.there && truth(left.raw), nil
	case Exists:
		return left.there, nil
	case IsEmpty:
		return !left.there || empty(left.raw), nil
	case Equal, NotEqual:
		same, err := equalSides(left, right)
		return same == (op == Equal), err
	case Contains:
		return contains(left, right.raw)
	case Matches:
		return matches(left, right)
	case StartsWith, EndsWith:
		return hasEnd(op, left, right)
	}
	order, err := ordered(left, right)
	switch op {
	case Less:
		return order < 0, err
	case LessEqual:
		return order <= 0, err
	case Greater:
		return order > 0, err
	default:
		return order >= 0, err
	}
}

// truth is jq's: everything but false and null.
func truth(raw []byte) bool {
	kind := rawjson.KindOf(raw)
	return kind != rawjson.Null && !(kind == rawjson.Bool && string(bytes.TrimSpace(raw)) == "false")
}

// empty holds for null and for a text, a list or an object with nothing in it.
func empty(raw []byte) bool {
	n, err := count(raw)
	return rawjson.KindOf(raw) == rawjson.Null || err == nil && n == 0
}

// count is how many elements, members or characters a value has.
func count(raw []byte) (n int, err error) {
	switch rawjson.KindOf(raw) {
	case rawjson.Array:
		err = rawjson.Elements(raw, func(int, []byte) bool { n++; return true })
	case rawjson.Object:
		err = rawjson.Each(raw, func(string, []byte, []byte) bool { n++; return true })
	case rawjson.String:
		text, _ := rawjson.Unquote(raw)
		n = utf8.RuneCountInString(text)
	default:
		err = fmt.Errorf("%s cannot be counted", kindName(raw))
	}
	return n, err
}

// equalSides compares values, and durations with durations.
func equalSides(left, right side) (bool, error) {
	if left.duration == nil && right.duration == nil {
		return rawjson.Equal(left.raw, right.raw), nil
	}
	a, b, err := durations(left, right)
	return a == b, err
}

// durations reads both sides as durations; a text may be one.
func durations(left, right side) (a, b time.Duration, err error) {
	a, errA := left.asDuration()
	b, errB := right.asDuration()
	return a, b, errors.Join(errA, errB)
}

func (s side) asDuration() (time.Duration, error) {
	if s.duration != nil {
		return *s.duration, nil
	}
	text, ok := rawjson.Unquote(s.raw)
	if d, err := time.ParseDuration(text); ok && err == nil {
		return d, nil
	}
	if rawjson.KindOf(s.raw) == rawjson.Number {
		return 0, errors.New("a duration has a unit, such as 300ms")
	}
	return 0, fmt.Errorf("%s is no duration", kindName(s.raw))
}

// ordered compares numbers by their value, texts by their bytes and durations.
func ordered(left, right side) (int, error) {
	if left.duration != nil || right.duration != nil {
		a, b, err := durations(left, right)
		return cmp.Compare(a, b), err
	}
	x, y := rawjson.KindOf(left.raw), rawjson.KindOf(right.raw)
	switch {
	case x == rawjson.Number && y == rawjson.Number:
		return compareNumbers(left.raw, right.raw), nil
	case x == rawjson.String && y == rawjson.String:
		a, _ := rawjson.Unquote(left.raw)
		b, _ := rawjson.Unquote(right.raw)
		return strings.Compare(a, b), nil
	}
	return 0, fmt.Errorf("%s and %s have no order", kindName(left.raw), kindName(right.raw))
}

// contains: a text has a text in it, or a number as it is spelled, a list an element that is equal or has the
// right side in it, an object the members of the right side, or a member of that name.
func contains(left side, right []byte) (bool, error) {
	switch kind := rawjson.KindOf(left.raw); {
	case !left.there:
		return false, nil
	case kind == rawjson.String:
		if k := rawjson.KindOf(right); k != rawjson.String && k != rawjson.Number {
			return false, fmt.Errorf("a text has only texts in it, not %s", kindName(right))
		}
		a, _ := rawjson.Unquote(left.raw)
		return strings.Contains(a, textOf(right)), nil
	case kind == rawjson.Array || kind == rawjson.Object:
		return within(left.raw, right), nil
	}
	return false, fmt.Errorf("%s has nothing in it", kindName(left.raw))
}

// within reports whether a list or an object has a value in it.
func within(raw, value []byte) (found bool) {
	switch rawjson.KindOf(raw) {
	case rawjson.Array:
		_ = rawjson.Elements(raw, func(_ int, e []byte) bool {
			found = rawjson.Equal(e, value) || rawjson.KindOf(value) == rawjson.Object && covers(e, value)
			return !found
		})
	case rawjson.Object:
		if name, ok := rawjson.Unquote(value); ok {
			_, found = rawjson.Get(raw, name)
			return found
		}
		return covers(raw, value)
	}
	return found
}

// covers reports whether an object has all members of another, or more.
func covers(raw, part []byte) bool {
	if rawjson.KindOf(raw) != rawjson.Object || rawjson.KindOf(part) != rawjson.Object {
		return false
	}
	all := true
	_ = rawjson.Each(part, func(key string, _, want []byte) bool {
		have, ok := rawjson.Get(raw, key)
		all = ok && (rawjson.Equal(have, want) || covers(have, want))
		return all
	})
	return all
}

// matches compares a text, or the JSON of another value, with a regular expression.
func matches(left, right side) (bool, error) {
	pattern := right.pattern
	if pattern == nil {
		text, ok := rawjson.Unquote(right.raw)
		if !ok {
			return false, fmt.Errorf("a pattern is a text or /regex/, not %s", kindName(right.raw))
		}
		var err error
		if pattern, err = regexp.Compile(text); err != nil {
			return false, err
		}
	}
	return left.there && pattern.MatchString(left.text()), nil
}

// text is a text, or the JSON of another value.
func (s side) text() string {
	if text, ok := rawjson.Unquote(s.raw); ok {
		return text
	}
	return string(s.raw)
}

func hasEnd(op Op, left, right side) (bool, error) {
	if !left.there {
		return false, nil
	}
	for _, s := range []side{left, right} {
		if kind := rawjson.KindOf(s.raw); kind != rawjson.String && kind != rawjson.Number {
			return false, fmt.Errorf("%s does not begin or end with a text", kindName(s.raw))
		}
	}
	if op == StartsWith {
		return strings.HasPrefix(left.text(), right.text()), nil
	}
	return strings.HasSuffix(left.text(), right.text()), nil
}

// kindName names the type of a value for people.
func kindName(raw []byte) string { return rawjson.KindOf(raw).String() }

// compareNumbers compares two JSON numbers by their exact values, however large or
// precise they are.
func compareNumbers(a, b []byte) int {
	x, y := numberOf(a), numberOf(b)
	if x.sign != y.sign || x.sign == 0 {
		return cmp.Compare(x.sign, y.sign)
	}
	order := cmp.Compare(x.exponent, y.exponent)
	if order == 0 {
		order = strings.Compare(x.digits, y.digits)
	}
	return order * x.sign
}

// number is sign × 0.digits × 10^exponent. The digits have no zeros at either end,
// so that numbers of one sign are in the order of exponent and digits.
type number struct {
	sign     int
	digits   string
	exponent int64
}

func numberOf(raw []byte) number {
	text := string(bytes.TrimSpace(raw))
	n := number{sign: 1}
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		n.sign, text = -1, rest
	}
	if k := strings.IndexAny(text, "eE"); k >= 0 {
		// Beyond the range it is the largest that there is, of the same sign.
		n.exponent, _ = strconv.ParseInt(text[k+1:], 10, 62)
		text = text[:k]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := whole + fraction
	n.exponent += int64(len(whole))
	n.digits = strings.TrimLeft(digits, "0")
	n.exponent -= int64(len(digits) - len(n.digits))
	if n.digits = strings.TrimRight(n.digits, "0"); n.digits == "" {
		return number{}
	}
	return n
}
