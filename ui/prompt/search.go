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
	s, k := m.search, &m.keys.Recall
	switch {
	case key.Matches(msg, k.Older):
		m.find(s.at-1, -1, false)
	case key.Matches(msg, k.Newer):
		m.find(s.at+1, 1, false)
	case key.Matches(msg, k.Close, m.keys.Prompt.Stop):
		m.line.SetText(s.kept)
		m.search = nil
	case key.Matches(msg, k.Backspace):
		if r := []rune(s.query); len(r) > 0 {
			m.lookFor(string(r[:len(r)-1]))
		}
	case key.Matches(msg, k.WordBack):
		m.lookFor(beforeWord(s.query))
	case key.Matches(msg, k.KillStart):
		m.lookFor("")
	case msg.Text != "" && msg.Mod&(tea.ModCtrl|tea.ModAlt) == 0:
		s.query += msg.Text
		m.find(min(s.at, len(m.line.History())-1), -1, true)
	default: // enter runs the line that was found, keys that move the cursor move in it
		m.search = nil
		return key.Matches(msg, m.keys.Prompt.Complete)
	}
	return true
}

// lookFor begins anew with other letters.
func (m *model) lookFor(query string) {
	m.search.query = query
	m.find(len(m.line.History())-1, -1, true)
}

// beforeWord leaves out the last word.
func beforeWord(text string) string {
	text = strings.TrimRight(text, " ")
	return text[:strings.LastIndexByte(text, ' ')+1]
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
