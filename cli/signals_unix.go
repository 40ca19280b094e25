//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// Signals end a command in order: the server's process group first.
var Signals = []os.Signal{os.Interrupt, unix.SIGTERM, unix.SIGHUP}

// keepBrokenPipes turns SIGPIPE into an error of the write. The signal is taken
// and not ignored, which servers would inherit.
func keepBrokenPipes() { signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE) }

// readerGone reports whether a write failed because nobody reads any more.
func readerGone(err error) bool { return errors.Is(err, unix.EPIPE) }
