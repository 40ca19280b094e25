package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"parley/client/rawjson"
	"parley/history"
)

// side is a side of a test with its value.
type side struct {
	pos      Pos
	source   string          // as written
	is       string          // what it is called in messages: the path, or nothing for what is written there
	raw      json.RawMessage // its value; null where nothing is there
	there    bool
	duration *time.Duration
	pattern  *regexp.Regexp
	failed   *QueryError // of an expression that the value it looks into does not suit
}

// found says what a side is: "$x.a is 5", "found 5".
func (s side) found() string {
	switch {
	case s.failed != nil:
		return s.failed.Error()
	case !s.there:
		return s.source + " is not there"
	case s.is == "":
		return "found " + s.shown()
	}
	return s.is + " is " + s.shown()
}

// shown is the value for messages, cut if it is long.
func (s side) shown() string {
	if s.duration != nil {
		return s.duration.String()
	}
	if s.pattern != nil {
		return "/" + s.pattern.String() + "/"
	}
	return cut(s.raw)
}

// cut makes a value fit into a message.
func cut(raw []byte) string { return cutTo(raw, maxShownValue) }

func cutTo(raw []byte, most int) string {
	n := 0
	for i := range string(raw[:min(len(raw), utf8.UTFMax*(most+1))]) {
		if n++; n > most {
			return strings.ToValidUTF8(string(raw[:i]), "\ufffd") + fmt.Sprintf("… (%d bytes in all)", len(raw))
		}
	}
	return strings.ToValidUTF8(string(raw), "\ufffd")
}

// maxShownValue is how many characters of a value a message has.
const maxShownValue = 200

// doExpect is the step expect.
func (in *Interp) doExpect(ctx context.Context, step *Step) error {
	t := step.Test
	left, err := in.side(ctx, t.Left)
	if err != nil {
		return err
	}
	var right side
	if operands[t.Op] {
		if right, err = in.side(ctx, t.Right); err != nil {
			return err
		}
	}
	for _, s := range []side{left, right} {
		if s.failed != nil {
			return &ExpectError{Pos: s.pos, Message: expectation(t, left, left, right), Advice: s.failed.Hint()}
		}
	}
	measured := left
	if t.Count {
		if measured, err = counted(left); err != nil {
			return &ExpectError{Pos: step.Pos, Message: left.found() + ": " + err.Error()}
		}
	}
	holds, err := compareSides(t.Op, measured, right)
	if err != nil {
		return &ExpectError{Pos: step.Pos, Message: expectation(t, left, measured, right) + ": " + err.Error()}
	}
	if holds != t.Not {
		return nil
	}
	return &ExpectError{Pos: step.Pos, Message: expectation(t, left, measured, right), Advice: differences(t, measured, right)}
}

// operands are the operators with a right side.
var operands = map[Op]bool{
	Equal: true, NotEqual: true, Less: true, LessEqual: true, Greater: true, GreaterEqual: true,
	Contains: true, Matches: true, StartsWith: true, EndsWith: true,
}

// side gives an operand its value.
func (in *Interp) side(ctx context.Context, o Operand) (s side, err error) {
	s = side{pos: o.Pos, source: o.Source, there: true}
	switch {
	case o.Duration != nil:
		s.duration = o.Duration
		s.raw = rawjson.Quote(nil, o.Duration.String())
	case o.Regexp != nil:
		s.pattern = o.Regexp
	case o.Expr == nil:
		s.raw = o.JSON
	case o.Expr.Duration:
		took, err := in.took(o.Expr)
		s.is, s.duration, s.raw = o.Source, &took, rawjson.Quote(nil, took.String())
		return s, err
	default:
		var raw json.RawMessage
		raw, s.there, err = in.lenient(ctx, o.Expr)
		s.is, s.raw = o.Source, raw
		var unfit *QueryError
		if errors.As(err, &unfit) && unfit.Offset < 0 { // what the server gave is not as expected
			s.failed, err = unfit, nil
		}
	}
	return s, err
}

// lenient is one for expect: an expression that gives nothing is nothing that is there.
func (in *Interp) lenient(ctx context.Context, e *Expr) (raw json.RawMessage, there bool, err error) {
	values, there, err := in.values(ctx, e)
	if err == nil && (len(values) == 0 || !there) {
		return json.RawMessage("null"), false, nil
	}
	if err == nil && e.Path == nil && len(values) == 1 && string(values[0]) == "null" {
		return values[0], false, nil // jq says so where nothing is
	}
	if err != nil || len(values) == 1 {
		return first(values), there, err
	}
	return in.one(ctx, e)
}

// expectation says what was expected, and both sides.
func expectation(t *Test, left, measured, right side) string {
	not := ""
	if t.Not {
		not = "not "
	}
	found := left.found()
	if t.Count {
		found = fmt.Sprintf("%s has %s", left.name(), plural(measured.raw))
		if t.Op == True {
			return found + ", expected " + map[bool]string{false: "some", true: "none"}[t.Not]
		}
	}
	switch t.Op {
	case True:
		if t.Not {
			return found + ", expected false, null or nothing"
		}
		return found + ", expected it to be true"
	case Exists:
		return found + ", expected that it " + map[bool]string{false: "exists", true: "does not exist"}[t.Not]
	case IsEmpty:
		return found + ", expected " + not + "empty"
	}
	want := fmt.Sprintf("%s%s %s", not, t.Op, right.shown())
	if right.is != "" {
		want = fmt.Sprintf("%s%s %s", not, t.Op, right.found())
	}
	return found + ", expected " + want
}

// name is what a side is called.
func (s side) name() string {
	if s.is != "" {
		return s.is
	}
	return s.shown()
}

func plural(n []byte) string {
	if string(n) == "1" {
		return "1 item"
	}
	return string(n) + " items"
}

// differences says where two values that should be equal differ, if that is not to
// be seen in both of them.
func differences(t *Test, left, right side) string {
	if t.Op != Equal || t.Not || !left.there {
		return ""
	}
	if a, ok := rawjson.Unquote(left.raw); ok {
		b, ok := rawjson.Unquote(right.raw)
		return map[bool]string{true: textDifference(a, b)}[ok]
	}
	if rawjson.KindOf(left.raw) < rawjson.Array || rawjson.KindOf(right.raw) < rawjson.Array {
		return ""
	}
	var lines []string
	for _, d := range history.CompareWithID(right.raw, left.raw) {
		if len(lines) == maxDifferences {
			lines = append(lines, "…")
			break
		}
		place := d.Path
		if place == "" {
			place = "."
		}
		switch d.Kind {
		case history.Added:
			lines = append(lines, place+" was not expected: "+d.Now)
		case history.Removed:
			lines = append(lines, place+" is missing: "+d.Recorded)
		default:
			lines = append(lines, place+" is "+d.Now+", expected "+d.Recorded)
		}
	}
	return strings.Join(lines, "; ")
}

// textDifference says where two texts begin to differ; nothing for short ones.
func textDifference(found, expected string) string {
	if max(len(found), len(expected)) < longText && !strings.Contains(found+expected, "\n") {
		return ""
	}
	n := 0
	for n < len(found) && n < len(expected) && found[n] == expected[n] {
		n++
	}
	for n > 0 && !(utf8.RuneStart(byteAt(found, n)) && utf8.RuneStart(byteAt(expected, n))) {
		n--
	}
	place := fmt.Sprintf("they differ from character %d on", utf8.RuneCountInString(found[:n])+1)
	if strings.Contains(found+expected, "\n") {
		place += fmt.Sprintf(", in line %d", strings.Count(found[:n], "\n")+1)
	}
	return place + ": found " + around(found, n) + ", expected " + around(expected, n)
}

// byteAt is the byte of a text at an offset, and 0 at its end.
func byteAt(text string, i int) byte {
	if i == len(text) {
		return 0
	}
	return text[i]
}

// longText is how long a text is, in bytes, that people do not compare at sight.
const longText = 60

// around quotes what stands in a text from a few characters before an offset on.
func around(text string, at int) string {
	if at == len(text) {
		return "the end"
	}
	start, end := at, at
	for range 8 {
		_, n := utf8.DecodeLastRuneInString(text[:start])
		start -= n
	}
	for range 24 {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
	}
	quoted := string(rawjson.Quote(nil, text[start:end]))
	if start > 0 {
		quoted = "…" + quoted
	}
	if end < len(text) {
		quoted += "…"
	}
	return quoted
}

// maxDifferences is how many differences a hint names.
const maxDifferences = 4

// counted is the number of elements of a list, of members of an object or of
// characters of a text.
func counted(s side) (side, error) {
	n, err := count(s.raw)
	if err != nil {
		return s, err
	}
	if !s.there {
		return s, errors.New("there is nothing to count")
	}
	c := s
	c.raw = fmt.Append(nil, n)
	return c, nil
}
