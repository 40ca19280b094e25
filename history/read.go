package history

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	"parley/client/wire"
)

// readWindow is how much of the file is decoded at a time.
const readWindow = 32 << 10

// Bytes returns up to n of the exact bytes of a frame from offset off on, to
// its end if n < 0. Of a frame of which parts are missing it returns what is
// there. Past the end it returns nothing. The result belongs to the caller.
//
// What is read is decoded only as far as it is needed: a window in a frame of
// a gigabyte costs what one part, 1 MiB, costs at most.
func (l *Log) Bytes(seq uint64, off int64, n int) ([]byte, error) {
	parts, size, ok := l.index.where(seq)
	if !ok {
		return nil, fmt.Errorf("frame %d: there is no such frame", seq)
	}
	if off < 0 || off >= size {
		return nil, nil
	}
	length := size - off
	if n >= 0 {
		length = min(length, int64(n))
	}
	dst := make([]byte, 0, length)
	for i := partAt(parts, off); i < len(parts) && int64(len(dst)) < length; i++ {
		p := &parts[i]
		from := off + int64(len(dst)) - p.raw
		var err error
		dst, err = l.readPart(dst, p, from, min(length-int64(len(dst)), p.size-from))
		if err != nil {
			return nil, fmt.Errorf("frame %d: reading %s: %w", seq, l.fileName(), err)
		}
	}
	return dst, nil
}

// partAt returns the index of the part that has offset off.
func partAt(parts []part, off int64) int {
	low, high := 0, len(parts)
	for low < high {
		mid := (low + high) / 2
		if parts[mid].raw+parts[mid].size <= off {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// readPart appends n bytes of a part from offset from on.
func (l *Log) readPart(dst []byte, p *part, from, n int64) ([]byte, error) {
	switch {
	case p.base64:
		return l.readBase64(dst, p, from, n)
	case p.enc == p.size: // nothing is escaped
		at := len(dst)
		dst = dst[:at+int(n)]
		_, err := l.bytes.ReadAt(dst[at:], p.off+from)
		return dst, err
	}
	return l.readEscaped(dst, p, from, n)
}

func (l *Log) readBase64(dst []byte, p *part, from, n int64) ([]byte, error) {
	skip := from % 3
	start := from / 3 * 4
	end := min((from+n+2)/3*4, p.enc)
	enc := make([]byte, end-start)
	if _, err := l.bytes.ReadAt(enc, p.off+start); err != nil {
		return dst, err
	}
	raw := make([]byte, base64.StdEncoding.DecodedLen(len(enc)))
	m, err := base64.StdEncoding.Decode(raw, enc)
	if err != nil {
		return dst, err
	}
	if int64(m) < skip+n {
		return dst, io.ErrUnexpectedEOF
	}
	return append(dst, raw[skip:skip+n]...), nil
}

// readEscaped decodes a part from its beginning, since the place of a byte in
// it depends on all before, and keeps what is wanted.
func (l *Log) readEscaped(dst []byte, p *part, from, n int64) ([]byte, error) {
	window := int64(readWindow)
	if p.enc < window {
		window = p.enc
	}
	enc := make([]byte, window)
	var raw []byte
	for at := int64(0); n > 0; {
		if at >= p.enc {
			return dst, io.ErrUnexpectedEOF
		}
		w := enc[:min(window, p.enc-at)]
		if _, err := l.bytes.ReadAt(w, p.off+at); err != nil {
			return dst, err
		}
		var used int
		var err error
		raw, used, err = unescape(raw[:0], w, at+int64(len(w)) == p.enc)
		if err == nil && used == 0 {
			err = errors.New("the file was changed")
		}
		if err != nil {
			return dst, err
		}
		at += int64(used)
		if got := int64(len(raw)); got <= from {
			from -= got
		} else {
			take := min(got-from, n)
			dst = append(dst, raw[from:from+take]...)
			from, n = 0, n-take
		}
	}
	return dst, nil
}

// Head returns the head of a frame with the places of its parts, by scanning
// its bytes again. The head of a frame that is no line of the protocol
// (standard error, HTTP, events) is empty.
func (l *Log) Head(seq uint64) (wire.Head, error) {
	r, ok := l.Record(seq)
	if !ok {
		return wire.Head{}, fmt.Errorf("frame %d: there is no such frame", seq)
	}
	if r.Kind != wire.Message && r.Kind != wire.Stray {
		return wire.Head{}, nil
	}
	var s wire.Scanner
	s.Reset()
	for off := int64(0); off < r.Size; {
		b, err := l.Bytes(seq, off, wire.MaxPart)
		if err != nil {
			return wire.Head{}, err
		}
		if len(b) == 0 {
			break
		}
		s.Write(b)
		off += int64(len(b))
	}
	return s.Head(), nil
}
