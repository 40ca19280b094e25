package wire

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"
)

const (
	// maxField is the longest id or event type that is taken: what is longer fits in no
	// header field. The rest of a longer type is dropped, a longer id is ignored.
	maxField = 32 << 10
	// maxFieldName is longer than the name of any field and the colon and space after it.
	maxFieldName = 16
)

// sseReader cuts a stream of server-sent events (HTML standard, 9.2.6) into frames: the
// exact bytes of each event, its empty line included, of kind HTTP; if it is a message,
// the joined data after it, of kind Message or Stray. Comments between events are such a
// frame too. What the end of the stream cuts off is Stray, and no event.
//
// All that one read completed is in one Append. Events longer than MaxPart go out in
// parts as they come, those of the data after those of the event: a line of any length
// costs no more memory than MaxPart and a read.
type sseReader struct {
	rec *recorder
	via string
	// mask gives the bytes to show of an event that may hold a secret; nil masks
	// nothing. Of an endpoint event in parts nothing is shown.
	mask func(raw []byte, e *sseEvent) []byte
	// retry is the pause that the stream last asked for before it is opened again;
	// 0 if it never did.
	retry time.Duration
	limit int // the size of a part: MaxPart, less in tests

	buf   []byte
	start int  // where the bytes begin that are in no frame yet
	line  int  // where the line begins that has no end yet
	end   int  // the end of what was read
	full  bool // the last read took all the room it had
	lf    int  // the first LF from line on, end if there is none
	cr    int  // the first CR
	begun bool // past a byte order mark
	after bool // the last line ended in CR at the end of what was read: an LF belongs to it
	at    time.Time

	event   sseEvent // the one that is read
	fields  bool     // it has had a line that is no comment
	mid     midLine
	dropped bool   // its data is gone
	single  span   // its data is this piece of buf…
	joined  []byte // …or the end of this, from…
	from    int
	raw     parts // of the events
	data    parts // of the messages
	lastID  string

	frames []Frame
	events []sseEvent // of the frames, not told yet
	heads  []int      // where in frames the data of each is, -1: nowhere
	on     func(e *sseEvent) bool
	err    error // ends the run
}

// span is a piece of the reader's buffer.
type span struct{ from, to int }

// midLine says what the line is whose beginning is gone already.
type midLine uint8

const (
	atStart midLine = iota
	inData
	inOther
)

var errStop = errors.New("stopped")

// run reads to the end of body and calls on for each event, also one without data, when
// its frames were appended. It returns nil at the end of the stream or when on returned
// false, ErrClosed if the recorder has ended.
func (s *sseReader) run(body io.Reader, on func(e *sseEvent) bool) error {
	s.init(on)
	defer s.recycle()
	for s.err == nil {
		s.makeRoom()
		room := s.buf[s.end:min(len(s.buf), s.end+readSize)]
		n, err := body.Read(room)
		s.full = n == len(room)
		if n > 0 {
			s.take(n)
			s.split()
		}
		if err != nil && s.err == nil {
			s.finish()
			if s.err == nil {
				s.err = err
			}
		}
	}
	if errors.Is(s.err, errStop) || errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

func (s *sseReader) init(on func(e *sseEvent) bool) {
	if s.limit == 0 {
		s.limit = MaxPart
	}
	s.on = on
	s.raw = parts{kind: HTTP, via: s.via}
	s.data = parts{kind: Message, other: Stray, via: s.via, scanned: true}
	s.event.Retry = -1
	m := sseMemories.Get().(*sseMemory)
	s.buf, s.frames, s.events, s.heads = m.buf, m.frames, m.events, m.heads
	s.data.scan = scanners.Get().(*Scanner)
}

// sseMemory is what a reader needs from the start. Short streams, an answer each, would
// spend most of their time on making it.
type sseMemory struct {
	buf    []byte
	frames []Frame
	events []sseEvent
	heads  []int
}

// firstFrames is room for some short events.
const firstFrames = 8

var sseMemories = sync.Pool{New: func() any {
	return &sseMemory{make([]byte, firstRead), make([]Frame, 0, firstFrames), make([]sseEvent, 0, firstFrames), make([]int, 0, firstFrames)}
}}

// recycle gives the memory back, unless it grew.
func (s *sseReader) recycle() {
	s.data.scan.Reset()
	scanners.Put(s.data.scan)
	if len(s.buf) == firstRead && cap(s.frames) == firstFrames && cap(s.events) == firstFrames {
		clear(s.frames[:firstFrames])
		clear(s.events[:firstFrames])
		sseMemories.Put(&sseMemory{s.buf, s.frames[:0], s.events[:0], s.heads[:0]})
	}
	s.buf, s.frames, s.events, s.heads, s.data.scan = nil, nil, nil, nil, nil
}

// makeRoom moves what is in no frame yet to the front and makes the buffer grow with
// the event, and with what the reads bring.
func (s *sseReader) makeRoom() {
	if s.start > 0 {
		copy(s.buf, s.buf[s.start:s.end])
		s.line -= s.start
		s.end -= s.start
		s.lf -= s.start
		s.cr -= s.start
		if s.single.from < s.single.to {
			s.single.from -= s.start
			s.single.to -= s.start
		}
		s.start = 0
	}
	if s.from > 0 {
		s.joined = s.joined[:copy(s.joined, s.joined[s.from:])]
		s.from = 0
	}
	if len(s.buf)-s.end < min(len(s.buf), readSize)/2 || s.full && len(s.buf) < 2*readSize {
		grown := make([]byte, min(2*len(s.buf), s.limit+4*readSize))
		copy(grown, s.buf[:s.end])
		s.buf = grown
	}
}

// take notes that n bytes were read.
func (s *sseReader) take(n int) {
	was := s.end
	s.end += n
	s.at = s.rec.now()
	if s.lf >= was {
		s.lf = s.find('\n', was)
	}
	if s.cr >= was {
		s.cr = s.find('\r', was)
	}
}

func (s *sseReader) find(c byte, from int) int {
	if i := bytes.IndexByte(s.buf[from:s.end], c); i >= 0 {
		return from + i
	}
	return s.end
}

// split takes the lines that are complete, and the beginning of an event that has grown
// too long to be kept.
func (s *sseReader) split() {
	if !s.begun && !s.skipMark() {
		return
	}
	for s.err == nil && s.nextLine() {
	}
	if s.err != nil {
		return
	}
	if !s.fields && s.mid == atStart && s.line == s.end && s.start < s.end && s.raw.size == 0 {
		// Nothing but comments so far: a sign of life, shown when it comes.
		s.addRaw(s.buf[s.start:s.end], HTTP)
		s.start = s.end
	}
	for s.end-s.start > s.limit+maxFieldName {
		if !s.overflow() {
			break
		}
	}
	s.flush()
}

// skipMark steps over a byte order mark at the very start; false: not yet known.
func (s *sseReader) skipMark() bool {
	const mark = "\uFEFF"
	got := s.buf[:min(s.end, len(mark))]
	if len(got) < len(mark) && string(got) == mark[:len(got)] {
		return false
	}
	s.begun = true
	if string(got) == mark {
		s.line = len(mark)
	}
	return true
}

// nextLine takes the next line if it is complete. Lines end in CR, LF or both. A CR at
// the end of what was read ends its line at once: a server that sends nothing but CRs
// may wait for our answer. If an LF comes later it is in the next frame.
func (s *sseReader) nextLine() bool {
	if s.after && s.line < s.end {
		s.after = false
		if s.buf[s.line] == '\n' {
			s.line++
		}
	}
	if s.lf < s.line {
		s.lf = s.find('\n', s.line)
	}
	if s.cr < s.line {
		s.cr = s.find('\r', s.line)
	}
	i := min(s.lf, s.cr)
	if i == s.end {
		return false
	}
	line, next := s.line, i+1
	if i == s.cr {
		if next == s.end {
			s.after = true
		} else if s.buf[next] == '\n' {
			next++
		}
	}
	s.line = next
	switch {
	case s.mid != atStart:
		if s.mid == inData {
			s.addData(line, i, true)
		}
		s.mid = atStart
	case line == i:
		s.dispatch()
	default:
		s.field(line, i)
	}
	return true
}

// overflow hands over a part of an event that is longer than one, and reports whether
// there was something to hand over.
func (s *sseReader) overflow() bool {
	s.swallow()
	n := min(s.limit, s.line-s.start)
	if n == s.limit {
		n = cutUTF8(s.buf[s.start:s.end], n)
	}
	if n > 0 {
		s.partOf(&s.raw, s.buf[s.start:s.start+n])
	}
	s.join()
	if s.event.Type == "endpoint" && s.data.size == 0 && len(s.joined)-s.from > s.limit {
		s.joined, s.dropped = s.joined[:s.from], true // an address of that length is none, and may hold a secret
	}
	for len(s.joined)-s.from > s.limit {
		n := cutUTF8(s.joined[s.from:], s.limit)
		s.partOf(&s.data, s.joined[s.from:s.from+n])
		s.joined = s.joined[:copy(s.joined, s.joined[s.from+n:])]
		s.from = 0
	}
	s.start += n
	return n > 0
}

// swallow takes the beginning of a line that has no end yet, if it is data or too long
// to wait for its end.
func (s *sseReader) swallow() {
	const data = "data: "
	line := s.buf[s.line:s.end]
	switch {
	case s.mid == inData:
		s.addData(s.line, s.end, true)
	case s.mid == inOther:
	case len(line) >= len(data) && string(line[:len(data)-1]) == data[:len(data)-1]:
		s.mid = inData
		s.field(s.line, s.end)
	case len(line) > maxField+maxFieldName:
		s.mid = inOther
		s.field(s.line, s.end)
	default:
		return
	}
	s.line = s.end
}

// partOf hands over a part of a frame that goes on.
func (s *sseReader) partOf(p *parts, raw []byte) {
	f := s.frame(p, raw, true)
	s.flush()
	p.seq = f.Seq
}

// finish hands over what the end of the stream cut off.
func (s *sseReader) finish() {
	if !s.begun {
		s.begun, s.line = true, s.start // a byte order mark that is cut is a line like others
	}
	kind := Stray
	if !s.fields && s.mid == atStart && s.line == s.end {
		kind = HTTP
	}
	if s.start < s.end {
		s.addRaw(s.buf[s.start:s.end], kind)
		s.start = s.end
	}
	if s.data.size > 0 {
		s.join()
		s.addMessage(s.joined[s.from:]).Kind = Stray
	}
	s.flush()
}
