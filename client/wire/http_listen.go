package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// listener is the GET stream, on which the server says what belongs to no request.
type listener struct{ cancel context.CancelFunc }

// askTime is how long what is sent after notifications/initialized waits for the GET
// stream: a server may be slow to begin it.
const askTime = 250 * time.Millisecond

// listen asks for the GET stream, unless there is one (spec: basic/transports, listening
// for messages from the server). It returns when that was answered, so that the first
// call finds the stream there and nobody takes it for the resumption of the call's own.
func (c *HTTPConn) listen() {
	ctx, cancel := context.WithCancel(c.ctx)
	l := &listener{cancel: cancel}
	c.mu.Lock()
	if c.listener != nil || c.old != nil || c.agreed.Modern {
		c.mu.Unlock()
		cancel()
		return
	}
	c.listener = l
	c.mu.Unlock()
	asked := make(chan struct{})
	once := sync.OnceFunc(func() { close(asked) })
	if !c.start(func() {
		defer cancel()
		defer once()
		c.deaf(l, c.hear(ctx, once))
	}) {
		cancel()
		return
	}
	limit := time.NewTimer(askTime)
	defer limit.Stop()
	select {
	case <-asked:
	case <-limit.C:
	}
}

// hear reads the GET stream, and opens it again where it ends. It gives why that is
// over; nil if we ended it. asked is called when the server answered.
func (c *HTTPConn) hear(ctx context.Context, asked func()) error {
	s := &eventStream{retry: -1}
	r, err := c.get(ctx, "")
	asked()
	if err != nil && passing(err) {
		r, err = c.again(ctx, s, nil)
	}
	for err == nil && r != nil {
		opened := time.Now()
		_ = c.read(s, r, nil)
		if time.Since(opened) > steady {
			s.attempts = 0
		}
		if ctx.Err() != nil {
			return nil
		}
		r, err = c.again(ctx, s, nil)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// deaf takes note that the GET stream is over: answers that were waited for there are
// lost.
func (c *HTTPConn) deaf(l *listener, why error) {
	c.mu.Lock()
	if c.listener == l {
		c.listener = nil
	}
	var parked []*exchange
	for _, x := range c.open.bySeq {
		if x.parked != nil {
			parked = append(parked, x)
		}
	}
	c.mu.Unlock()
	if c.ctx.Err() != nil {
		return
	}
	refused, ok := errors.AsType[*HTTPError](why)
	if why != nil && (!ok || refused.Status != http.StatusMethodNotAllowed) {
		c.rec.event(ConnEvent{Event: EventNotice, Via: "GET", Text: fmt.Sprintf("no GET stream: %v", why)})
	}
	for _, x := range parked {
		if ok {
			c.lose(x, x.parked)
			continue
		}
		c.lose(x, &StreamError{Method: x.head.Method, URL: maskURL(c.opt.URL), Via: "GET", Err: why})
	}
}

// enterSession takes the session id from the response to initialize.
func (c *HTTPConn) enterSession(r *reply) {
	id := r.Header.Get(headerSession)
	if id == "" {
		return
	}
	if !goodSession(id) {
		c.mu.Lock()
		c.session = session{odd: true}
		c.mu.Unlock()
		c.notice("the server's session id has characters other than visible ASCII: it is not sent back")
		return
	}
	c.mu.Lock()
	c.session = session{id: id}
	if at := r.Request.URL; !sameOrigin(at, c.url) {
		c.session.at = at
	}
	c.mu.Unlock()
}

// expire takes note that the server does not know the session any more.
func (c *HTTPConn) expire(id string) {
	c.mu.Lock()
	known := c.session.id == id
	l := c.listener
	if known {
		c.session = session{}
		c.agreed.Version = ""
		c.listener = nil
	}
	c.mu.Unlock()
	if !known {
		return
	}
	c.rec.event(ConnEvent{Event: EventExpired, Text: "the server answered 404: it does not know the session any more"})
	if l != nil {
		l.cancel()
	}
}

// deleteTime is how long the end of a session may take.
const deleteTime = time.Second

// deleteSession tells the server that the session is over. It may refuse that.
func (c *HTTPConn) deleteSession(ctx context.Context) {
	header, id := c.plainHeader("", "")
	if id == "" || ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, deleteTime)
	defer cancel()
	r, err := c.trip(ctx, errand{method: http.MethodDelete, url: c.url, header: header})
	if err != nil {
		c.notice("the session could not be ended: " + err.Error())
		return
	}
	_, _, _ = c.readBody(r)
}
