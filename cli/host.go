package cli

import (
	"context"
	"io"
	"strings"

	"parley/client"
	"parley/script"
	"parley/ui/theme"
)

// scriptHost is the command line as the program that the command language runs
// in: it finds targets as arguments name them, keeps a session file for each
// connection and prints what steps give as the one-shot commands do.
//
// Its use: newHost, script.New with it, steps, Interp.Close, finish.
type scriptHost struct {
	app    *app
	target *target // what connect without words opens; nil if none was named
	link   *link   // the newest connection; its log stays open until the next one
	listen bool    // there is time to be told of lists that change
}

func (a *app) newHost(t *target) *scriptHost { return &scriptHost{app: a, target: t} }

// Connect implements [script.Host]. Words are a target as on a command line,
// with -s NAME, --url URL or -- before it if need be.
func (h *scriptHost) Connect(ctx context.Context, words []string, settings *script.Settings) (*script.Link, error) {
	t, err := h.targetOf(words)
	if err != nil {
		return nil, err
	}
	opt, err := h.app.optionsFor(&t)
	if err != nil {
		return nil, err
	}
	if opt.Listen = h.listen; !h.listen {
		opt.Notice = withoutExcluded(opt.Notice)
	}
	if settings != nil {
		settings.Apply(&opt)
	}
	l, err := h.app.newLink(t, opt, settings)
	if err != nil {
		return nil, err
	}
	if h.link != nil { // the one before has ended
		h.app.remark(h.link.log)
		_ = h.link.log.Close()
	}
	h.link, h.app.current = l, l
	if err := l.connect(ctx, h.app, opt); err != nil {
		h.app.endLink(ctx, l)
		return nil, err
	}
	return &script.Link{Client: l.client, Log: l.log, Close: func(ctx context.Context) error {
		h.app.endLink(ctx, l)
		return nil
	}}, nil
}

// withoutExcluded leaves out notices of tools that cannot be called over HTTP: in one
// step the list marks them, a call of one fails with the reason, and the remark at the
// end says it of all.
func withoutExcluded(notice func(string)) func(string) {
	words := strings.TrimPrefix((&client.ExcludedError{}).Error(), `the tool ""`)
	return func(text string) {
		if !strings.Contains(text, words) {
			notice(text)
		}
	}
}

// targetOf applies the grammar of targets to the words of a step.
func (h *scriptHost) targetOf(words []string) (target, error) {
	if len(words) == 0 {
		if h.target == nil {
			return target{}, usage("connect names one: connect node server.js; or give one on the command line", "no target given")
		}
		return *h.target, nil
	}
	b := *h.app
	b.server, b.url = "", ""
	b.loose, b.headers = true, nil // the headers may be secrets of the target that was named with them
	switch name, value, joined := strings.Cut(words[0], "="); {
	case words[0] == "--":
		return b.target(words[1:], true)
	case joined && name == "--server":
		b.server, words = value, words[1:]
	case joined && name == "--url":
		b.url, words = value, words[1:]
	case len(words) > 1 && (name == "-s" || name == "--server"):
		b.server, words = words[1], words[2:]
	case len(words) > 1 && name == "--url":
		b.url, words = words[1], words[2:]
	}
	return b.target(words, false)
}

// shape are the options of a connection to the target, for what is shown and not sent.
func (h *scriptHost) shape() client.Options {
	opt, _ := h.app.clientOptions() // what is wrong with a flag is told when there is a connection
	if t := h.target; t != nil {
		opt.Protocol, opt.Guess = h.app.protocolFor(t), h.app.guess(t)
	} else {
		opt.Protocol = h.app.protocol
	}
	return opt
}

// Show implements [script.Host].
func (h *scriptHost) Show(o *script.Outcome) error { return h.app.print(o) }

// Note implements [script.Host].
func (h *scriptHost) Note(level, text string) {
	if level == "warning" {
		text = "▲ " + text
	}
	h.app.note("%s", theme.Safe(text))
}

// Stdin implements [script.Host].
func (h *scriptHost) Stdin() io.Reader { return h.app.io.In }

// finish ends the use of a host, after its connections were closed: it adds to
// the error of the last step what its connection showed, or says what the server
// did against the specification, and closes the session's file.
func (h *scriptHost) finish(err error) error {
	if h.link == nil {
		return err
	}
	defer func() { _ = h.link.log.Close() }()
	if err != nil {
		return withEvidence(err, h.link.log)
	}
	h.app.remark(h.link.log)
	return nil
}

// newLink makes the session file and the client of a target; nothing is started.
// settings are those of a script that shape each dialling; they may be nil.
func (a *app) newLink(t target, opt client.Options, settings *script.Settings) (*link, error) {
	if err := t.ready(); err != nil {
		return nil, err // before there is a session file without a session
	}
	log, err := a.newLog(t)
	if err != nil {
		return nil, err
	}
	l := &link{target: t, log: log}
	if opt.Protocol == "auto" {
		l.guess = opt.Guess
	}
	var sink client.Log = log
	switch {
	case a.verbose:
		sink = &verbose{Log: log, app: a}
	case !a.watching:
		sink = &logged{Log: log, app: a, l: l}
	}
	l.client = client.New(sink, a.dialer(t, grace, settings), opt)
	return l, nil
}

// connect starts the server, or connects to it, and shakes hands.
func (l *link) connect(ctx context.Context, a *app, opt client.Options) error {
	err := l.client.Connect(ctx)
	switch {
	case err == nil:
		a.counterOffer(l, opt.Protocol)
		a.undeclared(l, &opt)
		a.learn(&l.target, &opt, l.client.Era())
	case endOf(err) != nil:
		err = client.About("initialize", err)
	}
	return err
}

// endLink ends a connection and says what went wrong with that; its log stays open.
func (a *app) endLink(ctx context.Context, l *link) {
	if end := l.end(ctx); end != nil {
		a.note("%v", end)
	}
	if cause := l.log.Err(); cause != nil {
		a.note("the session file is not complete: %v", cause)
	}
}
