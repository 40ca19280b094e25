package wire

import "fmt"

// NetError is a server that could not be reached, or a connection that broke.
type NetError struct {
	URL string // secrets masked; an address for what is no HTTP
	Err error

	what string
	hint string
}

// newNetError explains the error of a request to that URL (or of dialling that address).
func newNetError(url string, err error) *NetError { return &NetError{URL: maskURL(url), Err: err} }

func (e *NetError) Error() string { return fmt.Sprintf("%s: %v", e.URL, e.Err) }

func (e *NetError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *NetError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *NetError) Word() string { return "unreachable" }

// FileError is a file of certificates or keys that cannot be used.
type FileError struct {
	Flag string // "--ca"
	File string
	Err  error

	hint string
}

func (e *FileError) Error() string { return fmt.Sprintf("%s %s: %v", e.Flag, e.File, e.Err) }

func (e *FileError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *FileError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *FileError) Word() string { return "usage" }
