package cli

import (
	"bytes"

	"parley/client"
	"parley/client/wire"
	"parley/history"
)

// era says how a server is spoken to, and how that came.
func (p *printing) era() string {
	era := p.o.Link.Client.Era()
	if era == client.UnknownEra {
		return ""
	}
	how := ", negotiated by initialize"
	switch {
	case era == client.Modern && p.o.Link.Client.Discovered():
		how = ", discovered by server/discover"
	case era == client.Modern:
		how = ", without an answer to server/discover: what the server has is not known"
	}
	if p.current != nil && p.current.guess == era {
		how += ", as remembered"
	}
	return era.String() + how
}

// about says how a connection was made, in rows of a name and a text.
func (l *link) about() [][2]string {
	t := &l.target
	if t.remote == nil {
		return [][2]string{{"command", t.String()}, {"environment", t.environment()}}
	}
	rows := [][2]string{{"url", t.String()}, {"transport", transportWords(l.transport())}}
	if t.remote.address.OverHTTP() {
		session := "no"
		if hasSession(l.log) {
			session = "yes"
		}
		rows = append(rows, [2]string{"session", session})
	}
	if t.unchecked() {
		rows = append(rows, [2]string{"insecure", insecureWarning})
	}
	return rows
}

// transport is what the newest connection is made over.
func (l *link) transport() string {
	var s history.State
	s.CatchUp(l.log)
	return or(s.Transport(), l.target.transport())
}

// transportWords names a transport for people.
func transportWords(transport string) string {
	switch transport {
	case wire.TransportHTTP:
		return "Streamable HTTP"
	case wire.TransportSSE:
		return "HTTP+SSE (2024-11-05, deprecated)"
	case wire.TransportWS:
		return "websocket"
	case wire.TransportTCP:
		return "TCP, a message a line"
	case wire.TransportUnix:
		return "unix socket, a message a line"
	}
	return transport
}

// maxHeads is how many frames of a log are looked at for a session.
const maxHeads = 1000

// hasSession reports whether the server gave a session in an HTTP response.
func hasSession(log *history.Log) (found bool) {
	log.Records(1, min(log.Len(), maxHeads), func(r *history.Record) bool {
		if r.Kind != wire.HTTP || r.Dir != wire.In {
			return true
		}
		raw, err := log.Bytes(r.Seq, 0, maxShown)
		if err == nil && bytes.HasPrefix(raw, []byte("HTTP/")) {
			found = bytes.Contains(bytes.ToLower(raw), []byte("\nmcp-session-id:"))
		}
		return !found
	})
	return found
}
