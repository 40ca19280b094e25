package client

import (
	"errors"
	"fmt"
	"strconv"

	"parley/client/mcp"
	"parley/client/rawjson"
)

// RoundsError ends a request that a server answers with questions again and again.
type RoundsError struct {
	Method string
	Rounds int
}

func (e *RoundsError) Error() string {
	return fmt.Sprintf("the server still asks for more after %d rounds of %s", e.Rounds, e.Method)
}

// Hint says where the loop is.
func (e *RoundsError) Hint() string {
	return "either it does not take the answers that it gets, or it does not find its state in requestState: look at the last two rounds"
}

// Word names the error for machines.
func (e *RoundsError) Word() string { return "rounds" }

// InputError is a question, in an answer of a modern server, that was not answered.
// The request was not sent again.
type InputError struct {
	Method  string // of the request
	Key     string // of the question
	Asked   string // its method
	Problem string // of the answer as a whole, if it is not about one question
	Err     error  // why; nil with Problem
}

func (e *InputError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("the answer to %s asks for input and cannot be used: %s", e.Method, e.Problem)
	}
	asked, why := "", e.Err.Error()
	if e.Asked != "" {
		asked = " (" + e.Asked + ")"
	}
	var refused mcp.RPCError
	if errors.As(e.Err, &refused) { // what a legacy server would be told: no error of this one
		why = refused.Message
	}
	return fmt.Sprintf("%s asks for %s%s, which was not answered: %s", e.Method, strconv.Quote(e.Key), asked, why)
}

// Unwrap gives the cause, unless that is a JSON-RPC error, which would be taken for one
// of the server.
func (e *InputError) Unwrap() error {
	if errors.As(e.Err, new(mcp.RPCError)) {
		return nil
	}
	return e.Err
}

// Hint says who has to do what.
func (e *InputError) Hint() string {
	var refused mcp.RPCError
	switch {
	case e.Err == nil:
		return "input_required has inputRequests, requestState or both (2026-07-28, multi round-trip requests)"
	case errors.Is(e.Err, errUndeclared) && e.Asked == "roots/list":
		return "--root declares roots; a server must not ask for what was not declared"
	case errors.Is(e.Err, errUndeclared) && (e.Asked == "elicitation/create" || e.Asked == "sampling/createMessage"):
		return "--elicit and --sample say how such requests are answered; a server must not ask for what was not declared"
	case errors.Is(e.Err, errUndeclared):
		return "a server can ask for elicitation/create, sampling/createMessage and roots/list only"
	case errors.As(e.Err, &refused) && refused.Code == mcp.CodeUserRejected:
		return "it was refused; nothing was sent, as 2026-07-28 has it"
	}
	return "nothing was sent; the request can be made again"
}

// Word names the error for machines.
func (e *InputError) Word() string { return "input" }

// ResultTypeError is a result of a type that means nothing to us, or nothing here.
type ResultTypeError struct{ Method, Type string }

func (e *ResultTypeError) Error() string {
	return fmt.Sprintf("the answer to %s has the resultType %s", e.Method, strconv.Quote(e.Type))
}

// Hint says what was to be expected.
func (e *ResultTypeError) Hint() string {
	switch e.Type {
	case "input_required":
		return "only tools/call, prompts/get and resources/read may be answered with questions"
	case "task":
		if e.Method == "tools/call" {
			return "a server may make a task of a call only if the client declares it: --extension " + mcp.TasksExtension
		}
		return "only tools/call may become a task"
	}
	return "complete and input_required are known; others need an extension that the client declares: --extension ID"
}

// Word names the error for machines.
func (e *ResultTypeError) Word() string { return "result-type" }

// oddResultType names a result's type that is none of those known.
func (c *Client) oddResultType(method string, a Answer) error {
	result, err := c.Result(a)
	if err != nil {
		return err
	}
	raw, _ := rawjson.Get(result, "resultType")
	text, ok := rawjson.Unquote(raw)
	if !ok {
		text = string(raw)
	}
	return &ResultTypeError{Method: method, Type: text}
}
