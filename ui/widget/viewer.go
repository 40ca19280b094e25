package widget

import (
	"strconv"

	"parley/ui/keys"
	"parley/ui/theme"
)

// Source is text for a [Viewer]. It is asked only for lines that show, and for
// the lines passed while searching unless it is a [Searcher]. A line may be
// long, but it is handed over whole: a source that has lines of many megabytes
// gives them in pieces.
type Source interface {
	Lines() int
	Line(i int) theme.Line
}

// Numberer is a source whose lines have numbers of their own, and a mark of at
// most one cell after the number.
type Numberer interface {
	Number(i int) (n int, mark theme.Text)
}

// Folder is a source whose parts can be closed. Both methods return where line
// i, or the part it is in, shows afterwards.
type Folder interface {
	Toggle(i int) (at int, ok bool)
	Level(n, i int) (at int)
}

// Searcher is a source that can search faster than line by line: it returns
// the next line that has a hit, from line from on, in steps of 1 or -1.
type Searcher interface {
	Search(q Query, from, step int) (i int, ok bool)
}

// ViewerKeys are the bindings of a viewer. It also knows Read.Search, but what
// was typed there comes in by [Viewer.Search].
type ViewerKeys struct {
	keys.Move
	keys.Read
	keys.Fold
}

// Viewer shows a window on long text. Lines are wrapped or cut and moved
// sideways; only what shows is ever measured.
type Viewer struct {
	// Empty is shown when the source has no lines.
	Empty []theme.Text
	// Select gives one line a mark and lets the keys move it; otherwise they
	// scroll.
	Select bool
	// Numbers shows the number of each line.
	Numbers bool

	src     Source
	keys    ViewerKeys
	styles  *theme.Styles
	w, h    int
	focused bool
	wrap    bool
	tail    bool // the key for the end starts following
	follow  bool
	pending bool // the key that a level follows was pressed

	top  place
	left int // cells scrolled sideways
	cur  int // the line with the mark

	query Query
	hit   hit

	lines  map[int]*wrapped
	canvas canvas
}

// place is a row on the screen: a line of the source and a row of that line.
type place struct{ line, row int }

// hit is where the search is; at is a byte of the line's text.
type hit struct {
	line, at int
	ok       bool
}

// wrapped is a line with the starts of its rows, as far as they are known.
type wrapped struct {
	theme.Line
	rows []int
	done bool
}

// NewViewer returns a viewer at the start of src, which may be nil.
func NewViewer(src Source, k ViewerKeys, st *theme.Styles) *Viewer {
	v := &Viewer{keys: k, styles: st}
	v.SetSource(src)
	return v
}

// SetSource shows other text, from its start.
func (v *Viewer) SetSource(src Source) {
	if src == nil {
		src = Static(nil)
	}
	v.src, v.top, v.left, v.cur, v.hit, v.pending = src, place{}, 0, 0, hit{}, false
	v.Refresh()
}

// Refresh takes in that the text changed. What is read stays where it is,
// unless the viewer follows the end.
func (v *Viewer) Refresh() {
	v.lines = make(map[int]*wrapped)
	v.cur = max(0, min(v.cur, v.src.Lines()-1))
	if v.follow {
		v.end()
	}
	v.settle()
}

// SetStyles changes the colours. The source brings its own.
func (v *Viewer) SetStyles(st *theme.Styles) { v.styles = st }

// SetFocused says whether the viewer has the keys.
func (v *Viewer) SetFocused(on bool) { v.focused = on }

// SetFollow makes the viewer stay at the end of text that grows, until the
// user goes elsewhere; from then on the key for the end starts it again.
func (v *Viewer) SetFollow(on bool) {
	v.tail, v.follow = true, on
	v.Refresh()
}

// SetWrap says whether long lines are wrapped.
func (v *Viewer) SetWrap(on bool) {
	v.wrap, v.left, v.top.row = on, 0, 0
	v.lines = make(map[int]*wrapped)
	v.settle()
}

// Wrapped reports whether long lines are wrapped.
func (v *Viewer) Wrapped() bool { return v.wrap }

// SetSize sets the size in cells. The first line that shows stays the first.
func (v *Viewer) SetSize(w, h int) {
	if w != v.w {
		v.lines = make(map[int]*wrapped)
		v.top.row = 0
	}
	v.w, v.h = max(0, w), max(0, h)
	if v.follow {
		v.end()
	}
	v.settle()
}

// Current is the line with the mark, or the first that shows.
func (v *Viewer) Current() int {
	if v.Select {
		return v.cur
	}
	return v.top.line
}

// SetCurrent goes to a line.
func (v *Viewer) SetCurrent(line int) {
	v.follow = false
	v.goTo(line)
}

// Pending reports whether the next key belongs to the one before it, so that
// it must not be taken for anything else.
func (v *Viewer) Pending() bool { return v.pending }

// Window returns the first line that shows, the one after the last, and how
// many there are.
func (v *Viewer) Window() (from, to, total int) {
	total = v.src.Lines()
	p := v.top
	for y := 0; y < v.h && p.line < total; y++ {
		to = p.line + 1
		p = v.after(p)
	}
	return v.top.line, max(to, v.top.line), total
}

// get returns a line, ready to be drawn.
func (v *Viewer) get(i int) *wrapped {
	if l := v.lines[i]; l != nil {
		return l
	}
	if len(v.lines) > 4*v.h+64 { // scrolled on: keep the memory of a few screens
		clear(v.lines)
	}
	l := &wrapped{Line: v.src.Line(i), rows: []int{0}, done: !v.wrap}
	v.lines[i] = l
	return l
}

// width is what the gutter leaves for text.
func (v *Viewer) width() int { return max(1, v.w-v.gutter()) }

// gutter is the number of cells before the text.
func (v *Viewer) gutter() int {
	n := 0
	if v.Select {
		n++
	}
	if digits := v.digits(); digits > 0 {
		n += digits + 2
	}
	if _, ok := v.src.(Folder); ok {
		n += 2
	}
	return n
}

func (v *Viewer) digits() int {
	if n := v.src.Lines(); v.Numbers && n > 0 {
		last, _ := v.number(n - 1)
		return max(3, len(strconv.Itoa(last)))
	}
	return 0
}

func (v *Viewer) number(i int) (int, theme.Text) {
	if s, ok := v.src.(Numberer); ok {
		return s.Number(i)
	}
	return i + 1, ""
}

// View draws the window.
func (v *Viewer) View() string {
	c := &v.canvas
	c.start(v.w, v.h)
	n := v.src.Lines()
	if n == 0 {
		c.say(v.styles.Muted, v.Empty)
	}
	digits := v.digits()
	for p := v.top; p.line < n && c.y < c.h; p = v.after(p) {
		row := c.next(theme.Style{})
		v.drawGutter(row, p, digits)
		v.drawText(row, p)
		c.end()
	}
	return c.finish()
}

func (v *Viewer) drawGutter(row *theme.Row, p place, digits int) {
	if v.Select {
		drawMark(row, v.styles, RowState{Selected: p.line == v.cur, Focused: v.focused})
	}
	_, folds := v.src.(Folder)
	if digits == 0 && !folds {
		return
	}
	number, mark := v.number(p.line)
	if p.row > 0 {
		row.Gap(v.gutter() - row.X())
		return
	}
	if digits > 0 {
		row.AddRight(v.styles.Faint, theme.Text(strconv.Itoa(number)), digits)
		row.Gap(2)
	}
	if folds {
		row.AddCol(v.styles.Muted, mark, 2)
	}
}

func (v *Viewer) drawText(row *theme.Row, p place) {
	l := v.get(p.line)
	if v.wrap {
		start, end := v.span(l, p.row)
		if p.row > 0 {
			start += gap(l.Text[start:end])
		}
		v.drawBytes(row, p.line, start, end)
		return
	}
	start, end, lead := theme.Clip(l.Text, v.left, row.Rest())
	if end < len(l.Text) { // say that there is more
		start, end, lead = theme.Clip(l.Text, v.left, row.Rest()-1)
	}
	row.Gap(lead)
	v.drawBytes(row, p.line, start, end)
	if end < len(l.Text) {
		row.Add(v.styles.Faint, "…")
	}
}

// drawBytes puts bytes start to end of a line, with the hits in them.
func (v *Viewer) drawBytes(row *theme.Row, line, start, end int) {
	l := &v.get(line).Line
	from := max(0, start-len(v.query.text))
	for start < end {
		s, e, ok := v.query.Find(l.Text, from)
		if !ok || s >= end {
			break
		}
		if from = e; e <= start {
			continue
		}
		row.AddBytes(l, start, max(start, s))
		st := v.styles.Match
		if v.hit == (hit{line, s, true}) {
			st = st.On(v.styles.Accent)
		}
		row.Add(st, l.Text[max(start, s):min(e, end)])
		start = min(e, end)
	}
	if start < end {
		row.AddBytes(l, start, end)
	}
}
