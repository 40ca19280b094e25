package demo

import "encoding/json"

// Step is one thing that the tour of the demo does, after the handshake.
// Exactly one of Method and Raw is set.
type Step struct {
	Title    string          // a few words
	Sentence string          // what there is to see
	Method   string          // a request
	Params   json.RawMessage // of the request; nil for none
	Raw      string          // a line to send as it is; each of them is answered
}

// TourSteps returns the tour of the world "demo": the same lines every time.
// The handshake before it is the client's, and so are the progress tokens of
// calls and the requests for further pages of a list.
func TourSteps() []Step {
	call := func(title, sentence, params string) Step {
		return Step{Title: title, Sentence: sentence, Method: "tools/call", Params: json.RawMessage(params)}
	}
	return []Step{
		{Title: "list tools", Sentence: "The server lists its tools, each with the JSON Schema of its arguments.", Method: "tools/list"},
		{Title: "list resources", Sentence: "The list of resources comes in pages: nextCursor, sent back as cursor, asks for the next one.", Method: "resources/list"},
		{Title: "list templates", Sentence: "A template is a resource whose address has a part to fill in.", Method: "resources/templates/list"},
		{Title: "list prompts", Sentence: "Prompts are texts with arguments, for people to choose.", Method: "prompts/list"},
		call("call a tool", "A call names a tool and its arguments; the result is a list of content.",
			`{"name":"calculator","arguments":{"operation":"add","a":1000,"b":9}}`),
		call("call a slow tool", "A call that carries a progress token hears of its progress before the result; log messages come as well.",
			`{"name":"slow","arguments":{"seconds":0.3,"steps":3}}`),
		call("call a tool that fails", "A tool that fails says so in its result: isError is true.",
			`{"name":"fail","arguments":{"message":"no luck today"}}`),
		call("call with an argument missing", "A call that breaks the protocol gets a JSON-RPC error instead of a result.",
			`{"name":"read_file","arguments":{}}`),
		{Title: "read a resource", Sentence: "Reading a resource returns its contents, with their type.", Method: "resources/read", Params: json.RawMessage(`{"uri":"useful://system-info"}`)},
		{Title: "read through a template", Sentence: "The template weather://{city} with its city filled in.", Method: "resources/read", Params: json.RawMessage(`{"uri":"weather://北京"}`)},
		{Title: "get a prompt", Sentence: "A prompt comes back as messages, ready for a model.", Method: "prompts/get", Params: json.RawMessage(`{"name":"code_review","arguments":{"code":"function example() { return true; }"}}`)},
		{Title: "send a line by hand", Sentence: "A line goes out exactly as typed: spaces, key order and the id, which here is a text.", Raw: `{"id": "by-hand", "method": "ping", "jsonrpc": "2.0"}`},
		{Title: "send junk", Sentence: "What is no JSON is answered with -32700, and the session goes on.", Raw: `hello?`},
	}
}
