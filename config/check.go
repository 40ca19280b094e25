package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Problem is what [Server.Check] finds.
type Problem struct {
	OK      bool
	Message string // empty when OK
	Hint    string
	Err     error // what Message and mostly Hint are of; nil when OK
}

// Check tells whether the server could be started, or why not, without starting
// it. look says whether a command can be executed in a directory with variables
// ("K=V") added to the environment; its error's Hint, if it has one, is used.
// Of a server that has a URL only the URL's form is checked.
func (s Server) Check(look func(command, dir string, env []string) error) Problem {
	shown := s.Masked().URL
	s, err := s.Expand()
	if err == nil {
		if s.Command == "" {
			err = checkURL(s.URL, shown)
		} else {
			err = look(s.Command, s.Dir, s.Environ())
		}
	}
	if err == nil {
		return Problem{OK: true}
	}
	p := Problem{Message: err.Error(), Err: err}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		p.Hint = hinted.Hint()
	}
	if program, rest, ok := strings.Cut(s.Command, " "); ok && len(s.Args) == 0 && look(program, s.Dir, s.Environ()) == nil {
		p.Hint = fmt.Sprintf(`"command" is the program alone: put %q into "args"`, rest)
	}
	return p
}

// Environ is Env as "K=V", sorted.
func (s Server) Environ() []string {
	env := make([]string, 0, len(s.Env))
	for _, k := range slices.Sorted(maps.Keys(s.Env)) {
		env = append(env, k+"="+s.Env[k])
	}
	return env
}
