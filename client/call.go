package client

import (
	"bytes"
	"context"
	"time"

	"parley/client/mcp"
	"parley/client/wire"
)

// Answer is a request and what answered it, by number. The bytes are in the log.
type Answer struct {
	Request  wire.Ref
	Response wire.Ref // zero if none came
	Head     wire.Head
	Sent     time.Time
	Got      time.Time
	// Rounds are the earlier requests of a modern exchange, each answered with
	// questions, and those that asked for the state of a task.
	Rounds []Answer
	Cached time.Time // not zero: taken from an answer that counts until then; nothing was sent

	result []byte // the bytes of a small result: who asked looks at it soon
}

// maxKept is the size up to which a result is kept with its answer.
const maxKept = 4 << 10

// Took is the time from sending the request, the first one of its rounds, to the end of
// the answer.
func (a Answer) Took() time.Duration {
	if len(a.Rounds) > 0 {
		return a.Got.Sub(a.Rounds[0].Sent)
	}
	return a.Got.Sub(a.Sent)
}

// CallOptions shape one request.
type CallOptions struct {
	By       wire.Origin   // ByAuto if ByNone
	Of       uint64        // the frame that this request repeats or replaces
	Timeout  time.Duration // the client's own if 0
	Force    bool          // send it though the server did not declare it
	Progress bool          // ask for progress notifications
	Fresh    bool          // ask the server, whatever it said of how long an answer counts
	Task     bool          // tools/call of 2025-11-25: as a task, if the tool can be one
	TTL      time.Duration // of the task; 0 leaves it to the server
	OneRound bool          // do not answer questions: input_required is the result
}

// call is one of our requests. Its fields but done and activity belong to Client.mu.
type call struct {
	id       wire.ID
	first    uint64 // the request that this one repeats or carries on, or 0
	session  int    // in which it was sent
	token    wire.ID
	method   string
	answer   Answer
	err      error
	done     chan struct{} // closed when answered, cancelled or lost
	finished bool
	activity chan struct{} // progress arrived; nil if none was asked for
}

// origin is the number of the first request of an exchange.
func (k *call) origin() uint64 {
	if k.first != 0 {
		return k.first
	}
	return k.answer.Request.Seq
}

func (k *call) touch() {
	select {
	case k.activity <- struct{}{}:
	default:
	}
}

func (k *call) finish(err error) {
	if !k.finished {
		k.finished, k.err = true, err
		close(k.done)
	}
}

// opened takes note of a request of ours, with c.mu held.
func (c *Client) opened(f *wire.Frame, ref wire.Ref, h *wire.Head) {
	k := &call{id: h.ID, token: h.Token, method: h.Method, session: c.session, done: make(chan struct{})}
	k.answer = Answer{Request: ref, Sent: f.Time}
	c.calls[ref] = k
	if c.sent[ref.Seq] == nil {
		c.sent[ref.Seq] = k
	}
	if h.ID.Type != wire.NumberID || h.ID.Text != "" || h.ID.Num >= c.nextID { // the others are not met again
		c.taken[h.ID] = true
	}
	if h.Token.Type != wire.NoID {
		k.activity = make(chan struct{}, 1)
		c.byToken[h.Token] = k
	}
	if !h.Cursor { // a further page does not begin the list anew
		delete(c.changed, h.Method)
	}
}

// answered completes a call, with c.mu held.
func (c *Client) answered(f *wire.Frame, ref wire.Ref, h *wire.Head, request wire.Ref) {
	k := c.calls[request]
	if k == nil {
		return
	}
	k.answer.Response, k.answer.Got, k.answer.Head = ref, f.Time, *h
	if r := h.Result; 0 < r.Len && r.Len <= maxKept && int64(len(f.Raw)) == f.Size {
		k.answer.result = bytes.Clone(f.Raw[r.Off : r.Off+r.Len])
	}
	if h.Form == wire.Result && k.method != "server/discover" {
		c.heardOf = true
	}
	c.forget(k)
	k.finish(nil)
}

// lost ends the calls of a frame that cannot be answered any more, with c.mu held.
func (c *Client) lost(seq uint64, err error) {
	for ref, k := range c.calls {
		if ref.Seq == seq {
			c.forget(k)
			k.finish(err)
		}
	}
}

func (c *Client) forget(k *call) {
	delete(c.calls, k.answer.Request)
	if c.byToken[k.token] == k {
		delete(c.byToken, k.token)
	}
}

// newID takes the next id of ours that is not in use in this epoch, with the envelope
// that its request has.
func (c *Client) newID() (int64, envelope) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.taken[wire.Int(c.nextID)] {
		delete(c.taken, wire.Int(c.nextID)) // ids only grow, it cannot be met again
		c.nextID++
	}
	id := c.nextID
	c.nextID++
	return id, c.envelope
}

// claim finds the call that the frame seq opened, answered or not.
func (c *Client) claim(seq uint64) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.sent[seq]
	delete(c.sent, seq)
	return k
}

func (c *Client) wait(ctx context.Context, k *call, timeout time.Duration) (Answer, error) {
	if timeout == 0 {
		timeout = c.Timeout()
	}
	if k.method == "subscriptions/listen" {
		timeout = never
	}
	// Progress starts the clock again, but not for ever (spec: lifecycle, timeouts).
	var longest *time.Timer
	var over <-chan time.Time
	begun := time.Now()
	clock := time.NewTimer(timeout)
	defer clock.Stop()
	for {
		select {
		case <-k.done:
			return c.outcome(k)
		case <-k.activity:
			clock.Reset(timeout)
			if longest == nil {
				longest = time.NewTimer(maxExtensions*timeout - time.Since(begun))
				defer longest.Stop()
				over = longest.C
			}
		case <-clock.C:
			if d := c.more(timeout); d > 0 {
				clock.Reset(d)
				continue
			}
			return c.giveUp(k, c.late(k.method, timeout))
		case <-over:
			if d := c.more(maxExtensions * timeout); d > 0 {
				longest.Reset(d)
				continue
			}
			return c.giveUp(k, c.late(k.method, maxExtensions*timeout))
		case <-ctx.Done():
			return c.giveUp(k, context.Cause(ctx))
		}
	}
}

// late is the error of a request that was not answered in time.
func (c *Client) late(method string, after time.Duration) *TimeoutError {
	return &TimeoutError{Method: method, After: after, Remote: c.remote()}
}

// remote reports whether the server is reached by an address, and is no process of ours.
func (c *Client) remote() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.conn.(type) {
	case *wire.HTTPConn, *wire.WebSocket, *wire.Stream:
		return true
	}
	return false
}

// never is when a subscription is given up.
const never = time.Duration(1<<63-1) / maxExtensions

// maxExtensions bounds how often progress may start a request's clock again.
const maxExtensions = 10

func (c *Client) outcome(k *call) (Answer, error) {
	c.mu.Lock()
	a, err := k.answer, k.err
	c.mu.Unlock()
	if err == nil && a.Head.Form == wire.Result && a.Head.Result.Len == 0 {
		err = &NoResultError{Method: k.method}
	}
	if err != nil || a.Head.Form != wire.Failure {
		return a, err
	}
	raw, err := c.RPCError(a)
	if err != nil {
		return a, err
	}
	refused := mcp.DecodeError(raw)
	refused.Method, refused.Lacks = k.method, c.lacks(k.method)
	return a, refused
}

// lacks names the capability that a method needs, if the server said what it has and
// that it does not have this.
func (c *Client) lacks(method string) string {
	m, known := mcp.LookupMethod(method)
	c.mu.Lock()
	info, said := c.info, c.shaken && (c.era != Modern || c.discovered)
	c.mu.Unlock()
	if need := m.Needs(info.ProtocolVersion); known && said && need != "" && !info.Has(need) {
		return need
	}
	return ""
}

// giveUp ends a call that nobody waits for any more and tells the server.
func (c *Client) giveUp(k *call, why error) (Answer, error) {
	c.mu.Lock()
	if k.finished {
		c.mu.Unlock()
		return c.outcome(k)
	}
	a := k.answer
	stream, streams := c.conn.(abandoner)
	streams = streams && (c.era == Modern || k.method == "server/discover")
	if !streams && k.method != "initialize" && (k.method != "server/discover" || c.era == Modern) {
		// Posted before anybody knows: who waits for the call may close the connection.
		// Before initialize nothing else is sent.
		c.queue.post(notificationBytes("notifications/cancelled", cancelParams(k.id, why)), wire.ByAuto)
	}
	k.finish(why)
	c.forget(k)
	c.mu.Unlock()
	if streams && k.method != "initialize" {
		stream.Abandon(a.Request.Seq, why.Error())
	}
	return a, why
}

// Cancel gives up the request with that number, if it is open, with all that it led to,
// and tells the server: by a notification, in a modern connection over HTTP by closing
// the stream of the response. A handshake cannot be cancelled, only its connection
// closed.
func (c *Client) Cancel(seq uint64) bool {
	c.mu.Lock()
	k := c.calls[wire.Ref{Seq: seq}]
	if k == nil {
		for _, other := range c.calls {
			if other.first == seq {
				k = other
			}
		}
	}
	end := c.waits[seq]
	c.mu.Unlock()
	if end != nil {
		end(ErrCancelled)
	}
	if k == nil || k.method == "initialize" {
		return end != nil
	}
	_, _ = c.giveUp(k, ErrCancelled)
	return true
}
