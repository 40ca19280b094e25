//go:build !unix

package cli

import "os"

// Signals end a command in order: the server's process first.
var Signals = []os.Signal{os.Interrupt}
