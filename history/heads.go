package history

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"parley/client/wire"
)

// What [Record] calls the frames of kind HTTP that are no heads.
const (
	HTTPEvent   = "event"   // an event of a stream
	HTTPComment = "comment" // lines of a stream that are no event: keep-alives
	HTTPBody    = "body"    // the body of a response that is no message
)

// headOf returns the head that the index keeps of a frame: of a line of the
// protocol its own, of the others what [Record] says. raw is empty of a frame in parts.
func headOf(dir wire.Dir, kind wire.Kind, scanned *wire.Head, raw []byte) wire.Head {
	switch {
	case kind == wire.Message || kind == wire.Stray:
		return *scanned
	case len(raw) == 0:
	case kind == wire.Event:
		return eventHead(raw)
	case kind == wire.HTTP:
		return httpHead(dir, raw)
	}
	return wire.Head{}
}

// eventHead reads an event into the fields of a head; [Record] says which. The
// stream that broke stands in Name here.
func eventHead(raw []byte) wire.Head {
	ev, err := wire.ParseEvent(raw)
	if err != nil {
		return wire.Head{}
	}
	h := wire.Head{Method: ev.Event}
	switch ev.Event {
	case wire.EventConnected, wire.EventSwitched:
		h.Name = ev.Transport
	case wire.EventReconnecting, wire.EventNotice:
		h.Name = ev.Via
	default:
		h.Name = ev.Signal
	}
	if n := cmp.Or(ev.Epoch, ev.Attempt); n != 0 {
		h.ID = wire.Int(int64(n))
	}
	if ev.Code != nil {
		h.ID = wire.Int(int64(*ev.Code))
	}
	if ev.Seq != 0 {
		h.Token = wire.Int(int64(ev.Seq))
	}
	return h
}

// httpHead reads a frame of kind HTTP in the same way.
func httpHead(dir wire.Dir, raw []byte) wire.Head {
	if dir == wire.In && isField(raw) {
		return streamHead(raw)
	}
	line, rest, _ := bytes.Cut(raw, []byte{'\n'})
	words := strings.Fields(string(line[:min(len(line), 4096)]))
	switch {
	case dir == wire.Out && len(words) > 1:
		return wire.Head{Method: words[0], Name: words[1]}
	case dir == wire.Out:
		return wire.Head{Method: HTTPBody}
	case len(words) > 1 && strings.HasPrefix(words[0], "HTTP/"):
		status, err := strconv.Atoi(words[1])
		if err != nil {
			return wire.Head{Method: HTTPBody}
		}
		return wire.Head{ID: wire.Int(int64(status)), Name: mediaType(rest)}
	}
	return streamHead(raw)
}

// mediaType finds the media type in the lines of a head.
func mediaType(head []byte) string {
	for line := range bytes.Lines(head) {
		name, value, ok := bytes.Cut(line, []byte{':'})
		if ok && bytes.EqualFold(bytes.TrimSpace(name), []byte("Content-Type")) {
			value, _, _ = bytes.Cut(value, []byte{';'})
			return strings.ToLower(string(bytes.TrimSpace(value)))
		}
	}
	return ""
}

// isField reports whether lines begin with a field that most events begin with: it saves
// looking for a head in each of them.
func isField(raw []byte) bool {
	name, _, _ := bytes.Cut(raw[:min(len(raw), len("event:"))], []byte{':'})
	switch string(name) {
	case "event", "data", "id":
		return true
	}
	return false
}

// cutLine takes the first line off, without its end of one character.
func cutLine(raw []byte) (line, rest []byte) {
	end := bytes.IndexByte(raw, '\n')
	if end < 0 {
		end = len(raw)
	}
	if i := bytes.IndexByte(raw[:end], '\r'); i >= 0 {
		end = i
	}
	return raw[:end], raw[min(end+1, len(raw)):]
}

// eventName reads the type of an event, which is empty for the usual one.
func eventName(value []byte) string {
	value = bytes.TrimPrefix(value, []byte{' '})
	if string(value) == "message" {
		return ""
	}
	return string(value)
}

// streamHead says what the lines of a stream are (spec: WHATWG, server-sent events).
func streamHead(raw []byte) wire.Head {
	h := wire.Head{Method: HTTPComment}
	unknown := false
	rest := bytes.TrimPrefix(raw, []byte("\ufeff"))
	for len(rest) > 0 {
		var line []byte
		line, rest = cutLine(rest)
		name, value, _ := bytes.Cut(line, []byte{':'})
		switch string(name) {
		case "": // a comment, or the end of a line of two characters
		case "event":
			h.Method = HTTPEvent
			h.Name = eventName(value)
		case "data", "id", "retry":
			h.Method = HTTPEvent
		default:
			unknown = true
			if h.Method == HTTPComment && bytes.ContainsAny(name, " <{[\"") {
				return wire.Head{Method: HTTPBody}
			}
		}
	}
	if unknown && h.Method == HTTPComment {
		h.Method = HTTPBody
	}
	return h
}
