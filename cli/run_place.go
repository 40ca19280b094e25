package cli

import (
	"errors"

	"parley/script"
)

// errorPlace is a place in a script, its line and column from 1.
type errorPlace struct {
	File   string `json:"file,omitempty"` // left out for a line that was typed
	Line   int    `json:"line"`
	Column int    `json:"column"` // in characters
}

// scriptError is one of several errors of a script.
type scriptError struct {
	Message string      `json:"message"`
	Hint    string      `json:"hint,omitempty"`
	At      *errorPlace `json:"at,omitempty"`
}

// errorAt is where in a script an error is; nil if it is in none.
func errorAt(err error) *errorPlace {
	var step *script.StepError
	var syntax *script.SyntaxError
	var pos script.Pos
	switch {
	case errors.As(err, &syntax):
		pos = syntax.Pos
	case errors.As(err, &step):
		pos = step.Pos
	}
	if pos.Line == 0 {
		return nil
	}
	return &errorPlace{pos.File, pos.Line, pos.Col}
}

// scriptErrors are the errors of a script that has several.
func scriptErrors(err error) (list []scriptError) {
	var all script.SyntaxErrors
	_ = errors.As(err, &all)
	for _, one := range all {
		list = append(list, scriptError{one.Error(), one.Hint(), errorAt(one)})
	}
	return list
}
