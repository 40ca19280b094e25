package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parley/client/wire"
)

// visit is a request as a server saw it.
type visit struct {
	method string
	header http.Header
	body   string
}

// guestbook keeps what a server saw.
type guestbook struct {
	mu     sync.Mutex
	visits []visit
}

func (g *guestbook) note(r *http.Request, raw string) visit {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := visit{r.Method, r.Header.Clone(), raw}
	g.visits = append(g.visits, v)
	return v
}

// find gives the visits of that HTTP method whose body contains text.
func (g *guestbook) find(method, text string) (out []visit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, v := range g.visits {
		if v.method == method && strings.Contains(v.body, text) {
			out = append(out, v)
		}
	}
	return out
}

// shake does a legacy handshake by hand.
func (l *web) shake() {
	l.t.Helper()
	l.send(initialize)
	l.send(initialized)
}

func TestHTTPSession(t *testing.T) {
	var book guestbook
	hearing := make(chan struct{})
	l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		book.note(r, raw)
		if r.Method == http.MethodGet {
			stream(w)
			close(hearing)
			<-r.Context().Done()
			return true
		}
		if r.Method == http.MethodDelete {
			return true
		}
		return false
	}))
	l.shake()
	<-hearing
	l.send(call1)
	l.answer(1)
	_ = l.Close(l.ctx)
	for _, c := range []struct {
		method, text     string
		session, version bool
	}{
		{http.MethodPost, `"initialize"`, false, false},
		{http.MethodPost, "initialized", true, true},
		{http.MethodPost, "tools/call", true, true},
		{http.MethodGet, "", true, true},
		{http.MethodDelete, "", true, true},
	} {
		visits := book.find(c.method, c.text)
		if len(visits) != 1 {
			t.Errorf("%s %s: %d visits", c.method, c.text, len(visits))
			continue
		}
		h := visits[0].header
		if got := h.Get("Mcp-Session-Id") == "session-0123456789abcdef"; got != c.session {
			t.Errorf("%s %s: session %q", c.method, c.text, h.Get("Mcp-Session-Id"))
		}
		if got := h.Get("MCP-Protocol-Version") == "2025-11-25"; got != c.version {
			t.Errorf("%s %s: version %q", c.method, c.text, h.Get("MCP-Protocol-Version"))
		}
		if h.Get("Mcp-Method") != "" {
			t.Errorf("%s %s has the modern header Mcp-Method", c.method, c.text)
		}
	}
	if text := l.log.Log.String(); strings.Contains(text, "session-0123456789abcdef") {
		t.Errorf("the session id stands in the frames:\n%s", text)
	}
	frames := l.log.Frames()
	if last := frames[len(frames)-1]; !isEvent(&last, wire.EventClosed) {
		t.Errorf("the last frame is %s", last.Raw)
	}
}

// The version goes with what was agreed on; before 2025-06-18 there was no header.
func TestHTTPVersionHeader(t *testing.T) {
	for version, want := range map[string]string{
		"2024-11-05": "", "2025-03-26": "", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
	} {
		t.Run(version, func(t *testing.T) {
			var book guestbook
			l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
				book.note(r, raw)
				if !strings.Contains(raw, `"initialize"`) {
					return false
				}
				stream(w)(data(respond(raw, `{"protocolVersion":"`+version+`"}`)))
				return true
			}))
			l.shake()
			got := book.find(http.MethodPost, "initialized")[0].header.Get("Mcp-Protocol-Version")
			if got != want {
				t.Errorf("header %q", got)
			}
		})
	}
}

func TestHTTPSessionExpires(t *testing.T) {
	var book guestbook
	l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		v := book.note(r, raw)
		if v.header.Get("Mcp-Session-Id") != "" && strings.Contains(raw, "tools/call") {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "no such session")
			return true
		}
		return false
	}))
	l.shake()
	err := l.loss(l.send(call1))
	var session *wire.SessionError
	var refused *wire.HTTPError
	if !errors.As(err, &session) || !errors.As(err, &refused) || !refused.Session || session.Word() != "session" {
		t.Errorf("error %#v", err)
	}
	if l.events(wire.EventExpired) != 1 {
		t.Errorf("frames:\n%s", &l.log.Log)
	}
	l.NewSession()
	l.shake()
	if n := len(book.find(http.MethodPost, `"initialize"`)); n != 2 {
		t.Fatalf("%d times initialize", n)
	}
	if h := book.find(http.MethodPost, `"initialize"`)[1].header; h.Get("Mcp-Session-Id") != "" || h.Get("Mcp-Protocol-Version") != "" {
		t.Errorf("the new initialize has %v", h)
	}
}

func TestHTTPBadSessionID(t *testing.T) {
	var book guestbook
	l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		book.note(r, raw)
		if strings.Contains(raw, `"initialize"`) {
			w.Header().Set("Mcp-Session-Id", "sess ion-\xe9")
			writeJSON(w, respond(raw, welcome))
			return true
		}
		return false
	}))
	l.shake()
	if e := l.event(wire.EventNotice); !strings.Contains(e.Text, "session id") {
		t.Errorf("notice %q", e.Text)
	}
	if h := book.find(http.MethodPost, "initialized")[0].header; h.Get("Mcp-Session-Id") != "" {
		t.Errorf("sent back as %q", h.Get("Mcp-Session-Id"))
	}
}

// What a server says on the GET stream is labelled so, and what it asks there is
// answered by a POST.
func TestHTTPGetStream(t *testing.T) {
	answered := make(chan string, 1)
	l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		if r.Method == http.MethodGet {
			stream(w)(data(`{"jsonrpc":"2.0","id":"s1","method":"roots/list"}`))
			<-r.Context().Done()
			return true
		}
		if strings.Contains(raw, `"s1"`) {
			answered <- raw
		}
		return false
	}))
	l.shake()
	f := l.wait("the question", func(f *wire.Frame) bool { return f.Head.Method == "roots/list" })
	if f.Via != "GET 3" {
		t.Errorf("via %q", f.Via)
	}
	const reply = `{"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}`
	l.send(reply)
	if got := <-answered; got != reply {
		t.Errorf("the server got %s", got)
	}
}

// A server may acknowledge a request and answer it on the GET stream.
func TestHTTPAnswerOnGetStream(t *testing.T) {
	called := make(chan struct{})
	l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		switch {
		case r.Method == http.MethodGet:
			send := stream(w)
			<-called
			send(data(`{"jsonrpc":"2.0","id":1,"result":{}}`))
			<-r.Context().Done()
		case strings.Contains(raw, "tools/call"):
			w.WriteHeader(http.StatusAccepted)
		default:
			return false
		}
		return true
	}))
	l.shake()
	l.wait("the GET stream", func(f *wire.Frame) bool { return f.Dir == wire.In && f.Via == "GET 3" })
	l.send(call1)
	if e := l.event(wire.EventNotice); !strings.Contains(e.Text, "GET stream") {
		t.Errorf("notice %q", e.Text)
	}
	close(called)
	if f := l.answer(1); f.Via != "GET 3" {
		t.Errorf("via %q", f.Via)
	}
	_ = l.Close(l.ctx)
	if l.events(wire.EventLost) != 0 {
		t.Errorf("lost:\n%s", &l.log.Log)
	}
}

// Where there is no GET stream, an acknowledged request is lost.
func TestHTTPAcknowledgedRequest(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusAccepted, http.StatusNoContent} {
		l := connectHTTP(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		err := l.loss(l.send(call1))
		var refused *wire.HTTPError
		if !errors.As(err, &refused) || refused.Status != status {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestHTTPNotificationAnswers(t *testing.T) {
	for status, ok := range map[int]bool{
		http.StatusOK: true, http.StatusAccepted: true, http.StatusNoContent: true,
		http.StatusBadRequest: false, http.StatusUnauthorized: false, http.StatusInternalServerError: false,
	} {
		l := connectHTTP(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		seq, err := l.Send([]byte(initialized), wire.ByAuto, 0)
		if (err == nil) != ok || seq == 0 {
			t.Errorf("%d: seq %d, error %v", status, seq, err)
		}
		if e := l.events(wire.EventWriteFailed); (e == 0) != ok {
			t.Errorf("%d: %d events write-failed", status, e)
		}
		var refused *wire.HTTPError
		if !ok && (!errors.As(err, &refused) || refused.Status != status) {
			t.Errorf("%d: error %v", status, err)
		}
	}
}

// The body of an answer to a batch may be an array; bytes that are no message are
// posted as they are, and what comes back to them is shown.
func TestHTTPBatchAndGarbage(t *testing.T) {
	const batch = `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`
	const answers = `[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]`
	var book guestbook
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		raw := body(r)
		book.note(r, raw)
		if raw == batch {
			writeJSON(w, answers)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`)
	})
	l.send(batch)
	l.wait("the answers", func(f *wire.Frame) bool { return f.Dir == wire.In && f.Head.Form == wire.Batch })
	seq, err := l.Send([]byte("{oops"), wire.ByConsole, 0)
	if err != nil {
		t.Error(err)
	}
	f := l.wait("the error", func(f *wire.Frame) bool { return f.Dir == wire.In && f.Head.Code == -32700 })
	if f.Via != "POST 2" || f.Kind != wire.Message {
		t.Errorf("%+v", f)
	}
	if sent := l.log.Frames()[seq-1]; sent.Kind != wire.Stray || string(sent.Raw) != "{oops" {
		t.Errorf("%+v", sent)
	}
	_ = l.Close(context.Background())
	if l.events(wire.EventLost) != 0 {
		t.Errorf("lost:\n%s", &l.log.Log)
	}
	if len(book.find(http.MethodPost, "{oops")) != 1 {
		t.Error("the server did not get the garbage as it was")
	}
}

func TestHTTPCloseSend(t *testing.T) {
	release := make(chan struct{})
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		raw := body(r)
		<-release
		writeJSON(w, respond(raw, `{}`))
	})
	l.send(call1)
	_ = l.CloseSend()
	if _, err := l.Send([]byte(call1), wire.ByAuto, 0); !errors.Is(err, wire.ErrClosed) {
		t.Errorf("error %v", err)
	}
	close(release)
	l.answer(1)
}

// What follows the handshake finds the GET stream there, unless the server is slow to
// begin it.
func TestHTTPGetStreamComesFirst(t *testing.T) {
	for _, slow := range []bool{false, true} {
		var hearing atomic.Bool
		l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
			switch {
			case r.Method == http.MethodGet:
				if !slow {
					hearing.Store(true)
					stream(w)
				}
				<-r.Context().Done()
				return true
			case strings.Contains(raw, "tools/call") && hearing.Load() == slow:
				t.Errorf("slow %t: the call came when there was a stream: %t", slow, hearing.Load())
			}
			return false
		}))
		l.shake()
		l.send(call1)
		l.answer(1)
	}
}
