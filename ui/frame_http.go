package ui

import (
	"strings"

	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// httpDoc lays a line of HTTP out for reading: a head with its names in a column
// and what is coded in it beside it, an event field by field. It is nil for what is
// shown as any other text.
func (d *desk) httpDoc(r *history.Record, raw []byte) *doc {
	switch {
	case isHead(r):
		return d.headDoc(raw)
	case r.Method == history.HTTPEvent, r.Method == history.HTTPComment:
		return d.eventDoc(raw)
	}
	return nil
}

// maxHeaderName is how wide the column of names becomes at most.
const maxHeaderName = 32

func (d *desk) headDoc(raw []byte) *doc {
	out := &doc{st: d.st}
	lines := strings.Split(strings.TrimRight(string(raw), "\r\n"), "\n")
	wide := 0
	for _, l := range lines[1:] {
		if name, _, ok := strings.Cut(l, ":"); ok {
			wide = max(wide, min(theme.Width(theme.SafeCut(name, maxHeaderName)), maxHeaderName))
		}
	}
	for i, l := range lines {
		l = strings.TrimSuffix(l, "\r")
		name, value, ok := strings.Cut(l, ":")
		if i == 0 || !ok {
			out.text(d.st.Accent, l, 0)
			continue
		}
		row := theme.Styled(d.st.Key, theme.Pad(theme.Safe(name), wide)+"  ")
		value = strings.TrimSpace(value)
		row.Add(d.st.Text, theme.Safe(value))
		if decoded, ok := wire.DecodeField(value); ok && decoded != value {
			row.Add(d.st.Muted, "  is  ")
			row.Add(d.st.Accent, theme.Safe(decoded))
		}
		out.line(row)
	}
	return out
}

// eventDoc colours the names of an event's fields. Lines may end with CR alone.
func (d *desk) eventDoc(raw []byte) *doc {
	out := &doc{st: d.st}
	text := strings.ReplaceAll(string(raw), "\r\n", "\n")
	text = strings.TrimRight(strings.ReplaceAll(text, "\r", "\n"), "\n")
	for l := range strings.SplitSeq(text, "\n") {
		name, value, ok := strings.Cut(l, ":")
		if !ok || name == "" {
			out.text(d.st.Muted, l, 0)
			continue
		}
		row := theme.Styled(d.st.Key, theme.Safe(name)+":")
		row.Add(d.st.Text, theme.Safe(value))
		out.line(row)
	}
	return out
}

// httpWhat is what a line of HTTP is, in a few words, with the request it belongs to.
func httpWhat(r *history.Record, arrow string) string {
	what := "body"
	switch {
	case isRequestHead(r):
		what = r.Method + " " + r.Name
	case isResponseHead(r):
		what = strings.TrimSpace(statusWords(r.ID.Num) + " " + r.Name)
	case r.Method == history.HTTPEvent:
		what = strings.TrimSpace("event " + r.Name)
	case r.Method == history.HTTPComment:
		what = "comment"
	}
	return arrow + " " + what + viaSuffix(r)
}

// viaSuffix names the HTTP request that a frame went over.
func viaSuffix(r *history.Record) string {
	if _, _, numbered := strings.Cut(r.Via, " "); !numbered || r.Kind == wire.Event {
		return ""
	}
	return " · " + r.Via
}
