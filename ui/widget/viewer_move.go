package widget

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/theme"
)

// sideStep is how many cells one key press moves sideways.
const sideStep = 8

// known extends what is known of the rows of l until row is, or the line ends.
func (v *Viewer) known(l *wrapped, row int) {
	w := v.width()
	for !l.done && len(l.rows) <= row {
		start := l.rows[len(l.rows)-1]
		next := start + rowLen(l.Text[start:], w)
		if next >= len(l.Text) {
			l.done = true
			return
		}
		l.rows = append(l.rows, next)
	}
}

// rowLen returns how many bytes of t make the first row of w cells. A row ends
// after a space where the text has one in its second half.
func rowLen(t theme.Text, w int) int {
	n, _ := theme.Fit(t, w)
	if n < len(t) && t[n] != ' ' {
		if i := strings.LastIndexByte(string(t[n/2:n]), ' '); i >= 0 {
			return n/2 + i + 1
		}
	}
	return n
}

// Wrap splits t into at most most rows of w cells, as a viewer does. Text that
// needs more ends with ….
func Wrap(t theme.Text, w, most int) []theme.Text {
	var rows []theme.Text
	for w > 0 && len(rows) < most {
		if len(rows) > 0 {
			t = t[gap(t):]
		}
		n := rowLen(t, w)
		if len(rows) == most-1 && n < len(t) {
			return append(rows, theme.Cut(t, w))
		}
		rows = append(rows, t[:n])
		if t = t[n:]; t == "" {
			break
		}
	}
	return rows
}

// gap is the length of the blank between two words that a row after the first begins
// with: it stays with the row before, where nobody sees it.
func gap(t theme.Text) int {
	if len(t) > 1 && t[0] == ' ' && t[1] != ' ' {
		return 1
	}
	return 0
}

// span returns the bytes of one row.
func (v *Viewer) span(l *wrapped, row int) (start, end int) {
	v.known(l, row+1)
	row = min(row, len(l.rows)-1)
	if row+1 < len(l.rows) {
		return l.rows[row], l.rows[row+1]
	}
	return l.rows[row], len(l.Text)
}

// after returns the place one row below p.
func (v *Viewer) after(p place) place {
	if v.wrap {
		l := v.get(p.line)
		if v.known(l, p.row+1); p.row+1 < len(l.rows) {
			return place{p.line, p.row + 1}
		}
	}
	return place{p.line + 1, 0}
}

// before returns the place one row above p.
func (v *Viewer) before(p place) (place, bool) {
	switch {
	case p.row > 0:
		return place{p.line, p.row - 1}, true
	case p.line > 0:
		return v.lastRow(p.line - 1), true
	}
	return p, false
}

// lastRow returns the place of the last row of a line.
func (v *Viewer) lastRow(line int) place {
	if !v.wrap {
		return place{line, 0}
	}
	l := v.get(line)
	for !l.done {
		v.known(l, 2*len(l.rows))
	}
	return place{line, len(l.rows) - 1}
}

// distance counts the rows from a to b, which is not before a, up to most.
func (v *Viewer) distance(a, b place, most int) int {
	if !v.wrap {
		return min(b.line-a.line, most)
	}
	n := 0
	for ; a != b && a.line <= b.line && n < most; n++ {
		a = v.after(a)
	}
	return n
}

// up returns the place n rows above p.
func (v *Viewer) up(p place, n int) place {
	if !v.wrap {
		return place{max(0, p.line-n), 0}
	}
	for ok := true; n > 0 && ok; n-- {
		p, ok = v.before(p)
	}
	return p
}

// settle keeps the window inside the text.
func (v *Viewer) settle() {
	n := v.src.Lines()
	switch {
	case n == 0:
		v.top = place{}
		return
	case v.top.line >= n:
		v.top = v.lastRow(n - 1)
	}
	if have := v.distance(v.top, place{n, 0}, v.h); have < v.h {
		v.top = v.up(v.top, v.h-have)
	}
}

// scroll moves the window by n rows.
func (v *Viewer) scroll(n int) {
	if n < 0 {
		v.follow = false
		v.top = v.up(v.top, -n)
		return
	}
	if !v.wrap {
		v.top.line += n
	} else {
		for last := v.src.Lines(); n > 0 && v.top.line < last; n-- {
			v.top = v.after(v.top)
		}
	}
	v.settle()
}

// end shows the end of the text.
func (v *Viewer) end() {
	if n := v.src.Lines(); n > 0 {
		v.cur = n - 1
		v.top = v.up(v.lastRow(n-1), v.h-1)
	}
}

// goTo puts the mark on a line and shows it; without a mark the line comes to
// the top.
func (v *Viewer) goTo(line int) {
	line = max(0, min(line, v.src.Lines()-1))
	v.cur = line
	if !v.Select {
		v.top = place{line, 0}
		v.settle()
		return
	}
	v.reveal(place{line, 0})
}

// reveal scrolls as little as shows p.
func (v *Viewer) reveal(p place) {
	if p.line < v.top.line || p.line == v.top.line && p.row < v.top.row {
		v.top = p
	} else if v.distance(v.top, p, v.h) >= v.h {
		v.top = v.up(p, v.h-1)
	}
	v.settle()
}

// shows reports whether the last row of a line is on the screen.
func (v *Viewer) shows(line int) bool {
	return v.distance(v.top, place{line + 1, 0}, v.h+1) <= v.h
}

// Update moves the window or the mark, folds, and goes from hit to hit.
func (v *Viewer) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return v.press(msg)
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			v.scroll(-wheelRows)
		case tea.MouseWheelDown:
			v.scroll(wheelRows)
		case tea.MouseWheelLeft:
			v.sideways(-sideStep)
		case tea.MouseWheelRight:
			v.sideways(sideStep)
		default:
			return false
		}
		return true
	case tea.MouseClickMsg:
		return msg.Button == tea.MouseLeft && v.click(msg.X, msg.Y)
	}
	return false
}

func (v *Viewer) click(x, y int) bool {
	p := v.top
	for ; y > 0 && p.line < v.src.Lines(); y-- {
		p = v.after(p)
	}
	if y != 0 || p.line >= v.src.Lines() {
		return false
	}
	gutter := v.gutter()
	if f, ok := v.src.(Folder); ok && x < gutter && x >= gutter-2 {
		v.fold(f.Toggle(p.line))
		return true
	}
	if v.Select {
		v.cur = p.line
	}
	return v.Select
}

func (v *Viewer) press(msg tea.KeyPressMsg) bool {
	if v.pending {
		v.pending = false
		if f, ok := v.src.(Folder); ok && len(msg.Text) == 1 && msg.Text[0] >= '1' && msg.Text[0] <= '9' {
			v.fold(f.Level(int(msg.Text[0]-'0'), v.Current()), true)
			return true
		}
	}
	half, page := max(1, v.h/2), max(1, v.h-1)
	switch {
	case key.Matches(msg, v.keys.Up):
		v.step(-1)
	case key.Matches(msg, v.keys.Down):
		v.step(1)
	case key.Matches(msg, v.keys.HalfUp):
		v.jump(-half)
	case key.Matches(msg, v.keys.HalfDown):
		v.jump(half)
	case key.Matches(msg, v.keys.PageUp):
		v.jump(-page)
	case key.Matches(msg, v.keys.PageDown):
		v.jump(page)
	case key.Matches(msg, v.keys.Top):
		v.SetCurrent(0)
	case key.Matches(msg, v.keys.Bottom):
		v.follow = v.tail
		v.end()
	case key.Matches(msg, v.keys.Left):
		v.sideways(-sideStep)
	case key.Matches(msg, v.keys.Right):
		v.sideways(sideStep)
	case key.Matches(msg, v.keys.Wrap):
		v.SetWrap(!v.wrap)
	case key.Matches(msg, v.keys.Hit):
		return v.NextHit(1)
	case key.Matches(msg, v.keys.HitUp):
		return v.NextHit(-1)
	default:
		return v.pressFold(msg)
	}
	return true
}

func (v *Viewer) pressFold(msg tea.KeyPressMsg) bool {
	f, ok := v.src.(Folder)
	switch {
	case ok && key.Matches(msg, v.keys.Toggle):
		v.fold(f.Toggle(v.Current()))
	case ok && key.Matches(msg, v.keys.Level):
		v.pending = true
	default:
		return false
	}
	return true
}

// fold takes in that the source folded, and shows the line at.
func (v *Viewer) fold(at int, ok bool) {
	if !ok {
		return
	}
	v.hit = hit{}
	v.Refresh()
	v.goTo(at)
}

// step goes to the next line. A line that is longer than the screen is scrolled
// through first.
func (v *Viewer) step(n int) {
	switch {
	case !v.Select || v.wrap && n > 0 && v.cur >= v.top.line && !v.shows(v.cur):
		v.scroll(n)
	case v.wrap && n < 0 && v.cur == v.top.line && v.top.row > 0:
		v.scroll(n)
	case v.wrap && n < 0 && v.cur > 0 && v.lastRow(v.cur-1).row >= v.h:
		v.follow = false
		v.cur--
		v.reveal(v.lastRow(v.cur))
	default:
		v.SetCurrent(v.cur + n)
	}
}

// jump goes n rows, the mark with the window.
func (v *Viewer) jump(n int) {
	top := v.top
	v.scroll(n)
	if !v.Select {
		return
	}
	if v.top == top { // at an end already
		v.SetCurrent(v.cur + n)
		return
	}
	from, to, _ := v.Window()
	v.cur = max(from, min(v.cur+n, to-1))
}

// sideways moves the window by n cells as long as there is text to see.
func (v *Viewer) sideways(n int) {
	if v.wrap {
		return
	}
	if n < 0 {
		v.left = max(0, v.left+n)
		return
	}
	w := v.width()
	for i := v.top.line; i < min(v.top.line+v.h, v.src.Lines()); i++ {
		if t := v.get(i).Text; len(t) > v.left+w {
			if _, end, _ := theme.Clip(t, v.left, w); end < len(t) {
				v.left += n
				return
			}
		}
	}
}
