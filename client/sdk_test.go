package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/client"
	"parley/client/clienttest"
	mcpx "parley/client/mcp"
	"parley/client/wire"
)

// official is a server made with the official SDK, and its handler over HTTP: without
// sessions it is modern.
func official(stateless bool) (*mcp.Server, http.Handler) {
	s := mcp.NewServer(&mcp.Implementation{Name: "official", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	s.AddResource(&mcp.Resource{URI: "a:b", Name: "r"}, func(_ context.Context, q *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: q.Params.URI, Text: "text"}}}, nil
	})
	region := json.RawMessage(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"}}}`)
	s.AddTool(&mcp.Tool{Name: "mirrored", InputSchema: region}, func(_ context.Context, q *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		h := q.Extra.Header
		return says("region %s, n %s", h.Get("Mcp-Param-Region"), h.Get("Mcp-Param-N")), nil
	})
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: json.RawMessage(`{"type":"object"}`)}, askTwice)
	return s, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless})
}

func says(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// askTwice asks for everything that a server can ask for, in two rounds.
func askTwice(_ context.Context, q *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	switch q.Params.RequestState {
	case "":
		return &mcp.CallToolResult{RequestState: "é \"1\"", InputRequests: mcp.InputRequestMap{
			"name": &mcp.ElicitParams{Message: "Who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)},
		}}, nil
	case "é \"1\"":
		name, _ := q.Params.InputResponses["name"].(*mcp.ElicitResult)
		return &mcp.CallToolResult{RequestState: fmt.Sprint(name.Content["name"]), InputRequests: mcp.InputRequestMap{
			"roots": &mcp.ListRootsParams{}, //nolint:staticcheck // what is deprecated is answered all the same
			//nolint:staticcheck // and so is this
			"sample": &mcp.CreateMessageParams{MaxTokens: 5, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "?"}}}},
		}}, nil
	}
	//nolint:staticcheck // as above
	roots, _ := q.Params.InputResponses["roots"].(*mcp.ListRootsResult)
	return says("%s, %d roots, %d answers", q.Params.RequestState, len(roots.Roots), len(q.Params.InputResponses)), nil
}

func TestOfficialServerAsksInRounds(t *testing.T) {
	_, handler := official(true)
	c, _ := over(t, handler, client.Options{
		Roots:  []string{"/a", "/b"},
		Elicit: always(`{"action":"accept","content":{"name":"Zoë"}}`),
		Sample: always(`{"role":"assistant","content":{"type":"text","text":"!"},"model":"m"}`),
	})
	a, err := c.Request(t.Context(), "tools/call", client.CallParams("ask", json.RawMessage(`{}`)), client.CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := mcpx.DecodeCall([]byte(result(t, c, a))).Content[0].Text; got != "Zoë, 2 roots, 2 answers" || len(a.Rounds) != 2 {
		t.Errorf("%q after %d rounds", got, len(a.Rounds))
	}
}

func TestOfficialServerFindsItsArgumentsInTheHeader(t *testing.T) {
	_, handler := official(true)
	c, log := over(t, handler, client.Options{})
	for arguments, want := range map[string]string{
		`{"region":"us","n":42}`:   "region us, n 42",
		`{"region":" 世界","n":4e1}`: "region =?base64?IOS4lueVjA==?=, n 40",
		`{"region":null,"n":-7}`:   "region , n -7",
		`{}`:                       "region , n ",
	} {
		a, err := c.Request(t.Context(), "tools/call", client.CallParams("mirrored", json.RawMessage(arguments)), client.CallOptions{})
		if err != nil {
			t.Fatalf("%s: %v\n%s", arguments, err, log)
		}
		if got := mcpx.DecodeCall([]byte(result(t, c, a))).Content[0].Text; got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

func TestOfficialServerTellsOfChanges(t *testing.T) {
	for _, protocol := range []string{"modern", "legacy"} {
		t.Run(protocol, func(t *testing.T) {
			s, handler := official(protocol == "modern")
			c, log := over(t, handler, client.Options{Protocol: protocol, Listen: true})
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			wait := func(method string) {
				t.Helper()
				if _, err := log.WaitFor(ctx, func(f *wire.Frame) bool {
					return f.Dir == wire.In && f.Kind == wire.Message && f.Head.Method == method
				}); err != nil {
					t.Fatal(err)
				}
			}
			if protocol == "modern" {
				wait("notifications/subscriptions/acknowledged")
			}
			s.AddTool(&mcp.Tool{Name: "more", InputSchema: json.RawMessage(`{"type":"object"}`)}, askTwice)
			wait("notifications/tools/list_changed")
			for !c.Changed("tools/list") { // which is noted after the frame is
				if ctx.Err() != nil {
					t.Fatal("the list counts as the same")
				}
				runtime.Gosched()
			}
			if err := c.Subscribe(ctx, []string{"a:b"}); err != nil {
				t.Fatal(err)
			}
			if err := s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: "a:b"}); err != nil {
				t.Fatal(err)
			}
			wait("notifications/resources/updated")
			if err := c.Unsubscribe(ctx, []string{"a:b"}); err != nil || len(c.Subscribed()) != 0 {
				t.Errorf("still %v, %v", c.Subscribed(), err)
			}
		})
	}
}

func TestOfficialServerEndsASubscriptionToNothing(t *testing.T) {
	_, handler := official(true)
	told := new(notices)
	c, _ := over(t, handler, client.Options{Notice: told.take})
	s, err := c.Listen(t.Context(), mcpx.Filter{TaskIDs: []string{"t"}})
	if err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	if s.Err() != nil || !s.Granted.IsZero() {
		t.Errorf("granted %v, ended by %v", s.Granted, s.Err())
	}
}

func TestOfficialServerSaysHowLongItsAnswersCount(t *testing.T) {
	_, handler := official(true)
	c, log := over(t, handler, client.Options{})
	var hints mcpx.CacheHints
	for range 2 {
		pages, err := c.List(t.Context(), "tools/list", client.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		hints = mcpx.DecodeCacheHints([]byte(result(t, c, pages[0])))
	}
	if hints.Problem != "" {
		t.Errorf("hints %+v", hints)
	}
	if n := countSent(log, "tools/list"); n != 1 && hints.TTL > 0 || n != 2 && hints.TTL == 0 {
		t.Errorf("asked %d times for what counts %s", n, hints.TTL)
	}
}

func countSent(log *clienttest.Log, method string) (n int) {
	for _, f := range log.Frames() {
		if f.Dir == wire.Out && f.Kind == wire.Message && f.Head.Method == method {
			n++
		}
	}
	return n
}
