package wire

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxCommand is the length to which errors shorten a command line.
const maxCommand = 80

// StartError is a command that could not be started. It wraps the system's
// error where there is one: [io/fs.ErrNotExist], [os/exec.ErrNotFound] and the like.
type StartError struct {
	Command []string
	File    string // what was to be run; empty if PATH was searched in vain
	Path    string // the PATH that was searched; empty if the command names a file
	Nearest string // an executable of a similar name, or empty
	Err     error

	reason string
	hint   string
}

func (e *StartError) Error() string {
	if len(e.Command) == 0 {
		return "no command to start"
	}
	return fmt.Sprintf("cannot start %s: %s", shorten(e.Command[0]), e.reason)
}

func (e *StartError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *StartError) Hint() string {
	if e.hint == "" && e.Nearest != "" {
		return "did you mean " + e.Nearest + "?"
	}
	return e.hint
}

// Word names the error for machines.
func (e *StartError) Word() string { return "unreachable" }

// ExitError is a server that ended by itself.
type ExitError struct {
	Command []string
	Code    int      // its exit status, when Signal is empty
	Signal  string   // what killed it: "SIGSEGV"
	Stderr  []string // its last lines of standard error, at most 20, each cut to 1 KiB

	clean bool // it was started with CleanEnv
}

func (e *ExitError) Error() string {
	if e.Signal != "" {
		return fmt.Sprintf("%s was killed by %s", commandLine(e.Command), e.Signal)
	}
	return fmt.Sprintf("%s exited %d", commandLine(e.Command), e.Code)
}

// Hint says what to do about it, as far as its last words tell.
func (e *ExitError) Hint() string {
	hint := exitHint(e)
	if e.clean {
		hint += "; it ran with the few variables of --clean-env"
	}
	return hint
}

// Word names the error for machines.
func (e *ExitError) Word() string {
	if e.Signal != "" {
		return "killed"
	}
	return "exited"
}

// SendError is a frame that could not be written to a server that still runs.
type SendError struct {
	Command []string
	Seq     uint64 // the frame
	Err     error
}

func (e *SendError) Error() string {
	return fmt.Sprintf("%s has closed its input: %v", commandLine(e.Command), e.Err)
}

func (e *SendError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *SendError) Hint() string {
	return "the server still runs but reads nothing any more; restart it"
}

// Word names the error for machines.
func (e *SendError) Word() string { return "closed" }

// commandLine shows a command in a message.
func commandLine(args []string) string {
	if len(args) == 0 {
		return "the server"
	}
	return shorten(strings.Join(args, " "))
}

func shorten(s string) string {
	if utf8.RuneCountInString(s) <= maxCommand {
		return s
	}
	return string([]rune(s)[:maxCommand-1]) + "…"
}
