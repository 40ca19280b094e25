package script_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/client"
	"parley/client/wire"
	"parley/script"
)

// rawAnswers are what the server of TestRawLinesOverHTTP answers, by what is in the body
// of a POST: the status, the type of the content and the content.
var rawAnswers = []struct {
	has    string
	status int
	kind   string
	body   string
}{
	{`"plain"`, 200, "application/json", ` {"jsonrpc":"2.0","id":"plain","result":{"n": 1.0}} `},
	{`"stream"`, 200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"stream\",\"result\":{}}\n\n"},
	{`"array"`, 200, "application/json", `[{"jsonrpc":"2.0","id":"array","result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]`},
	{`"several"`, 200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"several\",\"result\":{}}\n\n"},
	{`"refused"`, 400, "application/json", `{"jsonrpc":"2.0","id":"refused","error":{"code":-32602,"message":"no"}}`},
	{`"broken"`, 500, "text/html", "<html><title>Oh no</title></html>"},
	{`"page"`, 200, "text/html", "<html><title>Welcome</title></html>"},
	{`"silent"`, 200, "text/event-stream", ": nothing\n\n"},
	{`bad/notification`, 404, "text/plain", "no such thing\n"},
	{`odd/notification`, 200, "application/json", `{"jsonrpc":"2.0","id":null,"result":{}}`},
	{`notification`, 202, "", ""},
	{``, 400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
}

// A typed line is a POST, and what that gives its answer.
func TestRawLinesOverHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		for _, a := range rawAnswers {
			if strings.Contains(string(body), a.has) {
				if a.kind != "" {
					w.Header().Set("Content-Type", a.kind)
				}
				w.WriteHeader(a.status)
				_, _ = io.WriteString(w, a.body)
				return
			}
		}
	}))
	defer server.Close()
	h := &transportHost{t: t, bare: true, dial: func(sink wire.Sink, epoch int) (client.Conn, error) {
		c, err := wire.DialHTTP(t.Context(), wire.HTTPOptions{URL: server.URL, Mode: wire.ModeStreamable, Epoch: epoch, Reconnects: -1}, sink)
		if err != nil {
			return nil, err
		}
		return c, nil
	}}
	in := script.New(script.Options{Host: h})
	h.run(in, "set timeout 5s\nconnect\n")
	defer func() {
		_ = in.Close(t.Context())
		_ = h.log.Close()
	}()
	for _, c := range []struct{ line, want string }{
		{`{"jsonrpc":"2.0","id":"plain","method":"x"}`, ` {"jsonrpc":"2.0","id":"plain","result":{"n": 1.0}} `},
		{`{"jsonrpc":"2.0","id":"stream","method":"x"}`, `{"jsonrpc":"2.0","id":"stream","result":{}}`},
		{`[{"jsonrpc":"2.0","id":"array","method":"x"},{"jsonrpc":"2.0","id":2,"method":"x"}]`, rawAnswers[2].body},
		{`[{"jsonrpc":"2.0","id":"several","method":"x"},{"jsonrpc":"2.0","id":3,"method":"x"}]`, `{"jsonrpc":"2.0","id":"several","result":{}}`},
		{`{"jsonrpc":"2.0","id":"refused","method":"x"}`, rawAnswers[4].body},
		{`{"jsonrpc":"2.0","id":"broken","method":"x"}`, "URL answered 500 internal server error: Oh no"},
		{`{"jsonrpc":"2.0","id":"page","method":"x"}`, "URL is a web page, not an MCP endpoint (200 ok): Welcome"},
		{`{"jsonrpc":"2.0","id":"silent","method":"x"}`, "URL ended the stream of POST 8 before the answer to x"},
		{`{"jsonrpc":"2.0","method":"notification"}`, ""},
		{`{"jsonrpc":"2.0","method":"bad/notification"}`, "URL does not exist (404 not found): no such thing"},
		{`{"jsonrpc":"2.0","method":"odd/notification"}`, `{"jsonrpc":"2.0","id":null,"result":{}}`},
		{`raw hello`, rawAnswers[len(rawAnswers)-1].body},
		{`{"jsonrpc":`, rawAnswers[len(rawAnswers)-1].body},
		{`[]`, rawAnswers[len(rawAnswers)-1].body},
	} {
		got := strings.TrimSuffix(h.run(in, c.line+"\n"), "\n")
		got = strings.ReplaceAll(strings.TrimPrefix(got, "script:1:1: "), server.URL, "URL")
		if got != c.want {
			t.Errorf("%s\ngives %s\nwant  %s", c.line, got, c.want)
		}
	}
}

// What is set of headers holds from the next connect on, and a session that ended is
// made anew by whatever needs it.
func TestHeadersAndSessions(t *testing.T) {
	var mu sync.Mutex
	var traces, expired []string
	var current, dead string // sessions: the one in use, and the one that is not known any more
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return sdkServer(t) }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		session := r.Header.Get("Mcp-Session-Id")
		over := session != "" && session == dead
		if over && r.Method == http.MethodPost {
			expired = append(expired, r.Header.Get("X-Trace"))
		}
		if session == "" {
			traces = append(traces, r.Header.Get("X-Trace"))
		}
		current = session
		mu.Unlock()
		if over {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	h := &transportHost{t: t}
	h.dial = func(sink wire.Sink, epoch int) (client.Conn, error) {
		header := http.Header{}
		h.settings.ApplyHeader(header)
		c, err := wire.DialHTTP(t.Context(), wire.HTTPOptions{URL: server.URL, Mode: wire.ModeStreamable, Header: header, Epoch: epoch}, sink)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	in := script.New(script.Options{Host: h})
	t.Cleanup(func() {
		_ = in.Close(context.Background())
		_ = h.log.Close()
	})
	for _, c := range []struct{ lines, want string }{
		{"set header 'X-Trace: one'\ncall echo text=1\n", "1\n"},
		{"set header 'X-Trace: two'\ncall echo text=2\n", "2\nheader holds from the next connect or restart\n"},
		{"restart\ncall echo text=3\n", "3\n"},
		{"set header 'X-Trace:'\ndisconnect\nconnect\ncall echo text=4\n", "4\nheader holds from the next connect or restart\n"},
	} {
		if got := h.run(in, c.lines); got != c.want {
			t.Errorf("%s gives %s, want %s", c.lines, got, c.want)
		}
	}
	mu.Lock()
	if want := []string{"one", "two", ""}; !slices.Equal(traces, want) {
		t.Errorf("initialize came with %q, want %q", traces, want)
	}
	dead = current
	mu.Unlock()
	if got := h.run(in, "call echo text=5\nrestart\ncall echo text=6\n"); got != "5\n6\n" {
		t.Errorf("after the end of the session: %s", got)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(expired) == 0 || len(traces) != 5 {
		t.Errorf("%d requests into a session that ended, %d handshakes", len(expired), len(traces))
	}
}

// A tool whose header fields are wrong is refused over HTTP, unless by force.
func TestExcludedTools(t *testing.T) {
	s := sdk.NewServer(&sdk.Implementation{Name: "odd", Version: "1"}, nil)
	for _, name := range []string{"good", "bad"} {
		s.AddTool(&sdk.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: r.Params.Name}}}, nil
		})
	}
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler { // which would not have such a tool
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			res, err := next(ctx, method, r)
			if list, ok := res.(*sdk.ListToolsResult); ok {
				for i, tool := range list.Tools {
					if tool.Name == "bad" {
						odd := *tool
						odd.InputSchema = json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","x-mcp-header":""}}}`)
						list.Tools[i] = &odd
					}
				}
			}
			return res, err
		}
	})
	for _, w := range []struct{ name, want string }{
		{"http without sessions", "good\nbad\nfailed as expected: the tool \"bad\" cannot be called over HTTP"},
		{"tcp", "good\nbad\nscript:4:1: expected that it fails, but it did not\n"},
	} {
		at := slices.IndexFunc(ways, func(other way) bool { return other.name == w.name })
		h := &transportHost{t: t, dial: ways[at].open(t, s)}
		in := script.New(script.Options{Host: h})
		got := h.run(in, "set protocol modern\ncall good a=1\ncall --force bad a=1\n! call bad a=1\n")
		if !strings.HasPrefix(got, w.want) {
			t.Errorf("over %s: %s, want %s", w.name, got, w.want)
		}
		_ = in.Close(context.Background())
		_ = h.log.Close()
	}
}
