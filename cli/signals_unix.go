//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// Signals end a command in order: the server's process group first.
var Signals = []os.Signal{os.Interrupt, unix.SIGTERM, unix.SIGHUP}
