package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// WithSignals gives a context that the first of [Signals] ends. An interrupt is
// first offered to whoever wants to stop only what runs.
func WithSignals(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	taker := &interruptTaker{}
	ctx, cancel := context.WithCancelCause(context.WithValue(parent, takerKey{}, taker))
	came := make(chan os.Signal, 1)
	signal.Notify(came, Signals...)
	go func() {
		for {
			select {
			case sig := <-came:
				if sig != os.Interrupt || !taker.taken() {
					cancel(signalError{sig})
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() {
		signal.Stop(came)
		cancel(context.Canceled)
	}
}

// signalError is a signal as the cause of a context's end: an interruption.
type signalError struct{ os.Signal }

func (e signalError) Error() string { return e.String() + " signal received" }

// Is makes it a [context.Canceled], as which it is told.
func (e signalError) Is(target error) bool { return target == context.Canceled }

type takerKey struct{}

// interruptTaker is who takes interrupts.
type interruptTaker struct {
	mu   sync.Mutex
	take func()
}

func (t *interruptTaker) taken() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.take != nil {
		t.take()
	}
	return t.take != nil
}

// onInterrupt lets take, which must not wait, be called for interrupts instead of
// ending the context, until release is called. Of a context without signals it does
// nothing.
func onInterrupt(ctx context.Context, take func()) (release func()) {
	t, ok := ctx.Value(takerKey{}).(*interruptTaker)
	if !ok {
		return func() {}
	}
	set := func(take func()) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.take = take
	}
	set(take)
	return func() { set(nil) }
}
