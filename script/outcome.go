package script

import "encoding/json"

// StepError is the failure of a step, with its place.
type StepError struct {
	Pos  Pos
	Step *Step
	Err  error
}

func (e *StepError) Error() string { return e.Pos.String() + ": " + e.Err.Error() }

// Unwrap gives the step's own error, whose Word and Hint hold.
func (e *StepError) Unwrap() error { return e.Err }

// ExpectError is an expectation that did not come true.
type ExpectError struct{ Message, Advice string }

func (e *ExpectError) Error() string { return e.Message }

// Hint says more, or nothing.
func (e *ExpectError) Hint() string { return e.Advice }

// Word names the error for machines.
func (e *ExpectError) Word() string { return "expect" }

// Bytes is what a variable would get of the outcome: its Value, or the bytes of the
// result that was answered; of a list that of all its pages as one.
func (o *Outcome) Bytes() (json.RawMessage, error) { return o.Value, nil }

// Pages are the results of a list, a page each, as they came.
func (o *Outcome) Pages() ([]json.RawMessage, error) { return nil, nil }
