package script

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"parley/client/rawjson"
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
	failed := &ExpectError{Pos: step.Pos}
	measured := left
	if t.Count {
		if measured, err = counted(left); err != nil {
			failed.Message = left.found() + ", expected " + wanted(t, "count "+string(t.Op), right)
			if left.there {
				failed.Message += ": " + err.Error()
			}
			failed.Advice = in.whyNot(t.Left.Expr, left)
			return failed
		}
	}
	holds, err := compareSides(t.Op, measured, right)
	if holds != t.Not && err == nil {
		return nil
	}
	failed.Message = expectation(t, left, measured, right)
	if err != nil {
		failed.Message += ": " + err.Error()
	}
	failed.Advice = cmp.Or(differences(t, measured, right), in.whyNot(t.Left.Expr, left))
	return failed
}

// whyNot helps to find out why a value is not as expected.
func (in *Interp) whyNot(e *Expr, s side) string {
	switch {
	case e == nil || e.Duration || len(e.Vars) == 0 || e.Vars[0] == "env":
		return ""
	case !s.there && e.Path != nil:
		if why := in.astray(e); why != "" {
			return why
		}
	}
	return "$" + e.Vars[0] + " on a line of its own prints all of it"
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

// counted is the number of elements of a list, of members of an object or of
// characters of a text.
func counted(s side) (side, error) {
	if !s.there {
		return s, errors.New("there is nothing to count")
	}
	n, err := count(s.raw)
	s.raw = fmt.Append(nil, n)
	return s, err
}
