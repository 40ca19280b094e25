package script

import (
	"context"
	"os/exec"
	"syscall"
)

// shellCommand is a line for the shell, ended when ctx ends. The shell gets it as
// it is: quoting is its own matter.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /s /c "` + line + `"`}
	return cmd
}
