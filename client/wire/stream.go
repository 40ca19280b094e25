package wire

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// connectTimeout bounds the dialling where the caller does not.
const connectTimeout = 10 * time.Second

// StreamOptions adjust a connection over a socket. The zero value is usable.
type StreamOptions struct {
	Epoch int // the number of the connection in its session, for the event connected
	// ConnectTimeout bounds the dialling; 0 means 10 s.
	ConnectTimeout time.Duration
	// Grace is how long Close waits for the other side to end; 0 means 500 ms.
	Grace time.Duration
	Now   func() time.Time // the clock that stamps frames; nil means time.Now
}

// Stream is a connection over TCP or a unix socket, with the line framing of stdio
// (spec: basic/transports, custom transports). Its methods may be called from several
// goroutines.
//
// Its first frame is the event connected, its last one the event closed if Close
// ended it, else the event disconnected.
type Stream struct {
	link
	conn net.Conn
}

// StreamAddress takes the network and the address of [DialStream] from a URL:
// tcp://HOST:PORT, unix:///PATH, unix:PATH, or unix:@NAME for an abstract socket of
// Linux. The error is an [*AddressError].
func StreamAddress(rawURL string) (network, address string, err error) {
	scheme, rest, _ := strings.Cut(rawURL, ":")
	rest = strings.TrimPrefix(rest, "//")
	switch strings.ToLower(scheme) {
	case TransportTCP:
		address = strings.TrimSuffix(rest, "/")
		return TransportTCP, address, checkAddress(rawURL, address)
	case TransportUnix:
		if path, err := url.PathUnescape(rest); err == nil {
			rest = path
		}
		if rest == "" {
			return "", "", &AddressError{URL: rawURL, Reason: "it names no file", hint: "unix:///PATH names the socket's file"}
		}
		return TransportUnix, rest, nil
	}
	return "", "", &AddressError{URL: rawURL, Reason: "its scheme is neither tcp nor unix", hint: "tcp://HOST:PORT and unix:///PATH are addresses of sockets"}
}

// checkAddress says what is wrong with host and port.
func checkAddress(rawURL, address string) error {
	wrong := &AddressError{URL: rawURL, hint: "an address is tcp://HOST:PORT, as in tcp://localhost:4000 or tcp://[::1]:4000"}
	_, port, err := net.SplitHostPort(address)
	number, notNumber := strconv.Atoi(port)
	switch {
	case strings.ContainsAny(address, "/?#@"):
		wrong.Reason = "nothing but a host and a port may be in it"
	case err != nil && strings.Count(address, ":") > 1:
		wrong.Reason = "an IPv6 host stands in brackets"
	case err != nil, port == "":
		wrong.Reason = "it has no port"
	case notNumber != nil, number < 1, number > 65535:
		wrong.Reason = fmt.Sprintf("its port is %q, and ports are numbers from 1 to 65535", port)
	default:
		return nil
	}
	return wrong
}

// DialStream connects to a socket. The network is "tcp", with an address "host:port",
// or "unix", with a path. Errors are of type [*AddressError], [*SocketError] or
// [*NetError], or that of ctx; nothing is appended then.
func DialStream(ctx context.Context, network, address string, opt StreamOptions, sink Sink) (*Stream, error) {
	target := network + "://" + address
	if network == TransportUnix && !strings.HasPrefix(address, "/") {
		target = network + ":" + address
	}
	if network == TransportTCP {
		if err := checkAddress(target, address); err != nil {
			return nil, err
		}
	}
	// A server that vanished without a word is noticed within two minutes.
	dialer := net.Dialer{Timeout: cmp.Or(opt.ConnectTimeout, connectTimeout), KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: time.Minute, Interval: 15 * time.Second, Count: 4,
	}}
	conn, err := dialer.DialContext(ctx, network, address)
	switch {
	case err == nil:
		return newStream(conn, network, target, opt, sink), nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case network == TransportUnix:
		return nil, socketError(address, err)
	}
	return nil, newNetError(target, err)
}

func newStream(conn net.Conn, network, target string, opt StreamOptions, sink Sink) *Stream {
	rec := newRecorder(sink, opt.Now)
	s := &Stream{conn: conn, link: link{
		url: target, via: network, grace: cmp.Or(opt.Grace, streamGrace),
		out: newSender(rec, writingHalf{conn}), done: make(chan struct{}),
	}}
	rec.event(ConnEvent{Event: EventConnected, Epoch: opt.Epoch, Transport: network, URL: target})
	go s.read(&lineReader{sink: sink, now: rec.now, kind: Message, via: network})
	return s
}

// read reads to the end of the connection and closes it.
func (s *Stream) read(lines *lineReader) {
	in := &watched{r: s.conn}
	err := lines.run(in)
	_ = s.conn.Close() // ends a write that is blocked, too
	cut := in.n > 0 && in.last != '\n' && (lines.parts.scan == nil || !lines.parts.scan.Head().Form.IsMessage())
	s.finish(&DisconnectedError{URL: s.url, Cut: cut, Err: err, hint: in.stranger()}, err == nil && !cut)
}

// CloseSend closes the sending half, which asks the server to end; what it sends is
// read on. A frame that is being written is finished first, but not waited for.
func (s *Stream) CloseSend() error {
	s.asked.Store(true)
	return s.out.closeSend()
}

// Close ends the connection in order: it closes the sending half and waits for the
// server's end, but no longer than the grace, or than ctx lasts. It returns when all
// that came was appended; the error is always nil. Calling it again waits for the same
// end.
func (s *Stream) Close(ctx context.Context) error {
	s.closing.Do(func() {
		s.leaving.Store(true)
		_ = s.CloseSend()
		go func() {
			if !s.await() {
				_ = s.conn.Close()
			}
		}()
	})
	select {
	case <-s.done:
	case <-ctx.Done():
		_ = s.conn.Close()
		<-s.done
	}
	return nil
}

// writingHalf is a connection whose closing closes only the direction of writing,
// where it has such halves.
type writingHalf struct{ net.Conn }

func (w writingHalf) Close() error {
	if half, ok := w.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// watched remembers the first bytes and the last one that were read.
type watched struct {
	r     io.Reader
	n     int // how many are in first
	first [8]byte
	last  byte
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if n > 0 {
		w.n += copy(w.first[w.n:], p[:n])
		w.last = p[n-1]
	}
	return n, err
}

// stranger gives a hint about a server that speaks something else.
func (w *watched) stranger() string {
	switch first := w.first[:w.n]; {
	case bytes.HasPrefix(first, []byte("HTTP/1.")):
		return "this is an HTTP server: connect with http:// or ws://"
	case bytes.HasPrefix(first, []byte{21, 3}): // an alert (RFC 8446, section 5.1)
		return "this is a server that wants TLS: connect with https:// or wss://"
	}
	return ""
}
