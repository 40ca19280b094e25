package ui

import (
	"strings"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
)

// links is what the connection's events and the heads of HTTP say of what became of
// requests and streams. It is part of the fold: a reopened session has it too.
type links struct {
	broken  uint64            // the event of a stream that is being opened again; 0 while none is
	cut     bool              // the server could not be reached when it was tried last
	expired uint64            // the event that the session was over, of this epoch
	heard   uint64            // the last frame that came over HTTP
	lost    map[uint64]uint64 // requests whose answer cannot come, with the event that says so
	again   map[uint64]uint64 // requests that parley sent again, as the server wanted it
	refused map[string]int64  // HTTP requests of this epoch with a status of 400 and above
	last    map[string]uint64 // the newest event of each stream of this epoch
}

// maxLinks bounds what is kept of each sort.
const maxLinks = 100_000

// put keeps a value unless there are too many.
func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	if len(*m) < maxLinks {
		(*m)[k] = v
	}
}

// note takes what a frame says.
func (l *links) note(r *history.Record) {
	switch {
	case r.Kind == wire.Event:
		l.event(r)
	case r.Kind == wire.HTTP && r.Dir == wire.In:
		l.heard, l.cut = r.Seq, false
		switch {
		case r.Method == history.HTTPEvent:
			put(&l.last, r.Via, r.Seq)
		case r.ID.Type == wire.NumberID && r.ID.Num >= 400:
			put(&l.refused, r.Via, r.ID.Num)
		case r.ID.Type == wire.NumberID && strings.HasPrefix(r.Via, "GET ") && r.ID.Num/100 == 2:
			l.broken = 0
		}
	case r.Dir == wire.In && l.cut:
		l.cut = false
	}
}

func (l *links) event(r *history.Record) {
	concerned := uint64(r.Token.Num)
	switch r.Method {
	case wire.EventConnected:
		*l = links{lost: l.lost, again: l.again}
	case wire.EventReconnecting:
		l.broken = r.Seq
	case wire.EventLost:
		put(&l.lost, concerned, r.Seq)
		l.cut = l.cut || l.broken != 0 || l.heard < concerned
		l.broken = 0
	case wire.EventNotice:
		if r.Via != "" { // a stream is given up
			l.cut = l.cut || l.broken != 0
			l.broken = 0
		}
	case wire.EventExited, wire.EventDisconnected, wire.EventClosed, wire.EventExpired, wire.EventSwitched:
		l.broken, l.cut = 0, false
		if r.Method == wire.EventExpired {
			l.expired = r.Seq
		}
	}
}

// newest is the request that was sent in the place of one, by itself, after the
// server refused that without doing it.
func (l *links) newest(seq uint64) uint64 {
	for range 10 {
		next := l.again[seq]
		if next == 0 {
			break
		}
		seq = next
	}
	return seq
}

// reconnects is how often in a row a stream that broke is opened again.
func (s *Session) reconnects() int {
	if s.Reconnects == 0 {
		return wire.DefaultReconnects
	}
	return max(0, s.Reconnects)
}

// remote reports whether the session is with a server that is no process of ours.
func (d *desk) remote() bool {
	if t := d.state.Transport(); d.state.Epoch() > 0 {
		return t != wire.TransportStdio && t != ""
	}
	return d.sess != nil && d.sess.Log.Header().Target.URL != ""
}

// overHTTP reports whether messages go over Streamable HTTP or HTTP+SSE.
func (d *desk) overHTTP() bool {
	t := d.state.Transport()
	return d.state.Epoch() > 0 && (t == wire.TransportHTTP || t == wire.TransportSSE)
}

// restartWord is what R does.
func (d *desk) restartWord() string {
	if d.remote() {
		return "reconnect"
	}
	return "restart"
}

// restarts says in a sentence what R does.
func (d *desk) restarts() string {
	if d.remote() {
		return "R connects again"
	}
	return "R restarts it"
}

// transport names how messages travel.
func (d *desk) transport() string {
	switch now := d.state.Transport(); {
	case d.state.Epoch() == 0 || now == "" || d.sess.Transport == now:
		return d.sess.Transport
	case !d.sess.Live() && now == wire.TransportStdio:
		return d.sess.Transport // of a file, that it is one
	}
	return d.state.Transport() // it may have been switched
}

// version is the version of the protocol in use; empty before it is known.
func (d *desk) version() string {
	if !d.state.Modern() {
		return firstOf(d.info().ProtocolVersion, d.clientVersion())
	}
	if v := d.clientVersion(); v != "" {
		return v
	}
	head, err := d.sess.Log.Head(d.state.Partner(d.state.ServerInfo()))
	if err != nil {
		return ""
	}
	raw, _ := rawjson.Get(d.span(d.state.Partner(d.state.ServerInfo()), head.Params), "_meta", mcp.MetaVersion)
	v, _ := rawjson.Unquote(raw)
	return v
}

// clientVersion is what a live client goes by, once a handshake settled it.
func (d *desk) clientVersion() string {
	if d.sess == nil || !d.sess.Live() || d.sess.Client.Era() != client.Modern {
		return ""
	}
	info, _ := d.sess.Client.Server()
	return info.ProtocolVersion
}

// modern reports whether the connection speaks 2026-07-28 or later.
func (d *desk) modern() bool { return d.state.Modern() || d.clientVersion() != "" }

// era is how the connection speaks, in a word, where both ways may be met.
func (d *desk) era() string {
	switch {
	case d.version() == "":
		return ""
	case d.modern():
		return client.Modern.String()
	case d.overHTTP():
		return client.Legacy.String()
	}
	return ""
}
