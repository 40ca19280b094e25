package script

import (
	"errors"
	"fmt"
	"strings"
)

// SyntaxError is a place in a script that cannot be understood.
type SyntaxError struct {
	Pos      Pos // the zero Pos for words of a shell
	Found    string
	Expected string
	Near     string // what was probably meant: "did you mean call?"
	Advice   string // how it is written
	Open     bool   // it ends too early: another line could complete it
	Err      error  // what a part of the line gave: of a file, a pattern, an expression
}

func (e *SyntaxError) Error() string {
	var b strings.Builder
	if e.Pos.Line > 0 {
		b.WriteString(e.Pos.String() + ": ")
	}
	switch {
	case e.Expected != "" && e.Found != "":
		fmt.Fprintf(&b, "expected %s, found %s", e.Expected, e.Found)
	case e.Err != nil:
		b.WriteString(e.Err.Error())
	case e.Expected != "":
		b.WriteString("expected " + e.Expected)
	default:
		b.WriteString(e.Found)
	}
	return b.String()
}

// Unwrap gives what a part of the line gave.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Hint names what was probably meant, or says how it is written.
func (e *SyntaxError) Hint() string {
	if e.Near != "" {
		return "did you mean " + e.Near + "?"
	}
	var hinted interface{ Hint() string }
	if e.Advice == "" && errors.As(e.Err, &hinted) {
		return hinted.Hint()
	}
	return e.Advice
}

// Word names the error for machines.
func (e *SyntaxError) Word() string { return "usage" }

// SyntaxErrors are all that a script has wrong, in their order: two at least.
type SyntaxErrors []*SyntaxError

func (e SyntaxErrors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives each of them.
func (e SyntaxErrors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// Hint is that of the first one that has any.
func (e SyntaxErrors) Hint() string {
	for _, one := range e {
		if h := one.Hint(); h != "" {
			return h
		}
	}
	return ""
}

// Word names the errors for machines.
func (e SyntaxErrors) Word() string { return "usage" }
