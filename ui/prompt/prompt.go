// Package prompt reads lines on a terminal without taking the whole screen:
// what is printed scrolls up as it always does, and the line that is being
// typed stays below it, with its history, completion and a word about what it
// will do.
//
// A [Prompt] is a Bubble Tea program that draws by itself. The program that
// uses it runs beside it, in [Prompt.Run]: it asks for lines with Next and Ask,
// prints with Write, and says with Working what ctrl+c stops.
package prompt

import (
	"context"
	"errors"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"

	"parley/script"
	"parley/ui/pasted"
	"parley/ui/theme"
)

// ErrInterrupted is what Ask returns when ctrl+c was pressed.
var ErrInterrupted = errors.New("interrupted")

// Options are what a prompt is made of. Functions may be nil; they are called
// while a key is handled and must not wait.
type Options struct {
	Label   theme.Text // before the line: "demo› "
	History []string   // lines typed earlier, oldest first
	Styles  *theme.Styles

	// Remember keeps a line for the next time.
	Remember func(line string)
	// Complete is [script.Complete] with its source.
	Complete func(line string, at int) (from, to int, list []script.Completion)
	// Hint says what will happen to a line, in a few words.
	Hint func(line string) theme.Text
	// Open reports that a line ends too early: enter begins another row of it.
	Open func(line string) bool

	In  *os.File // the terminal
	Out *os.File
}

// Prompt reads lines. Its methods may be called from several goroutines.
type Prompt struct {
	opt     Options
	screen  *screen
	program *tea.Program
	over    chan struct{} // closed when the program has ended
}

// New returns a prompt; nothing is drawn yet.
func New(opt Options) *Prompt {
	return &Prompt{opt: opt, screen: newScreen(opt.Out), over: make(chan struct{})}
}

// Run shows the prompt while use runs, in a goroutine of its own, and returns
// what it returned. The terminal is then as it was.
func (p *Prompt) Run(ctx context.Context, use func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(p.opt, p.screen)
	p.program = tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(pasted.NewReader(p.opt.In)),
		tea.WithOutput(terminal{p.opt.Out}), tea.WithoutSignalHandler())
	used := make(chan error, 1)
	go p.screen.run()
	go func() {
		used <- use(ctx)
		p.program.Quit()
	}()
	_, err := p.program.Run()
	close(p.over)
	cancel()
	why := <-used
	p.screen.end()
	if err != nil && !errors.Is(err, context.Canceled) && why == nil {
		return err
	}
	return why
}

// terminal is the terminal as Bubble Tea sees it: it learns its size and makes
// it raw, but what it would draw is dropped, see [screen].
type terminal struct{ *os.File }

func (terminal) Write(p []byte) (int, error)       { return len(p), nil }
func (terminal) WriteString(s string) (int, error) { return len(s), nil }

// Write prints above the line that is being typed. A line shows when its end
// has come. It waits while the terminal takes nothing.
func (p *Prompt) Write(b []byte) (int, error) { return p.screen.Write(b) }

// Next gives the next line that was entered. It is [io.EOF] when the user wants
// to leave. Lines entered meanwhile wait for it.
func (p *Prompt) Next(ctx context.Context) (string, error) {
	return p.ask(ctx, &ask{})
}

// Ask puts a question of its own before the line that is being typed, which
// comes back when it is answered. It is [ErrInterrupted] when ctrl+c or, on an
// empty line, ctrl+d was pressed.
func (p *Prompt) Ask(ctx context.Context, label string) (string, error) {
	return p.ask(ctx, &ask{label: theme.Safe(label), question: true})
}

func (p *Prompt) ask(ctx context.Context, a *ask) (string, error) {
	p.screen.finish()
	a.reply = make(chan answer, 1)
	p.program.Send(askMsg{a})
	select {
	case got := <-a.reply:
		return got.line, got.err
	case <-ctx.Done():
		p.program.Send(dropMsg{a})
		return "", context.Cause(ctx)
	case <-p.over:
		return "", io.EOF
	}
}

// Working says what runs until done is called. ctrl+c cancels the context.
func (p *Prompt) Working(ctx context.Context, what string) (working context.Context, done func()) {
	working, cancel := context.WithCancel(ctx)
	j := &job{what: what, stop: cancel}
	p.program.Send(jobMsg{j})
	return working, func() {
		p.program.Send(jobDoneMsg{j})
		cancel()
	}
}

// Failed says that the line failed which Next gave last. The lines that were entered
// with it, as those of a paste, are given up.
func (p *Prompt) Failed() { p.program.Send(failedMsg{}) }

// SetLabel changes what stands before the line.
func (p *Prompt) SetLabel(label theme.Text) { p.program.Send(labelMsg(label)) }
