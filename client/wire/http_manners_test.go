package wire_test

import (
	"compress/gzip"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley/client/wire"
)

// Each hop of a redirect is an HTTP request with a via of its own; the message keeps
// the first.
func TestHTTPRedirect(t *testing.T) {
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		raw := body(r)
		if r.URL.Path != "/mcp" {
			http.Redirect(w, r, "/mcp", http.StatusPermanentRedirect)
			return
		}
		writeJSON(w, respond(raw, `{}`))
	})
	l.send(call1)
	if f := l.answer(1); f.Via != "POST 2" {
		t.Errorf("via %q", f.Via)
	}
	_ = l.Close(l.ctx)
	l.wantShape("connected", "> message POST 1", "> http POST 1", "< http POST 1", "> http POST 2", "< http POST 2", "< message POST 2", "closed")
}

// Who is refused where a redirect led is told that credentials stayed behind.
func TestHTTPRefusedBehindARedirect(t *testing.T) {
	elsewhere := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	l := dialHTTP(t, wire.HTTPOptions{
		Header: http.Header{"Authorization": {"Bearer secret-0123456789"}},
		URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere, http.StatusPermanentRedirect)
		}),
	})
	seq := l.send(call1)
	var refused *wire.HTTPError
	if err := l.loss(seq); !errors.As(err, &refused) || !strings.Contains(refused.Hint(), "connect to "+elsewhere+" itself") {
		t.Errorf("%v", err)
	}
}

// A session that began at another origin, where a redirect leads, is one of that origin:
// its id goes there, and nothing else that is secret does.
func TestHTTPSessionBehindARedirect(t *testing.T) {
	var book guestbook
	elsewhere := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		raw := body(r)
		book.note(r, raw)
		switch {
		case strings.Contains(raw, `"initialize"`):
			w.Header().Set("Mcp-Session-Id", "session-0123456789")
			writeJSON(w, respond(raw, `{"protocolVersion":"2025-11-25"}`))
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			writeJSON(w, respond(raw, `{}`))
		}
	})
	l := dialHTTP(t, wire.HTTPOptions{
		Header: http.Header{"Authorization": {"Bearer secret-0123456789"}},
		URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
		}),
	})
	l.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	l.answer(0)
	l.send(call1)
	l.answer(1)
	_ = l.Close(l.ctx)
	if h := book.find(http.MethodPost, "tools/call")[0].header; h.Get("Mcp-Session-Id") != "session-0123456789" || h.Get("Authorization") != "" {
		t.Errorf("header of the call %v", h)
	}
	if all := book.find(http.MethodDelete, ""); len(all) != 1 || all[0].header.Get("Mcp-Session-Id") != "session-0123456789" {
		t.Errorf("the session was not ended: %v", all)
	}
}

// What the user gives goes with every request and wins over what is ours; to another
// origin it does not go.
func TestHTTPOwnHeader(t *testing.T) {
	var book, other guestbook
	elsewhere := serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		raw := body(r)
		other.note(r, raw)
		writeJSON(w, respond(raw, `{}`))
	})
	l := dialHTTP(t, wire.HTTPOptions{
		Header: http.Header{"Authorization": {"Bearer secret-0123456789"}, "Accept": {"application/json"}, "X-Extra": {"a", "b"}},
		URL: serveHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			raw := body(r)
			book.note(r, raw)
			if strings.Contains(raw, "ping") {
				http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
				return
			}
			writeJSON(w, respond(raw, `{}`))
		}),
	})
	l.send(call1)
	l.answer(1)
	h := book.find(http.MethodPost, "tools/call")[0].header
	if h.Get("Authorization") != "Bearer secret-0123456789" || h.Get("Accept") != "application/json" || len(h.Values("X-Extra")) != 2 {
		t.Errorf("header %v", h)
	}
	l.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	l.answer(2)
	if h := other.find(http.MethodPost, "ping")[0].header; h.Get("Authorization") != "" || h.Get("X-Extra") != "" {
		t.Errorf("to another origin went %v", h)
	}
	if text := l.log.Log.String(); strings.Contains(text, "secret-0123456789") || !strings.Contains(text, "Authorization: Bearer ") {
		t.Errorf("frames:\n%s", text)
	}
}

func TestHTTPGzip(t *testing.T) {
	const answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			t.Errorf("Accept-Encoding %q", r.Header.Get("Accept-Encoding"))
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(answer))
		_ = z.Close()
	})
	l.send(call1)
	if f := l.answer(1); string(f.Raw) != answer {
		t.Errorf("answer %q", f.Raw)
	}
}

func TestHTTP2(t *testing.T) {
	srv := httptest.NewUnstartedServer(simple(func(w http.ResponseWriter, r *http.Request, raw string) bool {
		if r.ProtoMajor != 2 {
			t.Errorf("%s", r.Proto)
		}
		if !strings.Contains(raw, "tools/call") {
			return false
		}
		stream(w)(data(respond(raw, `{}`)))
		return true
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	defer srv.Close()
	client, err := wire.NewHTTPClient(wire.NetOptions{Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	l := dialHTTP(t, wire.HTTPOptions{URL: srv.URL, Client: client})
	l.shake()
	l.send(call1)
	l.answer(1)
	_ = l.Close(l.ctx)
	if text := l.log.Log.String(); !strings.Contains(text, "POST / HTTP/2.0\r\n") || !strings.Contains(text, "HTTP/2.0 200 OK") {
		t.Errorf("frames:\n%s", text)
	}
	if l.events(wire.EventLost) != 0 {
		t.Errorf("lost:\n%s", &l.log.Log)
	}
}

// Ending the session may fail, and may not take long.
func TestHTTPDeleteSession(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"refused": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) },
		"silent":  func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		l := connectHTTP(t, simple(func(w http.ResponseWriter, r *http.Request, _ string) bool {
			if r.Method == http.MethodDelete {
				h(w, r)
				return true
			}
			return false
		}))
		l.shake()
		start := time.Now()
		if err := l.Close(l.ctx); err != nil || l.Err() != nil {
			t.Errorf("%s: %v, %v", name, err, l.Err())
		}
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%s: it took %v", name, d)
		}
		f := l.wait("the request", func(f *wire.Frame) bool { return strings.HasPrefix(f.Via, "DELETE") && f.Dir == wire.Out })
		if !strings.HasPrefix(string(f.Raw), "DELETE / HTTP/1.1\r\n") {
			t.Errorf("%s: %s", name, f.Raw)
		}
	}
}

func TestHTTPAddresses(t *testing.T) {
	for _, url := range []string{"", "ftp://x", "http://", "http://[::1", "localhost:80", "ws://x"} {
		_, err := tryDialHTTP(t, wire.HTTPOptions{URL: url})
		var address *wire.AddressError
		if !errors.As(err, &address) || address.Word() != "usage" {
			t.Errorf("%q: error %v", url, err)
		}
	}
}

// A head is shown before its body comes.
func TestHTTPHeadWithoutBody(t *testing.T) {
	release := make(chan struct{})
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		raw := body(r)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-release
		_, _ = w.Write([]byte(respond(raw, `{}`)))
	})
	l.send(call1)
	l.wait("the head", func(f *wire.Frame) bool { return f.Dir == wire.In && f.Kind == wire.HTTP })
	close(release)
	l.answer(1)
}

// A body with a message that is not the answer is shown, and the request is lost.
func TestHTTPAnotherAnswer(t *testing.T) {
	l := connectHTTP(t, func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, `{"jsonrpc":"2.0","id":"other","result":{}}`)
	})
	err := l.loss(l.send(call1))
	var broken *wire.StreamError
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), "no answer to tools/call") {
		t.Errorf("error %v", err)
	}
}
