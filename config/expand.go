package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/joho/godotenv"
)

// VariableError says that a server's entry uses a variable without a value.
type VariableError struct {
	Server    string
	Variable  string // as between the braces, "TOKEN" or "input:key"
	Key       string // where it is used, "env.API_KEY"
	File      string
	Line, Col int    // of the server
	Program   string // whose file it is
	Project   bool   // the project's .env was looked at too
}

func (e *VariableError) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%s uses ${%s}, which has no value", e.Key, e.Variable)
	}
	return fmt.Sprintf("%s:%d:%d: server %s: %s uses ${%s}, which has no value", e.File, e.Line, e.Col, e.Server, e.Key, e.Variable)
}

// Hint says how to give the variable a value.
func (e *VariableError) Hint() string {
	prefix, bare, ok := strings.Cut(e.Variable, ":")
	switch {
	case ok && prefix == "input":
		return "set " + variableName(bare) + " in the environment, or answer on a terminal: parley asks for it there"
	case ok && prefix == "file":
		return "there is no such file, or it cannot be read"
	case ok && prefix != "env":
		return "known are ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:ID}, ${workspaceFolder}, ${userHome} and ${pathSeparator}"
	}
	name := strings.TrimPrefix(e.Variable, "env:")
	for _, prefix := range []string{"secrets.", "inputs."} {
		name = strings.TrimPrefix(name, prefix)
	}
	advice := "set " + name + " in the environment"
	if e.Project {
		advice += ", or in .env in the project"
	}
	if e.Program == "Goose" {
		advice += "; Goose has it in the keyring, which parley does not read"
	}
	return advice
}

// Word is the word for errors of this sort in machine-readable output.
func (e *VariableError) Word() string { return "usage" }

// variableName is the environment variable that answers an input.
func variableName(input string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, input))
}

// fileError is an entry that names a file which cannot be read.
type fileError struct {
	at, key, path string
	err           error
}

func (e *fileError) Error() string { return fmt.Sprintf("%s: %s %s: %v", e.at, e.key, e.path, e.err) }
func (e *fileError) Unwrap() error { return e.err }
func (e *fileError) Word() string  { return "usage" }
func (e *fileError) Hint() string {
	if errors.Is(e.err, fs.ErrNotExist) {
		return "the file that it names does not exist; a relative path begins at the project's folder"
	}
	return "correct that file: its lines are NAME=value"
}

// Expand returns the server with the variables in its command, arguments,
// environment, directory, URL and headers replaced: ${NAME}, ${NAME:-default}
// and ${env:NAME} by the environment, or by .env in the project's directory
// where the environment has no such variable; ${input:ID} by the environment
// variable of that name in capitals, or the input's default; ${workspaceFolder}
// by the project's directory; ${userHome}, ${pathSeparator} and ${/}; and what
// the file's program has beyond these. The variables of EnvFile are added to Env,
// which wins. A value is not expanded again, not even by a second Expand, and ~
// stays as it is. Servers with a wrong entry give their Err, variables without a
// value a *[VariableError].
func (s Server) Expand() (Server, error) { return s.expand(os.LookupEnv, nil) }

// ExpandAsking is Expand with a person who can be asked for inputs that have
// neither a variable nor a default.
func (s Server) ExpandAsking(ask Ask) (Server, error) { return s.expand(os.LookupEnv, ask) }

func (s Server) expand(environment func(string) (string, bool), ask Ask) (Server, error) {
	if s.err != nil {
		return s, s.err
	}
	if s.expanded {
		return s, nil
	}
	x := expansion{server: s, environment: environment, ask: ask, answers: map[string]string{}}
	s.Command = x.text("command", s.Command)
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		s.Args[i] = x.text(fmt.Sprintf("args[%d]", i), s.Args[i])
	}
	s.Env = x.table("env", s.Env)
	s.Dir = x.text("cwd", s.Dir)
	s.URL = x.text("url", s.URL)
	s.Headers = x.table("headers", s.Headers)
	s.EnvFile = x.text("envFile", s.EnvFile)
	for _, name := range s.pass {
		if v, ok := x.lookup(name); ok && s.Env[name] == "" {
			put(&s.Env, name, v)
		}
	}
	if x.first == nil && s.EnvFile != "" {
		x.first = s.readEnvFile()
	}
	s.expanded = x.first == nil
	return s, x.first
}

// ExpandText replaces the variables of a text that was typed, as those of a file are:
// by the environment. key is how an error, a *[VariableError], calls the text.
func ExpandText(key, text string) (string, error) {
	x := expansion{environment: os.LookupEnv, answers: map[string]string{}}
	text = x.text(key, text)
	return text, x.first
}

// expansion is one Expand under way.
type expansion struct {
	server      Server
	environment func(string) (string, bool)
	ask         Ask
	answers     map[string]string // to inputs that were asked for
	first       error
}

func (x *expansion) text(key, in string) string {
	d := plain
	if x.server.file != nil {
		d = x.server.file.dialect
	}
	out, missing := d.expand(in, x.value)
	if missing != "" && x.first == nil {
		s := x.server
		x.first = &VariableError{Server: s.Name, Variable: missing, Key: key, File: s.File, Line: s.Line, Col: s.Col, Program: s.Program,
			Project: s.file != nil && s.file.Project}
	}
	return out
}

func (x *expansion) table(key string, in map[string]string) map[string]string {
	out := maps.Clone(in)
	for _, k := range slices.Sorted(maps.Keys(in)) { // sorted, so that the error is always the same one
		out[k] = x.text(key+"."+k, in[k])
	}
	return out
}

func (x *expansion) value(name string) (string, bool) {
	if id, ok := strings.CutPrefix(name, "input:"); ok {
		return x.input(id)
	}
	return x.server.variable(name, x.lookup)
}

// lookup finds a variable in the environment, then in the project's .env.
func (x *expansion) lookup(name string) (string, bool) {
	if v, ok := x.environment(name); ok {
		return v, true
	}
	f := x.server.file
	if f == nil || !f.Project || f.dir == "" {
		return "", false
	}
	f.once.Do(func() { f.dotenv, f.dotenvErr = readDotenv(filepath.Join(f.dir, ".env")) })
	if f.dotenvErr != nil && !errors.Is(f.dotenvErr, fs.ErrNotExist) && x.first == nil {
		x.first = &fileError{at: x.server.place(), key: "variables from", path: filepath.Join(f.dir, ".env"), err: bare(f.dotenvErr)}
	}
	v, ok := f.dotenv[name]
	return v, ok
}

func readDotenv(path string) (map[string]string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	variables, err := godotenv.Parse(bytes.NewReader(content))
	switch {
	case err == nil:
		return variables, nil
	case strings.HasPrefix(err.Error(), "unterminated"):
		return nil, errNoQuote
	}
	return nil, errNoVariable
}

// What is wrong with a file of variables. The library's errors have values in them,
// which may be secret.
var (
	errNoQuote    = errors.New("a value in quotes does not end")
	errNoVariable = errors.New("it has a line that is not NAME=value")
)

// readEnvFile adds the variables of EnvFile, for the server only.
func (s *Server) readEnvFile() error {
	more, err := readDotenv(s.beside(s.EnvFile))
	if err != nil {
		return &fileError{at: s.place(), key: "envFile", path: s.EnvFile, err: bare(err)}
	}
	for k, v := range more {
		if _, given := s.Env[k]; !given {
			put(&s.Env, k, v)
		}
	}
	return nil
}

// place is where the server's entry is, for errors.
func (s Server) place() string {
	return fmt.Sprintf("%s:%d:%d: server %s", s.File, s.Line, s.Col, s.Name)
}
