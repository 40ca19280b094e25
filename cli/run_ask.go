package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"parley/script"
	"parley/ui/theme"
)

// terminalAsker puts questions of the server's to whoever runs a script, one at a
// time, on standard error and standard input.
type terminalAsker struct {
	app *app
	one sync.Mutex // a question that is being asked

	mu    sync.Mutex
	live  *statusLine // may be nil
	lines chan typed  // nil until somebody reads
	want  chan struct{}
	owed  bool // a line was asked for, and whoever did is gone
}

type typed struct {
	text string
	err  error
}

// setAsker lets the server's questions be asked where somebody can answer them.
func (a *app) setAsker() *terminalAsker {
	if !a.io.InTTY || !a.io.ErrTTY {
		return nil
	}
	t := &terminalAsker{app: a}
	a.asker = t.ask
	return t
}

// beside keeps a line that changes in place away while something is asked.
func (t *terminalAsker) beside(s *statusLine) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.live = s
}

func (t *terminalAsker) ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	t.one.Lock()
	defer t.one.Unlock()
	t.mu.Lock()
	live := t.live
	t.mu.Unlock()
	if live != nil {
		live.hold(true)
		defer live.hold(false)
	}
	return script.AskPerson(ctx, &question{t, ctx}, method, params)
}

// question is one question being asked.
type question struct {
	t   *terminalAsker
	ctx context.Context
}

// Say implements [script.Questioner].
func (q *question) Say(text string) { fmt.Fprintln(q.t.app.io.Err, theme.Safe(text)) }

// Line implements [script.Questioner]. It returns early when the question is
// withdrawn; what is typed then answers the next one.
func (q *question) Line(prompt string) (string, error) {
	fmt.Fprint(q.t.app.io.Err, theme.Safe(prompt))
	lines := q.t.next()
	select {
	case l := <-lines:
		q.t.got()
		return l.text, l.err
	case <-q.ctx.Done():
		fmt.Fprintln(q.t.app.io.Err)
		return "", context.Cause(q.ctx)
	}
}

// next asks for a line of standard input, unless one is owed already.
func (t *terminalAsker) next() <-chan typed {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lines == nil {
		t.lines, t.want = make(chan typed, 1), make(chan struct{}, 1)
		go t.read(bufio.NewReader(t.app.io.In))
	}
	if !t.owed {
		t.owed = true
		t.want <- struct{}{}
	}
	return t.lines
}

func (t *terminalAsker) got() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.owed = false
}

// read reads a line for each that is wanted. It ends with the program: a read of a
// terminal cannot be interrupted.
func (t *terminalAsker) read(in *bufio.Reader) {
	for range t.want {
		text, err := in.ReadString('\n')
		if err != nil && !(errors.Is(err, io.EOF) && text != "") {
			t.lines <- typed{"", err}
			continue
		}
		t.lines <- typed{strings.TrimRight(text, "\r\n"), nil}
	}
}
