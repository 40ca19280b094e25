package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"parley/client/mcp"
	"parley/client/wire"
)

// Subscription is an open subscriptions/listen of a modern connection (spec: 2026-07-28,
// basic/patterns/subscriptions). Where its stream is lost it is sent again, as a new
// request, after a pause.
type Subscription struct {
	Seq     uint64     // of the request, as it was sent first
	Granted mcp.Filter // what the server granted then; empty if it did not say in time

	c     *Client
	asked mcp.Filter
	alive context.Context // ends with the connection
	ctx   context.Context // ends with Close
	end   context.CancelCauseFunc
	done  chan struct{}
	err   error // once done is closed

	// These belong to Client.mu.
	pending  *Pending
	tells    bool // nobody waits: an end is announced
	reopened bool
	granted  *mcp.Filter   // of the request that is open now
	acked    chan struct{} // closed when it was granted
}

// errUnsubscribed is the reason that the server is told when a subscription is closed.
var errUnsubscribed = errors.New("not subscribed any more")

// Listen opens a subscription and waits until the server says what it grants of it, at
// most as long as a request waits for its answer. What was not granted is announced. A
// subscription has no time limit; it ends when the server ends it, when it cannot be
// had again after its stream was lost, with the connection, or by Close.
//
// One that is open when the connection ends is opened again in the next one, as another
// Subscription, which then nobody can close (spec: 2026-07-28, basic/transports/stdio,
// unexpected termination).
func (c *Client) Listen(ctx context.Context, filter mcp.Filter) (*Subscription, error) {
	s, err := c.listenNow(ctx, filter)
	if err == nil {
		c.remember(s)
	}
	return s, err
}

func (c *Client) listenNow(ctx context.Context, filter mcp.Filter) (*Subscription, error) {
	if err := c.gate("subscriptions/listen", false); err != nil {
		return nil, err
	}
	s, err := c.listen(ctx, filter, false)
	if err != nil {
		return nil, err
	}
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// listenLater opens a subscription and does not wait for what the server grants; what
// becomes of it is announced.
func (c *Client) listenLater(ctx context.Context, filter mcp.Filter) (*Subscription, error) {
	s, err := c.listen(ctx, filter, true)
	if err == nil {
		go func() { _ = s.settle(s.ctx) }()
	}
	return s, err
}

func (c *Client) listen(ctx context.Context, filter mcp.Filter, tells bool) (*Subscription, error) {
	c.mu.Lock()
	s := &Subscription{c: c, asked: filter, alive: c.alive, tells: tells, done: make(chan struct{})}
	c.mu.Unlock()
	s.ctx, s.end = context.WithCancelCause(context.Background())
	if err := s.open(ctx); err != nil {
		s.end(nil)
		return nil, err
	}
	s.Seq = s.pending.Seq()
	go s.run(s.pending)
	return s, nil
}

// settle waits until the server said what it grants, or ended the subscription.
func (s *Subscription) settle(ctx context.Context) error {
	s.c.mu.Lock()
	acked := s.acked
	s.c.mu.Unlock()
	clock := time.NewTimer(s.c.Timeout())
	defer clock.Stop()
	select {
	case <-acked:
	case <-s.done: // maybe in order, and maybe after it was granted
		if s.err != nil {
			return s.err
		}
		s.c.mu.Lock()
		untold := !s.tells && s.granted == nil
		s.c.mu.Unlock()
		if untold {
			s.c.Announce(fmt.Sprintf("the server ended the subscription to %s and did not say what it grants", s.asked))
		}
	case <-clock.C:
		s.c.Announce("the server did not say what it grants of the subscription to " + s.asked.String())
	case <-ctx.Done():
		s.Close()
		return context.Cause(ctx)
	}
	s.c.mu.Lock()
	s.tells = true // also where it was never granted
	granted := s.granted
	s.c.mu.Unlock()
	if granted != nil {
		s.Granted = *granted
		s.c.tellGaps(s.asked, *granted)
	}
	return nil
}

// Done is closed when the subscription has ended.
func (s *Subscription) Done() <-chan struct{} { return s.done }

// Err says why it ended; nil while it is open, when it was closed and when the server
// ended it in order. [ErrEnded] is the server's cancelling it.
func (s *Subscription) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Close ends the subscription and tells the server. It returns when that is done.
func (s *Subscription) Close() {
	s.end(errUnsubscribed)
	<-s.done
}

// open sends the request.
func (s *Subscription) open(ctx context.Context) error {
	filter, err := s.asked.MarshalJSON() // json.Marshal spells & otherwise
	if err != nil {
		return err
	}
	params := append(append(json.RawMessage(`{"notifications":`), filter...), '}')
	c := s.c
	opt := CallOptions{By: wire.ByAuto}
	if s.pending != nil {
		opt.Of = s.pending.Seq()
	}
	p, err := c.transmit(ctx, "subscriptions/listen", params, opt)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s.pending, s.granted, s.acked = p, nil, make(chan struct{})
	c.subscriptions.open[p.call.id] = s
	if granted, early := c.subscriptions.acks[p.call.id]; early {
		delete(c.subscriptions.acks, p.call.id)
		s.acknowledge(granted)
	}
	return nil
}

// acknowledge takes note of what the server grants, with Client.mu held. Only the first
// word counts.
func (s *Subscription) acknowledge(granted mcp.Filter) {
	if s.granted != nil {
		return
	}
	s.granted = &granted
	close(s.acked)
	if s.reopened { // nobody waits for it; what tells needs Client.mu
		s.missed()
		go s.c.tellGaps(s.asked, granted)
	}
}

// run waits for the end, and opens the subscription again where its stream was lost.
func (s *Subscription) run(p *Pending) {
	granted, lost := false, 0 // ever; in a row
	for {
		_, _, err := p.answer(s.ctx)
		if s.closed(p) {
			granted, lost = true, 0
		}
		for p = nil; p == nil; {
			if !s.mayReturn(err, granted) {
				s.finish(err)
				return
			}
			lost++
			p, err = s.again(lost, err)
		}
	}
}

// closed takes the request out of those that are open; it reports whether it was
// granted.
func (s *Subscription) closed(p *Pending) bool {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	if s.c.subscriptions.open[p.call.id] == s {
		delete(s.c.subscriptions.open, p.call.id)
	}
	return s.granted != nil
}

// mayReturn reports whether an error means that only the stream was lost, not the
// connection. One that was never granted is not tried again.
func (s *Subscription) mayReturn(err error, granted bool) bool {
	var worded interface{ Word() string }
	var tried *ResubscribeError
	if !granted || s.ctx.Err() != nil || s.alive.Err() != nil || errors.As(err, &tried) || !errors.As(err, &worded) {
		return false
	}
	switch worded.Word() {
	case "lost", "unreachable", "timeout", "http": // the last as servers say while they start again
		return true
	}
	return false
}

// again sends the request once more, the n-th time in a row.
func (s *Subscription) again(n int, why error) (*Pending, error) {
	if n > wire.DefaultReconnects {
		return nil, &ResubscribeError{Attempts: n - 1, Err: why}
	}
	d := backoff(n)
	d += rand.N(d / 4) // so that many clients do not come back at once
	s.c.Announce(fmt.Sprintf("the subscription to %s was lost (%v): it is sent again in %s", s.asked, why, d.Round(10*time.Millisecond)))
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	defer context.AfterFunc(s.alive, stop)()
	if err := pause(ctx, d); err != nil {
		return nil, err
	}
	s.c.mu.Lock()
	s.reopened = true
	s.c.mu.Unlock()
	// Once it is sent it has to be ended in order, so that sending is not broken off.
	if err := s.open(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	return s.pending, nil
}

// missed notes, with Client.mu held, that what it was about may have changed while it
// was not there.
func (s *Subscription) missed() {
	for method, on := range map[string]bool{"tools/list": s.asked.Tools, "prompts/list": s.asked.Prompts,
		"resources/list": s.asked.Resources, "resources/templates/list": s.asked.Resources} {
		if on {
			s.c.outdated(method)
		}
	}
	for _, uri := range s.asked.URIs {
		s.c.stale("resources/read", uri)
	}
}

// finish ends the subscription.
func (s *Subscription) finish(err error) {
	c := s.c
	closed, connected := s.ctx.Err() != nil, s.alive.Err() == nil
	c.mu.Lock()
	if connected || closed {
		c.subscriptions.forget(s)
	}
	if c.subscriptions.stream == s {
		c.subscriptions.stream = nil
		if connected && !closed {
			c.subscriptions.uris = nil // it is not told of them any more
		}
	}
	tells := (s.tells || s.granted != nil) && connected && !closed
	c.mu.Unlock()
	if !closed {
		s.err = err
	}
	close(s.done)
	s.end(nil)
	switch {
	case !tells:
	case err != nil:
		c.Announce(fmt.Sprintf("the subscription to %s ended: %v", s.asked, err))
	default:
		c.Announce(fmt.Sprintf("the server ended the subscription to %s", s.asked))
	}
}

// ResubscribeError is a subscription that was lost and could not be had again.
type ResubscribeError struct {
	Attempts int
	Err      error
}

func (e *ResubscribeError) Error() string {
	return fmt.Sprintf("lost, and not had again after %d attempts: %v", e.Attempts, e.Err)
}

func (e *ResubscribeError) Unwrap() error { return e.Err }

// Word names the error for machines.
func (e *ResubscribeError) Word() string { return "lost" }
