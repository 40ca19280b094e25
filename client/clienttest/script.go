package clienttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/client/wire"
)

// ExitMismatch is the exit status of a scripted server whose client did not do
// what the script expects.
const ExitMismatch = 97

// Script is the behaviour of a server. It can be run any number of times, also
// at once.
type Script struct {
	name  string
	steps []step
}

type step struct {
	line int
	text string
	do   doer
}

// LoadScript reads a script from a file.
func LoadScript(file string) (*Script, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ParseScript(file, text)
}

// ParseScript reads a script; errors begin with name and line.
func ParseScript(name string, text []byte) (*Script, error) {
	s := &Script{name: name}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimLeft(line, " \t")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		parse, ok := steps[strings.TrimRight(word, "\r")]
		if !ok {
			return nil, fmt.Errorf("%s:%d: unknown step %q", name, i+1, word)
		}
		do, err := parse(rest)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		s.steps = append(s.steps, step{line: i + 1, text: line, do: do})
	}
	return s, nil
}

// Pipe runs the script in memory and returns the connection to it. What does
// not match is told on the server's standard error.
func (s *Script) Pipe(sink wire.Sink, epoch int) *wire.Stdio {
	conn, _ := s.pipe(sink, epoch)
	return conn
}

func (s *Script) pipe(sink wire.Sink, epoch int) (*wire.Stdio, <-chan error) {
	p := newProcess()
	result := make(chan error, 1)
	go func() {
		exit, err := s.run(memory{p}, p.stdin, p.out, p.err)
		result <- err
		p.end(exit)
	}()
	return p.attach(sink, epoch), result
}

// Connect runs a script in memory for a test, which fails if the script is
// wrong or the client does not do what it says. At the end of the test the
// server is killed if it still runs.
func Connect(t testing.TB, script string, sink wire.Sink, epoch int) *wire.Stdio {
	t.Helper()
	s, err := ParseScript("script", []byte(script))
	if err != nil {
		t.Fatal(err)
	}
	conn, result := s.pipe(sink, epoch)
	t.Cleanup(func() {
		conn.Kill()
		<-conn.Done()
		var m *mismatch
		if err := <-result; errors.As(err, &m) {
			t.Error(err)
		}
	})
	return conn
}

type doer = func(*run) error

// steps reads what follows the first word of a step.
var steps = map[string]func(rest string) (doer, error){
	">":               parseExpect,
	">=":              text(expectExact),
	"eof":             plain((*run).eof),
	"<":               text(func(s string) doer { return sending(s, "\n") }),
	"<crlf":           text(func(s string) doer { return sending(s, "\r\n") }),
	"<!":              text(sendingBytes),
	"answer":          answering("result"),
	"fail":            answering("error"),
	"stray":           text(func(s string) doer { return func(r *run) error { return r.send(s + "\n") } }),
	"stderr":          text(func(s string) doer { return func(r *run) error { return r.complain(s) } }),
	"line":            counted((*run).longLine),
	"flood":           counted((*run).flood),
	"stderr-flood":    counted((*run).stderrFlood),
	"sleep":           timed((*run).sleep),
	"delay":           timed(func(r *run, d time.Duration) error { r.delay = d; return nil }),
	"exit":            counted(func(_ *run, n int) error { return &ending{wire.Exit{Code: n}} }),
	"signal":          text(func(s string) doer { return func(r *run) error { return r.host.signal(s) } }),
	"close":           parseClose,
	"hang":            plain(func(r *run) error { return r.host.hang() }),
	"on":              parseOn,
	"echo":            plain((*run).echo),
	"ignore-term":     plain(func(r *run) error { r.host.ignoreTerm(); return nil }),
	"fork-grandchild": parseFork,
	"pid":             text(func(s string) doer { return func(r *run) error { return r.pid(s) } }),
}

// text is a step with any text behind it.
func text(do func(string) doer) func(string) (doer, error) {
	return func(rest string) (doer, error) { return do(rest), nil }
}

func plain(do doer) func(string) (doer, error) {
	return func(rest string) (doer, error) {
		if strings.TrimSpace(rest) != "" {
			return nil, fmt.Errorf("nothing may follow, found %q", rest)
		}
		return do, nil
	}
}

func counted(do func(*run, int) error) func(string) (doer, error) {
	return func(rest string) (doer, error) {
		n, err := strconv.Atoi(strings.TrimSpace(rest))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("expected a number, found %q", rest)
		}
		return func(r *run) error { return do(r, n) }, nil
	}
}

func timed(do func(*run, time.Duration) error) func(string) (doer, error) {
	return func(rest string) (doer, error) {
		d, err := time.ParseDuration(strings.TrimSpace(rest))
		if err != nil {
			return nil, fmt.Errorf("expected a duration such as 10ms, found %q", rest)
		}
		return func(r *run) error { return do(r, d) }, nil
	}
}

func sending(line, eol string) doer {
	return func(r *run) error {
		text, err := r.withID(line)
		if err != nil {
			return err
		}
		return r.send(text + eol)
	}
}

func answering(member string) func(string) (doer, error) {
	return func(rest string) (doer, error) {
		if !json.Valid([]byte(rest)) {
			return nil, fmt.Errorf("expected JSON, found %q", rest)
		}
		return func(r *run) error {
			text, err := r.withID(`{"jsonrpc":"2.0","id":$id,"` + member + `":`)
			if err != nil {
				return err
			}
			return r.send(text + rest + "}\n")
		}, nil
	}
}

func sendingBytes(rest string) doer {
	if text, err := strconv.Unquote(rest); err == nil && strings.HasPrefix(rest, `"`) {
		rest = text
	}
	return func(r *run) error { return r.send(rest) }
}

func parseExpect(rest string) (doer, error) {
	if rest == "" {
		return nil, errors.New("expected a message or a method")
	}
	if rest[0] != '{' && rest[0] != '[' {
		want := strings.TrimSpace(rest)
		return func(r *run) error {
			return r.expect(func(line []byte) error {
				if m := envelopeOf(line); m.Method != want {
					return fmt.Errorf("expected %s", want)
				}
				return nil
			})
		}, nil
	}
	p, err := parsePattern(rest)
	if err != nil {
		return nil, err
	}
	return func(r *run) error { return r.expect(p.match) }, nil
}

func expectExact(want string) doer {
	return func(r *run) error {
		return r.expect(func(line []byte) error {
			if !bytes.Equal(line, []byte(want)) {
				return fmt.Errorf("expected exactly %s", want)
			}
			return nil
		})
	}
}

func parseClose(rest string) (doer, error) {
	which := strings.TrimSpace(rest)
	switch which {
	case "stdin", "stdout", "stderr":
		return func(r *run) error { return r.host.closeStream(which) }, nil
	}
	return nil, fmt.Errorf("expected stdin, stdout or stderr, found %q", rest)
}

func parseOn(rest string) (doer, error) {
	method, result, _ := strings.Cut(rest, " ")
	if !json.Valid([]byte(result)) {
		return nil, fmt.Errorf("expected a method and JSON, found %q", rest)
	}
	return func(r *run) error { r.on[method] = result; return nil }, nil
}

func parseFork(rest string) (doer, error) {
	switch strings.TrimSpace(rest) {
	case "", "ignore-term":
		return func(r *run) error { return r.fork(rest != "") }, nil
	}
	return nil, fmt.Errorf("expected nothing or ignore-term, found %q", rest)
}
