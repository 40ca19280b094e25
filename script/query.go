package script

import "encoding/json"

// QueryError is a jq expression that cannot be read, or that failed.
type QueryError struct {
	Expr   string
	Offset int // in bytes, where it cannot be read; -1 if it failed on its input
	Err    error
}

func (e *QueryError) Error() string { return "jq: " + e.Err.Error() }
func (e *QueryError) Unwrap() error { return e.Err }

// Word names the error for machines.
func (e *QueryError) Word() string { return "usage" }

// Caret shows the expression with a mark under the place: two lines, or "" where
// there is no place.
func (e *QueryError) Caret() string { return "" }

// Query runs a jq expression over a JSON value and gives what it gives. Values that
// pass through unchanged keep their bytes: spelling of numbers, order of members.
func Query(expr string, raw []byte) ([]json.RawMessage, error) { return nil, nil }

// MergePages makes one result of the pages of a list: the first page, with the
// items of all of them, byte for byte, and without nextCursor.
func MergePages(pages []json.RawMessage) json.RawMessage { return nil }
