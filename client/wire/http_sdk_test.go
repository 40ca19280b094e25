package wire_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/client/wire"
)

// sdkServer is a server of the official SDK with one tool, which tells of its progress.
func sdkServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, nil)
	type input struct {
		Text string `json:"text"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: "says it again"}, func(ctx context.Context, req *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
		if token := req.Params.GetProgressToken(); token != nil {
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1})
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Text}}}, nil, nil
	})
	return s
}

// The official SDK's server, in each way in which it can be run, and legacy.
func TestHTTPWithTheOfficialServer(t *testing.T) {
	server := sdkServer()
	get := func(*http.Request) *mcp.Server { return server }
	for _, c := range []struct {
		name      string
		handler   http.Handler
		mode      wire.Mode
		transport string
		version   string
	}{
		{"stateful", mcp.NewStreamableHTTPHandler(get, nil), wire.ModeAuto, wire.TransportHTTP, "2025-11-25"},
		{"stateful, JSON", mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: true}), wire.ModeAuto, wire.TransportHTTP, "2025-11-25"},
		{"stateful, resumable", mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)}), wire.ModeStreamable, wire.TransportHTTP, "2025-11-25"},
		{"stateless", mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true}), wire.ModeAuto, wire.TransportHTTP, "2025-06-18"},
		{"stateless, JSON", mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}), wire.ModeAuto, wire.TransportHTTP, "2025-03-26"},
		{"HTTP+SSE", mcp.NewSSEHandler(get, nil), wire.ModeSSE, wire.TransportSSE, "2024-11-05"},
		{"HTTP+SSE, found", mcp.NewSSEHandler(get, nil), wire.ModeAuto, wire.TransportSSE, "2024-11-05"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := httptest.NewServer(c.handler)
			l := dialHTTP(t, wire.HTTPOptions{URL: srv.URL, Mode: c.mode})
			defer srv.Close()
			defer func() { _ = l.Close(context.Background()) }()
			l.send(strings.Replace(initialize, "2025-11-25", c.version, 1))
			if f := l.answer(0); f.Head.Form != wire.Result {
				t.Fatalf("initialize: %s", f.Raw)
			}
			l.send(initialized)
			l.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
			if f := l.answer(1); !strings.Contains(string(f.Raw), `"echo"`) {
				t.Errorf("tools: %s", f.Raw)
			}
			const n = 20
			for i := 2; i < n; i++ {
				l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"no %d"},"_meta":{"progressToken":%d}}}`, i, i, i))
			}
			for i := 2; i < n; i++ {
				if f := l.answer(int64(i)); !strings.Contains(string(f.Raw), fmt.Sprintf("no %d", i)) {
					t.Errorf("call %d: %s", i, f.Raw)
				}
			}
			if l.Transport() != c.transport {
				t.Errorf("transport %q", l.Transport())
			}
			if l.events(wire.EventLost) != 0 {
				t.Errorf("lost:\n%s", &l.log.Log)
			}
		})
	}
}

// The official SDK's server speaks 2026-07-28 too.
func TestHTTPModernWithTheOfficialServer(t *testing.T) {
	server := sdkServer()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	srv := httptest.NewServer(handler)
	l := dialHTTP(t, wire.HTTPOptions{URL: srv.URL})
	defer srv.Close()
	defer func() { _ = l.Close(context.Background()) }()
	l.send(modern("1", "server/discover", ""))
	if f := l.answer(1); f.Head.Form != wire.Result || !strings.Contains(string(f.Raw), "2026-07-28") {
		t.Errorf("discover: %s", f.Raw)
	}
	l.send(modern("2", "tools/call", `"name":"echo","arguments":{"text":"hi"}`))
	if f := l.answer(2); !strings.Contains(string(f.Raw), `"hi"`) {
		t.Errorf("call: %s", f.Raw)
	}
	l.send(modern("3", "no/such", ""))
	if f := l.answer(3); f.Head.Code != -32601 {
		t.Errorf("unknown method: %s", f.Raw)
	}
}
