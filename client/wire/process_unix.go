//go:build unix

package wire

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// group is a process group: the server's process and all that it starts, as
// long as they do not leave.
type group struct {
	mu  sync.Mutex
	pid int // of its leader, 0: there is none, or none any more
}

// prepare puts the process into a session of its own. A group alone would
// leave it our terminal: what asks for a password there would disturb the
// screen, or be stopped for ever as a background job. A signal at our death
// (Pdeathsig) is not asked for: it is tied to the thread that starts the
// process, which may end long before us; the end of its input tells a server.
func (g *group) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

func (g *group) started(p *os.Process) { g.pid = p.Pid }

// terminate sends SIGTERM to the group, and SIGCONT so that a stopped process
// hears it.
func (g *group) terminate() {
	g.signal(unix.SIGTERM)
	g.signal(unix.SIGCONT)
}

func (g *group) kill() { g.signal(unix.SIGKILL) }

// alive reports whether a process of the group is left. Those whose parent is
// gone are ours to reap where we are process 1, as in a container.
func (g *group) alive() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pid == 0 {
		return false
	}
	for {
		if pid, err := unix.Wait4(-g.pid, nil, unix.WNOHANG, nil); pid <= 0 || err != nil {
			break
		}
	}
	return unix.Kill(-g.pid, 0) == nil && anyRuns(g.pid)
}

// release makes sure that no signal reaches a later group of the same number.
func (g *group) release() {
	g.mu.Lock()
	g.pid = 0
	g.mu.Unlock()
}

func (g *group) signal(sig unix.Signal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pid != 0 {
		_ = unix.Kill(-g.pid, sig) // fails when they are gone, which is what is wanted
	}
}

func exitOf(state *os.ProcessState) Exit {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		if name := unix.SignalName(ws.Signal()); name != "" {
			return Exit{Signal: name}
		}
		return Exit{Signal: ws.Signal().String()}
	}
	return Exit{Code: state.ExitCode()}
}

// executable says whether path can be run, and under which name.
func executable(path string, _ []string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return "", syscall.EISDIR
	}
	err = unix.Faccessat(unix.AT_FDCWD, path, unix.X_OK, unix.AT_EACCESS)
	if err == nil || errors.Is(err, syscall.ENOSYS) && info.Mode()&0o111 != 0 {
		return path, nil
	}
	return "", err
}
