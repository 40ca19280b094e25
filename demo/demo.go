// Package demo is the embedded server: the worlds of the tutorials and a world
// that shows everything a client must be able to show, with data that is the
// same on every run.
//
// It speaks the protocol by itself, because servers that people write do what
// an SDK does not: they answer before initialize, they answer junk, and their
// results have the shape that the tutorials print. Its tests hold it against the
// client of the official SDK.
package demo

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Options say which server to be. The zero value is the world "demo".
type Options struct {
	As    string           // one of Worlds; "" is "demo"
	Now   func() time.Time // what useful://date-time tells; nil is time.Now
	Grace time.Duration    // how long calls in flight may take after the end of input; 0 is one second
}

// worldNames lists the worlds, the default one first. Each is worlds/NAME.json.
var worldNames = []string{"demo", "weather", "mcp-demo-server", "mcp-fs-server", "filesystem", "useful"}

// Worlds returns the names that Options.As takes, the default one first.
func Worlds() []string { return slices.Clone(worldNames) }

// UnknownWorldError says that Options.As names no world.
type UnknownWorldError struct{ Name string }

func (e *UnknownWorldError) Error() string { return fmt.Sprintf("the demo has no world %q", e.Name) }

// Hint lists the worlds that exist.
func (e *UnknownWorldError) Hint() string { return "it can be " + strings.Join(worldNames, ", ") }

// Word is the error's name for machines.
func (e *UnknownWorldError) Word() string { return "usage" }

// Exit is what Serve returns when the tool crash asked the process to end.
// The caller ends it with End, or with Code when Signal is empty.
type Exit struct {
	Code   int
	Signal string // "SIGKILL", "SIGTERM" or ""
}

func (e *Exit) Error() string {
	if e.Signal != "" {
		return "the demo was asked to end by " + e.Signal
	}
	return fmt.Sprintf("the demo was asked to exit with %d", e.Code)
}

// Serve is the server on the given streams: it reads one message a line from
// stdin and writes one message a line to stdout, each with a single Write. It
// returns nil after stdin ended and the calls in flight were answered or
// Options.Grace was over, *Exit when a client called crash, an
// *UnknownWorldError before anything was read, and otherwise what stopped it:
// the context's error, or that of a stream.
//
// No line is begun after Serve returned. A Read that is blocked in stdin, and a
// Write to a client that does not read, are left behind.
func Serve(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, opt Options) error {
	if opt.As == "" {
		opt.As = worldNames[0]
	}
	if !slices.Contains(worldNames, opt.As) {
		return &UnknownWorldError{Name: opt.As}
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Grace == 0 {
		opt.Grace = time.Second
	}
	inner, end := context.WithCancelCause(ctx)
	defer end(nil)
	f, err := newFront(inner, end, stdout, stderr, opt)
	if err != nil {
		return err
	}
	defer f.out.close()
	err = f.run(stdin)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
