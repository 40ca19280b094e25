package script

import "errors"

var errNotYet = errors.New("not parsed yet")

// ParseFile reads and parses a script.
func ParseFile(path string) (*Script, error) { return nil, errNotYet }

// Parse parses a script. file is its name for messages, and what the files that it
// includes are relative to. The error is a *[SyntaxError], or [SyntaxErrors] if
// there are several: nothing of a script that has one may run.
func Parse(file string, src []byte) (*Script, error) { return nil, errNotYet }

// ParseLine parses one statement as it was typed. Without one, of an empty line or
// a comment, it returns nil and no error.
func ParseLine(line string) (*Step, error) { return nil, errNotYet }

// StepOf makes a step of words that a shell has taken apart: nothing in them is a
// variable, a quote or a comment.
func StepOf(verb string, words []string, flags map[string]string) (*Step, error) {
	return nil, errNotYet
}

// Check says which variable is used before it has a value: known are those that
// have one when the script begins. $env always has. The error is a *[SyntaxError].
func Check(s *Script, known []string) error { return nil }
