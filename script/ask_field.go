package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"parley/client/rawjson"
	"parley/client/schema"
)

// fields asks for each field. typed is what was answered before, when the form is
// asked again: enter keeps it.
func (d *dialog) fields(form *schema.Object, typed map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	answered := map[string]json.RawMessage{}
	for _, f := range form.Fields {
		row := rowOf(f)
		if typed != nil {
			row.initial, row.initialWord = typed[f.Name], "now"
		}
		raw, err := d.field(row)
		if err != nil {
			return nil, err
		}
		answered[f.Name] = raw
	}
	return answered, nil
}

// row is a field as it is asked for.
type row struct {
	*schema.Field
	items       *schema.Field   // of a list of choices: one of them
	initial     json.RawMessage // what enter takes, nil to leave it out
	initialWord string          // "default", or "now" for what was typed before
}

func rowOf(f *schema.Field) row {
	r := row{Field: f, initial: defaultOf(f), initialWord: "default"}
	if items, ok := rawjson.Get(f.Schema, "items"); ok && f.Type == schema.JSON {
		wrapped := append([]byte(`{"type":"object","properties":{"item":`), items...)
		if form, err := schema.Parse(append(wrapped, `}}`...)); err == nil && len(form.Fields) == 1 && form.Fields[0].Type == schema.Enum {
			r.items = form.Fields[0]
		}
	}
	return r
}

// field asks for one field until the answer is one. nil leaves it out.
func (d *dialog) field(r row) (json.RawMessage, error) {
	d.say("%s", r.headline())
	d.quote("    ", r.Description)
	options := r.Enum
	if r.items != nil {
		options = r.items.Enum
	}
	for i, o := range options {
		d.say("    %d %s", i+1, optionWords(o))
	}
	for {
		text, err := d.line(r.Name + ": ")
		if err != nil {
			return nil, err
		}
		switch word := strings.TrimSpace(text); {
		case word == "" && r.initial != nil:
			return r.initial, nil
		case (word == "" || word == wordSkip) && r.Required:
			d.say("%s is required", r.Name)
			continue
		case word == "" || word == wordSkip:
			return nil, nil
		}
		raw, problem := r.read(text)
		if problem == "" {
			return raw, nil
		}
		d.say("%s", problem)
	}
}

// headline says what a field is: its name, type, limits, whether it has to be
// given, and what enter takes.
func (r row) headline() string {
	name := r.Name
	if r.Title != "" && r.Title != r.Name {
		name += " (" + r.Title + ")"
	}
	words := []string{r.kind()}
	if limits := limitWords(r.Field); limits != "" {
		words = append(words, limits)
	}
	if r.Required {
		words = append(words, "required")
	} else {
		words = append(words, "optional")
	}
	if r.initial != nil {
		words = append(words, r.initialWord+" "+r.display(r.initial))
	}
	return "  " + name + ": " + strings.Join(words, ", ")
}

func (r row) kind() string {
	switch {
	case r.items != nil:
		return "any of these, with commas between"
	case r.Type == schema.String && r.Format != "":
		return "text, " + r.Format
	case r.Type == schema.String, r.Untyped:
		return "text"
	case r.Type == schema.Integer:
		return "whole number"
	case r.Type == schema.Boolean:
		return "true or false"
	case r.Type == schema.Enum:
		return "one of these"
	case r.Type == schema.JSON && r.Reason != "":
		return "JSON, " + r.Reason
	case r.Type == schema.Const:
		return "always " + string(r.Const)
	}
	return strings.ToLower(r.Type.String())
}

// display shows a value as it would be typed: a text without quotes.
func (r row) display(raw json.RawMessage) string {
	for _, o := range r.Enum {
		if rawjson.Equal(o.Raw, raw) {
			return o.Label
		}
	}
	if text, ok := rawjson.Unquote(raw); ok && text != "" && rawjson.KindOf(raw) == rawjson.String {
		return text
	}
	return string(raw)
}

// optionWords shows a choice, and its value where that is not its name.
func optionWords(o schema.Option) string {
	if value, ok := rawjson.Unquote(o.Raw); ok && rawjson.KindOf(o.Raw) == rawjson.String {
		if value != o.Label {
			return fmt.Sprintf("%s (%s)", o.Label, value)
		}
		return value
	}
	return o.Label
}

// read makes the value of a line, or says what is wrong with it.
func (r row) read(text string) (raw json.RawMessage, problem string) {
	var err error
	switch word := strings.TrimSpace(text); {
	case word == `""` && r.Type == schema.String:
		raw = json.RawMessage(`""`)
	case r.items != nil:
		raw, err = readChoices(r.items, word)
	case r.Type == schema.Enum:
		raw, err = readChoice(r.Field, word)
	case r.Type == schema.Boolean:
		raw, err = r.FromText(yesNo(word))
	case r.Type == schema.String || r.Untyped:
		raw, err = r.FromText(text)
	default:
		raw, err = r.FromText(word)
	}
	var wrong *schema.FieldError
	if errors.As(err, &wrong) {
		return nil, fmt.Sprintf("expected %s, found %s", wrong.Expected, wrong.Found)
	}
	if err != nil {
		return nil, err.Error()
	}
	if r.Type == schema.String && string(raw) != `""` {
		if problem := formatProblem(r.Format, text); problem != "" {
			return nil, problem
		}
	}
	// A reference is nothing without its document; all of it is checked in the end.
	if problems := schema.Validate(r.Schema, raw); len(problems) > 0 && !problems[0].Schema {
		return nil, problems[0].String()
	}
	return raw, ""
}

func yesNo(word string) string {
	switch strings.ToLower(word) {
	case "y", "yes", "true":
		return "true"
	case "n", "no", "false":
		return "false"
	}
	return word
}

// readChoice takes a choice by its name, its value or its number in the list.
func readChoice(f *schema.Field, word string) (json.RawMessage, error) {
	raw, err := f.FromText(word)
	if err == nil {
		return raw, nil
	}
	if n, bad := strconv.Atoi(word); bad == nil && n >= 1 && n <= len(f.Enum) {
		return f.Enum[n-1].Raw, nil
	}
	return nil, err
}

// readChoices takes several, or a JSON array.
func readChoices(item *schema.Field, text string) (json.RawMessage, error) {
	if strings.HasPrefix(text, "[") {
		return rawjson.Compact(nil, []byte(text))
	}
	b := []byte{'['}
	for i, word := range strings.Split(text, ",") {
		raw, err := readChoice(item, strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, raw...)
	}
	return append(b, ']'), nil
}

// formatProblem checks the formats that forms of the server may name
// (spec: client/elicitation, requested schema).
func formatProblem(format, text string) string {
	switch format {
	case "email":
		if a, err := mail.ParseAddress(text); err != nil || a.Address != text {
			return "expected an address such as ann@example.org"
		}
	case "uri":
		if u, err := url.Parse(text); err != nil || u.Scheme == "" {
			return "expected a URI such as https://example.org/"
		}
	case "date":
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return "expected a date such as 2026-01-31"
		}
	case "date-time":
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return "expected a time such as 2026-01-31T09:30:00Z"
		}
	}
	return ""
}

// limitWords says what the schema limits.
func limitWords(f *schema.Field) string {
	count := func(n *int64) string {
		if n == nil {
			return ""
		}
		return strconv.FormatInt(*n, 10)
	}
	switch f.Type {
	case schema.String:
		return between(count(f.MinLength), count(f.MaxLength), " characters")
	case schema.Integer, schema.Number:
		if f.ExclusiveMinimum != "" || f.ExclusiveMaximum != "" {
			return strings.TrimSpace(between(f.Minimum, f.Maximum, "") + exclusive(" more than ", f.ExclusiveMinimum) + exclusive(" less than ", f.ExclusiveMaximum))
		}
		return between(f.Minimum, f.Maximum, "")
	}
	return ""
}

func exclusive(words, limit string) string {
	if limit == "" {
		return ""
	}
	return words + limit
}

func between(low, high, unit string) string {
	switch {
	case low != "" && high != "":
		return low + " to " + high + unit
	case low != "":
		return "at least " + low + unit
	case high != "":
		return "at most " + high + unit
	}
	return ""
}
