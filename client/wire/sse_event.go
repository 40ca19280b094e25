package wire

import (
	"bytes"
	"time"
)

// sseEvent is one event of a stream: what came up to an empty line.
type sseEvent struct {
	Type    string // as it came; empty means message
	ID      string
	HasID   bool          // the field id was there, perhaps empty, and had no NUL in it
	HasData bool          // the field data was there, perhaps empty
	Retry   time.Duration // -1: none
	// Seq and Head are those of the frame of its data; 0 and empty if it is no message.
	Seq  uint64
	Head Head
	Data []byte // its data, nil if longer than MaxPart; valid until the hook returns
}

// isMessage reports whether data of such an event is a message.
func (e *sseEvent) isMessage() bool { return e.Type == "" || e.Type == "message" }

// field takes the line buf[from:to], which is not empty. Of a longer line it may be
// called with the beginning.
func (s *sseReader) field(from, to int) {
	line := s.buf[from:to]
	if line[0] == ':' {
		return
	}
	s.fields = true
	name, value := line, line[len(line):]
	if i := bytes.IndexByte(line[:min(len(line), maxFieldName)], ':'); i >= 0 {
		name, value = line[:i], line[i+1:]
		if len(value) > 0 && value[0] == ' ' {
			value = value[1:]
		}
	}
	switch string(name) {
	case "data":
		s.addData(to-len(value), to, false)
	case "event":
		s.event.Type = same(s.event.Type, value[:min(len(value), maxField)])
	case "id":
		if len(value) <= maxField && bytes.IndexByte(value, 0) < 0 {
			s.lastID = same(s.lastID, value)
			s.event.ID, s.event.HasID = s.lastID, true
		}
	case "retry":
		if d, ok := retryTime(value); ok {
			s.event.Retry, s.retry = d, d
		}
	}
}

// same gives a text without making a new one if it is the old one, or a usual one.
func same(old string, text []byte) string {
	switch {
	case string(text) == old:
		return old
	case string(text) == "message":
		return "message"
	case string(text) == "endpoint":
		return "endpoint"
	}
	return string(text)
}

// retryTime reads digits, and nothing but digits, as milliseconds, at most a day.
func retryTime(value []byte) (time.Duration, bool) {
	const most = 24 * time.Hour
	d := time.Duration(0)
	for _, c := range value {
		if c < '0' || c > '9' {
			return 0, false
		}
		d = min(10*d+time.Duration(c-'0')*time.Millisecond, most)
	}
	return d, len(value) > 0
}

// addData takes buf[from:to] as a line of data, or as the rest of one. The first line
// stays where it is; further ones are joined to it by LF.
func (s *sseReader) addData(from, to int, rest bool) {
	if !s.event.HasData {
		s.event.HasData = true
		if from < to {
			s.single = span{from, to}
		}
		return
	}
	s.join()
	if !rest {
		s.joined = append(s.joined, '\n')
	}
	s.joined = append(s.joined, s.buf[from:to]...)
}

// join moves the data out of buf, to where more can be put behind it.
func (s *sseReader) join() {
	s.joined = append(s.joined, s.buf[s.single.from:s.single.to]...)
	s.single = span{}
}

// dispatch ends the event: line is where the next one begins.
func (s *sseReader) dispatch() {
	if len(s.frames) > maxBatch-2 {
		s.flush()
	}
	e := &s.event
	if e.Data = s.buf[s.single.from:s.single.to]; len(s.joined) > s.from {
		s.join()
		e.Data = s.joined[s.from:]
	}
	s.addRaw(s.buf[s.start:s.line], HTTP)
	s.start = s.line
	head := -1
	if s.data.size > 0 || len(e.Data) > 0 && e.isMessage() && !s.dropped {
		f := s.addMessage(e.Data)
		if e.isMessage() {
			head = len(s.frames) - 1
		} else {
			f.Kind = Stray // the type came after the data, a part of which was gone
		}
		s.dropped = f.Size > int64(s.limit)
	}
	if s.dropped || len(e.Data) > s.limit {
		e.Data = nil
	}
	s.events = append(s.events, *e)
	s.heads = append(s.heads, head)
	s.event = sseEvent{Retry: -1}
	s.fields, s.dropped, s.single, s.from = false, false, span{}, len(s.joined)
}

// addRaw adds the last bytes of an event, or bytes between events.
func (s *sseReader) addRaw(raw []byte, kind Kind) {
	for len(raw) > s.limit {
		n := cutUTF8(raw, s.limit)
		s.partOf(&s.raw, raw[:n])
		raw = raw[n:]
	}
	s.frame(&s.raw, raw, false).Kind = kind
}

// addMessage adds the last bytes of a message.
func (s *sseReader) addMessage(data []byte) *Frame {
	for len(data) > s.limit {
		n := cutUTF8(data, s.limit)
		s.partOf(&s.data, data[:n])
		data = data[n:]
	}
	return s.frame(&s.data, data, false)
}

// frame adds a frame to those that are handed over next, and returns it.
func (s *sseReader) frame(p *parts, raw []byte, more bool) *Frame {
	if len(s.frames) == maxBatch {
		s.flush()
	}
	s.frames = append(s.frames, Frame{})
	f := &s.frames[len(s.frames)-1]
	if p == &s.raw && s.mask != nil {
		if s.event.Type == "endpoint" && (more || p.size > 0) {
			raw = []byte(hidden) // where in it a secret begins and ends cannot be told
		} else {
			raw = s.mask(raw, &s.event)
		}
	}
	p.next(f, raw, s.at, more)
	return f
}

// flush hands the frames over, then tells the events.
func (s *sseReader) flush() {
	if len(s.frames) == 0 || s.err != nil {
		return
	}
	if !s.rec.append(s.frames) {
		s.err = ErrClosed
		return
	}
	for i := range s.events {
		e := &s.events[i]
		if at := s.heads[i]; at >= 0 {
			e.Seq, e.Head = s.frames[at].Seq, s.frames[at].Head
		}
		if !s.on(e) {
			s.err = errStop
			return
		}
	}
	s.frames, s.events, s.heads = s.frames[:0], s.events[:0], s.heads[:0]
}
