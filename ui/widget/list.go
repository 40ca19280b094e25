package widget

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/theme"
)

// Records is what a [List] shows: an ordered collection whose records have an
// identity. It is asked only for records that show, and for the one selected.
type Records[K comparable] interface {
	Len() int
	Key(i int) K
	// Draw puts record i on a row. The list has drawn the mark already.
	Draw(row *theme.Row, i int, s RowState)
}

// Finder is implemented by records that can find a key faster than by looking
// at all of them.
type Finder[K comparable] interface {
	Index(k K) (i int, ok bool)
}

// RowState says how a row is drawn.
type RowState struct {
	Selected bool
	Focused  bool // the list has the keys
}

// List shows a window on records, one row each, and has one of them selected.
//
// The selection is an identity: it stays on its record when records come, go
// or move, and what is on the screen stays where it is while records are added.
// Call [List.Refresh] when the records changed.
type List[K comparable] struct {
	// Empty is shown when there is nothing to list: it says what to do.
	Empty []theme.Text

	recs    Records[K]
	keys    keys.Move
	styles  *theme.Styles
	w, h    int
	focused bool

	filter   []int // records that show, ascending
	filtered bool

	top    int // position of the first row
	topKey K
	sel    int // position of the selection
	selRec int // its record
	selKey K
	some   bool // selKey and topKey are set
	tail   bool // the key for the last row starts following
	follow bool

	canvas canvas
}

// NewList returns a list with the first record selected.
func NewList[K comparable](recs Records[K], move keys.Move, st *theme.Styles) *List[K] {
	l := &List[K]{recs: recs, keys: move, styles: st}
	l.Refresh()
	return l
}

// SetStyles changes the colours.
func (l *List[K]) SetStyles(st *theme.Styles) { l.styles = st }

// SetFocused says whether the list has the keys.
func (l *List[K]) SetFocused(on bool) { l.focused = on }

// SetSize sets the size in cells. The selection stays visible if it was.
func (l *List[K]) SetSize(w, h int) {
	seen := l.visible()
	l.w, l.h = max(0, w), max(0, h)
	if seen {
		l.reveal()
	}
	l.settle()
}

// SetFollow makes the list stay at its end, the newest record selected, until
// the user goes elsewhere; from then on the key for the last row starts it
// again. A list that was never asked to follow does not.
func (l *List[K]) SetFollow(on bool) {
	l.tail, l.follow = true, on
	l.Refresh()
}

// Following reports whether the list stays at its end.
func (l *List[K]) Following() bool { return l.follow }

// SetFilter shows only the records whose numbers are given, in ascending order.
// The slice may be extended and set again when records were added.
func (l *List[K]) SetFilter(records []int) {
	l.filter, l.filtered = records, true
	l.Refresh()
}

// ClearFilter shows every record.
func (l *List[K]) ClearFilter() {
	l.filter, l.filtered = nil, false
	l.Refresh()
}

// Len is the number of rows, of which the window shows some.
func (l *List[K]) Len() int {
	if l.filtered {
		return len(l.filter)
	}
	return l.recs.Len()
}

// Window returns the first row that shows and the one after the last.
func (l *List[K]) Window() (from, to int) {
	return l.top, min(l.top+l.h, l.Len())
}

// Selected returns the selected record and its identity.
func (l *List[K]) Selected() (k K, i int, ok bool) {
	if !l.some || l.sel >= l.Len() {
		return k, 0, false
	}
	return l.selKey, l.record(l.sel), true
}

// Select goes to a record. It reports whether the record is listed.
func (l *List[K]) Select(k K) bool {
	pos, ok := l.position(k)
	if !ok {
		return false
	}
	l.follow = false
	l.moveTo(pos)
	return true
}

// Refresh takes in that records changed.
func (l *List[K]) Refresh() {
	n := l.Len()
	if n == 0 {
		l.top, l.sel = 0, 0 // the keys stay, for when the records come back
		return
	}
	if l.follow {
		l.moveTo(n - 1)
		return
	}
	if !l.some {
		l.moveTo(0)
		return
	}
	line, seen := l.sel-l.top, l.visible()
	pos, found := l.position(l.selKey)
	if !found {
		pos = l.nearest(n)
	}
	switch {
	case seen:
		l.top = pos - line
	default:
		if top, ok := l.position(l.topKey); ok {
			l.top = top
		}
	}
	l.mark(pos)
	l.settle()
}

// nearest is where the selection goes when its record is gone.
func (l *List[K]) nearest(n int) int {
	pos := l.sel
	if l.filtered {
		pos, _ = slices.BinarySearch(l.filter, l.selRec)
	}
	return min(pos, n-1)
}

// record returns the record at a position.
func (l *List[K]) record(pos int) int {
	if l.filtered {
		return l.filter[pos]
	}
	return pos
}

// position returns where a key is listed. It looks first where it was last.
func (l *List[K]) position(k K) (pos int, ok bool) {
	n := l.Len()
	for _, pos := range [...]int{l.sel, l.top} {
		if pos < n && l.recs.Key(l.record(pos)) == k {
			return pos, true
		}
	}
	rec, ok := l.index(k)
	if !ok || !l.filtered {
		return rec, ok
	}
	return slices.BinarySearch(l.filter, rec)
}

func (l *List[K]) index(k K) (rec int, ok bool) {
	if f, ok := l.recs.(Finder[K]); ok {
		return f.Index(k)
	}
	for i := range l.recs.Len() {
		if l.recs.Key(i) == k {
			return i, true
		}
	}
	return 0, false
}

// mark selects a position, without showing it.
func (l *List[K]) mark(pos int) {
	l.sel, l.selRec = pos, l.record(pos)
	l.selKey, l.some = l.recs.Key(l.selRec), true
}

// moveTo selects a position, which is brought into the list, and shows it.
func (l *List[K]) moveTo(pos int) {
	n := l.Len()
	if n == 0 {
		return
	}
	l.mark(max(0, min(pos, n-1)))
	l.reveal()
	l.settle()
}

func (l *List[K]) visible() bool { return l.sel >= l.top && l.sel < l.top+l.h }

// reveal scrolls as little as shows the selection.
func (l *List[K]) reveal() {
	l.top = min(l.sel, max(l.top, l.sel-l.h+1))
}

// settle keeps the window inside the list and remembers what it begins with.
func (l *List[K]) settle() {
	n := l.Len()
	l.top = max(0, min(l.top, n-l.h))
	if l.top < n {
		l.topKey = l.recs.Key(l.record(l.top))
	}
}

// Update moves the selection or the window.
func (l *List[K]) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return l.press(msg)
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			l.follow = false
			l.top -= wheelRows
		case tea.MouseWheelDown:
			l.top += wheelRows
		default:
			return false
		}
		l.settle()
		return true
	case tea.MouseClickMsg:
		pos := l.top + msg.Y
		if msg.Button != tea.MouseLeft || msg.Y < 0 || msg.Y >= l.h || pos >= l.Len() {
			return false
		}
		l.follow = l.follow && pos == l.Len()-1
		l.moveTo(pos)
		return true
	}
	return false
}

func (l *List[K]) press(msg tea.KeyPressMsg) bool {
	half, page := max(1, l.h/2), max(1, l.h-1)
	switch {
	case key.Matches(msg, l.keys.Up):
		l.step(-1, false)
	case key.Matches(msg, l.keys.Down):
		l.step(1, false)
	case key.Matches(msg, l.keys.HalfUp):
		l.step(-half, true)
	case key.Matches(msg, l.keys.HalfDown):
		l.step(half, true)
	case key.Matches(msg, l.keys.PageUp):
		l.step(-page, true)
	case key.Matches(msg, l.keys.PageDown):
		l.step(page, true)
	case key.Matches(msg, l.keys.Top):
		l.follow = false
		l.moveTo(0)
	case key.Matches(msg, l.keys.Bottom):
		l.follow = l.tail
		l.moveTo(l.Len() - 1)
	default:
		return false
	}
	return true
}

// step moves the selection by n rows, and the window with it when scroll is
// set and the selection shows.
func (l *List[K]) step(n int, scroll bool) {
	if n < 0 || !l.visible() {
		l.follow = false
	}
	if scroll && l.visible() {
		l.top = max(0, min(l.top+n, l.Len()-l.h))
	}
	l.moveTo(l.sel + n)
}

// View draws the window.
func (l *List[K]) View() string {
	c := &l.canvas
	c.start(l.w, l.h)
	n := l.Len()
	if n == 0 {
		c.say(l.styles.Muted, l.Empty)
	}
	// Between a change of the records and Refresh the window may be off.
	for pos := min(l.top, max(0, n-l.h)); pos < n && c.y < c.h; pos++ {
		s := RowState{Selected: pos == l.sel && l.some, Focused: l.focused}
		row := c.next(l.base(s))
		drawMark(row, l.styles, s)
		l.recs.Draw(row, l.record(pos), s)
		c.end()
	}
	return c.finish()
}

func (l *List[K]) base(s RowState) theme.Style {
	if s.Selected && s.Focused {
		return l.styles.Selection
	}
	return theme.Style{}
}

// drawMark puts the one cell that tells the selected row: thick where the keys
// are, thin elsewhere.
func drawMark(row *theme.Row, st *theme.Styles, s RowState) {
	switch {
	case s.Selected && s.Focused:
		row.Add(st.Accent, "▌")
	case s.Selected:
		row.Add(st.Muted, "│")
	default:
		row.Gap(1)
	}
}
