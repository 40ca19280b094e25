package wire

import (
	"fmt"
	"strings"
)

// clue is something on standard error that leaves no doubt why a server ended.
type clue struct {
	words string // what a line contains
	hint  string // with %s, the name that follows the words
}

// clues are tried in order, the surer before the more general.
var clues = []clue{
	{"Cannot find module '/", "node does not find /%s: check the path and the working directory"},
	{"Cannot find module ", "node does not find %s: install the server's dependencies (npm install)"},
	{"Cannot find package ", "node does not find the package %s: install the server's dependencies (npm install)"},
	{"ERR_UNKNOWN_FILE_EXTENSION", "node does not run this kind of file: compile it first, or start it with npx tsx"},
	{"Cannot use import statement outside a module", "node takes the file for CommonJS: \"type\": \"module\" in its package.json makes it an ES module"},
	{"ModuleNotFoundError: No module named ", "the Python that runs the server lacks %s: install it there, or start the server with uv run"},
	{"No module named ", "the Python that runs the server lacks %s: install it there, or start the server with uv run"},
	{"can't open file ", "Python does not find %s: check the path and the working directory"},
	{"Unable to access jarfile ", "Java does not find %s: check the path and the working directory"},
	{"UnsupportedClassVersionError", "the server was built for a newer Java than this one"},
	{"You must install or update .NET", "the server needs another version of .NET"},
	{"could not determine executable to run", "the package has no program of that name: npx -p PACKAGE PROGRAM names both"},
	{"code E404", "npm has no package of that name: check its spelling"},
	{"code ETARGET", "npm has no such version of the package"},
	{"EAI_AGAIN", "a host name could not be resolved: is there a network?"},
	{"ENOTFOUND", "a host name could not be resolved: is there a network?"},
	{"not found in the package registry", "the registry has no package of that name: check its spelling"},
	{"Cannot connect to the Docker daemon", "the Docker daemon does not run"},
	{"EADDRINUSE", portInUse},
	{"ddress already in use", portInUse},
	{"heap out of memory", "the server ran out of memory; for node, NODE_OPTIONS=--max-old-space-size=4096 in its environment gives it more"},
	{"error while loading shared libraries: ", "the library %s is not installed"},
	{"version `GLIBC_", "the program was built for a newer C library: build or install it for this system"},
	{"EACCES", notPermitted},
	{"PermissionError", notPermitted},
	{"ermission denied", notPermitted},
}

const (
	portInUse    = "another program uses the port that it wants: is another copy of the server running?"
	notPermitted = "the server lacks a permission; the line of standard error says for what"
)

// exitHint says what to do about a server that ended by itself.
func exitHint(e *ExitError) string {
	for _, find := range []func([]string) string{envHint, clueHint, shellHint, variableHint, usageHint} {
		if hint := find(e.Stderr); hint != "" {
			return hint
		}
	}
	switch {
	case e.Signal == "SIGKILL":
		return "something else killed it, perhaps the system for want of memory"
	case e.Signal == "SIGSEGV", e.Signal == "SIGBUS", e.Signal == "SIGILL", e.Signal == "SIGABRT":
		return "the program itself crashed, in compiled code"
	case e.Signal != "":
		return "something else sent it the signal"
	case e.Code == 127:
		return "a command in the server's start script was not found"
	case e.Code == 126:
		return "a command in the server's start script is not executable"
	case e.Code == 0:
		return "it ended without being asked to: perhaps it wants another argument (stdio, for one) or waits for its clients on a port"
	case len(e.Stderr) == 0:
		return "it wrote nothing to standard error; start it by hand to see why it ends"
	}
	return "its last lines of standard error should say why"
}

// envHint is about the program env in the first line of a script.
func envHint(lines []string) string {
	for _, l := range lines {
		rest, ok := strings.CutPrefix(l, "env: ")
		before, _, missing := strings.Cut(rest, "No such file")
		if !ok || !missing {
			continue
		}
		name := strings.Trim(before, " :'\"‘’")
		if bare, ok := strings.CutSuffix(strings.ReplaceAll(name, `\r`, "\r"), "\r"); ok {
			return fmt.Sprintf("the script's lines end in CRLF, so that %s is not found: convert them to LF", bare)
		}
		hint := fmt.Sprintf("the script's first line asks for %s, which is not in PATH", name)
		if r, ok := runtimes[name]; ok {
			hint += ": is " + r.product + " installed?"
		}
		return hint
	}
	return ""
}

func clueHint(lines []string) string {
	for _, c := range clues {
		for _, l := range lines {
			_, after, found := strings.Cut(l, c.words)
			if !found {
				continue
			}
			if !strings.Contains(c.hint, "%s") {
				return c.hint
			}
			if name := firstName(after); name != "" {
				return fmt.Sprintf(c.hint, name)
			}
		}
	}
	return ""
}

// firstName is the name that text begins with: up to a quote where it is
// quoted, else up to a space.
func firstName(text string) string {
	name := strings.TrimLeft(text, "'\"`")
	if end := strings.IndexAny(name, "'\"`"); end >= 0 {
		name = name[:end]
	} else {
		name, _, _ = strings.Cut(name, " ")
		name = strings.TrimRight(name, ":,;")
	}
	return shorten(name)
}

// shellHint is about a shell that does not find a command.
func shellHint(lines []string) string {
	for _, l := range lines {
		before, ok := strings.CutSuffix(l, ": command not found") // bash: line 1: foo: command not found
		if !ok && strings.HasPrefix(l, "sh: ") {
			before, ok = strings.CutSuffix(l, ": not found") // sh: 1: foo: not found
		}
		if !ok {
			continue
		}
		name := before[strings.LastIndexByte(before, ' ')+1:]
		hint := fmt.Sprintf("the server's start script does not find %s", shorten(name))
		if r, ok := runtimes[name]; ok {
			hint += ": is " + r.product + " installed?"
		}
		return hint
	}
	return ""
}

// variableHint is about an environment variable that a server asks for.
func variableHint(lines []string) string {
	for _, l := range lines {
		lower := strings.ToLower(l)
		asks := false
		for _, w := range []string{"required", "missing", "not set", "must be set", "must set", "please set", "not provided", "undefined", "not defined"} {
			asks = asks || strings.Contains(lower, w)
		}
		if !asks {
			continue
		}
		for _, word := range strings.FieldsFunc(l, notInVariable) {
			if len(word) > 4 && len(word) <= maxCommand && strings.Contains(strings.Trim(word, "_"), "_") && !strings.HasPrefix(word, "ERR_") {
				return fmt.Sprintf("it asks for the environment variable %s: -e %s=… sets it", word, word)
			}
		}
	}
	return ""
}

func notInVariable(r rune) bool {
	return r != '_' && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
}

func usageHint(lines []string) string {
	for _, l := range lines {
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(l)), "usage:") {
			return "it printed how it is used: it wants other arguments; many servers want the word stdio"
		}
	}
	return ""
}
