package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/theme"
	"parley/ui/widget"
)

// filterLine is a line being typed that narrows a list, or searches a text, as
// it grows.
type filterLine struct {
	field  *widget.Field
	on     focus
	before string // what held before, for esc
	label  theme.Text
}

// openFilter begins typing a filter for a pane, or a search in its text.
func (m *Model) openFilter(on focus) {
	f := &filterLine{field: widget.NewField(m.desk.keys.Filter.Edit, m.desk.st), on: on, before: m.filterOf(on)}
	f.label = "filter"
	if on == onDetail || on == onWide {
		f.label = "search"
	}
	f.field.Prompt = " / "
	f.field.SetText(f.before)
	f.field.SetFocused(true)
	m.filter = f
}

func (m *Model) pressFilter(msg tea.KeyPressMsg) tea.Cmd {
	k, f := m.desk.keys.Filter, m.filter
	switch {
	case key.Matches(msg, k.Accept):
		m.filter = nil
	case key.Matches(msg, k.Clear):
		m.filter = nil
		m.setFilter(f.on, "")
	case key.Matches(msg, k.Up), key.Matches(msg, k.Down):
		switch f.on {
		case onList:
			m.cat.update(msg)
			m.showSelected()
		case onTraffic:
			m.traffic.update(msg)
		case onStart:
			m.start.update(msg)
		}
	default:
		if f.field.Update(msg) {
			m.setFilter(f.on, f.field.Text())
		}
	}
	return nil
}

// filterOf is the filter that holds in a pane.
func (m *Model) filterOf(on focus) string {
	switch on {
	case onList:
		return m.cat.filter[m.cat.tab]
	case onTraffic:
		return m.traffic.holds
	case onStart:
		return m.start.filter
	}
	return ""
}

// setFilter narrows a list, or searches a text.
func (m *Model) setFilter(on focus, text string) {
	found := true
	switch on {
	case onList:
		m.cat.setFilter(text)
		m.showSelected()
	case onTraffic:
		m.traffic.filter(text)
	case onStart:
		m.start.setFilter(text)
	case onDetail:
		found = m.detail.search(text)
	case onWide:
		if m.wide != nil {
			found = m.wide.search(text)
		}
	}
	if !found && text != "" {
		m.say("not found: " + text)
	}
}
