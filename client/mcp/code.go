package mcp

// The error codes that have a meaning in some version.
const (
	CodeParse              int64 = -32700
	CodeInvalidRequest     int64 = -32600
	CodeMethodNotFound     int64 = -32601
	CodeInvalidParams      int64 = -32602
	CodeInternal           int64 = -32603
	CodeResourceNotFound   int64 = -32002 // up to LatestLegacy
	CodeHeaderMismatch     int64 = -32020 // since V20260728, as the next two
	CodeMissingCapability  int64 = -32021
	CodeUnsupportedVersion int64 = -32022
	CodeURLElicitation     int64 = -32042 // V20251125 only
	CodeUserRejected       int64 = -1     // sent by clients: sampling was refused
)

type codeInfo struct{ name, hint string }

// codes holds the codes with something to say about; ranges are in describe.
var codes = map[int64]codeInfo{
	CodeParse: {"parse error",
		"the server could not read our JSON: look at quoting, line breaks and encoding of what was sent"},
	CodeInvalidRequest: {"invalid request",
		"the envelope is wrong for this server: an id on a notification, a missing id, a batch, a call before initialize, or an Accept header it does not like"},
	CodeMethodNotFound: {"method not found",
		"a capability that the server does not have, a method of another protocol version (server/discover on a server of 2025-11-25 or earlier, initialize or ping on one of 2026-07-28), or a typing error"},
	CodeInvalidParams: {"invalid params",
		"an unknown tool, prompt or task, or arguments, a cursor or a level that the server does not take; since 2026-07-28 also a resource that is not there or a missing _meta field, before that also a protocol version that the server does not know"},
	CodeInternal: {"internal error",
		"a fault inside the server: its stderr or log should say more"},
	CodeResourceNotFound: {"resource not found",
		"the server has nothing under this URI; resources shows what it lists (since 2026-07-28 servers say invalid params instead)"},
	CodeHeaderMismatch: {"header mismatch",
		"an HTTP header and the message body disagree: compare them, and list the tools again, since a tool says which of its arguments are headers"},
	CodeMissingCapability: {"missing client capability",
		"the server needs a capability that this client did not declare with the request"},
	CodeUnsupportedVersion: {"unsupported protocol version",
		"the server does not speak the protocol version that was asked for: --protocol asks for another"},
	CodeURLElicitation: {"URL elicitation required",
		"something has to be done in a browser first; then send the call again (only 2025-11-25 has this code: later servers ask in an input_required result)"},
	CodeUserRejected: {"rejected by the user", "the person at the other end said no to sampling"},

	-32000: {"server error",
		"this code means something else on every server: closed connection, bad request, no session; read its message and the HTTP status"},
	-32001: {"server error",
		"this code has no agreed meaning; seen for timeouts, with HTTP status 404 for sessions that the server does not know, and on preliminary 2026-07-28 servers for a header mismatch (-32020)"},
	-32003: {"server error",
		"this code has no agreed meaning; seen while a server shuts down, and preliminary 2026-07-28 servers use it for a missing client capability (-32021)"},
	-32004: {"server error",
		"this code has no agreed meaning; preliminary 2026-07-28 servers use it for an unsupported protocol version (-32022)"},
	-32005: {"server error",
		"this code has no agreed meaning; seen while a server shuts down"},
}

func describe(code int64) codeInfo {
	if info, ok := codes[code]; ok {
		return info
	}
	switch {
	case code >= -32019 && code <= -32000:
		return codeInfo{"server error", "this code has no agreed meaning; read its message"}
	case code >= -32099 && code <= -32020:
		return codeInfo{"reserved code",
			"the specification keeps this code for itself and gives it no meaning: the server made it up"}
	case code >= -32768 && code <= -32100:
		return codeInfo{"reserved code", "JSON-RPC keeps this code for itself and gives it no meaning"}
	case code == 0:
		return codeInfo{"unspecified error", "0 is no proper error code; some servers send it for bad params or for calls before initialized"}
	}
	return codeInfo{"application error", "the server's own code: its message and documentation say what it means"}
}

// ReservedCode reports whether 2026-07-28 keeps a code for the specification without
// giving it a meaning there: what it leaves undefined, and what only earlier versions
// have.
func ReservedCode(code int64) bool {
	switch code {
	case CodeHeaderMismatch, CodeMissingCapability, CodeUnsupportedVersion:
		return false
	case CodeResourceNotFound:
		return true
	}
	return code >= -32099 && code <= -32020
}

// CodeName names an error code: "method not found". Codes without an agreed
// meaning have general names.
func CodeName(code int64) string { return describe(code).name }

// CodeHint says what an error code usually means here and what to look at.
func CodeHint(code int64) string { return describe(code).hint }
