package script

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/itchyny/gojq"

	"parley/client"
	"parley/client/mcp"
	"parley/client/wire"
)

// Options say what a script runs with.
type Options struct {
	Host     Host
	Link     *Link                      // open already, and not closed by the interpreter; or nil
	Settings Settings                   // made before the first step
	Vars     map[string]json.RawMessage // variables that exist already, without $
	Env      func(string) (string, bool)
	By       wire.Origin // ByScript if it is ByNone
	Force    bool        // send what the schema refuses or the server does not list
	Answers  *AnswerDeps // for set elicit and set sample; may be nil
	Servers  []string    // configured names, for completion
	// Shape are the options of a connection as the host would make it: --offline shows a
	// request of it where there is none yet. May be nil.
	Shape func() client.Options
}

// Interp runs steps, one at a time, over a connection that it opens at the first
// step that needs one. Its methods belong to one goroutine, but for Source.
type Interp struct {
	opt      Options
	settings Settings
	codes    map[*Expr]*gojq.Code // expressions that were compiled
	tools    toolCache
	waits    waits
	broken   error // why the first connection could not be had

	mu   sync.Mutex // guards what Source looks at
	link *Link
	ours bool // the interpreter opened link
	vars map[string]*variable
}

// New returns an interpreter.
func New(opt Options) *Interp {
	if opt.By == wire.ByNone {
		opt.By = wire.ByScript
	}
	in := &Interp{opt: opt, settings: opt.Settings, link: opt.Link, codes: map[*Expr]*gojq.Code{}, vars: map[string]*variable{}}
	for name, raw := range opt.Vars {
		in.vars[name] = &variable{raw: raw}
	}
	in.waits.begin(in.link, false)
	return in
}

// Do runs one step and shows what it gives through [Host.Show]. The error is the
// step's verdict: nil for a failure that ! expected or - passed over.
func (in *Interp) Do(ctx context.Context, step *Step) (*Outcome, error) {
	r := runner{in: in}
	return r.step(ctx, step)
}

// RunOptions shape a run.
type RunOptions struct {
	KeepGoing bool         // do not stop at a failure
	Started   func(*Step)  // before each step; may be nil
	Finished  func(Result) // after each; may be nil
}

// Run runs a script to its end, or to the first failure. The error is the
// [*StepError] of the first step that failed. A script that uses a variable that
// nobody sets is not begun.
func (in *Interp) Run(ctx context.Context, s *Script, opt RunOptions) error {
	if err := Check(s, in.Vars()); err != nil {
		return err
	}
	r := runner{in: in, opt: opt}
	if err := r.block(ctx, s.Steps); err != nil {
		return err
	}
	return r.first
}

// runner runs steps and keeps the first failure, if it is to keep going.
type runner struct {
	in    *Interp
	opt   RunOptions
	first error
	// rounds are those of the loops that the step at hand is in, the outermost first.
	rounds []round
}

// block runs steps. The error ends the run.
func (r *runner) block(ctx context.Context, steps []*Step) error {
	for _, step := range steps {
		_, err := r.step(ctx, step)
		if err == nil {
			continue
		}
		err = stepError(step, err)
		if !r.opt.KeepGoing || ctx.Err() != nil {
			return err
		}
		if r.first == nil {
			r.first = err
		}
	}
	return nil
}

// step runs one step, with the steps in it, and gives its verdict.
func (r *runner) step(ctx context.Context, step *Step) (*Outcome, error) {
	switch step.Verb.Name {
	case "for", "include":
		return nil, r.nested(ctx, step)
	}
	if r.opt.Started != nil {
		r.opt.Started(step)
	}
	begun := time.Now()
	if ctx.Err() != nil { // steps that wait for nothing do not look
		return nil, r.finished(Result{Step: step, Err: context.Cause(ctx)}, true)
	}
	o, err := r.in.perform(ctx, step)
	return o, r.finished(Result{Step: step, Outcome: o, Err: err, Took: time.Since(begun)}, ctx.Err() != nil)
}

// nested runs the steps in a for or of a file. They are reported themselves; ! and -
// do not stand before either.
func (r *runner) nested(ctx context.Context, step *Step) error {
	if step.Verb.Name == "include" {
		return r.block(ctx, step.Body)
	}
	begun := time.Now()
	list, err := r.in.elements(ctx, step.Expr)
	if err != nil {
		return r.finished(Result{Step: step, Err: err, Took: time.Since(begun)}, ctx.Err() != nil)
	}
	for i, raw := range list {
		r.in.bind(step.Each, &variable{raw: raw})
		r.rounds = append(r.rounds, round{step.Each, raw, i + 1, len(list)})
		err := r.block(ctx, step.Body)
		r.rounds = r.rounds[:len(r.rounds)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// finished judges a step and reports it.
func (r *runner) finished(res Result, interrupted bool) (err error) {
	res.Status, err = r.in.judge(res.Step, res.Err, interrupted)
	if err != nil {
		err = inRounds(err, r.rounds)
		res.Err = err
	}
	if r.opt.Finished != nil {
		r.opt.Finished(res)
	}
	return err
}

// judge compares how a step came out with what was wanted. What ! expects and -
// passes over is said.
func (in *Interp) judge(step *Step, err error, interrupted bool) (Status, error) {
	if err == nil && step.Want != Failure {
		return Passed, nil
	}
	var unconnected *connectError
	switch {
	case interrupted && err != nil, errors.As(err, &unconnected):
		return Failed, err
	case step.Want == Any:
		in.opt.Host.Note("", "failed, passed over: "+noteText(failureText(err)))
		return Ignored, nil
	case step.Want == Success:
		return Failed, err
	case err == nil:
		return Failed, &ExpectError{Pos: step.Pos, Message: "expected that it fails, but it did not", Advice: "without ! it has to succeed; - STEP allows both"}
	case step.Pattern != nil && !step.Pattern.MatchString(failureText(err)):
		return Failed, &ExpectError{Pos: step.Pos,
			Message: fmt.Sprintf("expected a failure that matches /%s/, found: %s", step.Pattern, noteText(failureText(err))),
			Advice:  "the pattern is looked for in all of that text; /…/i overlooks the case of letters"}
	}
	in.opt.Host.Note("", "failed as expected: "+noteText(failureText(err)))
	return FailedAsExpected, nil
}

// noteText makes a text fit into a note.
func noteText(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > maxNote {
		text = string(r[:maxNote]) + "…"
	}
	return text
}

// maxNote is how many characters of a failure a note has.
const maxNote = 300

// perform does what a step says, binds its variable and shows what it gave.
func (in *Interp) perform(ctx context.Context, step *Step) (*Outcome, error) {
	o := &Outcome{Step: step, Verb: step.Verb.Name}
	in.waits.step(step, in.link)
	o.From = in.waits.here
	err := in.readFlags(ctx, step, o)
	if err == nil {
		err = in.do(ctx, step, o)
	}
	o.Err = err
	for _, a := range o.Answers {
		if a.Cached.IsZero() {
			o.Took += tookAll(a)
		}
	}
	in.noteCached(o)
	if step.Let != "" {
		if failed := in.keep(step.Let, o, err); failed != nil || !has(step, "--save") {
			return o, cmp.Or(failed, err)
		}
	}
	if step.Want == Failure || err != nil && !o.answered() || !o.shows() {
		return o, err
	}
	if failed := in.opt.Host.Show(o); failed != nil && err == nil {
		err = failed
	}
	return o, err
}

// shows reports whether the step printed something were it a command of its own.
func (o *Outcome) shows() bool {
	switch o.Verb {
	case "wait", "set", "sleep", "subscribe", "unsubscribe", "expect", "connect", "disconnect", "restart":
		return false
	case "notify":
		return o.Sent != nil
	case "raw":
		return len(o.Answers) > 0
	}
	return true
}

// keep gives a variable what a step gave: also a result with isError, and the error
// object where that was the answer.
func (in *Interp) keep(name string, o *Outcome, err error) error {
	var rpc mcp.RPCError
	var tool *ToolError
	switch {
	case o.Sent != nil:
		o.Value = o.Sent
	case errors.As(err, &rpc):
		o.Value = rpc.Raw
	case err == nil || errors.As(err, &tool):
		raw, err := o.Bytes()
		if err != nil {
			return err
		}
		o.Value = raw
	}
	if o.Value != nil {
		in.bind(name, &variable{raw: o.Value, took: o.Took, timed: len(o.Answers) > 0 || o.Verb == "wait"})
	}
	return nil
}

func (in *Interp) bind(name string, v *variable) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.vars[name] = v
}

// Link is the present connection, nil if there is none.
func (in *Interp) Link() *Link {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.link
}

// Vars are the names of the variables, without $, in order.
func (in *Interp) Vars() []string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Sorted(maps.Keys(in.vars))
}

// Value gives the exact bytes of a variable.
func (in *Interp) Value(name string) (raw json.RawMessage, ok bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if v := in.vars[name]; v != nil {
		return v.raw, true
	}
	return nil, false
}

// Settings are the settings as they are now.
func (in *Interp) Settings() Settings { return in.settings }

// Close ends the connection that the interpreter opened. It may be called twice.
func (in *Interp) Close(ctx context.Context) error {
	return in.drop(ctx)
}

// callOptions shape the requests of steps. What the server did not declare is sent
// all the same: its answer tells more than a refusal of ours.
func (in *Interp) callOptions(step *Step) client.CallOptions {
	return client.CallOptions{By: in.opt.By, Force: true, Timeout: in.settings.Timeout, Fresh: has(step, flagFresh.Name)}
}
