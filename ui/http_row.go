package ui

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// viaWidth is the column of the HTTP request that a line belongs to: "POST 123".
const viaWidth = 8

// drawVia names the HTTP request that a frame belongs to; that of the selected
// line stands out.
func (t *traffic) drawVia(row *theme.Row, r *history.Record) {
	style := t.desk.st.Muted
	if sel := t.selected(); sel != 0 && r.Via != "" && t.desk.sameRequest(sel, r) {
		style = t.desk.st.Focus
	}
	start := row.X()
	if r.Kind != wire.Event {
		row.Add(style, theme.SafeCut(r.Via, viaWidth))
	}
	row.To(start + viaWidth + 2)
}

// sameRequest reports whether the frame seq went over the HTTP request of r.
func (d *desk) sameRequest(seq uint64, r *history.Record) bool {
	other := d.record(seq)
	if other.Via != r.Via {
		return false
	}
	a, _ := slices.BinarySearch(d.starts, seq+1)
	b, _ := slices.BinarySearch(d.starts, r.Seq+1)
	return a == b
}

// httpWords is what a line of HTTP is, and what else there is to say of it.
func (t *traffic) httpWords(r *history.Record) (style theme.Style, what, more theme.Text) {
	st := t.desk.st
	style, more = st.Text, t.text(r)
	switch {
	case r.Open:
		return st.Muted, theme.Text("receiving, " + size(r.Size)), ""
	case isRequestHead(r):
		what = theme.SafeCut(r.Method+" "+r.Name, maxTitle)
	case isResponseHead(r):
		if r.ID.Num >= 400 {
			style = st.Error
		}
		what = theme.Safe(statusWords(r.ID.Num))
	case r.Method == history.HTTPEvent:
		what = theme.SafeCut(strings.TrimSpace("event "+r.Name), maxTitle)
	case r.Method == history.HTTPComment:
		style, what = st.Muted, "comment"
	default:
		what = "body"
	}
	return style, what, more
}

// statusWords is a status with its name: "404 Not Found".
func statusWords(code int64) string {
	mark := ""
	if code >= 400 {
		mark = "✗ "
	}
	return mark + strings.TrimSpace(itoa(code)+" "+http.StatusText(int(code)))
}

// describeHTTP is what a line of HTTP says beyond what it is, read from its bytes.
func describeHTTP(r *history.Record, raw []byte) string {
	switch {
	case isRequestHead(r):
		if id, ok := headerOf(raw, "Last-Event-ID"); ok {
			return "after event " + id
		}
		name, _ := headerOf(raw, "Mcp-Name")
		if decoded, ok := wire.DecodeField(name); ok {
			name = decoded
		}
		return name
	case isResponseHead(r):
		return r.Name
	case r.Method == history.HTTPEvent:
		return eventFields(raw)
	case r.Method == history.HTTPComment:
		return strings.Join(strings.Fields(string(raw)), " ")
	}
	return strings.Join(strings.Fields(string(raw[:min(len(raw), 400)])), " ")
}

// eventFields are the id of an event, and the pause before a reconnect that it asks
// for. Its data is the message that follows.
func eventFields(raw []byte) string {
	var out []string
	for line := range bytes.FieldsFuncSeq(raw, func(r rune) bool { return r == '\n' || r == '\r' }) {
		name, value, _ := strings.Cut(string(line[:min(len(line), 400)]), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			out = append(out, "id "+value)
		case "retry":
			out = append(out, "retry "+value+" ms")
		case "data":
			if value == "" {
				out = append(out, "no data")
			}
		}
	}
	return strings.Join(out, " · ")
}

// headerOf is the value of a header in the text of a head.
func headerOf(head []byte, name string) (value string, ok bool) {
	for line := range strings.SplitSeq(string(head), "\n") {
		n, v, found := strings.Cut(strings.TrimSuffix(line, "\r"), ":")
		if found && strings.EqualFold(n, name) {
			return strings.TrimSpace(v), true
		}
	}
	return "", false
}
