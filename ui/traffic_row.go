package ui

import (
	"strings"

	"parley/client/mcp"
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
	"parley/ui/widget"
)

// names are the method and name of a message; of a response, its request's.
func (t *traffic) names(r *history.Record) (method, name string) {
	if r.Form.IsResponse() {
		if x, ok := t.desk.state.Exchange(r.Seq); ok {
			return x.Method, x.Name
		}
	}
	return r.Method, r.Name
}

// widths of the columns that stand at fixed places.
const (
	timeWidth = 12
	idWidth   = 5
	tookWidth = 9
	sizeWidth = 10
)

// Draw implements widget.Records.
func (t *traffic) Draw(row *theme.Row, i int, s widget.RowState) {
	st := t.desk.st
	r := t.desk.record(t.Key(i))
	if row.Rest() > 60 {
		row.Add(st.Muted, theme.Text(r.Time.Local().Format("15:04:05.000")))
		row.Gap(2)
	}
	t.drawArrow(row, &r)
	partner := t.partnerOfSelected(r.Seq)
	idStyle := st.Muted
	if partner {
		idStyle = st.Focus
	}
	id := theme.Safe(r.ID.String())
	if r.Kind == wire.Event || r.Kind == wire.HTTP {
		id = ""
	}
	row.AddRight(idStyle, id, idWidth)
	row.Gap(2)
	if t.http && row.Rest() > 40 {
		t.drawVia(row, &r)
	}
	t.drawWhat(row, &r)
	t.drawNumbers(row, &r)
}

// resultWord is what a result is.
func resultWord(t wire.ResultType) string {
	switch t {
	case wire.ResultInput:
		return "result asks"
	case wire.ResultTask:
		return "result task"
	}
	return "result"
}

// partnerOfSelected reports whether seq is the other half of the exchange that
// is selected.
func (t *traffic) partnerOfSelected(seq uint64) bool {
	sel, _, ok := t.list.Selected()
	return ok && sel != seq && t.desk.state.Partner(sel) == seq // of HTTP the via tells it
}

func (t *traffic) drawArrow(row *theme.Row, r *history.Record) {
	st := t.desk.st
	switch {
	case r.Kind == wire.Event:
		row.Add(st.Muted, "·")
	case r.Dir == wire.Out:
		row.Add(st.Out, "→")
	default:
		row.Add(st.In, "←")
	}
	mark := theme.Text("  ")
	if len(t.desk.findings[r.Seq]) > 0 {
		mark = " ▲"
	}
	row.Add(st.Warn, mark)
}

// drawWhat says what the frame is, leaving room for the numbers.
func (t *traffic) drawWhat(row *theme.Row, r *history.Record) {
	st := t.desk.st
	end := row.X() + max(0, row.Rest()-sizeWidth-tookWidth)
	switch r.Kind {
	case wire.Event: // it has neither a time that it took nor a size
		end = row.X() + row.Rest()
	case wire.HTTP:
		end = row.X() + max(0, row.Rest()-sizeWidth)
	}
	put := func(style theme.Style, text theme.Text) {
		left := end - row.X()
		if tooLittle := left < 4 && theme.Width(text) > left; text != "" && left > 0 && !tooLittle {
			row.Add(style, theme.Cut(text, left))
			if row.X() < end {
				row.Gap(min(2, end-row.X()))
			}
		}
	}
	method, name := t.names(r)
	switch {
	case r.Kind == wire.HTTP:
		style, what, more := t.httpWords(r)
		put(style, what)
		put(st.Muted, more)
		return
	case r.Kind == wire.Event, r.Kind == wire.Stray:
		put(st.Text, t.text(r))
		if f := t.desk.findings[r.Seq]; len(f) > 0 {
			put(st.Warn, theme.SafeCut(f[0].Message, maxTitle))
		}
		return
	case r.Form == wire.Batch:
		put(st.Text, theme.Text("batch of "+itoa(int64(len(t.desk.sess.Log.Members(r.Seq))))))
	case r.Open:
		put(st.Muted, theme.Text("receiving, "+size(r.Size)))
	case r.Form == wire.Failure:
		put(st.Error, theme.Safe("✗ error "+itoa(r.Code)+" "+mcp.CodeName(r.Code)))
		put(st.Muted, theme.SafeCut(method+" "+name, maxTitle))
	case r.IsError:
		put(st.Error, "✗ isError")
		put(st.Muted, theme.SafeCut(method+" "+name, maxTitle))
	case r.Form == wire.Result:
		put(st.Text, theme.Text(resultWord(r.Type)))
		put(st.Muted, theme.SafeCut(strings.TrimSpace(method+"  "+name), maxTitle))
	default:
		put(st.Text, theme.SafeCut(method, maxTitle))
		put(st.Muted, theme.SafeCut(name, maxTitle))
		if method == "notifications/message" || method == "notifications/progress" {
			put(st.Muted, t.text(r))
		}
	}
	if f := t.desk.findings[r.Seq]; len(f) > 0 {
		put(st.Warn, theme.SafeCut(strings.TrimPrefix(f[0].Message, method+": "), maxTitle))
	}
}

func (t *traffic) drawNumbers(row *theme.Row, r *history.Record) {
	st := t.desk.st
	if r.Kind == wire.HTTP {
		row.AddEnd(st.Muted, theme.Text(size(r.Size)), 1)
		return
	}
	row.To(row.X() + max(0, row.Rest()-sizeWidth-tookWidth))
	if row.Rest() < sizeWidth {
		return
	}
	latency, style := theme.Text(""), st.Muted
	if x, ok := t.desk.state.Exchange(r.Seq); ok {
		switch {
		case x.Response.Seq == r.Seq && x.Final != x.Response: // a round of several
			latency = theme.Text(took(r.Time.Sub(x.Sent)))
		case x.Response.Seq == r.Seq:
			latency = theme.Text(took(x.Answered.Sub(x.Sent)))
		case x.Request.Seq == r.Seq && x.Status == history.Pending:
			latency, style = "…", st.Accent
		case x.Status == history.Listening:
			latency = "listening"
		case x.Status == history.Lost:
			latency, style = "✗ lost", st.Error
		case x.Status == history.Cancelled:
			latency, style = "cancelled", st.Warn
		}
	}
	row.AddRight(style, latency, tookWidth)
	if r.Kind != wire.Event {
		row.AddRight(st.Muted, theme.Text(size(r.Size)), min(sizeWidth, row.Rest()))
	}
}

// maxWords bounds the texts kept for rows.
const maxWords = 2048

// text is what an event, a stray line, a log message or a progress says, in a
// line. It reads bytes, so it is kept.
func (t *traffic) text(r *history.Record) theme.Text {
	if s, ok := t.words[r.Seq]; ok {
		return s
	}
	s := t.describe(r)
	if len(t.words) >= maxWords {
		clear(t.words)
	}
	t.words[r.Seq] = s
	return s
}

func (t *traffic) describe(r *history.Record) theme.Text {
	log := t.desk.sess.Log
	const most = 400 // cells nobody has
	if r.Kind == wire.Stray {
		raw, _ := log.Bytes(r.Seq, 0, most)
		return theme.SafeCut(string(raw), most)
	}
	raw, err := log.Bytes(r.Seq, 0, 64<<10)
	switch {
	case err != nil:
		return ""
	case r.Kind == wire.HTTP:
		return theme.SafeCut(describeHTTP(r, raw), most)
	case int64(len(raw)) < r.Size:
		return ""
	case r.Kind == wire.Event:
		return theme.SafeCut(eventText(raw), most)
	case r.Method == "notifications/message":
		m := mcp.DecodeLog(params(raw))
		return theme.SafeCut(strings.TrimSpace(m.Level+"  "+m.Text()), most)
	case r.Method == "notifications/progress":
		p := mcp.DecodeProgress(params(raw))
		text := p.ProgressSpelled
		if p.TotalSpelled != "" {
			text += " of " + p.TotalSpelled
		}
		return theme.SafeCut(text+"  "+p.Message, most)
	}
	return ""
}

func params(raw []byte) []byte {
	s := wire.Scan(raw).Params
	return raw[s.Off : s.Off+s.Len]
}
