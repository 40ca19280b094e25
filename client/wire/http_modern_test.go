package wire_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/client/wire"
)

// modern spells a request of 2026-07-28.
func modern(id, method, params string) string {
	if params != "" {
		params += ","
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
}

func TestHTTPModernHeaders(t *testing.T) {
	var book guestbook
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		raw := body(r)
		book.note(r, raw)
		w.Header().Set("Mcp-Session-Id", "ignored-0123456789")
		writeJSON(w, respond(raw, `{}`))
	})
	l.Agree(wire.Agreement{Version: "2026-07-28", Modern: true, Fields: func(h *wire.Head, raw []byte) []wire.Field {
		if h.Name != "région" {
			return nil
		}
		return []wire.Field{{Name: "Mcp-Param-Region", Value: "eu"}}
	}})
	for i, c := range []struct{ method, params, name, region string }{
		{"server/discover", "", "", ""},
		{"tools/list", "", "", ""},
		{"tools/call", `"name":"région"`, wire.EncodeField("région"), "eu"},
		{"prompts/get", `"name":"p"`, "p", ""},
		{"resources/read", `"uri":"file:///a"`, "file:///a", ""},
		{"tasks/get", `"taskId":"t1"`, "t1", ""},
		{"completion/complete", `"ref":{"type":"ref/prompt","name":"p"}`, "", ""},
	} {
		id := int64(i + 1)
		l.send(modern(string(rune('0'+id)), c.method, c.params))
		l.answer(id)
		visits := book.find(http.MethodPost, c.method)
		h := visits[0].header
		if h.Get("MCP-Protocol-Version") != "2026-07-28" || h.Get("Mcp-Method") != c.method || h.Get("Mcp-Name") != c.name ||
			h.Get("Mcp-Param-Region") != c.region || h.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %v", c.method, h)
		}
	}
	l.send(`{"jsonrpc":"2.0","method":"notifications/x"}`)
	if v := book.find(http.MethodPost, "notifications/x"); v[0].header.Get("Mcp-Method") != "notifications/x" ||
		v[0].header.Get("Mcp-Protocol-Version") != "2026-07-28" {
		t.Errorf("notification: %v", v[0].header)
	}
	_ = l.Close(l.ctx)
	if len(book.find(http.MethodGet, "")) != 0 || len(book.find(http.MethodDelete, "")) != 0 {
		t.Error("there is a GET or a DELETE")
	}
}

// The body's own version counts, whatever was agreed on.
func TestHTTPModernVersionIsTheBodys(t *testing.T) {
	var book guestbook
	l := connectHTTP(t, simple(func(_ http.ResponseWriter, r *http.Request, raw string) bool {
		book.note(r, raw)
		return false
	}))
	l.send(strings.Replace(modern("1", "ping", ""), "2026-07-28", "1900-01-01", 1))
	l.answer(1)
	if h := book.find(http.MethodPost, "ping")[0].header; h.Get("Mcp-Protocol-Version") != "1900-01-01" {
		t.Errorf("%v", h)
	}
}

func TestHTTPAbandon(t *testing.T) {
	closed := make(chan struct{})
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		_ = body(r)
		stream(w)(": keep-alive\n\n")
		<-r.Context().Done()
		close(closed)
	})
	seq := l.send(modern("1", "tools/call", `"name":"x"`))
	l.wait("the stream", func(f *wire.Frame) bool { return f.Dir == wire.In })
	if !l.Abandon(seq, "took too long") {
		t.Error("it is not open")
	}
	<-closed
	if e := l.event(wire.EventAbandoned); e.Seq != seq || e.Text != "took too long" {
		t.Errorf("event %+v", e)
	}
	if l.Abandon(seq, "again") {
		t.Error("it is open still")
	}
	_ = l.Close(l.ctx)
	if l.events(wire.EventLost) != 0 {
		t.Errorf("lost:\n%s", &l.log.Log)
	}
}

// Nothing is resumed: a stream that broke is a request lost, even if it had ids.
func TestHTTPModernStreamBreaks(t *testing.T) {
	var book guestbook
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		book.note(r, body(r))
		stream(w)("id: 1\nretry: 1\n" + data(`{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`))
	})
	err := l.loss(l.send(modern("1", "tools/call", `"name":"x"`)))
	var broken *wire.StreamError
	if !errors.As(err, &broken) || broken.Method != "tools/call" {
		t.Errorf("error %#v", err)
	}
	_ = l.Close(l.ctx)
	if n := len(book.find(http.MethodGet, "")); n != 0 {
		t.Errorf("%d GETs", n)
	}
}

// An unknown method of a modern server is a 404 with an answer in it; a bare 404 is not.
func TestHTTPModernNotFound(t *testing.T) {
	l := connectHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		if raw := body(r); strings.Contains(raw, `"id":1`) {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}`)
		}
	})
	l.send(modern("1", "x/y", ""))
	if f := l.answer(1); f.Head.Code != -32601 {
		t.Errorf("answer %s", f.Raw)
	}
	err := l.loss(l.send(modern("2", "x/y", "")))
	var refused *wire.HTTPError
	if !errors.As(err, &refused) || refused.Word() != "unreachable" {
		t.Errorf("error %v", err)
	}
}
