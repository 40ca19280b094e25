package wire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// WebSocketOptions adjust a connection over a websocket. The zero value is usable.
type WebSocketOptions struct {
	// Header is of the upgrade's request. A Sec-WebSocket-Protocol in it is offered
	// instead of mcp.
	Header http.Header
	Secret []string     // names of fields in it whose values are masked, whatever they sound like
	Client *http.Client // as NewHTTPClient makes it; that of the zero NetOptions if nil
	Epoch  int          // the number of the connection in its session
	// ConnectTimeout bounds all of connecting: dialling, TLS and the upgrade. 0 means 10 s.
	ConnectTimeout time.Duration
	// Grace is how long Close waits for the server's goodbye; 0 means 500 ms.
	Grace time.Duration
	Now   func() time.Time // the clock that stamps frames; nil means time.Now
}

// subprotocol is the one of MCP.
const subprotocol = "mcp"

// protocolField is the header field that offers and chooses subprotocols.
const protocolField = "Sec-WebSocket-Protocol"

// maxRefusal is how much of the body is kept with which a server refuses.
const maxRefusal = 64 << 10

// refusalTime is how long such a body may take.
const refusalTime = time.Second

// DialWebSocket connects to a ws or wss URL. Errors are of type [*AddressError],
// [*NetError] or [*UpgradeError], or that of ctx. The heads of an upgrade that was
// refused are appended, without an event. Redirects are not followed.
func DialWebSocket(ctx context.Context, rawURL string, opt WebSocketOptions, sink Sink) (*WebSocket, error) {
	if err := checkWebSocketURL(rawURL); err != nil {
		return nil, err
	}
	client, err := clientOf(opt.Client)
	if err != nil {
		return nil, err
	}
	rec := newRecorder(sink, opt.Now)
	up := &upgrade{next: client.Transport, now: rec.now, secret: opt.Secret}
	client.Transport = up
	w := &WebSocket{pings: make(chan []byte, 1), link: link{
		url: maskURL(rawURL), via: TransportWS, grace: cmp.Or(opt.Grace, streamGrace), done: make(chan struct{}),
	}}
	dial := &websocket.DialOptions{HTTPClient: client, HTTPHeader: opt.Header.Clone(), OnPingReceived: w.ping}
	shape(dial)
	bounded, cancel := context.WithTimeout(ctx, cmp.Or(opt.ConnectTimeout, connectTimeout))
	defer cancel()
	conn, resp, err := websocket.Dial(bounded, rawURL, dial) //nolint:bodyclose // the library closes it
	if err != nil {
		if len(up.frames) > 0 {
			rec.append(up.frames)
		}
		return nil, up.failure(ctx, rawURL, resp, err)
	}
	conn.SetReadLimit(-1)
	w.conn, w.pipe = conn, up.pipe
	w.pipe.ready.Store(true)
	w.out = newSender(rec, farewell{w.pipe})
	w.out.message = w.write
	rec.event(ConnEvent{Event: EventConnected, Epoch: opt.Epoch, Transport: TransportWS, URL: w.url})
	rec.append(up.frames)
	if conn.Subprotocol() == "" {
		rec.event(ConnEvent{Event: EventNotice, Text: "the server chose no subprotocol; offered was " + strings.Join(dial.Subprotocols, ", ")})
	}
	go w.read()
	go w.pong()
	return w, nil
}

func checkWebSocketURL(rawURL string) error {
	const hint = "a websocket's address is ws://HOST:PORT/PATH, or wss:// with TLS"
	u, err := url.Parse(rawURL)
	switch {
	case err != nil:
		var wrong *url.Error
		if errors.As(err, &wrong) {
			err = wrong.Err
		}
		return &AddressError{URL: maskURL(rawURL), Reason: err.Error(), hint: hint}
	case u.Scheme != "ws" && u.Scheme != "wss":
		return &AddressError{URL: maskURL(rawURL), Reason: "its scheme is neither ws nor wss", hint: hint}
	case u.Hostname() == "":
		return &AddressError{URL: maskURL(rawURL), Reason: "it has no host", hint: hint}
	}
	return nil
}

// clientOf copies a client, so that its transport can be another.
func clientOf(client *http.Client) (*http.Client, error) {
	if client == nil {
		var err error
		if client, err = NewHTTPClient(NetOptions{}); err != nil {
			return nil, err
		}
	}
	own := *client
	if own.Transport == nil {
		own.Transport = http.DefaultTransport
	}
	return &own, nil
}

// shape takes out of the headers what the library has options for.
func shape(dial *websocket.DialOptions) {
	dial.Subprotocols = []string{subprotocol}
	if asked := dial.HTTPHeader.Values(protocolField); len(asked) > 0 {
		dial.Subprotocols = strings.FieldsFunc(strings.Join(asked, ","), func(r rune) bool { return r == ',' || r == ' ' })
		dial.HTTPHeader.Del(protocolField)
	}
	dial.Host = dial.HTTPHeader.Get("Host")
}

// upgrade is the transport of the request of an upgrade. It keeps what went both ways,
// and the connection that came of it.
type upgrade struct {
	next   http.RoundTripper
	now    func() time.Time
	secret []string
	frames []Frame
	body   []byte // of the answer that was no upgrade
	pipe   *upgraded
}

// RoundTrip implements [http.RoundTripper].
func (u *upgrade) RoundTrip(req *http.Request) (*http.Response, error) {
	traced, told := traceHead(req, u.secret, func(head []byte) { u.keep(Out, head) })
	resp, err := u.next.RoundTrip(traced)
	told()
	if err != nil {
		return nil, err
	}
	u.keep(In, responseHead(resp))
	if body, ok := resp.Body.(io.ReadWriteCloser); ok && resp.StatusCode == http.StatusSwitchingProtocols {
		u.pipe = &upgraded{ReadWriteCloser: body}
		resp.Body = u.pipe
	} else {
		u.refused(resp)
	}
	return resp, nil
}

// refused reads what a server says instead.
func (u *upgrade) refused(resp *http.Response) {
	late := time.AfterFunc(refusalTime, func() { _ = resp.Body.Close() })
	u.body, _ = io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // what came until then will do
	late.Stop()
	_ = resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(nil))
	if len(u.body) > 0 {
		u.keep(In, u.body)
	}
}

func (u *upgrade) keep(dir Dir, raw []byte) {
	u.frames = append(u.frames, Frame{Time: u.now(), Dir: dir, Kind: HTTP, Via: TransportWS, Size: int64(len(raw)), Raw: raw})
}

// failure says why there is no websocket.
func (u *upgrade) failure(ctx context.Context, rawURL string, resp *http.Response, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case resp == nil:
		var request *url.Error
		if errors.As(err, &request) {
			err = request.Err
		}
		if len(u.frames) == 0 && errors.Is(err, context.DeadlineExceeded) {
			err = &net.OpError{Op: "dial", Net: "tcp", Err: err} // nothing was sent yet
		}
		return newNetError(rawURL, err)
	}
	e := &UpgradeError{HTTP: newHTTPError(resp, u.body)}
	e.HTTP.URL = maskURL(rawURL)
	if resp.StatusCode == http.StatusSwitchingProtocols {
		_, problem, _ := strings.Cut(err.Error(), ": ")
		problem, _, _ = strings.Cut(problem, ", key ") // ours, another each time
		e.Problem = plainWords(strings.TrimPrefix(problem, "WebSocket protocol violation: "))
		if chosen := resp.Header.Get(protocolField); strings.Contains(problem, protocolField) {
			e.Problem = fmt.Sprintf("it chose the subprotocol %q, which was not offered", chosen)
			e.subprotocol = chosen
		}
	}
	return e
}
