package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/client/wire"
	"parley/ui/theme"
	"parley/ui/widget"
)

// maxRows bounds what is kept of what one line said: a loop may say much.
const maxRows = 1000

// maxTalk bounds the lines whose outcome is kept on the screen; all that went
// over the wire is in the session.
const maxTalk = 500

// said is a row of what a line gave: ours, or another's text as it came.
type said struct {
	style theme.Style
	text  string
}

func (j *job) say(style theme.Style, text string) {
	if len(j.said) >= maxRows {
		j.passed += maxRows / 2
		j.said = append([]said(nil), j.said[maxRows/2:]...)
	}
	j.said = append(j.said, said{style, text})
}

func (j *job) fail(d *desk, why string) { j.say(d.st.Error, "✗ "+why) }

// remember adds a line to the talk.
func (c *console) remember(j *job) {
	if len(c.talk) >= maxTalk {
		c.talk = append([]*job(nil), c.talk[len(c.talk)-maxTalk/2:]...)
	}
	c.talk = append(c.talk, j)
}

// talkRows are the last rows of the talk that fit, from scroll rows above its
// end.
func (c *console) talkRows(w, h int) []string {
	if h <= 0 {
		return nil
	}
	need := h + c.scroll
	var rows []string // the last first
	for i := len(c.talk) - 1; i >= 0 && len(rows) < need; i-- {
		own := c.talk[i].rows(c, w, need-len(rows))
		for j := len(own) - 1; j >= 0; j-- {
			rows = append(rows, own[j])
		}
	}
	c.scroll = max(0, min(c.scroll, len(rows)-h))
	rows = rows[min(c.scroll, len(rows)):]
	rows = rows[:min(h, len(rows))]
	out := make([]string, len(rows))
	for i := range rows {
		out[len(rows)-1-i] = rows[i]
	}
	return out
}

// rows draws a line that was typed, and what came of it. Of much that was said
// it is the end, at least need rows of it.
func (j *job) rows(c *console, w, need int) []string {
	d := c.desk
	row := theme.NewRow(w, theme.Style{})
	row.Add(d.st.Muted, " › ")
	row.Add(d.st.Muted, theme.SafeCut(j.line, row.Rest()))
	out := []string{row.String()}
	add := func(mark theme.Text, markStyle, style theme.Style, text theme.Text) {
		row.Reset(w, theme.Style{})
		row.Add(markStyle, mark)
		row.Add(style, text)
		out = append(out, row.String())
	}
	switch {
	case j.raw != nil && j.sess != d.sess:
	case j.raw != nil && j.seq != 0:
		j.answer(c, w, add)
	case j.state == jobWaiting:
		add("   ", theme.Style{}, d.st.Faint, "waits for its turn")
	case j.state == jobRunning:
		add("   ", theme.Style{}, d.st.Accent, theme.Text("● running "+took(d.now().Sub(j.since))))
	}
	first := max(0, len(j.said)-need) // a row each at least
	if n := first + j.passed; n > 0 {
		add("   ", theme.Style{}, d.st.Faint, theme.Text("… "+itoa(int64(n))+" before"))
	}
	for i := range j.said[first:] {
		s := &j.said[first+i]
		for _, l := range s.lines(w - 4) {
			add("   ", theme.Style{}, s.style, l)
		}
	}
	return out
}

// answer draws what came back to a raw line, or says that it went out.
func (j *job) answer(c *console, w int, add func(mark theme.Text, markStyle, style theme.Style, text theme.Text)) {
	d := c.desk
	if answer := d.state.Partner(j.seq); answer != 0 {
		if raw, err := d.sess.Log.Bytes(answer, 0, 4*w); err == nil {
			add(" ← ", d.st.In, d.st.Text, theme.SafeCut(string(raw), w))
		}
		return
	}
	if loss := d.record(d.links.lost[j.seq]); loss.Seq != 0 {
		if raw, err := d.sess.Log.Bytes(loss.Seq, 0, 64<<10); err == nil {
			if e, err := wire.ParseEvent(raw); err == nil {
				for _, l := range wrapped("✗ no answer: "+e.Text, w-4, maxSaid) {
					add("   ", theme.Style{}, d.st.Error, l)
				}
				return
			}
		}
	}
	text := "sent · " + size(int64(len(j.raw)))
	if j.form == wire.Request {
		text += " · no answer yet"
		if end := d.endAfter(j.seq); end.Seq != 0 {
			text = "sent · no answer: the server " + firstOf(endWords(end), "is gone")
		}
	}
	add("   ", theme.Style{}, d.st.Faint, theme.Text(text))
}

// lines wraps what was said to a width.
func (s *said) lines(w int) []theme.Text { return wrapped(s.text, w, maxSaid) }

// wrapped is text in rows of a width, each line of it in so many at most.
func wrapped(text string, w, most int) (out []theme.Text) {
	for _, l := range theme.SafeLines(strings.ReplaceAll(text, "\t", "    ")) {
		out = append(out, widget.Wrap(l, max(1, w), most)...)
	}
	return out
}

// maxSaid is how many rows one line of what was said may take.
const maxSaid = 8

// page goes through what was said: the document that is open, or the talk.
func (c *console) page(m *Model, by int) {
	if m.wide == m.paper {
		name := tea.KeyPressMsg{Code: tea.KeyPgUp}
		if by > 0 {
			name.Code = tea.KeyPgDown
		}
		m.paper.viewer.Update(name)
		return
	}
	c.scroll = max(0, c.scroll-by*c.roomAbove(m))
}

// wheel scrolls the talk.
func (c *console) wheel(msg tea.MouseWheelMsg) {
	switch msg.Button {
	case tea.MouseWheelUp:
		c.scroll++
	case tea.MouseWheelDown:
		c.scroll = max(0, c.scroll-1)
	}
}

// filledAbove puts rows over a last row, with empty ones on top.
func filledAbove(rows []string, last string, w, h int) string {
	out := make([]string, 0, h)
	for range h - 1 - len(rows) {
		out = append(out, theme.Spaces(w))
	}
	return strings.Join(append(append(out, rows...), last), "\n")
}

// paper shows what a line gave when it is longer than the console: help, a
// schema, a value, an answer to something that is in no list.
type paper struct {
	*infoPane
	name string
	raw  []byte // what copying takes
}

func newPaper(d *desk) *paper { return &paper{infoPane: newInfoPane(d)} }

func (p *paper) refresh() {} // it stays as it was said

func (p *paper) title() widget.Rule {
	return widget.Rule{Title: theme.SafeCut("console · "+p.name, maxTitle), Count: -1,
		Right: []widget.Part{{Text: "pgup pgdn read · esc back", Style: p.desk.st.Muted}}}
}

func (p *paper) update(m *Model, msg tea.Msg) (bool, tea.Cmd) {
	k := p.desk.keys.Info
	if press, ok := msg.(tea.KeyPressMsg); ok && !p.viewer.Pending() {
		switch {
		case key.Matches(press, k.Copy):
			m.copyText(p.name, p.raw)
			return true, nil
		case key.Matches(press, k.Editor):
			return true, m.view("console.txt", p.raw)
		}
	}
	return p.infoPane.update(m, msg)
}

// lay shows a document.
func (p *paper) lay(name string, text *doc, raw []byte) {
	p.name, p.raw = name, raw
	p.viewer.SetSource(text.source())
	p.viewer.SetCurrent(0)
}
