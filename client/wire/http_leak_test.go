package wire_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/client/wire"
)

// connections counts the open connections of a server.
type connections struct {
	mu   sync.Mutex
	open map[net.Conn]bool
	all  int
}

func (c *connections) state(conn net.Conn, s http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch s {
	case http.StateNew:
		c.open[conn] = true
		c.all++
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
	}
}

func (c *connections) count() (open, all int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open), c.all
}

// eventually waits until ok is true, for some seconds.
func eventually(ok func() bool) bool {
	for limit := time.Now().Add(5 * time.Second); !ok(); {
		if time.Now().After(limit) {
			return false
		}
		runtime.Gosched()
	}
	return true
}

// calls makes n calls, at most so many at a time, and waits for all answers.
func calls(t *testing.T, c *wire.HTTPConn, sink *tally, n, width int) {
	t.Helper()
	free := make(chan struct{}, width)
	for range width {
		free <- struct{}{}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range n {
			<-sink.answered
			free <- struct{}{}
		}
	}()
	for i := range n {
		<-free
		raw := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"x"}}`, i+1)
		if _, err := c.Send([]byte(raw), wire.ByAuto, 0); err != nil {
			t.Fatal(err)
		}
	}
	<-done
}

// Ten thousand calls with 64 in flight, answered in all ways, leave no goroutine and no
// connection behind, and share their connections.
func TestHTTPLeavesNothing(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1000
	}
	counted := &connections{open: map[net.Conn]bool{}}
	srv := httptest.NewUnstartedServer(simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		h := wire.Scan([]byte(raw))
		switch {
		case r.Method == http.MethodGet:
			stream(w)
			<-r.Context().Done()
		case h.Method == "tools/call" && h.ID.Num%2 == 0:
			stream(w)(data(respond(raw, `{}`)))
		default:
			return false
		}
		return true
	}))
	srv.Config.ConnState = counted.state
	srv.Start()
	defer srv.Close()
	before := runtime.NumGoroutine()
	sink := &tally{answered: make(chan struct{}, 64)}
	c, err := wire.DialHTTP(t.Context(), wire.HTTPOptions{URL: srv.URL}, sink)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Send([]byte(initialize), wire.ByAuto, 0); err != nil {
		t.Fatal(err)
	}
	<-sink.answered
	if _, err := c.Send([]byte(initialized), wire.ByAuto, 0); err != nil {
		t.Fatal(err)
	}
	calls(t, c, sink, n, 64)
	if _, all := counted.count(); all > 2*64+2 {
		t.Errorf("%d connections were made for %d calls", all, n)
	}
	_ = c.Close(context.Background())
	if !eventually(func() bool { open, _ := counted.count(); return open == 0 }) {
		open, _ := counted.count()
		t.Errorf("%d connections are open", open)
	}
	if !eventually(func() bool { return runtime.NumGoroutine() <= before }) {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
	}
}

// Close ends what is in flight, on streams of all kinds, and nothing is appended after
// the last event.
func TestHTTPCloseInFlight(t *testing.T) {
	for _, c := range []struct{ name, method string }{
		{"before the head", "a/silent"}, {"in a stream", "a/stream"}, {"in a body", "a/body"}, {"in a pause", "a/pause"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			srv := httptest.NewServer(simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
				switch {
				case strings.Contains(raw, "a/stream"):
					stream(w)
				case strings.Contains(raw, "a/pause"):
					stream(w)("id: 1\nretry: 600000\ndata: \n\n")
					return true
				case strings.Contains(raw, "a/body"):
					w.Header().Set("Content-Length", "100")
					_, _ = w.Write([]byte(`{"jsonrpc":`))
					w.(http.Flusher).Flush()
				case !strings.Contains(raw, "a/silent"):
					return false
				}
				<-r.Context().Done()
				return true
			}))
			l := dialHTTP(t, wire.HTTPOptions{URL: srv.URL})
			l.send(initialize)
			l.answer(0)
			l.send(`{"jsonrpc":"2.0","id":5,"method":"` + c.method + `"}`)
			switch c.method {
			case "a/silent":
				l.wait("the request's head", func(f *wire.Frame) bool { return f.Kind == wire.HTTP && f.Via == "POST 2" })
			case "a/pause":
				l.event(wire.EventReconnecting)
			default:
				l.wait("the response's head", func(f *wire.Frame) bool { return f.Dir == wire.In && f.Via == "POST 2" })
			}
			_ = l.Close(l.ctx)
			frames := l.log.Frames()
			if last := frames[len(frames)-1]; !isEvent(&last, wire.EventClosed) || l.events(wire.EventLost) != 0 {
				t.Errorf("frames:\n%s", &l.log.Log)
			}
			srv.Close()
			if !eventually(func() bool { return runtime.NumGoroutine() <= before }) {
				t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
			}
		})
	}
}
