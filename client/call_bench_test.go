package client_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
	"parley/history"
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

// answers serves both eras, with a session in the first; replies are JSON, or events
// where the address says so.
func answers(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	h := wire.Scan(body)
	answer := `{"content":[]}`
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case h.Form != wire.Request:
		w.WriteHeader(http.StatusAccepted)
		return
	case h.Method == "initialize":
		answer = initializedResult
		w.Header().Set("Mcp-Session-Id", benchSession)
	case h.Method == "server/discover":
		answer = discoveredResult
	}
	if strings.HasSuffix(r.URL.Path, "/sse") {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", h.ID, answer)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, h.ID, answer)
}

const benchSession = "0123456789abcdef0123456789abcdef"

// BenchmarkCallOverHTTP compares a call, with its envelope in a modern connection,
// with a bare POST of the same bytes under the same headers to the same server, which
// reads the reply to its end, and an event as such. They take turns, so that whatever
// else the machine does slows all. ×bare is the call where nothing is kept, ×bare-log
// the call that is recorded to a session file.
func BenchmarkCallOverHTTP(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(answers))
	defer srv.Close()
	params := client.CallParams("x", []byte(`{"text":"`+string(bytes.Repeat([]byte("x"), 200))+`"}`))
	for _, protocol := range []string{"legacy", "modern"} {
		for _, reply := range []string{"json", "sse"} {
			b.Run(protocol+"/"+reply, func(b *testing.B) {
				url := srv.URL + "/" + reply
				log, err := history.Create(history.Options{Dir: b.TempDir()})
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { _ = log.Close() })
				plain, recorded := clientOver(b, url, protocol, new(counts)), clientOver(b, url, protocol, log)
				call := func(c *client.Client) func() error {
					return func() error {
						_, err := c.Request(b.Context(), "tools/call", params, client.CallOptions{Force: true})
						return err
					}
				}
				raw := plain.Preview("tools/call", params, client.CallOptions{})
				inTurn(b, barePost(b, url, protocol, raw), call(plain), call(recorded))
			})
		}
	}
}

func clientOver(b *testing.B, url, protocol string, log client.Log) *client.Client {
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return wire.DialHTTP(b.Context(), wire.HTTPOptions{URL: url, Epoch: epoch}, sink)
	}, client.Options{Name: "t", Version: "1", Protocol: protocol})
	if err := c.Connect(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close(b.Context()) })
	return c
}

// barePost makes the call without a client: what each of them has to do.
func barePost(b *testing.B, url, protocol string, raw []byte) func() error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}}
	b.Cleanup(client.CloseIdleConnections)
	return func() error {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, bytes.NewReader(raw))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if protocol == "modern" {
			req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
			req.Header.Set("Mcp-Method", "tools/call")
			req.Header.Set("Mcp-Name", "x")
		} else {
			req.Header.Set("Mcp-Protocol-Version", "2025-06-18")
			req.Header.Set("Mcp-Session-Id", benchSession)
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		if resp.Header.Get("Content-Type") == "text/event-stream" {
			return readEvent(resp.Body)
		}
		_, err = io.ReadAll(resp.Body)
		return err
	}
}

// readEvent reads the data of one event, and the stream to its end.
func readEvent(body io.Reader) error {
	var data []byte
	for lines := bufio.NewReader(body); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(data) > 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if name, value, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(": ")); string(name) == "data" {
			data = append(data, value...)
		}
	}
}

// inTurn does one after the other and reports how much longer the second and the third
// take.
func inTurn(b *testing.B, do ...func() error) {
	took := make([][]time.Duration, len(do))
	for b.Loop() {
		for i, do := range do {
			began := time.Now()
			if err := do(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	median := make([]float64, len(do))
	for i := range took {
		slices.Sort(took[i])
		median[i] = float64(took[i][len(took[i])/2])
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median[0]/1e3, "bare-µs")
	b.ReportMetric(median[1]/median[0], "×bare")
	b.ReportMetric(median[2]/median[0], "×bare-log")
}
