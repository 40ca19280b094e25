package form

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
	"parley/client/schema"
	"parley/ui/widget"
)

// Update chooses rows and edits them. While a field has the keys it takes
// everything but chords that mean nothing to it.
func (f *Form) Update(msg tea.Msg) bool {
	if len(f.rows) == 0 {
		return false
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if f.typing {
			return f.pressTyping(msg)
		}
		return f.pressRows(msg)
	case tea.PasteMsg:
		return f.typing && f.edit(msg)
	case tea.MouseClickMsg:
		return msg.Button == tea.MouseLeft && f.click(msg.X, msg.Y)
	case tea.MouseWheelMsg:
		return f.wheel(msg.Button)
	}
	return false
}

// pressRows handles a key while rows are chosen.
func (f *Form) pressRows(msg tea.KeyPressMsg) bool {
	switch {
	case key.Matches(msg, f.keys.Rows.Up):
		f.choose(f.cur - 1)
	case key.Matches(msg, f.keys.Rows.Down):
		f.choose(f.cur + 1)
	case key.Matches(msg, f.keys.Rows.Top):
		f.choose(0)
	case key.Matches(msg, f.keys.Rows.Bottom):
		f.choose(len(f.rows) - 1)
	case key.Matches(msg, f.keys.Rows.Edit):
		f.setTyping(true)
	case key.Matches(msg, f.keys.Rows.Left):
		return f.cycle(-1)
	case key.Matches(msg, f.keys.Rows.Right):
		return f.cycle(1)
	default:
		return f.pressState(msg)
	}
	return true
}

// pressState handles the keys that make a field absent or null.
func (f *Form) pressState(msg tea.KeyPressMsg) bool {
	r := f.rows[f.cur]
	switch {
	case key.Matches(msg, f.keys.Fields.Unset):
		f.set(r, schema.Value{State: schema.Absent})
	case key.Matches(msg, f.keys.Fields.Null):
		f.set(r, schema.Value{State: schema.Null})
	default:
		return false
	}
	return true
}

// pressTyping handles a key while a field has the keys.
func (f *Form) pressTyping(msg tea.KeyPressMsg) bool {
	n := len(f.rows)
	r := f.rows[f.cur]
	switch {
	case key.Matches(msg, f.keys.Leave):
		f.setTyping(false)
	case key.Matches(msg, f.keys.NextField):
		f.choose((f.cur + 1) % n)
	case key.Matches(msg, f.keys.PrevField):
		f.choose((f.cur + n - 1) % n)
	case f.pressState(msg):
	case key.Matches(msg, f.keys.Edit.Backspace) && r.empty():
		f.set(r, schema.Value{State: schema.Absent})
	case r.isChoice() && f.pressChoice(msg), f.edit(msg):
	case key.Matches(msg, f.keys.Above):
		f.choose(f.cur - 1)
	case key.Matches(msg, f.keys.Below):
		f.choose(f.cur + 1)
	case key.Matches(msg, f.keys.Enter) && f.cur == n-1:
		f.setTyping(false)
	case key.Matches(msg, f.keys.Enter):
		f.choose(f.cur + 1)
	default:
		return msg.Text != "" // a letter that means nothing here is no command
	}
	return true
}

// empty reports whether there is no text that backspace could delete.
func (r *row) empty() bool {
	return r.isChoice() || r.value.State != schema.Set || r.value.Text == ""
}

// choose goes to a row, which is brought into the form. Typing goes on there.
func (f *Form) choose(i int) {
	typing := f.typing
	f.setTyping(false)
	f.cur = max(0, min(i, len(f.rows)-1))
	f.setTyping(typing)
	f.view.forget()
	f.reveal()
}

// setTyping gives the keys to the chosen field or takes them from it.
func (f *Form) setTyping(on bool) {
	f.typing = on && len(f.rows) > 0
	if len(f.rows) == 0 {
		return
	}
	r := f.rows[f.cur]
	if f.typing {
		f.open(r)
	}
	if r.line != nil {
		r.line.SetFocused(f.typing)
	}
	if r.area != nil {
		r.area.SetFocused(f.typing)
	}
	f.view.forget()
	f.reveal()
}

// open makes the editor of a row that takes text.
func (f *Form) open(r *row) {
	if r.isChoice() || r.line != nil || r.area != nil {
		return
	}
	text := ""
	if r.value.State == schema.Set {
		text = r.value.Text
	}
	if r.Type == schema.JSON || r.Type == schema.String && (r.Multiline || strings.Contains(text, "\n")) {
		r.area = widget.NewArea(f.keys.Edit, f.keys.Fields, f.styles)
		r.area.SetText(text)
	} else {
		r.line = widget.NewField(f.keys.Edit, f.styles)
		r.line.SetText(text)
	}
	f.hint(r)
}

// hint shows in an editor without text what stands in the field.
func (f *Form) hint(r *row) {
	word := stateWord(r)
	if r.line != nil {
		r.line.Hint = word
	}
	if r.area != nil {
		r.area.Hint = word
	}
}

// edit gives a message to the editor and takes the text from it.
func (f *Form) edit(msg tea.Msg) bool {
	r := f.rows[f.cur]
	var text string
	switch {
	case r.line != nil:
		if !r.line.Update(msg) {
			return false
		}
		text = r.line.Text()
	case r.area != nil:
		if !r.area.Update(msg) {
			return false
		}
		text = r.area.Text()
	default:
		return false
	}
	// Moving in a field that is absent or null does not set it.
	if text != "" || r.value.State == schema.Set {
		value := schema.Value{State: schema.Set, Text: text}
		if text == "" && r.Type != schema.String {
			value = schema.Value{} // only a string can be empty
		}
		if value != r.value {
			f.assign(r, value)
		}
	}
	f.reveal()
	return true
}

// set gives a row a value from outside of its editor.
func (f *Form) set(r *row, v schema.Value) {
	typing := f.typing
	r.line, r.area = nil, nil
	f.assign(r, v)
	f.setTyping(typing)
}

// assign stores a value.
func (f *Form) assign(r *row, v schema.Value) {
	r.value, r.known, r.touched = v, true, true
	f.hint(r)
	f.changed()
}

// isChoice reports whether a row is chosen from and not typed into.
func (r *row) isChoice() bool {
	return r.Type == schema.Boolean || r.Type == schema.Enum || r.Type == schema.Const
}

// choices are the values that a row goes through, absent first.
func (r *row) choices() []schema.Value {
	list := []schema.Value{{}}
	switch r.Type {
	case schema.Boolean:
		list = append(list, setTo("true"), setTo("false"))
	case schema.Enum:
		for _, o := range r.Enum {
			list = append(list, setTo(string(o.Raw)))
		}
	case schema.Const:
		list = append(list, setTo(string(r.Const)))
	}
	if r.Nullable {
		list = append(list, schema.Value{State: schema.Null})
	}
	return list
}

func setTo(text string) schema.Value { return schema.Value{State: schema.Set, Text: text} }

// effective is the value of a row as it will be sent: a required constant is
// sent without being chosen.
func (r *row) effective() schema.Value {
	if !r.known && r.Type == schema.Const && r.Required {
		return setTo(string(r.Const))
	}
	return r.value
}

// cycle goes to the next choice. From absent it goes to the default first.
func (f *Form) cycle(step int) bool {
	r := f.rows[f.cur]
	if !r.isChoice() {
		return false
	}
	list := r.choices()
	at := max(0, slices.Index(list, r.effective()))
	next := list[(at+step+len(list))%len(list)]
	if at == 0 && step > 0 && !r.touched && r.Default != nil {
		if v, ok := r.Parse(r.Default); ok {
			next = v
		}
	}
	f.set(r, next)
	return true
}

// pressChoice handles a key on a row that is chosen from: arrows and space go
// through the choices, a letter to the next one that begins with it.
func (f *Form) pressChoice(msg tea.KeyPressMsg) bool {
	switch {
	case key.Matches(msg, f.keys.Edit.Left):
		return f.cycle(-1)
	case key.Matches(msg, f.keys.Edit.Right), msg.Text == " ":
		return f.cycle(1)
	case msg.Text == "":
		return false
	}
	r := f.rows[f.cur]
	list := r.choices()
	at := max(0, slices.Index(list, r.value))
	for i := range list {
		v := list[(at+1+i)%len(list)]
		if len(choiceWord(r, v)) >= len(msg.Text) && strings.EqualFold(choiceWord(r, v)[:len(msg.Text)], msg.Text) {
			f.set(r, v)
			return true
		}
	}
	return true
}

// choiceWord is what a choice is called.
func choiceWord(r *row, v schema.Value) string {
	switch v.State {
	case schema.Absent:
		return "absent"
	case schema.Null:
		return "null"
	}
	for _, o := range r.Enum {
		if string(o.Raw) == v.Text {
			return o.Label
		}
	}
	if text, ok := rawjson.Unquote([]byte(v.Text)); ok && r.Type == schema.Const {
		return text
	}
	return v.Text
}

// click chooses the row at x, y. On the value it starts typing there, or goes
// to the next choice if the row was chosen already.
func (f *Form) click(x, y int) bool {
	if y < 0 || y >= f.body() || y+f.off >= f.top(len(f.rows)-1)+f.height(len(f.rows)-1) {
		return false
	}
	i := 0
	for i < len(f.rows)-1 && f.top(i+1) <= y+f.off {
		i++
	}
	line, was := y+f.off-f.top(i), i == f.cur
	_, valueX, below := f.columns()
	if below {
		line--
	}
	f.choose(i)
	r := f.rows[i]
	switch {
	case x < valueX || line < 0:
	case r.isChoice() && was && line == 0:
		f.cycle(1)
	case !r.isChoice() && line == 0, r.area != nil && line < r.area.Rows(maxArea):
		typing := f.typing
		f.setTyping(true)
		if typing || r.line != nil { // an area that opens has moved its text
			f.edit(tea.MouseClickMsg{X: x - valueX, Y: line, Button: tea.MouseLeft})
		}
	}
	return true
}

func (f *Form) wheel(button tea.MouseButton) bool {
	switch button {
	case tea.MouseWheelUp:
		f.scroll(-wheelLines)
	case tea.MouseWheelDown:
		f.scroll(wheelLines)
	default:
		return false
	}
	return true
}

const wheelLines = 3
