package clienttest

import (
	"io"
	"sync"
)

// pipeSize is how much a client can send that nobody reads, as with a process.
const pipeSize = 64 << 10

// buffer is a pipe with room for pipeSize bytes. Waiting for it is durable in
// the sense of testing/synctest.
type buffer struct {
	mu      sync.Mutex
	moved   *sync.Cond
	data    []byte
	closed  bool // by the writer
	stopped bool // by the reader
}

func newBuffer() *buffer {
	b := &buffer{}
	b.moved = sync.NewCond(&b.mu)
	return b
}

func (b *buffer) Write(p []byte) (n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(p) > 0 {
		for len(b.data) == pipeSize && !b.stopped && !b.closed {
			b.moved.Wait()
		}
		if b.stopped || b.closed {
			return n, io.ErrClosedPipe
		}
		k := min(len(p), pipeSize-len(b.data))
		b.data = append(b.data, p[:k]...)
		p, n = p[k:], n+k
		b.moved.Broadcast()
	}
	return n, nil
}

func (b *buffer) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.data) == 0 && !b.stopped && !b.closed {
		b.moved.Wait()
	}
	if b.stopped {
		return 0, io.ErrClosedPipe
	}
	if len(b.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.data)
	b.data = append(b.data[:0], b.data[n:]...)
	b.moved.Broadcast()
	return n, nil
}

// Close is the writer's.
func (b *buffer) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.moved.Broadcast()
	return nil
}

// stop is the reader's close: writing fails from now on.
func (b *buffer) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
	b.moved.Broadcast()
}

// handover is a pipe without room: a write returns when the reader has taken
// everything and comes for more, so that it is done with what it took.
type handover struct {
	mu      sync.Mutex
	moved   *sync.Cond
	data    []byte // of the write under way
	waiting bool   // the reader waits for more
	ended   bool   // by the writer
	closed  bool   // by the reader
}

func newHandover() *handover {
	h := &handover{}
	h.moved = sync.NewCond(&h.mu)
	return h
}

// Write is for one goroutine at a time.
func (h *handover) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.data = p
	h.moved.Broadcast()
	for (len(h.data) > 0 || !h.waiting) && !h.ended && !h.closed {
		h.moved.Wait()
	}
	n := len(p) - len(h.data)
	h.data = nil
	if h.ended || h.closed {
		return n, io.ErrClosedPipe
	}
	return n, nil
}

func (h *handover) Read(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waiting = true
	h.moved.Broadcast()
	defer func() { h.waiting = false }()
	for len(h.data) == 0 && !h.ended && !h.closed {
		h.moved.Wait()
	}
	switch {
	case h.closed:
		return 0, io.ErrClosedPipe
	case h.ended:
		return 0, io.EOF
	}
	n := copy(p, h.data)
	h.data = h.data[n:]
	return n, nil
}

// Close is the reader's.
func (h *handover) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.moved.Broadcast()
	return nil
}

// end is the writer's close.
func (h *handover) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	h.moved.Broadcast()
}
