package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"parley/script"
	"parley/ui/prompt"
	"parley/ui/theme"
)

// begun connects, so that completion knows what there is.
func (r *repl) begun(ctx context.Context) {
	if r.target == nil {
		r.told("no target yet: connect NAME or connect COMMAND … names one; help lists the commands")
		return
	}
	if step, err := script.ParseLine("connect"); err == nil {
		r.do(ctx, step, 0)
	}
}

// greet says to whom the lines go.
func (r *repl) greet() {
	l := r.in.Link()
	if l == nil || !r.person {
		return
	}
	r.learn(l.Client, false)
	info, ok := l.Client.Server()
	if !ok {
		return
	}
	text := fmt.Sprintf("%s %s · %s", info.ServerName, info.ServerVersion, info.ProtocolVersion)
	if !r.greeted {
		text += " · type help; ctrl+d leaves"
	}
	r.greeted = true
	r.told(theme.Safe(text))
}

var _ script.Questioner = (*personAsked)(nil)

// personAsked is a question of the server's being put to whoever types.
type personAsked struct {
	r   *repl
	ctx context.Context
}

// Say implements [script.Questioner].
func (q *personAsked) Say(text string) { fmt.Fprintln(q.r.io.Err, theme.Safe(text)) }

// Line implements [script.Questioner]. ctrl+c is the end of what is typed.
func (q *personAsked) Line(label string) (string, error) {
	text, err := q.r.lines.Ask(q.ctx, label)
	if errors.Is(err, prompt.ErrInterrupted) {
		err = io.EOF
	}
	return text, err
}

// askPerson puts a question of the server's to whoever types, one at a time.
func (r *repl) askPerson(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	r.asking.Lock()
	defer r.asking.Unlock()
	return script.AskPerson(ctx, &personAsked{r, ctx}, method, params)
}
