package wire_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/client/wire"
)

// oldServer speaks HTTP+SSE of 2024-11-05 at /sse; what is posted goes to /messages.
// endpoint is the data of its endpoint event. When hangUp is closed its streams end.
func oldServer(endpoint string, hangUp chan struct{}) http.HandlerFunc {
	say := make(chan string, 16)
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/sse" && r.Method == http.MethodGet:
			send := stream(w)
			send("event: endpoint\ndata: " + endpoint + "\n\n")
			for {
				select {
				case text := <-say:
					send("event: message\n" + data(text))
				case <-r.Context().Done():
					return
				case <-hangUp:
					return
				}
			}
		case r.URL.Path == "/messages" && r.Method == http.MethodPost:
			raw := body(r)
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, "Accepted")
			h := wire.Scan([]byte(raw))
			if h.Method == "initialize" {
				say <- respond(raw, `{"protocolVersion":"2024-11-05"}`)
			} else if h.Form == wire.Request {
				say <- respond(raw, `{}`)
			}
		default:
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}
}

const secretEndpoint = "/messages?session_id=0123456789abcdef0123456789"

func TestHTTPOldTransport(t *testing.T) {
	l := dialHTTP(t, wire.HTTPOptions{URL: serveHTTP(t, oldServer(secretEndpoint, nil)) + "/sse", Mode: wire.ModeSSE})
	if l.Transport() != wire.TransportSSE {
		t.Errorf("transport %q", l.Transport())
	}
	l.send(initialize)
	l.answer(0)
	l.send(initialized)
	l.send(call1)
	if f := l.answer(1); f.Via != "GET 1" {
		t.Errorf("via %q", f.Via)
	}
	_ = l.Close(l.ctx)
	if text := l.log.Log.String(); strings.Contains(text, "0123456789abcdef0123456789") {
		t.Errorf("the session id stands in the frames:\n%s", text)
	}
	if l.events(wire.EventLost) != 0 || l.Err() != nil {
		t.Errorf("Err %v, frames:\n%s", l.Err(), &l.log.Log)
	}
	for _, f := range l.log.Frames() {
		if string(f.Raw) == "Accepted" && f.Kind != wire.HTTP {
			t.Errorf("the acknowledgement's text is %v", f.Kind)
		}
	}
}

func TestHTTPFindsOldTransport(t *testing.T) {
	l := dialHTTP(t, wire.HTTPOptions{URL: serveHTTP(t, oldServer(secretEndpoint, nil)) + "/sse"})
	l.send(initialize)
	l.answer(0)
	l.send(initialized)
	l.send(call1)
	l.answer(1)
	if l.Transport() != wire.TransportSSE {
		t.Errorf("transport %q", l.Transport())
	}
	e := l.event(wire.EventSwitched)
	if e.Transport != wire.TransportSSE || !strings.Contains(e.URL, "/messages?session_id=") || strings.Contains(e.URL, "0123456789abc") ||
		!strings.Contains(e.Text, "deprecated") {
		t.Errorf("event %+v", e)
	}
	want := []string{
		"connected", "> message POST 1", "> http POST 1", "< http POST 1", "> http GET 2", "< http GET 2", "< http GET 2",
		"switched", "> http POST 3",
	}
	if got := shape(l.log.Frames()); !slices.Equal(got[:len(want)], want) {
		t.Errorf("frames %q", got)
	}
}

// What is no server of the old transport is told with the first refusal.
func TestHTTPNoFallBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		mode   wire.Mode
		gets   bool // a stream is asked for
		lost   bool
	}{
		{"wrong path", 404, "", wire.ModeAuto, true, true},
		{"not allowed", 405, "no", wire.ModeAuto, true, true},
		{"authorization", 401, "", wire.ModeAuto, false, true},
		{"forbidden", 403, "", wire.ModeAuto, false, true},
		{"error of the server", 500, "", wire.ModeAuto, false, true},
		{"only streamable", 404, "", wire.ModeStreamable, false, true},
		{"modern error", 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"no"}}`, wire.ModeAuto, false, true},
		{"answered", 400, `{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"no"}}`, wire.ModeAuto, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var book guestbook
			l := dialHTTP(t, wire.HTTPOptions{Mode: c.mode, URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
				book.note(r, body(r))
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})})
			seq := l.send(initialize)
			if c.lost {
				err := l.loss(seq)
				var refused *wire.HTTPError
				if !errors.As(err, &refused) || refused.Status != c.status || refused.Method != http.MethodPost {
					t.Errorf("error %v", err)
				}
			} else {
				l.answer(0)
			}
			_ = l.Close(l.ctx)
			if got := len(book.find(http.MethodGet, "")) > 0; got != c.gets {
				t.Errorf("asked for a stream: %t", got)
			}
		})
	}
}

func TestHTTPOldTransportRefused(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"other origin": oldServer("http://203.0.113.1:1/messages", nil),
		"no endpoint":  func(w http.ResponseWriter, _ *http.Request) { stream(w)(data(`{}`)) },
	} {
		l, err := tryDialHTTP(t, wire.HTTPOptions{URL: serveHTTP(t, h) + "/sse", Mode: wire.ModeSSE})
		var endpoint *wire.EndpointError
		if !errors.As(err, &endpoint) {
			t.Errorf("%s: error %v", name, err)
		}
		frames := l.log.Frames()
		if first, last := frames[0], frames[len(frames)-1]; !isEvent(&first, wire.EventConnected) || !isEvent(&last, wire.EventDisconnected) {
			t.Errorf("%s: frames\n%s", name, &l.log.Log)
		}
	}
}

// When the stream ends, the connection has, and with it what was asked.
func TestHTTPOldTransportEnds(t *testing.T) {
	hangUp := make(chan struct{})
	old := oldServer(secretEndpoint, hangUp)
	l := dialHTTP(t, wire.HTTPOptions{Mode: wire.ModeSSE, URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted) // and no answer
			return
		}
		old(w, r)
	}) + "/sse"})
	seq := l.send(call1)
	l.wait("the acknowledgement", func(f *wire.Frame) bool { return f.Dir == wire.In && f.Via == "POST 2" })
	close(hangUp)
	if err := l.loss(seq); err == nil {
		t.Error("not lost")
	}
	<-l.Done()
	if l.Err() == nil {
		t.Error("no reason")
	}
	frames := l.log.Frames()
	if last := frames[len(frames)-1]; !isEvent(&last, wire.EventDisconnected) {
		t.Errorf("the last frame is %s", last.Raw)
	}
	if _, err := l.Send([]byte(call1), wire.ByAuto, 0); fmt.Sprint(err) != fmt.Sprint(l.Err()) {
		t.Errorf("sending after the end: %v", err)
	}
}
