package wire_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/client/clienttest"
	"parley/client/wire"
)

func TestMain(m *testing.M) {
	clienttest.Main()
	os.Exit(m.Run())
}

// conn is a connection to a script that runs as a process.
type conn struct {
	*wire.Stdio
	log *clienttest.Log
	t   *testing.T
	ctx context.Context
}

func startWith(t *testing.T, cmd wire.Command, opt wire.StdioOptions) *conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	log := &clienttest.Log{}
	opt.Epoch = 1
	s, err := wire.StartStdio(cmd, log, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Kill()
		<-s.Done()
		cancel()
	})
	return &conn{s, log, t, ctx}
}

func start(t *testing.T, script string) *conn {
	t.Helper()
	return startWith(t, clienttest.Command(t, script), wire.StdioOptions{})
}

// ended waits for the end and returns the frames.
func (c *conn) ended() []wire.Frame {
	c.t.Helper()
	select {
	case <-c.Done():
	case <-c.ctx.Done():
		c.t.Fatalf("the server did not end:\n%s", c.log)
	}
	return c.log.Frames()
}

func (c *conn) send(raw string) uint64 {
	c.t.Helper()
	seq, err := c.Send([]byte(raw), wire.ByConsole, 0)
	if err != nil {
		c.t.Fatalf("sending: %v", err)
	}
	return seq
}

// waitRaw waits for a frame from the server that begins with text.
func (c *conn) waitRaw(text string) wire.Frame {
	c.t.Helper()
	f, err := c.log.WaitFor(c.ctx, func(f *wire.Frame) bool { return f.Dir == wire.In && strings.HasPrefix(string(f.Raw), text) })
	if err != nil {
		c.t.Fatal(err)
	}
	return f
}

// event decodes an event frame.
func event(t *testing.T, f wire.Frame) wire.ConnEvent {
	t.Helper()
	e, err := wire.ParseEvent(f.Raw)
	if err != nil || f.Kind != wire.Event || f.Dir != wire.None {
		t.Fatalf("frame %d is no event: %s (%v)", f.Seq, f.Raw, err)
	}
	return e
}

// lastEvent is the exited event, which has to be the last frame.
func lastEvent(t *testing.T, frames []wire.Frame) wire.ConnEvent {
	t.Helper()
	e := event(t, frames[len(frames)-1])
	if e.Event != wire.EventExited {
		t.Fatalf("the last frame is the event %s", e.Event)
	}
	return e
}

const (
	request = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	result  = `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`
)

func TestARequestIsAnswered(t *testing.T) {
	c := start(t, "> tools/list\nanswer {\"tools\":[]}\neof\n")
	seq := c.send(request)
	c.waitRaw(result)
	if err := c.Close(c.ctx); err != nil {
		t.Fatal(err)
	}
	frames := c.log.Frames()
	if e := event(t, frames[0]); e.Event != wire.EventConnected || e.Epoch != 1 || e.PID != c.PID() || e.PID == 0 {
		t.Errorf("first event %+v", e)
	}
	if out := frames[seq-1]; out.Dir != wire.Out || out.By != wire.ByConsole || string(out.Raw) != request || out.Head.Method != "tools/list" || out.Head.ID != wire.Int(1) {
		t.Errorf("sent frame %+v", out)
	}
	if e := event(t, frames[len(frames)-2]); e.Event != wire.EventClosed {
		t.Errorf("before the end: %+v", e)
	}
	if e := lastEvent(t, frames); e.Code == nil || *e.Code != 0 || e.Signal != "" {
		t.Errorf("exit event %+v", e)
	}
	if err := c.Err(); err != nil {
		t.Errorf("a normal end has the error %v", err)
	}
	if err := c.Close(c.ctx); err != nil {
		t.Errorf("closing again: %v", err)
	}
	if _, err := c.Send([]byte(request), wire.ByConsole, 0); !errors.Is(err, wire.ErrClosed) {
		t.Errorf("sending after the end: %v", err)
	}
	if n := len(c.log.Frames()); n != len(frames) {
		t.Errorf("%d frames followed the end", n-len(frames))
	}
}

func TestLineEndingsOfAProcess(t *testing.T) {
	c := start(t, `<crlf {"jsonrpc":"2.0","method":"a"}
stray 
stray DEBUG: ready
<! "\xff\xfe\n"
<! {"jsonrpc":"2.0","method":"b"}
exit 0`)
	var got []string
	for _, f := range c.ended() {
		if f.Dir == wire.In {
			got = append(got, fmt.Sprintf("%s %s %q", f.Kind, f.EOL, f.Raw))
		}
	}
	want := []string{
		`message crlf "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}"`, `stray lf ""`, `stray lf "DEBUG: ready"`,
		`stray lf "\xff\xfe"`, `message none "{\"jsonrpc\":\"2.0\",\"method\":\"b\"}"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

func TestNothingOfAFloodIsLost(t *testing.T) {
	const n = 100_000
	c := start(t, fmt.Sprintf("stderr-flood 1000\nflood %d\nexit 0", n))
	count, errs := 0, 0
	for _, f := range c.ended() {
		switch f.Kind {
		case wire.Message:
			count++
			if want := fmt.Sprintf(`"data":%d}}`, count); !strings.HasSuffix(string(f.Raw), want) {
				t.Fatalf("notification %d is %s", count, f.Raw)
			}
		case wire.Stderr:
			errs++
		}
	}
	if count != n || errs != 1000 {
		t.Errorf("%d notifications and %d lines of standard error came", count, errs)
	}
	if a := c.log.Appends(); a > n/10 {
		t.Errorf("%d Appends for %d lines", a, n)
	}
}

func TestALineOf20MB(t *testing.T) {
	const size = 20 << 20
	c := start(t, fmt.Sprintf("> tools/list\nline %d\neof", size))
	c.send(request)
	f := c.waitRaw(`{"jsonrpc":"2.0","id":1,"result"`)
	if f.Size != size || len(f.Raw) != size || f.Kind != wire.Message || f.Head.Form != wire.Result || f.Head.ID != wire.Int(1) {
		t.Errorf("size %d, %d bytes, kind %s, head %+v", f.Size, len(f.Raw), f.Kind, f.Head)
	}
}

func TestALongFrameGoesOutWhole(t *testing.T) {
	for _, size := range []int{60 << 10, 64 << 10, wire.MaxPart, wire.MaxPart + 1, 3*wire.MaxPart + 5} {
		c := start(t, "echo")
		raw := `{"jsonrpc":"2.0","method":"x","params":["` + strings.Repeat("é", size/2)
		raw = raw[:size-3] + `"]}`
		seq := c.send(raw)
		back := c.waitRaw(`{"jsonrpc"`)
		if string(back.Raw) != raw {
			t.Errorf("%d bytes came back as %d", size, len(back.Raw))
		}
		if f := c.log.Frames()[seq-1]; string(f.Raw) != raw || f.More || f.Size != int64(size) || f.Head.Method != "x" || f.Kind != wire.Message {
			t.Errorf("%d bytes were recorded as %d of kind %s", size, len(f.Raw), f.Kind)
		}
	}
}

func TestAnyBytesCanBeSent(t *testing.T) {
	c := start(t, "echo")
	seq := c.send("not json \x00\xff\r")
	back := c.waitRaw("not json")
	if string(back.Raw) != "not json \x00\xff" || back.EOL != wire.EOLCRLF {
		t.Errorf("came back as %q, %s", back.Raw, back.EOL)
	}
	if f := c.log.Frames()[seq-1]; f.Kind != wire.Stray || string(f.Raw) != "not json \x00\xff\r" || f.EOL != wire.EOLLF {
		t.Errorf("sent frame: kind %s, %q", f.Kind, f.Raw)
	}
	c.send("")
	if _, err := c.log.WaitFor(c.ctx, func(f *wire.Frame) bool { return f.Dir == wire.In && f.Size == 0 }); err != nil {
		t.Error(err)
	}
}

func TestSendersDoNotInterleave(t *testing.T) {
	const senders, each = 8, 50
	c := start(t, "echo")
	var sending sync.WaitGroup
	for s := range senders {
		sending.Go(func() {
			for i := range each {
				fill := strings.Repeat(string(rune('a'+s)), 1+i*100)
				if _, err := c.Send([]byte(fmt.Sprintf(`{"jsonrpc":"2.0","method":"m","params":[%d,%d,"%s"]}`, s, i, fill)), wire.ByScript, 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	sending.Wait()
	if err := c.CloseSend(); err != nil {
		t.Error(err)
	}
	var sent, back []string
	for _, f := range c.ended() {
		switch f.Dir {
		case wire.Out:
			sent = append(sent, string(f.Raw))
		case wire.In:
			back = append(back, string(f.Raw))
		}
	}
	if len(sent) != senders*each || !slices.Equal(sent, back) {
		t.Errorf("%d frames were sent, %d came back, in the same order: %v", len(sent), len(back), slices.Equal(sent, back))
	}
}

func TestStderrTailBecomesTheError(t *testing.T) {
	c := start(t, "stderr-flood 30\nstderr Error: Cannot find module 'express'\n< "+result+"\nexit 7")
	frames := c.ended()
	e := lastEvent(t, frames)
	if e.Code == nil || *e.Code != 7 || len(e.Stderr) != 20 || e.Stderr[0] != "line 12" {
		t.Errorf("exit event %+v", e)
	}
	var exit *wire.ExitError
	if !errors.As(c.Err(), &exit) {
		t.Fatalf("error %v", c.Err())
	}
	if exit.Code != 7 || exit.Signal != "" || exit.Word() != "exited" || !slices.Equal(exit.Stderr, e.Stderr) {
		t.Errorf("error %+v", exit)
	}
	if !strings.HasSuffix(exit.Error(), "exited 7") || !strings.Contains(exit.Hint(), "'express'") && !strings.Contains(exit.Hint(), "express") {
		t.Errorf("%q, hint %q", exit.Error(), exit.Hint())
	}
	if n := len(frames); n != 1+31+1+1 {
		t.Errorf("%d frames", n)
	}
}

func TestAnEndThatWasNotAskedFor(t *testing.T) {
	c := start(t, "exit 0")
	c.ended()
	var exit *wire.ExitError
	if !errors.As(c.Err(), &exit) || !strings.HasSuffix(exit.Error(), "exited 0") || exit.Hint() == "" {
		t.Errorf("error %v", c.Err())
	}
	if err := c.Close(c.ctx); err != nil {
		t.Error(err)
	}
}

func TestExitStatusAfterItsInputWasClosed(t *testing.T) {
	for _, code := range []int{0, 1} {
		c := start(t, fmt.Sprintf("eof\n< %s\nexit %d", result, code))
		if err := c.CloseSend(); err != nil {
			t.Fatal(err)
		}
		frames := c.ended()
		if f := frames[1]; string(f.Raw) != result {
			t.Errorf("what it said after the end of its input: %s", f.Raw)
		}
		var exit *wire.ExitError
		if got := errors.As(c.Err(), &exit); got != (code != 0) {
			t.Errorf("exit %d: error %v", code, c.Err())
		}
		if _, err := c.Send([]byte("x"), wire.ByConsole, 0); !errors.Is(err, wire.ErrClosed) {
			t.Errorf("sending after CloseSend: %v", err)
		}
	}
}

func TestSendToAServerThatHasExited(t *testing.T) {
	c := start(t, "> a\nexit 3")
	c.send(`{"jsonrpc":"2.0","method":"a"}`)
	for {
		_, err := c.Send([]byte(request), wire.ByConsole, 0)
		if err == nil {
			continue // it may still be on its way out
		}
		var exit *wire.ExitError
		if !errors.As(err, &exit) || exit.Code != 3 {
			t.Errorf("error %v", err)
		}
		break
	}
	lastEvent(t, c.ended())
}

func TestSendToAServerThatClosedItsInput(t *testing.T) {
	c := start(t, "close stdin\nstderr closed\nhang")
	c.waitRaw("closed")
	seq, err := c.Send([]byte(request), wire.ByConsole, 0)
	var failed *wire.SendError
	if !errors.As(err, &failed) || failed.Seq != seq || failed.Hint() == "" || failed.Word() != "closed" {
		t.Errorf("error %v", err)
	}
	frames := c.log.Frames()
	if e := event(t, frames[len(frames)-1]); e.Event != wire.EventWriteFailed || e.Seq != seq || e.Text == "" {
		t.Errorf("event %+v", e)
	}
	if f := frames[seq-1]; f.Dir != wire.Out || string(f.Raw) != request {
		t.Errorf("frame %+v", f)
	}
}

func TestABlockedWriteDoesNotBlockTheEnd(t *testing.T) {
	for name, end := range map[string]func(*conn){
		"close": func(c *conn) { _ = c.Close(c.ctx) },
		"kill":  func(c *conn) { c.Kill() },
		"cancelled": func(c *conn) {
			ctx, cancel := context.WithCancel(c.ctx)
			cancel()
			_ = c.Close(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := startWith(t, clienttest.Command(t, "stderr here\nhang"), wire.StdioOptions{Grace: 20 * time.Millisecond})
			c.waitRaw("here")
			failed := make(chan error, 2)
			for range 2 { // one blocks in the write, one waits for the first
				go func() {
					_, err := c.Send(make([]byte, 4<<20), wire.ByConsole, 0)
					failed <- err
				}()
			}
			_, err := c.log.WaitFor(c.ctx, func(f *wire.Frame) bool { return f.Dir == wire.Out })
			if err != nil {
				t.Fatal(err)
			}
			end(c)
			for range 2 {
				if err := <-failed; !errors.Is(err, wire.ErrClosed) {
					t.Errorf("the blocked Send: %v", err)
				}
			}
			frames := c.ended()
			lastEvent(t, frames)
			if e := event(t, frames[len(frames)-2]); e.Event != wire.EventWriteFailed {
				t.Errorf("before the end: %+v", e)
			}
			if c.Err() != nil {
				t.Errorf("we ended it: %v", c.Err())
			}
		})
	}
}

func TestTheClockStampsFrames(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	c := startWith(t, clienttest.Command(t, "stray a\nstderr b\nexit 0"), wire.StdioOptions{Now: func() time.Time { return at }})
	for _, f := range c.ended() {
		if !f.Time.Equal(at) {
			t.Errorf("frame %d has the time %v", f.Seq, f.Time)
		}
	}
}
