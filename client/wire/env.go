package wire

import (
	"os"
	"runtime"
	"strings"
)

// Command is a server's command line, as it is started.
type Command struct {
	Args     []string // the program and its arguments; nothing is split or expanded
	Dir      string   // its working directory; empty: parley's own
	Env      []string // K=V, added to what it inherits; the last of a name counts
	CleanEnv bool     // inherit only the variables that hosts pass on
	// Shown is the command line that errors tell, where Args may have secrets in
	// it; nil: Args.
	Shown []string
}

// told is the command line for errors.
func (c Command) told() []string {
	if c.Shown != nil {
		return c.Shown
	}
	return c.Args
}

// cleanUnix and cleanWindows are the variables that MCP hosts pass on to the
// servers they start.
var (
	cleanUnix    = []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}
	cleanWindows = []string{
		"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PROCESSOR_ARCHITECTURE",
		"PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE",
	}
)

// Environ returns the environment that the command is started with, as K=V.
// A name may occur twice; the last one counts.
func (c Command) Environ() []string {
	var env []string
	switch {
	case !c.CleanEnv:
		env = os.Environ()
		if c.Dir != "" && runtime.GOOS != "windows" {
			env = append(env, "PWD="+c.absDir())
		}
	case runtime.GOOS == "windows":
		env = inherit(cleanWindows)
	default:
		env = inherit(cleanUnix)
	}
	return append(env, c.Env...)
}

func inherit(names []string) []string {
	env := make([]string, 0, len(names))
	for _, name := range names {
		// A value that begins with () is a shell function, which hosts leave out.
		if v, ok := os.LookupEnv(name); ok && !strings.HasPrefix(v, "()") {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// lookupEnv finds the value that counts in env.
func lookupEnv(env []string, name string) (string, bool) {
	for i := len(env) - 1; i >= 0; i-- {
		k, v, _ := strings.Cut(env[i], "=")
		if k == name || runtime.GOOS == "windows" && strings.EqualFold(k, name) {
			return v, true
		}
	}
	return "", false
}
