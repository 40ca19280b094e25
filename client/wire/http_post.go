package wire

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// post sends a message and waits for the head of the response. It says which session
// the message went into.
func (c *HTTPConn) post(ctx context.Context, p *parcel, via string) (r *reply, session string, err error) {
	header, session := c.postHeader(&p.head, p.raw, p.modern)
	r, err = c.trip(ctx, errand{method: http.MethodPost, url: c.target(), header: header, body: p.raw, via: via})
	return r, session, err
}

// run posts a request and follows what comes of it, until its answer came or cannot
// come any more.
func (c *HTTPConn) run(x *exchange) {
	defer x.cancel()
	if x.initialize || c.Transport() == TransportSSE { // the answer may come before the POST is acknowledged
		c.reading.add(1)
		defer c.reading.add(-1)
	}
	r, session, err := c.post(x.ctx, &x.parcel, x.via)
	if err != nil {
		c.lose(x, x.unanswered(err))
		return
	}
	if !r.ok() {
		h, err := c.refusal(r, session)
		if !c.fallBack(x, r, &h, err) {
			c.lose(x, err)
		}
		return
	}
	c.accepted(x, r)
}

// unanswered says in the error of a trip what was asked.
func (x *exchange) unanswered(err error) error {
	if broken, ok := errors.AsType[*StreamError](err); ok {
		broken.Method = x.head.Method
	}
	return err
}

// accepted follows a response with a status of success.
func (c *HTTPConn) accepted(x *exchange, r *reply) {
	if x.initialize && c.Transport() == TransportHTTP {
		c.enterSession(r)
	}
	if isStream(r) {
		c.follow(x, r)
		return
	}
	body, h, err := c.readBody(r)
	switch {
	case c.isOver(x):
		if err != nil {
			c.notice("the body of " + r.via + " broke after its message: " + bodyReason(err))
		}
	case err != nil:
		lost := x.broken(r, err)
		lost.Body = true
		c.lose(x, lost)
	case h.Form.IsMessage():
		c.lose(x, x.broken(r, errOtherAnswer))
	case !c.park(x, r, len(body) == 0):
		c.lose(x, newHTTPError(r.Response, body))
	}
}

// refusal reads a response with a status of failure, and says what its body is and
// what it means.
func (c *HTTPConn) refusal(r *reply, session string) (Head, error) {
	body, h, _ := c.readBody(r)
	refused := newHTTPError(r.Response, body)
	c.mu.Lock()
	refused.Unsent = c.session.odd
	c.mu.Unlock()
	if r.StatusCode != http.StatusNotFound || session == "" {
		return h, refused
	}
	c.expire(session)
	return h, &SessionError{HTTP: refused}
}

// park keeps an exchange open that was answered without an answer, if that can come on
// another stream.
func (c *HTTPConn) park(x *exchange, r *reply, empty bool) bool {
	unanswered := newHTTPError(r.Response, nil)
	c.mu.Lock()
	old, waiting := c.old != nil, c.listener != nil && empty && !x.modern
	if waiting && !old {
		x.parked = unanswered
	}
	over := x.over
	c.mu.Unlock()
	if !old && waiting && !over {
		c.notice(r.String() + " to a request: its answer is waited for on the GET stream")
	}
	return old || waiting
}

func (c *HTTPConn) notice(text string) { c.rec.event(ConnEvent{Event: EventNotice, Text: text}) }

// isStream reports whether a response is one of events.
func isStream(r *reply) bool { return mediaType(r.Header) == typeStream }

func mediaType(h http.Header) string {
	text := h.Get("Content-Type")
	if text == typeJSON || text == typeStream {
		return text
	}
	if media, _, err := mime.ParseMediaType(text); err == nil {
		return media
	}
	media, _, _ := strings.Cut(text, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// readBody reads a body that is no stream of events to its end and appends it: what is
// JSON-RPC as a message. It gives its beginning, at least firstBody bytes of it.
func (c *HTTPConn) readBody(r *reply) (body []byte, h Head, err error) {
	defer func() { _ = r.Body.Close() }()
	if r.ContentLength == 0 {
		return nil, h, nil
	}
	if 0 < r.ContentLength && r.ContentLength <= firstBody {
		c.reading.add(1)
		defer c.reading.add(-1)
	}
	body, err = readPart(r)
	if err == nil {
		return c.readLong(r, body)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if len(body) == 0 {
		return nil, h, err
	}
	h = Scan(body)
	f := Frame{Time: c.now(), Dir: In, Via: r.via, Head: h, Size: int64(len(body)), Raw: body}
	if !h.Form.IsMessage() {
		f.Kind = r.strayKind()
	}
	c.rec.put(f)
	c.arrived(&h, body)
	return body, h, err
}

// strayKind says what a body is that is no message. Where none was to be expected it
// belongs to the transport: an error's page, the word in an acknowledgement.
func (r *reply) strayKind() Kind {
	if !r.ok() || r.StatusCode == http.StatusAccepted {
		return HTTP
	}
	return Stray
}

// readPart reads until the end of the body, io.EOF, or until a part is full, nil.
func readPart(r *reply) (body []byte, err error) {
	size := 2 << 10
	if n := r.ContentLength; n > 0 {
		size = int(min(n+1, MaxPart)) // one more, to see the end
	}
	body = make([]byte, 0, size)
	for len(body) < MaxPart {
		if len(body) == cap(body) {
			grown := make([]byte, len(body), min(2*cap(body), MaxPart))
			copy(grown, body)
			body = grown
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err != nil {
			return body, err
		}
	}
	return body, nil
}

// readLong goes on with a body that is longer than a part.
func (c *HTTPConn) readLong(r *reply, begin []byte) (body []byte, h Head, err error) {
	w := newMessageWriter(c.rec, r.via)
	w.parts.other = r.strayKind()
	w.write(begin)
	err = w.readFrom(r.Body, -1)
	_, h, _ = w.end()
	c.arrived(&h, nil)
	return w.beginning(), h, err
}

// discard ends a body whose content does not matter, so that the connection is used
// again where that costs little.
func discard(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, readSize)
	_ = body.Close()
}
