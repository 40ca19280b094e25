package wire

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

const (
	// leastPause keeps a server that asks for none, and ends each stream after an event,
	// from being asked without end as fast as it answers.
	leastPause = 50 * time.Millisecond
	firstPause = 250 * time.Millisecond
	longPause  = 10 * time.Second
	longWait   = time.Minute // when a server asks for it in Retry-After
	// steady is how long a stream must have been open to count as one that works, even
	// if it brought nothing.
	steady = 15 * time.Second
	// linger is how long a stream may stay silent after its answer.
	linger = 10 * time.Second
)

// eventStream is one with what is needed to go on with it where it breaks.
type eventStream struct {
	via      string        // the HTTP request that brings it now
	id       string        // of its last event that had one; empty: it cannot be resumed
	retry    time.Duration // the pause the server asked for; less than 0: none
	attempts int           // to open it again, since the last event
	odd      string        // the type of the last event with data that is none of MCP's
}

// pause is how long to wait before the next attempt. What the server asked for is kept
// to exactly, unless it is next to nothing; without that the pause grows, and varies so that clients do not come all
// at once.
func (s *eventStream) pause(refusal error) time.Duration {
	if s.retry >= 0 {
		return max(s.retry, leastPause)
	}
	if refused, ok := errors.AsType[*HTTPError](refusal); ok {
		if d, ok := refused.RetryAfter(); ok {
			return min(d, longWait)
		}
	}
	d := longPause
	if n := s.attempts - 1; n < 6 {
		d = min(firstPause<<n, longPause)
	}
	return d/2 + rand.N(d/2+1)
}

// read reads a stream to its end, which is nil where it ended in order. It closes the
// body. x is the exchange that it was opened for; nil if there is none.
func (c *HTTPConn) read(s *eventStream, r *reply, x *exchange) error {
	s.via = r.via
	var silence *time.Timer // since the answer
	defer func() {
		if silence != nil {
			silence.Stop()
		}
	}()
	reader := sseReader{rec: c.rec, via: r.via}
	err := reader.run(r.Body, func(e *sseEvent) bool {
		s.attempts = 0
		if e.HasID {
			s.id = e.ID
		}
		if e.Retry >= 0 {
			s.retry = e.Retry
		}
		if e.Head.Form.IsMessage() {
			c.arrived(&e.Head, e.Data)
		} else if e.HasData && e.Type != "" && e.Type != "message" {
			s.odd = e.Type
		}
		switch {
		case silence != nil:
			silence.Reset(linger)
		case x != nil && c.isOver(x):
			silence = time.AfterFunc(linger, x.cancel)
		}
		return true
	})
	_ = r.Body.Close()
	return err
}

// follow reads the stream that answers a request, and goes on with it where it breaks
// before the answer.
func (c *HTTPConn) follow(x *exchange, r *reply) {
	s := &eventStream{retry: -1}
	for {
		err := c.read(s, r, x)
		if c.isDone(x) {
			return
		}
		lost := x.broken(r, err)
		lost.Odd = s.odd
		if x.modern || s.id == "" {
			c.lose(x, lost)
			return
		}
		if r, err = c.again(x.ctx, s, c.ended(x)); err != nil {
			// Not wrapped: what is a SessionError here says nothing of the request.
			lost.Err = errors.New("it could not be resumed: " + err.Error())
			c.lose(x, lost)
			return
		}
		if r == nil {
			return
		}
	}
}

// broken is why the answer cannot come on a stream, or in a body, that ended.
func (x *exchange) broken(r *reply, err error) *StreamError {
	return &StreamError{Method: x.head.Method, URL: maskURL(r.Request.URL.String()), Via: r.via, Err: err}
}

// isDone reports whether nothing is to be waited for any more on the stream of x.
func (c *HTTPConn) isDone(x *exchange) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.cancelled {
		c.open.end(x)
	}
	return x.over || c.ctx.Err() != nil
}

// again opens a stream that broke once more, after a pause, and if need be several
// times. It gives nil without an error when stop is closed or ctx ended.
func (c *HTTPConn) again(ctx context.Context, s *eventStream, stop <-chan struct{}) (*reply, error) {
	if c.opt.Reconnects < 0 {
		return nil, errNoReconnects
	}
	cause := fmt.Errorf("it ended %d times in a row without an event", s.attempts+1)
	for s.attempts < c.opt.Reconnects {
		s.attempts++
		pause := s.pause(cause)
		timer := time.NewTimer(pause)
		c.rec.event(ConnEvent{Event: EventReconnecting, Via: s.via, Attempt: s.attempts, Millis: pause.Milliseconds()})
		select {
		case <-timer.C:
		case <-stop:
			timer.Stop()
			return nil, nil
		case <-ctx.Done():
			timer.Stop()
			return nil, nil
		}
		r, err := c.get(ctx, s.id)
		if ctx.Err() != nil {
			if err == nil {
				_ = r.Body.Close()
			}
			return nil, nil
		}
		if err == nil {
			return r, nil
		}
		if !passing(err) {
			return nil, err
		}
		cause = err
	}
	return nil, cause
}

// get opens a stream by GET, after the event with that id if there is one. An answer
// that is no stream is an error.
func (c *HTTPConn) get(ctx context.Context, lastEvent string) (*reply, error) {
	header, session := c.plainHeader(typeStream, lastEvent)
	r, err := c.trip(ctx, errand{method: http.MethodGet, url: c.url, header: header})
	if err != nil {
		return nil, err
	}
	if r.ok() && isStream(r) {
		return r, nil
	}
	if !r.ok() {
		_, err = c.refusal(r, session)
		return nil, err
	}
	body, _, _ := c.readBody(r)
	return nil, newHTTPError(r.Response, body)
}

// passing reports whether another attempt may succeed where one failed.
func passing(err error) bool {
	refused, ok := errors.AsType[*HTTPError](err)
	if !ok {
		_, network := errors.AsType[*NetError](err)
		return network
	}
	switch refused.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return refused.Status >= 500 && refused.Status != http.StatusNotImplemented
}

var errNoReconnects = errors.New("that is switched off")
