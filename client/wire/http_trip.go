package wire

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// reply is a response. Its body must be closed.
type reply struct {
	*http.Response
	via string
}

// appendHead adds the response's head to b.
func (r *reply) appendHead(b []byte) []byte { return appendResponseHead(b, r.Response) }

// nextVia gives the next HTTP request its name.
func (c *HTTPConn) nextVia(method string) string {
	return method + " " + strconv.FormatInt(c.requests.Add(1), 10)
}

// errand is an HTTP request to be made.
type errand struct {
	method string
	url    *url.URL
	header http.Header
	body   []byte // nil: none
	via    string // empty: the next one
}

// trip sends a request and waits for the head of its response, following redirects. The
// heads on the way are appended, or wait for what comes next.
// Errors are of type [*NetError], of [*StreamError] if the request had been sent by then,
// or [*RedirectError].
func (c *HTTPConn) trip(ctx context.Context, e errand) (*reply, error) {
	req := newRequest(&e)
	for {
		if e.via == "" {
			e.via = c.nextVia(e.method)
		}
		r, err := c.hop(ctx, req, e.via)
		if err != nil || !isRedirect(r.Response) {
			return r, err
		}
		if _, _, err = c.readBody(r); err != nil {
			return nil, newNetError(req.URL.String(), err)
		}
		if req, err = nextHop(req, r.Response, c.opt.Header); err != nil {
			return nil, err
		}
		c.backToSession(req, e.header)
		e.via = ""
	}
}

// backToSession gives the session id back to a request that redirects led to the origin
// which the id is of; with any other it stays behind. asked is the header before that.
func (c *HTTPConn) backToSession(req *http.Request, asked http.Header) {
	c.mu.Lock()
	s := c.session
	c.mu.Unlock()
	if s.at != nil && sameOrigin(req.URL, s.at) && asked.Get(headerSession) == s.id {
		req.Header[headerSession] = []string{s.id}
	}
}

// hop is one request and the head of its response.
func (c *HTTPConn) hop(ctx context.Context, req *http.Request, via string) (*reply, error) {
	t := &headTrace{secret: c.opt.Secret}
	traced := t.on(ctx, req, func() { c.rec.hold(Out, via, t) })
	resp, err := c.roundTrip(traced) //nolint:bodyclose // whoever takes the reply closes it
	t.tell()
	if err == nil {
		r := &reply{Response: resp, via: via}
		c.rec.hold(In, via, r)
		return r, nil
	}
	address := req.URL.String()
	broken := newNetError(address, err)
	if t.sent() && broken.whenSent().sent {
		return nil, &StreamError{URL: maskURL(address), Via: via, Err: broken}
	}
	return nil, broken
}

// roundTrip does without the client's own work where it has none to do: redirects are
// followed here.
func (c *HTTPConn) roundTrip(req *http.Request) (*http.Response, error) {
	if c.client.Jar != nil || c.client.Timeout != 0 || req.URL.User != nil {
		return c.client.Do(req)
	}
	if c.client.Transport == nil {
		return http.DefaultTransport.RoundTrip(req)
	}
	return c.client.Transport.RoundTrip(req)
}

func (r *reply) ok() bool { return r.StatusCode/100 == 2 }

// String says what was asked and answered, for notices.
func (r *reply) String() string {
	return fmt.Sprintf("%s %s answered %s", r.Request.Method, maskURL(r.Request.URL.String()), r.Status)
}
