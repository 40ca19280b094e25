package schema

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/client/rawjson"
)

// State tells three things apart that look alike when empty.
type State uint8

// The states of a value.
const (
	Absent State = iota // not sent
	Null                // sent as null
	Set                 // sent as Text says
)

// Value is what stands in a field.
type Value struct {
	State State
	// Text is what was typed: the text itself for a String, the spelling for
	// a Number or Integer, true or false for a Boolean, and raw JSON for an
	// Enum, a Const and JSON.
	Text string
}

// FieldError says that what was entered does not make a value of a field.
type FieldError struct {
	Field    string // its name
	Expected string // in words: "a whole number"
	Found    string
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("%s: expected %s, found %s", e.Field, e.Expected, e.Found)
}

// Word is the word for errors of this sort in machine-readable output.
func (e *FieldError) Word() string { return "usage" }

func (f *Field) wrong(expected, text string) error {
	found := clip(strconv.Quote(text))
	if text == "" {
		found = "nothing"
	}
	return &FieldError{Field: f.Name, Expected: expected, Found: found}
}

// Raw gives the exact JSON of a value, nil when it is absent. Numbers keep
// their spelling; of typed JSON only the space between its parts is dropped, for
// a message is one line. Whether the schema allows the value is not looked at:
// see [Validate]. The error is a *[FieldError].
func (f *Field) Raw(v Value) ([]byte, error) {
	switch v.State {
	case Absent:
		return nil, nil
	case Null:
		return []byte("null"), nil
	}
	switch f.Type {
	case String:
		return rawjson.Quote(nil, v.Text), nil
	case Number, Integer:
		return f.number(v.Text)
	case Boolean:
		if text := strings.TrimSpace(v.Text); text == "true" || text == "false" {
			return []byte(text), nil
		}
		return nil, f.wrong("true or false", v.Text)
	case Const:
		if v.Text == "" {
			return f.Const, nil
		}
	}
	return f.json(v.Text)
}

func (f *Field) number(text string) ([]byte, error) {
	expected := "a number"
	if f.Type == Integer {
		expected = "a whole number"
	}
	raw := []byte(strings.TrimSpace(text))
	if rawjson.KindOf(raw) != rawjson.Number || !valid(raw) || f.Type == Integer && !isWhole(string(raw)) {
		return nil, f.wrong(expected, text)
	}
	return raw, nil
}

func (f *Field) json(text string) ([]byte, error) {
	raw, err := rawjson.Compact(nil, []byte(text))
	if err != nil || len(raw) == 0 {
		expected := "JSON"
		if f.Reason != "" && !f.Untyped {
			expected += " (" + f.Reason + ")"
		}
		return nil, f.wrong(expected, text)
	}
	return raw, nil
}

func valid(raw []byte) bool {
	_, _, ok := rawjson.Valid(raw)
	return ok
}

// isWhole reports whether a JSON number, however it is spelled, is whole: 3,
// 3.0, 1e2 and 0.5e1 are. It looks at digits only, so that an exponent of any
// size costs nothing.
func isWhole(number string) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	fraction = strings.TrimRight(fraction, "0")
	digits := whole + fraction
	if strings.Trim(digits, "0") == "" {
		return true // zero
	}
	if exponent == "" {
		return fraction == ""
	}
	shift, err := strconv.Atoi(strings.TrimPrefix(exponent, "+"))
	if err != nil { // out of range
		return !strings.HasPrefix(exponent, "-")
	}
	zeros := len(digits) - len(strings.TrimRight(digits, "0"))
	return len(fraction)-zeros <= shift
}

// Parse turns JSON into a value of the field, the inverse of Raw. It reports
// false for what the field cannot hold without changing it.
func (f *Field) Parse(raw []byte) (Value, bool) {
	if !valid(raw) {
		return Value{}, false
	}
	raw = []byte(strings.TrimSpace(string(raw)))
	set := Value{State: Set, Text: string(raw)}
	kind := rawjson.KindOf(raw)
	switch f.Type {
	case Const:
		return set, rawjson.Equal(raw, f.Const)
	case Enum:
		for _, option := range f.Enum {
			if rawjson.Equal(raw, option.Raw) {
				return Value{State: Set, Text: string(option.Raw)}, true
			}
		}
	}
	switch {
	case kind == rawjson.Null:
		return Value{State: Null}, true
	case f.Type == Enum:
		return Value{}, false
	case f.Type == JSON:
		return set, true
	case f.Type == Boolean:
		return set, kind == rawjson.Bool
	case f.Type == Number:
		return set, kind == rawjson.Number
	case f.Type == Integer:
		return set, kind == rawjson.Number && isWhole(string(raw))
	}
	text, ok := rawjson.Unquote(raw)
	if !ok || kind != rawjson.String || !utf8.ValidString(text) || replaced(raw, text) {
		return Value{}, false
	}
	return Value{State: Set, Text: text}, true
}

// replaced reports whether decoding a string put U+FFFD where raw has something
// that no text makes, half a surrogate pair.
func replaced(raw []byte, text string) bool {
	n := strings.Count(text, "\ufffd")
	return n > 0 && n > bytes.Count(raw, []byte("\ufffd"))+bytes.Count(bytes.ToLower(raw), []byte(`\ufffd`))
}

// FromText reads the text after k= on a command line by the type of the field
// and gives the exact JSON. A string, or a field without any type, is the text
// itself; an enum is named by label or by value; where the schema asks for JSON
// the text must be JSON, except that a text which is none becomes a string where
// a string is allowed. The error is a *[FieldError].
func (f *Field) FromText(text string) ([]byte, error) {
	switch {
	case f.Type == String || f.Untyped:
		return rawjson.Quote(nil, text), nil
	case f.Nullable && text == "null":
		return []byte("null"), nil
	case f.Type == Enum:
		return f.choose(text)
	case f.Type == Const:
		if text == string(f.Const) || text == label(f.Const, "") {
			return f.Const, nil
		}
		return nil, f.wrong(label(f.Const, ""), text)
	case f.Type == JSON && f.takesText && (!valid([]byte(text)) || rawjson.KindOf([]byte(text)) == rawjson.Invalid):
		return rawjson.Quote(nil, text), nil
	}
	return f.Raw(Value{State: Set, Text: text})
}

// choose finds the option that a text names: by label, by value, or by label
// in whatever case.
func (f *Field) choose(text string) ([]byte, error) {
	matches := []func(Option) bool{
		func(o Option) bool { return o.Label == text },
		func(o Option) bool { return string(o.Raw) == text || label(o.Raw, "") == text },
		func(o Option) bool { return strings.EqualFold(o.Label, text) },
	}
	for _, match := range matches {
		for _, o := range f.Enum {
			if match(o) {
				return o.Raw, nil
			}
		}
	}
	labels := make([]string, len(f.Enum))
	for i, o := range f.Enum {
		labels[i] = o.Label
	}
	return nil, f.wrong("one of "+few(labels), text)
}

// few lists words, not all of them when they are many.
func few(words []string) string {
	const most = 12
	if len(words) > most {
		return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
	}
	return strings.Join(words, ", ")
}

// clip shortens a text for a message.
func clip(s string) string {
	const most = 60
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}
