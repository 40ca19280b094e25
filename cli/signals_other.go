//go:build !unix

package cli

import (
	"errors"
	"os"
	"syscall"
)

// Signals end a command in order: the server's process first.
var Signals = []os.Signal{os.Interrupt}

func keepBrokenPipes() {}

// Windows says one of these of a pipe that nobody reads.
const (
	errorBrokenPipe = syscall.Errno(109)
	errorNoData     = syscall.Errno(232)
)

func readerGone(err error) bool {
	return errors.Is(err, errorBrokenPipe) || errors.Is(err, errorNoData)
}
