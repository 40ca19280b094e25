package client_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/client"
	"parley/client/wire"
	"parley/history"
)

// loaded is a server of both eras that says in each answer which call it answers, in a
// body and in an event in turn, and sends notifications in one stream: in that of the
// call named "flood", or in the GET stream when that of "signal" was answered.
type loaded struct {
	*httptest.Server
	events int // notifications in a stream
	signal chan struct{}

	mu    sync.Mutex
	conns map[net.Conn]bool
	made  int
}

func newLoaded(t testing.TB, events int) *loaded {
	s := &loaded{events: events, signal: make(chan struct{}), conns: map[net.Conn]bool{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Config.ConnState = func(c net.Conn, state http.ConnState) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch state {
		case http.StateNew:
			s.conns[c] = true
			s.made++
		case http.StateClosed:
			delete(s.conns, c)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *loaded) connections() (open, made int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns), s.made
}

func (s *loaded) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-s.signal:
			s.flood(w)
		case <-r.Context().Done():
		}
		<-r.Context().Done()
		return
	}
	body, _ := io.ReadAll(r.Body)
	h := wire.Scan(body)
	if h.Method != "tools/call" {
		answers(w, withBody(r, body))
		return
	}
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[{"type":"text","text":%q}]}}`, h.ID, h.Name)
	if h.ID.Num%2 == 0 && h.Name != "flood" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if h.Name == "flood" {
		s.flood(w)
	}
	_, _ = io.WriteString(w, "event: message\ndata: "+answer+"\n\n")
	if h.Name == "signal" {
		close(s.signal)
	}
}

func withBody(r *http.Request, body []byte) *http.Request {
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r
}

func (s *loaded) flood(w http.ResponseWriter) {
	for i := range s.events {
		_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":"+strconv.Itoa(i)+"}}\n\n")
	}
	_ = http.NewResponseController(w).Flush()
}

// recordedClient is a client whose log is a session file.
func recordedClient(t testing.TB, url, protocol string) (*client.Client, *history.Log) {
	log, err := history.Create(history.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return wire.DialHTTP(context.Background(), wire.HTTPOptions{URL: url, Epoch: epoch}, sink)
	}, client.Options{Name: "t", Version: "1", Protocol: protocol})
	if err := c.Connect(context.Background()); err != nil {
		t.Fatal(err)
	}
	return c, log
}

// inFlight makes n calls, 64 at a time, each of which must be answered by what answers
// it and nothing else.
func inFlight(t testing.TB, c *client.Client, from, n int) {
	var wait sync.WaitGroup
	next := make(chan string)
	for range 64 {
		wait.Go(func() {
			for name := range next {
				a, err := c.Request(context.Background(), "tools/call", client.CallParams(name, nil), client.CallOptions{Force: true})
				if err != nil {
					t.Error(err)
					continue
				}
				if raw, err := c.Result(a); err != nil || !bytes.Contains(raw, []byte(`"text":"`+name+`"`)) {
					t.Errorf("%s was answered by %s, %v", name, raw, err)
				}
			}
		})
	}
	for i := range n {
		next <- "tool " + strconv.Itoa(from+i)
	}
	close(next)
	wait.Wait()
}

// heap is what is in use when all that can be was let go of.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Many calls at once share some connections, are answered each by its own answer, and
// leave nothing behind but the index of the log: 80 bytes a frame.
func TestManyCallsInFlightOverHTTP(t *testing.T) {
	n := 2000
	if testing.Short() || raceEnabled {
		n = 300
	}
	for _, protocol := range []string{"legacy", "modern"} {
		t.Run(protocol, func(t *testing.T) {
			s := newLoaded(t, 0)
			before := runtime.NumGoroutine()
			c, log := recordedClient(t, s.URL, protocol)
			inFlight(t, c, 0, n)
			first, frames := heap(), log.Len()
			inFlight(t, c, n, n)
			if grown, room := heap()-first, int64(log.Len()-frames)*80+256<<10; grown > room {
				t.Errorf("%d calls more left %d bytes, want at most %d", n, grown, room)
			}
			if _, made := s.connections(); made > 2*64+2 {
				t.Errorf("%d connections were made", made)
			}
			var state history.State
			state.CatchUp(log)
			if open := state.Pending(); len(open) > 0 {
				t.Errorf("%d requests have no answer", len(open))
			}
			_ = c.Close(context.Background())
			if !soon(func() bool { open, _ := s.connections(); return open == 0 && runtime.NumGoroutine() <= before }) {
				open, _ := s.connections()
				t.Errorf("%d connections are open; %d goroutines, %d before", open, runtime.NumGoroutine(), before)
			}
		})
	}
}

// soon waits for a condition for some seconds.
func soon(ok func() bool) bool {
	for limit := time.Now().Add(5 * time.Second); !ok(); runtime.Gosched() {
		if time.Now().After(limit) {
			return false
		}
	}
	return true
}

// A hundred thousand notifications in one stream, of a call's reply and of GET, are all
// in the log, in order, and in the state.
func TestManyNotificationsInOneStream(t *testing.T) {
	n := 100_000
	if testing.Short() || raceEnabled {
		n = 5000
	}
	for _, stream := range []string{"POST", "GET"} {
		t.Run(stream, func(t *testing.T) {
			s := newLoaded(t, n)
			c, log := recordedClient(t, s.URL, "legacy")
			defer func() { _ = c.Close(context.Background()) }()
			name := map[string]string{"POST": "flood", "GET": "signal"}[stream]
			if _, err := c.Request(t.Context(), "tools/call", client.CallParams(name, nil), client.CallOptions{Force: true}); err != nil {
				t.Fatal(err)
			}
			var state history.State
			came, seen := 0, uint64(0)
			for came < n {
				changed := log.Changed()
				last := log.Len()
				log.Records(seen+1, last, func(r *history.Record) bool {
					if r.Dir != wire.In || r.Kind != wire.Message || r.Method != "notifications/message" {
						return true
					}
					if !strings.HasPrefix(r.Via, stream) {
						t.Fatalf("notification %d came via %s", came, r.Via)
					}
					if raw, err := log.Bytes(r.Seq, 0, int(r.Size)); err != nil || !bytes.HasSuffix(raw, fmt.Appendf(nil, `"data":%d}}`, came)) {
						t.Fatalf("notification %d is %s, %v", came, raw, err)
					}
					came++
					return true
				})
				if seen = last; came < n {
					select {
					case <-changed:
					case <-time.After(10 * time.Second):
						t.Fatalf("%d of %d notifications came", came, n)
					}
				}
			}
			state.CatchUp(log)
			if state.Seq() < seen {
				t.Errorf("the state is at %d of %d frames", state.Seq(), seen)
			}
			if got := state.Counts().Notifications; got < n {
				t.Errorf("the state counts %d of %d notifications", got, n)
			}
		})
	}
}

// BenchmarkCallsInFlight makes 10,000 calls with 64 in flight, recorded to a session
// file, beside as many bare POSTs.
func BenchmarkCallsInFlight(b *testing.B) {
	const n = 10_000
	for _, protocol := range []string{"legacy", "modern"} {
		b.Run(protocol, func(b *testing.B) {
			s := newLoaded(b, 0)
			c, _ := recordedClient(b, s.URL, protocol)
			defer func() { _ = c.Close(context.Background()) }()
			raw := c.Preview("tools/call", client.CallParams("tool 1000", nil), client.CallOptions{})
			bare := barePost(b, s.URL, protocol, raw)
			bareInFlight(b, bare, n)
			inFlight(b, c, 0, n)
			var took [2][]time.Duration
			from := n
			first := heap()
			for b.Loop() {
				for range n / 1000 { // a little of both at a time: what else the machine does slows both
					began := time.Now()
					bareInFlight(b, bare, 1000)
					half := time.Now()
					inFlight(b, c, from, 1000)
					took[0], took[1] = append(took[0], half.Sub(began)), append(took[1], time.Since(half))
					from += 1000
				}
			}
			var median [2]float64
			for i := range took {
				slices.Sort(took[i])
				median[i] = float64(took[i][len(took[i])/2])
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median[0]/1e6, "bare-µs/call")
			b.ReportMetric(median[1]/1e6, "µs/call")
			b.ReportMetric(median[1]/median[0], "×bare-log")
			b.ReportMetric(float64(heap()-first)/float64(from-n), "left-B/call")
		})
	}
}

func bareInFlight(b *testing.B, do func() error, n int) {
	var wait sync.WaitGroup
	next := make(chan struct{})
	for range 64 {
		wait.Go(func() {
			for range next {
				if err := do(); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for range n {
		next <- struct{}{}
	}
	close(next)
	wait.Wait()
}
