package cli

import (
	"fmt"
	"sync"
)

// notes are what is said on the side. With --json an error is exactly one line on
// standard error, so that what was noted before it stands in that line.
type notes struct {
	mu    sync.Mutex
	texts []string
}

// live are the commands whose notes are of use only at once.
var live = map[string]bool{"run": true, "repl": true, "raw": true, "demo": true}

// holdNotes keeps the notes of a command until it ends, where its error would be
// a line of JSON.
func (a *app) holdNotes(command string) {
	if a.json && !a.verbose && !live[command] && a.held == nil {
		a.held = &notes{}
	}
}

// note says something on standard error, unless asked to be quiet.
func (a *app) note(format string, args ...any) {
	if a.quiet {
		return
	}
	text := visible(fmt.Sprintf(format, args...))
	if a.notices != nil {
		select {
		case a.notices <- text:
		default: // it has more to show than anybody reads
		}
		return
	}
	if a.held == nil {
		fmt.Fprintf(a.io.Err, "parley: %s\n", text)
		return
	}
	a.held.mu.Lock()
	defer a.held.mu.Unlock()
	a.held.texts = append(a.held.texts, text)
}

// release gives the notes that were held for the line of an error; without one it
// says them.
func (a *app) release(err error) []string {
	if a.held == nil {
		return nil
	}
	a.held.mu.Lock()
	texts := a.held.texts
	a.held.mu.Unlock()
	if err != nil {
		return texts
	}
	a.held = nil
	for _, text := range texts {
		a.note("%s", text)
	}
	return nil
}
