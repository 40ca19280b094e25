//go:build !linux

package e2e

import (
	"os"
	"syscall"
)

// keeping says that what a run leaves behind is seen.
const keeping = false

// keep is never asked for where nothing can be watched.
func keep([]string) int { return 1 }

func apart() []*syscall.SysProcAttr { return nil }

// alive says whether a process is there.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}
