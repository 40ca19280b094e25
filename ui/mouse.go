package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/theme"
	"parley/ui/widget"
)

// point gives a mouse message to the pane under the pointer. A click takes the
// keys there; the wheel scrolls without taking them.
func (m *Model) point(msg tea.Msg) tea.Cmd {
	mouse, ok := msg.(tea.MouseMsg)
	if ok && !m.at.TooSmall {
		if done, cmd := m.pointPicker(msg, mouse.Mouse().Y); done {
			return cmd
		}
	}
	if !ok || m.overlay != nil || m.at.TooSmall {
		return nil
	}
	x, y := mouse.Mouse().X, mouse.Mouse().Y
	_, click := msg.(tea.MouseClickMsg)
	if m.desk.sess == nil {
		_, before, _ := m.start.list.Selected()
		m.start.update(widget.Relative(msg, 0, 2))
		if _, now, ok := m.start.list.Selected(); click && ok && now == before {
			return m.openChoice()
		}
		return nil
	}
	pane := m.at.Hit(x, y)
	r := m.at.Rect(pane)
	if click {
		m.filter = nil
		if !r.Has(x, y) { // its rule
			m.clickRule(pane, x)
			return nil
		}
	}
	return m.pointPane(widget.Relative(msg, r.X, r.Y), pane, click)
}

// pointPicker gives a mouse message to the list above a line, if it is over one.
// A click chooses; of the palette, one on what is chosen takes it.
func (m *Model) pointPicker(msg tea.Msg, y int) (bool, tea.Cmd) {
	p, inPalette := m.overlay.(*palette)
	c := m.console
	var picker *widget.Picker
	var at layout.Rect
	switch {
	case inPalette:
		_, at = p.place(m)
		picker = p.picker
	case m.overlay == nil && m.picking():
		_, at = c.place(m)
		picker = c.picker
	default:
		return false, nil
	}
	if y < at.Y || y >= at.Y+at.H {
		return inPalette, nil
	}
	if wheel, ok := msg.(tea.MouseWheelMsg); ok {
		by := 1
		if wheel.Button == tea.MouseWheelUp {
			by = -1
		}
		if picker.At() < 0 {
			picker.Choose(0)
		}
		picker.Choose(max(0, picker.At()+by))
		return true, nil
	}
	i := picker.RowAt(y - at.Y)
	if i < 0 {
		return true, nil
	}
	before := picker.At()
	picker.Choose(i)
	switch {
	case inPalette && before == i && p.offers == nil:
		p.moved = true
		done, cmd := p.take(m)
		if done && m.overlay == overlay(p) {
			m.overlay = nil
		}
		return true, cmd
	case inPalette:
		p.choose(0)
	case c.recall != nil:
		c.takeRecalled(m)
	case c.offers != nil:
		c.choose(0)
	}
	return true, nil
}

func (m *Model) pointPane(msg tea.Msg, pane layout.Pane, click bool) tea.Cmd {
	switch pane {
	case layout.List:
		if click {
			m.setFocus(onList)
		}
		m.cat.update(msg)
		m.showSelected()
	case layout.Detail:
		if click {
			m.detail.into(keys.InForm)
			m.setFocus(onDetail)
		}
		m.detail.point(msg)
	case layout.Result:
		if click {
			m.detail.into(keys.InResult)
			m.setFocus(onDetail)
		}
		m.detail.result.Update(msg)
	case layout.Traffic:
		before := m.traffic.selected()
		m.traffic.update(msg)
		if !click {
			return nil
		}
		again := m.focus == onTraffic && before == m.traffic.selected()
		m.setFocus(onTraffic)
		if again {
			m.openFrame(before, onTraffic)
		} else if m.wide == m.frame {
			m.frame.show(m.traffic.selected())
		}
	case layout.Console:
		if click {
			m.setFocus(onConsole)
		} else if wheel, ok := msg.(tea.MouseWheelMsg); ok {
			m.console.wheel(wheel)
		}
		m.console.line.Update(widget.Relative(msg, 0, m.at.Rect(layout.Console).H-1))
	case layout.Frame:
		if click {
			m.setFocus(onWide)
		}
		if m.wide == m.frame {
			msg = widget.Relative(msg, 0, len(m.frame.findingRows(m.w, m.at.Rect(layout.Frame).H/3)))
		}
		_, cmd := m.wide.update(m, msg)
		return cmd
	}
	return nil
}

// clickRule takes the keys to a pane, or to the list whose name was clicked.
func (m *Model) clickRule(pane layout.Pane, x int) {
	switch pane {
	case layout.List:
		at := m.at.Rect(layout.List).X + 2
		for i, p := range m.listTitle().State {
			w := theme.Width(p.Text)
			if x >= at && x < at+w {
				m.goTab(tab(i))
				return
			}
			at += w + 3 // the dot between them
		}
		m.setFocus(onList)
	case layout.Detail:
		m.detail.into(keys.InForm)
		m.setFocus(onDetail)
	case layout.Result:
		m.detail.into(keys.InResult)
		m.setFocus(onDetail)
	case layout.Traffic:
		m.setFocus(onTraffic)
	case layout.Console:
		m.setFocus(onConsole)
	}
}

// cursor is where the terminal's cursor stands, while something is typed.
func (m *Model) cursor() *tea.Cursor {
	if p, ok := m.overlay.(*palette); ok && !m.at.TooSmall {
		return p.cursor(m)
	}
	if m.overlay != nil || m.at.TooSmall {
		return nil
	}
	if m.filter != nil {
		return moved(m.filter.field.Cursor(), 0, m.h-1)
	}
	switch m.pane() {
	case layout.Console:
		r := m.at.Rect(layout.Console)
		return moved(m.console.cursor(), r.X, r.Y+r.H-1)
	case layout.Detail:
		r := m.at.Rect(layout.Detail)
		return moved(m.detail.cursor(), r.X, r.Y)
	}
	return nil
}

func moved(c *tea.Cursor, x, y int) *tea.Cursor {
	if c != nil {
		c.X, c.Y = c.X+x, c.Y+y
	}
	return c
}

// paste gives pasted text to what is being typed into.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	p, inPalette := m.overlay.(*palette)
	switch {
	case inPalette:
		line := string(oneLine([]byte(lineFeeds.Replace(msg.Content))))
		if strings.Contains(line, "\n") {
			m.say("here goes one line; the console takes several: 5")
			return nil
		}
		p.edit(m, tea.PasteMsg{Content: line})
	case m.overlay != nil:
	case m.filter != nil:
		m.filter.edit(m, msg)
	case m.focus == onConsole:
		return m.console.paste(m, msg.Content, false)
	case m.focus == onDetail:
		m.detail.paste(m, msg)
	default:
		m.say("paste goes into a field or into the console: 5")
	}
	return nil
}

// wheelPace is how often turns of the wheel are looked at.
const wheelPace = 16 * time.Millisecond

// mergeWheel drops turns of the wheel that come faster than a screen is drawn:
// touchpads send hundreds.
func mergeWheel() func(tea.Model, tea.Msg) tea.Msg {
	var last time.Time
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		if _, ok := msg.(tea.MouseWheelMsg); ok {
			if now := time.Now(); now.Sub(last) < wheelPace {
				return nil
			} else {
				last = now
			}
		}
		return msg
	}
}

// ending is the time that a server has to end once the screen is gone; a
// signal makes it short.
func ending(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() != nil {
		return context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	}
	return context.WithCancel(ctx)
}
