package ui

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"parley/client/wire"
	"parley/history"
)

// terminal is where a program under test reads keys and writes its pictures.
type terminal struct {
	t    *testing.T
	keys *io.PipeWriter
	mu   sync.Mutex
	out  strings.Builder
	more chan struct{} // closed when out grows
}

// Write takes what the program prints.
func (x *terminal) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.out.Write(p)
	close(x.more)
	x.more = make(chan struct{})
	return len(p), nil
}

// until waits until the program has printed text.
func (x *terminal) until(text string) {
	x.t.Helper()
	late := time.After(10 * time.Second)
	x.mu.Lock()
	for {
		out, more := x.out.String(), x.more
		x.mu.Unlock()
		if strings.Contains(out, text) {
			return
		}
		select {
		case <-more:
		case <-late:
			x.t.Fatalf("%q was not printed, but %q", text, out)
		}
		x.mu.Lock()
	}
}

// types sends keys as a terminal does.
func (x *terminal) types(keys string) {
	x.t.Helper()
	if _, err := io.WriteString(x.keys, keys); err != nil {
		x.t.Fatal(err)
	}
}

// restored fails unless the terminal is as it was before.
func (x *terminal) restored() {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	out := x.out.String()
	for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?1002h": "\x1b[?1002l", "\x1b[?2004h": "\x1b[?2004l"} {
		if at := strings.LastIndex(out, on); at < 0 || !strings.Contains(out[at:], off) {
			x.t.Errorf("%q was not undone by %q", on, off)
		}
	}
}

// ran is how a program ended.
type ran struct {
	session *Session
	err     error
}

// program runs the weather server's screen on a terminal of 80x24.
func program(t *testing.T, ctx context.Context, opt Options) (*terminal, <-chan ran, string) {
	t.Helper()
	dir := t.TempDir()
	session := setup{}.session(t, dir)
	opt.Session = session
	in, keys := io.Pipe()
	x := &terminal{t: t, keys: keys, more: make(chan struct{})}
	t.Cleanup(func() { _ = keys.Close() })
	done := make(chan ran, 1)
	go func() {
		s, err := run(ctx, opt, tea.WithInput(in), tea.WithOutput(x), tea.WithWindowSize(80, 24),
			tea.WithColorProfile(colorprofile.NoTTY), tea.WithoutSignals())
		done <- ran{s, err}
	}()
	x.until("Add two numbers.")
	return x, done, filepath.Join(dir, session.Log.Path())
}

// end waits for the program's end.
func end(t *testing.T, done <-chan ran) ran {
	t.Helper()
	select {
	case r := <-done:
		return r
	case <-time.After(10 * time.Second):
		t.Fatal("the program does not end")
	}
	return ran{}
}

// complete fails unless the session was ended in order and can be read again.
func complete(t *testing.T, s *Session, file string) {
	t.Helper()
	log := s.Log
	if seq := log.Append([]wire.Frame{{Raw: []byte("late")}}); seq != 0 {
		t.Error("the session's file was not closed")
	}
	again, err := history.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if again.Torn() != "" || again.Len() != log.Len() {
		t.Errorf("%d of %d frames are in the file; torn: %q", again.Len(), log.Len(), again.Torn())
	}
	raw, err := again.Bytes(again.Len(), 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := wire.ParseEvent(raw); err != nil || e.Event != wire.EventExited {
		t.Errorf("the last frame is %s", raw)
	}
}

func TestProgramQuitsInOrder(t *testing.T) {
	dir := t.TempDir()
	memory, err := OpenMemory(filepath.Join(dir, "memory.json"))
	if err != nil {
		t.Fatal(err)
	}
	x, done, file := program(t, t.Context(), Options{Memory: memory})
	x.types("jj\r\rNY")
	x.until(`Y"}`)    // its end: what is painted after each letter is only what changed
	x.types("\x1bqq") // out of the field, back to the list, away
	x.until("The server will be ended")
	x.types("y")
	r := end(t, done)
	if r.err != nil || r.session == nil {
		t.Fatalf("ended with %v, %v", r.session, r.err)
	}
	x.restored()
	complete(t, r.session, file)
	again, err := OpenMemory(filepath.Join(dir, "memory.json"))
	if err != nil || !strings.Contains(string(again.Form("weather", "tools/call get_alerts")), "NY") {
		t.Errorf("what was typed is lost: %v", err)
	}
}

func TestProgramFollowsTheSizeOfTheTerminal(t *testing.T) {
	x, done, _ := program(t, t.Context(), Options{})
	x.types("\x1b[48;11;39;0;0t") // a terminal tells its new size
	x.until("parley needs 40×12 cells")
	x.types("\x1b[48;34;110;0;0t")
	x.until("5 console")
	x.types("\x03")
	if r := end(t, done); r.err != nil {
		t.Error(r.err)
	}
	x.restored()
}

func TestAPanicRestoresTheTerminalAndEndsTheSession(t *testing.T) {
	x, done, file := program(t, t.Context(), Options{Editor: func(string) (string, []string) { panic("on purpose") }})
	x.types("\r\x0f")
	r := end(t, done)
	if !errors.Is(r.err, tea.ErrProgramPanic) {
		t.Errorf("ended with %v", r.err)
	}
	x.restored()
	complete(t, r.session, file)
}

func TestASignalEndsTheSession(t *testing.T) {
	terminated := errors.New("terminated")
	ctx, cancel := context.WithCancelCause(t.Context())
	x, done, file := program(t, ctx, Options{})
	cancel(terminated)
	r := end(t, done)
	if !errors.Is(r.err, terminated) {
		t.Errorf("ended with %v", r.err)
	}
	x.restored()
	complete(t, r.session, file)
}
