package client

import (
	"context"
	"encoding/json"
	"time"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// conclude takes the first answer to a request of [Client.Request] and goes on until
// there is one that counts: it answers the questions of input_required and fetches
// the result of a task. Every request that it sends is new ([Pending.again]). The
// answers before the one that counts are its Rounds, with an error too.
func (c *Client) conclude(ctx context.Context, p *Pending, a Answer) (Answer, error) {
	if p.method == "tools/list" && c.hasTasks() {
		if result, err := c.Result(a); err == nil {
			c.learn(result)
		}
	}
	if p.opt.OneRound || a.Head.Form != wire.Result {
		return a, nil
	}
	if c.Era() != Modern { // where resultType has no meaning
		return c.legacyTask(ctx, p, a)
	}
	if a.Head.Type == wire.ResultInput {
		var err error
		if p, a, err = c.rounds(ctx, p, a); err != nil {
			return a, err
		}
	}
	switch a.Head.Type {
	case wire.ResultTask:
		return c.modernTask(ctx, p, a)
	case wire.ResultOther:
		return a, c.oddResultType(p.method, a)
	}
	return a, nil
}

// rounds answers what a server asks before it answers, as often as it asks
// (spec: 2026-07-28, basic/patterns/mrtr). It gives the last request and its answer.
func (c *Client) rounds(ctx context.Context, p *Pending, a Answer) (*Pending, Answer, error) {
	most := c.options().MaxRounds
	if most == 0 {
		most = DefaultMaxRounds
	}
	var earlier []Answer
	bare := 0 // rounds in a row that asked nothing
	for a.Head.Type == wire.ResultInput {
		in, err := c.asks(p.method, a)
		switch {
		case err != nil:
			return p, a, err
		case len(earlier) >= most:
			return p, a, &RoundsError{Method: p.method, Rounds: most}
		}
		if len(in.Requests) > 0 {
			bare = 0
		} else {
			bare++
		}
		results, err := c.inputs(ctx, p.method, in.Requests)
		if err == nil && bare > 1 { // it wants to be asked later
			err = pause(ctx, backoff(bare-1))
		}
		if err != nil {
			return p, a, err
		}
		if p, err = p.again(ctx, retryParams(p.params, in, results)); err != nil {
			return p, a, err
		}
		earlier = append(earlier, a.alone())
		p, a, err = p.answer(ctx)
		a.Rounds = earlier
		if err != nil {
			return p, a, err
		}
	}
	return p, a, nil
}

// alone is an answer without those before it.
func (a Answer) alone() Answer {
	a.Rounds = nil
	return a
}

// asks reads what is asked for, if it may be asked for here.
func (c *Client) asks(method string, a Answer) (mcp.InputRequired, error) {
	if method != "tools/call" && method != "prompts/get" && method != "resources/read" {
		return mcp.InputRequired{}, &ResultTypeError{Method: method, Type: "input_required"}
	}
	result, err := c.Result(a)
	if err != nil {
		return mcp.InputRequired{}, err
	}
	in := mcp.DecodeInputRequired(result)
	if len(in.Requests) == 0 && !in.HasState {
		return in, &InputError{Method: method, Problem: in.Problem}
	}
	return in, nil
}

// retryParams are the params of a request with the answers to what was asked, and the
// state as it came. What an earlier retry had of these does not stay.
func retryParams(params json.RawMessage, in mcp.InputRequired, results []json.RawMessage) json.RawMessage {
	params = withoutInputs(params)
	if len(in.Requests) > 0 {
		params = withMember(params, "inputResponses", mcp.AppendInputResponses(nil, in.Requests, results))
	}
	if in.HasState {
		params = withMember(params, "requestState", in.State)
	}
	return params
}

// withoutInputs takes out of params what only one retry may have.
func withoutInputs(params json.RawMessage) json.RawMessage {
	for _, key := range []string{"inputResponses", "requestState"} {
		if _, ok := rawjson.Get(params, key); !ok {
			continue
		}
		if without, err := rawjson.Delete(params, "/"+key); err == nil {
			params = without
		}
	}
	return params
}

// withMember gives an object with another member; the key needs no escapes. Params
// that are no object stay as they are.
func withMember(params json.RawMessage, key string, value []byte) json.RawMessage {
	if len(params) == 0 {
		params = json.RawMessage(`{}`)
	}
	if with, err := rawjson.Set(params, "/"+key, value); err == nil {
		return with
	}
	return params
}

// backoff is the pause before the n-th repetition of something, from 1 on.
func backoff(n int) time.Duration {
	return min(firstPause<<min(n-1, 10), longestPause)
}

const (
	firstPause   = 250 * time.Millisecond
	longestPause = 10 * time.Second
)

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
