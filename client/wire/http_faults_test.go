package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/client/wire"
)

// fault is something that servers get wrong, and what is made of it.
type fault struct {
	name string
	// url gives the server's address; serve is used where it is nil.
	url   func(t *testing.T) string
	serve http.HandlerFunc
	opt   wire.HTTPOptions
	// run gives the error of the fault; nil sends call1 and waits for its loss, or, if
	// word is empty, for its answer.
	run    func(l *web) error
	frames []string // in short; nil: not compared
	word   string
	text   []string // parts of the error's text
	hint   string   // a part of its hint
}

// answerWith answers everything with a status and a body.
func answerWith(code int, contentType, text string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, text)
	}
}

// events answers everything with a stream.
func events(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { stream(w)(text) }
}

// closedPort gives the URL of a port on which nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	return "http://" + ln.Addr().String()
}

var (
	asked    = []string{"connected", "> message POST 1"}
	posted   = append(slices.Clone(asked), "> http POST 1")
	answered = append(slices.Clone(posted), "< http POST 1")
	page     = append(slices.Clone(answered), "< http POST 1", "lost", "closed")
	bare     = append(slices.Clone(answered), "lost", "closed")
)

const answer1 = `{"jsonrpc":"2.0","id":1,"result":{}}`

var faults = []fault{
	{
		name: "connection refused", url: closedPort, word: "unreachable", text: []string{"refused", "127.0.0.1"}, hint: "running",
		frames: append(slices.Clone(asked), "lost", "closed"),
	},
	{
		name: "no such host", url: func(*testing.T) string { return "http://server.invalid" }, word: "unreachable", text: []string{"server.invalid"}, hint: "name",
		opt: wire.HTTPOptions{Client: &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "server.invalid", IsNotFound: true}}
		}}}},
		frames: append(slices.Clone(asked), "lost", "closed"),
	},
	{
		name: "unknown certificate", word: "unreachable", text: []string{"certificate"}, hint: "--ca",
		url: func(t *testing.T) string {
			srv := httptest.NewUnstartedServer(answerWith(200, "text/plain", ""))
			srv.Config.ErrorLog = nil
			srv.StartTLS()
			t.Cleanup(srv.Close)
			return srv.URL
		},
		frames: append(slices.Clone(asked), "lost", "closed"),
	},
	{name: "wrong path", serve: answerWith(404, "text/plain", ""), word: "unreachable", text: []string{"404"}, hint: "/mcp", frames: bare},
	{name: "405", serve: answerWith(405, "text/plain", "no", "Allow", "GET"), word: "unreachable", text: []string{"405", "no"}, frames: page},
	{name: "406", serve: answerWith(406, "text/plain", "not acceptable"), word: "http", text: []string{"406", "not acceptable"}, frames: page},
	{name: "415", serve: answerWith(415, "text/plain", "media"), word: "http", text: []string{"415"}, frames: page},
	{name: "413", serve: answerWith(413, "text/plain", "too large"), word: "http", text: []string{"413"}, frames: page},
	{name: "401", serve: answerWith(401, "text/plain", "who?", "WWW-Authenticate", "Bearer"), word: "auth", text: []string{"401"}, frames: page},
	{name: "429", serve: answerWith(429, "text/plain", "slow down", "Retry-After", "7"), word: "http", text: []string{"429"}, hint: "7", frames: page},
	{
		name: "500 with HTML", serve: answerWith(500, "text/html", "<html><h1>Oops</h1></html>"), word: "http",
		text: []string{"500", "Oops"}, frames: page,
	},
	{
		name: "200 with HTML", serve: answerWith(200, "text/html", "<html><title>Home</title></html>"), word: "http", text: []string{"200", "Home"},
		frames: append(slices.Clone(answered), "< stray POST 1", "lost", "closed"),
	},
	{
		name: "stream that never sends", serve: func(w http.ResponseWriter, r *http.Request) {
			stream(w)
			<-r.Context().Done()
		},
		run: func(l *web) error {
			seq := l.send(call1)
			l.wait("the head", func(f *wire.Frame) bool { return f.Dir == wire.In })
			if !l.Abandon(seq, "timed out") {
				l.t.Error("it is not open")
			}
			return nil
		},
		frames: append(slices.Clone(answered), "abandoned", "closed"),
	},
	{
		name: "event cut in half", serve: events("data: {\"jsonrpc\":\"2.0\",\"id\":1,"), word: "lost", text: []string{"answer"}, hint: "",
		frames: append(slices.Clone(answered), "< stray POST 1", "lost", "closed"),
	},
	{
		name: "body cut in half", serve: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0"`)
		}, word: "lost",
		frames: append(slices.Clone(answered), "< stray POST 1", "lost", "closed"),
	},
	{
		name: "two answers on one stream", serve: events(data(answer1) + data(answer1)),
		frames: append(slices.Clone(answered), "< http POST 1", "< message POST 1", "< http POST 1", "< message POST 1", "closed"),
	},
	{
		name: "byte order mark and lone CR", serve: events("\ufeffevent: message\rid: 1\rdata: {\"jsonrpc\":\"2.0\",\rdata: \"id\":1,\"result\":{}}\r\r"),
		frames: append(slices.Clone(answered), "< http POST 1", "< message POST 1", "closed"),
	},
	{
		name: "event of 20 MB", serve: func(w http.ResponseWriter, _ *http.Request) {
			stream(w)(data(`{"jsonrpc":"2.0","id":1,"result":{"text":"` + strings.Repeat("x", 20<<20) + `"}}`))
		},
		run: func(l *web) error {
			l.send(call1)
			if f := l.answer(1); f.Size < 20<<20 || int64(len(f.Raw)) != f.Size {
				l.t.Errorf("%d bytes, says %d", len(f.Raw), f.Size)
			}
			return nil
		},
		frames: append(slices.Clone(answered), "< http POST 1", "< message POST 1", "closed"),
	},
	{
		name: "redirect loop", serve: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusTemporaryRedirect) },
		word: "http", text: []string{"redirect"},
	},
	{
		name: "redirect that changes the method", serve: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/mcp/", http.StatusFound) },
		word: "http", text: []string{"302", "/mcp/"},
	},
	{
		name: "dies before the head", serve: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		word: "lost", frames: append(slices.Clone(posted), "lost", "closed"),
	},
}

func TestFaults(t *testing.T) {
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			opt := c.opt
			if c.url != nil {
				opt.URL = c.url(t)
			} else {
				opt.URL = serveHTTP(t, c.serve)
			}
			l := dialHTTP(t, opt)
			run := c.run
			if run == nil {
				run = func(l *web) error {
					seq := l.send(call1)
					if c.word == "" {
						l.answer(1)
						return nil
					}
					return l.loss(seq)
				}
			}
			c.check(t, run(l))
			if err := l.log.Wait(l.ctx, func(frames []wire.Frame) bool { return len(frames) >= len(c.frames)-1 }); err != nil {
				t.Error(err)
			}
			_ = l.Close(l.ctx)
			if c.frames != nil {
				l.wantShape(c.frames...)
			}
		})
	}
}

func (c *fault) check(t *testing.T, err error) {
	t.Helper()
	if c.word == "" {
		if err != nil {
			t.Errorf("error %v", err)
		}
		return
	}
	var told interface {
		error
		Word() string
		Hint() string
	}
	if !errors.As(err, &told) {
		t.Fatalf("error %#v", err)
	}
	t.Logf("%s\nhint: %s", told, told.Hint())
	if told.Word() != c.word {
		t.Errorf("word %q, want %q", told.Word(), c.word)
	}
	for _, part := range c.text {
		if !strings.Contains(told.Error(), part) {
			t.Errorf("%q does not say %q", told, part)
		}
	}
	if told.Hint() == "" || !strings.Contains(told.Hint(), c.hint) {
		t.Errorf("hint %q does not say %q", told.Hint(), c.hint)
	}
}

// listenAgain serves on an address that was used before.
func listenAgain(t *testing.T, address string, h http.Handler) {
	t.Helper()
	var ln net.Listener
	if !eventually(func() bool {
		var err error
		ln, err = net.Listen("tcp", address)
		return err == nil
	}) {
		t.Fatal("the address cannot be used again")
	}
	srv := &httptest.Server{Listener: ln, Config: &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}}
	srv.Start()
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
}

// noticed is a client whose connections can be counted from its side.
type noticed struct {
	net.Conn
	open *atomic.Int32
	once sync.Once
}

func (n *noticed) Close() error {
	n.once.Do(func() { n.open.Add(-1) })
	return n.Conn.Close()
}

func countingClient(t *testing.T) (client *http.Client, open *atomic.Int32) {
	t.Helper()
	client, err := wire.NewHTTPClient(wire.NetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	open = new(atomic.Int32)
	client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		open.Add(1)
		return &noticed{Conn: c, open: open}, nil
	}
	return client, open
}

// A server that is started again between two calls has forgotten the session.
func TestHTTPServerRestartsBetweenCalls(t *testing.T) {
	first := httptest.NewServer(simple(nil))
	client, open := countingClient(t)
	l := dialHTTP(t, wire.HTTPOptions{URL: first.URL, Client: client})
	l.shake()
	l.send(call1)
	l.answer(1)
	address := first.Listener.Addr().String()
	first.CloseClientConnections()
	first.Close()
	if !eventually(func() bool { return open.Load() == 0 }) {
		t.Fatal("the client has not noticed")
	}
	var known atomic.Bool
	listenAgain(t, address, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		if strings.Contains(raw, `"initialize"`) {
			known.Store(true)
		}
		if known.Load() || r.Header.Get("Mcp-Session-Id") == "" {
			return false
		}
		w.WriteHeader(http.StatusNotFound)
		return true
	}))
	err := l.loss(l.send(strings.Replace(call1, `"id":1`, `"id":2`, 1)))
	(&fault{word: "session", text: []string{"session"}}).check(t, err)
	l.NewSession()
	l.shake()
	l.send(strings.Replace(call1, `"id":1`, `"id":3`, 1))
	l.answer(3)
}

// A server that dies in the middle of a call takes the answer with it; the next call
// finds the new one.
func TestHTTPServerRestartsInACall(t *testing.T) {
	calling := make(chan struct{})
	first := httptest.NewServer(simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		if !strings.Contains(raw, "tools/call") {
			return false
		}
		stream(w)(": wait\n\n")
		close(calling)
		<-r.Context().Done()
		return true
	}))
	l := dialHTTP(t, wire.HTTPOptions{URL: first.URL})
	l.send(initialize)
	seq := l.send(call1)
	<-calling
	address := first.Listener.Addr().String()
	first.CloseClientConnections()
	first.Close()
	(&fault{word: "lost"}).check(t, l.loss(seq))
	listenAgain(t, address, simple(nil))
	l.send(strings.Replace(call1, `"id":1`, `"id":2`, 1))
	l.answer(2)
}

// Whatever went wrong, the connection goes on.
func TestHTTPGoesOnAfterFaults(t *testing.T) {
	bad := true
	l := connectHTTP(t, simple(func(w http.ResponseWriter, _ *http.Request, raw string) bool {
		if !strings.Contains(raw, "tools/call") {
			return false
		}
		if bad {
			bad = false
			w.WriteHeader(http.StatusInternalServerError)
			return true
		}
		return false
	}))
	_ = l.loss(l.send(call1))
	l.send(strings.Replace(call1, `"id":1`, `"id":2`, 1))
	l.answer(2)
}

// A long request and a long answer pass in parts.
func TestHTTPLongMessages(t *testing.T) {
	long := strings.Repeat("é", 3<<20)
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if !bytes.Contains(raw, []byte(long)) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		writeJSON(w, fmt.Sprintf(`{"jsonrpc":"2.0","result":{"text":%q},"id":1}`, long))
	})
	seq := l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"text":%q}}}`, long))
	f := l.answer(1)
	if !strings.Contains(string(f.Raw), long) {
		t.Error("the answer is not the whole one")
	}
	if sent := l.log.Frames()[seq-1]; sent.Via != "POST 1" || !strings.Contains(string(sent.Raw), long) {
		t.Error("the request's frame is not the whole one")
	}
}
