package cli

import (
	"bufio"
	"context"
	"errors"
	"os"

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
	lines := &plainLines{in: bufio.NewReader(r.io.In), out: out}
	r.lines, r.asker, r.unsaid = lines, r.askPerson, "ask"
	defer onInterrupt(r.ctx, lines.Interrupt)()
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
	r.asker, r.unsaid = r.askPerson, "ask"
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
