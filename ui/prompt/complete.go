package prompt

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/script"
)

// choice is a word that may be completed to several things.
type choice struct {
	list     []script.Completion
	from, to int    // where the word stands, with what was chosen
	word     string // as it was typed
	at       int    // the one that was put in its place; -1 for none
}

// complete completes the word at the cursor as far as it is certain, and lists
// what it may be. What begins with the word comes before what only has it
// somewhere.
func (m *model) complete() {
	if m.opt.Complete == nil {
		return
	}
	text := m.line.Text()
	from, to, list := m.opt.Complete(text, m.line.At())
	word := text[from:to]
	if begin := beginning(list, word); len(begin) > 0 {
		list = begin
	}
	switch len(list) {
	case 0:
		m.notice = "nothing to complete here"
		return
	case 1:
		m.line.Splice(from, to, list[0].Text+after(list[0].Text, text[to:]))
		return
	}
	if common := commonStart(list); len(common) > len(word) && strings.HasPrefix(common, word) {
		m.line.Splice(from, to, common)
		word, to = common, from+len(common)
	}
	m.choice = &choice{list: list, from: from, to: to, word: word, at: -1}
}

// beginning gives the completions that begin with what was typed.
func beginning(list []script.Completion, word string) (out []script.Completion) {
	for _, c := range list {
		if strings.HasPrefix(c.Text, word) {
			out = append(out, c)
		}
	}
	return out
}

// after is what comes behind a word that is complete: a blank, unless the word
// goes on or there is one.
func after(word, rest string) string {
	if word == "" || rest != "" || strings.HasPrefix(word, "$") || strings.ContainsAny(word[len(word)-1:], " =:/\\.[{") {
		return ""
	}
	return " "
}

// commonStart is what all completions begin with.
func commonStart(list []script.Completion) string {
	common := list[0].Text
	for _, c := range list[1:] {
		n := 0
		for n < len(common) && n < len(c.Text) && common[n] == c.Text[n] {
			n++
		}
		common = common[:n]
	}
	return strings.ToValidUTF8(common, "")
}

// pressChoice goes through the list. Another key closes it and means what it
// means without it.
func (m *model) pressChoice(msg tea.KeyPressMsg) bool {
	switch c := m.choice; {
	case key.Matches(msg, m.keys.Prompt.Complete), key.Matches(msg, m.keys.Prompt.Later):
		m.choose((c.at + 1) % len(c.list))
	case key.Matches(msg, m.keys.Prompt.Back), key.Matches(msg, m.keys.Prompt.Earlier):
		at := c.at - 1
		if at < 0 {
			at = len(c.list) - 1
		}
		m.choose(at)
	case key.Matches(msg, m.keys.Prompt.Escape):
		m.line.Splice(c.from, c.to, c.word)
		m.choice = nil
	default:
		m.choice = nil
		return false
	}
	return true
}

func (m *model) choose(at int) {
	c := m.choice
	c.at = at
	m.line.Splice(c.from, c.to, c.list[at].Text)
	c.to = c.from + len(c.list[at].Text)
}
