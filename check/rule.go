// Package check finds what breaks the specification. It is a fold over frames
// of its own, beside history.State: every [Finding] names its rule, the message
// it is about, what is wrong and what to do. Findings never stop a session.
package check

import "parley/client/wire"

// Level says how much a finding matters.
type Level uint8

// The levels.
const (
	Warning Level = iota + 1 // clients may differ in what they make of it
	Error                    // the specification forbids it
)

// String gives warning or error.
func (l Level) String() string {
	if l == Error {
		return "error"
	}
	return "warning"
}

// Finding is a rule that a message breaks.
type Finding struct {
	Rule      string
	Ref       wire.Ref // the message concerned
	Level     Level
	Message   string // what is wrong here; may hold the server's text
	Hint      string // what to do
	Reference string // the section of the specification
}

// Rule is what a checker looks for.
type Rule struct {
	ID        string
	Level     Level
	Title     string // what is wrong, in general
	Hint      string
	Reference string
}

// The ids of rules.
const (
	StrayStdout        = "stray-stdout"
	AnswerToNothing    = "answer-to-nothing"
	SecondAnswer       = "second-answer"
	IDType             = "id-type"
	IDInFlight         = "id-in-flight"
	IDOnNotification   = "id-on-notification"
	NullID             = "null-id"
	OddID              = "odd-id"
	NoID               = "no-id"
	NoResult           = "no-result"
	MethodType         = "method-type"
	MalformedItem      = "malformed-item"
	UndefinedMethod    = "undefined-method"
	NoVersion          = "no-jsonrpc-version"
	ResultAndError     = "result-and-error"
	MethodAndAnswer    = "method-and-answer"
	ErrorShape         = "error-shape"
	ParamsShape        = "params-shape"
	NotUTF8            = "not-utf-8"
	DuplicateKey       = "duplicate-key"
	BatchOutsideItsAge = "batch"
)

const (
	messages = "basic: messages (JSON-RPC 2.0)"
	stdio    = "basic/transports: stdio"
)

var rules = []Rule{
	{StrayStdout, Error, "a line on standard output that is no MCP message", "write logs to standard error; standard output belongs to the protocol", stdio},
	{AnswerToNothing, Error, "a response whose id matches no request", "copy the id of the request into its response", messages},
	{SecondAnswer, Error, "a second response to one request", "answer every request once", messages},
	{IDType, Error, "a response whose id has another JSON type than the request's", `give the id back as it came: 1 is not "1"`, messages},
	{IDInFlight, Error, "a request whose id is in flight already", "count ids up; the newest request gets the answer here", messages},
	{IDOnNotification, Error, "a notification with an id", "leave id away: a notification has none and is not answered", "basic: notifications"},
	{NullID, Warning, "an id that is null", "ids are strings or integers; only an error about unreadable input may have null", messages},
	{OddID, Error, "an id that is neither a string nor a number", "ids are strings or integers", messages},
	{NoID, Error, "a response without an id", "copy the id of the request into its response", messages},
	{NoResult, Error, "an id without a method, a result or an error", `a response has a result, {} if there is nothing to say, or an error`, messages},
	{MethodType, Error, "a method that is no string", "a method is a string", messages},
	{MalformedItem, Error, "an item of a list that breaks its schema", "strict clients refuse the whole list because of it", "server: tools, resources, prompts"},
	{UndefinedMethod, Warning, "a method that no version of the protocol defines", "check its spelling", "schema"},
	{NoVersion, Error, `"jsonrpc" is missing or not "2.0"`, `every message carries "jsonrpc":"2.0"`, messages},
	{ResultAndError, Error, "a response with both result and error", "send one of them", messages},
	{MethodAndAnswer, Error, "a message with both a method and a result or error", "a message is a request, a notification or a response", messages},
	{ErrorShape, Error, "an error that is no object with an integer code and a string message", `an error is {"code":-32603,"message":"…"}`, "basic: error responses"},
	{ParamsShape, Error, "params that are no object", "params are an object in MCP", messages},
	{NotUTF8, Error, "bytes that are not UTF-8", "messages are UTF-8", "basic/transports"},
	{DuplicateKey, Warning, "a key of the envelope that occurs twice", "readers disagree about which one counts", messages},
	{BatchOutsideItsAge, Warning, "a batch: only 2025-03-26 has them", "send messages one by one", "basic: batching (2025-03-26)"},
}

// Rules lists every rule, in the order in which they are documented.
func Rules() []Rule { return append([]Rule(nil), rules...) }

// rule finds a rule by its id.
func rule(id string) Rule {
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	panic("check: no rule " + id)
}
