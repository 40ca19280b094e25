// Package config reads which MCP servers are configured, from the files that
// programs use, knows where parley keeps its own files, and edits parley's own
// list of servers. It starts nothing and writes no file of another program.
package config

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/client/near"
)

// File is a configuration file, read.
type File struct {
	Path    string
	Program string   // whose file it is; empty for one that was named
	Project bool     // it belongs to the project, or was named
	Own     bool     // it is parley's own, the only one that is ever written
	Servers []Server // in the order of the file; of equal names only the last one
	Inputs  []Input  // what its ${input:…} mean
	Err     error    // why it could not be read; it has no servers then

	dir     string // the project's directory, for ${workspaceFolder} and .env
	dialect dialect

	once      sync.Once
	dotenv    map[string]string
	dotenvErr error
}

// Server is one configured server, as written in its file: variables like
// ${TOKEN} are still in place, see [Server.Expand].
type Server struct {
	Name    string
	Command string   // of a server that is a process; empty for others
	Args    []string // without the command
	Env     map[string]string
	EnvFile string // a file of more variables, which Env wins over
	Dir     string // key cwd
	URL     string // of a server that is reached over a network or a socket
	Type    string // what the file says: stdio, http, sse …; often empty
	Headers map[string]string
	// Protocol is the era or version to speak, as --protocol has it: a key of our own
	// file, and of one that was named.
	Protocol string

	Disabled bool

	Program   string // whose file it is, as File.Program
	File      string
	Line, Col int // of the server's name
	Instead   int // the line of another server of this name in this file, which it replaces; or 0

	file     *File
	pass     []string // variables that are handed on when they are set
	err      error    // what is wrong with the entry; told when the server is used
	expanded bool     // a value that looks like a variable is then none
}

// Err tells what is wrong with the server's entry, a *[SyntaxError], or nil.
// Such a server cannot be used; the others of the file can.
func (s Server) Err() error { return s.err }

// At is where the server is configured, "file:line".
func (s Server) At() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

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

// UnknownError says that no server of a name is configured.
type UnknownError struct {
	Name    string
	File    string // the only file that was looked at; empty if there are several
	Known   []string
	Nearest []string
	Broken  error // what is wrong with a file that cannot be read and may have the server; or nil
}

func (e *UnknownError) Error() string {
	switch {
	case e.Broken != nil:
		return fmt.Sprintf("no server %q is configured, and a file cannot be read: %v", e.Name, e.Broken)
	case e.File == "":
		return fmt.Sprintf("no server %q is configured", e.Name)
	}
	return fmt.Sprintf("no server %q in %s", e.Name, e.File)
}

// Unwrap is what is wrong with a file that may have the server.
func (e *UnknownError) Unwrap() error { return e.Broken }

// maxKnown is how many names a hint lists.
const maxKnown = 12

// Hint names the servers that there are, the likeliest ones if some are likely.
func (e *UnknownError) Hint() string {
	names := e.Known
	if len(names) > maxKnown {
		names = append(names[:maxKnown:maxKnown], "…")
	}
	switch {
	case len(e.Nearest) > 0:
		return "did you mean " + strings.Join(e.Nearest, " or ") + "?"
	case e.Broken != nil:
		return "if the server is in that file, correct the file there"
	case len(e.Known) == 0 && e.File != "":
		return "the file configures no servers"
	case len(e.Known) == 0:
		return "parley servers add " + e.Name + " -- COMMAND … configures it"
	case e.File != "":
		return "it has " + strings.Join(names, ", ")
	}
	return "there are " + strings.Join(names, ", ")
}

// Word is the word for errors of this sort in machine-readable output.
func (e *UnknownError) Word() string { return "usage" }

// nearest returns the names that were probably meant by one that is not there,
// the likeliest first, at most three.
func nearest(name string, names []string) []string { return near.All(name, names, 3) }
