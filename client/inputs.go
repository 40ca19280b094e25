package client

import (
	"context"
	"encoding/json"
	"errors"

	"parley/client/mcp"
	"parley/client/rawjson"
)

// inputs answers, one after the other, what a modern server asks within a result, by
// those who answer the requests that a legacy server sends. ctx, and with it the
// responders, ends with the connection too. What cannot be answered is an
// [*InputError]: a modern server is told nothing then.
func (c *Client) inputs(ctx context.Context, method string, requests []mcp.InputRequest) ([]json.RawMessage, error) {
	c.mu.Lock()
	alive := c.alive
	c.mu.Unlock()
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, askerKey{}, c))
	defer cancel(nil)
	defer context.AfterFunc(alive, func() { cancel(context.Cause(alive)) })()

	results := make([]json.RawMessage, len(requests))
	for i, q := range requests {
		result, err := c.input(ctx, q)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, &InputError{Method: method, Key: q.Key, Asked: q.Method, Err: err}
		}
		results[i] = result
	}
	return results, nil
}

// errUndeclared is why a question has no answer: we never said that we answer such.
var errUndeclared = errors.New("this was not declared")

// input answers one question.
func (c *Client) input(ctx context.Context, q mcp.InputRequest) (json.RawMessage, error) {
	c.mu.Lock()
	declared, opt := c.declared, c.opt
	c.mu.Unlock()
	var respond Responder
	refuse := func([]byte) error { return nil }
	switch {
	case q.Problem != "":
		return nil, errors.New(q.Problem)
	case q.Method == "roots/list" && declared.roots:
		return rootsResult(opt.Roots), nil
	case q.Method == "elicitation/create" && declared.elicitation:
		respond, refuse = opt.Elicit, formOnly
	case q.Method == "sampling/createMessage" && declared.sampling:
		respond, refuse = opt.Sample, withoutTools
	}
	if respond == nil {
		return nil, errUndeclared
	}
	if err := refuse(q.Params); err != nil {
		return nil, err
	}
	result, err := respond(ctx, q.Params)
	if err != nil {
		return nil, err
	}
	result, err = rawjson.Compact(nil, result)
	if err != nil || len(result) == 0 {
		return nil, errNoJSON
	}
	return result, nil
}

var errNoJSON = errors.New("the answer is not JSON")
