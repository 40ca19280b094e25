package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// pressStart opens what is chosen on the start screen.
func (m *Model) pressStart(msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := m.desk.keys.Start
	switch {
	case key.Matches(msg, k.Open):
		return true, m.openChoice()
	case key.Matches(msg, k.Filter):
		m.openFilter(onStart)
		return true, nil
	}
	return m.start.update(msg), nil
}

func (m *Model) openChoice() tea.Cmd {
	c, ok := m.start.selected()
	if !ok {
		return nil
	}
	ctx, s := m.ctx, m.start.start
	switch c.kind {
	case demoRow:
		return func() tea.Msg { sess, err := s.Demo(ctx); return openedMsg{sess, err} }
	case serverRow:
		if c.server.Problem != "" {
			text := "✗ " + c.server.Problem
			if c.server.Hint != "" {
				text += "\n\nhint: " + c.server.Hint
			}
			m.overlay = &card{title: c.server.Name, text: text}
			return nil
		}
		return func() tea.Msg { sess, err := s.Connect(ctx, c.server.Name); return openedMsg{sess, err} }
	case sessionRow:
		return func() tea.Msg { sess, err := s.Open(c.session.Path); return openedMsg{sess, err} }
	}
	return nil
}

// pressList takes the keys of the catalogue.
func (m *Model) pressList(msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := m.desk.keys.List
	switch {
	case key.Matches(msg, k.Open):
		return true, m.openSelected()
	case key.Matches(msg, k.Filter):
		m.openFilter(onList)
	case key.Matches(msg, k.Reload):
		return true, m.reload()
	case key.Matches(msg, k.Subscribe):
		return true, m.subscribe()
	case key.Matches(msg, k.Copy):
		m.copyItem()
	default:
		if !m.cat.update(msg) {
			return false, nil
		}
		m.showSelected()
		m.layout()
	}
	return true, nil
}

// reload lists again, declared or not.
func (m *Model) reload() tea.Cmd {
	if why := m.live(); why != "" {
		m.say(why)
		return nil
	}
	var cmds []tea.Cmd
	for _, method := range tabMethods[m.cat.tab] {
		cmds = append(cmds, m.listFresh(method))
	}
	return tea.Batch(cmds...)
}

// openSelected goes to what is selected: a form to fill in, or a resource to read.
func (m *Model) openSelected() tea.Cmd {
	if _, ok := m.cat.selected(); !ok {
		m.say("nothing is selected")
		return nil
	}
	m.detail.enter(1)
	m.setFocus(onDetail)
	if m.detail.readsAtOnce() {
		return m.detail.send(m)
	}
	m.detail.startTyping()
	return nil
}

// pressTraffic takes the keys of the traffic.
func (m *Model) pressTraffic(msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := m.desk.keys.Traffic
	seq := m.traffic.selected()
	switch {
	case key.Matches(msg, k.Open):
		m.openFrame(seq, onTraffic)
	case key.Matches(msg, k.Filter):
		m.openFilter(onTraffic)
	case key.Matches(msg, k.HTTP):
		m.toggleHTTP()
	case key.Matches(msg, k.Carrier):
		m.goHTTP(seq)
	case key.Matches(msg, k.Partner):
		m.goPartner(seq)
	case key.Matches(msg, k.Repeat):
		return true, m.repeat(seq)
	case key.Matches(msg, k.Editor) && seq != 0:
		return true, m.editFrame(seq)
	case key.Matches(msg, k.Copy):
		m.copyFrame(seq)
	case key.Matches(msg, k.Hit), key.Matches(msg, k.HitUp):
		m.say("n and N go through what a search found; / filters here")
	default:
		if !m.traffic.update(msg) {
			return false, nil
		}
		if m.wide == m.frame {
			m.frame.show(m.traffic.selected())
		}
	}
	return true, nil
}

// goPartner selects the other half of an exchange.
func (m *Model) goPartner(seq uint64) {
	partner := m.desk.partner(seq)
	if partner == 0 {
		m.say("this frame has no partner")
		return
	}
	m.goFrame(partner)
}
