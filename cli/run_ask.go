package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"parley/script"
	"parley/ui/theme"
)

// terminalAsker puts questions of the server's to whoever runs a script, one at a
// time, on standard error and standard input. What is typed after a question was
// withdrawn answers the next one.
type terminalAsker struct {
	app   *app
	lines *plainLines
	one   sync.Mutex // a question that is being asked

	mu   sync.Mutex
	live *statusLine // may be nil
}

// setAsker lets the server's questions be asked where somebody can answer them.
func (a *app) setAsker() *terminalAsker {
	if !a.io.InTTY || !a.io.ErrTTY {
		return nil
	}
	t := &terminalAsker{app: a, lines: &plainLines{in: bufio.NewReader(a.io.In), out: a.io.Err}}
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
// withdrawn.
func (q *question) Line(label string) (string, error) { return q.t.lines.Ask(q.ctx, label) }
