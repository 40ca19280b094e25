// Package config reads which MCP servers are configured, from the files that
// hosts use, and knows where parley keeps its own files. It starts nothing and
// writes nothing.
package config

import (
	"fmt"
	"slices"
	"strings"

	"parley/client/near"
)

// File is a configuration file, read.
type File struct {
	Path    string
	Servers []Server // in the order of the file; of equal names only the last one
}

// Server is one configured server, as written in its file: variables like
// ${TOKEN} are still in place, see [Server.Expand].
type Server struct {
	Name    string
	Command string   // of a server that is a process; empty for others
	Args    []string // without the command
	Env     map[string]string
	Dir     string // key cwd
	URL     string // of a server that is reached over HTTP
	Type    string // what the file says: stdio, http, sse …; often empty
	Headers map[string]string

	Disabled bool

	File string
	Line int // of the server's name

	err      error // what is wrong with the entry; told when the server is used
	expanded bool  // a value that looks like a variable is then none
}

// Err tells what is wrong with the server's entry, a *[SyntaxError], or nil.
// Such a server cannot be used; the others of the file can.
func (s Server) Err() error { return s.err }

// Names returns the names of all servers in the order of the file.
func (f *File) Names() []string {
	names := make([]string, len(f.Servers))
	for i, s := range f.Servers {
		names[i] = s.Name
	}
	return names
}

// Lookup finds a server by its exact name.
func (f *File) Lookup(name string) (Server, bool) {
	i := slices.IndexFunc(f.Servers, func(s Server) bool { return s.Name == name })
	if i < 0 {
		return Server{}, false
	}
	return f.Servers[i], true
}

// Use finds a server by its exact name and makes it ready to be connected to,
// with its variables expanded. The error is an *[UnknownError], a *[SyntaxError]
// or a *[VariableError].
func (f *File) Use(name string) (Server, error) {
	s, ok := f.Lookup(name)
	if !ok {
		return Server{}, &UnknownError{Name: name, File: f.Path, Known: f.Names(), Nearest: f.Nearest(name)}
	}
	return s.Expand()
}

// Nearest returns the configured names that were probably meant by one that is
// not configured, the likeliest first, at most three.
func (f *File) Nearest(name string) []string { return near.All(name, f.Names(), 3) }

// UnknownError says that no server of a name is configured.
type UnknownError struct {
	Name    string
	File    string
	Known   []string
	Nearest []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("no server %q in %s", e.Name, e.File)
}

// Hint names the servers that there are, the likeliest ones if some are likely.
func (e *UnknownError) Hint() string {
	switch {
	case len(e.Known) == 0:
		return "the file configures no servers"
	case len(e.Nearest) > 0:
		return "did you mean " + strings.Join(e.Nearest, " or ") + "?"
	}
	return "it has " + strings.Join(e.Known, ", ")
}

// Word is the word for errors of this sort in machine-readable output.
func (e *UnknownError) Word() string { return "usage" }
