package wire

import (
	"sync"
	"sync/atomic"
	"time"
)

// streamGrace is how long the other side of a connection may take to end when we do.
const streamGrace = 500 * time.Millisecond

// link is what sockets and websockets have in common: what goes out, and how it ended.
type link struct {
	url   string // secrets masked
	via   string // of its frames
	grace time.Duration
	out   *sender

	asked   atomic.Bool // we send nothing any more
	leaving atomic.Bool // Close was called
	closing sync.Once

	done chan struct{}
	err  error // set before done is closed
}

// Send appends the frame, then writes it. Raw may be any bytes; what is no JSON-RPC
// message is of kind Stray, as it is in the other direction. Frames go out whole and in
// the order of their numbers. While the server does not read, Send blocks, until Close.
//
// A write that fails is the event write-failed and a [*DisconnectedError]. After Close
// and CloseSend the error is [ErrClosed]. seq is the frame's number, 0 if the connection
// had ended before and nothing was appended.
func (l *link) Send(raw []byte, by Origin, of uint64) (seq uint64, err error) {
	if l.asked.Load() {
		return 0, ErrClosed
	}
	seq, err = l.out.send(raw, l.via, by, of)
	switch {
	case err == nil:
		return seq, nil
	case l.asked.Load():
		return seq, ErrClosed
	}
	// The reader finds the reason of what the writer only suffers from.
	moment := time.NewTimer(exitTime)
	defer moment.Stop()
	select {
	case <-l.done:
		if l.err != nil {
			return seq, l.err
		}
		return seq, ErrClosed
	case <-moment.C:
	}
	return seq, &DisconnectedError{URL: l.url, Err: err}
}

// finish appends the last event. The error says how the other side ended; clean is
// whether it ended in order.
func (l *link) finish(e *DisconnectedError, clean bool) {
	if l.leaving.Load() {
		l.out.end(ConnEvent{Event: EventClosed})
	} else {
		if !clean || !l.asked.Load() {
			l.err = e
		}
		l.out.end(ConnEvent{Event: EventDisconnected, Text: e.Error()})
	}
	close(l.done)
}

// await waits for the end of the connection, at most the grace.
func (l *link) await() (ended bool) {
	limit := time.NewTimer(l.grace)
	defer limit.Stop()
	select {
	case <-l.done:
		return true
	case <-limit.C:
		return false
	}
}

// Done is closed after the last event was appended.
func (l *link) Done() <-chan struct{} { return l.done }

// Err says, after Done, how the connection ended: nil if Close ended it, or if the
// other side did, in order, after CloseSend; otherwise a [*DisconnectedError].
func (l *link) Err() error {
	if !isClosed(l.done) {
		return nil
	}
	return l.err
}
