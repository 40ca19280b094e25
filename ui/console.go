package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/script"
	"parley/ui/keys"
	"parley/ui/prompt"
	"parley/ui/theme"
	"parley/ui/widget"
)

// console is a line of the command language, and what the lines before it gave.
// A line that begins with { or [, and the rest of one that begins with "raw ",
// go out exactly as typed and at once; other lines run one after the other.
type console struct {
	desk *desk
	line *widget.RawLine
	on   bool

	picker *widget.Picker
	offers *offers // what may be meant by the word being typed, nil for nothing
	recall *recall // an earlier line is being looked for, nil if not

	talk    []*job // what was typed, the oldest first
	scroll  int    // so many rows of the talk are under the line
	queue   []*job // what waits for its turn
	running *job
	batches int // pastes so far, so that a failure ends the rest of its own
	interp  *script.Interp
	host    *host
	seen    uint64 // up to which frame its requests were shown
	since   uint64 // where what was done last without the interpreter began; 0 if a step came after it
}

func newConsole(d *desk) *console {
	c := &console{desk: d, line: widget.NewRawLine(d.keys.Console, d.st), picker: widget.NewPicker(d.st)}
	c.line.Prompt = " › "
	c.reset()
	return c
}

// reset begins with another session. Variables and what waits stay: the line
// that went there may be one of several.
func (c *console) reset() {
	c.line.SetHistory(c.desk.memory.Console())
	c.seen, c.since = 0, 0
}

func (c *console) focus(on bool) {
	c.on = on
	if !on {
		c.closeOffers()
	}
	c.line.SetFocused(on)
}

// context says which keys hold.
func (c *console) context() keys.Context {
	switch {
	case c.recall != nil:
		return keys.InRecall
	case c.offers != nil:
		return keys.InChoice
	}
	return keys.InConsole
}

func (c *console) press(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := c.desk.keys.Console
	switch {
	case c.recall != nil:
		return c.pressRecall(m, msg)
	case c.offers != nil && c.pressOffers(msg):
		return true, nil
	}
	switch {
	case key.Matches(msg, k.Send):
		return true, c.send(m)
	case key.Matches(msg, k.Complete):
		if c.line.Text() == "" {
			m.step(1)
		} else if !c.complete(true) {
			m.say("nothing completes this")
		}
	case key.Matches(msg, k.Search):
		c.openRecall(m)
	case key.Matches(msg, k.Leave):
		m.setFocus(onList)
	case key.Matches(msg, k.Copy):
		m.copyLine()
	case key.Matches(msg, k.PageUp):
		c.page(m, -1)
	case key.Matches(msg, k.PageDown):
		c.page(m, 1)
	case key.Matches(msg, k.Editor):
		return true, m.edit(c.file(), []byte(c.line.Text()), func(m *Model, text []byte) tea.Cmd {
			return m.console.paste(m, string(text), true)
		})
	case key.Matches(msg, k.Prev):
		m.step(-1)
	default:
		return c.edit(msg), nil
	}
	return true, nil
}

// edit changes the line, and lists what completes it if it was typed into.
func (c *console) edit(msg tea.Msg) bool {
	before := c.line.Text()
	if !c.line.Update(msg) {
		return false
	}
	press, ok := msg.(tea.KeyPressMsg)
	k := c.desk.keys.Console
	switch {
	case ok && key.Matches(press, k.Earlier, k.Later):
		c.closeOffers()
	case c.line.Text() != before:
		c.complete(false)
	default: // the cursor moved: it may be in another word
		c.closeOffers()
	}
	return true
}

// file names the line for an editor, so that it knows what it is.
func (c *console) file() string {
	if looksLikeJSON([]byte(c.line.Text())) {
		return "line.json"
	}
	return "line.mcp"
}

// send runs what was typed, and keeps it in the history.
func (c *console) send(m *Model) tea.Cmd {
	text := c.line.Text()
	if text == "" {
		m.say("nothing was typed")
		return nil
	}
	jobs, why := c.read(m, text)
	if why != "" {
		m.say("✗ " + why)
		m.noticeError = true
		return nil
	}
	c.closeOffers()
	c.scroll = 0
	c.desk.memory.Typed(c.line.Enter())
	return c.submit(m, jobs...)
}

// keep puts a line that was not typed into the history.
func (c *console) keep(line string) {
	draft := c.line.Text()
	c.line.SetText(line)
	c.desk.memory.Typed(c.line.Enter())
	c.line.SetText(draft)
}

// view draws the line, with what will become of it at its end, under what the
// lines before it gave.
func (c *console) view(w, h int) string {
	if h <= 0 {
		return ""
	}
	row := theme.NewRow(w, theme.Style{})
	style, note := c.note()
	room := theme.Width(note) + 2
	c.line.Hint = ""
	if note == "" {
		c.line.Hint = `call NAME key=value · help · {"jsonrpc":"2.0",…} goes out as typed`
	}
	if w < 50 {
		room, note = 0, ""
	}
	if r := c.recall; r != nil {
		row.Add(c.desk.st.Accent, " earlier › ")
		r.field.SetSize(max(1, w-row.X()-room), 1)
		r.field.Draw(row)
	} else {
		c.line.SetSize(max(1, w-room), 1)
		c.line.Draw(row)
		if ghost := c.ghost(); ghost != "" && theme.Width(ghost)+room < row.Rest() {
			row.Add(c.desk.st.Faint, ghost)
		}
	}
	row.AddEnd(style, note+" ", 1)
	return filledAbove(c.talkRows(w, h-1), row.String(), w, h)
}

// note says what will become of the line, or what runs.
func (c *console) note() (theme.Style, theme.Text) {
	st := c.desk.st
	if c.running != nil {
		text := "● " + took(c.desk.now().Sub(c.running.since))
		if n := len(c.queue); n > 0 {
			text += " · " + count(n, "waits", "wait")
		}
		return st.Accent, theme.Text(text + " · ctrl+c stops")
	}
	if r := c.recall; r != nil {
		if len(r.hits) == 0 {
			return st.Warn, "no earlier line has this"
		}
		return st.Muted, ""
	}
	text := c.line.Text()
	if raw, ok := rawLine(text); ok {
		return st.Muted, prompt.SortOf(raw)
	}
	return st.Muted, ""
}

// rawLine gives the bytes that a line sends as they are.
func rawLine(line string) (raw []byte, ok bool) {
	switch {
	case line == "":
		return nil, false
	case line[0] == '{' || line[0] == '[':
		return []byte(line), true
	case len(line) > 4 && line[:4] == "raw ":
		return []byte(line[4:]), true
	}
	return nil, false
}

// cursor is where the line's cursor stands.
func (c *console) cursor() *tea.Cursor {
	if c.recall != nil {
		return moved(c.recall.field.Cursor(), theme.Width(" earlier › "), 0)
	}
	return c.line.Cursor()
}
