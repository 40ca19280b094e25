package ui

import (
	"bytes"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
	"parley/script"
	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/theme"
)

// told takes in what the step that runs left at the host.
func (c *console) told(m *Model, h *host) tea.Cmd {
	var cmds []tea.Cmd
	for _, event := range h.take() {
		switch x := event.(type) {
		case *script.Outcome:
			m.refresh()
			if j := c.running; j != nil {
				cmds = append(cmds, c.outcome(m, j, x))
			}
		case hostNote:
			style := c.desk.st.Muted
			if x.level != "" {
				style = c.desk.st.Warn
			}
			if j := c.running; j != nil {
				j.say(style, x.text)
			}
		case sessionOpening:
			cmds = append(cmds, m.switchTo(x.sess, x.stop))
		case sessionOpened:
			cmds = append(cmds, m.connected(connectedMsg(x)))
		}
	}
	return tea.Batch(cmds...)
}

// outcome shows what a step gave: where its form would show it, above the line
// if it is short, else as a document.
func (c *console) outcome(m *Model, j *job, o *script.Outcome) tea.Cmd {
	st := c.desk.st
	if cmd, done := c.flagged(m, j, o); done {
		return cmd
	}
	switch o.Verb {
	case "echo", "help":
		c.print(m, j, []byte(o.Text))
	case "value", "schema":
		c.printValue(m, j, o)
	case "tools", "resources", "templates", "prompts":
		n := members(o)
		m.cat.tab = map[string]tab{"tools": tabTools, "prompts": tabPrompts}[o.Verb]
		if o.Verb == "resources" || o.Verb == "templates" {
			m.cat.tab = tabResources
		}
		if o.Verb == "templates" {
			m.cat.selectTemplate()
		}
		m.showSelected()
		j.say(st.OK, "ok · "+took(o.Took)+" · "+count(n, strings.TrimSuffix(o.Verb, "s"), o.Verb))
	case "info":
		info := c.desk.info()
		j.say(st.OK, "ok · "+strings.TrimSpace(info.ServerName+" "+info.ServerVersion)+" · "+info.ProtocolVersion)
		m.openPaper(m.info, j)
	default:
		c.answer(m, j, o)
	}
	return nil
}

// flagged shows what the flags of a step ask for.
func (c *console) flagged(m *Model, j *job, o *script.Outcome) (cmd tea.Cmd, done bool) {
	if o.Sent != nil {
		j.say(c.desk.st.Muted, "would be sent:")
		c.print(m, j, o.Sent)
		return nil, true
	}
	if file, ok := flag(o, "--save"); ok {
		cmd = m.saveContents(file, o)
	}
	expr, asked := flag(o, "--jq")
	_, whole := flag(o, "--json")
	raw, err := o.Bytes()
	switch {
	case !asked && !whole:
		return cmd, false
	case err == nil && asked:
		var out []byte
		values, e := script.Query(expr, raw)
		for i, v := range values {
			if i > 0 {
				out = append(out, '\n')
			}
			if text, ok := rawjson.Unquote(v); ok && !whole {
				v = []byte(text)
			}
			out = append(out, v...)
		}
		raw, err = out, e
	}
	if err != nil {
		j.fail(c.desk, words(err))
	} else {
		c.print(m, j, raw)
	}
	return cmd, true
}

// flag is the value of a flag of a step.
func flag(o *script.Outcome, name string) (value string, given bool) {
	if o.Step == nil {
		return "", false
	}
	w, given := o.Step.Flags[name]
	for _, part := range w.Parts {
		value += part.Text
	}
	return value, given
}

// members counts the elements of the list that a merged result has.
func members(o *script.Outcome) (n int) {
	name := o.Verb
	if name == "templates" {
		name = "resourceTemplates"
	}
	raw, err := o.Bytes()
	if err != nil {
		return 0
	}
	all, _ := rawjson.Get(raw, name)
	_ = rawjson.Elements(all, func(int, []byte) bool { n++; return true })
	return n
}

// answer says how an operation went, and shows what came back if no item of the
// catalogue does.
func (c *console) answer(m *Model, j *job, o *script.Outcome) {
	d := c.desk
	if len(o.Answers) == 0 {
		switch {
		case o.Err != nil:
			j.fail(d, words(o.Err))
		case len(o.Value) > 0:
			c.printValue(m, j, o)
		default:
			j.say(d.st.OK, "ok · "+took(o.Took))
		}
		return
	}
	a := o.Answers[len(o.Answers)-1]
	e, ok := d.state.Exchange(a.Request.Seq)
	if !ok {
		return
	}
	style, text := d.outcome(e)
	long := d.record(e.Response.Seq).Size
	var raw []byte
	if long <= maxShown { // else nothing of it is read
		raw, _ = o.Bytes()
	}
	if long <= maxFirstLine {
		if first := firstLine(contentText(e.Method, raw)); first != "" {
			text += " · " + first
		} else if len(raw) > 0 && len(raw) < maxShortResult && o.Verb != "ping" {
			text += " · " + string(raw)
		}
	}
	w, _ := m.talkSize()
	j.say(style, string(theme.SafeCut(text, max(1, w))))
	if _, _, listed := m.itemFor(operation{e.Method, e.Name}); listed || o.Verb == "ping" {
		return // it shows as the answer to its form
	}
	if long >= maxShortResult || e.Status != history.OK {
		m.paper.lay(j.line, d.resultDoc(e), bytes.Clone(raw))
		m.openPaper(m.paper, j)
	}
}

// maxFirstLine is how long an answer may be of which the first line is shown.
const maxFirstLine = 1 << 20

// maxShortResult is how long a result may be that is shown on the line that says
// how it went.
const maxShortResult = 60

// printValue prints a JSON value: a text as it is, another in one line if it
// fits there, else indented.
func (c *console) printValue(m *Model, j *job, o *script.Outcome) {
	if text, ok := rawjson.Unquote(o.Value); ok {
		c.print(m, j, []byte(text))
		return
	}
	w, h := m.talkSize()
	short, err := rawjson.Compact(nil, o.Value)
	if err == nil && len(short) <= w {
		j.say(c.desk.st.Text, string(short))
		return
	}
	pretty, _ := rawjson.Indent(nil, o.Value)
	if bytes.Count(pretty, []byte("\n")) < h-1 {
		c.print(m, j, pretty)
		return
	}
	text := &doc{st: c.desk.st}
	text.json(o.Value)
	c.lay(m, j, text, o.Value)
}

// print shows text above the line if there is room for it, else as a document.
func (c *console) print(m *Model, j *job, text []byte) {
	w, h := m.talkSize()
	if len(text) <= 4*w*h { // in bytes of the widest cells
		lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
		rows := 0
		for _, l := range lines {
			n := len(wrapped(l, w, maxSaid+1))
			if rows += n; n > maxSaid {
				rows = h
			}
		}
		if rows < h && !(j.loud && m.focus != onConsole && rows > 1) {
			for _, l := range lines {
				j.say(c.desk.st.Text, l)
			}
			return
		}
	}
	page := &doc{st: c.desk.st}
	page.text(c.desk.st.Text, string(text), 0)
	c.lay(m, j, page, text)
}

func (c *console) lay(m *Model, j *job, page *doc, raw []byte) {
	j.say(c.desk.st.Muted, count(page.Lines(), "line", "lines")+" above · pgup pgdn read")
	m.paper.lay(j.line, page, bytes.Clone(raw))
	m.openPaper(m.paper, j)
}

// talkSize is the room above the line, for the text of what was said.
func (m *Model) talkSize() (w, h int) {
	r := m.at.Rect(layout.Console)
	return m.w - 4, r.H - 1
}

func (c *console) roomAbove(m *Model) int { _, h := m.talkSize(); return max(1, h-1) }

// openPaper shows a document over the upper panes; the console keeps the keys
// if it has them.
func (m *Model) openPaper(w wide, j *job) {
	if m.focus != onConsole {
		if j.loud {
			m.openWide(w)
		}
		return
	}
	m.wide = w
	w.refresh()
	m.layout()
}

// followConsole selects what a line of the console asked for, so that its answer
// shows as that of its form.
func (m *Model) followConsole() {
	c := m.console
	first, last := c.seen+1, m.desk.state.Seq()
	c.seen = last
	loud := c.running != nil && c.running.loud
	if first > last || m.focus != onConsole && !loud {
		return
	}
	var op operation
	var seq uint64
	m.desk.sess.Log.Records(first, last, func(r *history.Record) bool {
		if r.By == wire.ByConsole && r.Dir == wire.Out && r.Form == wire.Request {
			switch r.Method {
			case "tools/call", "prompts/get", "resources/read":
				op, seq = operation{r.Method, r.Name}, r.Seq
			}
		}
		return true
	})
	if seq == 0 || !m.selectFor(op) {
		return
	}
	m.detail.started(op, seq)
	if c.running != nil {
		c.running.shown = true
	}
	if m.focus == onConsole {
		m.wide = nil // what was read before
	} else {
		m.setFocus(onDetail)
		m.detail.into(keys.InResult)
	}
	m.layout()
}

// itemFor is the item of the catalogue that an operation is about.
func (m *Model) itemFor(op operation) (k itemKey, t tab, ok bool) {
	switch op.method {
	case "tools/call":
		k, t = itemKey{toolItem, op.name, 0}, tabTools
	case "prompts/get":
		k, t = itemKey{promptItem, op.name, 0}, tabPrompts
	case "resources/read":
		k, t = m.readable(op.name), tabResources
	default:
		return k, t, false
	}
	return k, t, m.cat.index(t, k) >= 0
}

// selectFor selects the item of the catalogue that an operation is about.
func (m *Model) selectFor(op operation) bool {
	k, t, ok := m.itemFor(op)
	if !ok {
		return false
	}
	if m.cat.filter[t] != "" && !m.cat.lists[t].Select(k) {
		m.cat.filter[t] = ""
		m.cat.apply(t)
	}
	m.cat.tab = t
	m.cat.lists[t].Select(k)
	m.showSelected()
	return true
}

// readable is the resource with a URI, or the template that gives it.
func (m *Model) readable(uri string) itemKey {
	k := itemKey{resourceItem, uri, 0}
	if m.cat.index(tabResources, k) >= 0 {
		return k
	}
	for i := range m.cat.items[tabResources] {
		x := &m.cat.items[tabResources][i]
		if x.key.kind != templateItem {
			continue
		}
		if s := m.desk.subject(*x); s.template != nil && s.template.Match(uri) != nil {
			return x.key
		}
	}
	return k
}

// saveContents writes what --save asks for: the binary contents of a result, or
// its text.
func (m *Model) saveContents(file string, o *script.Outcome) tea.Cmd {
	raw, err := o.Bytes()
	if err != nil {
		m.fail(err)
		return nil
	}
	method := map[string]string{"call": "tools/call", "read": "resources/read", "get": "prompts/get"}[o.Verb]
	for _, x := range contents(method, raw) {
		if x.BlobSize() > 0 {
			blob, err := x.Blob()
			if err != nil && blob == nil {
				m.fail(err)
				return nil
			}
			return m.save(file, blob)
		}
	}
	return m.save(file, []byte(firstOf(contentText(method, raw), string(raw))))
}
