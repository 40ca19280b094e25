package e2e

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fragile is a server that speaks Streamable HTTP, behind something that ends its
// streams when told to, as proxies and restarts do.
type fragile struct {
	mu      sync.Mutex
	handler http.Handler
	streams []stream // that are open
	refuses bool     // to open GET streams
}

type stream struct {
	method string
	cut    context.CancelFunc
}

// restart forgets every session, as a server does that was started again.
func (f *fragile) restart() {
	server := mcp.NewServer(&mcp.Implementation{Name: "fragile", Version: "1.0.0"}, nil)
	type input struct {
		Text string `json:"text,omitempty"`
	}
	said := func(text string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	}
	progress := func(ctx context.Context, req *mcp.CallToolRequest) {
		if token := req.Params.GetProgressToken(); token != nil {
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Message: "half way"})
		}
	}
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Say it again"},
		func(ctx context.Context, req *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
			progress(ctx, req)
			return said("you said " + in.Text), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "hang", Description: "Answer never"},
		func(ctx context.Context, req *mcp.CallToolRequest, _ input) (*mcp.CallToolResult, any, error) {
			progress(ctx, req)
			<-ctx.Done()
			return nil, nil, ctx.Err()
		})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.handler = handler
}

// ServeHTTP implements http.Handler.
func (f *fragile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cut := context.WithCancel(r.Context())
	defer cut()
	f.mu.Lock()
	handler, refused := f.handler, f.refuses && r.Method == http.MethodGet
	f.streams = append(f.streams, stream{r.Method, cut})
	f.mu.Unlock()
	if refused {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	handler.ServeHTTP(w, r.WithContext(ctx))
	if ctx.Err() != nil {
		panic(http.ErrAbortHandler) // in the middle, and not in order
	}
}

// cut ends the streams of a method.
func (f *fragile) cut(method string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.streams = slices.DeleteFunc(f.streams, func(s stream) bool {
		if s.method == method {
			s.cut()
		}
		return s.method == method
	})
}

func (f *fragile) refuse(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refuses = on
}

// TestRemoteStory is the story of a server on the network on a real terminal: its
// heads, a stream, a lost call, reconnects, a session that expires, the server gone.
func TestRemoteStory(t *testing.T) {
	f := &fragile{}
	f.restart()
	srv := httptest.NewUnstartedServer(f)
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.Start()
	gone := sync.OnceFunc(func() {
		f.refuse(true)
		f.cut(http.MethodGet)
		f.cut(http.MethodPost)
		srv.CloseClientConnections()
		srv.Close()
	})
	defer gone()
	p := newPlace(t)
	term := p.open(t, 110, 34, parley(t), "--protocol", "legacy", srv.URL)

	t.Log("connected: the header says how")
	term.wait("● ready", "echo", "hang")
	term.match(`^ parley +fragile 1\.0\.0 +http +20\d\d-\d\d-\d\d +legacy .*● ready`)
	term.match(`─ 4 traffic \d+ · JSON-RPC ─.* \d+ HTTP lines hidden · h ─`)

	t.Log("the heads of HTTP are lines of the traffic, beside the messages")
	term.keys("4", "Z", "h")
	term.match(`→ +0 +POST 1 +initialize`)
	term.match(`→ +POST 1 +POST / `)
	term.match(`← +POST 1 +200 OK +text/event-stream`)
	term.match(`← +GET \d+ +200 OK +text/event-stream`)

	t.Log("a message leads to its head and back; what is secret is masked")
	term.keys("g", "j", "Enter")
	term.match(`^─ frame \d+ · → 0 initialize · POST 1 · `)
	term.keys("H")
	term.match(`^─ frame \d+ · → POST / · POST 1 · `)
	term.match(`Content-Type +application/json`)
	term.keys("p")
	term.match(`^─ frame \d+ · ← 200 OK text/event-stream · POST 1 · `)
	term.match(`Mcp-Session-Id +…\w{4}$`)
	term.keys("H")
	term.match(`^─ frame \d+ · ← 0 result · POST 1 · `)
	term.keys("Escape", "Escape")

	t.Log("the streams that are open")
	term.keys("6")
	term.match(`http session +yes, …\w{4}`)
	term.wait("streams · 1 open")
	term.match(`GET \d+ +since \d\d:\d\d:\d\d · 0 events`)
	term.keys("Escape", "4", "G")

	t.Log("a call whose answer comes in a stream")
	term.keys("1", "g", "Enter")
	term.typed("hello")
	term.keys("C-s")
	term.wait("you said hello")
	term.match(`← +POST \d+ +event`)
	term.match(`← .*POST \d+ +notifications/progress`)

	t.Log("the stream breaks in the middle of a call: told, and not sent again")
	term.keys("Escape")
	term.gone("esc leave")
	term.keys("1", "j", "Enter")
	term.wait("Answer never", "esc leave")
	term.keys("C-s")
	term.match(`result · waiting`)
	term.wait("1  half way")
	f.cut(http.MethodPost)
	term.wait("✗ no answer: it was lost", "before the answer")
	term.wait("the server may have done what was asked all the same")
	term.match(`✗ lost`)
	term.keys("r")
	term.wait("The answer to this call was lost", "y send again")
	term.keys("n")
	term.gone("y send again")

	t.Log("the GET stream breaks, and is opened again")
	f.refuse(true)
	f.cut(http.MethodGet)
	term.match(`● reconnecting [1-5]/5`)
	f.refuse(false)
	term.wait("● ready")
	term.keys("4")
	term.match(`reconnecting: GET \d+ ended, opened again after`)

	t.Log("the session expires: a new one is had, and nothing typed is lost")
	f.restart()
	term.keys("1", "g", "Enter")
	term.wait("hello", "esc leave")
	term.typed(" again")
	term.keys("C-s")
	term.wait("you said hello again", "ok · ")
	term.keys("Escape")
	term.gone("esc leave")
	term.keys("4", "G", "/")
	term.typed("session")
	term.keys("Enter")
	term.match(`· +the session expired: the server does not know it any more`)
	term.match(`· +the server does not know the session any more: initialize is sent again`)
	term.keys("Escape")

	t.Log("the server goes away: that is said, and how to come back")
	gone()
	term.keys("1", "g", "Enter")
	term.wait("esc leave")
	term.keys("C-s")
	term.wait("connection refused")
	term.match(`✗ disconnected .* R reconnect`)
	term.keys("Escape")
	term.gone("esc leave")
	term.keys("R")
	term.wait("✗ not connected", "nothing listens on", "closed by parley")
	term.leave()
	if all := term.everything(); !strings.Contains(all, "session kept in") {
		t.Errorf("nothing says where the session was kept\n%s", all)
	}
}
