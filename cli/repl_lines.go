package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"

	"parley/script"
	"parley/ui/prompt"
	"parley/ui/theme"
)

// goesOn reports that a line ends too early: the next one belongs to it.
func goesOn(line string) bool {
	_, err := script.ParseLine(line)
	var wrong *script.SyntaxError
	return errors.As(err, &wrong) && wrong.Open
}

// plainLines are lines as they come, from a pipe or from a terminal that cannot
// be edited on.
type plainLines struct {
	in  *bufio.Reader
	out io.Writer // where labels go; nil where nobody would see them

	mu      sync.Mutex
	label   theme.Text
	waiting []*waiter // the last one gets the next line
	early   []typed   // lines that came when nobody waited any more
	reading bool
}

type waiter struct {
	label theme.Text
	main  bool
	got   chan typed
}

// Next implements [lineReader].
func (l *plainLines) Next(ctx context.Context) (string, error) {
	text, err := l.line(ctx, &waiter{main: true})
	for err == nil && goesOn(text) {
		var more string
		more, err = l.line(ctx, &waiter{label: "… "})
		text += "\n" + more
	}
	return text, err
}

// Ask implements [lineReader].
func (l *plainLines) Ask(ctx context.Context, label string) (string, error) {
	return l.line(ctx, &waiter{label: theme.Safe(label)})
}

// Working implements [lineReader].
func (l *plainLines) Working(ctx context.Context, _ string) (context.Context, func()) {
	return ctx, func() {}
}

// SetLabel implements [lineReader].
func (l *plainLines) SetLabel(label theme.Text) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.label = label
}

func (l *plainLines) line(ctx context.Context, w *waiter) (string, error) {
	w.got = make(chan typed, 1)
	l.mu.Lock()
	if len(l.early) > 0 {
		w.got <- l.early[0]
		l.early = l.early[1:]
	} else {
		l.waiting = append(l.waiting, w)
		l.show(w)
		if !l.reading {
			l.reading = true
			go l.read()
		}
	}
	l.mu.Unlock()
	select {
	case t := <-w.got:
		return t.text, t.err
	case <-ctx.Done():
		l.drop(w)
		return "", context.Cause(ctx)
	}
}

// show writes what stands before a line.
func (l *plainLines) show(w *waiter) {
	if l.out == nil {
		return
	}
	label := w.label
	if w.main {
		label = l.label
	}
	_, _ = io.WriteString(l.out, string(label))
}

func (l *plainLines) drop(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.waiting {
		if l.waiting[i] == w {
			l.waiting = append(l.waiting[:i:i], l.waiting[i+1:]...)
			return
		}
	}
}

// read reads lines as long as somebody waits for one. A read of a terminal
// cannot be interrupted: what comes when nobody waits any more is kept.
func (l *plainLines) read() {
	for {
		text, err := l.in.ReadString('\n')
		if errors.Is(err, io.EOF) && text != "" {
			err = nil
		}
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		l.mu.Lock()
		if errors.Is(err, io.EOF) && l.out != nil {
			_, _ = io.WriteString(l.out, "\n") // ctrl+d leaves the cursor behind the label
		}
		n := len(l.waiting)
		if n == 0 {
			l.early = append(l.early, typed{text, err})
		} else {
			l.waiting[n-1].got <- typed{text, err}
			l.waiting = l.waiting[:n-1]
		}
		if len(l.waiting) == 0 {
			l.reading = false
			l.mu.Unlock()
			return
		}
		l.show(l.waiting[len(l.waiting)-1])
		l.mu.Unlock()
	}
}

// piped runs lines that nobody types. The exit code is that of the first failure.
func (r *repl) piped() error {
	r.styles = theme.Plain()
	r.lines = &plainLines{in: bufio.NewReaderSize(r.io.In, 64<<10)}
	if _, err := r.clientOptions(); err != nil {
		return err
	}
	r.start()
	if err := r.loop(r.ctx); err != nil {
		return err
	}
	if r.first != nil {
		return silent(exitCode(r.first))
	}
	return nil
}

// plain runs lines that are typed where they cannot be edited.
func (r *repl) plain() error {
	out := r.io.Err
	if r.io.OutTTY {
		out = r.io.Out
	}
	r.styles = theme.Plain()
	r.lines = &plainLines{in: bufio.NewReader(r.io.In), out: out}
	r.asker = r.askPerson
	if _, err := r.clientOptions(); err != nil {
		return err
	}
	r.start()
	r.begun(r.ctx)
	return r.loop(r.ctx)
}

// editing gives the terminal if lines can be edited on it.
func (a *app) editing() (in, out *os.File, ok bool) {
	in, isFile := a.io.In.(*os.File)
	w := a.io.Out
	if o, ok := w.(*outlet); ok {
		w = o.w
	}
	out, alike := w.(*os.File)
	return in, out, isFile && alike && a.io.InTTY && a.io.OutTTY && os.Getenv("TERM") != "dumb"
}

// prompted runs lines that are typed at a prompt.
func (r *repl) prompted(in, out *os.File) error {
	r.styles = theme.New(true)
	if os.Getenv("NO_COLOR") != "" {
		r.styles = theme.Plain()
	}
	r.asker = r.askPerson
	if _, err := r.clientOptions(); err != nil {
		return err
	}
	memory := r.openMemory()
	r.start()
	known := r.in.Source()
	p := prompt.New(prompt.Options{
		Label: r.label(), History: memory.Console(), Styles: r.styles, In: in, Out: out,
		Open: goesOn,
		Remember: func(line string) {
			memory.Typed(line)
			go func() { _ = memory.Save() }()
		},
		Complete: func(line string, at int) (int, int, []script.Completion) {
			return script.Complete(line, at, known)
		},
		Hint: func(line string) theme.Text { return prompt.Hint(line, known) },
	})
	before := r.io
	r.lines, r.io.Out = p, p
	if r.io.ErrTTY {
		r.io.Err = p
	}
	err := p.Run(r.ctx, func(ctx context.Context) error {
		r.begun(ctx)
		return r.loop(ctx)
	})
	r.io = before
	if err := memory.Save(); err != nil {
		r.note("the lines typed cannot be remembered: %v", err)
	}
	if l := r.connection(); l != nil && !r.noRecord && l.log.Path() != "" {
		r.note("session kept in %s", l.log.Path())
	}
	return err
}
