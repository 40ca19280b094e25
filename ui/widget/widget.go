// Package widget holds the pieces that panes are made of: a list, a viewer for
// long text, editors, rules and footers. They know text, keys and styles, and
// nothing of sessions.
//
// Every widget draws exactly the size it was given: View returns h lines, each
// exactly w cells wide, joined by line feeds. None measures or styles text that
// does not show, so that a frame costs what is on the screen and not what is in
// the log. Update is synchronous and reports whether it took the message;
// widgets start no commands. Mouse messages are relative to the widget, see
// [Relative]. Widgets belong to the goroutine of the program's Update.
package widget

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/theme"
)

// wheelRows is how far one turn of the wheel goes.
const wheelRows = 3

// Relative returns a mouse message as a widget sees it whose upper left corner
// is at x, y. Other messages are returned as they are.
func Relative(msg tea.Msg, x, y int) tea.Msg {
	switch m := msg.(type) {
	case tea.MouseClickMsg:
		m.X, m.Y = m.X-x, m.Y-y
		return m
	case tea.MouseReleaseMsg:
		m.X, m.Y = m.X-x, m.Y-y
		return m
	case tea.MouseWheelMsg:
		m.X, m.Y = m.X-x, m.Y-y
		return m
	case tea.MouseMotionMsg:
		m.X, m.Y = m.X-x, m.Y-y
		return m
	}
	return msg
}

// canvas collects the rows of one frame.
type canvas struct {
	out  []byte
	row  theme.Row
	w, h int
	y    int
}

// start begins a frame, keeping the memory of the last one.
func (c *canvas) start(w, h int) {
	c.out, c.w, c.h, c.y = c.out[:0], w, h, 0
}

// next begins a row.
func (c *canvas) next(base theme.Style) *theme.Row {
	c.row.Reset(c.w, base)
	return &c.row
}

// end puts the row that next began.
func (c *canvas) end() {
	if c.y > 0 {
		c.out = append(c.out, '\n')
	}
	c.out = c.row.AppendTo(c.out)
	c.y++
}

// finish fills the frame up with empty rows and returns it.
func (c *canvas) finish() string {
	for c.y < c.h {
		c.next(theme.Style{})
		c.end()
	}
	return string(c.out)
}

// say puts lines of explanation, for a widget that has nothing to show.
func (c *canvas) say(st theme.Style, lines []theme.Text) {
	for _, line := range lines {
		if c.y == c.h {
			return
		}
		row := c.next(theme.Style{})
		row.Gap(1)
		row.Add(st, line)
		c.end()
	}
}
