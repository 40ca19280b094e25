package prompt

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// search looks for an earlier line that has some text in it, the newest first.
// What was found stands in the line.
type search struct {
	query string
	kept  string // what was being typed
	at    int    // where in the history it was found; its length for nowhere
}

// pressSearch narrows the search or ends it. It reports false for keys that
// mean what they mean without it, on the line that was found.
func (m *model) pressSearch(msg tea.KeyPressMsg) bool {
	s := m.search
	switch {
	case key.Matches(msg, m.keys.Search), key.Matches(msg, m.keys.Earlier):
		m.find(s.at-1, -1, false)
	case key.Matches(msg, m.keys.Later):
		m.find(s.at+1, 1, false)
	case key.Matches(msg, m.keys.Escape), key.Matches(msg, m.keys.Stop):
		m.line.SetText(s.kept)
		m.search = nil
	case key.Matches(msg, m.keys.Backspace):
		if r := []rune(s.query); len(r) > 0 {
			s.query = string(r[:len(r)-1])
			m.find(len(m.line.History())-1, -1, true)
		}
	case msg.Text != "" && msg.Mod&(tea.ModCtrl|tea.ModAlt) == 0:
		s.query += msg.Text
		m.find(min(s.at, len(m.line.History())-1), -1, true)
	case key.Matches(msg, m.keys.Take):
		m.search = nil
	default:
		m.search = nil
		return false
	}
	return true
}

// find looks from a place in the history on, in one direction. A line that is
// the one found before does not count again, unless the query has changed. If
// nothing is there, what was found stays as long as it has the query in it.
func (m *model) find(from, step int, changed bool) {
	s, lines := m.search, m.line.History()
	before := m.found()
	if s.query == "" {
		m.line.SetText(s.kept)
		s.at = len(lines)
		return
	}
	for i := from; i >= 0 && i < len(lines); i += step {
		if contains(lines[i], s.query) && (changed || lines[i] != before) {
			s.at = i
			m.line.SetText(lines[i])
			return
		}
	}
	m.notice = "no other line has it"
	if before == "" || !contains(before, s.query) {
		s.at = len(lines)
		m.line.SetText("")
		m.notice = "no line has it"
	}
}

// found is the line that the search has found; empty if none.
func (m *model) found() string {
	if lines := m.line.History(); m.search.at < len(lines) {
		return lines[m.search.at]
	}
	return ""
}

// contains compares without regard to case unless the query has capitals.
func contains(line, query string) bool {
	if query == strings.ToLower(query) {
		line = strings.ToLower(line)
	}
	return strings.Contains(line, query)
}
