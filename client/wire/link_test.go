package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/client/clienttest"
	"parley/client/wire"
)

// connection is what all connections have, as package client wants it.
type connection interface {
	Send(raw []byte, by wire.Origin, of uint64) (seq uint64, err error)
	CloseSend() error
	Close(ctx context.Context) error
	Done() <-chan struct{}
	Err() error
}

// live is a connection to a script behind a socket.
type live struct {
	connection
	log *clienttest.Log
	url string
	t   testing.TB
	ctx context.Context
}

// transports are the ways to a script behind a socket.
var transports = []struct {
	name   string
	listen func(t testing.TB, script string) string
}{
	{wire.TransportTCP, clienttest.ListenTCP},
	{wire.TransportUnix, clienttest.ListenUnix},
	{wire.TransportWS, clienttest.ListenWebSocket},
}

// over runs a test over each transport.
func over(t *testing.T, script string, test func(t *testing.T, c *live)) {
	t.Helper()
	for _, tr := range transports {
		t.Run(tr.name, func(t *testing.T) {
			test(t, dial(t, tr.listen(t, script)))
		})
	}
}

// dial connects by URL. Whatever a test leaves open is closed at its end.
func dial(t testing.TB, url string) *live {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	log := &clienttest.Log{}
	conn, err := open(ctx, url, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		now, stop := context.WithCancel(context.Background())
		stop()
		_ = conn.Close(now)
	})
	return &live{conn, log, url, t, ctx}
}

func open(ctx context.Context, url string, sink wire.Sink) (connection, error) {
	if strings.HasPrefix(url, "ws") {
		return wire.DialWebSocket(ctx, url, wire.WebSocketOptions{Epoch: 1}, sink)
	}
	network, address, err := wire.StreamAddress(url)
	if err != nil {
		return nil, err
	}
	return wire.DialStream(ctx, network, address, wire.StreamOptions{Epoch: 1}, sink)
}

func (l *live) send(raw string) uint64 {
	l.t.Helper()
	seq, err := l.Send([]byte(raw), wire.ByConsole, 0)
	if err != nil {
		l.t.Fatalf("sending: %v", err)
	}
	return seq
}

// received waits for a message, or stray bytes, that begin with text.
func (l *live) received(text string) wire.Frame {
	l.t.Helper()
	f, err := l.log.WaitFor(l.ctx, func(f *wire.Frame) bool {
		return f.Dir == wire.In && f.Kind != wire.HTTP && strings.HasPrefix(string(f.Raw), text)
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return f
}

// ended waits for the end and returns the frames, without those of an upgrade, and the
// last event.
func (l *live) ended() ([]wire.Frame, wire.ConnEvent) {
	l.t.Helper()
	select {
	case <-l.Done():
	case <-l.ctx.Done():
		l.t.Fatalf("the connection did not end:\n%s", l.log)
	}
	frames := slices.DeleteFunc(l.log.Frames(), func(f wire.Frame) bool { return f.Kind == wire.HTTP })
	e, err := wire.ParseEvent(frames[len(frames)-1].Raw)
	if err != nil {
		l.t.Fatalf("the last frame is no event:\n%s", l.log)
	}
	return frames, e
}

func (l *live) close() {
	l.t.Helper()
	if err := l.Close(l.ctx); err != nil {
		l.t.Fatal(err)
	}
}

// disconnected is the error of an end that was not ours.
func (l *live) disconnected() *wire.DisconnectedError {
	l.t.Helper()
	_, e := l.ended()
	var d *wire.DisconnectedError
	if !errors.As(l.Err(), &d) || e.Event != wire.EventDisconnected || e.Text != d.Error() || d.URL != l.url || d.Word() != "disconnected" {
		l.t.Fatalf("last event %+v, error %v", e, l.Err())
	}
	if !strings.Contains(d.Hint(), "restart") {
		l.t.Errorf("hint %q", d.Hint())
	}
	return d
}

func TestAnExchangeOverASocket(t *testing.T) {
	over(t, "> tools/list\nanswer {\"tools\":[]}\neof\n", func(t *testing.T, c *live) {
		seq := c.send(request)
		in := c.received(result)
		c.close()
		frames, last := c.ended()
		first := event(t, frames[0])
		via := frames[1].Via
		if first.Event != wire.EventConnected || first.Epoch != 1 || first.URL != c.url || first.Transport != via || !strings.HasPrefix(c.url, via) {
			t.Errorf("first event %+v", first)
		}
		out := c.log.Frames()[seq-1]
		if out.Dir != wire.Out || out.By != wire.ByConsole || string(out.Raw) != request || out.Head.ID != wire.Int(1) || in.Via != via || in.Head.ID != wire.Int(1) {
			t.Errorf("sent %+v\nreceived %+v", out, in)
		}
		if last.Event != wire.EventClosed || c.Err() != nil || len(frames) != 4 {
			t.Errorf("the end: %+v, error %v, frames\n%s", last, c.Err(), c.log)
		}
		c.close()
		if seq, err := c.Send([]byte(request), wire.ByConsole, 0); !errors.Is(err, wire.ErrClosed) || seq != 0 {
			t.Errorf("sending after the end: %d, %v", seq, err)
		}
		if now, _ := c.ended(); len(now) != len(frames) {
			t.Errorf("frames followed the end:\n%s", c.log)
		}
	})
}

func TestAServerThatEndsTheConnection(t *testing.T) {
	over(t, "> tools/list\nexit 0", func(t *testing.T, c *live) {
		c.send(request)
		d := c.disconnected()
		if d.Cut || d.Err != nil {
			t.Errorf("error %+v", d)
		}
		if seq, err := c.Send([]byte(request), wire.ByConsole, 0); !errors.Is(err, error(d)) || seq != 0 {
			t.Errorf("sending after the end: %d, %v", seq, err)
		}
		c.close()
		if c.Err() == nil {
			t.Error("closing afterwards changed how it ended")
		}
	})
}

// sent are messages of all kinds of bytes; an echo gives them back.
var sent = []string{request, "", " ", "no JSON", "{\"jsonrpc\":\"2.0\"", "\xff\xfe\x00\r\t", `["a"]`, `{"jsonrpc":"2.0","method":"é 😀"}`, strings.Repeat("x", 200_000)}

func TestAllKindsOfBytesOverASocket(t *testing.T) {
	over(t, "echo", func(t *testing.T, c *live) {
		for _, raw := range sent {
			c.send(raw)
		}
		c.send("last")
		c.received("last")
		var out, in []string
		for _, f := range c.log.Frames() {
			switch {
			case f.Kind == wire.HTTP:
			case f.Dir == wire.Out:
				out = append(out, fmt.Sprintf("%s %q", f.Kind, f.Raw))
			case f.Dir == wire.In:
				in = append(in, fmt.Sprintf("%s %q", f.Kind, f.Raw))
			}
		}
		if !slices.Equal(out, in) || len(out) != len(sent)+1 {
			t.Errorf("sent     %.400s\nreceived %.400s", out, in)
		}
		c.close()
	})
}

func TestALargeMessageBothWays(t *testing.T) {
	long := `{"jsonrpc":"2.0","method":"a","params":"` + strings.Repeat("é", 3<<20) + `"}`
	over(t, "echo", func(t *testing.T, c *live) {
		seq := c.send(long)
		back := c.received(`{"jsonrpc"`)
		if out := c.log.Frames()[seq-1]; !bytes.Equal(out.Raw, back.Raw) || string(back.Raw) != long {
			t.Errorf("sent %d bytes, received %d", out.Size, back.Size)
		}
		if back.Kind != wire.Message || back.Head.Method != "a" || back.Size != int64(len(long)) {
			t.Errorf("received %+v", back.Head)
		}
		c.close()
	})
}

// peak is a sink that measures the heap and keeps nothing.
type peak struct {
	mu    sync.Mutex
	seq   uint64
	bytes int64
	max   uint64
	parts int
}

func (p *peak) Append(frames []wire.Frame) uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := p.seq + 1
	for i := range frames {
		if frames[i].Seq == 0 {
			p.seq++
			frames[i].Seq = p.seq
		}
		if frames[i].Dir == wire.In {
			p.bytes += int64(len(frames[i].Raw))
			p.parts++
		}
	}
	if p.parts%16 == 0 {
		var m runtime.MemStats
		runtime.GC() // what is held counts, not how late it is collected
		runtime.ReadMemStats(&m)
		p.max = max(p.max, m.HeapAlloc)
	}
	return first
}

func TestMemoryStaysFlat(t *testing.T) {
	const size = 64 << 20
	for _, tr := range transports {
		t.Run(tr.name, func(t *testing.T) {
			url := tr.listen(t, fmt.Sprintf("> tools/list\nline %d\nexit 0", size))
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			sink := &peak{}
			conn, err := open(t.Context(), url, sink)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := conn.Send([]byte(request), wire.ByScript, 0); err != nil {
				t.Fatal(err)
			}
			<-conn.Done()
			if grown := int64(sink.max) - int64(before.HeapAlloc); sink.bytes < size || grown > 8<<20 {
				t.Errorf("%d bytes came, the heap grew by %d MB", sink.bytes, grown>>20)
			}
		})
	}
}

func TestAConnectionThatEndsWithinAMessage(t *testing.T) {
	over(t, "> tools/list\n<! \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\"\nsignal KILL", func(t *testing.T, c *live) {
		c.send(request)
		frames, _ := c.ended()
		cut := frames[len(frames)-2]
		if cut.Dir != wire.In || cut.Kind != wire.Stray || string(cut.Raw) != `{"jsonrpc":"2.0","id":1,` {
			t.Errorf("frames\n%s", c.log)
		}
		if d := c.disconnected(); !d.Cut || !strings.Contains(d.Error(), "in the middle of a message") {
			t.Errorf("error %v", d)
		}
	})
}

func TestCloseEndsABlockedSend(t *testing.T) {
	for _, impatient := range []bool{false, true} {
		over(t, "hang", func(t *testing.T, c *live) {
			failed := make(chan error, 2)
			for range 2 {
				go func() {
					_, err := c.Send(make([]byte, 32<<20), wire.ByScript, 0)
					failed <- err
				}()
			}
			if _, err := c.log.WaitFor(c.ctx, func(f *wire.Frame) bool { return f.Kind == wire.Stray }); err != nil {
				t.Fatal(err)
			}
			ctx := c.ctx
			if impatient {
				var stop context.CancelFunc
				ctx, stop = context.WithCancel(ctx)
				stop()
			}
			if err := c.Close(ctx); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := <-failed; !errors.Is(err, wire.ErrClosed) {
					t.Errorf("error %v", err)
				}
			}
			frames, last := c.ended()
			if e := event(t, frames[len(frames)-2]); e.Event != wire.EventWriteFailed || last.Event != wire.EventClosed || c.Err() != nil {
				t.Errorf("events %+v, %+v, error %v", e, last, c.Err())
			}
		})
	}
}

func TestWhatComesAfterCloseSendIsRead(t *testing.T) {
	over(t, "on ping {}\n> tools/list\nsleep 20ms\nanswer {\"tools\":[]}", func(t *testing.T, c *live) {
		c.send(request)
		if err := c.CloseSend(); err != nil {
			t.Fatal(err)
		}
		if seq, err := c.Send([]byte(request), wire.ByScript, 0); !errors.Is(err, wire.ErrClosed) || seq != 0 {
			t.Errorf("sending after CloseSend: %d, %v", seq, err)
		}
		c.received(result)
		c.close()
		if _, last := c.ended(); c.Err() != nil {
			t.Errorf("the end: %+v, %v", last, c.Err())
		}
	})
}

func TestAnswersThatComeWhileWeClose(t *testing.T) {
	over(t, "> tools/list\n> {\"a\":1}\nanswer {\"tools\":[]}\nflood 2000\neof", func(t *testing.T, c *live) {
		c.send(request)
		c.send(`{"a":1}`)
		c.close()
		n := 0
		for _, f := range c.log.Frames() {
			if f.Dir == wire.In && f.Kind == wire.Message {
				n++
			}
		}
		if n != 2001 {
			t.Errorf("%d of 2001 messages were read", n)
		}
	})
}

func TestFramesGoOutInTheOrderOfTheirNumbers(t *testing.T) {
	over(t, "echo", func(t *testing.T, c *live) {
		var senders sync.WaitGroup
		for i := range 8 {
			senders.Go(func() {
				for k := range 50 {
					if _, err := c.Send(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"%d.%d"}`, i, k), wire.ByScript, 0); err != nil {
						t.Error(err)
					}
				}
			})
		}
		senders.Wait()
		c.send("last")
		c.received("last")
		var out, in []string
		for _, f := range c.log.Frames() {
			switch {
			case f.Kind == wire.HTTP:
			case f.Dir == wire.Out:
				out = append(out, string(f.Raw))
			case f.Dir == wire.In:
				in = append(in, string(f.Raw))
			}
		}
		if len(out) != 401 || !slices.Equal(out, in) {
			t.Errorf("%d went out, %d came back, or in another order", len(out), len(in))
		}
		c.close()
	})
}

func TestTheContextOfDiallingBoundsOnlyThat(t *testing.T) {
	for _, tr := range transports {
		ctx, stop := context.WithCancel(t.Context())
		log := &clienttest.Log{}
		conn, err := open(ctx, tr.listen(t, "echo"), log)
		if err != nil {
			t.Fatal(err)
		}
		stop()
		bounded, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		c := &live{connection: conn, log: log, t: t, ctx: bounded}
		c.send(request)
		c.received(request)
		c.close()
	}
}

func TestConnectionsLeaveNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, script := range []string{"echo", "hang", "exit 0"} {
		over(t, script, func(t *testing.T, c *live) {
			_, _ = c.Send([]byte(request), wire.ByScript, 0)
			now, stop := context.WithCancel(c.ctx)
			stop()
			_ = c.Close(now)
		})
	}
	// What was told to end takes its moment to do so.
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 300 {
		if runtime.NumGoroutine() <= before {
			return
		}
		<-tick.C
	}
	stacks := make([]byte, 64<<10)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
}
