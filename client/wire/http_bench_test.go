package wire_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"

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
		b.Run("bare"+path, func(b *testing.B) { benchBare(b, srv.URL+path, request) })
		b.Run("conn"+path, func(b *testing.B) { benchConn(b, srv.URL+path, request) })
	}
}

func benchBare(b *testing.B, url string, request []byte) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	b.ReportAllocs()
	for b.Loop() {
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

func benchConn(b *testing.B, url string, request []byte) {
	sink := &tally{answered: make(chan struct{}, 1)}
	c, err := wire.DialHTTP(context.Background(), wire.HTTPOptions{URL: url}, sink)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close(context.Background()) }()
	b.ReportAllocs()
	for b.Loop() {
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
