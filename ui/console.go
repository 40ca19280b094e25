package ui

import (
	"bytes"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
	"parley/client/wire"
	"parley/ui/theme"
	"parley/ui/widget"
)

// console sends lines exactly as they are typed: one that begins with { or [,
// and the rest of one that begins with "raw ".
type console struct {
	desk *desk
	line *widget.RawLine
	on   bool
}

func newConsole(d *desk) *console {
	c := &console{desk: d, line: widget.NewRawLine(d.keys.Console, d.st)}
	c.line.Prompt = " › "
	c.line.Hint = `{"jsonrpc":"2.0",…} goes out as typed; raw ANYTHING does too`
	c.reset()
	return c
}

func (c *console) reset() { c.line.SetHistory(c.desk.memory.Console()) }

func (c *console) focus(on bool) { c.on = on; c.line.SetFocused(on) }

// typed splits what was typed into the bytes to send, or says what it is not.
func typed(line string) (raw []byte, why string) {
	switch {
	case line == "":
		return nil, "nothing was typed"
	case line[0] == '{' || line[0] == '[':
		return []byte(line), ""
	case line == "raw":
		return nil, "raw sends the rest of the line as it is: raw ANYTHING"
	case len(line) > 4 && line[:4] == "raw ":
		return []byte(line[4:]), ""
	}
	return nil, "this line begins with neither { nor [: to send it as it is, write raw before it"
}

func (c *console) press(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := c.desk.keys.Console
	switch {
	case key.Matches(msg, k.Send):
		return true, c.send(m)
	case key.Matches(msg, k.Leave):
		m.setFocus(onList)
	case key.Matches(msg, k.Editor):
		return true, m.edit("line.json", []byte(c.line.Text()), func(m *Model, text []byte) tea.Cmd {
			m.console.line.SetText(string(oneLine(text)))
			return nil
		})
	case key.Matches(msg, k.Next):
		m.step(1)
	case key.Matches(msg, k.Prev):
		m.step(-1)
	default:
		return c.line.Update(msg), nil
	}
	return true, nil
}

// send sends what was typed, and keeps it in the history.
func (c *console) send(m *Model) tea.Cmd {
	raw, why := typed(c.line.Text())
	if why == "" {
		why = m.live()
	}
	if why != "" {
		m.say(why)
		return nil
	}
	c.desk.memory.Typed(c.line.Enter())
	return m.sendRaw(raw, wire.ByConsole, 0)
}

// paste puts text into the line. One JSON value that spans lines, comments
// allowed, is compacted; other lines are sent one by one, after a question.
func (c *console) paste(m *Model, text string) tea.Cmd {
	text = lineFeeds.Replace(text)
	trimmed := bytes.TrimSpace([]byte(text))
	if !bytes.ContainsAny(trimmed, "\n") {
		c.line.Update(tea.PasteMsg{Content: string(bytes.TrimRight([]byte(text), "\r\n"))})
		return nil
	}
	if compact, err := rawjson.CompactLoose(nil, trimmed); err == nil {
		c.line.Update(tea.PasteMsg{Content: string(compact)})
		m.say("compacted to one line: enter sends it")
		return nil
	}
	lines := bytes.Split(trimmed, []byte("\n"))
	m.overlay = &question{title: "paste", yes: "send them",
		lines: []string{"Send " + count(len(lines), "line", "lines") + ", one by one, exactly as they are?"},
		then: func(m *Model) tea.Cmd {
			if why := m.live(); why != "" {
				m.say(why)
				return nil
			}
			var cmds []tea.Cmd
			for _, l := range lines {
				raw := bytes.TrimSuffix(l, []byte("\r"))
				if len(raw) > 0 {
					cmds = append(cmds, m.sendRaw(raw, wire.ByConsole, 0))
				}
			}
			return tea.Sequence(cmds...)
		}}
	return nil
}

// lineFeeds undoes what terminals make of the line ends of a paste.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// oneLine makes a line of edited text: JSON is compacted, of other text the
// line ends at its end are dropped.
func oneLine(text []byte) []byte {
	if compact, err := rawjson.CompactLoose(nil, text); err == nil {
		return compact
	}
	return bytes.TrimRight(text, "\r\n")
}

// view draws the line, with what will become of it at its end.
func (c *console) view(w, h int) string {
	if h <= 0 {
		return ""
	}
	row := theme.NewRow(w, theme.Style{})
	note := theme.Text("")
	if text := c.line.Text(); text != "" {
		if raw, why := typed(text); why != "" {
			note = "raw ANYTHING sends anything"
		} else {
			note = sortOf(raw)
		}
	}
	room := theme.Width(note) + 2
	if w < 50 {
		room, note = 0, ""
	}
	c.line.SetSize(max(1, w-room), 1)
	c.line.Draw(row)
	row.AddEnd(c.desk.st.Muted, note+" ", 1)
	return strings.Join(append(c.before(w, h-1), row.String()), "\n")
}

// before are the rows above the line: what was typed last, and its answer.
func (c *console) before(w, h int) (rows []string) {
	d := c.desk
	put := func(style theme.Style, mark theme.Text, seq uint64) {
		if seq == 0 || len(rows) == h {
			return
		}
		raw, err := d.sess.Log.Bytes(seq, 0, 4*w)
		if err != nil {
			return
		}
		row := theme.NewRow(w, theme.Style{})
		row.Add(style, mark)
		row.Add(d.st.Muted, theme.SafeCut(string(raw), row.Rest()))
		rows = append(rows, row.String())
	}
	if h > 1 {
		put(d.st.Out, " → ", d.typed)
	}
	put(d.st.In, " ← ", d.state.Partner(d.typed))
	for len(rows) < h {
		rows = append([]string{theme.Spaces(w)}, rows...)
	}
	return rows
}

// sortOf says what bytes are, seen as JSON-RPC.
func sortOf(raw []byte) theme.Text {
	h := wire.Scan(raw)
	switch h.Form {
	case wire.Request:
		return "a request, sent as typed"
	case wire.Notification:
		return "a notification, sent as typed"
	case wire.Result, wire.Failure:
		return "a response, sent as typed"
	case wire.Batch:
		return "a batch, sent as typed"
	case wire.Value:
		return "JSON but no message, sent as typed"
	}
	return "not JSON, sent as typed"
}
