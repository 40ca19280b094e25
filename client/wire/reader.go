package wire

import (
	"bytes"
	"errors"
	"io"
	"time"
	"unicode/utf8"
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
	kind Kind  // Message: lines are scanned; Stderr: they are not
	tail *tail // keeps the last lines; may be nil

	buf    []byte
	start  int // where the line begins that has no end yet
	seen   int // up to here it was searched for its end
	end    int // the end of what was read
	at     time.Time
	frames []Frame
	scan   Scanner

	partSeq  uint64 // the number of the line that is being handed over in parts
	partSize int64  // how much of it was; 0: there is no such line
}

// run reads to the end of r. The error is nil where r ended properly.
func (l *lineReader) run(r io.Reader) error {
	l.buf = make([]byte, readSize)
	l.frames = make([]Frame, 0, maxBatch)
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
	f := l.frame(raw)
	f.EOL = eol
	if l.kind != Stderr {
		if l.partSize == 0 {
			l.scan.Reset()
		}
		l.scan.Write(raw)
		f.Head = l.scan.Head()
		if !f.Head.Form.IsMessage() {
			f.Kind = Stray
		}
	}
	l.partSeq, l.partSize = 0, 0
}

// part hands over a piece of a line that goes on after it.
func (l *lineReader) part(raw []byte) {
	f := l.frame(raw)
	f.More = true
	if l.kind != Stderr {
		if l.partSize == 0 {
			l.scan.Reset()
		}
		l.scan.Write(raw)
		f.Head = l.scan.Partial()
		if f.Head.Form == Garbage {
			f.Kind = Stray // it cannot become a message any more
		}
	}
	l.partSize = f.Size
	first := f.Seq == 0
	if seq := l.flushLast(); first {
		l.partSeq = seq
	}
}

// frame adds a frame to the batch and returns it. What is handed over before
// the whole line is known keeps the kind that is expected.
func (l *lineReader) frame(raw []byte) *Frame {
	if len(l.frames) == cap(l.frames) {
		l.flush()
	}
	if l.tail != nil && l.partSize == 0 {
		l.tail.add(raw)
	}
	l.frames = l.frames[:len(l.frames)+1]
	f := &l.frames[len(l.frames)-1]
	*f = Frame{Seq: l.partSeq, Time: l.at, Dir: In, Kind: l.kind, Size: l.partSize + int64(len(raw)), Raw: raw}
	return f
}

func (l *lineReader) flush() {
	if len(l.frames) > 0 {
		l.sink.Append(l.frames)
		l.frames = l.frames[:0]
	}
}

// flushLast is flush, and gives the number that the last frame got.
func (l *lineReader) flushLast() uint64 {
	last := &l.frames[len(l.frames)-1]
	l.flush()
	return last.Seq
}

// cutPart says where the first part of p ends, which is longer than a part: at
// MaxPart, or a little before it where that would split a character.
func cutPart(p []byte) int { return cutUTF8(p, MaxPart) }

// cutUTF8 returns n, or a little less where p[:n] would end within a UTF-8
// sequence. p is longer than n.
func cutUTF8(p []byte, n int) int {
	for i := n; i > n-utf8.UTFMax && i > 0; i-- {
		if !utf8.RuneStart(p[i]) {
			continue
		}
		if !utf8.FullRune(p[i:]) {
			return i
		}
		if _, size := utf8.DecodeRune(p[i:]); i+size > n {
			return i
		}
		break
	}
	return n
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
