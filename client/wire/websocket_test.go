package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"parley/client/clienttest"
	"parley/client/wire"
)

// wsPeer is the bare other side of a websocket, for what libraries do not do.
type wsPeer struct {
	net.Conn
	r *bufio.Reader
}

// serveWS upgrades one connection by hand and gives it to a function.
func serveWS(t *testing.T, serve func(p *wsPeer)) (url string) {
	t.Helper()
	handler := func(w http.ResponseWriter, r *http.Request) {
		taken := &taker{ResponseWriter: w}
		if _, err := websocket.Accept(taken, r, &websocket.AcceptOptions{Subprotocols: []string{"mcp"}}); err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = taken.conn.Close() }()
		serve(&wsPeer{taken.conn, bufio.NewReader(io.MultiReader(bytes.NewReader(taken.early), taken.conn))})
	}
	s := httptest.NewServer(http.HandlerFunc(handler))
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

// taker lets the connection be known that a websocket takes over, and what had been
// read of it.
type taker struct {
	http.ResponseWriter
	conn  net.Conn
	early []byte
}

func (t *taker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err == nil {
		early, _ := rw.Reader.Peek(rw.Reader.Buffered())
		t.conn, t.early = conn, slices.Clone(early)
	}
	return conn, rw, err
}

// frame writes a frame of less than 64 KiB, with the first byte as given.
func (p *wsPeer) frame(first byte, payload string) {
	head := []byte{first, byte(len(payload))}
	if len(payload) >= 126 {
		head = binary.BigEndian.AppendUint16([]byte{first, 126}, uint16(len(payload)))
	}
	_, _ = p.Write(append(head, payload...))
}

// next reads a frame of the client.
func (p *wsPeer) next() (first byte, payload string) {
	head := make([]byte, 2)
	if _, err := io.ReadFull(p.r, head); err != nil {
		return 0, err.Error()
	}
	n := int(head[1] & 0x7f)
	if n == 126 {
		long := make([]byte, 2)
		_, _ = io.ReadFull(p.r, long)
		n = int(binary.BigEndian.Uint16(long))
	}
	masked := make([]byte, 4+n)
	_, _ = io.ReadFull(p.r, masked)
	for i := range n {
		masked[4+i] ^= masked[i%4]
	}
	return head[0], string(masked[4:])
}

// The first bytes of frames: opcode, and whether the frame is the last of its message.
const (
	text, binaryData, more, rest    = 0x81, 0x82, 0x01, 0x80
	goodbye, ping, pong, restOfMore = 0x88, 0x89, 0x8a, 0x00
)

func status(code uint16, reason string) string {
	return string(binary.BigEndian.AppendUint16(nil, code)) + reason
}

// told waits for what a peer tells.
func told(t *testing.T, by <-chan string) string {
	t.Helper()
	select {
	case s := <-by:
		return s
	case <-time.After(30 * time.Second):
		t.Fatal("the peer tells nothing")
		return ""
	}
}

// incoming are the messages that came, by kind.
func (l *live) incoming() []string {
	var got []string
	for _, f := range l.log.Frames() {
		if f.Dir == wire.In && f.Kind != wire.HTTP {
			got = append(got, fmt.Sprintf("%s %q", f.Kind, f.Raw))
		}
	}
	return got
}

func TestMessagesOfAWebSocket(t *testing.T) {
	c := dial(t, serveWS(t, func(p *wsPeer) {
		p.frame(text, request)
		p.frame(binaryData, request)
		p.frame(text, "\xff invalid")
		p.frame(text, "")
		p.frame(more, `{"jsonrpc":"2.0",`)
		p.frame(ping, "between")
		p.frame(restOfMore, "")
		p.frame(rest, `"method":"a"}`)
		p.frame(text, "two\nlines\r\n")
		p.frame(pong, "nobody asked")
		p.frame(goodbye, "")
		_, _ = io.Copy(io.Discard, p.r)
	}))
	if d := c.disconnected(); d.Code != 1005 || d.Err != nil {
		t.Errorf("error %+v", d)
	}
	want := []string{
		fmt.Sprintf("message %q", request), fmt.Sprintf("message %q", request), `stray "\xff invalid"`, `stray ""`,
		`message "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"`, `stray "two\nlines\r\n"`,
	}
	if got := c.incoming(); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestTextIsSentAsTextAndTheRestAsBinary(t *testing.T) {
	got := make(chan string, 4)
	c := dial(t, serveWS(t, func(p *wsPeer) {
		for range cap(got) {
			first, payload := p.next()
			got <- fmt.Sprintf("%x %q", first, payload)
		}
		close(got)
	}))
	for _, raw := range []string{request, "é", "\xff", ""} {
		c.send(raw)
	}
	for _, want := range []string{fmt.Sprintf("81 %q", request), `81 "é"`, `82 "\xff"`, `81 ""`} {
		if g := told(t, got); g != want {
			t.Errorf("got %s, want %s", g, want)
		}
	}
}

func TestPingsAreAnswered(t *testing.T) {
	got := make(chan string, 1)
	dial(t, serveWS(t, func(p *wsPeer) {
		p.frame(ping, "are you there")
		first, payload := p.next()
		got <- fmt.Sprintf("%x %s", first, payload)
	}))
	if g := told(t, got); g != "8a are you there" {
		t.Errorf("got %s", g)
	}
}

// A server that pings but does not read has to be read on.
func TestPingsWhileAMessageIsStuck(t *testing.T) {
	c := dial(t, serveWS(t, func(p *wsPeer) {
		for range 10 {
			p.frame(ping, "x")
		}
		p.frame(text, "after the pings")
		_, _ = io.Copy(io.Discard, p.r)
	}))
	sent := make(chan error, 1)
	go func() {
		_, err := c.Send(make([]byte, 8<<20), wire.ByScript, 0)
		sent <- err
	}()
	c.received("after the pings")
	if err := <-sent; err != nil {
		t.Error(err)
	}
	c.close()
}

func TestTheClosingHandshake(t *testing.T) {
	got := make(chan string, 2)
	c := dial(t, serveWS(t, func(p *wsPeer) {
		first, payload := p.next()
		got <- fmt.Sprintf("%x %q", first, payload)
		p.frame(ping, "late")
		p.frame(text, "one more")
		p.frame(goodbye, status(1000, ""))
		first, payload = p.next()
		got <- fmt.Sprintf("%x %q", first, payload)
	}))
	c.close()
	if g, want := told(t, got), fmt.Sprintf("88 %q", status(1000, "")); g != want {
		t.Errorf("got %s, want %s", g, want)
	}
	if g := told(t, got); g != `0 "EOF"` {
		t.Errorf("after the goodbye came %s", g)
	}
	if g := c.incoming(); len(g) != 1 || c.Err() != nil {
		t.Errorf("%q, error %v", g, c.Err())
	}
}

func TestAServerThatSaysNoGoodbye(t *testing.T) {
	over := make(chan struct{})
	url := serveWS(t, func(*wsPeer) { <-over })
	c := dial(t, url)
	begin := time.Now()
	c.close()
	if d := time.Since(begin); d < 400*time.Millisecond || d > 5*time.Second {
		t.Errorf("closing took %s", d)
	}
	if _, last := c.ended(); last.Event != wire.EventClosed || c.Err() != nil {
		t.Errorf("the end: %+v, %v", last, c.Err())
	}
	close(over)
}

func TestHowWebSocketsEnd(t *testing.T) {
	half := `{"jsonrpc":"2.0","id":1,`
	for _, c := range []struct {
		name  string
		serve func(p *wsPeer)
		code  int
		cut   bool
		want  []string // in the error and its hint
	}{
		{"normal", func(p *wsPeer) { p.frame(goodbye, status(1000, "")) }, 1000, false, []string{"1000 (normal closure)"}},
		{"going away", func(p *wsPeer) { p.frame(goodbye, status(1001, "bye")) }, 1001, false, []string{`1001 (going away), "bye"`, "shuts down"}},
		{"too big", func(p *wsPeer) { p.frame(goodbye, status(1009, "read limited at 32769 bytes")) }, 1009, false, []string{`1009 (message too big), "read limited`, "its limit has to be raised"}},
		{"internal error", func(p *wsPeer) { p.frame(goodbye, status(1011, "boom")) }, 1011, false, []string{`1011 (internal error), "boom"`, "the server failed"}},
		{"its own code", func(p *wsPeer) { p.frame(goodbye, status(4001, "\x1b[31mno")) }, 4001, false, []string{`4001 (the server's own code), "\x1b[31mno"`}},
		{"within a message", func(p *wsPeer) { p.frame(more, half); p.frame(goodbye, status(1011, "")) }, 1011, true, []string{"in the middle of a message"}},
		{"no goodbye", func(*wsPeer) {}, 1006, false, []string{"without a closing frame (1006)", "crashed"}},
		{"cut between frames", func(p *wsPeer) { p.frame(more, half) }, 1006, true, []string{"in the middle of a message", "(1006)"}},
		{"cut within a frame", func(p *wsPeer) { _, _ = p.Write(append([]byte{text, 100}, half...)) }, 1006, true, []string{"in the middle of a message"}},
		{"cut at a read", func(p *wsPeer) {
			_, _ = p.Write(append(binary.BigEndian.AppendUint64([]byte{text, 127}, 1<<20), strings.Repeat("x", 64<<10)...))
		}, 1006, true, []string{"in the middle of a message"}},
		{"cut within a head", func(p *wsPeer) { _, _ = p.Write([]byte{text}) }, 1006, false, []string{"(1006)"}},
		{"unknown opcode", func(p *wsPeer) { p.frame(0x83, "x"); p.next() }, 1006, false, []string{"breaks the websocket protocol", "opcode"}},
		{"compressed", func(p *wsPeer) { p.frame(0xc1, "x"); p.next() }, 1006, false, []string{"breaks the websocket protocol", "rsv"}},
		{"a close code that may not be sent", func(p *wsPeer) { p.frame(goodbye, status(1006, "")); p.next() }, 1006, false, []string{"breaks the websocket protocol", "invalid status code"}},
		{"a message within a message", func(p *wsPeer) { p.frame(more, half); p.frame(text, "x"); p.next() }, 1006, true, []string{"breaks the websocket protocol"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := dial(t, serveWS(t, c.serve))
			d := l.disconnected()
			if d.Code != c.code || d.Cut != c.cut {
				t.Errorf("error %+v", d)
			}
			for _, words := range c.want {
				if all := d.Error() + "\n" + d.Hint(); !strings.Contains(all, words) {
					t.Errorf("%q is not in\n%s", words, all)
				}
			}
			if got := l.incoming(); c.cut != (len(got) == 1) {
				t.Errorf("messages %.200q", got)
			}
		})
	}
}

func TestUpgradesThatAreRefused(t *testing.T) {
	answer := func(status int, body string, fields ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(fields); i += 2 {
				w.Header().Set(fields[i], fields[i+1])
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	upgraded := []string{"Connection", "Upgrade", "Upgrade", "websocket"}
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		word    string
		status  int
		want    []string
	}{
		{"401", answer(401, "who are you", "WWW-Authenticate", "Bearer"), "auth", 401, []string{"401"}},
		{"403", answer(403, ""), "auth", 403, []string{"403"}},
		{"404", answer(404, "404 page not found\n"), "unreachable", 404, []string{"404", "nothing at this path"}},
		{"an HTTP server", answer(200, "<html>hello</html>", "Content-Type", "text/html"), "unreachable", 200, []string{"200", "connect with http://"}},
		{"406", answer(406, `{"jsonrpc":"2.0"}`), "unreachable", 406, []string{"406", "connect with http://"}},
		{"500", answer(500, "boom"), "unreachable", 500, []string{"500"}},
		{"a redirect", answer(307, "", "Location", "wss://other.example/mcp?token=abcdefghijklmnop"), "unreachable", 307, []string{"307", "wss://other.example/mcp"}},
		{"no key", answer(101, "", upgraded...), "unreachable", 101, []string{"Sec-WebSocket-Accept", "RFC 6455"}},
		{"another upgrade", answer(101, "", "Connection", "Upgrade", "Upgrade", "h2c"), "unreachable", 101, []string{"h2c", "RFC 6455"}},
		{"another subprotocol", func(w http.ResponseWriter, r *http.Request) {
			r.Header.Set("Sec-Websocket-Protocol", "chat")
			_, _ = websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"chat"}})
		}, "unreachable", 101, []string{`the subprotocol "chat"`, "-H 'Sec-WebSocket-Protocol: chat'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(c.handler)
			defer s.Close()
			url := "ws" + strings.TrimPrefix(s.URL, "http") + "/mcp"
			log := &clienttest.Log{}
			_, err := open(t.Context(), url, log)
			var e *wire.UpgradeError
			var h *wire.HTTPError
			if !errors.As(err, &e) || !errors.As(err, &h) || e.Word() != c.word || h.Status != c.status || h.URL != url || e.Hint() == "" && c.word != "auth" {
				t.Fatalf("%T %v", err, err)
			}
			for _, words := range c.want {
				if all := e.Error() + "\n" + e.Hint(); !strings.Contains(all, words) {
					t.Errorf("%q is not in\n%s", words, all)
				}
			}
			frames := log.Frames()
			if len(frames) < 2 || frames[0].Dir != wire.Out || frames[1].Dir != wire.In {
				t.Fatalf("frames\n%s", log)
			}
			for _, f := range frames {
				if f.Kind != wire.HTTP || f.Via != "ws" {
					t.Errorf("frame %+v", f)
				}
			}
		})
	}
}

func TestTheHeadsOfAnUpgrade(t *testing.T) {
	log := &clienttest.Log{}
	url := clienttest.ListenWebSocket(t, "")
	conn, err := wire.DialWebSocket(t.Context(), url+"?token=abcdefghijklmnopqrst", wire.WebSocketOptions{
		Epoch: 3, Header: http.Header{"Authorization": {"Bearer 0123456789abcdefghij"}, "X-Mine": {"yes"}, "Host": {"localhost:1"}},
	}, log)
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	frames := log.Frames()
	if e := event(t, frames[0]); e.Epoch != 3 || e.Transport != "ws" || strings.Contains(e.URL, "abcdefgh") {
		t.Errorf("event %+v", e)
	}
	out, in := string(frames[1].Raw), string(frames[2].Raw)
	for _, want := range []string{"GET /mcp?token=…qrst HTTP/1.1\r\n", "Host: localhost:1\r\n", "Authorization: Bearer …ghij\r\n", "X-Mine: yes", "Sec-WebSocket-Protocol: mcp", "Upgrade: websocket"} {
		if !strings.Contains(strings.ToLower(out)+"\r\n", strings.ToLower(want)) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if !strings.HasPrefix(in, "HTTP/1.1 101 Switching Protocols\r\n") || frames[1].Dir != wire.Out || frames[2].Dir != wire.In || frames[1].Via != "ws" || frames[1].Kind != wire.HTTP {
		t.Errorf("head %s\nframes\n%s", in, log)
	}
}

func TestTheSubprotocolOfAWebSocket(t *testing.T) {
	for _, c := range []struct{ accept, header, notice string }{
		{"mcp", "", ""},
		{"", "", "the server chose no subprotocol; offered was mcp"},
		{"b", "a, b", ""},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{c.accept}}); err == nil {
				_, _, _ = conn.Read(r.Context())
			}
		}))
		log := &clienttest.Log{}
		opt := wire.WebSocketOptions{Header: http.Header{}}
		if c.header != "" {
			opt.Header.Set("Sec-WebSocket-Protocol", c.header)
		}
		conn, err := wire.DialWebSocket(t.Context(), "ws"+strings.TrimPrefix(s.URL, "http"), opt, log)
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
		s.Close()
		if got := strings.Contains(log.String(), wire.EventNotice); got != (c.notice != "") || !strings.Contains(log.String(), c.notice) {
			t.Errorf("%+v:\n%s", c, log)
		}
	}
}

func TestWebSocketsOverTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		if kind, raw, err := conn.Read(r.Context()); err == nil {
			_ = conn.Write(r.Context(), kind, raw)
		}
		_, _, _ = conn.Read(r.Context())
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // it tells of handshakes that failed
	s.EnableHTTP2 = true                           // a websocket is upgraded over HTTP/1.1 all the same
	s.StartTLS()
	defer s.Close()
	url := "wss" + strings.TrimPrefix(s.URL, "https")
	err := refused(t, url)
	var unknown *wire.NetError
	if !errors.As(err, &unknown) || !strings.Contains(unknown.Hint(), "--ca") || !strings.Contains(unknown.Hint(), "--insecure") {
		t.Errorf("an unknown certificate: %T %v", err, err)
	}
	client, err := wire.NewHTTPClient(wire.NetOptions{Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	kept := &clienttest.Log{}
	conn, err := wire.DialWebSocket(t.Context(), url, wire.WebSocketOptions{Client: client}, kept)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Send([]byte(request), wire.ByScript, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.WaitFor(t.Context(), func(f *wire.Frame) bool { return f.Dir == wire.In && string(f.Raw) == request }); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil || conn.Err() != nil {
		t.Errorf("%v, %v", err, conn.Err())
	}
}

func TestAddressesOfWebSockets(t *testing.T) {
	for url, want := range map[string]string{
		"http://a/": "neither ws nor wss", "ws:///mcp": "it has no host", "ws://a:b/": "invalid port", "wss://%zz/": "invalid URL escape",
	} {
		err := refused(t, strings.Replace(url, "http:", "wsx:", 1))
		var wrong *wire.AddressError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) || wrong.Hint() == "" {
			t.Errorf("%s: error %v", url, err)
		}
	}
}

func TestAServerThatDoesNotAnswerTheUpgrade(t *testing.T) {
	url := serveTCP(t, func(conn *net.TCPConn) { _, _ = io.Copy(io.Discard, conn) })
	kept := &clienttest.Log{}
	_, err := wire.DialWebSocket(t.Context(), strings.Replace(url, "tcp:", "ws:", 1), wire.WebSocketOptions{ConnectTimeout: 50 * time.Millisecond}, kept)
	var e *wire.NetError
	if !errors.As(err, &e) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%T %v", err, err)
	}
}

func TestAWebSocketThatCannotBeConnectedToInTime(t *testing.T) {
	silent := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}}
	_, err := wire.DialWebSocket(t.Context(), "ws://192.0.2.1/mcp", wire.WebSocketOptions{Client: silent, ConnectTimeout: 10 * time.Millisecond}, &clienttest.Log{})
	var e *wire.NetError
	if !errors.As(err, &e) || e.Error() != "cannot connect to ws://192.0.2.1/mcp: no answer in time" {
		t.Errorf("%T %v", err, err)
	}
}
