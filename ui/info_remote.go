package ui

import (
	"strings"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// versionWords is the version in use, with how it came to that.
func (d *desk) versionWords() string {
	version := d.version()
	if version == "" {
		return ""
	}
	words := []string{version}
	if era := d.era(); era != "" {
		words = append(words, era)
	}
	request := d.state.Partner(d.state.ServerInfo())
	switch d.record(request).Method {
	case "server/discover":
		words = append(words, "server/discover lists "+firstOf(strings.Join(d.info().Supported, ", "), "none"))
	case "initialize":
		head, _ := d.sess.Log.Head(request)
		raw, _ := rawjson.Get(d.span(request, head.Params), "protocolVersion")
		switch offered, _ := rawjson.Unquote(raw); offered {
		case "":
		case version:
			words = append(words, "as initialize offered")
		default:
			words = append(words, "the server's answer to "+offered)
		}
	}
	if d.probed {
		words = append(words, "found by asking")
	}
	return strings.Join(words, " · ")
}

// transportWords names the transport for people.
func (d *desk) transportWords() string {
	name := d.transport()
	about := map[string]string{
		wire.TransportHTTP: "Streamable HTTP", wire.TransportSSE: "HTTP+SSE of 2024-11-05", wire.TransportWS: "WebSocket",
		wire.TransportTCP: "a line a message over TCP", wire.TransportUnix: "a line a message over a unix socket",
	}[d.state.Transport()]
	if about == "" {
		return name
	}
	return name + " · " + about
}

// httpSession is the id of the session that the server gave, masked as it was
// recorded; ok is false where no head of an initialize is known.
func (d *desk) httpSession() (id string, ok bool) {
	info := d.state.ServerInfo()
	if d.sessionOf.info == info && info != 0 {
		return d.sessionOf.id, true
	}
	for _, seq := range d.state.HTTP(info) {
		r := d.record(seq)
		if !isResponseHead(&r) {
			continue
		}
		raw, err := d.sess.Log.Bytes(seq, 0, 64<<10)
		if err != nil {
			continue
		}
		id, _ = headerOf(raw, "Mcp-Session-Id")
		d.sessionOf.info, d.sessionOf.id = info, id
		return id, true
	}
	return "", false
}

// sessionWords says whether there is a session of HTTP.
func (d *desk) sessionWords() string {
	if !d.overHTTP() || d.state.ServerInfo() == 0 {
		return ""
	}
	id, ok := d.httpSession()
	switch {
	case id != "":
		return "yes, " + id
	case d.modern():
		return "none: 2026-07-28 has no sessions"
	case ok:
		return "none: the server gave no id"
	}
	return ""
}

// streamLines tells of the streams that are open.
func (d *desk) streamLines(out *doc) {
	if !d.overHTTP() {
		return
	}
	var open, over []history.Stream
	for _, s := range d.state.Streams() {
		if s.Open {
			open = append(open, s)
		} else {
			over = append(over, s)
		}
	}
	out.blank()
	out.add(d.st.Muted, theme.Text("streams · "+itoa(int64(len(open)))+" open"))
	for _, s := range open {
		d.streamLine(out, &s, d.st.Text)
	}
	for _, s := range over[max(0, len(over)-3):] {
		d.streamLine(out, &s, d.st.Faint)
	}
}

func (d *desk) streamLine(out *doc, s *history.Stream, style theme.Style) {
	l := theme.Styled(style, "  "+theme.Pad(theme.Safe(s.Via), viaWidth)+"  ")
	words := []string{"since " + s.Opened.Local().Format("15:04:05")}
	if !s.Open {
		words = []string{"ended, opened " + s.Opened.Local().Format("15:04:05")}
	}
	words = append(words, count(s.Events, "event", "events"))
	if last := d.record(d.links.last[s.Via]); last.Seq > s.Seq {
		words = append(words, "last "+last.Time.Local().Format("15:04:05"))
	}
	if r := d.record(s.Request); r.Seq != 0 {
		words = append(words, strings.TrimSpace("answers "+r.ID.String()+" "+r.Method+" "+r.Name))
	}
	l.Add(style, theme.SafeCut(strings.Join(words, " · "), maxTitle))
	out.line(l)
}

// subscriptionLines tells what the server was asked to tell by itself.
func (d *desk) subscriptionLines(out *doc) {
	uris, listens := d.state.Subscriptions(), d.state.Listens()
	if len(uris)+len(listens) == 0 {
		return
	}
	out.blank()
	out.add(d.st.Muted, "subscriptions")
	for _, uri := range uris {
		out.add(d.st.Text, "  "+theme.Safe(uri))
	}
	for _, x := range listens {
		l := theme.Styled(d.st.Text, theme.SafeCut("  subscriptions/listen "+x.ID.String(), maxTitle))
		words := "not granted yet"
		if x.Acknowledged != 0 {
			words = firstOf(filterWords(d.granted(x)), "nothing was granted") + " · " + itoa(int64(x.Events)) + " told"
		}
		l.Add(d.st.Muted, "  "+theme.Safe(words))
		out.line(l)
	}
}

// filterWords lists what a subscription is about.
func filterWords(f mcp.Filter) string {
	var out []string
	for _, x := range []struct {
		on   bool
		name string
	}{{f.Tools, "list of tools"}, {f.Resources, "list of resources"}, {f.Prompts, "list of prompts"}} {
		if x.on {
			out = append(out, x.name)
		}
	}
	out = append(out, f.URIs...)
	for _, id := range f.TaskIDs {
		out = append(out, "task "+id)
	}
	return strings.Join(out, ", ")
}
