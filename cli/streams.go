// Package cli is the command line: one file a command, their flags, the target
// grammar, text and JSON output, and the exit codes.
package cli

import (
	"io"
	"os"

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

// Standard returns the streams of the process.
func Standard() Streams {
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
}
