package cli

import (
	"errors"
	"strings"
	"sync"

	"parley/client/wire"
)

// endOf finds in an error how a connection ended that we did not end: as the server
// exited, or as the other side or the network ended it. nil if that is not what it is
// about.
func endOf(err error) error {
	var exited *wire.ExitError
	var disconnected *wire.DisconnectedError
	switch {
	case errors.As(err, &exited):
		return exited
	case errors.As(err, &disconnected):
		return disconnected
	}
	return nil
}

// onScreenOnly is what advises to do what only the screen and a script can do.
const onScreenOnly = "R, or restart in a script, connects again"

// withoutRestart is advice for where there is nothing to restart.
func withoutRestart(advice string) string {
	return strings.TrimSuffix(strings.TrimSuffix(advice, onScreenOnly), "; ")
}

// ends keeps account of which ends of a connection were told: one that a step fails
// with is told by that step, one that comes by itself at once.
type ends struct {
	mu     sync.Mutex
	busy   bool  // a step runs: it may tell
	closed bool  // the session ends: the end is wanted
	late   error // an end that came while a step ran
	told   error // the last one that was told, as endOf gives it
}

// running says whether a step runs. When it has run it gives an end that came
// meanwhile and that nobody told.
func (e *ends) running(on bool) (late error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	late, e.late, e.busy = e.late, nil, on
	if end := endOf(late); end != nil && errors.Is(end, e.told) {
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
	switch end := endOf(err); {
	case end == nil, errors.Is(end, e.told), e.closed:
		return nil
	case e.busy:
		e.late = err
		return nil
	}
	return err
}

// tell takes note that an end is told, and reports whether it was before.
func (e *ends) tell(end error) (before bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before, e.told = errors.Is(end, e.told), end
	return before
}
