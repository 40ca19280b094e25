package prompt

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
)

// lineFeeds undoes what terminals make of the line ends of a paste.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// paste puts text into the line. One JSON value that spans lines, comments
// allowed, becomes one line; of several lines enter makes as many commands.
func (m *model) paste(text string) {
	m.notice = ""
	m.closeLists()
	text = strings.Trim(lineFeeds.Replace(text), "\n")
	if strings.Contains(text, "\n") && m.question() == nil {
		if compact, err := rawjson.CompactLoose(nil, []byte(text)); err == nil {
			text = string(compact)
			m.notice = "compacted to one line"
		}
	}
	m.line.Update(tea.PasteMsg{Content: text})
}

// split makes commands of what was typed or pasted: a line each, but for those
// that go on in the next one. open is set if the last one does.
func (m *model) split(text string) (lines []string, open bool) {
	if !strings.Contains(text, "\n") && !m.isOpen(text) {
		return []string{text}, false
	}
	begun := ""
	for l := range strings.SplitSeq(text, "\n") {
		if open {
			l = begun + "\n" + l
		}
		if open = m.isOpen(l); open {
			begun = l
			continue
		}
		if strings.TrimSpace(l) != "" {
			lines = append(lines, l)
		}
	}
	return lines, open
}

func (m *model) isOpen(text string) bool { return m.opt.Open != nil && m.opt.Open(text) }
