package cli_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
	"time"
)

var statusFaults = faultGroup{"The server refuses", []fault{
	{name: "400 without a body", serve: always(400, "", ""), code: 4},
	{name: "400 with a JSON-RPC error", serve: calls(func(v *visit) { v.fail(400, -32600, "bad request") }), code: 5},
	{name: "400 in the middle of a session that the server forgot", serve: calls(func(v *visit) { v.answer(400, "text/plain", "Bad Request: No valid session ID provided") }), code: 4},
	{name: "401", serve: always(401, "text/plain", "who are you?", "WWW-Authenticate", `Bearer realm="mcp"`), code: 3},
	{name: "403", serve: always(403, "application/json", `{"error":"insufficient_scope"}`), code: 3},
	{name: "403, the host is not allowed", serve: always(403, "text/plain", "Invalid Origin header"), code: 3},
	{name: "404 without a body: the wrong path", serve: always(404, "", ""), code: 4},
	{name: "404 with a page", serve: always(404, "text/html", "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>"), code: 4},
	{name: "405", serve: always(405, "text/plain", "", "Allow", "GET"), code: 4},
	{name: "406", serve: always(406, "text/plain", "Not Acceptable: Client must accept text/event-stream"), code: 4},
	{name: "401 in the middle of a session: the token has expired", serve: inSessions(calls(func(v *visit) {
		v.answer(401, "application/json", `{"error":"invalid_token","error_description":"The access token expired"}`, "WWW-Authenticate", `Bearer error="invalid_token"`)
	})), code: 3},
	{name: "408", serve: calls(func(v *visit) { v.answer(408, "", "") }), code: 4},
	{name: "413", serve: calls(func(v *visit) { v.answer(413, "text/plain", "request entity too large") }), code: 4},
	{name: "415", serve: always(415, "text/plain", "Unsupported Media Type"), code: 4},
	{name: "429 with Retry-After", serve: always(429, "text/plain", "slow down", "Retry-After", "90"), code: 4},
	{name: "429 without Retry-After", serve: always(429, "text/plain", "slow down"), code: 4},
	{name: "431", serve: always(431, "", ""), code: 4},
	{name: "500 with a page", serve: always(500, "text/html", "<!doctype html><html><head><title>Application error</title></head><body><pre>at Object.&lt;anonymous&gt; (/srv/index.js:1:7)</pre></body></html>"), code: 4},
	{name: "500 to a tool call, with a JSON-RPC error", serve: calls(func(v *visit) { v.fail(500, -32603, "the database is gone") }), code: 5},
	{name: "502 from a proxy", serve: always(502, "text/html", "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"), code: 4},
	{name: "503 with Retry-After as a date", serve: always(503, "", "", "Date", "Fri, 20 Nov 2026 15:00:00 GMT", "Retry-After", "Fri, 20 Nov 2026 16:30:00 GMT"), code: 4},
	{name: "503 with Retry-After", serve: always(503, "", "", "Retry-After", "5"), code: 4},
	{name: "504 to a tool call", serve: calls(func(v *visit) { v.answer(504, "text/html", "<html><title>504 Gateway Time-out</title></html>") }), code: 4},
	{name: "a status that nobody knows", serve: always(799, "", ""), code: 4},
	{name: "`notifications/initialized` is refused", serve: does("notifications/initialized", func(v *visit) { v.answer(400, "text/plain", "no notifications please") })},
	{name: "a notification is answered with a body", serve: does("notifications/initialized", func(v *visit) { v.message(`{"ok":true}`) })},
	{name: "DELETE is refused", serve: inSessions(does("DELETE", func(v *visit) { v.answer(405, "text/plain", "no") })), after: func(r *tried) {
		if len(r.peer.got("DELETE")) == 0 {
			r.Error("no DELETE came")
		}
	}},
	{name: "DELETE fails", serve: inSessions(does("DELETE", func(v *visit) { v.answer(500, "text/plain", "no") }))},
	{name: "DELETE is not answered", serve: inSessions(does("DELETE", func(v *visit) { v.hang() }))},
}}

// inGzip compresses text.
func inGzip(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

var answerFaults = faultGroup{"The answer is none", []fault{
	{name: "200 with a page", serve: always(200, "text/html; charset=utf-8", "<!doctype html><html><head><title>Welcome</title></head></html>"), code: 4},
	{name: "200 without a body", serve: always(200, "", ""), code: 4},
	{name: "200 with a body of white space", serve: calls(func(v *visit) { v.message(" \n") }), code: 4},
	{name: "202 to a request", serve: calls(func(v *visit) { v.WriteHeader(http.StatusAccepted) }), code: 4},
	{name: "204 to a request", serve: calls(func(v *visit) { v.WriteHeader(http.StatusNoContent) }), code: 4},
	{name: "200 with text", serve: always(200, "text/plain", "MCP server is running"), code: 4},
	{name: "200 with an image", serve: calls(func(v *visit) { v.answer(200, "image/png", "\x89PNG\r\n\x1a\n\x00\x00") }), code: 4},
	{name: "JSON that is no JSON-RPC", serve: always(200, "application/json", `{"status":"ok"}`), code: 4},
	{name: "JSON that is broken", serve: calls(func(v *visit) { v.message(`{"jsonrpc":"2.0","id":` + string(v.msg.ID) + `,"result":{]`) }), code: 4},
	{name: "an answer with another id", serve: calls(func(v *visit) { v.message(`{"jsonrpc":"2.0","id":4711,"result":{` + done + `}}`) }), code: 4},
	{name: "an answer whose id is the same number as a string", serve: calls(func(v *visit) {
		v.message(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","result":{%s}}`, v.msg.ID, done))
	}), code: 4},
	{name: "an answer without an id", serve: calls(func(v *visit) { v.message(`{"jsonrpc":"2.0","result":{` + done + `}}`) }), code: 4},
	{name: "an answer without `result` and `error`", serve: calls(func(v *visit) { v.message(`{"jsonrpc":"2.0","id":` + string(v.msg.ID) + `}`) }), code: 5},
	{name: "the request, sent back", serve: calls(func(v *visit) {
		v.message(`{"jsonrpc":"2.0","id":` + string(v.msg.ID) + `,"method":"tools/call","params":{"name":"add"}}`)
	}), code: 4},
	{name: "no Content-Type", serve: calls(func(v *visit) {
		v.Header()["Content-Type"] = nil
		v.answer(200, "", v.called())
	})},
	{name: "a Content-Type with odd parameters", serve: calls(func(v *visit) { v.answer(200, "Application/JSON;;charset=\"utf-8;; q", v.called()) })},
	{name: "JSON that says it is text", serve: calls(func(v *visit) { v.answer(200, "text/plain; charset=utf-8", v.called()) })},
	{name: "an event stream that says it is JSON", serve: calls(func(v *visit) { v.message(event(v.called())) }), code: 4},
	{name: "JSON that says it is an event stream", serve: calls(func(v *visit) { v.stream(v.called()) }), code: 4},
	{name: "JSON with a byte order mark", serve: calls(func(v *visit) { v.message("\ufeff" + v.called()) }), code: 4},
	{name: "JSON over many lines, with white space around it", serve: calls(func(v *visit) { v.message("\r\n\r\n" + strings.Replace(v.called(), ",", ",\n\t", 2) + "\n\n") })},
	{name: "an array with the answer in it", serve: calls(func(v *visit) { v.message("[" + v.called() + "]") })},
	{name: "an answer of 20 MB", serve: calls(func(v *visit) { v.message(message20MB(v)) }), heavy: true},
	{name: "text that is no UTF-8", serve: calls(func(v *visit) {
		v.message(v.resultOf("{\"content\":[{\"type\":\"text\",\"text\":\"done \xff\xfe\"}]}"))
	})},
	{name: "a million brackets", serve: calls(func(v *visit) { v.message(strings.Repeat("[", 1_000_000)) }), code: 4},
	{name: "gzip", serve: calls(func(v *visit) {
		v.keep(v.called())
		v.Header().Set("Content-Encoding", "gzip")
		v.Header().Set("Content-Type", "application/json")
		_, _ = v.Write([]byte(inGzip(v.called())))
	})},
	{name: "gzip that is none", serve: calls(func(v *visit) {
		v.Header().Set("Content-Encoding", "gzip")
		v.Header().Set("Content-Type", "application/json")
		_, _ = v.Write([]byte(v.called()))
	}), code: 4},
	{name: "gzip that is cut", serve: calls(func(v *visit) {
		packed := inGzip(v.called())
		v.Header().Set("Content-Encoding", "gzip")
		v.Header().Set("Content-Type", "application/json")
		_, _ = v.Write([]byte(packed[:len(packed)/2]))
	}), code: 4},
	{name: "a compression that nobody asked for", serve: calls(func(v *visit) { v.answer(200, "application/json", "\x1b\x03\x00abc", "Content-Encoding", "br") }), code: 4},
	{name: "the body is shorter than its Content-Length", serve: calls(func(v *visit) {
		body := v.called()[:20]
		v.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"+body, body)
	}), code: 4},
	{name: "the body is longer than its Content-Length", serve: calls(func(v *visit) {
		body := v.called()
		v.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n"+body, body[:20])
	}), code: 4},
	{name: "a Content-Length that is no number", serve: calls(func(v *visit) {
		v.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: many\r\n\r\n"+v.called(), "")
	}), code: 4},
	{name: "a chunked body that is cut", serve: calls(func(v *visit) {
		body := v.called()[:20]
		v.raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body), body)
	}), code: 4},
	{name: "a chunk whose length is no number", serve: calls(func(v *visit) {
		v.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nlong\r\n", "")
	}), code: 4},
	{name: "the connection is reset after the head", serve: calls(func(v *visit) {
		v.answer(200, "application/json", "")
		conn := v.wire()
		reset(conn)
	}), code: 4},
	{name: "HTTP/1.0 without a length", serve: calls(func(v *visit) {
		v.raw("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n"+v.called(), v.called())
	})},
	{name: "the answer comes after the time that is waited", serve: calls(func(v *visit) {
		v.pause(3 * time.Second)
		v.result("{" + done + "}")
	}), flags: "--timeout 1s", code: 4, endless: true},
}}
