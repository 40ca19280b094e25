package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"parley/client/rawjson"
)

// Eval gives the value of an expression: one JSON value.
type Eval = func(*Expr) (json.RawMessage, error)

// Text is what a word stands for as text: of a value that is a JSON string its
// text, of any other value its JSON.
func (w Word) Text(eval Eval) (string, error) {
	if len(w.Parts) == 1 && w.Parts[0].Expr == nil {
		return w.Parts[0].Text, nil
	}
	var b []byte
	for _, part := range w.Parts {
		if part.Expr == nil {
			b = append(b, part.Text...)
			continue
		}
		raw, err := eval(part.Expr)
		if err != nil {
			return "", err
		}
		b = append(b, textOf(raw)...)
	}
	return string(b), nil
}

// textOf is the text of a JSON string; any other JSON is its own.
func textOf(raw []byte) string {
	if rawjson.KindOf(raw) == rawjson.String {
		if text, ok := rawjson.Unquote(raw); ok {
			return text
		}
	}
	return string(raw)
}

// JSON is what a word stands for as JSON. A value in it, ${x.path}, stands for its
// exact bytes outside of strings, and for its text inside of one. Comments and
// trailing commas are left out.
func (w Word) JSON(eval Eval) (json.RawMessage, error) {
	if e := w.expr(); e != nil {
		return eval(e)
	}
	raw, err := w.fill(eval)
	if err != nil {
		return nil, err
	}
	return rawjson.CompactLoose(nil, raw)
}

// expr is the expression that a word is, nil if it is more or something else.
func (w Word) expr() *Expr {
	if len(w.Parts) == 1 {
		return w.Parts[0].Expr
	}
	return nil
}

// literal is the text of a word without values.
func (w Word) literal() (text string, ok bool) {
	for _, part := range w.Parts {
		if part.Expr != nil {
			return "", false
		}
		text += part.Text
	}
	return text, true
}

// fill puts values into the JSON that a word is.
func (w Word) fill(eval Eval) ([]byte, error) {
	var b []byte
	inString := false
	for _, part := range w.Parts {
		if part.Expr == nil {
			inString = stringGoesOn(inString, part.Text)
			b = append(b, part.Text...)
			continue
		}
		raw, err := eval(part.Expr)
		if err != nil {
			return nil, err
		}
		if inString {
			raw = rawjson.Quote(nil, textOf(raw))
			raw = raw[1 : len(raw)-1]
		}
		b = append(b, raw...)
	}
	return b, nil
}

// stringGoesOn reports whether a string of JSON is open behind a text, if one was
// or was not before it. What stands in comments is not JSON's.
func stringGoesOn(inString bool, text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case !inString && c == '/':
			l := wordLexer{source: &source{text: []byte(text[i:])}}
			i += l.commentLen() - 1
		}
	}
	return inString
}

// behind is a word without the first n bytes of its first part.
func (w Word) behind(n int) Word {
	rest := Word{Pos: w.Pos, Source: w.Source, Quoted: w.Quoted, at: w.at + n}
	rest.Pos.Col += n
	if len(w.Source) >= n {
		rest.Source = w.Source[n:]
	}
	for i, part := range w.Parts {
		if i == 0 {
			if part.Text = part.Text[n:]; part.Text == "" && len(w.Parts) > 1 {
				continue
			}
		}
		rest.Parts = append(rest.Parts, part)
	}
	return rest
}

// literalWord is a word of a shell.
func literalWord(text string) Word {
	return Word{Source: text, Parts: []Part{{Text: text}}, Quoted: true}
}

// DurationError is a text that is no duration.
type DurationError struct{ Text string }

func (e *DurationError) Error() string {
	if _, err := strconv.ParseFloat(e.Text, 64); err == nil {
		return fmt.Sprintf("expected a duration, found the bare number %s", shown(e.Text))
	}
	return "expected a duration such as 200ms, found " + shown(e.Text)
}

// Hint says how a duration is written.
func (e *DurationError) Hint() string {
	if _, err := strconv.ParseFloat(e.Text, 64); err == nil {
		return fmt.Sprintf("a duration has a unit: %sms, %ss, %sm", e.Text, e.Text, e.Text)
	}
	return "durations are written 200ms, 5s, 1m30s, 2h"
}

// Word names the error for machines.
func (e *DurationError) Word() string { return "usage" }

// ParseDuration reads a Go duration that is not negative. The error is a
// *[DurationError]; a bare number, even 0, is one that says so.
func ParseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || text == "0" {
		return 0, &DurationError{text}
	}
	return d, nil
}

// unreadable says that a file cannot be read, and why.
func unreadable(path string, err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("cannot read %s: %w", path, err)
}
