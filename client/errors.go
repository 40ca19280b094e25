package client

import (
	"errors"
	"fmt"
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
	ErrEnded        = errors.New("the server ended the subscription")
)

// TimeoutError says what was waited for, and how long.
type TimeoutError struct {
	Method string // or "a raw line"
	After  time.Duration
	Unread bool // it could not even be sent: the server does not read
	Remote bool // the server is no process of ours
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
	case e.Unread && e.Remote:
		return "it does not take what is sent: it may hang, see its log; --timeout waits longer"
	case e.Unread:
		return "it does not take what is written to its standard input; --timeout waits longer"
	case e.Method == "server/discover":
		return "a server of 2025-11-25 and before need not answer what it does not know: --protocol legacy; --timeout waits longer"
	case e.Method == "initialize" && e.Remote:
		return "is this an MCP server? it takes what is sent and says nothing: see its log; --timeout waits longer"
	case e.Method == "initialize":
		return "does the server speak MCP over standard input and output? `parley raw` shows what it says; --timeout waits longer"
	}
	return "--timeout waits longer"
}

// Word names the error for machines.
func (e *TimeoutError) Word() string { return "timeout" }

// GateError is a request that the server did not declare to understand, or that the
// version in use does not have.
type GateError struct {
	Method     string
	Capability string // or
	Version    string
}

func (e *GateError) Error() string {
	if e.Version != "" {
		return fmt.Sprintf("%s is not part of protocol version %s, which is spoken here", e.Method, e.Version)
	}
	return fmt.Sprintf("the server did not declare %s, which %s needs", e.Capability, e.Method)
}

// Hint says how to send it all the same.
func (e *GateError) Hint() string {
	const force = "--force sends it all the same"
	if h := mcp.VersionHint(e.Method, e.Version); e.Version != "" && h != "" {
		return h + "; " + force
	}
	return force
}

// Word names the error for machines.
func (e *GateError) Word() string { return "gate" }

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
	var disconnected *wire.DisconnectedError
	var probe *ProbeError // says what it was asked
	switch {
	case errors.As(err, &probe):
	case errors.As(err, &refused):
		return fmt.Errorf("%s: %w", request, err)
	case errors.As(err, &ended), errors.As(err, &disconnected):
		return fmt.Errorf("%w before it answered %s", err, request)
	}
	return err
}
