package widget

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/theme"
)

// Field edits one line. It holds any bytes and shows what is not printable in
// a visible form; a paste arrives complete, its line feeds too. Only what shows
// is measured, however long the line is.
type Field struct {
	// Prompt stands before the text.
	Prompt theme.Text
	// Hint is shown while there is no text.
	Hint theme.Text

	keys    keys.Edit
	styles  *theme.Styles
	w, h    int
	focused bool

	buffer buffer
	from   int // the first byte that shows
	canvas canvas
}

// NewField returns an empty field.
func NewField(k keys.Edit, st *theme.Styles) *Field {
	return &Field{keys: k, styles: st}
}

// Text is what was typed.
func (f *Field) Text() string { return string(f.buffer.text) }

// SetText replaces the text. The cursor goes to its end.
func (f *Field) SetText(s string) {
	f.buffer.set([]byte(s))
	f.from = 0
	f.settle()
}

// SetAt puts the cursor before a byte of the text, which is a border of a glyph.
func (f *Field) SetAt(i int) {
	f.buffer.at = max(0, min(i, len(f.buffer.text)))
	f.settle()
}

// SetStyles changes the colours.
func (f *Field) SetStyles(st *theme.Styles) { f.styles = st }

// SetFocused says whether the field has the keys.
func (f *Field) SetFocused(on bool) { f.focused = on }

// SetSize sets the size in cells; the text takes the first row.
func (f *Field) SetSize(w, h int) {
	f.w, f.h = max(0, w), max(0, h)
	f.settle()
}

// Update edits the text. Keys that do not edit a line, as enter and tab, are
// not taken.
func (f *Field) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if taken, _ := f.buffer.press(msg, &f.keys, 0, len(f.buffer.text)); !taken {
			return false
		}
	case tea.PasteMsg:
		f.buffer.insert(pasted(msg.Content))
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft || msg.Y != 0 {
			return false
		}
		f.buffer.at = f.byteAt(msg.X - theme.Width(f.Prompt))
	default:
		return false
	}
	f.settle()
	return true
}

// byteAt returns the border of a glyph that is nearest to cell x of the text.
func (f *Field) byteAt(x int) int {
	i := f.from
	for i < len(f.buffer.text) {
		n, w := cells(f.buffer.text[i:])
		if x < w {
			break
		}
		i, x = i+n, x-w
	}
	return i
}

// width is the number of cells for text, the cursor's included.
func (f *Field) width() int { return max(1, f.w-theme.Width(f.Prompt)) }

// settle scrolls as little as shows the cursor, and shows as much text as there
// is room for.
func (f *Field) settle() {
	b := &f.buffer
	f.from = min(f.from, b.at)
	f.from = max(f.from, f.startOf(b.at))
	if room, i := f.width()-1, f.from; f.from > 0 {
		for i < len(b.text) && room >= 0 {
			n, w := cells(b.text[i:])
			i, room = i+n, room-w
		}
		if room >= 0 { // the end shows, with cells left over
			f.from = min(f.from, f.startOf(len(b.text)))
		}
	}
}

// startOf returns where the text begins to show when end is at the right edge.
func (f *Field) startOf(end int) int {
	i := end
	for room := f.width() - 1; i > 0; {
		n := glyphBefore(f.buffer.text[:i])
		_, w := cells(f.buffer.text[i-n : i])
		if room -= w; room < 0 {
			break
		}
		i -= n
	}
	return i
}

// shown returns the text that shows, up to byte end.
func (f *Field) shown(end int) theme.Text {
	most := f.from + 32*f.width() // no glyph of some use is longer than that
	return theme.SafeBytes(f.buffer.text[f.from:min(end, most)])
}

// View draws the field.
func (f *Field) View() string {
	c := &f.canvas
	c.start(f.w, f.h)
	if f.h > 0 {
		f.Draw(c.next(theme.Style{}))
		c.end()
	}
	return c.finish()
}

// Draw puts prompt and text at the end of a row, for whoever has more on it.
func (f *Field) Draw(row *theme.Row) {
	row.Add(f.styles.Accent, f.Prompt)
	if len(f.buffer.text) == 0 {
		row.Add(f.styles.Faint, f.Hint)
		return
	}
	text := theme.Line{Text: f.shown(len(f.buffer.text))}
	row.AddLine(&text, 0)
}

// Cursor returns where the cursor stands, relative to the field, or nil if the
// field does not have the keys.
func (f *Field) Cursor() *tea.Cursor {
	if !f.focused || f.w == 0 || f.h == 0 {
		return nil
	}
	x := theme.Width(f.Prompt) + theme.Width(f.shown(f.buffer.at))
	return cursor(min(x, f.w-1), 0)
}

// cursor makes the one kind of cursor there is. It does not blink: nothing
// moves unless something happens.
func cursor(x, y int) *tea.Cursor {
	c := tea.NewCursor(x, y)
	c.Shape, c.Blink = tea.CursorBar, false
	return c
}
