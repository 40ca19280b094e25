package wire

import (
	"io"
)

const (
	// firstBody is how much of a body that is no message is kept for the error about it.
	firstBody = 64 << 10
	// firstRead is the size of the first buffer of what is read from the network; it
	// grows, up to readSize for what one read takes.
	firstRead = 4 << 10
)

// messageWriter hands one message to a recorder as it comes: whole up to MaxPart, in
// parts beyond. Its memory is bounded. It is used by one goroutine.
type messageWriter struct {
	rec   *recorder
	parts parts
	buf   []byte
	first []byte // the beginning of the message once a part of it is gone, at most firstBody
	h     Head
	kind  Kind
	seq   uint64
}

// newMessageWriter makes a writer for one received message. What turns out to be no
// JSON-RPC message is Stray; set parts.other for another kind.
func newMessageWriter(rec *recorder, via string) *messageWriter {
	return &messageWriter{rec: rec, parts: parts{kind: Message, other: Stray, via: via, scanned: true}}
}

// write takes the next bytes. It does not keep p.
func (w *messageWriter) write(p []byte) {
	w.buf = append(w.buf, p...)
	w.spill()
}

// readFrom reads the message to the end of r, which is at most size bytes long if
// that is known (else -1), and gives the error that ended it, unless it is [io.EOF].
func (w *messageWriter) readFrom(r io.Reader, size int64) error {
	for {
		if free := cap(w.buf) - len(w.buf); free == 0 {
			w.grow(size)
		}
		free := w.buf[len(w.buf):cap(w.buf)]
		n, err := r.Read(free[:min(len(free), readSize)])
		w.buf = w.buf[:len(w.buf)+n]
		w.spill()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// grow makes room for a read: for all of a body of known size and the read that finds
// its end, or as much again as there is.
func (w *messageWriter) grow(size int64) {
	n := max(firstRead, 2*cap(w.buf))
	if size >= 0 && size < MaxPart && w.buf == nil {
		n = int(size) + 1
	}
	n = min(n, MaxPart+readSize)
	grown := make([]byte, len(w.buf), n)
	copy(grown, w.buf)
	w.buf = grown
}

// spill hands over what has grown too long to be kept.
func (w *messageWriter) spill() {
	done := 0
	for len(w.buf)-done > MaxPart {
		rest := w.buf[done:]
		n := cutPart(rest)
		if w.first == nil {
			w.first = append(w.first, rest[:min(n, firstBody)]...)
		}
		w.put(rest[:n], true)
		done += n
	}
	if done > 0 {
		w.buf = w.buf[:copy(w.buf, w.buf[done:])]
	}
}

func (w *messageWriter) put(raw []byte, more bool) {
	var f Frame
	w.parts.next(&f, raw, w.rec.now(), more)
	w.seq, w.h, w.kind = w.rec.put(f), f.Head, f.Kind
	if more {
		w.parts.seq = w.seq
	}
}

// beginning gives the first bytes of the message, at most firstBody; valid until the
// next write.
func (w *messageWriter) beginning() []byte {
	if w.first != nil {
		return w.first
	}
	return w.buf[:min(len(w.buf), firstBody)]
}

// end completes the message and gives its number, its head and what it is. Of no bytes
// at all it makes no frame; seq is then 0, as it is after the end of the connection.
func (w *messageWriter) end() (seq uint64, h Head, kind Kind) {
	if len(w.buf) > 0 {
		w.put(w.buf, false)
	}
	return w.seq, w.h, w.kind
}

// reset makes the writer ready for another message of its kind.
func (w *messageWriter) reset() { w.buf, w.first, w.seq = w.buf[:0], nil, 0 }
