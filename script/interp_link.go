package script

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parley/client"
)

// connectError is a connection that could not be had at the first step that needs
// one. It is not that step's failure: ! does not expect it, and - not pass it over.
type connectError struct{ err error }

func (e *connectError) Error() string { return e.err.Error() }
func (e *connectError) Unwrap() error { return e.err }

// endedError is a connection that is over.
type endedError struct{ err error }

func (e *endedError) Error() string { return e.err.Error() }
func (e *endedError) Unwrap() error { return e.err }

// Hint says how there is one again.
func (e *endedError) Hint() string { return "restart connects again" }

// online gives the connection, and opens one if there was none so far.
func (in *Interp) online(ctx context.Context) (*Link, error) {
	switch {
	case in.broken != nil:
		return nil, in.broken
	case in.link == nil:
		if err := in.connect(ctx, nil); err != nil {
			in.broken = &connectError{err}
			return nil, in.broken
		}
	}
	return in.link, ended(in.link)
}

// ended says whether a connection is over, and why.
func ended(l *Link) error {
	done := l.Client.Done()
	if done == nil {
		return client.ErrNotConnected
	}
	select {
	case <-done:
	default:
		return nil
	}
	if err := l.Client.Err(); err != nil {
		return &endedError{err}
	}
	return &endedError{client.ErrClosed}
}

// connect opens a connection to what words name, to the host's own target without
// any, and leaves the one before.
func (in *Interp) connect(ctx context.Context, words []string) error {
	if err := in.drop(ctx); err != nil {
		in.opt.Host.Note("", err.Error())
	}
	l, err := in.opt.Host.Connect(ctx, words, &in.settings)
	if err != nil {
		return err
	}
	in.mu.Lock()
	in.link, in.ours = l, true
	in.mu.Unlock()
	in.broken = nil
	in.waits.begin(l, true)
	return nil
}

// drop leaves the connection, and ends it if the interpreter opened it.
func (in *Interp) drop(ctx context.Context) error {
	in.mu.Lock()
	l, ours := in.link, in.ours
	in.link, in.ours = nil, false
	in.mu.Unlock()
	if l == nil || !ours || l.Close == nil {
		return nil
	}
	return l.Close(ctx)
}

// doConnect is the step connect.
func (in *Interp) doConnect(ctx context.Context, step *Step) error {
	words, err := in.texts(ctx, step.Words)
	if err != nil {
		return err
	}
	switch {
	case len(words) > 0:
		err := in.connect(ctx, words)
		if err != nil { // what follows is meant for that server, and for no other
			in.broken = &connectError{&advisedError{fmt.Errorf("not connected: %w", err), "connect without a target goes back to the first server"}}
		}
		return err
	case in.link == nil:
		in.broken = nil
		return in.connect(ctx, nil)
	case ended(in.link) == nil:
		return &usageError{"connected already", "restart ends the connection and begins it anew"}
	}
	return in.again(ctx, in.link.Client.Connect)
}

// doRestart is the step restart.
func (in *Interp) doRestart(ctx context.Context) error {
	if in.link == nil {
		in.broken = nil
		return in.connect(ctx, nil)
	}
	return in.again(ctx, in.link.Client.Restart)
}

// again connects in the same session.
func (in *Interp) again(ctx context.Context, open func(context.Context) error) error {
	if err := open(ctx); err != nil {
		return of("initialize", err)
	}
	offered := in.settings.Protocol
	if offered == "" || slices.Contains(eras, offered) {
		return nil
	}
	if info, ok := in.link.Client.Server(); ok && info.ProtocolVersion != offered {
		in.opt.Host.Note("", fmt.Sprintf("offered %s, the server answered %s: going on with that", offered, info.ProtocolVersion))
	}
	return nil
}

// doDisconnect is the step disconnect. How the server ended is said, and no failure.
func (in *Interp) doDisconnect(ctx context.Context) error {
	if in.link == nil {
		return &advisedError{client.ErrNotConnected, "connect opens a connection, and so does the first line that needs one"}
	}
	if err := ended(in.link); err != nil {
		return err
	}
	if err := in.link.Client.Close(ctx); err != nil {
		in.opt.Host.Note("", err.Error())
	}
	return nil
}

// of says which request of a step an error answers. One that was not even sent has
// none.
func of(what string, err error) error {
	var over *endedError
	var never *connectError
	if errors.As(err, &over) || errors.As(err, &never) {
		return err
	}
	return client.About(what, err)
}

// usageError is a step that says something that cannot be done.
type usageError struct{ message, advice string }

func (e *usageError) Error() string { return e.message }
func (e *usageError) Hint() string  { return e.advice }
func (e *usageError) Word() string  { return "usage" }

// advisedError is an error with another hint than its own.
type advisedError struct {
	err    error
	advice string
}

func (e *advisedError) Error() string { return e.err.Error() }
func (e *advisedError) Unwrap() error { return e.err }
func (e *advisedError) Hint() string  { return e.advice }
