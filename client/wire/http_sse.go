package wire

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"
)

const (
	// oldPatience is how long the endpoint event may take.
	oldPatience = 10 * time.Second
	// probePatience is that while it is being found out whether the server speaks
	// HTTP+SSE: a stream of Streamable HTTP may stay silent.
	probePatience = 5 * time.Second
)

// oldStream is the stream of HTTP+SSE (spec: 2024-11-05, basic/transports): it names
// where messages are posted, and brings what the server says.
type oldStream struct {
	endpoint *url.URL
	found    chan error // what came of waiting for the endpoint; holds one
}

var errNoEndpoint = errors.New("no endpoint event came")

// openOld opens the stream of HTTP+SSE and waits until it says where messages are to be
// posted; then the connection speaks HTTP+SSE.
func (c *HTTPConn) openOld(ctx context.Context, limit time.Duration) error {
	streaming, end := context.WithCancelCause(c.ctx)
	cancel := func() { end(nil) }
	stop := context.AfterFunc(ctx, func() { end(context.Cause(ctx)) })
	defer stop()
	late := time.AfterFunc(limit, func() { end(context.DeadlineExceeded) })
	defer late.Stop()
	header := http.Header{"Accept": {typeStream}}
	c.ownHeader(header)
	r, err := c.trip(streaming, errand{method: http.MethodGet, url: c.url, header: header})
	if err != nil {
		cancel()
		return err
	}
	if !r.ok() || !isStream(r) {
		body, _, _ := c.readBody(r)
		cancel()
		return newHTTPError(r.Response, body)
	}
	o := &oldStream{found: make(chan error, 1)}
	if !c.start(func() {
		defer cancel()
		c.readOld(o, r)
	}) {
		cancel()
		return ErrClosed
	}
	if err = <-o.found; err != nil {
		cancel()
	}
	return err
}

// readOld reads the stream. What follows its first endpoint event is the connection's:
// when it ends, that ends.
func (c *HTTPConn) readOld(o *oldStream, r *reply) {
	address := r.Request.URL.String()
	var refused error
	reader := sseReader{rec: c.rec, via: r.via, mask: maskEndpoint}
	err := reader.run(r.Body, func(e *sseEvent) bool {
		if e.Type == "endpoint" {
			refused = c.endpoint(o, address, e.Data)
		} else if e.Head.Form.IsMessage() {
			c.arrived(&e.Head, e.Data)
		}
		return refused == nil
	})
	_ = r.Body.Close()
	if o.endpoint == nil {
		if refused == nil {
			if err == nil || errors.Is(err, context.DeadlineExceeded) {
				err = errNoEndpoint
			}
			refused = &EndpointError{URL: maskURL(address), Err: err}
		}
		o.found <- refused
		return
	}
	if c.ctx.Err() != nil {
		return
	}
	cause := refused
	if cause == nil {
		cause = &DisconnectedError{URL: maskURL(address), Err: err}
	}
	c.loseAll(func(x *exchange) error {
		return &StreamError{Method: x.head.Method, URL: maskURL(address), Via: r.via, Err: err}
	})
	c.finish(ConnEvent{Event: EventDisconnected, Text: cause.Error()}, cause, func() {})
}

// endpoint takes what an endpoint event says. A later one replaces the first.
func (c *HTTPConn) endpoint(o *oldStream, stream string, data []byte) error {
	text, err := endpointURL(stream, data)
	if err != nil {
		return err
	}
	u, err := url.Parse(text)
	if err != nil {
		return &EndpointError{URL: maskURL(stream), Endpoint: maskURL(text), Err: err}
	}
	first := o.endpoint == nil
	c.mu.Lock()
	o.endpoint = u
	c.old = o
	c.mu.Unlock()
	if first {
		o.found <- nil
	}
	return nil
}

// target is where messages are posted.
func (c *HTTPConn) target() *url.URL {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.old != nil {
		return c.old.endpoint
	}
	return c.url
}

// fallBack tries HTTP+SSE after initialize was refused in a way in which servers of
// 2024-11-05 refuse it (spec: basic/transports, backwards compatibility). It reports
// whether the message was sent again that way; else the first refusal counts.
func (c *HTTPConn) fallBack(x *exchange, r *reply, h *Head, refusal error) bool {
	refused, ok := errors.AsType[*HTTPError](refusal)
	if c.opt.Mode != ModeAuto || !x.initialize || c.Transport() == TransportSSE || c.isOver(x) || !ok || refused.Session || !maybeOld(refused.Status) || modernError(h) {
		return false
	}
	if err := c.openOld(x.ctx, probePatience); err != nil {
		var endpoint *EndpointError
		if errors.As(err, &endpoint) && endpoint.Endpoint != "" { // it speaks HTTP+SSE, and is refused for this
			c.lose(x, err)
			return true
		}
		refused.old = true
		return false
	}
	c.rec.event(ConnEvent{
		Event: EventSwitched, Transport: TransportSSE, URL: maskURL(c.target().String()),
		Text: r.Status + " to a POST of initialize, and an endpoint event to GET: the server speaks HTTP+SSE of 2024-11-05, which is deprecated",
	})
	again, session, err := c.post(x.ctx, &x.parcel, c.nextVia(http.MethodPost))
	switch {
	case err != nil:
		c.lose(x, x.unanswered(err))
	case !again.ok():
		_, err = c.refusal(again, session)
		c.lose(x, err)
	default:
		c.accepted(x, again)
	}
	return true
}

// maybeOld reports whether a server of HTTP+SSE may answer a POST with that status.
func maybeOld(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable,
		http.StatusGone, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		return true
	}
	return false
}

// modernError reports whether a body is an error that only a server of 2026-07-28 gives.
func modernError(h *Head) bool { return h.Form == Failure && h.Code <= -32020 && h.Code >= -32022 }
