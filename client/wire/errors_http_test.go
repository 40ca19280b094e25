package wire

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestAnswersThatAreNone(t *testing.T) {
	type fields = map[string]string
	const page = "<!DOCTYPE html>\n<html><head><style>p{}</style><TITLE>\n Sign in &amp; go </TITLE></head><body><script>var x = '<p>'</script><p>Hello</p></body></html>"
	html, json, text := fields{"Content-Type": "text/html; charset=utf-8"}, fields{"Content-Type": "application/json"}, fields{"Content-Type": "text/plain"}
	for _, c := range []struct {
		name       string
		status     int
		header     fields
		body       string
		want, hint string
		word       string
	}{
		{"wrong path", 404, nil, "", "URL does not exist (404 not found)", "/mcp, those of HTTP+SSE at /sse", "unreachable"},
		{"nothing is initialized", 400, text, "Bad Request: Server not initialized", "URL answered 400 bad request: ", "initialize first", "http"},
		{"wrong path, with words", 404, text, "404 page not found\n", "URL does not exist (404 not found): 404 page not found", "check the path", "unreachable"},
		{"no POST", 405, fields{"Allow": "GET"}, "", "URL does not take POST (405 method not allowed)", "it takes GET; check the path", "unreachable"},
		{"no POST, old server", 405, nil, "", "URL does not take POST (405 method not allowed)", "--transport sse speaks HTTP+SSE", "unreachable"},
		{"accept", 406, json, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Not Acceptable: Client must accept both"},"id":null}`, "URL cannot answer in a form that was asked for (406 not acceptable): Client must accept both", "unless -H replaces it", "http"},
		{"too large", 413, html, "<h1>413 Request Entity Too Large</h1><hr>nginx", "URL does not take a message of this size (413 request entity too large)", "raise it there", "http"},
		{"media type", 415, json, `{"detail":"Unsupported"}`, "URL does not take JSON (415 unsupported media type): Unsupported", "application/json", "http"},
		{"too many", 429, fields{"Retry-After": "90"}, "", "URL got too many requests (429 too many requests)", "the server asks to try again in 1m30s", "http"},
		{"too many, date", 429, fields{"Retry-After": "Fri, 20 Nov 2026 14:16:00 GMT", "Date": "Fri, 20 Nov 2026 14:15:30 GMT"}, "", "too many requests", "try again in 30s", "http"},
		{"too many, past", 429, fields{"Retry-After": "Fri, 20 Nov 2026 14:15:00 GMT", "Date": "Fri, 20 Nov 2026 14:15:30 GMT"}, "", "too many requests", "try again now", "http"},
		{"too many, silent", 429, nil, "slow down", "too many requests): slow down", "does not say when", "http"},
		{"too many, nonsense", 429, fields{"Retry-After": "soon"}, "", "too many requests", "does not say when", "http"},
		{"overloaded", 503, fields{"Retry-After": "7200"}, "", "URL answered 503 service unavailable", "try again in 2h", "http"},
		{"down", 503, nil, "", "URL answered 503 service unavailable", "down for a while", "http"},
		{"page of an error", 500, html, page, "URL answered 500 internal server error: Sign in & go", "its own log", "http"},
		{"page without a title", 500, html, "<p>Something <b>bad</b> happened<br>here", "URL answered 500 internal server error: Something bad happened here", "its own log", "http"},
		{"gateway", 502, html, "<title>502 Bad Gateway</title>", "URL answered 502 bad gateway", "the server behind it", "http"},
		{"a page", 200, html, page, "URL is a web page, not an MCP endpoint (200 ok): Sign in & go", "check the path", "http"},
		{"a page that says it is JSON", 200, json, page, "URL is a web page, not an MCP endpoint (200 ok)", "log in", "http"},
		{"text", 200, text, "hello", "URL answered with text/plain, neither JSON nor an event stream (200 ok): hello", "URL of an MCP server?", "http"},
		{"an image", 200, fields{"Content-Type": "image/png"}, "\x89PNG", "URL answered with image/png, neither JSON nor an event stream (200 ok)", "MCP server?", "http"},
		{"odd JSON", 200, json, `{"status":"ok"}`, `URL answered with JSON that is no JSON-RPC (200 ok): {"status":"ok"}`, "MCP server?", "http"},
		{"no answer", 202, nil, "", "URL took the message (202 accepted) but gave no answer", "--transport sse", "http"},
		{"no answer, 200", 200, json, "", "URL took the message (200 ok) but gave no answer", "in return", "http"},
		{"no token", 401, fields{"Www-Authenticate": `Bearer error="invalid_token"`}, `{"error":"invalid_token","error_description":"The token expired"}`, "URL wants authorization (401 unauthorized): invalid_token: The token expired", "-H 'Authorization: Bearer TOKEN'", "auth"},
		{"no right", 403, nil, "", "URL refuses access (403 forbidden)", "may not do this", "auth"},
		{"origin", 403, text, "Invalid Origin header", "URL refuses access (403 forbidden): Invalid Origin header", "DNS rebinding", "auth"},
		{"another host", 403, text, "Access is only allowed at localhost:7171", "URL refuses access (403 forbidden): Access is only allowed at localhost:7171", "DNS rebinding", "auth"},
		{"host", 421, text, "Invalid Host header", "URL answered 421 misdirected request: Invalid Host header", "DNS rebinding", "http"},
		{"a session is missing", 400, json, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`, "URL answered 400 bad request: No valid session ID provided", "initialize", "http"},
		{"a version", 400, text, "Bad Request: Unsupported protocol version", "URL answered 400 bad request", "--protocol VERSION", "http"},
		{"TLS", 400, html, "<html><title>400 The plain HTTP request was sent to HTTPS port</title>", "URL speaks TLS, not plain HTTP (400 bad request)", "use https://127.0.0.1:", "http"},
		{"TLS of Go", 400, nil, "Client sent an HTTP request to an HTTPS server.\n", "URL speaks TLS, not plain HTTP (400 bad request)", "use https://127.0.0.1:", "http"},
		{"a bad request", 400, nil, "", "URL answered 400 bad request", "does not say why", "http"},
		{"a websocket", 426, fields{"Upgrade": "websocket"}, "", "URL answered 426 upgrade required", "use ws://127.0.0.1:", "http"},
		{"proxy", 407, nil, "", "URL answered 407 proxy authentication required", "HTTPS_PROXY=", "http"},
		{"long head", 431, nil, "", "URL does not take a head of this size (431 request header fields too large)", "a token, a cookie", "http"},
		{"not modified", 304, nil, "", "URL answered 304 not modified", "does not take this POST", "http"},
		{"a status of its own", 499, nil, "", "URL answered 499", "does not take this POST", "http"},
		{"terminal codes", 500, text, "a\x1b[31mb\r\n\x07c\u202e\xff", "URL answered 500 internal server error: a [31mb c", "its own log", "http"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header()["Content-Type"] = nil
				for name, value := range c.header {
					w.Header()[name] = []string{value}
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer s.Close()
			resp, err := httpClient(t, NetOptions{}).Post(s.URL+"/mcp?token=hunter2", "application/json", strings.NewReader(ping))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			body, _ := io.ReadAll(resp.Body)
			e := newHTTPError(resp, body)
			want := strings.Replace(c.want, "URL", s.URL+"/mcp?token=…", 1)
			if !strings.Contains(e.Error(), want) || !strings.Contains(e.Hint(), c.hint) || e.Word() != c.word {
				t.Errorf("error %q\nhint  %q, word %s\nwant  %q\n      %q", e, e.Hint(), e.Word(), want, c.hint)
			}
			if e.Status != c.status || e.Method != http.MethodPost || string(e.Body) != string(body) || e.Session || strings.ContainsAny(e.Error(), "\r\n\x1b\u202e") {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestTheWordsOfABodyAreFew(t *testing.T) {
	for _, c := range []struct{ kind, body, want string }{
		{"text/plain", strings.Repeat("é ", 200), strings.TrimSpace(strings.Repeat("é ", 61)) + "…"},
		{"text/html", "<html><title></title><h1>Down</h1>", "Down"},
		{"text/html", "<titlex>a</titlex>b", "a b"},
		{"text/html", "<head><title>Error</title></head><body><pre>Cannot POST /sse</pre></body>", "Cannot POST /sse"},
		{"text/html", "<title>error</title>", "error"},
		{"text/html", "<title>never ends", "never ends"},
		{"text/html", "<!-- <title>x -->a<style>b</style><SCRIPT>c</SCRIPT>d<b", "a d"},
		{"text/html", "&lt;script&gt;", "<script>"},
		{"application/json", `{"error":{"message":"deep","code":1}}`, "deep"},
		{"application/json", `{"error":"a","message":"b"}`, "a: b"},
		{"application/json", `{"error":"b a","message":"a"}`, "b a: a"},
		{"application/json", `["x"]`, `["x"]`},
		{"application/json", `{"error":` + strings.Repeat(`{"error":`, 50) + `"x"` + strings.Repeat("}", 51), `{"error":` + strings.Repeat(`{"error":`, 12) + "{\"e…"},
		{"", "", ""},
		{"application/octet-stream", "a\x00b", ""},
	} {
		if got := bodyWords(c.kind, []byte(c.body)); got != c.want {
			t.Errorf("%s %.60q: %q, want %q", c.kind, c.body, got, c.want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"<html><title>a</title>", "<!--", "<script", "{\"error\":{}}", "&amp;", "<a <b>", "\x00", "</title>"} {
		f.Add("text/html", []byte(s))
		f.Add("application/json", []byte(s))
	}
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		if words := bodyWords(kind, body); strings.ContainsAny(words, "\r\n\x1b\x00") || len(words) > 8*maxWords {
			t.Errorf("%q", words)
		}
	})
}

func TestErrorsOfSessionsAndStreams(t *testing.T) {
	cut := errors.Join(io.ErrUnexpectedEOF)
	expired := &SessionError{HTTP: &HTTPError{Method: "POST", URL: "http://h/mcp", Status: 404, Session: true, Body: []byte("Session not found")}}
	for _, c := range []struct {
		err interface {
			error
			Hint() string
			Word() string
		}
		text, hint, word string
	}{
		{expired, "http://h/mcp does not know the session any more (404 not found): Session not found", "initialize begins a new one", "session"},
		{&StreamError{URL: "http://h/mcp", Via: "POST 7", Method: "tools/call", Err: cut}, "the stream of POST 7 from http://h/mcp broke before the answer to tools/call: the connection was closed", "not asked again by itself", "lost"},
		{&StreamError{URL: "http://h/mcp", Via: "POST 7", Method: "tools/call"}, "http://h/mcp ended the stream of POST 7 before the answer to tools/call", "may have done", "lost"},
		{&StreamError{URL: "http://h/mcp", Method: "initialize", Err: newNetError("http://h/mcp", io.EOF)}, "http://h/mcp closed the connection without an answer to initialize", "speak TLS do so too: https://h/mcp", "lost"},
		{&StreamError{URL: "http://h/mcp"}, "http://h/mcp ended the stream", "connect again", "lost"},
		{&EndpointError{URL: "http://h/sse"}, "http://h/sse ended its stream without saying where it wants messages", "--transport http", "unreachable"},
		{&EndpointError{URL: "http://h/sse", Err: cut}, "http://h/sse did not say where it wants messages: the connection was closed", "--transport http", "unreachable"},
	} {
		e := c.err
		if e.Error() != c.text || !strings.Contains(e.Hint(), c.hint) || e.Word() != c.word {
			t.Errorf("error %q\nhint  %q, word %s\nwant  %q\n      %q", e, e.Hint(), e.Word(), c.text, c.hint)
		}
	}
	if e := (*HTTPError)(nil); !errors.As(error(expired), &e) || e.Status != 404 {
		t.Error("the answer is not in the error")
	}
	req := &http.Request{Method: http.MethodPost, URL: mustURL("http://h/mcp"), Header: http.Header{"MCP-Session-Id": {"x"}}}
	if !newHTTPError(&http.Response{Request: req}, nil).Session {
		t.Error("the session id is not seen")
	}
	if d, ok := (&HTTPError{Header: http.Header{"Retry-After": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}}}).RetryAfter(); !ok || d < 59*time.Minute || d > time.Hour+time.Second {
		t.Errorf("wait %v, %v", d, ok)
	}
}

func TestEndpoints(t *testing.T) {
	const stream = "http://h:8080/a/sse?token=hunter2"
	for _, c := range []struct{ data, want, wrong, hint string }{
		{"/messages?sessionId=7", "http://h:8080/messages?sessionId=7", "", ""},
		{"messages", "http://h:8080/a/messages", "", ""},
		{"?sessionId=7", "http://h:8080/a/sse?sessionId=7", "", ""},
		{" http://H:8080/m \n", "http://H:8080/m", "", ""},
		{"//h:8080/m", "http://h:8080/m", "", ""},
		{"http://h/m", "", "asks for messages at http://h/m, which is another origin", "credentials would go there"},
		{"https://h:8080/m", "", "which is another origin", "credentials"},
		{"//evil.example/m?sessionId=hunter2", "", "asks for messages at //evil.example/m?sessionId=…, which is another origin", "credentials"},
		{"http://h:8080@evil.example/m", "", "which is another origin", "credentials"},
		{"javascript:alert(1)", "", "which is no address of the web", "must be a URL"},
		{"http://[::1", "", "which is no address of the web", "must be a URL"},
		{"", "", `asks for messages at "", which is no address`, "must be a URL"},
		{"\x1b[31m", "", "which is no address", "must be a URL"},
	} {
		got, err := endpointURL(stream, []byte(c.data))
		if c.wrong == "" {
			if got != c.want || err != nil {
				t.Errorf("%q: %q, %v, want %q", c.data, got, err, c.want)
			}
			continue
		}
		e := (*EndpointError)(nil)
		if !errors.As(err, &e) || !strings.Contains(e.Error(), c.wrong) || !strings.Contains(e.Hint(), c.hint) || strings.Contains(e.Error(), "hunter2") || strings.Contains(e.Error(), "\x1b") {
			t.Errorf("%q: %q, %v, want %q", c.data, got, err, c.wrong)
		}
	}
}
