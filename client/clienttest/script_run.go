package clienttest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"parley/client/wire"
)

// host is what a running script does to itself and its surroundings.
type host interface {
	sleep(time.Duration) error
	hang() error
	signal(name string) error // "SEGV"; returns only if it cannot, or as an ending
	ignoreTerm()
	grandchild(ignoreTerm bool) error
	closeStream(name string) error
	pid() int
	ready() error // our number is known
}

// run is a script that runs.
type run struct {
	script   *Script
	host     host
	in       *bufio.Reader
	out, err io.Writer

	delay time.Duration
	id    []byte // of the request taken last, as spelled
	on    map[string]string
}

// ending is the error of a step that ends the server on purpose.
type ending struct{ exit wire.Exit }

func (e *ending) Error() string { return fmt.Sprintf("ends: %+v", e.exit) }

// mismatch is the error of a step whose client did something else.
type mismatch struct {
	where string
	got   string
	err   error
}

func (m *mismatch) Error() string { return fmt.Sprintf("%s: %v\ngot %s", m.where, m.err, m.got) }

// run runs the script to its end and says how the server ends. The error is a
// *mismatch or one of reading and writing.
func (s *Script) run(h host, in io.Reader, out, stderr io.Writer) (wire.Exit, error) {
	r := &run{script: s, host: h, in: bufio.NewReaderSize(in, 64<<10), out: out, err: stderr, on: map[string]string{}}
	err := r.steps()
	var end *ending
	var miss *mismatch
	switch {
	case err == nil:
		return wire.Exit{}, nil
	case errors.As(err, &end):
		return end.exit, nil
	case errors.As(err, &miss):
		fmt.Fprintln(stderr, err)
		return wire.Exit{Code: ExitMismatch}, err
	}
	return wire.Exit{Code: 1}, err
}

func (r *run) steps() error {
	for _, s := range r.script.steps {
		err := s.do(r)
		var miss *mismatch
		if errors.As(err, &miss) {
			miss.where = fmt.Sprintf("%s:%d: %s", r.script.name, s.line, s.text)
		}
		if err != nil {
			return err
		}
	}
	for {
		line, err := r.read()
		if err != nil {
			return eofIsFine(err)
		}
		if _, err := r.serve(line); err != nil {
			return err
		}
	}
}

func eofIsFine(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// read returns the client's next line without its newline.
func (r *run) read() ([]byte, error) {
	line, err := r.in.ReadBytes('\n')
	if err != nil {
		if len(line) > 0 && errors.Is(err, io.EOF) {
			return line, nil
		}
		return nil, err
	}
	return line[:len(line)-1], nil
}

// envelope is what a script has to know of a message.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

func envelopeOf(line []byte) (m envelope) {
	_ = json.Unmarshal(line, &m) // a batch, or no JSON at all, has none
	return m
}

// serve answers what an earlier step said to be answered.
func (r *run) serve(line []byte) (served bool, err error) {
	m := envelopeOf(line)
	result, ok := r.on[m.Method]
	if !ok || m.ID == nil {
		return false, nil
	}
	return true, r.send(fmt.Sprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", m.ID, result))
}

// expect takes the client's next line, apart from those that are served.
func (r *run) expect(match func([]byte) error) error {
	for {
		line, err := r.read()
		if errors.Is(err, io.EOF) {
			return &mismatch{got: "the end of input", err: errors.New("expected another line")}
		}
		if err != nil {
			return err
		}
		wrong := match(line)
		if wrong == nil {
			if m := envelopeOf(line); m.Method != "" && m.ID != nil {
				r.id = m.ID
			}
			return nil
		}
		served, err := r.serve(line)
		if err != nil {
			return err
		}
		if !served {
			return &mismatch{got: string(line), err: wrong}
		}
	}
}

func (r *run) eof() error {
	for {
		line, err := r.read()
		if err != nil {
			return eofIsFine(err)
		}
		served, err := r.serve(line)
		if err != nil {
			return err
		}
		if !served {
			return &mismatch{got: string(line), err: errors.New("expected the end of input")}
		}
	}
}

func (r *run) echo() error {
	for {
		line, err := r.read()
		if err != nil {
			return eofIsFine(err)
		}
		if err := r.send(string(line) + "\n"); err != nil {
			return err
		}
	}
}

// withID puts the id of the request taken last in the place of $id.
func (r *run) withID(text string) (string, error) {
	if !strings.Contains(text, "$id") {
		return text, nil
	}
	if r.id == nil {
		return "", &mismatch{got: "no request before", err: errors.New("expected one: $id is its id")}
	}
	return strings.ReplaceAll(text, "$id", string(r.id)), nil
}

func (r *run) send(text string) error {
	if err := r.sleep(r.delay); err != nil {
		return err
	}
	_, err := io.WriteString(r.out, text)
	return err
}

func (r *run) complain(text string) error {
	if err := r.sleep(r.delay); err != nil {
		return err
	}
	_, err := io.WriteString(r.err, text+"\n")
	return err
}

func (r *run) sleep(d time.Duration) error {
	if d == 0 {
		return nil
	}
	return r.host.sleep(d)
}

// longLine sends a result as a line of n bytes, not counting its newline.
func (r *run) longLine(n int) error {
	head, err := r.withID(`{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"`)
	if err != nil {
		return err
	}
	const foot = "\"}]}}\n"
	fill := n - len(head) - len(foot) + 1
	if fill < 0 {
		return fmt.Errorf("line: %d bytes are too few", n)
	}
	w := bufio.NewWriterSize(r.out, 64<<10)
	_, _ = w.WriteString(head)
	some := strings.Repeat("x", 8<<10)
	for ; fill > 0; fill -= min(fill, len(some)) {
		_, _ = w.WriteString(some[:min(fill, len(some))])
	}
	_, _ = w.WriteString(foot)
	return w.Flush()
}

func (r *run) flood(n int) error {
	return many(r.out, n, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`+"\n")
}

func (r *run) stderrFlood(n int) error { return many(r.err, n, "line %d\n") }

func many(out io.Writer, n int, format string) error {
	w := bufio.NewWriterSize(out, 32<<10)
	for i := 1; i <= n; i++ {
		if _, err := fmt.Fprintf(w, format, i); err != nil {
			return err
		}
	}
	return w.Flush()
}

func (r *run) fork(ignoreTerm bool) error { return r.host.grandchild(ignoreTerm) }

func (r *run) pid(text string) error {
	if err := r.complain(fmt.Sprintf("%s %d", text, r.host.pid())); err != nil {
		return err
	}
	return r.host.ready()
}

// memory is the host of a script that runs in a goroutine.
type memory struct{ p *process }

var errKilled = errors.New("killed")

func (m memory) sleep(d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-m.p.ended:
		return errKilled
	}
}

func (m memory) hang() error {
	<-m.p.ended
	return errKilled
}

func (m memory) signal(name string) error {
	return &ending{wire.Exit{Signal: "SIG" + strings.TrimPrefix(strings.TrimSpace(name), "SIG")}}
}

func (m memory) ignoreTerm() { m.p.ignoresTerm.Store(true) }

func (m memory) grandchild(ignoreTerm bool) error {
	kind := child
	if ignoreTerm {
		kind = stubbornChild
	}
	m.p.child.Store(kind)
	_, err := io.WriteString(m.p.err, "grandchild 0\n")
	return err
}

func (m memory) closeStream(name string) error {
	switch name {
	case "stdin":
		m.p.stdin.stop()
	case "stdout":
		m.p.out.end()
	case "stderr":
		m.p.err.end()
	}
	return nil
}

func (memory) pid() int     { return 0 }
func (memory) ready() error { return nil }
