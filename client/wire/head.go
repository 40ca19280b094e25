package wire

import "strconv"

// Form says what the bytes of a frame are, seen as JSON-RPC 2.0.
type Form uint8

// The forms. Everything before Request is no message.
const (
	NoForm       Form = iota // not looked at: standard error, events
	Garbage                  // not JSON
	Value                    // JSON, but no JSON-RPC message
	Request                  // method and id
	Notification             // method without id
	Result                   // a response with a result
	Failure                  // a response with an error
	Batch                    // an array with at least one message in it
)

// IsMessage reports whether the form is one that JSON-RPC 2.0 knows.
func (f Form) IsMessage() bool { return f >= Request }

// IsResponse reports whether the form answers a request.
func (f Form) IsResponse() bool { return f == Result || f == Failure }

// IDType is the JSON type of an id.
type IDType uint8

// The types of ids. Only numbers and strings are legal in MCP.
const (
	NoID IDType = iota
	NumberID
	StringID
	NullID
	OtherID // true, false, an object or an array
)

// ID is a JSON-RPC id: its JSON type and its value. IDs are comparable with ==:
// 1 and 1.0 are equal, 1 and "1" are not, "a" and "\u0061" are equal.
type ID struct {
	Type IDType
	Num  int64  // of a NumberID that is a whole number in range, Text is then empty
	Text string // the decoded string; the spelling of any other number and of OtherID
}

// Int returns the ID of a whole number.
func Int(n int64) ID { return ID{Type: NumberID, Num: n} }

// Str returns the ID of a string.
func Str(s string) ID { return ID{Type: StringID, Text: s} }

// String gives the id for people: 4, "a", null. It is empty for no id.
func (id ID) String() string {
	switch id.Type {
	case NoID:
		return ""
	case NullID:
		return "null"
	case StringID:
		return strconv.Quote(id.Text)
	case NumberID:
		if id.Text == "" {
			return strconv.FormatInt(id.Num, 10)
		}
	}
	return id.Text
}

// Span is a range of bytes in a frame. Len 0 means absent.
type Span struct{ Off, Len int64 }

// Flaw is a set of things wrong with an envelope that could be read all the same.
type Flaw uint16

// The flaws.
const (
	FlawNoVersion  Flaw = 1 << iota // "jsonrpc" is missing or not "2.0"
	FlawNullID                      // "id" is null
	FlawOddID                       // "id" is neither a number, a string nor null
	FlawBoth                        // result and error in one response
	FlawExtra                       // method together with result or error
	FlawErrorShape                  // error is no object with an integer code and a string message
	FlawParams                      // params is neither object nor array
	FlawUTF8                        // not valid UTF-8
	FlawDuplicate                   // a key of the envelope occurs twice; the last counts
	FlawLongName                    // id, token, method or name longer than 4096 bytes, cut
	FlawMethod                      // method is not a string
	FlawNoID                        // a response without an id
	FlawNoResult                    // an id but no method, result or error: read as a Result without one
	FlawLongBatch                   // a batch of more than MaxMembers; the rest was not looked at
)

// ResultType is what result.resultType says (spec: 2026-07-28, basic, ResultType).
type ResultType uint8

// The types of results.
const (
	ResultComplete ResultType = iota // absent or "complete"
	ResultInput                      // "input_required": the server asks before it answers
	ResultTask                       // "task": the answer is fetched later
	ResultOther                      // anything else
)

// MaxMembers is how many members of a batch are looked at.
const MaxMembers = 1 << 14

// Head is what one scan of a frame's bytes finds: the JSON-RPC envelope and the
// few inner fields that pairing and listing need. Spans point into the frame.
type Head struct {
	Form   Form
	Flaws  Flaw
	ID     ID
	Method string
	Name   string // params.name, else params.uri, else params.ref.name or .uri, else params.taskId
	// Token ties a frame to another: params._meta.progressToken of a request,
	// params.progressToken of notifications/progress, params.requestId of
	// notifications/cancelled, and of other notifications
	// params._meta."io.modelcontextprotocol/subscriptionId".
	Token   ID
	Cursor  bool // params.cursor is present: a page after the first
	Next    bool // result.nextCursor is a string: more pages follow
	IsError bool // result.isError is true
	Type    ResultType
	Code    int64 // error.code
	Params  Span
	Result  Span
	Error   Span
	// Span is where the value itself stands, without the whitespace around it:
	// the whole of a frame, or one member of a batch.
	Span Span
	// Members are the elements of a Batch, all of them, in order; those that are
	// no message have the form Value. Their spans point into the whole frame. Of
	// the flaws, the Batch itself has only FlawUTF8 and FlawLongBatch.
	Members []Head
	// At is the offset in bytes where a Garbage frame stops being JSON.
	At int64
}
