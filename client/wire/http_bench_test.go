package wire_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"parley/client/wire"
)

// tally is a sink that numbers and counts, and says when an answer came.
type tally struct {
	mu       sync.Mutex
	seq      uint64
	messages int
	answered chan struct{}
}

func (s *tally) Append(frames []wire.Frame) (first uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range frames {
		f := &frames[i]
		if f.Seq == 0 {
			s.seq++
			f.Seq = s.seq
		}
		if first == 0 {
			first = f.Seq
		}
		if f.Kind == wire.Message && f.Dir == wire.In {
			s.messages++
			if f.Head.Form.IsResponse() && !f.More {
				s.answered <- struct{}{}
			}
		}
	}
	return first
}

// BenchmarkHTTPCall compares one call with a bare POST of the same bytes to the same
// server.
func BenchmarkHTTPCall(b *testing.B) {
	answer := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + string(bytes.Repeat([]byte("x"), 200)) + `"}]}}`)
	event := []byte("event: message\ndata: " + string(answer) + "\n\n")
	request := []byte(call1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/sse" {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write(event)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}))
	defer srv.Close()
	for _, path := range []string{"/json", "/sse"} {
		bare := func(b *testing.B) func() { return bareCalls(b, srv.URL+path, request) }
		conn := func(b *testing.B) func() { return connCalls(b, srv.URL+path, request) }
		b.Run("bare"+path, func(b *testing.B) { bench(b, bare(b)) })
		b.Run("conn"+path, func(b *testing.B) { bench(b, conn(b)) })
		b.Run("both"+path, func(b *testing.B) { benchBoth(b, bare(b), conn(b)) })
	}
}

func bench(b *testing.B, call func()) {
	b.ReportAllocs()
	for b.Loop() {
		call()
	}
}

// benchBoth takes turns, so that whatever else the machine does slows both, and reports
// how many times as long the second takes, by the medians.
func benchBoth(b *testing.B, bare, conn func()) {
	var took [2][]time.Duration
	for b.Loop() {
		for i, call := range []func(){bare, conn} {
			start := time.Now()
			call()
			took[i] = append(took[i], time.Since(start))
		}
	}
	var median [2]float64
	for i := range took {
		slices.Sort(took[i])
		median[i] = float64(took[i][len(took[i])/2])
	}
	b.ReportMetric(median[1]/median[0], "conn/bare")
}

func bareCalls(b *testing.B, url string, request []byte) func() {
	client := &http.Client{Transport: &http.Transport{}}
	b.Cleanup(client.CloseIdleConnections)
	return func() {
		req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(request))
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		resp, err := client.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadAll(resp.Body); err != nil {
			b.Fatal(err)
		}
		_ = resp.Body.Close()
	}
}

func connCalls(b *testing.B, url string, request []byte) func() {
	sink := &tally{answered: make(chan struct{}, 1)}
	c, err := wire.DialHTTP(context.Background(), wire.HTTPOptions{URL: url}, sink)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close(context.Background()) })
	return func() {
		if _, err := c.Send(request, wire.ByAuto, 0); err != nil {
			b.Fatal(err)
		}
		<-sink.answered
	}
}

// BenchmarkHTTPStream reads notifications from one stream: one operation is one of them.
func BenchmarkHTTPStream(b *testing.B) {
	const each = 10_000
	event := []byte("event: message\ndata: " + `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` +
		string(bytes.Repeat([]byte("x"), 60)) + `"}}` + "\n\n")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		w.Header().Set("Content-Type", "text/event-stream")
		for range n {
			_, _ = w.Write(event)
		}
		_, _ = io.WriteString(w, data(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	}))
	defer srv.Close()
	sink := &tally{answered: make(chan struct{}, 1)}
	c, err := wire.DialHTTP(context.Background(), wire.HTTPOptions{URL: srv.URL + "?n=" + strconv.Itoa(each)}, sink)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close(context.Background()) }()
	b.SetBytes(int64(each * len(event)))
	runs := 0
	for b.Loop() {
		if _, err := c.Send([]byte(call1), wire.ByAuto, 0); err != nil {
			b.Fatal(err)
		}
		<-sink.answered
		runs++
	}
	if want := runs * (each + 1); sink.messages != want {
		b.Errorf("%d of %d messages came", sink.messages, want)
	}
}
