package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// press takes a key. An alt+key that nothing is bound to is what terminals make
// of esc and a key that follow each other fast, and is taken for those.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	if msg.Mod&tea.ModAlt == 0 || m.bound(msg) {
		return m.pressOne(msg)
	}
	esc := m.pressOne(tea.KeyPressMsg{Code: tea.KeyEscape})
	msg.Mod &^= tea.ModAlt
	if msg.Mod&^tea.ModShift == 0 && msg.Code < tea.KeyExtended && msg.Code >= ' ' && msg.Code != tea.KeyBackspace {
		msg.Text = string(msg.Code)
		if msg.Mod == tea.ModShift {
			msg.Text = strings.ToUpper(msg.Text)
		}
	}
	return tea.Batch(esc, m.pressOne(msg))
}

// bound reports whether a key does something where the keys are.
func (m *Model) bound(msg tea.KeyPressMsg) bool {
	if m.overlay != nil {
		return false
	}
	for _, t := range m.desk.keys.Active(m.context()) {
		if key.Matches(msg, t.Bindings...) {
			return true
		}
	}
	return false
}

// pressOne gives a key to what is in front first, then to the pane that has the
// keys, then to what holds for all panes.
func (m *Model) pressOne(msg tea.KeyPressMsg) tea.Cmd {
	k := &m.desk.keys
	m.notice = ""
	if key.Matches(msg, k.Always.Quit) {
		if m.overlay == nil && m.focus == onConsole && m.console.stop(m) {
			return nil
		}
		return m.quit()
	}
	if m.overlay != nil {
		front := m.overlay
		done, cmd := front.press(m, msg)
		if done && m.overlay == front {
			m.overlay = nil
		}
		if m.overlay == nil {
			cmd = tea.Batch(cmd, m.console.next(m)) // it may have waited for an answer
		}
		return cmd
	}
	if key.Matches(msg, k.Always.Help) {
		m.overlay = newHelp(m)
		return nil
	}
	if key.Matches(msg, k.Always.Palette) {
		m.openPalette()
		return nil
	}
	if m.filter != nil {
		return m.pressFilter(msg)
	}
	if done, cmd := m.pressPane(msg); done {
		return cmd
	}
	if m.typing() {
		return nil
	}
	return m.pressGlobal(msg)
}

// pressPane gives a key to the pane that has the keys.
func (m *Model) pressPane(msg tea.KeyPressMsg) (bool, tea.Cmd) {
	switch m.focus {
	case onStart:
		return m.pressStart(msg)
	case onList:
		return m.pressList(msg)
	case onDetail:
		return m.detail.press(m, msg)
	case onTraffic:
		return m.pressTraffic(msg)
	case onConsole:
		return m.console.press(m, msg)
	case onWide:
		if m.wide != nil {
			return m.wide.update(m, msg)
		}
	}
	return false, nil
}

func (m *Model) pressGlobal(msg tea.KeyPressMsg) tea.Cmd {
	g := m.desk.keys.Global
	if m.desk.sess == nil {
		switch {
		case key.Matches(msg, g.Back):
			m.setFilter(onStart, "")
		case key.Matches(msg, g.Close):
			return m.quit()
		case key.Matches(msg, g.Help):
			m.overlay = newHelp(m)
		case key.Matches(msg, g.Palette):
			m.openPalette()
		}
		return nil
	}
	switch {
	case key.Matches(msg, g.Tools):
		m.goTab(tabTools)
	case key.Matches(msg, g.Resources):
		m.goTab(tabResources)
	case key.Matches(msg, g.Prompts):
		m.goTab(tabPrompts)
	case key.Matches(msg, g.Traffic):
		m.setFocus(onTraffic)
	case key.Matches(msg, g.Console):
		m.setFocus(onConsole)
	case key.Matches(msg, g.Info):
		m.openWide(m.info)
	case key.Matches(msg, g.Next):
		m.step(1)
	case key.Matches(msg, g.Prev):
		m.step(-1)
	case key.Matches(msg, g.Zoom):
		m.zoom = !m.zoom
		m.layout()
	case key.Matches(msg, g.Cancel):
		return m.cancel()
	case key.Matches(msg, g.Restart):
		return m.askRestart(nil)
	case key.Matches(msg, g.Mouse):
		m.mouse = !m.mouse
		if m.mouse {
			m.say("the mouse is parley's again")
		} else {
			m.say("the mouse is the terminal's: select as usual, M takes it back")
		}
	case key.Matches(msg, g.Help):
		m.overlay = newHelp(m)
	case key.Matches(msg, g.Palette):
		m.openPalette()
	case key.Matches(msg, g.Back):
		m.back()
	case key.Matches(msg, g.Close):
		if !m.back() {
			return m.askQuit()
		}
	}
	return nil
}

// back goes one step back and reports whether there was one.
func (m *Model) back() bool {
	switch {
	case m.zoom:
		m.zoom = false
		m.layout()
	case m.wide != nil:
		to := m.frame.from
		if m.wide != m.frame {
			to = onList
		}
		m.wide = nil
		m.setFocus(to)
	case m.focus == onTraffic && m.filterOf(onTraffic) != "":
		m.setFilter(onTraffic, "")
	case m.focus == onDetail || m.focus == onTraffic || m.focus == onConsole:
		m.setFocus(onList)
	case m.focus == onList && m.filterOf(onList) != "":
		m.setFilter(onList, "")
	default:
		return false
	}
	return true
}

func (m *Model) goTab(t tab) {
	m.cat.tab = t
	m.setFocus(onList)
	m.showSelected()
	m.layout()
}

// step goes to the next or the previous pane.
func (m *Model) step(by int) {
	if m.focus == onDetail && m.detail.step(by) {
		m.layout()
		return
	}
	ring := []focus{onList, onDetail, onTraffic, onConsole}
	if m.wide != nil {
		ring = []focus{onWide, onTraffic, onConsole}
	}
	at := 0
	for i, f := range ring {
		if f == m.focus {
			at = i
		}
	}
	next := ring[(at+by+len(ring))%len(ring)]
	if next == onDetail {
		m.detail.enter(by)
	}
	m.setFocus(next)
}

func (m *Model) openWide(w wide) {
	m.wide = w
	w.refresh()
	m.setFocus(onWide)
}
