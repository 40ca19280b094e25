package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"parley/client"
	"parley/script"
	"parley/ui/theme"
)

// scriptRun is one run of a script.
type scriptRun struct {
	app       *app
	script    *script.Script
	file      string
	target    *target // nil if none was named
	vars      map[string]json.RawMessage
	total     time.Duration // of the whole run; 0 is without bound
	keepGoing bool
	asker     *terminalAsker // nil where nobody can be asked
	reports   []reportWriter
	began     time.Time

	host   *scriptHost
	tell   *teller
	counts map[ranStatus]int
	first  error        // the first failure
	now    *script.Step // the step that runs, or ran last
	over   *lateError   // what ends a run with a bound
}

// lateError ends a run whose time is over.
type lateError struct {
	After time.Duration
	Step  *script.Step // which was running; nil before the first
}

func (e *lateError) Error() string {
	if e.Step == nil {
		return fmt.Sprintf("the run took longer than %s", e.After)
	}
	return fmt.Sprintf("the run took longer than %s while this step was running: %s", e.After, oneLine(e.Step.Source))
}

// Hint says what bounds what.
func (e *lateError) Hint() string {
	return "--timeout bounds the whole run; set timeout in the script bounds a request"
}

// Word names the error for machines.
func (e *lateError) Word() string { return "timeout" }

// run runs the script, ends the connection and completes the reports.
func (r *scriptRun) run() error {
	a := r.app
	r.counts = map[ranStatus]int{}
	if a.json && !a.verbose { // a failure is one line, and nothing else is said
		a.held = &notes{}
	}
	r.tell = newTeller(a, r.script)
	r.asker.beside(r.tell.live)
	ctx := a.ctx
	if r.total > 0 {
		r.over = &lateError{After: r.total}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.total, r.over)
		defer cancel()
		defer func(before context.Context) { a.ctx = before }(a.ctx)
		a.ctx = ctx // --jq of a step ends, too
	}
	r.host = a.newHost(r.target)
	r.host.listen = true
	deps := a.answerDeps()
	in := script.New(script.Options{Host: r.host, Vars: r.vars, Env: os.LookupEnv, Force: a.force, Answers: &deps, Shape: r.host.shape})
	err := in.Run(ctx, r.script, script.RunOptions{KeepGoing: r.keepGoing, Started: r.started, Finished: r.finished})
	r.tell.stop()
	if err != nil && r.first == nil { // before the first step, or between two
		r.failed(ran{pos: script.Pos{File: r.script.File, Line: 1, Col: 1}, text: "run", status: ranFailed, err: r.cause(err)})
	}
	if r.first != nil && (!r.keepGoing || ctx.Err() != nil) {
		r.rest()
	}
	if end := in.Close(ctx); end != nil {
		a.note("%s", theme.Safe(end.Error()))
	}
	_ = r.host.finish(r.first)
	took := time.Since(r.began)
	r.summary(took)
	if err := endReports(r.reports, took); err != nil && r.first == nil {
		return err
	} else if err != nil {
		a.note("%s", theme.Safe(err.Error()))
	}
	if r.first != nil {
		return silent(exitCode(r.first))
	}
	return nil
}

func (r *scriptRun) started(s *script.Step) {
	r.now = s
	r.tell.started(s)
}

func (r *scriptRun) finished(res script.Result) {
	r.now = res.Step
	statuses := [...]ranStatus{script.Passed: ranOK, script.Failed: ranFailed, script.FailedAsExpected: ranExpected, script.Ignored: ranIgnored}
	one := ran{pos: res.Step.Pos, text: res.Step.Source, status: statuses[res.Status], err: res.Err, took: res.Took}
	if one.status == ranFailed {
		one.err = r.cause(one.err)
		r.failed(one)
		return
	}
	r.done(one)
}

// cause is the error of a failure: the run's own where its time is over, and with
// what the connection showed.
func (r *scriptRun) cause(err error) error {
	var unanswered *client.TimeoutError
	switch {
	case r.over != nil && errors.Is(err, r.over):
		r.over.Step = r.now
		err = r.over
	case errors.Is(err, context.Canceled):
		return r.interrupted()
	case errors.As(err, &unanswered):
		err = &advised{err, strings.ReplaceAll(unanswered.Hint(), "--timeout waits longer", "set timeout in the script waits longer")}
	}
	if r.host.link != nil {
		err = withEvidence(err, r.host.link.log)
	}
	return err
}

// interrupted is a failure that is told with its place, as any other.
func (r *scriptRun) interrupted() error {
	advice := "it was ended by ctrl+c or by a signal"
	if r.host.link != nil {
		advice += "; parley show last prints what went over the wire until then"
	}
	return &failure{word: "interrupted", message: "interrupted", hint: advice}
}

// failed tells a failure at once: with --keep-going others may follow.
func (r *scriptRun) failed(one ran) {
	r.done(one)
	err := &script.StepError{Pos: placeOf(one), Err: one.err}
	if r.first == nil {
		r.first = err
	}
	report(r.app.io.Err, err, r.app.json, r.noted()...)
}

// noted are the notes since the last failure that are held for the line of the next.
func (r *scriptRun) noted() (texts []string) {
	held := r.app.held
	if held == nil {
		return nil
	}
	held.mu.Lock()
	defer held.mu.Unlock()
	texts, held.texts = held.texts, nil
	return texts
}

// placeOf is where a statement failed: the place in it that its error names, or
// where it begins.
func placeOf(one ran) script.Pos {
	var placed interface{ Place() script.Pos }
	if errors.As(one.err, &placed) && placed.Place().Line > 0 {
		return placed.Place()
	}
	return one.pos
}

func (r *scriptRun) done(one ran) {
	r.counts[one.status]++
	r.tell.finished(one, r.now)
	for _, w := range r.reports {
		w.step(one)
	}
}

// rest reports the statements that the run did not come to.
func (r *scriptRun) rest() {
	for _, s := range r.tell.after(r.now) {
		r.counts[ranNot]++
		for _, w := range r.reports {
			w.step(ran{pos: s.Pos, text: s.Source, status: ranNot})
		}
	}
}

// summary says in a line how the run went.
func (r *scriptRun) summary(took time.Duration) {
	if r.app.json {
		return
	}
	ok := r.counts[ranOK] + r.counts[ranExpected] + r.counts[ranIgnored]
	text := fmt.Sprintf("%s ok", steps(ok))
	if n := r.counts[ranFailed]; n > 0 {
		text = fmt.Sprintf("%d of %s failed", n, steps(ok+n))
	}
	if n := r.counts[ranNot]; n > 0 {
		text += fmt.Sprintf(", %d not run", n)
	}
	r.app.note("%s: %s, %s", theme.Safe(r.file), text, spent(took))
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// spent tells a duration for people.
func spent(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
