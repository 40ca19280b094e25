package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/client/clienttest"
	"parley/client/wire"
)

// lossLog is a log that also keeps the errors of lost requests.
type lossLog struct {
	clienttest.Log
	mu     sync.Mutex
	errors map[uint64]error
}

func (l *lossLog) Lost(seq uint64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.errors == nil {
		l.errors = map[uint64]error{}
	}
	l.errors[seq] = err
}

func (l *lossLog) lost(seq uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.errors[seq]
}

// web is a connection over HTTP under test.
type web struct {
	*wire.HTTPConn
	t   *testing.T
	ctx context.Context
	log *lossLog
	url string
}

// serveHTTP starts a server for the test; connections to it are closed before it is.
func serveHTTP(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	return srv.URL
}

// dialHTTP connects to a URL with options.
func dialHTTP(t *testing.T, opt wire.HTTPOptions) *web {
	t.Helper()
	l, err := tryDialHTTP(t, opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func tryDialHTTP(t *testing.T, opt wire.HTTPOptions) (*web, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	opt.Epoch = 1
	l := &web{t: t, ctx: ctx, log: &lossLog{}, url: opt.URL}
	conn, err := wire.DialHTTP(ctx, opt, l.log)
	if err != nil {
		return l, err
	}
	l.HTTPConn = conn
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return l, nil
}

// connectHTTP serves h and connects to it.
func connectHTTP(t *testing.T, h http.HandlerFunc) *web {
	t.Helper()
	return dialHTTP(t, wire.HTTPOptions{URL: serveHTTP(t, h)})
}

// send sends a message that must be accepted.
func (l *web) send(raw string) uint64 {
	l.t.Helper()
	seq, err := l.Send([]byte(raw), wire.ByConsole, 0)
	if err != nil {
		l.t.Fatalf("sending %s: %v", raw, err)
	}
	return seq
}

// wait waits for a frame.
func (l *web) wait(what string, ok func(f *wire.Frame) bool) wire.Frame {
	l.t.Helper()
	f, err := l.log.WaitFor(l.ctx, ok)
	if err != nil {
		l.t.Fatalf("%s: %v", what, err)
	}
	return f
}

// answer waits for the response to the request with a numeric id.
func (l *web) answer(id int64) wire.Frame {
	l.t.Helper()
	return l.wait(fmt.Sprintf("the answer to %d", id), func(f *wire.Frame) bool {
		return f.Dir == wire.In && f.Kind == wire.Message && f.Head.Form.IsResponse() && f.Head.ID == wire.Int(id)
	})
}

// event waits for an event by its name.
func (l *web) event(name string) wire.ConnEvent {
	l.t.Helper()
	f := l.wait("event "+name, func(f *wire.Frame) bool { return isEvent(f, name) })
	e, _ := wire.ParseEvent(f.Raw)
	return e
}

func isEvent(f *wire.Frame, name string) bool {
	if f.Kind != wire.Event {
		return false
	}
	e, err := wire.ParseEvent(f.Raw)
	return err == nil && e.Event == name
}

// events counts the events of a name so far.
func (l *web) events(name string) (n int) {
	for _, f := range l.log.Frames() {
		if isEvent(&f, name) {
			n++
		}
	}
	return n
}

// loss waits until a request is lost and gives the error.
func (l *web) loss(seq uint64) error {
	l.t.Helper()
	l.wait("the loss", func(f *wire.Frame) bool {
		if !isEvent(f, wire.EventLost) {
			return false
		}
		e, _ := wire.ParseEvent(f.Raw)
		return e.Seq == seq
	})
	for l.log.lost(seq) == nil { // Lost is called right after the append
		if l.ctx.Err() != nil {
			l.t.Fatal("Lost was not called")
		}
	}
	return l.log.lost(seq)
}

// shape describes frames in short: direction, kind or event, via.
func shape(frames []wire.Frame) (out []string) {
	for i := range frames {
		f := &frames[i]
		if f.Kind == wire.Event {
			e, _ := wire.ParseEvent(f.Raw)
			out = append(out, e.Event)
			continue
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Dir, f.Kind, f.Via)))
	}
	return out
}

func (l *web) wantShape(want ...string) {
	l.t.Helper()
	if got := shape(l.log.Frames()); !slices.Equal(got, want) {
		l.t.Errorf("frames are\n  %s\nwant\n  %s\n%s", strings.Join(got, "\n  "), strings.Join(want, "\n  "), &l.log.Log)
	}
}

// body reads the message of a request.
func body(r *http.Request) string {
	raw, _ := io.ReadAll(r.Body)
	return string(raw)
}

// respond answers the request in raw with a result.
func respond(raw, result string) string {
	h := wire.Scan([]byte(raw))
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, h.ID, result)
}

func writeJSON(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

// stream begins a stream of events.
func stream(w http.ResponseWriter) func(text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()
	return func(text string) {
		_, _ = io.WriteString(w, text)
		w.(http.Flusher).Flush()
	}
}

func data(text string) string { return "data: " + text + "\n\n" }

const (
	initialize  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	call1       = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{}}}`
	welcome     = `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`
)

// simple is a server of Streamable HTTP that answers everything by JSON; other may
// handle a request first.
func simple(other func(w http.ResponseWriter, r *http.Request, raw string) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw := body(r)
		if other != nil && other(w, r, raw) {
			return
		}
		h := wire.Scan([]byte(raw))
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case h.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", "session-0123456789abcdef")
			writeJSON(w, respond(raw, welcome))
		case h.Form == wire.Request:
			writeJSON(w, respond(raw, `{}`))
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}
}

func TestHTTPJSONAnswer(t *testing.T) {
	const answer = "{\"jsonrpc\":\"2.0\", \"id\":1,\"result\":{}}  \n"
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		if got := body(r); got != call1 {
			t.Errorf("posted %s", got)
		}
		writeJSON(w, answer)
	})
	seq := l.send(call1)
	f := l.answer(1)
	if string(f.Raw) != answer {
		t.Errorf("answer %q", f.Raw)
	}
	if err := l.Close(l.ctx); err != nil {
		t.Error(err)
	}
	if seq != 2 || l.Err() != nil {
		t.Errorf("seq %d, Err %v", seq, l.Err())
	}
	l.wantShape("connected", "> message POST 1", "> http POST 1", "< http POST 1", "< message POST 1", "closed")
	head := string(l.log.Frames()[2].Raw)
	if !strings.HasPrefix(head, "POST / HTTP/1.1\r\nHost: 127.0.0.1") || !strings.Contains(head, "\r\nAccept: application/json, text/event-stream\r\n") {
		t.Errorf("head %q", head)
	}
	if head := string(l.log.Frames()[3].Raw); !strings.HasPrefix(head, "HTTP/1.1 200 OK\r\n") {
		t.Errorf("head %q", head)
	}
	if n := l.log.Appends(); n != 4 {
		t.Errorf("%d appends", n)
	}
	if _, err := l.Send([]byte(call1), wire.ByConsole, 0); !errors.Is(err, wire.ErrClosed) {
		t.Errorf("sending after the end: %v", err)
	}
}

func TestHTTPStreamAnswer(t *testing.T) {
	l := connectHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		send := stream(w)
		send(": hello\n\n")
		send(data(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`))
		send("event: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"result\":{}}\n\n")
	})
	l.send(call1)
	if f := l.answer(1); string(f.Raw) != "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{}}" {
		t.Errorf("answer %q", f.Raw)
	}
	_ = l.Close(l.ctx)
	l.wantShape("connected", "> message POST 1", "> http POST 1", "< http POST 1",
		"< http POST 1", "< http POST 1", "< message POST 1", "< http POST 1", "< message POST 1", "closed")
}

// What is no request is handed over before Send returns, so order is kept.
func TestHTTPKeepsOrder(t *testing.T) {
	var mu sync.Mutex
	var got []string
	l := connectHTTP(t, simple(func(_ http.ResponseWriter, _ *http.Request, raw string) bool {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, wire.Scan([]byte(raw)).Method)
		return false
	}))
	l.send(initialize)
	l.send(initialized)
	l.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	l.send(call1)
	l.answer(1)
	mu.Lock()
	defer mu.Unlock()
	got = slices.DeleteFunc(got, func(s string) bool { return s == "" }) // the GET stream
	want := []string{"initialize", "notifications/initialized", "notifications/roots/list_changed", "tools/call"}
	if !slices.Equal(got, want) {
		t.Errorf("the server saw %v", got)
	}
}
