//go:build unix

package demo

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// End ends this process as the exit says. It does not return.
func (e *Exit) End() {
	if sig := unix.SignalNum(e.Signal); sig != 0 {
		signal.Reset(sig)
		_ = unix.Kill(os.Getpid(), sig)
		select {} // the signal is on its way
	}
	os.Exit(e.Code)
}
