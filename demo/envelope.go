package demo

import (
	"encoding/json"
	"strings"

	"parley/client/mcp"
)

// envelope is one JSON-RPC message of the client, taken apart. The id keeps its
// spelling: 1, 1.0 and "1" are three ids.
type envelope struct {
	id     json.RawMessage // nil: none
	method string          // "": a response
	params json.RawMessage // an object, or nil
	result json.RawMessage
	err    json.RawMessage
}

// fault is what is wrong with a message, as the error that answers it.
type fault struct {
	id      json.RawMessage // nil: null
	code    int64
	details string // "" for a bare error
}

// standard are the messages that JSON-RPC gives its codes.
var standard = map[int64]string{
	mcp.CodeParse:          "Parse error",
	mcp.CodeInvalidRequest: "Invalid Request",
	mcp.CodeMethodNotFound: "Method not found",
	mcp.CodeInvalidParams:  "Invalid params",
	mcp.CodeInternal:       "Internal error",
}

// open takes one message apart. A nil fault and an empty envelope mean a
// message that deserves no answer.
func open(raw []byte) (envelope, *fault) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil || m == nil {
		if !json.Valid(raw) {
			return envelope{}, &fault{code: mcp.CodeParse}
		}
		return envelope{}, invalid(nil, "a message is an object")
	}
	method, hasMethod := m["method"]
	rawID, hasID := m["id"]
	id := rawID
	if !isID(id) {
		id = nil
	}
	var version string
	_ = json.Unmarshal(m["jsonrpc"], &version) // anything that is no text is no version
	e := envelope{id: id, result: m["result"], err: m["error"]}
	switch {
	case !hasMethod && (e.result != nil || e.err != nil):
		if version != "2.0" {
			return envelope{}, nil // answers are never answered
		}
		return e, nil
	case version != "2.0":
		return envelope{}, invalid(id, `jsonrpc must be "2.0"`)
	case !hasMethod:
		return envelope{}, invalid(id, "method, result or error is missing")
	case json.Unmarshal(method, &e.method) != nil || e.method == "":
		return envelope{}, invalid(id, "method must be a text")
	case hasID && id == nil:
		return envelope{}, invalid(nil, "id must be a text or a number")
	case hasID && strings.HasPrefix(e.method, "notifications/"):
		return envelope{}, invalid(id, e.method+" is a notification and takes no id")
	}
	switch p := m["params"]; {
	case len(p) == 0 || string(p) == "null":
	case p[0] == '{':
		e.params = p
	case hasID:
		return envelope{}, &fault{id: id, code: mcp.CodeInvalidParams, details: "params must be an object"}
	default:
		return envelope{}, nil
	}
	return e, nil
}

func invalid(id json.RawMessage, details string) *fault {
	return &fault{id: id, code: mcp.CodeInvalidRequest, details: details}
}

func isID(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '"' || raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9')
}

// sameScalar compares two texts, numbers, booleans or nulls by JSON type and
// value, however they are spelled.
func sameScalar(a, b json.RawMessage) bool {
	if string(a) == string(b) {
		return true
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return x == y
}

// rpcError is the error object on the wire, and what methods return as an error
// for a code other than -32603.
type rpcError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *rpcError) Error() string { return e.Message }

// answer builds the line that answers a request; id nil is null.
func answer(id json.RawMessage, member string, body []byte) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	line := make([]byte, 0, len(id)+len(member)+len(body)+40)
	line = append(line, `{"jsonrpc":"2.0","id":`...)
	line = append(line, id...)
	line = append(line, `,"`+member+`":`...)
	line = append(line, body...)
	return append(line, '}')
}

// asked builds the line of a request (id not nil) or a notification of ours.
func asked(id json.RawMessage, method string, params []byte) []byte {
	line := []byte(`{"jsonrpc":"2.0"`)
	if id != nil {
		line = append(append(line, `,"id":`...), id...)
	}
	line = append(append(line, `,"method":`...), plainJSON(method)...)
	if params != nil {
		line = append(append(line, `,"params":`...), params...)
	}
	return append(line, '}')
}
