package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/mcp"
	"parley/client/wire"
)

// httpLike is a connection with what those over HTTP have beside others: it is told
// what was agreed on, closes streams, forgets sessions, loses answers.
type httpLike struct {
	sink wire.Sink
	// answer is called for each message that is sent, in a goroutine of its own for
	// requests. It gives the lines that the server sends, or why the answer is lost.
	answer func(h *wire.Head, raw []byte) (lines []string, err error)

	mu        sync.Mutex
	agreed    []wire.Agreement
	abandoned []uint64
	renewed   int
	once      sync.Once
	done      chan struct{}
}

func (h *httpLike) Send(raw []byte, by wire.Origin, of uint64) (uint64, error) {
	f := []wire.Frame{{Dir: wire.Out, By: by, Of: of, Raw: raw, Size: int64(len(raw)), Head: wire.Scan(raw)}}
	h.sink.Append(f)
	respond := func() error {
		lines, err := h.answer(&f[0].Head, raw)
		for _, line := range lines {
			h.sink.Append([]wire.Frame{{Dir: wire.In, Raw: []byte(line), Size: int64(len(line)), Head: wire.Scan([]byte(line))}})
		}
		return err
	}
	if f[0].Head.Form != wire.Request {
		return f[0].Seq, respond()
	}
	go func() {
		if err := respond(); err != nil {
			h.sink.(wire.LossSink).Lost(f[0].Seq, err)
		}
	}()
	return f[0].Seq, nil
}

func (h *httpLike) Agree(a wire.Agreement) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.agreed = append(h.agreed, a)
}

func (h *httpLike) Abandon(seq uint64, why string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.abandoned = append(h.abandoned, seq)
	return true
}

func (h *httpLike) NewSession() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.renewed++
}

func (h *httpLike) CloseSend() error { return nil }
func (h *httpLike) Close(context.Context) error {
	h.once.Do(func() { close(h.done) })
	return nil
}
func (h *httpLike) Done() <-chan struct{} { return h.done }
func (h *httpLike) Err() error            { return nil }

// httpStory runs a test with a connection of that kind, in a bubble.
func httpStory(t *testing.T, opt client.Options, answer func(h *wire.Head, raw []byte) ([]string, error),
	fn func(t *testing.T, c *client.Client, conn *httpLike, log *clienttest.Log)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		conn := &httpLike{answer: answer, done: make(chan struct{})}
		log := checked(t)
		opt.Name, opt.Version = "t", "1"
		c := client.New(log, func(sink wire.Sink, _ int) (client.Conn, error) {
			conn.sink = sink
			return conn, nil
		}, opt)
		fn(t, c, conn, log)
		synctest.Wait()
		_ = c.Close(t.Context())
	})
}

// resultLine is the line that answers a request.
func resultLine(h *wire.Head, result string) []string {
	return []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, h.ID, result)}
}

// failureLine is the line that refuses a request.
func failureLine(h *wire.Head, failure string) []string {
	return []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, h.ID, failure)}
}

const (
	initializedResult = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	discoveredResult  = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
)

// shakes answers handshakes as a server of both eras does, and the rest by then.
func shakes(then func(h *wire.Head) ([]string, error)) func(*wire.Head, []byte) ([]string, error) {
	return func(h *wire.Head, _ []byte) ([]string, error) {
		switch h.Method {
		case "initialize":
			return resultLine(h, initializedResult), nil
		case "server/discover":
			return resultLine(h, discoveredResult), nil
		case "notifications/initialized":
			return nil, nil
		}
		return then(h)
	}
}

func refusedWith(status int, body string) error {
	return &wire.HTTPError{Method: "POST", URL: "http://h/mcp", Status: status, Body: []byte(body)}
}

func TestAgreementOfEachEra(t *testing.T) {
	for protocol, want := range map[string]wire.Agreement{
		"legacy": {Version: "2025-06-18"},
		"modern": {Version: "2026-07-28", Modern: true},
		"auto":   {Version: "2026-07-28", Modern: true},
	} {
		httpStory(t, client.Options{Protocol: protocol}, shakes(nil), func(t *testing.T, c *client.Client, conn *httpLike, _ *clienttest.Log) {
			connect(t, c)
			if len(conn.agreed) != 1 || conn.agreed[0].Version != want.Version || conn.agreed[0].Modern != want.Modern ||
				(conn.agreed[0].Fields != nil) != want.Modern {
				t.Errorf("%s: %+v", protocol, conn.agreed)
			}
		})
	}
}

// What a probe over HTTP brings, and what follows from it.
func TestProbesOverHTTP(t *testing.T) {
	tests := []struct {
		name  string
		probe error
		lines string // answers the probe instead
		era   client.Era
	}{
		{"bad request without a word", refusedWith(400, ""), "", client.Legacy},
		{"bad request in words", refusedWith(400, "Bad Request: Unsupported protocol version"), "", client.Legacy},
		{"no session", refusedWith(400, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}`), "", client.Legacy},
		{"invalid params", nil, `{"code":-32602,"message":"Invalid request parameters"}`, client.Legacy},
		{"not found", refusedWith(404, ""), "", client.Legacy},
		{"not acceptable", refusedWith(406, ""), "", client.Legacy},
		{"a fault", refusedWith(500, "<html>"), "", client.Legacy},
		{"HTML", refusedWith(200, "<html>"), "", client.Legacy},
		{"a stream that ends", &wire.StreamError{}, "", client.Legacy},
		{"a mismatch without an id", refusedWith(400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"no"}}`), "", client.Modern},
		{"a capability", nil, `{"code":-32021,"message":"no"}`, client.Modern},
		{"its versions without an id", refusedWith(400, `{"jsonrpc":"2.0","error":{"code":-32022,"message":"no","data":{"supported":["2025-03-26"]}}}`), "", client.Legacy},
		{"authorization", refusedWith(401, ""), "", client.UnknownEra},
		{"forbidden", refusedWith(403, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}`), "", client.UnknownEra},
		{"too many", refusedWith(429, ""), "", client.UnknownEra},
		{"a gateway", refusedWith(502, "<html>"), "", client.UnknownEra},
		{"the network", &wire.NetError{URL: "h", Err: errors.New("connection refused")}, "", client.UnknownEra},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			probed := false
			answer := func(h *wire.Head, raw []byte) ([]string, error) {
				if h.Method == "server/discover" && !probed {
					probed = true
					if tt.lines != "" {
						return failureLine(h, tt.lines), nil
					}
					return nil, tt.probe
				}
				return shakes(nil)(h, raw)
			}
			httpStory(t, client.Options{Protocol: "auto"}, answer, func(t *testing.T, c *client.Client, _ *httpLike, log *clienttest.Log) {
				err := c.Connect(t.Context())
				if c.Era() != tt.era || (err != nil) != (tt.era == client.UnknownEra) {
					t.Errorf("%v, %v", c.Era(), err)
				}
				if err != nil && !errors.Is(err, tt.probe) {
					t.Errorf("got %v, want %v", err, tt.probe)
				}
				methods := ""
				for _, f := range log.Frames() {
					if f.Dir == wire.Out {
						methods += f.Head.Method + " "
					}
				}
				want := map[client.Era]string{
					client.Legacy:     "server/discover initialize notifications/initialized ",
					client.Modern:     "server/discover ",
					client.UnknownEra: "server/discover ",
				}[tt.era]
				if methods != want {
					t.Errorf("sent %s", methods)
				}
			})
		})
	}
}

func TestBareRefusalsNameTheOtherEra(t *testing.T) {
	for protocol, other := range map[string]string{"legacy": "--protocol modern", "modern": "--protocol legacy"} {
		refused := refusedWith(405, "")
		answer := func(*wire.Head, []byte) ([]string, error) { return nil, refused }
		httpStory(t, client.Options{Protocol: protocol}, answer, func(t *testing.T, c *client.Client, _ *httpLike, _ *clienttest.Log) {
			err := c.Connect(t.Context())
			var doubt *client.EraError
			if !errors.Is(err, refused) || !errors.As(err, &doubt) || !strings.Contains(doubt.Hint(), other) || doubt.Word() != "unreachable" {
				t.Errorf("%s: %v", protocol, err)
			}
		})
	}
}

func TestRefusedInitializedIsSaidAndGoneOnWith(t *testing.T) {
	answer := func(h *wire.Head, _ []byte) ([]string, error) {
		if h.Method == "initialize" {
			return resultLine(h, initializedResult), nil
		}
		return nil, refusedWith(405, "")
	}
	httpStory(t, client.Options{}, answer, func(t *testing.T, c *client.Client, _ *httpLike, log *clienttest.Log) {
		connect(t, c)
		if !strings.Contains(log.String(), `"event":"notice","text":"notifications/initialized: `) {
			t.Errorf("log:\n%s", log)
		}
	})
}

func TestModernCancelClosesTheStream(t *testing.T) {
	for protocol, method := range map[string]string{"modern": "", "legacy": "notifications/cancelled"} {
		answer := shakes(func(*wire.Head) ([]string, error) { return nil, nil })
		httpStory(t, client.Options{Protocol: protocol}, answer, func(t *testing.T, c *client.Client, conn *httpLike, log *clienttest.Log) {
			connect(t, c)
			p, err := c.Start(t.Context(), "tools/call", client.CallParams("x", nil), client.CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if !c.Cancel(p.Seq()) {
				t.Error("not cancelled")
			}
			if _, err := p.Wait(t.Context()); !errors.Is(err, client.ErrCancelled) {
				t.Error(err)
			}
			synctest.Wait()
			frames := log.Frames()
			last := frames[len(frames)-1].Head.Method
			if closed := len(conn.abandoned) == 1 && conn.abandoned[0] == p.Seq(); closed != (method == "") || (last == method) == closed {
				t.Errorf("%s: abandoned %v, last sent %s", protocol, conn.abandoned, last)
			}
		})
	}
}

func TestLostAnswerEndsTheCallAtOnce(t *testing.T) {
	lost := &wire.StreamError{Method: "tools/call", Via: "POST 3"}
	answer := shakes(func(h *wire.Head) ([]string, error) { return nil, lost })
	httpStory(t, client.Options{}, answer, func(t *testing.T, c *client.Client, _ *httpLike, _ *clienttest.Log) {
		connect(t, c)
		began := time.Now()
		_, err := c.Request(t.Context(), "tools/call", client.CallParams("x", nil), client.CallOptions{})
		if !errors.Is(err, lost) || time.Since(began) > 0 {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

// sessionServer is one with sessions, which it forgets when told to.
type sessionServer struct {
	mu       sync.Mutex
	lives    bool // the session
	sessions int
	dead     bool // no new one can be had
	asked    map[string]int
	open     chan struct{} // closed when a slow call may end
}

func (s *sessionServer) answer(h *wire.Head, _ []byte) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[h.Method]++
	if h.Method == "initialize" {
		if s.dead {
			return nil, refusedWith(503, "")
		}
		s.lives, s.sessions = true, s.sessions+1
		return resultLine(h, initializedResult), nil
	}
	if !s.lives {
		return nil, &wire.SessionError{HTTP: &wire.HTTPError{Method: "POST", URL: "http://h/mcp", Status: 404, Session: true}}
	}
	switch {
	case h.Form != wire.Request:
		return nil, nil
	case h.Name == "slow":
		s.mu.Unlock()
		<-s.open
		s.mu.Lock()
	}
	return resultLine(h, `{"content":[]}`), nil
}

func TestLostSessionIsMadeAnewOnceForAllWhoWait(t *testing.T) {
	s := &sessionServer{asked: map[string]int{}}
	var notices []string
	opt := client.Options{Notice: func(text string) { notices = append(notices, text) }}
	httpStory(t, opt, s.answer, func(t *testing.T, c *client.Client, conn *httpLike, log *clienttest.Log) {
		connect(t, c)
		s.open = make(chan struct{})
		slow, err := c.Start(t.Context(), "tools/call", client.CallParams("slow", nil), client.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the slow call is on its way
		s.mu.Lock()
		s.lives = false
		s.mu.Unlock()
		errs := make(chan error)
		const calls = 8
		for i := range calls {
			go func() {
				p, err := c.Start(t.Context(), "tools/call", client.CallParams(fmt.Sprint(i), nil), client.CallOptions{By: wire.ByForm})
				if err != nil {
					errs <- err
					return
				}
				a, err := p.Wait(t.Context())
				if again := log.Frames()[a.Request.Seq-1]; err == nil && a.Request.Seq != p.Seq() && again.Of != p.Seq() {
					err = fmt.Errorf("%d was sent again in the place of %d", p.Seq(), again.Of)
				}
				errs <- err
			}()
		}
		for range calls {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		close(s.open)
		if a, err := slow.Wait(t.Context()); err != nil || a.Request.Seq != slow.Seq() {
			t.Errorf("the call in flight: %+v, %v", a, err)
		}
		if s.sessions != 2 || conn.renewed != 1 || s.asked["notifications/initialized"] != 2 {
			t.Errorf("%d sessions, %d renewed, %v", s.sessions, conn.renewed, s.asked)
		}
		if len(notices) != 1 || strings.Count(log.String(), "initialize is sent again") != 1 {
			t.Errorf("notices: %q", notices)
		}
		if !c.Changed("tools/list") {
			t.Error("lists of the old session count still")
		}
		ids := map[wire.ID]bool{}
		for _, f := range log.Frames() {
			if f.Dir == wire.Out && f.Head.Form == wire.Request {
				if ids[f.Head.ID] {
					t.Errorf("the id %s was used twice", f.Head.ID)
				}
				ids[f.Head.ID] = true
			}
		}
	})
}

func TestSessionThatCannotBeMadeAnew(t *testing.T) {
	s := &sessionServer{asked: map[string]int{}}
	httpStory(t, client.Options{}, s.answer, func(t *testing.T, c *client.Client, _ *httpLike, _ *clienttest.Log) {
		connect(t, c)
		s.lives, s.dead = false, true
		_, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{})
		var refused *wire.HTTPError
		if !errors.As(err, &refused) || refused.Status != 503 || !strings.Contains(err.Error(), "session") {
			t.Errorf("got %v", err)
		}
		s.dead = false
		if _, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil {
			t.Errorf("when the server is back: %v", err)
		}
	})
}

func TestSessionThatEndsForEverIsNotTriedForEver(t *testing.T) {
	s := &sessionServer{asked: map[string]int{}}
	answer := func(h *wire.Head, raw []byte) ([]string, error) {
		lines, err := s.answer(h, raw)
		if h.Method == "notifications/initialized" {
			s.mu.Lock()
			s.lives = false
			s.mu.Unlock()
		}
		return lines, err
	}
	httpStory(t, client.Options{}, answer, func(t *testing.T, c *client.Client, _ *httpLike, _ *clienttest.Log) {
		connect(t, c)
		_, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{})
		var expired *wire.SessionError
		if !errors.As(err, &expired) || s.asked["tools/list"] != 2 {
			t.Errorf("%v after %v", err, s.asked)
		}
	})
}

// A session that ended where nobody waited for an answer is made anew before the next
// request, as is one that a notification finds gone.
func TestSessionThatEndedUnasked(t *testing.T) {
	s := &sessionServer{asked: map[string]int{}}
	httpStory(t, client.Options{}, s.answer, func(t *testing.T, c *client.Client, conn *httpLike, _ *clienttest.Log) {
		connect(t, c)
		s.lives = false
		event, _ := json.Marshal(wire.ConnEvent{Event: wire.EventExpired})
		conn.sink.Append([]wire.Frame{{Kind: wire.Event, Raw: event, Size: int64(len(event))}})
		if _, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil || s.asked["tools/list"] != 1 {
			t.Errorf("%v, %v", err, s.asked)
		}
		s.lives = false
		if _, err := c.Notify(t.Context(), "notifications/odd", nil, wire.ByConsole); err != nil || s.sessions != 3 {
			t.Errorf("%v, %d sessions", err, s.sessions)
		}
	})
}

func TestRefusalsThatAreBodiesOfHTTP(t *testing.T) {
	answer := func(h *wire.Head, _ []byte) ([]string, error) {
		return nil, refusedWith(400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"]}}}`)
	}
	httpStory(t, client.Options{}, answer, func(t *testing.T, c *client.Client, _ *httpLike, _ *clienttest.Log) {
		err := c.Connect(t.Context())
		var refused *client.HandshakeError
		var rpc mcp.RPCError
		if !errors.As(err, &refused) || errors.As(err, &rpc) || !strings.Contains(err.Error(), "-32022") ||
			!strings.Contains(refused.Hint(), "--protocol modern") {
			t.Errorf("got %v", err)
		}
	})
}
