package wire

import (
	"bytes"
	"errors"
	"io"
	"time"
)

const (
	readSize = 64 << 10 // the most that one read takes
	maxBatch = 512      // frames handed over at once: a read of empty lines is cut here
	maxLine  = MaxPart + 2 + readSize
)

// lineReader cuts a stream into lines and hands them to the sink, all that one
// read completed in one Append and under one time. It allocates nothing for a
// line; a line of any length costs at most maxLine bytes of buffer.
type lineReader struct {
	sink Sink
	now  func() time.Time
	via  string // of the frames; empty is stdio
	kind Kind   // Message: lines are scanned; Stderr: they are not
	tail *tail  // keeps the last lines; may be nil

	buf    []byte
	start  int // where the line begins that has no end yet
	seen   int // up to here it was searched for its end
	end    int // the end of what was read
	at     time.Time
	frames []Frame
	parts  parts
}

// run reads to the end of r. The error is nil where r ended properly.
func (l *lineReader) run(r io.Reader) error {
	l.buf = make([]byte, readSize)
	l.frames = make([]Frame, 0, maxBatch)
	l.parts = parts{kind: l.kind, other: Stray, via: l.via, scanned: l.kind != Stderr}
	for {
		l.makeRoom()
		n, err := r.Read(l.buf[l.end:min(len(l.buf), l.end+readSize)])
		if n > 0 {
			l.end += n
			l.at = l.now()
			l.split()
		}
		if err != nil {
			if l.start < l.end {
				l.line(l.buf[l.start:l.end], EOLNone)
				l.start = l.end
			}
			l.flush()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// makeRoom moves the unfinished line to the front and sees to it that a read
// brings a good deal: the buffer grows with the line, up to maxLine.
func (l *lineReader) makeRoom() {
	if l.start > 0 {
		copy(l.buf, l.buf[l.start:l.end])
		l.seen -= l.start
		l.end -= l.start
		l.start = 0
	}
	if len(l.buf)-l.end < readSize/2 {
		grown := make([]byte, min(2*len(l.buf), maxLine))
		copy(grown, l.buf[:l.end])
		l.buf = grown
	}
}

// split hands over the lines that are complete, and the beginning of one that
// has grown too long to be kept.
func (l *lineReader) split() {
	for {
		i := bytes.IndexByte(l.buf[l.seen:l.end], '\n')
		if i < 0 {
			l.seen = l.end
			break
		}
		line, eol := l.buf[l.start:l.seen+i], EOLLF
		l.seen += i + 1
		l.start = l.seen
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line, eol = line[:n-1], EOLCRLF
		}
		l.line(line, eol)
	}
	// Two bytes more than a part are waited for: the line may yet turn out to
	// have just the size of a part and to end in CRLF.
	for l.end-l.start >= MaxPart+2 {
		n := cutPart(l.buf[l.start:l.end])
		l.part(l.buf[l.start : l.start+n])
		l.start += n
	}
	l.flush()
}

// line adds the frame of a line whose end is known.
func (l *lineReader) line(raw []byte, eol EOL) {
	for len(raw) > MaxPart {
		n := cutPart(raw)
		l.part(raw[:n])
		raw = raw[n:]
	}
	l.frame(raw, false).EOL = eol
}

// part hands over a piece of a line that goes on after it.
func (l *lineReader) part(raw []byte) {
	f := l.frame(raw, true)
	l.flush()
	l.parts.seq = f.Seq
}

// frame adds a frame to the batch and returns it.
func (l *lineReader) frame(raw []byte, more bool) *Frame {
	if len(l.frames) == cap(l.frames) {
		l.flush()
	}
	if l.tail != nil && l.parts.size == 0 {
		l.tail.add(raw)
	}
	l.frames = l.frames[:len(l.frames)+1]
	f := &l.frames[len(l.frames)-1]
	l.parts.next(f, raw, l.at, more)
	return f
}

func (l *lineReader) flush() {
	if len(l.frames) > 0 {
		l.sink.Append(l.frames)
		l.frames = l.frames[:0]
	}
}

const (
	tailLines = 20
	tailBytes = 1 << 10
)

// tail keeps the last lines of a stream, each cut to tailBytes.
type tail struct {
	lines [tailLines][]byte
	n     int // how many there were
}

func (t *tail) add(line []byte) {
	if len(line) > tailBytes {
		line = line[:cutUTF8(line, tailBytes)]
	}
	slot := &t.lines[t.n%tailLines]
	*slot = append((*slot)[:0], line...)
	t.n++
}

// strings returns the lines kept, oldest first.
func (t *tail) strings() []string {
	var out []string
	for i := max(0, t.n-tailLines); i < t.n; i++ {
		out = append(out, string(t.lines[i%tailLines]))
	}
	return out
}
