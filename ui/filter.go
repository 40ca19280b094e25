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
	missed bool   // nothing in the text is what was typed
}

// openFilter begins typing a filter for a pane, or a search in its text.
func (m *Model) openFilter(on focus) {
	f := &filterLine{field: widget.NewField(m.desk.keys.Filter.Edit, m.desk.st), on: on, before: m.filterOf(on)}
	f.field.Prompt = " / "
	f.field.SetFocused(true)
	m.filter = f
}

func (m *Model) pressFilter(msg tea.KeyPressMsg) tea.Cmd {
	k, f := m.desk.keys.Filter, m.filter
	switch {
	case key.Matches(msg, k.Accept):
		m.filter = nil
		if f.missed {
			m.say("not found: " + f.field.Text())
		}
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
		f.edit(m, msg)
	}
	return nil
}

// edit takes what is typed, and narrows or searches by it at once.
func (f *filterLine) edit(m *Model, msg tea.Msg) {
	if f.field.Update(msg) {
		f.missed = !m.setFilter(f.on, f.field.Text())
	}
}

// draw puts the line on a row, with what the keys do at its end.
func (f *filterLine) draw(row *theme.Row, st *theme.Styles) {
	style, hint := st.Muted, theme.Text("enter keep   esc drop ")
	if f.missed {
		style, hint = st.Error, "not found   esc drop "
	}
	f.field.SetSize(max(1, row.Rest()-theme.Width(hint)-2), 1)
	f.field.Draw(row)
	row.AddEnd(style, hint, 1)
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

// setFilter narrows a list, or searches a text; it reports whether a search has
// a hit.
func (m *Model) setFilter(on focus, text string) (found bool) {
	switch on {
	case onList:
		m.cat.setFilter(text)
		m.showSelected()
	case onTraffic:
		m.traffic.filter(text)
	case onStart:
		m.start.setFilter(text)
	case onDetail:
		return m.detail.search(text)
	case onWide:
		return m.wide == nil || m.wide.search(text)
	}
	return true
}

// nextHit goes to the next hit of a search, or says why it cannot.
func (m *Model) nextHit(v *widget.Viewer, query string, step int) {
	switch {
	case query == "":
		m.say("/ searches")
	case !v.NextHit(step):
		m.say("not found: " + query)
	}
}
