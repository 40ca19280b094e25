package widget

import (
	"bytes"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/theme"
)

// Area edits text of several lines, wrapped at its width. Like [Field] it holds
// any bytes and takes a paste complete. Lines are measured when they show.
type Area struct {
	// Hint is shown while there is no text.
	Hint theme.Text

	keys    keys.Edit
	fields  keys.Fields
	styles  *theme.Styles
	w, h    int
	focused bool

	lines []areaLine // at least one
	line  int        // the cursor: a line, and a byte of it
	at    int
	goal  int   // the cell that moving up and down aims at, or -1
	top   place // the first row that shows

	canvas canvas
}

// areaLine is a line with the starts of its rows, or none if they are not
// known. A row has a cell less than the area is wide, for the cursor.
type areaLine struct {
	text []byte
	rows []int
}

// NewArea returns an empty area. The keys for the field above and below move
// by rows as long as there are some.
func NewArea(k keys.Edit, f keys.Fields, st *theme.Styles) *Area {
	return &Area{keys: k, fields: f, styles: st, lines: []areaLine{{}}, goal: -1}
}

// Text is what was typed.
func (a *Area) Text() string {
	var out []byte
	for i, l := range a.lines {
		if i > 0 {
			out = append(out, '\n')
		}
		out = append(out, l.text...)
	}
	return string(out)
}

// SetText replaces the text. The cursor goes to its end.
func (a *Area) SetText(s string) {
	a.lines, a.line, a.at, a.goal, a.top = []areaLine{{}}, 0, 0, -1, place{}
	a.insert(s)
	a.settle()
}

// SetStyles changes the colours.
func (a *Area) SetStyles(st *theme.Styles) { a.styles = st }

// SetFocused says whether the area has the keys.
func (a *Area) SetFocused(on bool) { a.focused = on }

// SetSize sets the size in cells.
func (a *Area) SetSize(w, h int) {
	if w = max(0, w); w != a.w {
		for i := range a.lines {
			a.lines[i].rows = nil
		}
		a.top.row = 0
	}
	a.w, a.h = w, max(0, h)
	a.settle()
}

// Rows is the number of rows that the text would fill, counted up to most.
func (a *Area) Rows(most int) int {
	n := 0
	for i := range a.lines {
		if n += len(a.rows(i)); n >= most {
			return most
		}
	}
	return n
}

// rows returns the starts of the rows of a line.
func (a *Area) rows(i int) []int {
	l := &a.lines[i]
	if l.rows != nil {
		return l.rows
	}
	l.rows = append(l.rows, 0)
	room := max(1, a.w-1)
	for at, x := 0, 0; at < len(l.text); {
		n, w := cells(l.text[at:])
		if x+w > room && x > 0 {
			l.rows = append(l.rows, at)
			x = 0
		}
		at, x = at+n, x+w
	}
	return l.rows
}

// rowText returns the bytes of one row.
func (a *Area) rowText(p place) []byte {
	rows, text := a.rows(p.line), a.lines[p.line].text
	if p.row+1 < len(rows) {
		return text[rows[p.row]:rows[p.row+1]]
	}
	return text[rows[p.row]:]
}

// place returns the row that the cursor is in and its cell.
func (a *Area) place() (p place, x int) {
	rows := a.rows(a.line)
	row, found := slices.BinarySearch(rows, a.at)
	if !found {
		row--
	}
	start := rows[row]
	return place{a.line, row}, theme.Width(theme.SafeBytes(a.lines[a.line].text[start:a.at]))
}

// next returns the row below p.
func (a *Area) next(p place) (place, bool) {
	switch {
	case p.row+1 < len(a.rows(p.line)):
		return place{p.line, p.row + 1}, true
	case p.line+1 < len(a.lines):
		return place{p.line + 1, 0}, true
	}
	return p, false
}

// prev returns the row above p.
func (a *Area) prev(p place) (place, bool) {
	switch {
	case p.row > 0:
		return place{p.line, p.row - 1}, true
	case p.line > 0:
		return place{p.line - 1, len(a.rows(p.line-1)) - 1}, true
	}
	return p, false
}

// settle scrolls as little as shows the cursor, and shows as much text as there
// is room for.
func (a *Area) settle() {
	a.top.line = min(a.top.line, len(a.lines)-1)
	a.top.row = min(a.top.row, len(a.rows(a.top.line))-1)
	cur, _ := a.place()
	if cur.line < a.top.line || cur.line == a.top.line && cur.row < a.top.row {
		a.top = cur
	}
	last, n := a.walk(a.top, a.next)
	if cur.line > last.line || cur.line == last.line && cur.row > last.row {
		a.top, _ = a.walk(cur, a.prev)
	} else if n < a.h {
		a.top, _ = a.walk(last, a.prev)
	}
}

// walk goes from p as far as the area is high, or as there is text. It returns
// where it ends and the number of rows seen.
func (a *Area) walk(p place, step func(place) (place, bool)) (end place, n int) {
	for n = 1; n < a.h; n++ {
		q, ok := step(p)
		if !ok {
			break
		}
		p = q
	}
	return p, n
}

// Update edits the text.
func (a *Area) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if !a.press(msg) {
			return false
		}
	case tea.PasteMsg:
		a.insert(pasted(msg.Content))
	case tea.MouseWheelMsg:
		n := map[tea.MouseButton]int{tea.MouseWheelUp: -wheelRows, tea.MouseWheelDown: wheelRows}[msg.Button]
		for range max(n, -n) {
			a.vertical(n)
		}
		if n == 0 {
			return false
		}
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft || msg.Y < 0 || msg.Y >= a.h {
			return false
		}
		p, more := a.top, true
		for y := msg.Y; y > 0 && more; y-- {
			p, more = a.next(p)
		}
		a.moveTo(p, msg.X)
	default:
		return false
	}
	a.settle()
	return true
}

func (a *Area) press(msg tea.KeyPressMsg) bool {
	switch {
	case key.Matches(msg, a.fields.Enter):
		a.insert("\n")
		return true
	case key.Matches(msg, a.fields.Above):
		return a.vertical(-1)
	case key.Matches(msg, a.fields.Below):
		return a.vertical(1)
	case key.Matches(msg, a.keys.Backspace) && a.at == 0:
		return a.join(a.line - 1)
	case key.Matches(msg, a.keys.Delete) && a.at == len(a.lines[a.line].text):
		return a.join(a.line)
	case key.Matches(msg, a.keys.Left, a.keys.WordLeft) && a.at == 0 && a.line > 0:
		a.line--
		a.at = len(a.lines[a.line].text)
		return true
	case key.Matches(msg, a.keys.Right, a.keys.WordRight) && a.at == len(a.lines[a.line].text) && a.line+1 < len(a.lines):
		a.line, a.at = a.line+1, 0
		return true
	}
	l := &a.lines[a.line]
	b := buffer{l.text, a.at}
	taken, changed := b.press(msg, &a.keys, 0, len(l.text))
	if changed {
		l.rows = nil
	}
	if taken {
		l.text, a.at, a.goal = b.text, b.at, -1
	}
	return taken
}

// vertical moves the cursor one row up or down. At the end it is not taken, so
// that the key can go to what is above or below.
func (a *Area) vertical(n int) bool {
	p, x := a.place()
	if a.goal >= 0 {
		x = a.goal
	}
	move := a.next
	if n < 0 {
		move = a.prev
	}
	p, ok := move(p)
	if ok {
		a.moveTo(p, x)
		a.goal = x
	}
	return ok
}

// moveTo puts the cursor into a row, at cell x or before it.
func (a *Area) moveTo(p place, x int) {
	text := a.rowText(p)
	at := 0
	for at < len(text) {
		n, w := cells(text[at:])
		// The last place of a row that goes on is the first of the next one.
		if x < w || at+n == len(text) && p.row+1 < len(a.rows(p.line)) {
			break
		}
		at, x = at+n, x-w
	}
	a.line, a.at, a.goal = p.line, a.rows(p.line)[p.row]+at, -1
}

// join appends the next line to line i. It reports whether there are both.
func (a *Area) join(i int) bool {
	if i < 0 || i+1 >= len(a.lines) {
		return false
	}
	a.line, a.at = i, len(a.lines[i].text)
	a.lines[i] = areaLine{text: append(a.lines[i].text, a.lines[i+1].text...)}
	a.lines = slices.Delete(a.lines, i+1, i+2)
	a.goal = -1
	return true
}

// insert puts s at the cursor.
func (a *Area) insert(s string) {
	l := a.lines[a.line].text
	parts := bytes.Split([]byte(s), []byte{'\n'})
	last := len(parts) - 1
	tail := slices.Clone(l[a.at:])
	at := len(parts[last])
	if last == 0 {
		at += a.at
	}
	parts[0] = append(slices.Clone(l[:a.at]), parts[0]...)
	parts[last] = append(slices.Clip(parts[last]), tail...)
	added := make([]areaLine, len(parts))
	for i, p := range parts {
		added[i].text = slices.Clip(p) // they share memory until they change
	}
	a.lines = slices.Replace(a.lines, a.line, a.line+1, added...)
	a.line, a.at, a.goal = a.line+last, at, -1
}

// View draws the rows that show.
func (a *Area) View() string {
	c := &a.canvas
	c.start(a.w, a.h)
	empty := len(a.lines) == 1 && len(a.lines[0].text) == 0
	for p, more := a.top, true; more && c.y < a.h; p, more = a.next(p) {
		line := theme.Line{Text: theme.SafeBytes(a.rowText(p))}
		if empty {
			line = theme.Styled(a.styles.Faint, a.Hint)
		}
		c.next(theme.Style{}).AddLine(&line, 0)
		c.end()
	}
	return c.finish()
}

// Cursor returns where the cursor stands, relative to the area, or nil if the
// area does not have the keys.
func (a *Area) Cursor() *tea.Cursor {
	if !a.focused || a.w == 0 || a.h == 0 {
		return nil
	}
	cur, x := a.place()
	y := 0
	for p, more := a.top, true; more && p != cur; y++ {
		p, more = a.next(p)
	}
	return cursor(min(x, a.w-1), min(y, a.h-1))
}
