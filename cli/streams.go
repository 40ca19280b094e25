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

// Streams are what a command reads and writes. The TTY booleans say whether a
// stream is a terminal.
type Streams struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	InTTY  bool
	OutTTY bool
	ErrTTY bool
	// Color says that Out is a terminal that takes colours, and that they are wanted.
	Color bool
	// Size gives the columns and rows of the terminal of Out; nil where unknown.
	Size func() (columns, rows int)
}

func (s Streams) size() (columns, rows int) {
	if s.Size == nil {
		return 0, 0
	}
	return s.Size()
}

// Standard returns the streams of the process. From then on a write to a pipe
// that nobody reads is an error, as elsewhere, and does not end the process: a
// server that was started has to be ended first.
func Standard() Streams {
	keepBrokenPipes()
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
	s.Color = s.OutTTY && colorful(os.Getenv)
	s.Size = func() (columns, rows int) {
		columns, rows, _ = term.GetSize(int(os.Stdout.Fd()))
		return columns, rows
	}
	return s
}

// colorful reports whether a terminal takes colours and nobody asked for none
// (https://no-color.org).
func colorful(getenv func(string) string) bool {
	if getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		return false
	}
	return getenv("TERM") != "" || getenv("WT_SESSION") != ""
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
