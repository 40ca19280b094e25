package ui

import (
	"errors"
	"slices"
	"strings"

	"parley/client/mcp"
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// maxShown bounds how much of an answer is laid out in the result pane; the
// frame itself is shown whole by the frame pane.
const maxShown = 16 << 20

// resultDoc lays an exchange out for reading: what came back, or why nothing
// did. It is made once an exchange changes, not once a paint.
func (d *desk) resultDoc(x history.Exchange) *doc {
	out := &doc{st: d.st}
	d.progressLines(out, x)
	d.failureLines(out, x)
	switch x.Status {
	case history.OK, history.ToolError, history.RPCError:
		d.answerLines(out, x)
	case history.Cancelled:
		out.add(d.st.Warn, "cancelled: the server was told, no answer came")
	case history.Lost:
		d.lostLines(out, x)
	}
	d.roundLines(out, x)
	return out
}

// stderrLines shows the last n lines of standard error before frame end, or the
// last of all if end is 0.
func (d *desk) stderrLines(out *doc, end uint64, n int) {
	upTo := len(d.stderr)
	if end != 0 {
		upTo, _ = slices.BinarySearch(d.stderr, end)
	}
	from := upTo - min(n, upTo)
	for from < upTo && d.stderr[from] < d.startBefore(end) {
		from++ // of the process before
	}
	if from == upTo {
		return
	}
	out.add(d.st.Muted, "stderr, last lines:")
	for _, seq := range d.stderr[from:upTo] {
		if raw, err := d.sess.Log.Bytes(seq, 0, 2048); err == nil {
			out.text(theme.Style{}, string(raw), 2)
		}
	}
	out.blank()
}

// trouble says why there is no connection, and what to do.
func (d *desk) trouble(err error) *doc {
	out := &doc{st: d.st}
	out.text(d.st.Error, "✗ "+err.Error(), 0)
	var h interface{ Hint() string }
	if errors.As(err, &h) && h.Hint() != "" {
		out.text(d.st.Text, "hint: "+h.Hint(), 0)
	}
	out.blank()
	d.stderrLines(out, 0, 20)
	if lines := d.strayLines(20); len(lines) > 0 {
		what := theme.Text("it printed on standard output:")
		if d.remote() {
			what = "it sent what is no message:"
		}
		out.add(d.st.Muted, what)
		for _, l := range lines {
			out.text(theme.Style{}, l, 2)
		}
		out.blank()
	}
	out.add(d.st.Text, "R tries again")
	return out
}

// strayLines reads the first lines that were no messages, of this epoch.
func (d *desk) strayLines(n int) (lines []string) {
	for seq := d.connected; seq <= d.state.Seq() && seq != 0 && len(lines) < n; seq++ {
		if r := d.record(seq); r.Kind == wire.Stray && r.Dir == wire.In {
			if raw, err := d.sess.Log.Bytes(seq, 0, 2048); err == nil {
				lines = append(lines, string(raw))
			}
		}
	}
	return lines
}

// progressLines shows the newest progress of a call that is open, and that
// there was some of one that is not.
func (d *desk) progressLines(out *doc, x history.Exchange) {
	if x.Progress == 0 || x.Status != history.Pending {
		return
	}
	for _, seq := range d.state.Progress(x.Request.Seq, 5) {
		head, err := d.sess.Log.Head(seq)
		if err != nil {
			continue
		}
		p := mcp.DecodeProgress(d.span(seq, head.Params))
		text := p.ProgressSpelled
		if p.TotalSpelled != "" {
			text += " of " + p.TotalSpelled
		}
		out.add(d.st.Muted, theme.Safe(strings.TrimSpace(text+"  "+p.Message)))
	}
}

func (d *desk) answerLines(out *doc, x history.Exchange) {
	ref := finalOf(x)
	if long := d.record(ref.Seq).Size; long > maxShown {
		out.add(d.st.Warn, theme.Safe("the answer is "+size(long)+" long: p opens its frame, which shows all of it"))
		return
	}
	head, err := d.sess.Log.Head(ref.Seq)
	if err != nil {
		out.add(d.st.Error, theme.Safe("the answer cannot be read: "+err.Error()))
		return
	}
	if m := ref.Member; m > 0 && int(m) <= len(head.Members) {
		head = head.Members[m-1]
	}
	if x.Status == history.RPCError {
		d.errorLines(out, d.span(ref.Seq, head.Error))
		return
	}
	if v, ok := d.task(x); ok {
		d.taskLines(out, &v)
		return
	}
	result := d.span(ref.Seq, head.Result)
	switch x.Method {
	case "tools/call":
		d.callLines(out, mcp.DecodeCall(result), result)
	case "resources/read":
		read := mcp.DecodeRead(result)
		for _, c := range read.Contents {
			d.contentLines(out, c)
		}
		d.problemLine(out, read.Problem, result)
	case "prompts/get":
		d.promptLines(out, mcp.DecodePrompt(result), result)
	default:
		out.json(result)
	}
}

func (d *desk) errorLines(out *doc, raw []byte) {
	e := mcp.DecodeError(raw)
	out.text(d.st.Error, "✗ "+e.Error(), 0)
	if h := e.Hint(); h != "" {
		out.text(d.st.Muted, h, 0)
	}
	if len(e.Data) > 0 {
		out.blank()
		out.add(d.st.Muted, "data")
		out.json(e.Data)
	}
}

func (d *desk) callLines(out *doc, c mcp.Call, raw []byte) {
	if c.IsError {
		out.add(d.st.Error, "✗ isError: the tool failed")
	}
	for i, item := range c.Content {
		if i > 0 {
			out.blank()
		}
		d.contentLines(out, item)
	}
	if len(c.Structured) > 0 {
		out.blank()
		out.add(d.st.Muted, "structuredContent")
		out.json(c.Structured)
	}
	if len(c.Content) == 0 && len(c.Structured) == 0 && c.Problem == "" {
		out.add(d.st.Faint, "(no content)")
	}
	d.problemLine(out, c.Problem, raw)
}

func (d *desk) promptLines(out *doc, p mcp.PromptResult, raw []byte) {
	if p.Description != "" {
		out.text(d.st.Muted, p.Description, 0)
	}
	for _, m := range p.Messages {
		out.blank()
		out.add(d.st.Accent, theme.Safe(m.Role))
		for _, c := range m.Content {
			d.contentLines(out, c)
		}
	}
	d.problemLine(out, p.Problem, raw)
}

// contentLines shows text as text, links as links, and names what is binary.
func (d *desk) contentLines(out *doc, c mcp.Content) {
	switch {
	case c.Type == "resource_link":
		out.link(d.st.Accent, c.URI, strings.TrimSpace(firstOf(c.Title, c.Name)+"  "+c.MIMEType))
		if c.Description != "" {
			out.text(d.st.Muted, c.Description, 2)
		}
	case c.BlobSize() > 0:
		out.add(d.st.Warn, theme.Safe(strings.Join(strings.Fields(c.Type+" "+c.MIMEType+" "+size(c.BlobSize())+" "+c.URI), " "))+"  ·  y saves it")
	case c.Text != "" || c.Type == "text" || c.Type == "resource":
		if c.Type == "resource" {
			out.link(d.st.Accent, c.URI, c.MIMEType)
		}
		if isJSONType(c.MIMEType) {
			out.json([]byte(c.Text))
		} else {
			out.text(theme.Style{}, c.Text, 0)
		}
	default:
		out.json(c.Raw)
	}
	if c.Problem != "" {
		out.text(d.st.Warn, "▲ "+c.Problem, 0)
	}
}

// problemLine flags a result that breaks the specification and shows it raw.
func (d *desk) problemLine(out *doc, problem string, raw []byte) {
	if problem == "" {
		return
	}
	out.blank()
	out.text(d.st.Warn, "▲ "+problem, 0)
	out.json(raw)
}

func isJSONType(mime string) bool {
	mime, _, _ = strings.Cut(mime, ";")
	return mime == "application/json" || strings.HasSuffix(mime, "+json")
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// outcome is how an exchange went, in words for its rule.
func (d *desk) outcome(x history.Exchange) (theme.Style, string) {
	r := d.record(finalOf(x).Seq)
	since := took(x.Answered.Sub(x.Sent))
	if len(x.Rounds) > 0 {
		since = itoa(int64(len(x.Rounds)+1)) + " rounds · " + since
	}
	switch x.Status {
	case history.Pending:
		return d.st.Accent, "waiting " + took(d.now().Sub(x.Sent)) + " · x cancels"
	case history.Listening:
		return d.st.OK, "listening"
	case history.InputRequired:
		return d.st.Warn, "input required · " + since
	case history.OK:
		if v, ok := d.task(x); ok {
			switch {
			case v.running() && v.waits:
				return d.st.Accent, v.words()
			case v.running():
				return d.st.Warn, v.words()
			}
			since = v.words()
			if v.task.Status == mcp.TaskFailed || v.task.Status == mcp.TaskCancelled {
				return d.st.Error, "✗ " + since
			}
		}
		return d.st.OK, "ok · " + since + " · " + size(r.Size)
	case history.ToolError:
		return d.st.Error, "✗ isError · " + since + " · " + size(r.Size)
	case history.RPCError:
		return d.st.Error, "✗ error " + itoa(r.Code) + " · " + since
	case history.Cancelled:
		return d.st.Warn, "cancelled"
	case history.Lost:
		return d.outcomeLost(x)
	}
	return theme.Style{}, ""
}
