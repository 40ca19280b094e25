package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/client/schema"
	"parley/ui/theme"
)

const (
	maxArea    = 6  // rows of a field with several lines
	maxAbout   = 4  // rows of a description
	minValue   = 16 // cells that a value needs to stand beside its name
	minForWord = 48 // cells that a form needs to show types
)

// view is what was computed for the present size and row, until something
// changes.
type view struct {
	about   []theme.Line // under the chosen field
	preview []theme.Line
	ready   bool
}

func (v *view) forget() { *v = view{} }

// SetSize sets the size in cells.
func (f *Form) SetSize(w, h int) {
	f.w, f.h = max(0, w), max(0, h)
	f.view.forget()
	f.reveal()
}

// columns of a row: where the type and the value begin. Where there is no room
// beside the name, the value has a row of its own below.
func (f *Form) columns() (typeX, valueX int, below bool) {
	typeX = 1 + f.labels + 2
	valueX = typeX
	if f.w >= minForWord {
		valueX += f.types + 1
	}
	valueX += 3 // the mark of a required field
	if f.w-valueX < minValue {
		return typeX, 3, true
	}
	return typeX, valueX, false
}

// prepare computes what is shown besides the rows.
func (f *Form) prepare() {
	if f.view.ready {
		return
	}
	f.view.ready = true
	if len(f.rows) > 0 {
		f.view.about = f.describe(f.rows[f.cur])
		if a := f.rows[f.cur].area; a != nil {
			_, x, _ := f.columns()
			a.SetSize(f.w-x, 1)
			a.SetSize(f.w-x, a.Rows(maxArea))
		}
	}
	f.view.preview = f.previewLines()
}

// height is the number of lines that a row takes.
func (f *Form) height(i int) int {
	n := 1
	if _, _, below := f.columns(); below {
		n++
	}
	if i == f.cur {
		f.prepare()
		n += len(f.view.about)
		if a := f.rows[i].area; a != nil && f.typing {
			n += a.Rows(maxArea) - 1
		}
	}
	return n
}

// top returns the line at which a row begins. Only the chosen row is higher
// than the others.
func (f *Form) top(i int) int {
	each := 1
	if _, _, below := f.columns(); below {
		each = 2
	}
	n := i * each
	if i > f.cur {
		n += f.height(f.cur) - each
	}
	return n
}

// body is the number of lines for rows, above the preview.
func (f *Form) body() int {
	f.prepare()
	if len(f.rows) == 0 {
		return max(0, f.h-len(f.view.preview))
	}
	return max(min(1, f.h), f.h-len(f.view.preview))
}

// reveal scrolls as little as shows the chosen row with its description.
func (f *Form) reveal() {
	if len(f.rows) == 0 || f.h == 0 {
		return
	}
	start, body := f.top(f.cur), f.body()
	end := start + f.height(f.cur)
	f.off = max(f.off, end-body)
	f.off = min(f.off, start)
	if c := f.editorCursor(); c != nil && f.typing { // at least its cursor
		_, _, below := f.columns()
		at := start + c.Y
		if below {
			at++
		}
		f.off = max(f.off, at-body+1)
	}
	f.scroll(0)
}

// scroll moves the window by n lines, inside of what there is.
func (f *Form) scroll(n int) {
	last := len(f.rows) - 1
	f.off = max(0, min(f.off+n, f.top(last)+f.height(last)-f.body()))
}

// editorCursor is the cursor of the chosen row's editor, relative to it.
func (f *Form) editorCursor() *tea.Cursor {
	r := f.rows[f.cur]
	_, x, _ := f.columns()
	switch {
	case r.line != nil:
		r.line.SetSize(f.w-x, 1)
		return r.line.Cursor()
	case r.area != nil:
		return r.area.Cursor()
	}
	return nil
}

// Cursor returns where the cursor stands, relative to the form, while a field
// has the keys.
func (f *Form) Cursor() *tea.Cursor {
	if !f.focused || !f.typing || f.w == 0 || f.h == 0 {
		return nil
	}
	f.prepare()
	c := f.editorCursor()
	if c == nil {
		return nil
	}
	_, x, below := f.columns()
	c.X, c.Y = min(c.X+x, f.w-1), c.Y+f.top(f.cur)-f.off
	if below {
		c.Y++
	}
	if c.Y < 0 || c.Y >= f.body() {
		return nil
	}
	return c
}

// View draws the form: h lines of w cells.
func (f *Form) View() string {
	if f.h == 0 {
		return ""
	}
	lines := make([]string, 0, f.h)
	lines = append(lines, f.window()...)
	f.prepare()
	for i := range f.view.preview {
		if len(lines) < f.h {
			row := theme.NewRow(f.w, theme.Style{})
			row.Gap(1)
			row.AddLine(&f.view.preview[i], 0)
			lines = append(lines, row.String())
		}
	}
	for len(lines) < f.h {
		lines = append(lines, theme.Spaces(f.w))
	}
	return strings.Join(lines, "\n")
}

// window draws the rows that show.
func (f *Form) window() []string {
	var lines []string
	body := f.body()
	if len(f.rows) == 0 {
		if body > 0 {
			lines = append(lines, f.line(f.styles.Muted, "no arguments"))
		}
		return fill(lines, body, f.w)
	}
	first := 0
	for first < len(f.rows)-1 && f.top(first+1) <= f.off {
		first++
	}
	skip := f.off - f.top(first)
	for i := first; i < len(f.rows) && len(lines) < body+skip; i++ {
		lines = append(lines, f.draw(i)...)
	}
	lines = lines[min(skip, len(lines)):]
	return fill(lines[:min(len(lines), body)], body, f.w)
}

func fill(lines []string, n, w int) []string {
	for len(lines) < n {
		lines = append(lines, theme.Spaces(w))
	}
	return lines
}

func (f *Form) line(st theme.Style, t theme.Text) string {
	row := theme.NewRow(f.w, theme.Style{})
	row.Gap(1)
	row.Add(st, t)
	return row.String()
}

// draw returns the lines of one row.
func (f *Form) draw(i int) []string {
	r, chosen := f.rows[i], i == f.cur
	_, valueX, below := f.columns()
	indent := theme.Spaces(min(valueX, f.w))
	lines := []string{f.drawName(r, chosen)}
	if below {
		lines = append(lines, indent)
	}
	last := len(lines) - 1
	value := theme.NewRow(f.w-valueX, theme.Style{})
	if chosen && f.typing && r.area != nil {
		f.prepare()
		for k, text := range strings.Split(r.area.View(), "\n") {
			if k > 0 {
				lines = append(lines, indent)
			}
			lines[last+k] += text
		}
	} else {
		f.drawValue(value, r, chosen)
		lines[last] += value.String()
	}
	if chosen {
		for k := range f.view.about {
			value.Reset(f.w-valueX, theme.Style{})
			value.AddLine(&f.view.about[k], 0)
			lines = append(lines, indent+value.String())
		}
	}
	return lines
}

// drawName returns what stands before the value, or above it.
func (f *Form) drawName(r *row, chosen bool) string {
	st := f.styles
	typeX, w, below := f.columns()
	if below {
		w = f.w
	}
	row := theme.NewRow(min(w, f.w), theme.Style{})
	name := st.Text
	switch {
	case chosen && f.focused:
		row.Add(st.Accent, "▌")
		name = st.Focus
	case chosen:
		row.Add(st.Muted, "│")
	default:
		row.Gap(1)
	}
	row.AddCol(name, r.label, min(f.labels, max(1, f.w-5)))
	row.To(typeX)
	if f.w >= minForWord {
		row.AddCol(st.Muted, r.typeWord(), f.types+1)
	}
	if r.Required {
		row.Add(st.Warn, "*")
	}
	return row.String()
}

// stateWord is shown where there is no text.
func stateWord(r *row) theme.Text {
	switch v := r.effective(); {
	case v.State == schema.Absent:
		return "(absent)"
	case v.State == schema.Null:
		return "null"
	case v.Text == "":
		return `""`
	}
	return ""
}

// drawValue puts the value on a row, and either what is wrong with it or the
// choices there are.
func (f *Form) drawValue(row *theme.Row, r *row, chosen bool) {
	st := f.styles
	room := row.Rest()
	if r.problem != "" {
		room = max(room/3, min(minValue, room))
	}
	switch word := stateWord(r); {
	case chosen && f.typing && r.line != nil:
		r.line.SetSize(room, 1)
		r.line.Draw(row)
	case word != "":
		row.Add(st.Faint, theme.Cut(word, room))
	default:
		l := f.valueLine(r, room)
		_, end, _ := theme.Clip(l.Text, 0, room)
		if end < len(l.Text) {
			_, end, _ = theme.Clip(l.Text, 0, room-1)
			row.AddBytes(&l, 0, end)
			row.Add(st.Faint, "…")
		} else {
			row.AddBytes(&l, 0, end)
		}
	}
	if r.problem != "" {
		row.To(room + 1)
		row.Add(st.Error, "✗ "+r.problem)
	} else if list := optionList(r); list != "" {
		row.To(max(row.X()+2, minValue))
		row.Add(st.Muted, list)
	}
}

// valueLine is the value as text, or at least what shows of it in w cells.
func (f *Form) valueLine(r *row, w int) theme.Line {
	v := r.effective()
	switch r.Type {
	case schema.String:
		return theme.Styled(f.styles.String, theme.SafeCut(v.Text, w))
	case schema.Enum, schema.Const, schema.Boolean:
		return theme.Styled(f.styles.String, theme.SafeCut(choiceWord(r, v), w))
	case schema.Number, schema.Integer:
		return theme.Styled(f.styles.Number, theme.SafeCut(v.Text, w))
	}
	return jsonLine(v.Text, w, f.styles)
}
