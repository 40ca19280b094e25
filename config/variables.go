package config

import (
	"os"
	"path/filepath"
	"strings"
)

// dialect is how a program writes variables, beyond ${NAME}.
type dialect byte

const (
	plain   dialect = 0
	dollars dialect = '$' // $NAME: Gemini CLI
	braces  dialect = '{' // {env:NAME}, {file:PATH}: opencode
)

// reference reads a variable at the start of a text: what stands between its
// braces, and its length; 0 if there is none. Anything else that begins with $,
// such as what is meant for a shell, stays as it is.
func (d dialect) reference(text string) (name string, n int) {
	if rest, ok := strings.CutPrefix(text, "${{"); ok {
		// Continue and others: ${{ secrets.NAME }}
		inner, _, closed := strings.Cut(rest, "}}")
		name = strings.TrimSpace(inner)
		if closed && (strings.HasPrefix(name, "secrets.") || strings.HasPrefix(name, "inputs.")) {
			return name, len("${{") + len(inner) + len("}}")
		}
		return "", 0
	}
	if rest, ok := strings.CutPrefix(text, "${"); ok {
		name, _, closed := strings.Cut(rest, "}")
		if closed && isVariable(name) {
			return name, len("${") + len(name) + len("}")
		}
		return "", 0
	}
	switch {
	case d == dollars && strings.HasPrefix(text, "$"):
		i := 1
		for i < len(text) && isLetter(text[i], i > 1) {
			i++
		}
		if i > 1 {
			return text[1:i], i
		}
	case d == braces && (strings.HasPrefix(text, "{env:") || strings.HasPrefix(text, "{file:")):
		if name, _, closed := strings.Cut(text[1:], "}"); closed {
			return name, len(name) + 2
		}
	}
	return "", 0
}

func isLetter(c byte, digits bool) bool {
	return c == '_' || c|' ' >= 'a' && c|' ' <= 'z' || digits && c >= '0' && c <= '9'
}

// isVariable tells a variable from what a shell would make of ${…}: it is a
// name, alone or before a colon.
func isVariable(text string) bool {
	if text == "/" {
		return true
	}
	name, _, _ := strings.Cut(text, ":")
	for i := range len(name) {
		if !isLetter(name[i], i > 0) {
			return false
		}
	}
	return name != ""
}

// each calls literal and variable for the parts of a text, in order.
func (d dialect) each(text string, literal func(string), variable func(name, written string)) {
	from := 0
	for i := 0; i < len(text); {
		if text[i] != '$' && text[i] != '{' {
			i++
			continue
		}
		name, n := d.reference(text[i:])
		if n == 0 {
			i++
			continue
		}
		if i > from {
			literal(text[from:i])
		}
		variable(name, text[i:i+n])
		i += n
		from = i
	}
	if from < len(text) {
		literal(text[from:])
	}
}

// expand replaces the variables of a text. It returns the first one without a
// value; what has no value, and everything else, stays as it is.
func (d dialect) expand(in string, value func(string) (string, bool)) (out, missing string) {
	var b strings.Builder
	d.each(in, func(text string) { b.WriteString(text) }, func(name, written string) {
		v, ok := value(name)
		if !ok {
			v = written
			if missing == "" {
				missing = name
			}
		}
		b.WriteString(v)
	})
	return b.String(), missing
}

// variable gives the value of what stands between the braces.
func (s Server) variable(name string, lookup func(string) (string, bool)) (string, bool) {
	switch name {
	case "workspaceFolder", "workspaceRoot":
		return s.project(), true
	case "workspaceFolderBasename":
		return filepath.Base(s.project()), true
	case "userHome":
		home, err := os.UserHomeDir()
		return home, err == nil
	case "pathSeparator", "/":
		return string(filepath.Separator), true
	}
	for _, prefix := range []string{"env:", "secrets.", "inputs."} {
		if bare, ok := strings.CutPrefix(name, prefix); ok {
			// editors take a variable that is not set for an empty one, but a
			// missing token is better told than sent
			return lookup(bare)
		}
	}
	if path, ok := strings.CutPrefix(name, "file:"); ok {
		content, err := os.ReadFile(s.beside(path))
		return strings.TrimRight(string(content), "\r\n"), err == nil
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

// project is the directory that ${workspaceFolder} stands for.
func (s Server) project() string {
	if s.file != nil && s.file.dir != "" {
		return s.file.dir
	}
	return projectOf(s.File)
}

// beside is a path of the file: ~ is the home directory, and a relative path
// begins at the project.
func (s Server) beside(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.project(), path)
}
