package widget

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/theme"
)

// RawLine is the line of the console: a [Field] whose bytes are sent as they
// are, with the lines entered before.
type RawLine struct {
	Field

	keys    keys.Console
	history []string       // oldest first
	at      int            // the line shown; len(history) is the draft
	drafts  map[int]string // what was typed there, of lines that were left
}

// NewRawLine returns an empty line.
func NewRawLine(k keys.Console, st *theme.Styles) *RawLine {
	l := &RawLine{Field: *NewField(k.Edit, st), keys: k}
	l.Prompt = "› "
	return l
}

// SetHistory sets the lines that were entered before, oldest first.
func (l *RawLine) SetHistory(lines []string) {
	draft := l.Text()
	l.history = slices.Clone(lines)
	l.at, l.drafts = len(l.history), nil
	l.SetText(draft)
}

// History returns the lines that were entered, oldest first.
func (l *RawLine) History() []string { return l.history }

// Enter returns what was typed, adds it to the history and empties the line.
func (l *RawLine) Enter() string {
	text := l.Text()
	if text != "" && (len(l.history) == 0 || l.history[len(l.history)-1] != text) {
		l.history = append(l.history, text)
	}
	l.at, l.drafts = len(l.history), nil
	l.SetText("")
	return text
}

// Update edits the line or goes through the history.
func (l *RawLine) Update(msg tea.Msg) bool {
	if press, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(press, l.keys.Earlier):
			return l.recall(l.at - 1)
		case key.Matches(press, l.keys.Later):
			return l.recall(l.at + 1)
		}
	}
	return l.Field.Update(msg)
}

// recall shows a line of the history, or the draft behind its end. A line that
// was changed there is a draft of its own until one is entered; the history
// keeps what was entered.
func (l *RawLine) recall(at int) bool {
	if at < 0 || at > len(l.history) {
		return true // nothing further, but the key was meant for us
	}
	if l.drafts == nil {
		l.drafts = map[int]string{}
	}
	l.drafts[l.at] = l.Text()
	l.at = at
	if draft, left := l.drafts[at]; left {
		l.SetText(draft)
	} else {
		l.SetText(l.history[at])
	}
	return true
}
