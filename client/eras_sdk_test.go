package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/client"
	"parley/client/clienttest"
	mcpx "parley/client/mcp"
	"parley/client/wire"
)

// overPipe makes a client of the official server behind standard input and output.
func overPipe(t *testing.T, opt client.Options) (*client.Client, *clienttest.Log) {
	t.Helper()
	log := checked(t)
	opt.Name, opt.Version = "t", "1"
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return clienttest.Pipe(func(r io.Reader, w io.Writer) {
			s, _ := official(false)
			_ = s.Run(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(r), Writer: nopCloser{w}})
		}, sink, epoch), nil
	}, opt)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c, log
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// overHTTP makes a client of a handler, not connected yet.
func overHTTP(t *testing.T, handler http.Handler, opt client.Options) (*client.Client, *clienttest.Log) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	log := checked(t)
	opt.Name, opt.Version = "t", "1"
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return wire.DialHTTP(t.Context(), wire.HTTPOptions{URL: server.URL, Epoch: epoch}, sink)
	}, opt)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c, log
}

// The official server, in each of its ways to be spoken to, asked in each of ours.
func TestErasOfTheOfficialServer(t *testing.T) {
	const stdio, stateful, stateless = "stdio", "stateful", "stateless"
	tests := []struct {
		server, protocol string
		version          string // empty: it cannot be connected to, and the hint has
		hint             string
	}{
		{stdio, "legacy", "2025-11-25", ""},
		{stdio, "2024-11-05", "2024-11-05", ""},
		{stdio, "2025-03-26", "2025-03-26", ""},
		{stdio, "2025-06-18", "2025-06-18", ""},
		{stdio, "modern", "2026-07-28", ""},
		{stdio, "auto", "2026-07-28", ""},
		{stateful, "legacy", "2025-11-25", ""},
		{stateful, "2025-03-26", "2025-03-26", ""},
		{stateful, "2025-06-18", "2025-06-18", ""},
		{stateful, "auto", "2025-11-25", ""},
		{stateful, "modern", "", "--protocol legacy"},
		{stateless, "legacy", "2025-11-25", ""},
		{stateless, "modern", "2026-07-28", ""},
		{stateless, "2026-07-28", "2026-07-28", ""},
		{stateless, "auto", "2026-07-28", ""},
		{stateless, "2027-01-01", "2026-07-28", ""},
	}
	for _, tt := range tests {
		t.Run(tt.server+"/"+tt.protocol, func(t *testing.T) {
			opt := client.Options{Protocol: tt.protocol, Timeout: 10 * time.Second}
			var c *client.Client
			var log *clienttest.Log
			if tt.server == stdio {
				c, log = overPipe(t, opt)
			} else {
				_, handler := official(tt.server == stateless)
				c, log = overHTTP(t, handler, opt)
			}
			err := c.Connect(t.Context())
			if tt.version == "" {
				var h interface{ Hint() string }
				if !errors.As(err, &h) || !strings.Contains(h.Hint(), tt.hint) {
					t.Fatalf("got %v\n%s", err, log)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, log)
			}
			info, _ := c.Server()
			if info.ProtocolVersion != tt.version || (c.Era() == client.Modern) != (tt.version == "2026-07-28") {
				t.Errorf("%v %s", c.Era(), info.ProtocolVersion)
			}
			pages, err := c.List(t.Context(), "tools/list", client.CallOptions{})
			if err != nil || len(pages) != 1 {
				t.Fatalf("list: %v\n%s", err, log)
			}
			a, err := c.Request(t.Context(), "resources/read", client.ReadParams("a:b"), client.CallOptions{})
			if err != nil || !strings.Contains(result(t, c, a), `"text":"text"`) {
				t.Errorf("read: %v\n%s", err, log)
			}
			if tt.server != stdio { // whose server has no header
				a, err = c.Request(t.Context(), "tools/call", client.CallParams("mirrored", json.RawMessage(`{"n":1}`)), client.CallOptions{})
				if err != nil || mcpx.DecodeCall([]byte(result(t, c, a))).IsError {
					t.Errorf("call: %v\n%s", err, log)
				}
			}
			if err := c.Close(t.Context()); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
}

// A server that starts again behind the same address has forgotten its sessions: the
// next call is made in a new one.
func TestOfficialServerStartsAgainBetweenCalls(t *testing.T) {
	var now atomic.Pointer[http.Handler]
	start := func() {
		_, handler := official(false)
		now.Store(&handler)
	}
	start()
	told := new(notices)
	c, log := overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*now.Load()).ServeHTTP(w, r) }),
		client.Options{Notice: told.take, Timeout: 10 * time.Second})
	connect(t, c)
	for range 2 {
		p, err := c.Start(t.Context(), "resources/read", client.ReadParams("a:b"), client.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Wait(t.Context()); err != nil {
			t.Fatalf("%v\n%s", err, log)
		}
		start()
	}
	if n := countSent(log, "initialize"); n != 2 {
		t.Errorf("initialize was sent %d times\n%s", n, log)
	}
	if n := strings.Count(log.String(), `"event":"expired"`); n != 1 {
		t.Errorf("%d sessions expired", n)
	}
}

// So are calls that are made by many at once while that happens.
func TestOfficialServerStartsAgainAmongManyCalls(t *testing.T) {
	var now atomic.Pointer[http.Handler]
	start := func() {
		_, handler := official(false)
		now.Store(&handler)
	}
	start()
	c, log := overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*now.Load()).ServeHTTP(w, r) }),
		client.Options{Timeout: 10 * time.Second})
	connect(t, c)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for n := range 12 {
				if i == 0 && n%4 == 3 {
					start()
				}
				if _, err := c.Request(t.Context(), "resources/read", client.ReadParams("a:b"), client.CallOptions{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := countSent(log, "initialize"); n < 2 || n > 4 {
		t.Errorf("initialize was sent %d times", n)
	}
}
