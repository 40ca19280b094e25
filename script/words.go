package script

import (
	"encoding/json"
	"time"
)

// Eval gives the value of an expression: one JSON value.
type Eval = func(*Expr) (json.RawMessage, error)

// Text is what a word stands for as text: of a value that is a JSON string its
// text, of any other value its JSON.
func (w Word) Text(eval Eval) (string, error) { return "", errNotYet }

// JSON is what a word stands for as JSON. A value in it, ${x.path}, stands for its
// exact bytes outside of strings, and for its text inside of one. Comments and
// trailing commas are left out.
func (w Word) JSON(eval Eval) (json.RawMessage, error) { return nil, errNotYet }

// ParseDuration reads a Go duration. A bare number is an error that says so.
func ParseDuration(text string) (time.Duration, error) { return 0, errNotYet }
