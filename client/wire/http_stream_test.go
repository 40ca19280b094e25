package wire_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/client/wire"
)

// A server may end a stream before the answer and have the client come again: after
// the pause it asked for, not before, and soon after (2025-11-25, sending messages, 6).
func TestHTTPPollingStream(t *testing.T) {
	const pause = 300 * time.Millisecond
	var ended atomic.Int64 // when, in nanoseconds
	came := make(chan time.Duration, 1)
	l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		switch {
		case strings.Contains(raw, "tools/call"):
			stream(w)(fmt.Sprintf("id: e1\nretry: %d\ndata: \n\n", pause.Milliseconds()))
			ended.Store(time.Now().UnixNano())
		case r.Method == http.MethodGet && r.Header.Get("Last-Event-Id") == "e1":
			came <- time.Duration(time.Now().UnixNano() - ended.Load())
			stream(w)("id: e2\n" + data(`{"jsonrpc":"2.0","id":1,"result":{}}`))
		default:
			return false
		}
		return true
	}))
	l.send(initialize)
	seq := l.send(call1)
	if f := l.answer(1); f.Via != "GET 3" {
		t.Errorf("via %q", f.Via)
	}
	if d := <-came; d < pause || d > pause+200*time.Millisecond {
		t.Errorf("came again after %v, asked for %v", d, pause)
	}
	e := l.event(wire.EventReconnecting)
	if e.Via != "POST 2" || e.Attempt != 1 || e.Millis != pause.Milliseconds() {
		t.Errorf("event %+v", e)
	}
	_ = l.Close(l.ctx)
	if l.log.lost(seq) != nil {
		t.Error("lost all the same")
	}
}

// Each event is a reason to go on: only attempts in a row are bounded.
func TestHTTPClosesAfterEachEvent(t *testing.T) {
	const events = 12
	l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		n := 0
		if _, err := fmt.Sscanf(r.Header.Get("Last-Event-Id"), "e%d", &n); err == nil {
			n++
		} else if !strings.Contains(raw, "tools/call") {
			return false
		}
		text := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`
		if n == events {
			text = `{"jsonrpc":"2.0","id":1,"result":{}}`
		}
		stream(w)(fmt.Sprintf("id: e%d\nretry: 1\ndata: %s\n\n", n, text))
		return true
	}))
	l.send(initialize)
	l.send(call1)
	l.answer(1)
	if n := l.events(wire.EventReconnecting); n != events {
		t.Errorf("%d reconnects", n)
	}
}

// A stream that can be resumed and never brings anything is given up.
func TestHTTPGivesUpResuming(t *testing.T) {
	for _, c := range []struct {
		name       string
		reconnects int // as the option says
		attempts   int // that are made
		status     int
		words      string
	}{
		{"ends again and again", 3, 3, 0, "times in a row"},
		{"fails for the moment", 2, 2, http.StatusServiceUnavailable, "503"},
		{"is refused", 3, 1, http.StatusMethodNotAllowed, "405"},
		{"is not wanted", -1, 0, 0, "switched off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := dialHTTP(t, wire.HTTPOptions{Reconnects: c.reconnects, URL: serveHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
				switch {
				case strings.Contains(raw, "tools/call"):
					stream(w)("id: e1\nretry: 1\ndata: \n\n")
				case r.Method == http.MethodGet && c.status != 0:
					w.WriteHeader(c.status)
				case r.Method == http.MethodGet:
					stream(w)
				default:
					return false
				}
				return true
			}))})
			l.send(initialize)
			err := l.loss(l.send(call1))
			var broken *wire.StreamError
			if !errors.As(err, &broken) || broken.Err == nil || !strings.Contains(broken.Err.Error(), c.words) {
				t.Errorf("error %v (%v)", err, broken.Err)
			}
			if n := l.events(wire.EventReconnecting); n != c.attempts {
				t.Errorf("%d attempts", n)
			}
		})
	}
}

// A stream without ids that breaks takes the answer with it: the request may have been
// carried out and is not sent again.
func TestHTTPStreamDies(t *testing.T) {
	var calls atomic.Int32
	l := connectHTTP(t, simple(func(w http.ResponseWriter, _ *http.Request, raw string) bool {
		if !strings.Contains(raw, "tools/call") {
			return false
		}
		calls.Add(1)
		stream(w)(data(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`))
		panic(http.ErrAbortHandler)
	}))
	l.send(initialize)
	err := l.loss(l.send(call1))
	var broken *wire.StreamError
	if !errors.As(err, &broken) || broken.Word() != "lost" || broken.Via != "POST 2" {
		t.Errorf("error %#v", err)
	}
	_ = l.Close(l.ctx)
	if calls.Load() != 1 {
		t.Errorf("%d calls", calls.Load())
	}
}

// The GET stream is opened again when it ends, with and without ids of events.
func TestHTTPGetStreamReopens(t *testing.T) {
	for _, id := range []string{"", "g7"} {
		var gets atomic.Int32
		second := make(chan string, 1)
		l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, _ string) bool {
			if r.Method != http.MethodGet {
				return false
			}
			send := stream(w)
			if gets.Add(1) == 1 {
				if id != "" {
					send("id: " + id + "\n")
				}
				send(data(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`))
				return true
			}
			second <- r.Header.Get("Last-Event-Id")
			<-r.Context().Done()
			return true
		}))
		l.shake()
		if got := <-second; got != id {
			t.Errorf("Last-Event-ID %q, want %q", got, id)
		}
		if e := l.event(wire.EventReconnecting); e.Via != "GET 3" || e.Attempt != 1 {
			t.Errorf("event %+v", e)
		}
	}
}

// A cancelled request need not be answered: its stream may end without a word.
func TestHTTPCancelledRequest(t *testing.T) {
	gone := make(chan struct{})
	l := connectHTTP(t, simple(func(w http.ResponseWriter, _ *http.Request, raw string) bool {
		switch {
		case strings.Contains(raw, "tools/call"):
			stream(w)
			<-gone
		case strings.Contains(raw, "cancelled"):
			w.WriteHeader(http.StatusAccepted)
			close(gone)
		default:
			return false
		}
		return true
	}))
	l.send(initialize)
	seq := l.send(call1)
	l.wait("the stream", func(f *wire.Frame) bool { return f.Dir == wire.In && f.Via == "POST 2" })
	l.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	l.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	l.answer(2)
	_ = l.Close(l.ctx)
	if err := l.log.lost(seq); err != nil {
		t.Errorf("lost: %v", err)
	}
}

// Two answers on one stream are both shown; the stream is read to its end.
func TestHTTPTwoAnswers(t *testing.T) {
	l := connectHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		send := stream(w)
		for i := range 2 {
			send(data(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"n":%d}}`, i)))
		}
	})
	l.send(call1)
	l.wait("the second answer", func(f *wire.Frame) bool { return strings.Contains(string(f.Raw), `{"n":1}}`) && f.Kind == wire.Message })
}

// A hundred thousand notifications on one stream: none is lost.
func TestHTTPManyNotifications(t *testing.T) {
	const n = 100_000
	url := serveHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range n {
			_, _ = fmt.Fprintf(w, "id: %d\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":%d}}\n\n", i, i)
		}
		_, _ = fmt.Fprint(w, data(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	})
	sink := &tally{answered: make(chan struct{}, 1)}
	c, err := wire.DialHTTP(t.Context(), wire.HTTPOptions{URL: url}, sink)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Send([]byte(call1), wire.ByAuto, 0); err != nil {
		t.Fatal(err)
	}
	<-sink.answered
	_ = c.Close(t.Context())
	if sink.messages != n+1 {
		t.Errorf("%d messages", sink.messages)
	}
}
