// Package cli is the command line: one file a command, their flags, the target
// grammar, text and JSON output, and the exit codes.
package cli

import (
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// Streams are what a command reads and writes. The booleans say whether a
// stream is a terminal.
type Streams struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	InTTY  bool
	OutTTY bool
	ErrTTY bool
}

// Standard returns the streams of the process. From then on a write to a pipe
// that nobody reads is an error, as elsewhere, and does not end the process: a
// server that was started has to be ended first.
func Standard() Streams {
	keepBrokenPipes()
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
}

// outlet is standard output. It remembers the first write that failed, so that
// commands need not look at each.
type outlet struct {
	w io.Writer

	mu  sync.Mutex
	err error
}

func (o *outlet) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.mu.Lock()
		if o.err == nil {
			o.err = err
		}
		o.mu.Unlock()
	}
	return n, err
}

// gone reports whether the reader went away, as head does when it has seen enough.
func (o *outlet) gone() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err != nil && readerGone(o.err)
}

// lost says what could not be written. A reader that went away is no failure.
func (o *outlet) lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil || readerGone(o.err) {
		return nil
	}
	return fmt.Errorf("writing to standard output: %w", o.err)
}
