package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/script"
)

func TestFlagsBetweenFileAndTarget(t *testing.T) {
	for line, want := range map[string]struct {
		target string
		forced bool
		quiet  bool
	}{
		"":                      {"", false, false},
		"node server.js":        {"node server.js", false, false},
		"node -q":               {"node -q", false, false},
		"-q node -q":            {"node -q", false, true},
		"-q -- node -q":         {"node -q", true, true},
		"-- node -q":            {"node -q", true, false},
		"-- -q":                 {"-q", true, false},
		"-- -- node":            {"-- node", true, false},
		"node -- x":             {"node -- x", false, false},
		"--":                    {"", true, false},
		"--timeout=3s -q node":  {"node", false, true},
		"--timeout 3s -- -q -q": {"-q -q", true, false},
	} {
		t.Run(line, func(t *testing.T) {
			a := bare(t)
			c := a.root()
			run, _, _ := c.Find([]string{"run"})
			run.InitDefaultHelpFlag()
			_ = run.ParseFlags([]string{"FILE"}) // as cobra has done before
			target, forced, _, err := betweenFlags(run, strings.Fields(line))
			if got := strings.Join(target, " "); err != nil || got != want.target || forced != want.forced || a.quiet != want.quiet {
				t.Errorf("target %q, forced %v, quiet %v, %v, want %+v", got, forced, a.quiet, err, want)
			}
		})
	}
	a := bare(t)
	run, _, _ := a.root().Find([]string{"run"})
	run.InitDefaultHelpFlag()
	_ = run.ParseFlags([]string{"FILE"})
	if _, _, help, err := betweenFlags(run, []string{"--help"}); !help || err != nil {
		t.Errorf("--help: %v, %v", help, err)
	}
	if _, _, _, err := betweenFlags(run, []string{"--bogus"}); word(err) != "usage" {
		t.Errorf("--bogus: %v", err)
	}
}

func TestVariablesKeepTheirBytes(t *testing.T) {
	a := bare(t)
	t.Setenv("CONTEXT", `{"a":1,"b":1.0,"client-id":"x"}`)
	vars, err := a.readVars([]string{`{"a":9007199254740993}`, `{ "c" : [1, 2e2] }`}, []string{"NOTSET", "CONTEXT"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "9007199254740993", "b": "1.0", "c": "[1,2e2]", "client-id": `"x"`} {
		if got := string(vars[name]); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for _, wrong := range []string{"", "nonsense", "[1]", `"x"`, `{"a":}`, "@", "@nosuch"} {
		if _, err := a.readVars([]string{wrong}, nil); word(err) != "usage" || hint(err) == "" {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// parsed is a script of lines.
func parsed(t *testing.T, lines ...string) *script.Script {
	t.Helper()
	s, err := script.Parse("test.mcp", []byte(strings.Join(lines, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhichStepNeedsATarget(t *testing.T) {
	for script, want := range map[string]string{
		"echo hi":                                 "",
		"echo hi\ntools":                          "tools",
		"tools\nconnect server":                   "tools",
		"connect server\ntools":                   "",
		"connect\ntools":                          "connect",
		"let x := [1]\nfor i in $x : call t":      "call t",
		"let x := [1]\nfor i in $x : echo $i":     "",
		"connect -s n\nlet x := [1]\n! ping":      "",
		"- ping":                                  "- ping",
		"let x = call t a=1":                      "let x = call t a=1",
		`{"jsonrpc":"2.0","id":1,"method":"x"}`:   `{"jsonrpc":"2.0","id":1,"method":"x"}`,
		"set timeout 1s\nsleep 1ms\nexpect 1 < 2": "",
	} {
		got := ""
		if s := needsTarget(parsed(t, strings.Split(script, "\n")...).Steps); s != nil {
			got = s.Source
		}
		if got != want {
			t.Errorf("%q: %q needs a target, want %q", script, got, want)
		}
	}
}

// screen is a terminal that a test looks at.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// take gives what was written since the last time.
func (s *screen) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.b.Reset()
	return s.b.String()
}

func TestProgressOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w screen
		s := newStatusLine(&w, 12)
		out := s.around(&w)
		wait := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		s.step(3, "call echo text=hi\x1b[31m")
		if wait(50 * time.Millisecond); w.take() != "" {
			t.Error("a line for a step that has just begun")
		}
		wait(60 * time.Millisecond)
		if got := w.take(); got != "\r  step 3 of 12  0.1 s  call echo text=hi␛[31m\x1b[K" {
			t.Errorf("painted %q", got)
		}
		wait(300 * time.Millisecond)
		if got := w.take(); !strings.HasSuffix(got, " step 3 of 12  0.4 s  call echo text=hi␛[31m\x1b[K") || !strings.ContainsAny(got, string(spinner)) {
			t.Errorf("after 300 ms: %q", got)
		}
		_, _ = io.WriteString(out, "done\n")
		if got := w.take(); got != "\r\x1b[Kdone\n" {
			t.Errorf("output: %q", got)
		}
		_, _ = io.WriteString(out, "no line end")
		w.take()
		if wait(time.Second); w.take() != "" {
			t.Error("painted over a line that is not complete")
		}
		_, _ = io.WriteString(out, "\n")
		s.hold(true)
		w.take()
		if wait(time.Second); w.take() != "" {
			t.Error("painted while somebody is asked")
		}
		s.hold(false)
		s.rest()
		wait(200 * time.Millisecond)
		if got := w.take(); strings.ContainsAny(got, string(spinner)) || !strings.Contains(got, "step 3 of 12") {
			t.Errorf("between two steps: %q", got)
		}
		s.end()
		if got := w.take(); got != "\r\x1b[K" {
			t.Errorf("at the end: %q", got)
		}
	})
}

func TestProgressInLines(t *testing.T) {
	var err bytes.Buffer
	a := bare(t)
	a.io.Err = &err
	s := parsed(t, "echo a", "for i in $env.LIST : echo $i", "echo b")
	tell := newTeller(a, s)
	for _, step := range tell.order {
		tell.started(step)
		tell.finished(ran{text: step.Source, took: 12 * time.Millisecond, status: ranStatus(0)}, step)
	}
	tell.finished(ran{text: "echo b\x1b[31m", took: 2 * time.Second, status: ranFailed}, s.Steps[2])
	tell.stop()
	want := "ok  1  echo a  12 ms\nok  2  for i in $env.LIST : echo $i  12 ms\nok  3  echo $i  12 ms\nok  4  echo b  12 ms\nFAIL  4  echo b␛[31m  2.0 s\n"
	if err.String() != want {
		t.Errorf("got\n%swant\n%s", err.String(), want)
	}
	if rest := tell.after(s.Steps[1]); len(rest) != 2 || rest[1] != s.Steps[2] {
		t.Errorf("after the second: %v", rest)
	}
	if rest := tell.after(nil); !slices.Equal(rest, tell.order) {
		t.Errorf("before the first: %v", rest)
	}
}

func TestTimeSpent(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.00 ms", 1500 * time.Microsecond: "1.5 ms", 12 * time.Millisecond: "12 ms", 1500 * time.Millisecond: "1.5 s", 90 * time.Second: "1m30s",
	} {
		if got := spent(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

// A question is asked once at a time; what is typed after it was withdrawn answers
// the next one.
func TestQuestionsOfTheServerAreAskedOnTheTerminal(t *testing.T) {
	in, typing := io.Pipe()
	var said screen
	a := bare(t)
	a.io = Streams{In: in, Err: &said, InTTY: true, ErrTTY: true}
	asker := a.setAsker()
	if asker == nil || a.asker == nil {
		t.Fatal("nobody is asked")
	}
	withdrawn, withdraw := context.WithCancelCause(t.Context())
	q := &question{asker, withdrawn}
	first := make(chan error, 1)
	go func() {
		_, err := q.Line("name? ")
		first <- err
	}()
	withdraw(errors.New("gone"))
	if err := <-first; err == nil || err.Error() != "gone" {
		t.Fatalf("a question that was withdrawn: %v", err)
	}
	go func() { _, _ = io.WriteString(typing, "Ann\r\nBob\n") }()
	q = &question{asker, t.Context()}
	for _, want := range []string{"Ann", "Bob"} {
		if got, err := q.Line("\x1b[31mname? "); got != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	_ = typing.Close()
	if _, err := q.Line("name? "); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	if got := said.take(); strings.Contains(got, "\x1b") || strings.Count(got, "name? ") != 4 {
		t.Errorf("said %q", got)
	}
	a.io.InTTY, a.asker = false, nil
	if a.setAsker() != nil || a.asker != nil {
		t.Error("somebody is asked who cannot answer")
	}
}
