package client

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"parley/client/mcp"
	"parley/client/wire"
)

// Errors that callers branch on.
var (
	ErrNotConnected = errors.New("not connected")
	ErrClosed       = errors.New("the connection is closed")
	ErrCancelled    = errors.New("cancelled")
	ErrWithdrawn    = errors.New("the server cancelled its request")
)

// TimeoutError says what was waited for, and how long.
type TimeoutError struct {
	Method string // or "a raw line"
	After  time.Duration
	Unread bool // it could not even be sent: the server does not read
}

func (e *TimeoutError) Error() string {
	if e.Unread {
		return fmt.Sprintf("the server did not read %s in %s", e.Method, e.After)
	}
	return fmt.Sprintf("no answer to %s after %s", e.Method, e.After)
}

// Hint says what to do.
func (e *TimeoutError) Hint() string {
	switch {
	case e.Unread:
		return "it does not take what is written to its standard input; --timeout waits longer"
	case e.Method == "initialize":
		return "does the server speak MCP over standard input and output? `parley raw` shows what it says; --timeout waits longer"
	}
	return "--timeout waits longer"
}

// Word names the error for machines.
func (e *TimeoutError) Word() string { return "timeout" }

// VersionError is a counter-offer that we do not know.
type VersionError struct{ Offered, Answered string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("no common protocol version: offered %s, the server answered %q", e.Offered, e.Answered)
}

// Hint lists what may be offered instead.
func (e *VersionError) Hint() string {
	return "--protocol offers another version: " + strings.Join(mcp.Legacy(), ", ")
}

// Word names the error for machines.
func (e *VersionError) Word() string { return "version" }

// GateError is a request that the server did not declare to understand.
type GateError struct{ Method, Capability string }

func (e *GateError) Error() string {
	return fmt.Sprintf("the server did not declare %s, which %s needs", e.Capability, e.Method)
}

// Hint says how to send it all the same.
func (e *GateError) Hint() string { return "--force sends it all the same" }

// Word names the error for machines.
func (e *GateError) Word() string { return "gate" }

// HandshakeError is an initialize that was answered with an error or with
// something that cannot be used.
type HandshakeError struct {
	Offered string
	Err     error
}

func (e *HandshakeError) Error() string {
	var refused mcp.RPCError
	if !errors.As(e.Err, &refused) {
		return fmt.Sprintf("the answer to initialize cannot be used: %v", e.Err)
	}
	return fmt.Sprintf("the server refused initialize with version %s: %v", e.Offered, e.Err)
}

func (e *HandshakeError) Unwrap() error { return e.Err }

// Hint passes on what the cause advises.
func (e *HandshakeError) Hint() string {
	var h interface{ Hint() string }
	if errors.As(e.Err, &h) && h.Hint() != "" {
		return h.Hint()
	}
	return "--protocol offers another version; --no-handshake connects and sends nothing"
}

// Word names the error for machines.
func (e *HandshakeError) Word() string { return "handshake" }

// CursorError ends a listing whose pages repeat.
type CursorError struct {
	Method, Cursor string
	Pages          int
}

func (e *CursorError) Error() string {
	return fmt.Sprintf("%s gave the cursor %q a second time, after %d pages", e.Method, e.Cursor, e.Pages)
}

// Hint says whose fault it is.
func (e *CursorError) Hint() string {
	return "the server's pagination goes round in a circle; what was listed so far is kept"
}

// Word names the error for machines.
func (e *CursorError) Word() string { return "cursor" }

// NoResultError is an answer that JSON-RPC does not have: without a result and
// without an error.
type NoResultError struct{ Method string }

func (e *NoResultError) Error() string {
	return fmt.Sprintf("the answer to %s has neither a result nor an error", e.Method)
}

// Hint says whose fault it is.
func (e *NoResultError) Hint() string {
	return "an answer has one of the two (JSON-RPC 2.0, response object); it is the server that leaves both out"
}

// Word names the error for machines.
func (e *NoResultError) Word() string { return "rpc" }

// About adds to an error which request it answers, or what the server did not live
// to answer. Other errors, and nil, stay as they are.
func About(request string, err error) error {
	var refused mcp.RPCError
	var ended *wire.ExitError
	switch {
	case errors.As(err, &refused):
		return fmt.Errorf("%s: %w", request, err)
	case errors.As(err, &ended):
		return fmt.Errorf("%w before it answered %s", err, request)
	}
	return err
}
