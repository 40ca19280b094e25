package ui

import (
	"errors"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// finalOf is the answer that counts of an exchange: that of its last round. While
// that is waited for it is the one that asks.
func finalOf(x history.Exchange) wire.Ref {
	if x.Final.Seq != 0 {
		return x.Final
	}
	return x.Response
}

// roundLines tells what the server asked before it answered, round by round, and
// what it was answered (spec: 2026-07-28, basic/patterns, multi round-trip requests).
func (d *desk) roundLines(out *doc, x history.Exchange) {
	asks := x.Status == history.InputRequired
	if len(x.Rounds) == 0 && !asks {
		return
	}
	if len(out.pieces) > 0 && x.Status != history.InputRequired {
		out.blank()
	}
	head := "the answer took " + itoa(int64(len(x.Rounds)+1)) + " rounds: the server asked first"
	switch {
	case x.Status == history.Pending:
		head = "round " + itoa(int64(len(x.Rounds)+1)) + ": the server asked before it answers"
	case asks && len(x.Rounds) > 0:
		head = itoa(int64(len(x.Rounds)+1)) + " rounds, and the server still asks"
	case asks:
		head = "the server asks before it answers, and was not told"
	}
	out.add(d.st.Muted, theme.Text(head))
	asked := x.Response
	for _, next := range x.Rounds {
		d.roundLine(out, asked, next)
		y, ok := d.state.ExchangeOf(next)
		if !ok {
			return
		}
		asked = y.Response
	}
	if asks {
		d.roundLine(out, asked, wire.Ref{})
	}
}

// failureLines says what went wrong with a call after an answer to it came: a
// question that was not answered, a result that means nothing here.
func (d *desk) failureLines(out *doc, x history.Exchange) {
	err := d.failed[x.Request.Seq]
	if err == nil || x.Status != history.OK && x.Status != history.InputRequired {
		return
	}
	out.text(d.st.Error, "✗ "+err.Error(), 0)
	var h interface{ Hint() string }
	if errors.As(err, &h) && h.Hint() != "" {
		out.text(d.st.Text, h.Hint(), 0)
	}
	out.blank()
}

// roundLine tells what one answer asked, and what the request that follows it says
// to that. Frame numbers lead to the exact bytes.
func (d *desk) roundLine(out *doc, asked, next wire.Ref) {
	in := mcp.DecodeInputRequired(d.resultOf(asked))
	var replies []byte
	if head, err := d.sess.Log.Head(next.Seq); next.Seq != 0 && err == nil {
		replies, _ = rawjson.Get(d.span(next.Seq, head.Params), "inputResponses")
	}
	if len(in.Requests) == 0 {
		out.add(d.st.Text, theme.Text("  frame "+itoa(int64(asked.Seq))+" asks nothing: it wants to be asked again"))
	}
	for _, q := range in.Requests {
		text, _ := rawjson.Get(q.Params, "message")
		message, _ := rawjson.Unquote(text)
		l := theme.Styled(d.st.In, "  ← ")
		l.Add(d.st.Text, theme.SafeCut(q.Method+"  "+q.Key+"  "+firstLine(message), maxTitle))
		l.Add(d.st.Faint, theme.Text("  frame "+itoa(int64(asked.Seq))))
		out.line(l)
		reply, ok := rawjson.Get(replies, q.Key)
		if !ok {
			continue
		}
		l = theme.Styled(d.st.Out, "  → ")
		l.Add(d.st.Text, theme.SafeCut(string(reply), maxTitle))
		l.Add(d.st.Faint, theme.Text("  frame "+itoa(int64(next.Seq))))
		out.line(l)
	}
	if in.Problem != "" {
		out.text(d.st.Warn, "▲ "+in.Problem, 2)
	}
}

// resultOf reads the result of a response.
func (d *desk) resultOf(ref wire.Ref) []byte {
	if ref.Seq == 0 || d.record(ref.Seq).Size > maxShown {
		return nil
	}
	head, err := d.sess.Log.Head(ref.Seq)
	if err != nil {
		return nil
	}
	if m := ref.Member; m > 0 && int(m) <= len(head.Members) {
		head = head.Members[m-1]
	}
	return d.span(ref.Seq, head.Result)
}
