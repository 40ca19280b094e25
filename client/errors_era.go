package client

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/client/mcp"
)

// VersionError is a client and a server that have no version of the protocol in
// common, in the era that was asked for.
type VersionError struct {
	Offered   []string // by us
	Supported []string // by the server, as it says; empty if it does not
}

func (e *VersionError) Error() string {
	if v := newestOf(e.Offered, e.Supported); v != "" {
		return fmt.Sprintf("the server refuses version %s and says that it speaks %s", v, quoted(e.Supported))
	}
	theirs := "did not say what it speaks"
	if len(e.Supported) > 0 {
		theirs = "speaks " + quoted(e.Supported)
	}
	return fmt.Sprintf("no common protocol version: offered %s, the server %s", strings.Join(e.Offered, ", "), theirs)
}

// quoted lists versions, those that are none in quotes.
func quoted(versions []string) string {
	list := slices.Clone(versions)
	for i, v := range list {
		if !mcp.KnownVersion(v) {
			list[i] = fmt.Sprintf("%q", v)
		}
	}
	return strings.Join(list, ", ")
}

// Hint names the flag that would do, or all versions that may be offered.
func (e *VersionError) Hint() string {
	if v := newestOf(e.Offered, e.Supported); v != "" {
		if len(e.Supported) > 1 {
			return "the server contradicts itself: --protocol VERSION tries another one of those"
		}
		return "the server contradicts itself: compare MCP-Protocol-Version, or params._meta, with what it expects"
	}
	if hint := flagFor(e.Supported); hint != "" {
		return hint
	}
	if len(e.Supported) > 0 {
		return "parley speaks " + strings.Join(append(mcp.Modern(), mcp.Legacy()...), ", ") + ": the server has to speak one of them"
	}
	return "--protocol offers another version: " + strings.Join(append(mcp.Modern(), mcp.Legacy()...), ", ")
}

// Word names the error for machines.
func (e *VersionError) Word() string { return "version" }

// flagFor says how a server is spoken to that has these versions; "" if it has none
// that we have.
func flagFor(supported []string) string {
	if v := newestOf(mcp.Modern(), supported); v != "" {
		return "the server speaks " + v + ": --protocol modern"
	}
	switch v := newestOf(mcp.Legacy(), supported); v {
	case "":
		return ""
	case mcp.LatestLegacy:
		return "the server speaks " + v + ": --protocol legacy"
	default:
		return "the server speaks " + v + ": --protocol " + v
	}
}

// HandshakeError is an initialize, or a server/discover, that was answered with an
// error or with something that cannot be used.
type HandshakeError struct {
	Method  string // initialize if empty
	Offered string // the version
	Err     error
	Probed  error // what server/discover came to, where it was asked for before
}

func (e *HandshakeError) method() string {
	if e.Method == "" {
		return "initialize"
	}
	return e.Method
}

func (e *HandshakeError) Error() string {
	refused, ok := refusal(e.Err)
	if !ok {
		return fmt.Sprintf("the answer to %s cannot be used: %v", e.method(), e.Err)
	}
	text := fmt.Sprintf("the server refused %s with version %s: %v", e.method(), e.Offered, refused)
	if e.Probed != nil && refused.Code != mcp.CodeInternal {
		text += fmt.Sprintf("; and server/discover before that: %v", e.Probed)
	}
	return text
}

func (e *HandshakeError) Unwrap() error { return e.Err }

// Hint names the flag for what the server says of its versions; else it passes on what
// the cause advises.
func (e *HandshakeError) Hint() string {
	refused, ok := refusal(e.Err)
	if hint := flagFor(e.named(refused)); hint != "" {
		return hint
	}
	switch {
	case e.Method == "server/discover":
		return "a server of 2025-11-25 and before does not know it: --protocol legacy begins with initialize, --protocol auto finds out"
	case ok && (refused.Code == mcp.CodeMethodNotFound || modernCode(refused.Code)):
		return "a server of 2026-07-28 does not know initialize: " + e.modern()
	}
	var h interface{ Hint() string }
	if errors.As(e.Err, &h) && h.Hint() != "" {
		if !ok || refused.Code == mcp.CodeInternal || len(refused.Supported()) > 0 || strings.Contains(h.Hint(), "--protocol") {
			return h.Hint()
		}
		return h.Hint() + "; a server of 2026-07-28: " + e.modern() // any code will do for one that has no initialize
	}
	if !ok {
		return "it is the server that answers wrongly: -v shows what it said; --no-handshake connects and sends nothing"
	}
	return "--protocol offers another version; --no-handshake connects and sends nothing"
}

// modern names the flag for a server that may be modern.
func (e *HandshakeError) modern() string {
	if e.Probed != nil {
		return "--protocol modern does without initialize and server/discover"
	}
	return "--protocol modern does without it, --protocol auto finds out"
}

// named gives the versions that a server names when it refuses one: in data.supported,
// or wherever in its words.
func (e *HandshakeError) named(refused mcp.RPCError) []string {
	if list := refused.Supported(); len(list) > 0 {
		return list
	}
	return slices.DeleteFunc(append(mcp.Modern(), mcp.Legacy()...), func(v string) bool {
		return v == e.Offered || !bytes.Contains(refused.Raw, []byte(v))
	})
}

// Word names the error for machines.
func (e *HandshakeError) Word() string { return "handshake" }

// ProbeError is a connection that ended when the server was asked for its era.
type ProbeError struct{ Err error }

func (e *ProbeError) Error() string {
	return fmt.Sprintf("%v when it was asked server/discover", e.Err)
}

func (e *ProbeError) Unwrap() error { return e.Err }

// Hint says how to do without the question.
func (e *ProbeError) Hint() string {
	return "some servers of before 2026-07-28 end on a request they do not know: --protocol legacy does not ask"
}

// Word is that of how the connection ended.
func (e *ProbeError) Word() string { return wordOf(e.Err) }

// EraError is an error that may come of speaking to the server as one of the wrong era.
type EraError struct {
	Err   error
	Other Era // the one that may be right
}

func (e *EraError) Error() string { return e.Err.Error() }
func (e *EraError) Unwrap() error { return e.Err }

// Hint adds to the one of the cause how the other era is spoken.
func (e *EraError) Hint() string {
	other := "a server of 2026-07-28 wants --protocol modern, --protocol auto finds out"
	if e.Other == Legacy {
		other = "a server of 2025-11-25 or before wants --protocol legacy, --protocol auto finds out"
	}
	var h interface{ Hint() string }
	if errors.As(e.Err, &h) && h.Hint() != "" {
		return h.Hint() + "; " + other
	}
	return other
}

// Word is that of the cause.
func (e *EraError) Word() string { return wordOf(e.Err) }

// wordOf gives the word of an error for machines.
func wordOf(err error) string {
	var w interface{ Word() string }
	if errors.As(err, &w) {
		return w.Word()
	}
	return "handshake"
}

// notDiscovered is a result of server/discover that is none.
type notDiscovered struct{ problem string }

func (e *notDiscovered) Error() string {
	return "the result cannot be used (" + e.problem + ")"
}
