package client_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
)

// counts is a log that keeps nothing.
type counts struct {
	clienttest.Log
	mu  sync.Mutex
	seq uint64
}

func (l *counts) Append(frames []wire.Frame) (first uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range frames {
		if frames[i].Seq == 0 {
			l.seq++
			frames[i].Seq = l.seq
		}
	}
	return l.seq - uint64(len(frames)) + 1
}

// BenchmarkCallOverHTTP compares a call, with its envelope in a modern connection,
// with a bare POST of the same bytes.
func BenchmarkCallOverHTTP(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h := wire.Scan(body)
		answer := `{"content":[]}`
		switch h.Method {
		case "initialize":
			answer = initializedResult
		case "server/discover":
			answer = discoveredResult
		}
		if h.Form != wire.Request {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, h.ID, answer)
	}))
	defer srv.Close()
	params := client.CallParams("x", []byte(`{"text":"`+string(bytes.Repeat([]byte("x"), 200))+`"}`))
	for _, protocol := range []string{"legacy", "modern"} {
		c := client.New(new(counts), func(sink wire.Sink, epoch int) (client.Conn, error) {
			return wire.DialHTTP(b.Context(), wire.HTTPOptions{URL: srv.URL, Epoch: epoch}, sink)
		}, client.Options{Name: "t", Version: "1", Protocol: protocol})
		raw := c.Preview("tools/call", params, client.CallOptions{})
		bare := func() error {
			resp, err := http.Post(srv.URL, "application/json", bytes.NewReader(raw)) //nolint:noctx // what is compared with
			if err != nil {
				return err
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			return resp.Body.Close()
		}
		call := func() error {
			_, err := c.Request(b.Context(), "tools/call", params, client.CallOptions{Force: true})
			return err
		}
		if err := c.Connect(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.Run(protocol, func(b *testing.B) { inTurn(b, bare, call) })
		_ = c.Close(b.Context())
	}
}

// inTurn does one after the other and reports how much longer the second takes.
func inTurn(b *testing.B, first, second func() error) {
	var took [2][]time.Duration
	for b.Loop() {
		for i, do := range []func() error{first, second} {
			began := time.Now()
			if err := do(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	median := len(took[0]) / 2
	b.ReportMetric(float64(took[1][median])/float64(took[0][median]), "×bare")
}
