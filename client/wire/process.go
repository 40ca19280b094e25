package wire

import (
	"errors"
	"io"
	"os"
	"os/exec"
)

// Exit is how a process ended.
type Exit struct {
	Code   int    // its exit status, when Signal is empty
	Signal string // what killed it: "SIGSEGV"
}

// Process is a server's process, together with all that it started, as
// [Attach] needs it. Its methods but Wait may be called at any time and from
// several goroutines.
type Process interface {
	// PID is the number of the process, 0 if it has none.
	PID() int
	// Pipes are the ends of its standard streams that the client holds. Closing
	// one makes a Read or Write fail that is blocked on it.
	Pipes() (stdin io.WriteCloser, stdout, stderr io.ReadCloser)
	// Wait returns when the process has ended. It is called once.
	Wait() Exit
	// Terminate asks the process, and those that it started, to end.
	Terminate()
	// Kill ends them.
	Kill()
	// Alive reports, after Wait has returned, whether any that it started is left.
	Alive() bool
	// Release is the last call: Wait has returned and nothing more is wanted.
	Release()
}

// osProcess is a process of the operating system in a group of its own.
type osProcess struct {
	cmd            *exec.Cmd
	stdin          *os.File
	stdout, stderr *os.File
	group          group
}

// start starts the command. Its errors are of type *StartError.
func start(c Command) (*osProcess, error) {
	path, err := c.Check()
	if err != nil {
		return nil, err
	}
	p := &osProcess{cmd: &exec.Cmd{Path: path, Args: c.Args, Dir: c.Dir, Env: c.Environ()}}
	theirs, err := p.connect()
	if err != nil {
		return nil, &StartError{Command: c.told(), File: path, Err: err, reason: "no pipe to it can be made: " + err.Error()}
	}
	p.group.prepare(p.cmd)
	err = p.cmd.Start()
	for _, f := range theirs {
		_ = f.Close()
	}
	if err != nil {
		p.closePipes()
		return nil, c.startError(path, err)
	}
	p.group.started(p.cmd.Process)
	return p, nil
}

// connect makes the three pipes and returns the ends that are the process's.
func (p *osProcess) connect() (theirs []*os.File, err error) {
	var files []*os.File
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			for _, f := range files {
				_ = f.Close()
			}
			return nil, err
		}
		files = append(files, r, w)
	}
	p.stdin, p.stdout, p.stderr = files[1], files[2], files[4]
	theirs = []*os.File{files[0], files[3], files[5]}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	return theirs, nil
}

func (p *osProcess) closePipes() {
	_ = p.stdin.Close()
	_ = p.stdout.Close()
	_ = p.stderr.Close()
}

func (p *osProcess) PID() int { return p.cmd.Process.Pid }

func (p *osProcess) Pipes() (io.WriteCloser, io.ReadCloser, io.ReadCloser) {
	return p.stdin, p.stdout, p.stderr
}

func (p *osProcess) Wait() Exit {
	err := p.cmd.Wait()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		return Exit{Code: -1} // how it ended cannot be found out
	}
	return exitOf(p.cmd.ProcessState)
}

func (p *osProcess) Terminate()  { p.group.terminate() }
func (p *osProcess) Kill()       { p.group.kill() }
func (p *osProcess) Alive() bool { return p.group.alive() }
func (p *osProcess) Release()    { p.group.release() }
