package client

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"parley/client/wire"
)

// queue sends in order, from a goroutine of its own, so that neither a caller
// with a deadline nor the reader of the connection waits for a server that does
// not read its input.
type queue struct {
	conn  Conn
	pipe  bool // what is sent goes into a pipe
	async bool // Send of a request does not wait, unless something else is being sent

	mu     sync.Mutex
	items  []*outgoing
	busy   bool
	wake   chan struct{} // something was posted
	idle   chan struct{} // closed when nothing waits any more; nil while nobody wants to know
	closed bool
	taken  bool   // a caller sends instead of run
	last   uint64 // the newest frame that was sent
	asked  uint64 // the newest that was sent and is a request
}

type outgoing struct {
	raw     []byte
	by      wire.Origin
	of      uint64
	what    string // for errors: a method, or what it is instead
	request bool   // it is one, and no typed line
	seq     uint64
	err     error
	done    chan struct{}
}

func newQueue(conn Conn) *queue {
	_, pipe := conn.(*wire.Stdio)
	_, async := conn.(agreer)
	return &queue{conn: conn, pipe: pipe, async: async, wake: make(chan struct{}, 1)}
}

// post puts bytes at the end of the queue and returns at once.
func (q *queue) post(raw []byte, by wire.Origin) { q.add(&outgoing{raw: raw, by: by}) }

func (q *queue) add(o *outgoing) {
	o.done = make(chan struct{})
	q.mu.Lock()
	if q.closed {
		o.err = ErrClosed
		close(o.done)
	} else {
		q.items = append(q.items, o)
	}
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// withdraw takes back what waits; what is being sent already cannot be.
func (q *queue) withdraw(o *outgoing) {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.items, o)
	if i < 0 {
		return
	}
	q.items = slices.Delete(q.items, i, i+1)
	q.settled()
}

// sending reports whether something is being sent, with mu held.
func (q *queue) sending() bool { return q.busy || q.taken }

// settled tells who waits for it that nothing waits to be sent, if that is so, with
// mu held.
func (q *queue) settled() {
	if q.idle != nil && len(q.items) == 0 && !q.sending() {
		close(q.idle)
		q.idle = nil
	}
}

// run sends until the connection has ended.
func (q *queue) run() {
	for {
		if o := q.next(); o != nil {
			q.transmit(o)
			close(o.done)
			continue
		}
		select {
		case <-q.wake:
		case <-q.conn.Done():
			q.close()
			return
		}
	}
}

func (q *queue) next() *outgoing {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 || q.taken {
		q.busy = false
		q.settled()
		return nil
	}
	o := q.items[0]
	q.items = q.items[1:]
	q.busy = true
	return o
}

// transmit sends, and remembers what was sent last.
func (q *queue) transmit(o *outgoing) {
	o.seq, o.err = q.conn.Send(o.raw, o.by, o.of)
	q.mu.Lock()
	q.last = max(q.last, o.seq)
	q.mu.Unlock()
}

// close refuses what waits.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, o := range q.items {
		o.err = ErrClosed
		close(o.done)
	}
	q.items = nil
	q.settled()
}

// drained waits until everything posted was sent.
func (q *queue) drained(ctx context.Context) {
	q.mu.Lock()
	if len(q.items) == 0 && !q.sending() {
		q.mu.Unlock()
		return
	}
	if q.idle == nil {
		q.idle = make(chan struct{})
	}
	idle := q.idle
	q.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	case <-q.conn.Done():
	}
}

// send posts and waits until it was written, ctx or the timeout (the client's
// own if 0) ended, or the connection did.
func (c *Client) send(ctx context.Context, o outgoing, timeout time.Duration) (uint64, error) {
	c.mu.Lock()
	q := c.queue
	c.mu.Unlock()
	if q == nil {
		return 0, ErrNotConnected
	}
	if timeout == 0 {
		timeout = c.Timeout()
	}
	if c.sendNow(ctx, q, &o) {
		return o.seq, c.endOr(o.err)
	}
	q.add(&o)
	clock := time.NewTimer(timeout)
	defer clock.Stop()
	select {
	case <-o.done:
		c.mu.Lock()
		c.noteAsked(q, o.seq)
		c.mu.Unlock()
		return o.seq, c.endOr(o.err)
	case <-clock.C:
		q.withdraw(&o)
		return 0, &TimeoutError{Method: o.what, After: timeout, Unread: true, Remote: c.remote()}
	case <-ctx.Done():
		q.withdraw(&o)
		return 0, context.Cause(ctx)
	}
}

// endOr prefers the reason why the connection ended to a plain ErrClosed.
func (c *Client) endOr(err error) error {
	if !errors.Is(err, ErrClosed) {
		return err
	}
	if end := c.Err(); end != nil {
		return end
	}
	return err
}

// sureToFit is what an empty pipe takes on every system, in bytes.
const sureToFit = 2048

// sendNow sends without the queue's goroutine, if that cannot block: nothing waits, and
// the connection takes requests without waiting, or what is sent is short, goes into a
// pipe and the frame sent last was a request that is answered, so that the server has
// read everything. It saves two changes of goroutines a request.
func (c *Client) sendNow(ctx context.Context, q *queue, o *outgoing) bool {
	c.mu.Lock()
	fits := q.pipe && len(o.raw) <= sureToFit && len(c.calls) == 0
	free := q.async && o.request && c.shaken && c.renewal == nil
	free = (fits || free) && ctx.Err() == nil && q.take()
	c.mu.Unlock()
	if !free {
		return false
	}
	q.transmit(o)
	c.mu.Lock()
	c.noteAsked(q, o.seq)
	c.mu.Unlock()
	q.give()
	return true
}

// noteAsked remembers a frame that was sent if it is a request, with c.mu held.
func (c *Client) noteAsked(q *queue, seq uint64) {
	if c.sent[seq] != nil {
		q.mu.Lock()
		q.asked = max(q.asked, seq)
		q.mu.Unlock()
	}
}

// take makes the caller the one who sends, if nothing waits and, of a pipe, the frame
// sent last was a request.
func (q *queue) take() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.sending() || len(q.items) > 0 || q.pipe && (q.last == 0 || q.last != q.asked) {
		return false
	}
	q.taken = true
	return true
}

// give hands the sending back to the queue's goroutine.
func (q *queue) give() {
	q.mu.Lock()
	q.taken = false
	waiting := len(q.items) > 0
	q.settled()
	q.mu.Unlock()
	if !waiting {
		return
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
