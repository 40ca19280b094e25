package script_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/mcp"
	"parley/client/wire"
)

// way is a transport over which a server of the official SDK can be had.
type way struct {
	name string
	// open begins to serve, until the end of the test, and gives what dials it.
	open func(t *testing.T, s *sdk.Server) client.Dial
}

// ways are all transports.
var ways = []way{
	{"pipes", func(t *testing.T, s *sdk.Server) client.Dial {
		return func(sink wire.Sink, epoch int) (client.Conn, error) {
			return clienttest.Pipe(func(r io.Reader, w io.Writer) { speak(t.Context(), s, r, w) }, sink, epoch), nil
		}
	}},
	{"tcp", func(t *testing.T, s *sdk.Server) client.Dial { return overSocket(t, s, "tcp", "127.0.0.1:0") }},
	{"unix", func(t *testing.T, s *sdk.Server) client.Dial {
		dir, err := os.MkdirTemp("", "parley") // the folders of tests have names that are too long for a socket
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		return overSocket(t, s, "unix", filepath.Join(dir, "s"))
	}},
	{"websocket", overWebSocket},
	{"http with sessions", overHTTP(wire.ModeStreamable, &sdk.StreamableHTTPOptions{})},
	{"http with sessions, JSON", overHTTP(wire.ModeStreamable, &sdk.StreamableHTTPOptions{JSONResponse: true})},
	{"http without sessions", overHTTP(wire.ModeStreamable, &sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})},
	{"http without sessions, JSON", overHTTP(wire.ModeStreamable, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, PropagateRequestCancellation: true})},
	{"http+sse", overHTTP(wire.ModeSSE, nil)},
	{"http+sse, found out", overHTTP(wire.ModeAuto, nil)},
}

// speak serves a connection of lines.
func speak(ctx context.Context, s *sdk.Server, r io.Reader, w io.Writer) {
	_ = s.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(r), Writer: unclosed{w}}) // however the client ends
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

func overSocket(t *testing.T, s *sdk.Server, network, address string) client.Dial {
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
				speak(ctx, s, conn, conn)
				_ = conn.Close()
			})
		}
	})
	t.Cleanup(func() {
		cancel()
		_ = l.Close()
		serving.Wait()
	})
	return func(sink wire.Sink, epoch int) (client.Conn, error) {
		c, err := wire.DialStream(t.Context(), network, l.Addr().String(), wire.StreamOptions{Epoch: epoch}, sink)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
}

// overWebSocket serves a websocket, a message a line.
func overWebSocket(t *testing.T, s *sdk.Server) client.Dial {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"mcp"}})
		if err != nil {
			return
		}
		defer func() { _ = conn.CloseNow() }()
		conn.SetReadLimit(-1)
		ctx := t.Context()
		in, lines := io.Pipe()
		go func() {
			for {
				_, message, err := conn.Read(ctx)
				if err == nil {
					_, err = lines.Write(append(message, '\n'))
				}
				if err != nil {
					_ = lines.CloseWithError(io.EOF)
					return
				}
			}
		}()
		speak(ctx, s, in, messages{ctx, conn})
	}))
	t.Cleanup(server.Close)
	return func(sink wire.Sink, epoch int) (client.Conn, error) {
		c, err := wire.DialWebSocket(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http"), wire.WebSocketOptions{Epoch: epoch}, sink)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
}

// messages sends each line as a message.
type messages struct {
	ctx  context.Context
	conn *websocket.Conn
}

func (m messages) Write(p []byte) (int, error) {
	lines := bufio.NewScanner(bytes.NewReader(p))
	lines.Buffer(nil, len(p)+1)
	for lines.Scan() {
		if err := m.conn.Write(m.ctx, websocket.MessageText, lines.Bytes()); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// overHTTP serves Streamable HTTP, or HTTP+SSE without options.
func overHTTP(mode wire.Mode, opt *sdk.StreamableHTTPOptions) func(t *testing.T, s *sdk.Server) client.Dial {
	return func(t *testing.T, s *sdk.Server) client.Dial {
		get := func(*http.Request) *sdk.Server { return s }
		var handler http.Handler = sdk.NewSSEHandler(get, nil)
		if opt != nil {
			handler = sdk.NewStreamableHTTPHandler(get, opt)
		}
		server := httptest.NewServer(handler)
		t.Cleanup(func() {
			server.CloseClientConnections()
			server.Close()
		})
		return func(sink wire.Sink, epoch int) (client.Conn, error) {
			c, err := wire.DialHTTP(t.Context(), wire.HTTPOptions{URL: server.URL, Mode: mode, Epoch: epoch}, sink)
			if err != nil {
				return nil, err
			}
			return c, nil
		}
	}
}

// sdkServer is a server with something of everything. What it has does not depend on
// how it is spoken to.
func sdkServer(t *testing.T) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "everything", Version: "1"}, &sdk.ServerOptions{
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
		CompletionHandler: func(_ context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{
				Values: []string{r.Params.Argument.Value + "da", r.Params.Ref.Type}, Total: 2}}, nil
		},
		PageSize: 3, // lists have pages
	})
	addTools(t.Context(), s)
	text := func(uri, text string) *sdk.ReadResourceResult {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: text}}}
	}
	for _, name := range []string{"one", "two", "three", "status"} {
		s.AddResource(&sdk.Resource{Name: name, URI: "test://" + name}, func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return text(r.Params.URI, "the text of "+name), nil
		})
	}
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "item", URITemplate: "test://item/{id}"}, func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return text(r.Params.URI, "item "+filepath.Base(r.Params.URI)), nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "greet", Arguments: []*sdk.PromptArgument{{Name: "name", Required: true}}}, func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: "greet " + r.Params.Arguments["name"]}}}}, nil
	})
	return s
}

// addTools adds the tools. slow waits until it is cancelled or the test ends, and patient
// until slow was.
func addTools(test context.Context, s *sdk.Server) {
	add := func(name, properties string, do func(ctx context.Context, r *sdk.CallToolRequest, args map[string]any) (string, error)) {
		schema := json.RawMessage(`{"type":"object","properties":` + properties + `}`)
		s.AddTool(&sdk.Tool{Name: name, InputSchema: schema}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			var args map[string]any
			if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
				return nil, err
			}
			text, err := do(ctx, r, args)
			res := &sdk.CallToolResult{}
			if err != nil {
				res.SetError(err)
				return res, nil
			}
			res.Content = []sdk.Content{&sdk.TextContent{Text: text}}
			return res, nil
		})
	}
	type arguments = map[string]any
	add("add", `{"a":{"type":"number"},"b":{"type":"number"}}`, func(_ context.Context, _ *sdk.CallToolRequest, args arguments) (string, error) {
		a, _ := args["a"].(float64)
		b, _ := args["b"].(float64)
		return fmt.Sprintf("%g", a+b), nil
	})
	add("echo", `{"text":{"type":"string"}}`, func(_ context.Context, _ *sdk.CallToolRequest, args arguments) (string, error) {
		return fmt.Sprint(args["text"]), nil
	})
	add("refuse", `{}`, func(context.Context, *sdk.CallToolRequest, arguments) (string, error) {
		return "", errors.New("this tool refuses")
	})
	add("touch", `{}`, func(ctx context.Context, _ *sdk.CallToolRequest, _ arguments) (string, error) {
		return "touched", s.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: "test://status"})
	})
	add("log", `{}`, func(ctx context.Context, r *sdk.CallToolRequest, _ arguments) (string, error) {
		for _, level := range mcp.LogLevels() {
			p := &sdk.LoggingMessageParams{Level: sdk.LoggingLevel(level), Logger: "tools", Data: "a " + level} //nolint:staticcheck // what is deprecated is sent all the same
			if err := r.Session.Log(ctx, p); err != nil {                                                       //nolint:staticcheck // what is deprecated is sent all the same
				return "", err
			}
		}
		return "logged", nil
	})
	add("count", `{}`, func(ctx context.Context, r *sdk.CallToolRequest, _ arguments) (string, error) {
		for i := range 3 {
			p := &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3}
			if err := r.Session.NotifyProgress(ctx, p); err != nil {
				return "", err
			}
		}
		return "counted", nil
	})
	over := make(chan struct{})
	var once sync.Once
	add("slow", `{}`, func(ctx context.Context, _ *sdk.CallToolRequest, _ arguments) (string, error) {
		select {
		case <-ctx.Done():
			once.Do(func() { close(over) })
		case <-test.Done():
		}
		return "", context.Canceled
	})
	add("patient", `{}`, func(ctx context.Context, _ *sdk.CallToolRequest, _ arguments) (string, error) {
		select {
		case <-over:
			return "slow was cancelled", nil
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
		return "slow was not cancelled", nil
	})
}
