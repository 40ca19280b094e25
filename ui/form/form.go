// Package form fills in the arguments that a JSON Schema describes: rows of
// fields over [schema.Object], in step with the exact JSON that would be sent.
//
// Absent, null and empty are three different things and shown as such. What was
// typed is kept as typed, also where it is not valid: numbers keep their
// spelling, and whatever is no field, or does not fit its field, stands in a row
// of JSON. While a field has the keys, letters are letters.
package form

import (
	"cmp"
	"strings"

	"charm.land/bubbles/v2/key"

	"parley/client/schema"
	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/widget"
)

// Keys are the bindings of a form. Leave ends typing; a form inside a question
// has none.
type Keys struct {
	keys.Rows
	keys.Fields
	Edit  keys.Edit
	Leave key.Binding
}

// Form is the rows of one schema. Its caller sends what [Form.JSON] returns.
type Form struct {
	object    *schema.Object
	validator *schema.Validator
	keys      Keys
	styles    *theme.Styles
	rows      []*row
	lost      map[string]schema.Value // restored, but of no field

	w, h    int
	focused bool
	typing  bool
	checked bool // a send was tried: show what is missing too
	cur     int
	off     int // the first line that shows

	labels, types int // widths of the columns

	json     []byte
	jsonErr  error
	problems []schema.Problem // of the form as a whole

	view view
}

// row is one field with what was entered. An editor holds the text while there
// is one.
type row struct {
	*schema.Field
	label   theme.Text
	value   schema.Value
	known   bool // the value was given, if only as absent
	touched bool
	problem theme.Text

	line *widget.Field
	area *widget.Area
}

// special rows have no field of their own in the schema.
const (
	wholeLabel = "arguments"
	otherLabel = "(other)"
)

// New returns the form of a schema with every field absent.
func New(o *schema.Object, k Keys, st *theme.Styles) *Form {
	f := &Form{object: o, validator: schema.NewValidator(o.Raw), keys: k, styles: st}
	for _, field := range o.Fields {
		f.rows = append(f.rows, &row{Field: field, label: theme.Safe(field.Name)})
	}
	if o.Problem != "" {
		f.rows = append(f.rows, extraRow(wholeLabel, o.Problem))
	}
	f.measure()
	f.changed()
	return f
}

// extraRow is for the arguments that no field holds.
func extraRow(label theme.Text, reason string) *row {
	return &row{Field: &schema.Field{Type: schema.JSON, Reason: reason}, label: label}
}

// isExtra reports whether the row is for what no field holds.
func (f *Form) isExtra(r *row) bool { return r == f.extra() }

// extra returns the row for what no field holds, if there is one.
func (f *Form) extra() *row {
	if n := len(f.rows); n > len(f.object.Fields) {
		return f.rows[n-1]
	}
	return nil
}

// measure sets the widths of the columns. It depends on the schema only.
func (f *Form) measure() {
	f.labels, f.types = 0, 0
	for _, r := range f.rows {
		f.labels = max(f.labels, min(theme.Width(r.label), maxLabel))
		f.types = max(f.types, min(theme.Width(r.typeWord()), maxType))
	}
}

const (
	maxLabel = 32 // names up to here are never cut
	maxType  = 10
)

// typeWord is the short name of what a row takes.
func (r *row) typeWord() theme.Text {
	if r.Type == schema.String && r.Format != "" {
		return theme.SafeCut(r.Format, maxType)
	}
	return theme.Text(r.Type.String())
}

// Object is the schema of the form.
func (f *Form) Object() *schema.Object { return f.object }

// SetStyles changes the colours.
func (f *Form) SetStyles(st *theme.Styles) {
	f.styles = st
	for _, r := range f.rows {
		if r.line != nil {
			r.line.SetStyles(st)
		}
		if r.area != nil {
			r.area.SetStyles(st)
		}
	}
}

// SetFocused says whether the form has the keys. Losing them ends typing.
func (f *Form) SetFocused(on bool) {
	f.focused = on
	f.setTyping(on && f.typing)
}

// Typing reports whether a field has the keys, so that letters are letters.
func (f *Form) Typing() bool { return f.typing }

// Start begins typing into the chosen field.
func (f *Form) Start() { f.setTyping(len(f.rows) > 0) }

// Current is the name of the chosen field, empty if it is none of the schema's.
func (f *Form) Current() string {
	if len(f.rows) == 0 {
		return ""
	}
	return f.rows[f.cur].Name
}

// Goto chooses the field with a name. It reports whether there is one.
func (f *Form) Goto(name string) bool {
	for i, r := range f.rows {
		if r.Name == name && !f.isExtra(r) {
			f.choose(i)
			return true
		}
	}
	return false
}

// JSON returns the exact arguments, on one line. The error names the first
// field whose text makes no value; the other fields are then not lost, but
// there is nothing to send.
func (f *Form) JSON() ([]byte, error) { return f.json, f.jsonErr }

// Problems tells what in the arguments the schema does not allow; nothing where
// checking could take a server's word for a minute of work.
func (f *Form) Problems() []schema.Problem {
	if f.jsonErr != nil || len(f.json) > maxChecked || len(f.object.Raw) > maxSchema {
		return nil
	}
	return f.validator.Validate(f.json)
}

// Check is to be called before sending: from then on the form also shows what
// is missing. It chooses the first field that has a problem and reports whether
// the arguments are in order. What cannot be sent at all has an error in
// [Form.JSON]; everything else may be sent all the same.
func (f *Form) Check() bool {
	f.checked = true
	f.changed()
	if f.jsonErr == nil && len(f.Problems()) == 0 {
		return true
	}
	for i, r := range f.rows {
		if r.problem != "" {
			f.choose(i)
			break
		}
	}
	return false
}

// SetJSON puts arguments into the fields. What no field holds gets a row of its
// own. The error says why nothing was changed.
func (f *Form) SetJSON(args []byte) error {
	values, extra, err := schema.Split(f.object, args)
	if err != nil {
		return err
	}
	f.fill(values, string(extra))
	return nil
}

// fill replaces every value.
func (f *Form) fill(values map[string]schema.Value, extra string) {
	f.setExtra(extra)
	for _, r := range f.rows {
		if f.isExtra(r) {
			continue
		}
		r.value, r.known = values[r.Name]
		r.line, r.area, r.touched = nil, nil, r.known
	}
	f.cur = max(0, min(f.cur, len(f.rows)-1))
	f.measure()
	f.setTyping(f.typing && len(f.rows) > 0)
	f.changed()
}

// setExtra shows the row for what no field holds if there is any.
func (f *Form) setExtra(text string) {
	r := f.extra()
	switch {
	case r == nil && text == "":
		return
	case r == nil:
		r = extraRow(otherLabel, "unknown names, or values of another type")
		f.rows = append(f.rows, r)
	case text == "" && f.object.Problem == "":
		f.rows = f.rows[:len(f.object.Fields)]
		return
	}
	r.value, r.line, r.area = schema.Value{}, nil, nil
	if text != "" {
		r.value = schema.Value{State: schema.Set, Text: text}
	}
	r.touched = text != ""
}

// values are what Build takes.
func (f *Form) values() (values map[string]schema.Value, extra []byte) {
	values = make(map[string]schema.Value, len(f.rows))
	for _, r := range f.rows {
		switch {
		case f.isExtra(r):
			if r.value.State == schema.Set {
				extra = []byte(r.value.Text)
			} else if r.value.State == schema.Null && f.object.Problem != "" {
				extra = []byte("null")
			}
		case r.known:
			values[r.Name] = r.value
		}
	}
	return values, extra
}

// changed computes what follows from the values.
func (f *Form) changed() {
	values, extra := f.values()
	f.json, f.jsonErr = schema.Build(f.object, values, extra)
	f.problems = nil
	for _, r := range f.rows {
		r.problem = ""
		if _, err := r.Raw(r.value); err != nil {
			r.problem = theme.SafeCut(strings.TrimPrefix(err.Error(), r.Name+": "), maxProblem)
		}
	}
	if f.jsonErr != nil || len(f.json) > maxChecked || len(f.object.Raw) > maxSchema {
		if extra := f.extra(); f.jsonErr != nil && extra != nil && extra.problem == "" && !f.anyProblem() {
			extra.problem = theme.SafeCut(f.jsonErr.Error(), maxProblem)
		}
		f.view.forget()
		return
	}
	for _, p := range f.validator.Validate(f.json) {
		f.report(p)
	}
	f.view.forget()
}

const (
	maxChecked = 1 << 18 // bytes of arguments up to which they are checked
	maxSchema  = 1 << 20 // bytes of a schema up to which it is checked by
	maxProblem = 400     // cells of a message
)

func (f *Form) anyProblem() bool {
	for _, r := range f.rows {
		if r.problem != "" {
			return true
		}
	}
	return false
}

// report shows a problem at its field: at once where something was entered,
// otherwise when a send was tried. What stands in the row for other arguments
// was entered too.
func (f *Form) report(p schema.Problem) {
	for _, r := range f.rows {
		if f.isExtra(r) || r.Name != p.Field || p.Path == "" {
			continue
		}
		if (r.touched || f.checked || f.extra() != nil) && r.problem == "" {
			r.problem = theme.SafeCut(cmp.Or(strings.TrimPrefix(p.String(), r.Name+": "), p.Message), maxProblem)
		}
		return
	}
	f.problems = append(f.problems, p)
}
