//go:build !unix

package demo

import "os"

// End ends this process as the exit says; without signals that is its code.
// It does not return.
func (e *Exit) End() { os.Exit(e.Code) }
