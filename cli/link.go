package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"parley/client"
	"parley/config"
	"parley/history"
	"parley/script"
	"parley/ui/theme"
)

// grace is how long a one-shot command waits at each step of ending a server:
// it has printed what it had to say, and the prompt should come back.
const grace = 500 * time.Millisecond

// link joins a target, a log and a client.
type link struct {
	target target
	log    *history.Log
	client *client.Client
	guess  client.Era // what was remembered; [client.UnknownEra] where that was not asked for
}

// clientOptions reads the flags that shape the client.
func (a *app) clientOptions() (client.Options, error) {
	opt := client.Options{
		Name: a.clientName, Version: a.clientVersion, NoHandshake: a.noHandshake,
		Force: a.force, Timeout: a.timeout, Anonymous: a.anonymous, LogLevel: a.logLevel, Extensions: a.extensions,
	}
	deps := a.answerDeps()
	err := a.speaking.check()
	if err != nil {
		return opt, err
	}
	if opt.Elicit, err = script.ParseElicit(cmp.Or(a.elicit, a.unsaid), deps); err != nil {
		return opt, fmt.Errorf("--elicit %w", err)
	}
	if opt.Sample, err = script.ParseSample(cmp.Or(a.sample, a.unsaid), deps); err != nil {
		return opt, fmt.Errorf("--sample %w", err)
	}
	for _, r := range a.roots {
		abs, err := filepath.Abs(r)
		if err != nil {
			return opt, err
		}
		if _, err := os.Stat(abs); err != nil {
			return opt, usage("a root is a folder or a file that exists", "--root %s: %v", r, errors.Unwrap(err))
		}
		opt.Roots = append(opt.Roots, abs)
	}
	return opt, a.checkTimeout()
}

func (a *app) checkTimeout() error {
	if a.timeout <= 0 {
		return usage("write a duration such as 30s", "--timeout must be longer than 0")
	}
	return nil
}

// newLog begins the session's file, or a file without a name where nothing is
// to be kept or nothing can be.
func (a *app) newLog(t target) (*history.Log, error) {
	sessions, err := config.SessionsDir()
	if err != nil && !a.noRecord {
		a.note("this session is not recorded: %v", err)
	}
	opt := history.Options{
		Header: history.Header{Target: t.recorded(), Client: a.clientName + " " + a.clientVersion},
		Name:   t.name, Dir: sessions, Spool: a.noRecord || err != nil,
	}
	log, err := history.Create(opt)
	if err != nil && !opt.Spool {
		a.note("this session is not recorded: %v", err)
		opt.Spool = true
		log, err = history.Create(opt)
	}
	return log, err
}

// recorded is the target as a session file has it.
func (t *target) recorded() history.Target {
	if t.remote != nil {
		return history.Target{URL: t.remote.shown, Name: t.name}
	}
	dir, _ := filepath.Abs(t.command.Dir)
	return history.Target{Command: t.words(), Cwd: dir, Name: t.name}
}

// with connects to a target, runs fn, and ends the connection, whatever happens.
func (a *app) with(t target, fn func(ctx context.Context, l *link) error) error {
	opt, err := a.optionsFor(&t)
	if err != nil {
		return err
	}
	l, err := a.newLink(t, opt, nil)
	if err != nil {
		return err
	}
	defer func() { _ = l.log.Close() }()
	a.current = l
	if err = l.connect(a.ctx, a, opt); err == nil {
		err = fn(a.ctx, l)
	}
	a.endLink(a.ctx, l)
	if err != nil {
		return withEvidence(err, l.log)
	}
	a.remark(l.log)
	return nil
}

// counterOffer says that the server did not take the version that was asked for.
func (a *app) counterOffer(l *link, offered string) {
	if info, ok := l.client.Server(); ok && isVersion(offered) && info.ProtocolVersion != offered {
		a.note("offered %s, the server answered %s: going on with that", theme.Safe(offered), theme.Safe(info.ProtocolVersion))
	}
}

// end closes the connection; an interrupt makes it short.
func (l *link) end(ctx context.Context) error {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), 2*grace)
		defer cancel()
	}
	return l.client.Close(ctx)
}
