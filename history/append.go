package history

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"parley/client/rawjson"
	"parley/client/wire"
)

// openFrame is a frame of which parts are still to come.
type openFrame struct {
	parts int       // written so far
	size  int64     // bytes in them
	kind  wire.Kind // as the last line said
}

// placed says where a piece of a frame was put in the buffer that is written.
type placed struct {
	frame *wire.Frame
	index int // of the part; -1: the frame is in one piece
	last  bool
	part  part // off: within the buffer
}

// Append records frames: it numbers them, writes their lines at once and makes
// them known to readers. It never fails; see Err. A log that was opened from a
// file or was closed takes no frames and returns 0.
func (l *Log) Append(frames []wire.Frame) (first uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.readOnly || l.closed {
		return 0
	}
	first, err := l.record(frames)
	switch {
	case err != nil:
		err = fmt.Errorf("recording to %s: %w", l.fileName(), err)
		l.err.Store(&err)
		_, _ = l.record([]wire.Frame{l.notice("recording stopped: " + err.Error() + "; what follows is kept in memory")})
	case l.Err() != nil && l.store.healthy():
		l.err.Store(nil)
		_, _ = l.record([]wire.Frame{l.notice("recording goes on")})
	}
	return first
}

// record does the work of Append; the error is that of the file.
func (l *Log) record(frames []wire.Frame) (first uint64, err error) {
	l.buf, l.placed = l.buf[:0], l.placed[:0]
	next := l.index.last // only written here, under l.mu
	for i := range frames {
		f := &frames[i]
		if f.Seq == 0 || l.open[f.Seq] == nil {
			next++
			f.Seq = next
			if first == 0 {
				first = next
			}
			if f.More || len(f.Raw) > wire.MaxPart {
				l.opened(f)
			}
		}
		l.encode(f)
	}
	off, err := l.store.write(l.buf)
	l.publish(off)
	if cap(l.buf) > 4*wire.MaxPart {
		l.buf = nil // once large is not always large
	}
	return first, err
}

func (l *Log) opened(f *wire.Frame) {
	if l.open == nil {
		l.open = make(map[uint64]*openFrame)
	}
	l.open[f.Seq] = new(openFrame)
}

// encode appends the lines of a frame or of one part of it to the buffer.
func (l *Log) encode(f *wire.Frame) {
	open := l.open[f.Seq]
	if open == nil {
		l.line(f, nil, f.Raw, true)
		return
	}
	raw := f.Raw
	for len(raw) > wire.MaxPart {
		n := runeStart(raw, wire.MaxPart)
		l.line(f, open, raw[:n], false)
		raw = raw[n:]
	}
	l.line(f, open, raw, !f.More)
	if !f.More {
		delete(l.open, f.Seq)
	}
}

// runeStart returns the largest offset up to n that cuts no character in two.
func runeStart(b []byte, n int) int {
	for i := n; i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			return i
		}
	}
	return n
}

// line appends one line. open is nil for a frame in one piece.
func (l *Log) line(f *wire.Frame, open *openFrame, raw []byte, last bool) {
	b := l.buf
	b = append(b, `{"n":`...)
	b = strconv.AppendUint(b, f.Seq, 10)
	p := placed{frame: f, index: -1, last: last, part: part{size: int64(len(raw))}}
	said := wire.Message // the kind if the line has no word for it
	if open != nil {
		p.index, p.part.raw, said = open.parts, open.size, open.kind
		open.parts++
		open.size += int64(len(raw))
		open.kind = f.Kind
	}
	if p.index <= 0 {
		b = append(b, `,"t":"`...)
		b = l.stamp.append(b, f.Time)
		b = append(b, '"')
		if f.Dir != wire.None {
			b = append(append(append(b, `,"d":"`...), f.Dir.String()...), '"')
		}
	}
	if f.Kind != said {
		b = append(append(append(b, `,"k":"`...), f.Kind.String()...), '"')
	}
	if p.index <= 0 {
		b = appendOrigin(b, f)
	}
	if open != nil {
		b = append(b, `,"part":`...)
		b = strconv.AppendInt(b, int64(p.index), 10)
		if last {
			b = append(b, `,"end":true`...)
		}
	}
	b = appendRaw(b, raw, &p.part)
	if last && f.EOL != wire.EOLLF {
		b = append(append(append(b, `,"eol":"`...), f.EOL.String()...), '"')
	}
	b = append(b, '}', '\n')
	l.buf = b
	l.placed = append(l.placed, p)
}

func appendOrigin(b []byte, f *wire.Frame) []byte {
	if f.Via != "" && f.Via != stdio {
		b = append(b, `,"via":`...)
		b = rawjson.Quote(b, f.Via)
	}
	if f.By != wire.ByNone {
		b = append(append(append(b, `,"by":"`...), f.By.String()...), '"')
	}
	if f.Of != 0 {
		b = append(b, `,"of":`...)
		b = strconv.AppendUint(b, f.Of, 10)
	}
	return b
}

// appendRaw appends the bytes of a frame and notes where they stand.
func appendRaw(b, raw []byte, p *part) []byte {
	if utf8.Valid(raw) {
		b = append(b, `,"raw":"`...)
		p.off = int64(len(b))
		b = appendEscaped(b, raw)
	} else {
		b = append(b, `,"b64":"`...)
		p.off = int64(len(b))
		p.base64 = true
		b = base64.StdEncoding.AppendEncode(b, raw)
	}
	p.enc = int64(len(b)) - p.off
	return append(b, '"')
}

// publish puts what was written at off into the index.
func (l *Log) publish(off int64) {
	l.index.mu.Lock()
	defer l.index.mu.Unlock()
	for i := range l.placed {
		p := &l.placed[i]
		p.part.off += off
		f := p.frame
		if p.index < 0 {
			h := headOf(f.Dir, f.Kind, &f.Head, f.Raw)
			e, x := l.index.newEntry(f, &h, p.part)
			l.index.add(f.Seq, e, x)
			continue
		}
		h := headOf(f.Dir, f.Kind, &f.Head, nil)
		if p.index == 0 {
			e, x := l.index.newParts(f, &h, p.part)
			l.index.add(f.Seq, e, x)
		} else {
			e, x := l.index.get(f.Seq)
			l.index.addPart(e, x, f, &h, p.part, p.last)
		}
	}
	l.index.changed()
	clear(l.placed)
}

// stamp writes times, of which many in a row are the same: those of one read.
type stamp struct {
	at   int64
	text []byte
}

const lineTime = "2006-01-02T15:04:05.000000Z"

func (s *stamp) append(dst []byte, t time.Time) []byte {
	if at := t.UnixMicro(); s.text == nil || at != s.at {
		s.at = at
		s.text = t.UTC().AppendFormat(s.text[:0], lineTime)
	}
	return append(dst, s.text...)
}
