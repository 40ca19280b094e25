package check

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"parley/client/wire"
	"parley/history"
)

// stray says what is wrong with something that is no message.
func (c *Checker) stray(r *history.Record, raw func() []byte) Finding {
	text := "not JSON"
	switch {
	case r.Form == wire.Value || r.Form == wire.Batch:
		text = "JSON, but no JSON-RPC message"
	case r.Size == 0:
		text = "an empty line"
	}
	ref := wire.Ref{Seq: r.Seq}
	if via := cmp.Or(r.Via, c.transport); via != "" && via != wire.TransportStdio {
		switch {
		case r.Size == 0:
			text = "nothing"
		case r.Form == wire.Garbage && r.Size <= maxRead && isCutEvent(raw()):
			text = "an event that was cut short"
		}
		return found(NoMessage, ref, "over "+via+": "+text)
	}
	return found(StrayStdout, ref, "on standard output: "+text)
}

// isCutEvent reports whether bytes are the beginning of an event of a stream.
func isCutEvent(raw []byte) bool {
	name, _, ok := bytes.Cut(raw, []byte{':'})
	switch string(name) {
	case "data", "event", "id", "retry":
		return ok
	}
	return false
}

// onGet checks on which stream an answer came. One that began on a POST comes on a GET
// if that resumed its stream.
func (c *Checker) onGet(m *message, a *asked) []Finding {
	if c.transport != wire.TransportHTTP || m.dir != wire.In || a.modern ||
		!strings.HasPrefix(m.via, "GET ") || c.resumed[a.via] {
		return nil
	}
	return []Finding{found(AnswerOnGet, m.ref, fmt.Sprintf("the answer to %s, which went out as %s, came on %s", a.method, a.via, m.via))}
}

// http checks a head, or an event of a stream.
func (c *Checker) http(r *history.Record, raw func() []byte) []Finding {
	switch {
	case r.Dir != wire.In || r.Size > maxRead:
	case r.ID.Type == wire.NumberID:
		return sessionID(r, raw())
	case r.Method == history.HTTPEvent:
		return streamLines(r, raw())
	}
	return nil
}

// sessionID checks what can be seen of a session id: it is masked but for its end.
func sessionID(r *history.Record, head []byte) []Finding {
	for line := range bytes.Lines(head) {
		name, value, ok := bytes.Cut(line, []byte{':'})
		if !ok || !bytes.EqualFold(bytes.TrimSpace(name), []byte("Mcp-Session-Id")) {
			continue
		}
		value = bytes.TrimRight(value, "\r\n")
		if _, end, masked := bytes.Cut(value, []byte("…")); masked {
			value = end // blanks in it are of the id
		} else {
			value = bytes.Trim(value, " \t")
		}
		for _, b := range value {
			if b < 0x21 || b > 0x7e {
				return []Finding{found(SessionID, wire.Ref{Seq: r.Seq}, fmt.Sprintf("the session id has the byte 0x%02X", b))}
			}
		}
	}
	return nil
}

// streamLines looks for what readers of event streams leave out.
func streamLines(r *history.Record, event []byte) []Finding {
	ref := wire.Ref{Seq: r.Seq}
	rest := bytes.TrimPrefix(event, []byte("\ufeff"))
	for len(rest) > 0 {
		line := rest
		if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		name, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(name) {
		case "", "event":
		case "data":
			// Other events are free to be there, as long as no message is lost with them.
			if r.Name != "" && wire.Scan(value).Form.IsMessage() {
				return []Finding{found(StreamLine, ref, fmt.Sprintf("a message in an event of the type %.80q", r.Name))}
			}
		case "id":
			if bytes.IndexByte(value, 0) >= 0 {
				return []Finding{found(StreamLine, ref, "an id with a NUL in it")}
			}
		case "retry":
			if len(value) == 0 || len(bytes.Trim(value, "0123456789")) > 0 {
				return []Finding{found(StreamLine, ref, fmt.Sprintf("retry is %.80q, no number of milliseconds", value))}
			}
		default:
			return []Finding{found(StreamLine, ref, fmt.Sprintf("the field %.80q", name))}
		}
	}
	return nil
}
