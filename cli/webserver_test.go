package cli_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"parley/client/clienttest"
)

// webserver is the command of scripts that starts a server on the loopback interface,
// until the end of the script:
//
//	webserver NAME VAR        the variable is its URL
//	webserver tcp VAR FILE    the server that a script describes; ws and unix, too
//
// The names are those of webHandlers. That of tls writes its certificate to ca.pem.
func webserver(t testing.TB) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		if len(args) < 2 {
			ts.Fatalf("usage: webserver NAME VAR [FILE]")
		}
		tb := scriptTB{t, ts}
		if len(args) == 3 {
			listen := map[string]func(testing.TB, string) string{"tcp": clienttest.ListenTCP, "unix": clienttest.ListenUnix, "ws": clienttest.ListenWebSocket}[args[0]]
			if listen == nil {
				ts.Fatalf("there is no kind of socket called %s", args[0])
			}
			ts.Setenv(args[1], listen(tb, ts.ReadFile(args[2])))
			return
		}
		if args[0] == "refusing" { // nothing listens there
			s := httptest.NewServer(http.NotFoundHandler())
			s.Close()
			ts.Setenv(args[1], s.URL+"/mcp")
			return
		}
		handler := webHandlers[args[0]]
		if handler == nil {
			ts.Fatalf("there is no server called %s", args[0])
		}
		s := httptest.NewUnstartedServer(handler())
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		if args[0] == "tls" {
			s.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
			s.StartTLS()
			ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
			ts.Check(os.WriteFile(ts.MkAbs("ca.pem"), ca, 0o600))
		} else {
			s.Start()
		}
		ts.Defer(func() {
			s.CloseClientConnections()
			s.Close()
		})
		ts.Setenv(args[1], s.URL+"/mcp")
	}
}

// scriptTB lets what is begun for a test end with a script of it.
type scriptTB struct {
	testing.TB
	ts *testscript.TestScript
}

func (s scriptTB) Cleanup(f func()) { s.ts.Defer(f) }
func (s scriptTB) Fatal(a ...any)   { s.ts.Fatalf("%s", fmt.Sprint(a...)) }
func (s scriptTB) Helper()          {}

// webHandlers are the servers, by name: the official SDK in its modes, and servers that
// do something wrong.
var webHandlers = map[string]func() http.Handler{
	"stateful":  func() http.Handler { return streamable(&mcp.StreamableHTTPOptions{}) },
	"stateless": func() http.Handler { return streamable(&mcp.StreamableHTTPOptions{Stateless: true}) },
	"json":      func() http.Handler { return streamable(&mcp.StreamableHTTPOptions{JSONResponse: true}) },
	"tls":       func() http.Handler { return streamable(&mcp.StreamableHTTPOptions{}) },
	"sse": func() http.Handler {
		return mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return plainServer() }, nil)
	},
	// uninitialized refuses what comes before initialize with an error about nothing.
	"uninitialized": func() http.Handler {
		next := streamable(&mcp.StreamableHTTPOptions{})
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			if r.Header.Get("Mcp-Session-Id") == "" && !strings.Contains(string(raw), `"initialize"`) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}`)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(raw))
			next.ServeHTTP(w, r)
		})
	},
	// token wants a header, and says so.
	"token": func() http.Handler {
		next := streamable(&mcp.StreamableHTTPOptions{})
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			user, password, _ := r.BasicAuth()
			if r.Header.Get("Authorization") != "Bearer hunter2hunter2hunter2" && user+":"+password != "me:hunter2hunter2hunter2" && r.URL.Query().Get("token") != "hunter2hunter2hunter2" {
				w.Header().Set("WWW-Authenticate", `Bearer realm="plain"`)
				http.Error(w, "who are you?", http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	},
	"forbidden": func() http.Handler { return answers(http.StatusForbidden, "text/plain", "not you") },
	"missing":   func() http.Handler { return answers(http.StatusNotFound, "", "") },
	"get-only":  func() http.Handler { return answers(http.StatusMethodNotAllowed, "text/plain", "no POST here") },
	"broken": func() http.Handler {
		return answers(http.StatusInternalServerError, "text/html", "<html><h1>Oh no</h1></html>")
	},
	"page": func() http.Handler { return answers(http.StatusOK, "text/html", "<html><h1>Welcome</h1></html>") },
	"busy": func() http.Handler { return answers(http.StatusTooManyRequests, "text/plain", "later") },
	// excluding has a tool that may not be called over HTTP in the modern era.
	"excluding": func() http.Handler {
		next := streamable(&mcp.StreamableHTTPOptions{Stateless: true})
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(spoiling{w}, r) })
	},
	// silent begins a stream and never says anything.
	"silent": func() http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then is the end of the request noticed
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
	},
	// cut ends the stream of each tool call before its answer.
	"cut": func() http.Handler {
		next := streamable(&mcp.StreamableHTTPOptions{Stateless: true})
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			if strings.Contains(string(raw), `"tools/call"`) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, ": working\n\nevent: mess")
				return
			}
			r.Body = io.NopCloser(strings.NewReader(string(raw)))
			next.ServeHTTP(w, r)
		})
	},
	// drops ends the stream of each tool call before its answer, which comes to the one
	// that asks for what it missed.
	"drops": func() http.Handler {
		next := streamable(&mcp.StreamableHTTPOptions{JSONResponse: true})
		var late atomic.Value
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(raw))
			switch {
			case bytes.Contains(raw, []byte(`"tools/call"`)):
				answer := httptest.NewRecorder()
				next.ServeHTTP(answer, r)
				late.Store(answer.Body.Bytes())
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, "id: 1\nretry: 10\ndata:\n\n")
			case r.Header.Get("Last-Event-ID") == "1":
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = fmt.Fprintf(w, "id: 2\ndata: %s\n\n", late.Load())
			default:
				next.ServeHTTP(w, r)
			}
		})
	},
	// forgets answers 404 to the first call of a session, as after a restart.
	"forgets": func() http.Handler {
		next := streamable(&mcp.StreamableHTTPOptions{})
		var forgot atomic.Bool
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			if strings.Contains(string(raw), `"tools/call"`) && forgot.CompareAndSwap(false, true) {
				http.Error(w, "session not found", http.StatusNotFound)
				return
			}
			r.Body = io.NopCloser(strings.NewReader(string(raw)))
			next.ServeHTTP(w, r)
		})
	},
}

func streamable(opt *mcp.StreamableHTTPOptions) http.Handler {
	server := plainServer()
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, opt)
}

// spoiling puts a name that is none in the place of a header's, which is as long.
type spoiling struct{ http.ResponseWriter }

func (s spoiling) Write(p []byte) (int, error) {
	return s.ResponseWriter.Write(bytes.ReplaceAll(p, []byte("MirrorX"), []byte("no name")))
}

// Unwrap is for [http.ResponseController].
func (s spoiling) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// answers gives one answer to everything.
func answers(status int, kind, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

// plainServer has what testdata/server/tools.txt has, and a tool with an argument that is
// mirrored in a header.
func plainServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "plain", Title: "Plain server", Version: "1.2"}, &mcp.ServerOptions{Instructions: "Be kind."})
	say := func(text string, failed bool) mcp.ToolHandler {
		return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: failed}, nil
		}
	}
	s.AddTool(&mcp.Tool{Name: "add", Description: "Add two numbers.", InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}`)}, say("done", false))
	s.AddTool(&mcp.Tool{Name: "fail", Title: "Fails", InputSchema: json.RawMessage(`{"type":"object"}`)}, say("no", true))
	s.AddTool(&mcp.Tool{Name: "mirrored", Description: "Badly.", InputSchema: json.RawMessage(`{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"MirrorX"}}}`)}, say("x", false))
	s.AddResource(&mcp.Resource{URI: "file:///a.txt", Name: "a.txt"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "file:///a.txt", MIMEType: "text/plain", Text: "hello\nworld"}}}, nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "review", Description: "Review code", Arguments: []*mcp.PromptArgument{{Name: "code", Required: true}}},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Please review."}}}}, nil
		})
	return s
}
