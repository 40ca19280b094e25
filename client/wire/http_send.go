package wire

import (
	"bytes"
	"context"
	"errors"
	"time"
)

// patience bounds what is waited for in order: the head of the response to a message
// that is no request, and the answer to initialize.
const patience = 30 * time.Second

// parcel is a message on its way.
type parcel struct {
	seq    uint64
	raw    []byte
	head   Head
	via    string
	modern bool
}

// Send appends the frame, then posts raw, which may be any bytes.
//
// A message with a request in it is posted by a goroutine of its own: Send returns at
// once, and when its answer cannot come any more that is the event lost and a call of
// [LossSink]. Of anything else Send waits for the response's head, at most 30 s, so
// that what is sent after it arrives after it; a refusal is the event write-failed and
// an error: *[HTTPError], *[SessionError], *[NetError] or *[RedirectError]. What is sent
// after an initialize waits for its answer, since that names the session.
//
// seq is the frame's number, 0 if the connection had ended before and nothing was
// appended: the error is ErrClosed or the one of Err.
func (c *HTTPConn) Send(raw []byte, by Origin, of uint64) (seq uint64, err error) {
	c.awaitInitialize(raw)
	if !c.enter() {
		return 0, c.closedErr()
	}
	defer c.leave()
	p := parcel{raw: raw, via: c.nextVia("POST")}
	if p.seq, p.head = c.rec.sent(raw, p.via, by, of); p.seq == 0 {
		return 0, c.closedErr()
	}
	p.modern = c.isModern(&p.head, raw)
	ids := requestIDs(&p.head)
	if len(ids) == 0 {
		return p.seq, c.deliver(&p)
	}
	p.raw = bytes.Clone(raw) // it is read after Send has returned
	c.request(p, ids)
	return p.seq, nil
}

// closedErr is why nothing can be sent.
func (c *HTTPConn) closedErr() error {
	if err := c.Err(); err != nil {
		return err
	}
	return ErrClosed
}

// enter takes the lane. It reports whether anything may be sent.
func (c *HTTPConn) enter() bool {
	select {
	case c.lane <- struct{}{}:
	case <-c.ctx.Done():
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		<-c.lane
		return false
	}
	return true
}

func (c *HTTPConn) leave() { <-c.lane }

// isModern reports whether a message is sent as 2026-07-28 says.
func (c *HTTPConn) isModern(h *Head, raw []byte) bool {
	c.mu.Lock()
	modern := c.agreed.Modern
	c.mu.Unlock()
	return modern && h.Method != "initialize" || modernVersion(h, raw) != ""
}

// awaitInitialize waits until the last initialize was answered. What may be sent
// meanwhile does not wait: an answer to the server, and a cancellation.
func (c *HTTPConn) awaitInitialize(raw []byte) {
	c.mu.Lock()
	x := c.first
	waiting := x != nil && !x.over
	c.mu.Unlock()
	if !waiting {
		return
	}
	if h := Scan(raw); h.Form.IsResponse() || h.Method == "notifications/cancelled" {
		return
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-c.ended(x):
	case <-limit.C:
	case <-c.ctx.Done():
	}
}

// request posts a message with requests in a goroutine of its own.
func (c *HTTPConn) request(p parcel, ids []ID) {
	x := &exchange{parcel: p, ids: ids, initialize: p.head.Method == "initialize" && !p.modern}
	x.ctx, x.cancel = context.WithCancel(c.ctx)
	c.mu.Lock()
	c.open.add(x)
	if x.initialize {
		c.first = x
	}
	c.mu.Unlock()
	select {
	case c.jobs <- x:
	default:
		if !c.start(func() { c.work(x) }) {
			x.cancel()
		}
	}
}

// maxIdleWorkers is how many goroutines wait for requests to post. One that has posted
// before has a stack that is large enough: that saves a tenth of a call's time.
const maxIdleWorkers = 8

// work posts a request, and then others.
func (c *HTTPConn) work(x *exchange) {
	for {
		c.run(x)
		if c.idle.Add(1) > maxIdleWorkers {
			c.idle.Add(-1)
			return
		}
		select {
		case x = <-c.jobs:
			c.idle.Add(-1)
		case <-c.ctx.Done():
			return
		}
	}
}

// deliver posts a message without requests and waits for the head of its response.
func (c *HTTPConn) deliver(p *parcel) error {
	if p.head.Method == "notifications/cancelled" {
		c.cancelled(p.head.Token)
	}
	ctx, cancel := context.WithCancelCause(c.ctx)
	limit := time.AfterFunc(patience, func() { cancel(context.DeadlineExceeded) })
	err := c.handOver(ctx, p, limit, func() { cancel(nil) })
	if err != nil && c.ctx.Err() != nil {
		err = ErrClosed
	}
	if err != nil {
		cancel(nil)
		c.rec.event(ConnEvent{Event: EventWriteFailed, Seq: p.seq, Text: err.Error()})
	}
	return err
}

// handOver is deliver without the limit of time. It calls done, or has it called when
// the response's body is read.
func (c *HTTPConn) handOver(ctx context.Context, p *parcel, limit *time.Timer, done func()) error {
	r, session, err := c.post(ctx, p, p.via)
	if err != nil {
		limit.Stop()
		if broken, ok := errors.AsType[*StreamError](err); ok {
			err = broken.Err // no answer was to come
		}
		return err
	}
	if !r.ok() {
		defer limit.Stop() // the limit holds for the refusal's text, too
		defer done()
		h, err := c.refusal(r, session)
		if h.Form.IsMessage() && !p.head.Form.IsMessage() {
			return nil // something that is no message got an answer
		}
		return err
	}
	limit.Stop()
	if p.head.Method == "notifications/initialized" && !p.modern {
		c.listen()
	}
	if r.ContentLength == 0 {
		discard(r.Body)
		done()
		return nil
	}
	if !c.start(func() {
		defer done()
		c.leftover(r)
	}) {
		discard(r.Body)
		done()
	}
	return nil
}

// leftover reads what the response to a message brings that needs none.
func (c *HTTPConn) leftover(r *reply) {
	if isStream(r) {
		_ = c.read(&eventStream{retry: -1}, r, nil)
		return
	}
	_, _, _ = c.readBody(r)
}
