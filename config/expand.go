package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// VariableError says that a server's entry uses a variable without a value.
type VariableError struct {
	Server   string
	Variable string // as between the braces, "TOKEN" or "input:key"
	Key      string // where it is used, "env.API_KEY"
	File     string
	Line     int
}

func (e *VariableError) Error() string {
	return fmt.Sprintf("%s:%d: server %s: %s uses ${%s}, which has no value", e.File, e.Line, e.Server, e.Key, e.Variable)
}

// Hint says how to give the variable a value.
func (e *VariableError) Hint() string {
	prefix, bare, ok := strings.Cut(e.Variable, ":")
	if ok && prefix == "input" {
		return "editors ask for inputs, parley does not: write ${" + variableName(bare) + "} and set that variable"
	}
	if ok && prefix != "env" {
		return "known are ${NAME}, ${NAME:-default}, ${env:NAME}, ${workspaceFolder}, ${userHome} and ${pathSeparator}"
	}
	return "set " + strings.TrimPrefix(e.Variable, "env:") + " in the environment"
}

// Word is the word for errors of this sort in machine-readable output.
func (e *VariableError) Word() string { return "usage" }

func variableName(input string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, input))
}

// Expand returns the server with the variables in its command, arguments,
// environment, directory, URL and headers replaced: ${NAME}, ${NAME:-default}
// and ${env:NAME} by the environment, ${workspaceFolder} by the directory of
// the project that the file belongs to, ${userHome}, ${pathSeparator} and ${/}.
// A value is not expanded again, not even by a second Expand, and ~ stays as it
// is. Servers with a wrong
// entry give their Err, variables without a value a *[VariableError].
func (s Server) Expand() (Server, error) { return s.expand(os.LookupEnv) }

func (s Server) expand(lookup func(string) (string, bool)) (Server, error) {
	if s.err != nil {
		return s, s.err
	}
	if s.expanded {
		return s, nil
	}
	var first error
	text := func(key, in string) string {
		out, missing := expandText(in, func(name string) (string, bool) { return s.variable(name, lookup) })
		if missing != "" && first == nil {
			first = &VariableError{Server: s.Name, Variable: missing, Key: key, File: s.File, Line: s.Line}
		}
		return out
	}
	table := func(key string, in map[string]string) map[string]string {
		out := maps.Clone(in)
		for _, k := range slices.Sorted(maps.Keys(in)) { // sorted, so that the error is always the same one
			out[k] = text(key+"."+k, in[k])
		}
		return out
	}
	s.Command = text("command", s.Command)
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		s.Args[i] = text(fmt.Sprintf("args[%d]", i), s.Args[i])
	}
	s.Env = table("env", s.Env)
	s.Dir = text("cwd", s.Dir)
	s.URL = text("url", s.URL)
	s.Headers = table("headers", s.Headers)
	s.expanded = first == nil
	return s, first
}

// variable gives the value of what stands between the braces.
func (s Server) variable(name string, lookup func(string) (string, bool)) (string, bool) {
	switch name {
	case "workspaceFolder":
		return s.project(), true
	case "userHome":
		home, err := os.UserHomeDir()
		return home, err == nil
	case "pathSeparator", "/":
		return string(filepath.Separator), true
	}
	if bare, ok := strings.CutPrefix(name, "env:"); ok {
		// editors take a variable that is not set for an empty one, but a
		// missing token is better told than sent
		return lookup(bare)
	}
	bare, fallback, hasFallback := strings.Cut(name, ":-")
	if hasFallback {
		if v, ok := lookup(bare); ok && v != "" {
			return v, true
		}
		return fallback, true
	}
	if strings.Contains(name, ":") {
		return "", false
	}
	return lookup(name)
}

// project is the directory that the file is about: its own, or the one above
// when an editor keeps the file in a folder of its settings.
func (s Server) project() string {
	dir := filepath.Dir(s.File)
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	switch filepath.Base(dir) {
	case ".vscode", ".cursor":
		return filepath.Dir(dir)
	}
	return dir
}

// isVariable tells a variable from what a shell would make of ${…}: it is a
// name, alone or before a colon.
func isVariable(text string) bool {
	if text == "/" {
		return true
	}
	name, _, _ := strings.Cut(text, ":")
	for i, r := range name {
		letter := r == '_' || r|' ' >= 'a' && r|' ' <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

// expandText replaces each ${…} that is a variable. It returns the first one
// without a value; what has no value, and everything else, stays as it is.
func expandText(in string, value func(string) (string, bool)) (out, missing string) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(in, "${")
		b.WriteString(before)
		if !ok {
			return b.String(), missing
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || !isVariable(name) {
			b.WriteString("${")
			in = rest
			continue
		}
		if v, ok := value(name); ok {
			b.WriteString(v)
		} else {
			b.WriteString("${" + name + "}")
			if missing == "" {
				missing = name
			}
		}
		in = after
	}
}
