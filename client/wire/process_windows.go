package wire

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a job object: the server's process and all that it starts. Windows
// ends them when the last handle to the job is closed, even if we crash. What
// the process starts before it is put into the job, in its first microseconds,
// is not caught.
type group struct {
	mu      sync.Mutex
	job     windows.Handle // 0: there is none, or none any more
	process *os.Process
}

// prepare gives the process a console of its own, without a window, so that a
// ctrl+c in ours is not meant for it.
func (g *group) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
}

// started puts the process into a job. Where that is not possible only the
// process itself is ended later.
func (g *group) started(p *os.Process) {
	g.process = p
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(job, p.Pid)
	}
	if err != nil {
		windows.CloseHandle(job)
		return
	}
	g.job = job
}

func assign(job windows.Handle, pid int) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(job, h)
}

// terminate is kill: Windows has no signal that asks a process without a
// window to end. The closed input was that request.
func (g *group) terminate() { g.kill() }

func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	} else if g.process != nil {
		_ = g.process.Kill()
	}
}

func (g *group) alive() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job == 0 {
		return false
	}
	// JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
	var info struct {
		times                         [4]int64
		pageFaults, total, active, by uint32
	}
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.active > 0
}

// release closes the job, which ends what is left in it.
func (g *group) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		windows.CloseHandle(g.job)
	}
	g.job, g.process = 0, nil
}

func exitOf(state *os.ProcessState) Exit { return Exit{Code: state.ExitCode()} }

// executable says whether path can be run, and under which name: the ending
// may be left out if PATHEXT has it.
func executable(path string, env []string) (string, error) {
	exts := []string{".com", ".exe", ".bat", ".cmd"}
	if v, ok := lookupEnv(env, "PATHEXT"); ok && v != "" {
		exts = strings.Split(strings.ToLower(v), ";")
	}
	tries := make([]string, 0, len(exts)+1)
	for _, ext := range exts {
		if ext != "" && strings.EqualFold(filepath.Ext(path), ext) {
			tries = append(tries, path)
		}
	}
	for _, ext := range exts {
		if ext != "" {
			tries = append(tries, path+ext)
		}
	}
	for _, t := range tries {
		if info, err := os.Stat(t); err == nil && !info.IsDir() {
			return t, nil
		}
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case info.IsDir():
		return "", fs.ErrInvalid
	}
	return "", fs.ErrPermission // a file, but none that Windows runs
}
