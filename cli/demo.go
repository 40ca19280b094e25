package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"parley/client"
	"parley/client/wire"
	"parley/demo"
	"parley/ui"
	"parley/ui/theme"
)

func (a *app) demoCommand() *cobra.Command {
	var stdio bool
	var as string
	c := &cobra.Command{
		Use:   "demo",
		Short: "explore the embedded demo server",
		Long: `Open the screen on the embedded demo server, started as a process of its own. When
standard output is not a terminal, print a tour of it: every line that goes over
the wire, with a sentence for each step. With --stdio, be that server.

  parley demo
  parley demo | less -S
  parley raw parley demo --stdio --as weather`,
		Args: noWords,
		RunE: func(*cobra.Command, []string) error {
			if stdio {
				return a.demoServer(as)
			}
			return a.demo(as)
		},
	}
	c.Flags().BoolVar(&stdio, "stdio", false, "be the demo server, on standard input and output")
	c.Flags().StringVar(&as, "as", "", "which `SERVER` to be: weather and mcp-demo-server are those of the tutorials")
	_ = c.RegisterFlagCompletionFunc("as", cobra.FixedCompletions([]cobra.Completion{"weather", "mcp-demo-server"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// demoServer is the server that the demo talks to.
func (a *app) demoServer(as string) error {
	err := demo.Serve(a.ctx, a.io.In, a.io.Out, a.io.Err, demo.Options{As: as})
	var exit *demo.Exit
	if errors.As(err, &exit) {
		exit.End()
		return silent(exit.Code)
	}
	if errors.Is(err, context.Canceled) || err != nil && readerGone(err) {
		return nil // the client went away, one way or the other
	}
	return err
}

func (a *app) demo(as string) error {
	if as != "" && !slices.Contains(demo.Worlds(), as) {
		return &demo.UnknownWorldError{Name: as}
	}
	t, err := demoTarget(as)
	if err != nil {
		return err
	}
	if !a.io.OutTTY || !a.io.InTTY || a.json {
		return a.tour(t)
	}
	s, err := a.liveSession(t)
	if err != nil {
		return err
	}
	return a.screen(ui.Options{Session: s, Version: version(), Memory: a.openMemory()})
}

// tour walks through the demo server and prints what goes over the wire.
func (a *app) tour(t target) error {
	opt, err := a.optionsFor(&t)
	if err != nil {
		return err
	}
	opt.Force = true
	log, err := a.newLog(t)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	l := &link{target: t, log: log, client: client.New(log, a.dialer(t, grace, nil), opt)}
	w := &tourWriter{app: a, link: l}
	w.sentence("The handshake: the client introduces itself, the server says what it can do.")
	if err = l.client.Connect(a.ctx); err == nil {
		w.lines()
		err = w.steps()
	}
	end := l.end(a.ctx)
	if err == nil {
		err = end
	}
	if err != nil {
		return withEvidence(err, log)
	}
	fmt.Fprintf(a.io.Out, "\nThat was everything that went over the wire. Try it yourself: parley demo in a terminal.\n")
	return nil
}

// tourWriter prints the frames of a tour as they come.
type tourWriter struct {
	app  *app
	link *link
	seen uint64
}

func (w *tourWriter) sentence(s string) { fmt.Fprintf(w.app.io.Out, "\n# %s\n", s) }

// lines prints the messages that were not printed yet, exactly.
func (w *tourWriter) lines() {
	log := w.link.log
	for w.seen < log.Len() {
		w.seen++
		r, ok := log.Record(w.seen)
		if !ok || (r.Kind != wire.Message && r.Kind != wire.Stray) {
			continue
		}
		raw, err := log.Bytes(w.seen, 0, 64<<10)
		if err != nil {
			continue
		}
		mark := "←"
		if r.Dir == wire.Out {
			mark = "→"
		}
		cut := ""
		if r.Size > int64(len(raw)) {
			cut = " … " + size(r.Size) + " in all"
		}
		fmt.Fprintf(w.app.io.Out, "%s %s%s\n", mark, theme.Safe(string(raw)), cut)
	}
}

func (w *tourWriter) steps() error {
	for _, s := range demo.TourSteps() {
		w.sentence(s.Sentence)
		if err := w.step(s); err != nil {
			return err
		}
		w.lines()
	}
	return nil
}

// step does one thing. An error of the server's is part of the tour.
func (w *tourWriter) step(s demo.Step) error {
	c, ctx := w.link.client, w.app.ctx
	var err error
	switch {
	case s.Raw != "":
		err = w.raw(s.Raw)
	case len(s.Params) == 0 && isList(s.Method):
		_, err = c.List(ctx, s.Method, client.CallOptions{By: wire.ByScript, Force: true})
	default:
		_, err = c.Request(ctx, s.Method, s.Params, client.CallOptions{By: wire.ByScript, Force: true, Progress: s.Method == "tools/call"})
	}
	if err != nil && word(err) == "rpc" {
		return nil
	}
	return err
}

// raw sends a line as it is and waits for what the server says to it: the
// answer to a request, or the complaint about what is none.
func (w *tourWriter) raw(line string) error {
	log := w.link.log
	from := log.Len()
	_, pending, err := w.link.client.SendRaw(w.app.ctx, []byte(line), wire.ByScript, 0)
	if err != nil {
		return err
	}
	if pending != nil {
		_, err = pending.Wait(w.app.ctx)
		return err
	}
	ctx, cancel := context.WithTimeout(w.app.ctx, w.app.timeout)
	defer cancel()
	for {
		changed := log.Changed()
		for seq := from + 1; seq <= log.Len(); seq++ {
			if r, ok := log.Record(seq); ok && r.Dir == wire.In && r.Form.IsResponse() {
				return nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return &client.TimeoutError{Method: "a raw line", After: w.app.timeout}
		}
	}
}

func isList(method string) bool {
	for _, m := range client.ListMethods {
		if m == method {
			return true
		}
	}
	return false
}
