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
	Version   string // of the protocol that was spoken then; empty while it is not known
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
	InitializeInBatch  = "initialize-in-batch"
	MethodVersion      = "method-version"
	ServerRequest      = "server-request"
	ResultTypeMissing  = "result-type-missing"
	ResultTypeUnknown  = "result-type-unknown"
	InputMethod        = "input-required-method"
	InputShape         = "input-required-shape"
	InputCapability    = "input-required-capability"
	ReservedCode       = "reserved-code"
	HeaderParam        = "header-param"
	LogUnasked         = "log-unasked"
	SubscriptionID     = "subscription-id"
	ListenBeforeAck    = "listen-before-ack"
	ListenUnasked      = "listen-unasked"
	ListenTraffic      = "listen-traffic"
	ProgressOrder      = "progress-order"
	ProgressToken      = "progress-token"
	NoMessage          = "no-message"
	AnswerOnGet        = "answer-on-get"
	SessionID          = "session-id"
	StreamLine         = "stream-line"
)

const (
	messages = "basic: messages (JSON-RPC 2.0)"
	stdio    = "basic/transports: stdio"
	progress = "basic/utilities: progress"
	listen   = "basic/patterns/subscriptions (2026-07-28)"
	rounds   = "basic/patterns/mrtr (2026-07-28)"
	types    = "basic: resultType (2026-07-28)"
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
	{InitializeInBatch, Error, "initialize inside a batch", "initialize is a message of its own, before anything else", "basic/lifecycle: initialization (2025-03-26)"},
	{MethodVersion, Warning, "a method that this version of the protocol does not have", "use what the version has", "schema"},

	{ServerRequest, Error, "a request of the server: 2026-07-28 has none", "ask in the inputRequests of a result; nobody answers this request", "basic/transports: sending messages (2026-07-28)"},
	{ResultTypeMissing, Error, "a result without resultType", `every result says "resultType":"complete" or what else it is; clients take this one for complete`, types},
	{ResultTypeUnknown, Error, "a resultType that the request did not allow for", "complete and input_required are always understood, others only when the request declares their extension", types},
	{InputMethod, Error, "an input_required result of a request that may not have one", "only tools/call, prompts/get and resources/read may ask for input", rounds + ": supported requests"},
	{InputShape, Error, "an input_required result that cannot be answered", "give inputRequests, requestState or both; each request has a method and params", rounds},
	{InputCapability, Error, "an input_required result that asks for what the client did not declare", "look at the clientCapabilities in _meta of the request, and answer -32021 if one is missing", rounds},
	{ReservedCode, Error, "an error code that 2026-07-28 reserves or gave up", "use a code that the specification defines, or one from -32000 to -32019", "basic: error codes (2026-07-28)"},
	{HeaderParam, Error, "an x-mcp-header that breaks the rules for it", "clients must not offer this tool over HTTP; the mark belongs on a string, integer or boolean that properties alone lead to, with a name of its own that is a token", "server/tools: x-mcp-header (2026-07-28)"},
	{LogUnasked, Error, "a log message that nobody asked for", "send log messages only for requests with " + `"io.modelcontextprotocol/logLevel"` + " in _meta, on their own stream", "server/utilities/logging: per-request log level (2026-07-28)"},
	{SubscriptionID, Error, "a notification that does not say for which open subscription it is", "give the id of the subscriptions/listen, with its JSON type, as " + `"io.modelcontextprotocol/subscriptionId"` + " in _meta", listen},
	{ListenBeforeAck, Error, "a notification of a subscription before its acknowledgement", "send notifications/subscriptions/acknowledged first", listen + ": acknowledgment"},
	{ListenUnasked, Error, "a notification that the subscription's filter leaves out", "send what the listen asked for, no more than was granted", listen},
	{ListenTraffic, Error, "a log message or progress on the stream of a subscription", "send it on the stream of the request that it is about", listen},

	{ProgressOrder, Error, "progress that does not increase", "each notification has a larger progress than the one before, also without a total", progress},
	{ProgressToken, Error, "progress with a token that no open request has", "use the progressToken of the request, with its JSON type, and stop when it is answered", progress},

	{NoMessage, Error, "what is no MCP message where one should be", "send one JSON-RPC message: a body, a line, an event or a frame of the websocket", "basic/transports"},
	{AnswerOnGet, Error, "an answer on the stream of a GET that resumes nothing", "answer on the stream of the POST; a GET brings answers only when it resumes such a stream", "basic/transports: listening for messages from the server"},
	{SessionID, Error, "a session id with characters outside 0x21 to 0x7E", "make it of visible ASCII characters", "basic/transports: session management"},
	{StreamLine, Warning, "a line of an event stream that clients ignore", "an event has the fields event, data, id and retry; MCP's events are of the type message", "WHATWG HTML: server-sent events"},
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
