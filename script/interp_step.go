package script

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"parley/client/rawjson"
)

// do does what a step says and fills its outcome.
func (in *Interp) do(ctx context.Context, step *Step, o *Outcome) error {
	switch o.Verb {
	case "tools", "resources", "templates", "prompts":
		return in.doList(ctx, o)
	case "info":
		return in.doInfo(ctx, o)
	case "ping":
		return in.doPing(ctx, step, o)
	case "schema":
		return in.doSchema(ctx, step, o)
	case "call":
		return in.doCall(ctx, step, o)
	case "read":
		return in.doRead(ctx, step, o)
	case "get":
		return in.doGet(ctx, step, o)
	case "complete":
		return in.doComplete(ctx, step, o)
	case "request":
		return in.doRequest(ctx, step, o)
	case "notify":
		return in.doNotify(ctx, step, o)
	case "raw":
		return in.doRaw(ctx, step, o)
	case "subscribe", "unsubscribe":
		return in.doSubscribe(ctx, step, o)
	case "listen":
		return in.doListen(ctx, step, o)
	case "wait":
		return in.doWait(ctx, step, o)
	case "connect":
		return in.doConnect(ctx, step)
	case "disconnect":
		return in.doDisconnect(ctx)
	case "restart":
		return in.doRestart(ctx)
	}
	return in.doHere(ctx, step, o)
}

// doHere does the steps that need no server.
func (in *Interp) doHere(ctx context.Context, step *Step, o *Outcome) (err error) {
	switch o.Verb {
	case "value":
		return in.doValue(ctx, step, o)
	case "expect":
		return in.doExpect(ctx, step)
	case "echo":
		words, err := in.texts(ctx, step.Words)
		o.Text = strings.Join(words, " ")
		return err
	case "set":
		return in.doSet(ctx, step, o)
	case "sleep":
		return in.doSleep(ctx, step)
	case "help":
		return in.doHelp(ctx, step, o)
	}
	return &usageError{o.Verb + " cannot be done here", ""}
}

// texts are the words of a step as text.
func (in *Interp) texts(ctx context.Context, words []Word) ([]string, error) {
	eval := in.evaluator(ctx)
	out := make([]string, len(words))
	for i, w := range words {
		text, err := w.Text(eval)
		if err != nil {
			return nil, err
		}
		out[i] = text
	}
	return out, nil
}

// readFlags gives an outcome the texts of its step's flags.
func (in *Interp) readFlags(ctx context.Context, step *Step, o *Outcome) error {
	if len(step.Flags) == 0 {
		return nil
	}
	o.Flags = make(map[string]string, len(step.Flags))
	for name, w := range step.Flags {
		text, err := w.Text(in.evaluator(ctx))
		if err != nil {
			return err
		}
		o.Flags[name] = text
	}
	return nil
}

func has(step *Step, flag string) bool {
	if step == nil {
		return false
	}
	_, ok := step.Flags[flag]
	return ok
}

// doValue is an expression on a line of its own, and let x = $y or let x := json.
// Several values are shown one after the other.
func (in *Interp) doValue(ctx context.Context, step *Step, o *Outcome) error {
	switch {
	case step.Expr == nil && len(step.Words) > 0:
		raw, err := step.Words[0].JSON(in.evaluator(ctx))
		o.Value = raw
		return err
	case step.Expr == nil:
		o.Value = step.Raw
		return nil
	case step.Let != "":
		raw, err := in.evaluator(ctx)(step.Expr)
		o.Value = raw
		return err
	}
	if step.Expr.Path != nil || step.Expr.Duration {
		values, there, err := in.values(ctx, step.Expr)
		if err == nil && !there {
			in.opt.Host.Note("warning", in.absent(step.Expr))
		}
		o.Value = first(values)
		return err
	}
	if err := in.known(step.Expr); err != nil {
		return err
	}
	show := func() error { // a value behind which something came: the last one is shown as any step's
		if o.Value == nil || step.Want == Failure {
			return nil
		}
		return in.opt.Host.Show(o)
	}
	err := in.eachValue(ctx, step.Expr, func(raw json.RawMessage) error {
		failed := show()
		o.Value = raw
		return failed
	})
	if err != nil {
		return cmp.Or(show(), err)
	}
	return nil
}

// elements are what for goes over: the elements of a list, or all values where an
// expression gives several.
func (in *Interp) elements(ctx context.Context, e *Expr) ([]json.RawMessage, error) {
	values, there, err := in.values(ctx, e)
	if err != nil {
		return nil, err
	}
	if len(values) != 1 {
		return values, nil
	}
	if !there {
		return nil, &QueryError{Pos: e.Pos, Expr: e.Source, Offset: -1, Err: errors.New("a list was expected, and nothing is there")}
	}
	var list []json.RawMessage
	err = rawjson.Elements(values[0], func(_ int, raw []byte) bool {
		list = append(list, raw)
		return true
	})
	if err != nil {
		return nil, &QueryError{Pos: e.Pos, Expr: e.Source, Offset: -1, Err: fmt.Errorf("a list was expected, found %s", kindName(values[0]))}
	}
	return list, nil
}

func (in *Interp) doSleep(ctx context.Context, step *Step) error {
	words, err := in.texts(ctx, step.Words)
	if err != nil {
		return err
	}
	d, err := ParseDuration(strings.Join(words, " "))
	if err != nil {
		return err
	}
	clock := time.NewTimer(d)
	defer clock.Stop()
	select {
	case <-clock.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (in *Interp) doHelp(ctx context.Context, step *Step, o *Outcome) error {
	words, err := in.texts(ctx, step.Words)
	if err != nil {
		return err
	}
	var b strings.Builder
	err = Help(&b, strings.Join(words, " "))
	o.Text = b.String()
	return err
}

// doSet changes a setting. What shapes the handshake holds from the next one, which
// is said.
func (in *Interp) doSet(ctx context.Context, step *Step, o *Outcome) error {
	words, err := in.texts(ctx, step.Words)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return &usageError{"set changes a setting", "set timeout 20s"}
	}
	o.Name = words[0]
	if err := SetOption(&in.settings, words[0], strings.Join(words[1:], " "), in.opt.Answers); err != nil {
		return &placedError{step.Words[len(step.Words)-1].Pos, err}
	}
	if in.link == nil {
		return nil
	}
	in.link.Client.Reshape(in.settings.Apply)
	if o.Name == "log-level" {
		o.Link = in.link
		return in.setLogLevel(ctx)
	}
	if text := in.later(o.Name); text != "" && words[len(words)-1] != policyNone {
		in.opt.Host.Note("", text)
	}
	return nil
}

// later says what of a setting does not hold yet, "" if all does.
func (in *Interp) later(name string) string {
	s, ok := setting(name)
	capabilities := in.link.Client.Capabilities()
	if !ok || s.Late || in.link.Client.HandsOff() || ended(in.link) != nil {
		return ""
	}
	if s.declares == "" {
		return name + " holds from the next connect or restart"
	}
	if _, declared := rawjson.Get(capabilities, s.declares); declared {
		return ""
	}
	return s.declares + " was not declared to this server: " + name + " holds from the next connect or restart"
}
