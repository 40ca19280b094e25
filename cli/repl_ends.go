package cli

import (
	"errors"
	"sync"

	"parley/client/wire"
)

// ends keeps account of which ends of a server were told: one that a step fails
// with is told by that step, one that comes by itself at once.
type ends struct {
	mu     sync.Mutex
	busy   bool            // a step runs: it may tell
	closed bool            // the session ends: the end is wanted
	late   error           // an end that came while a step ran
	told   *wire.ExitError // the last one that was told
}

// running says whether a step runs. When it has run it gives an end that came
// meanwhile and that nobody told.
func (e *ends) running(on bool) (late error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	late, e.late, e.busy = e.late, nil, on
	var ended *wire.ExitError
	if errors.As(late, &ended) && ended == e.told {
		return nil // by the step itself
	}
	return late
}

// close says that ends are wanted from now on.
func (e *ends) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
}

// untold gives err if it is an end that is to be told now. It is not if it was
// told, or if a step runs, which tells it or gets it from running.
func (e *ends) untold(err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var ended *wire.ExitError
	switch {
	case !errors.As(err, &ended), ended == e.told, e.closed:
		return nil
	case e.busy:
		e.late = err
		return nil
	}
	return err
}

// tell takes note that an end is told, and reports whether it was before.
func (e *ends) tell(ended *wire.ExitError) (before bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before, e.told = e.told == ended, ended
	return before
}
