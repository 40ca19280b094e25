package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"parley/client/rawjson"
	"parley/client/wire"
)

// Request sends a request and waits for its answer. params is a JSON value, or
// nil for none. An answer that is a JSON-RPC error is returned with an
// [mcp.RPCError], one that is neither with a [*NoResultError]; a connection that ends,
// or a response that cannot come any more, gives the transport's error; when ctx
// or the timeout ends first, the request is cancelled as its transport has it
// (initialize never is) and ctx's error or a [*TimeoutError] returned. The timeout
// holds for sending, which takes long when the server does not read, and then for the
// answer; subscriptions/listen has none.
//
// A request is sent again, under a new id and with Of, where the server did not do it
// and says what would help: its session is gone, the version or a header field is
// another one. Questions in an answer of a modern server are answered.
func (c *Client) Request(ctx context.Context, method string, params json.RawMessage, opt CallOptions) (Answer, error) {
	p, err := c.Start(ctx, method, params, opt)
	if err != nil {
		return Answer{}, err
	}
	return p.Wait(ctx)
}

// Start sends a request and returns its number at once; Wait gives the answer.
func (c *Client) Start(ctx context.Context, method string, params json.RawMessage, opt CallOptions) (*Pending, error) {
	if err := c.gate(method, opt.Force); err != nil {
		return nil, err
	}
	if c.Era() == Modern {
		if a, ok := c.cached(method, params, &opt); ok {
			return &Pending{c: c, kept: a, method: method, params: params, opt: opt}, nil
		}
	}
	if err := c.prepare(ctx, method, params, &opt); err != nil {
		return nil, err
	}
	params = c.asTask(method, params, &opt)
	return c.transmit(ctx, method, params, opt)
}

// transmit sends a request, whatever the server declared.
func (c *Client) transmit(ctx context.Context, method string, params json.RawMessage, opt CallOptions) (*Pending, error) {
	if err := c.renewed(ctx); err != nil {
		return nil, err
	}
	return c.dispatch(ctx, method, params, opt)
}

// dispatch sends a request at once.
func (c *Client) dispatch(ctx context.Context, method string, params json.RawMessage, opt CallOptions) (*Pending, error) {
	id, fields := c.newID()
	k, err := c.sendRequest(ctx, method, requestBytes(id, method, fields.on(params, id, opt.Progress)), opt)
	if err != nil {
		return nil, err
	}
	return &Pending{c: c, call: k, method: method, params: params, opt: opt}, nil
}

// Pending is a request that was sent.
type Pending struct {
	c      *Client
	call   *call  // nil if the answer was at hand
	kept   Answer // that answer
	method string // empty for a line that was typed
	params json.RawMessage
	opt    CallOptions
}

// Seq is the number of the request's frame.
func (p *Pending) Seq() uint64 {
	if p.call == nil {
		return p.kept.Request.Seq
	}
	return p.call.answer.Request.Seq
}

// Wait waits as [Client.Request] does.
func (p *Pending) Wait(ctx context.Context) (Answer, error) {
	if p.call == nil {
		return p.kept, nil
	}
	if p.method == "" { // a typed line is answered once
		a, err := p.c.wait(ctx, p.call, p.opt.Timeout)
		if p.call.method == "tools/list" {
			p.c.learnTyped(a)
		}
		return a, err
	}
	last, a, err := p.answer(ctx)
	if err != nil {
		return a, err
	}
	if a.Head.Type != wire.ResultComplete || p.opt.Task {
		prolonged, end := p.c.prolong(ctx, p.Seq())
		defer end()
		ctx = prolonged
	}
	a, err = p.c.conclude(ctx, last, a)
	if err == nil && p.c.Era() == Modern {
		p.c.keep(p.method, p.params, a)
		if p.method == "tools/list" {
			if raw, err := p.c.Result(a); err == nil {
				p.c.learn(raw)
			}
		}
	}
	return a, err
}

// answer waits for the answer to one request. A request that the server refused without
// doing it is sent again if what it objected to can be mended, once for each objection;
// last is the one that was answered.
func (p *Pending) answer(ctx context.Context) (last *Pending, a Answer, err error) {
	last = p
	for mended := objection(0); ; {
		a, err = last.c.wait(ctx, last.call, last.opt.Timeout)
		o := p.c.objects(last.call, err)
		if o == 0 || mended&o != 0 {
			var expired *wire.SessionError
			if o == toSession && errors.As(err, &expired) {
				err = &wire.SessionError{HTTP: expired.HTTP, Again: true}
			}
			return last, a, p.c.doubt(err)
		}
		mended |= o
		mending, end := p.c.prolong(ctx, last.call.origin())
		again, failed := last.mend(mending, o, err)
		end()
		if failed != nil || !again {
			return last, a, cmp.Or(failed, err)
		}
		next, err := last.again(ctx, p.params)
		if err != nil {
			return last, a, err
		}
		last = next
	}
}

// again sends the same request with these params, under a new id, in the place of the
// frame that it was sent in before. Cancelling the first cancels it too.
func (p *Pending) again(ctx context.Context, params json.RawMessage) (*Pending, error) {
	opt := p.opt
	opt.By, opt.Of = wire.ByAuto, p.Seq()
	next, err := p.c.transmit(ctx, p.method, params, opt)
	if err == nil {
		p.c.mu.Lock()
		next.call.first = p.call.origin()
		p.c.mu.Unlock()
	}
	return next, err
}

// Notify sends a notification. It has no envelope in a modern connection either: that
// is for requests (spec: 2026-07-28, basic, _meta). One that was refused for the session
// is sent again in a new one.
func (c *Client) Notify(ctx context.Context, method string, params json.RawMessage, by wire.Origin) (uint64, error) {
	if err := c.renewed(ctx); err != nil {
		return 0, err
	}
	c.mu.Lock()
	session := c.session
	c.mu.Unlock()
	seq, err := c.notify(ctx, method, params, by)
	var expired *wire.SessionError
	if !errors.As(err, &expired) {
		return seq, err
	}
	if err := c.renew(ctx, session); err != nil {
		return seq, err
	}
	return c.send(ctx, outgoing{raw: notificationBytes(method, params), by: wire.ByAuto, of: seq, what: method}, 0)
}

func (c *Client) notify(ctx context.Context, method string, params json.RawMessage, by wire.Origin) (uint64, error) {
	return c.send(ctx, outgoing{raw: notificationBytes(method, params), by: by, what: method}, 0)
}

// SendRaw sends any bytes as one line. If they are a request, or a batch with
// one in it, the first such request's Pending is returned too.
func (c *Client) SendRaw(ctx context.Context, raw []byte, by wire.Origin, of uint64) (uint64, *Pending, error) {
	seq, err := c.send(ctx, outgoing{raw: raw, by: by, of: of, what: "a raw line"}, 0)
	if err != nil {
		return seq, nil, err
	}
	if k := c.claim(seq); k != nil {
		return seq, &Pending{c: c, call: k}, nil
	}
	return seq, nil, nil
}

// Renumber gives a recorded or edited request an id of this connection; every
// other byte stays.
func (c *Client) Renumber(raw []byte) ([]byte, error) {
	id, _ := c.newID()
	return rawjson.Set(raw, "/id", []byte(wire.Int(id).String()))
}

func (c *Client) sendRequest(ctx context.Context, method string, raw []byte, opt CallOptions) (*call, error) {
	by := opt.By
	if by == wire.ByNone {
		by = wire.ByAuto
	}
	seq, err := c.send(ctx, outgoing{raw: raw, by: by, of: opt.Of, what: method, request: true}, opt.Timeout)
	if err != nil {
		return nil, err
	}
	if k := c.claim(seq); k != nil {
		return k, nil
	}
	return nil, ErrClosed
}
