package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"parley/client"
	"parley/client/wire"
	"parley/script"
	"parley/ui/theme"
)

func (a *app) replCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "repl [flags] TARGET",
		Short: "type lines of the command language, one after the other",
		Long: `Type lines of the command language: tools, call NAME key=value, read URI, and
all others that help lists. A line that begins with { or [ goes to the server
as it is. What the server sends by itself is shown as it comes.

On a terminal lines can be edited: tab completes, the arrows and ctrl+r find
earlier lines, ctrl+c stops what runs, ctrl+d leaves. Of several lines that are
pasted, those behind one that fails are not run. With TERM=dumb lines are read as
the terminal gives them; ctrl+c and ctrl+d are the same there. When standard input
is no terminal the lines are run in order, and a line that fails does not keep the
next from running; the exit code is then that of the first failure.

  parley repl node server.js
  printf 'tools\ncall echo text=hi\n' | parley repl node server.js`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.repl(args, cmd.ArgsLenAtDash() == 0) },
	}
	c.Flags().SetInterspersed(false)
	return c
}

// repl runs the lines that are typed or piped.
func (a *app) repl(words []string, forced bool) error {
	r := &repl{app: a}
	if a.given(words) {
		t, err := a.target(words, forced)
		if err == nil {
			err = t.ready()
		}
		if err != nil {
			return err
		}
		r.target = &t
	}
	if r.person = a.io.InTTY; !r.person {
		return r.piped()
	}
	if in, out, ok := a.editing(); ok {
		return r.prompted(in, out)
	}
	return r.plain()
}

// lineReader is where lines come from, and the answers of a person.
type lineReader interface {
	// Next gives the next line; io.EOF ends the session.
	Next(ctx context.Context) (string, error)
	// Ask puts a question of its own.
	Ask(ctx context.Context, label string) (string, error)
	// Working says what runs until done is called.
	Working(ctx context.Context, what string) (working context.Context, done func())
	// Failed says that the line failed which Next gave last.
	Failed()
	// SetLabel changes what stands before the line.
	SetLabel(label theme.Text)
}

// repl is one session of typed lines.
type repl struct {
	*app
	target *target // what was named on the command line; nil if nothing was
	person bool    // somebody types
	lines  lineReader
	styles *theme.Styles

	host    *replHost
	in      *script.Interp
	ends    ends
	first   error // the first failure of a line
	greeted bool  // help was pointed at

	asking   sync.Mutex // held while somebody is asked
	learning sync.Mutex // held while lists are asked for

	mu   sync.Mutex
	link *link // the newest connection
}

// replHost is the host of the steps: the connection is watched, and standard
// input has the lines and nothing else.
type replHost struct {
	*scriptHost
	watch *watch
	begin func(*script.Link)
}

// Connect implements [script.Host].
func (h *replHost) Connect(ctx context.Context, words []string, settings *script.Settings) (*script.Link, error) {
	h.watch.stop()
	l, err := h.scriptHost.Connect(ctx, words, settings)
	if err == nil {
		h.begin(l)
	}
	return l, err
}

// Show implements [script.Host]. What came before the result is shown before it.
func (h *replHost) Show(o *script.Outcome) error {
	h.watch.catchUp()
	return h.scriptHost.Show(o)
}

// Stdin implements [script.Host].
func (h *replHost) Stdin() io.Reader { return linesOnly{} }

type linesOnly struct{}

func (linesOnly) Read([]byte) (int, error) {
	return 0, errors.New("standard input has the lines that are run; key=@FILE reads a file")
}

// start makes what runs the lines.
func (r *repl) start() {
	r.host = &replHost{scriptHost: r.newHost(r.target), watch: newWatch(r.told), begin: r.begin}
	r.host.listen, r.watching = true, true
	deps := r.answerDeps()
	servers, _ := r.completeServers(nil, nil, "")
	r.in = script.New(script.Options{Host: r.host, Env: os.LookupEnv, By: wire.ByConsole, Force: r.force, Answers: &deps, Servers: servers, Shape: r.host.shape})
}

// begin is called when there is a new connection.
func (r *repl) begin(l *script.Link) {
	r.mu.Lock()
	r.link = r.host.link
	r.mu.Unlock()
	r.host.watch.start(r.ctx, l.Log, r.verbose, func() { r.over(l.Client) }, func() { r.learn(l.Client, true) })
}

// learn asks for the lists that the server declared, so that completion knows
// them; again is for those alone that have changed. Nobody waits for it.
func (r *repl) learn(c *client.Client, again bool) {
	if !r.person {
		return
	}
	go func() {
		r.learning.Lock()
		defer r.learning.Unlock()
		for _, method := range c.Declared() {
			if !again || c.Changed(method) {
				// A list that fails is told by a line that needs it.
				_, _ = c.List(r.ctx, method, client.CallOptions{By: wire.ByAuto, Force: true})
			}
		}
	}()
}

// connection is the newest connection; nil before the first one.
func (r *repl) connection() *link {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.link
}

// told is a word about what the server sent by itself.
func (r *repl) told(text theme.Text) {
	if !r.quiet {
		fmt.Fprintln(r.io.Err, r.styles.Muted.Render(text))
	}
}

// loop runs lines until there are no more, and ends the connection.
func (r *repl) loop(ctx context.Context) error {
	err := r.each(ctx)
	r.host.watch.catchUp()
	r.ends.close()
	if end := r.in.Close(r.ctx); end != nil {
		r.note("%s", theme.Safe(end.Error()))
	}
	r.host.watch.stop()
	_ = r.host.finish(nil)
	return err
}

func (r *repl) each(ctx context.Context) error {
	for n := 1; ; {
		text, err := r.lines.Next(ctx)
		first := n
		n += 1 + strings.Count(text, "\n")
		if errors.Is(err, io.EOF) && text == "" {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		step, wrong := script.ParseLine(text)
		if wrong == nil && step != nil && step.Verb.Name == "exit" {
			return nil
		}
		switch {
		case wrong != nil:
			r.failed(wrong, first)
		case step != nil:
			r.do(ctx, step, first)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// do runs the step of a line and tells how it failed, or how the server ended
// meanwhile.
func (r *repl) do(ctx context.Context, step *script.Step, line int) {
	_ = r.ends.running(true)
	working, done := r.lines.Working(ctx, oneLine(step.Source))
	_, err := r.in.Do(working, step)
	done()
	r.host.watch.catchUp()
	if err != nil && ctx.Err() == nil { // what ended the repl is told when it ends
		r.failed(err, line)
	}
	late := r.ends.running(false)
	switch step.Verb.Name {
	case "connect", "restart": // they end it themselves
		if err == nil {
			r.greet()
		}
	case "disconnect":
	default:
		if late != nil {
			r.tell(late)
		}
	}
	r.relabel()
}

// failed tells the failure of a line; the session goes on. line is its number,
// which matters where nobody typed it.
func (r *repl) failed(err error, line int) {
	if r.first == nil {
		r.first = err
	}
	if !r.person {
		err = placed(err, line)
	}
	r.tell(err)
	r.lines.Failed()
}

// tell tells an error with what the connection showed. The last words of a
// server are told once.
func (r *repl) tell(err error) {
	l, end := r.connection(), endOf(err)
	switch {
	case end != nil && r.ends.tell(end):
		var exited *wire.ExitError
		if errors.As(end, &exited) {
			short := *exited
			short.Stderr = nil // and no hint about it
			err = &toldError{err, &short}
		}
		err = &advised{err, connectsAgain("")}
	case l != nil:
		if err = withEvidence(err, l.log); end != nil {
			err = &advised{err, connectsAgain(withoutRestart(hint(err)))}
		}
	}
	report(r.io.Err, err, r.json)
}

// toldError is an error of which the cause was told before.
type toldError struct {
	error
	cause *wire.ExitError // without its last words
}

func (e *toldError) Unwrap() error { return e.cause }

// connectsAgain adds to a hint how there is a connection again.
func connectsAgain(advice string) string {
	const again = "restart connects again"
	if advice == "" || strings.Contains(advice, again) {
		return again
	}
	return advice + "; " + again
}

// placed gives an error the line that it is about.
func placed(err error, line int) error {
	var syntax *script.SyntaxError
	var step *script.StepError
	switch {
	case errors.As(err, &syntax) && syntax.Pos.File == "" && syntax.Pos.Line > 0:
		at := *syntax
		at.Pos.File, at.Pos.Line = stdinName, line+syntax.Pos.Line-1
		return &at
	case errors.As(err, &step) && step.Pos.File == "":
		at := *step
		at.Pos.File, at.Pos.Line = stdinName, line+max(1, step.Pos.Line)-1
		return &at
	case errors.As(err, &step), errors.As(err, &syntax): // of an included file
		return err
	}
	return &script.StepError{Pos: script.Pos{File: stdinName, Line: line, Col: 1}, Err: err}
}

// over is called when the connection has ended.
func (r *repl) over(c *client.Client) {
	if err := r.ends.untold(c.Err()); err != nil {
		r.tell(err)
		r.relabel()
	}
}

// relabel lets the label say to whom the lines go.
func (r *repl) relabel() { r.lines.SetLabel(r.label()) }

func (r *repl) label() theme.Text {
	name, state := "parley", theme.Text("")
	if l := r.connection(); l != nil {
		name = l.target.name
		select {
		case <-l.client.Done():
			state = " (ended)"
		default:
		}
	} else if r.target != nil {
		name = r.target.name
	}
	return theme.SafeCut(name, maxLabel) + state + "› "
}

// maxLabel is how many cells of a name stand before a line.
const maxLabel = 24
