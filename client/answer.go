package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// asked answers a request of the server's, with c.mu held, in the goroutine that
// read it: what needs no responder is only queued here, the rest goes to a
// goroutine of its own. What was not declared, or is not configured, is -32601
// (spec: client/roots, sampling, elicitation; basic/utilities/ping). A modern server
// has nothing to ask in this way: it gets no answer.
func (c *Client) asked(f *wire.Frame, ref wire.Ref, h *wire.Head) {
	if c.era == Modern {
		return
	}
	if h.ID.Type != wire.NumberID && h.ID.Type != wire.StringID {
		return // no legal id to answer to; the finding is enough
	}
	q := &question{id: h.ID, spelling: c.idBytes(f, h), seq: ref.Seq, params: h.Params, done: make(chan struct{})}
	switch {
	case h.Method == "ping":
		c.post(q, json.RawMessage(`{}`), nil)
	case h.Method == "roots/list" && c.declared.roots:
		var params json.RawMessage
		if int64(len(f.Raw)) == f.Size {
			params = f.Raw[h.Params.Off : h.Params.Off+h.Params.Len]
		}
		c.post(q, related(params, rootsResult(c.opt.Roots)), nil)
	case h.Method == "elicitation/create" && c.declared.elicitation && c.opt.Elicit != nil:
		c.ask(q, c.opt.Elicit, formOnly)
	case h.Method == "sampling/createMessage" && c.declared.sampling && c.opt.Sample != nil:
		c.ask(q, c.opt.Sample, withoutTools)
	default:
		c.post(q, nil, mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "Method not found: " + h.Method})
	}
}

// question is a request of the server's that is being answered.
type question struct {
	id       wire.ID
	spelling []byte // of the id, as the server wrote it
	seq      uint64
	params   wire.Span
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed when its answer is posted, or will never be
}

// ask has a question answered in a goroutine of its own, with c.mu held. refuse
// says what is wrong with params whatever the responder would do.
func (c *Client) ask(q *question, respond Responder, refuse func(params []byte) error) {
	ctx, cancel := context.WithCancelCause(context.WithValue(c.alive, askerKey{}, c))
	q.cancel = cancel
	c.questions = append(c.questions, q)
	go func() {
		result, err := c.response(ctx, q, respond, refuse)
		c.mu.Lock()
		defer c.mu.Unlock()
		if ctx.Err() == nil {
			c.post(q, result, err)
		}
		cancel(nil)
		c.questions = slices.DeleteFunc(c.questions, func(other *question) bool { return other == q })
		close(q.done)
	}()
}

func (c *Client) response(ctx context.Context, q *question, respond Responder, refuse func([]byte) error) (json.RawMessage, error) {
	params, err := c.span(q.seq, q.params)
	if err != nil {
		return nil, err
	}
	if err := refuse(params); err != nil {
		return nil, err
	}
	result, err := respond(ctx, params)
	if err != nil {
		return nil, err
	}
	result, err = rawjson.Compact(nil, related(params, result)) // an answer is one line
	if err != nil || len(result) == 0 {
		return nil, errors.New("the answer is not JSON")
	}
	return result, nil
}

// cancelled ends the answering of a question that the server takes back: it gets
// no answer any more (spec: basic/utilities/cancellation).
func (c *Client) cancelled(id wire.ID) {
	for _, q := range slices.Backward(c.questions) {
		if q.id == id {
			q.cancel(ErrWithdrawn)
			return
		}
	}
}

// endListen ends a subscription that a modern server ends, the only request of ours
// that it may end so (spec: 2026-07-28, basic/patterns, cancellation).
func (c *Client) endListen(id wire.ID) {
	for _, k := range c.calls {
		if k.id == id && k.method == "subscriptions/listen" {
			c.forget(k)
			k.finish(ErrEnded)
		}
	}
}

// drainQuestions waits until every question is answered, and those that come meanwhile.
func (c *Client) drainQuestions(ctx context.Context, conn Conn) {
	for {
		c.mu.Lock()
		var q *question
		if len(c.questions) > 0 {
			q = c.questions[0]
		}
		c.mu.Unlock()
		if q == nil {
			return
		}
		select {
		case <-q.done:
		case <-ctx.Done():
			return
		case <-conn.Done():
			return
		}
	}
}

// post queues an answer, with c.mu held.
func (c *Client) post(q *question, result json.RawMessage, err error) {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), q.spelling...)
	if err != nil {
		b = append(b, `,"error":`...)
		b = appendError(b, err)
	} else {
		b = append(b, `,"result":`...)
		b = append(b, result...)
	}
	if c.queue == nil { // the server spoke before dial returned
		c.queue = &queue{wake: make(chan struct{}, 1)}
	}
	c.queue.post(append(b, '}'), wire.ByAuto)
}

func appendError(b []byte, err error) []byte {
	var e mcp.RPCError
	if !errors.As(err, &e) {
		e = mcp.RPCError{Code: mcp.CodeInternal, Message: err.Error()}
	}
	b = fmt.Appendf(b, `{"code":%d,"message":`, e.Code)
	b = rawjson.Quote(b, e.Message)
	if data, err := rawjson.Compact(nil, e.Data); err == nil && len(data) > 0 {
		b = append(b, `,"data":`...)
		b = append(b, data...)
	}
	return append(b, '}')
}

// formOnly refuses the modes of elicitation that are not declared
// (spec: client/elicitation, error handling).
func formOnly(params []byte) error {
	if mode := mcp.DecodeElicit(params).Mode; mode != "form" {
		return mcp.RPCError{Code: mcp.CodeInvalidParams, Message: "elicitation mode " + mode + " was not declared"}
	}
	return nil
}

// withoutTools refuses sampling with tools, which is not declared
// (spec: client/sampling, capabilities).
func withoutTools(params []byte) error {
	for _, name := range []string{"tools", "toolChoice"} {
		if _, ok := rawjson.Get(params, name); ok {
			return mcp.RPCError{Code: mcp.CodeInvalidParams, Message: "sampling with " + name + " was not declared"}
		}
	}
	return nil
}

// idBytes is the id as the server spelled it, so that it comes back unchanged.
func (c *Client) idBytes(f *wire.Frame, h *wire.Head) []byte {
	raw := f.Raw
	if int64(len(raw)) == f.Size {
		raw = raw[h.Span.Off : h.Span.Off+h.Span.Len]
	} else {
		raw = c.withoutParams(f.Seq, h)
	}
	if id, ok := rawjson.Get(raw, "id"); ok {
		return slices.Clone(id)
	}
	if h.ID.Type == wire.StringID {
		return rawjson.Quote(nil, h.ID.Text)
	}
	return []byte(h.ID.String())
}

// withoutParams is a message that came in parts, with null for its params.
func (c *Client) withoutParams(seq uint64, h *wire.Head) []byte {
	end := h.Params.Off + h.Params.Len
	rest := h.Span.Off + h.Span.Len - end
	if h.Params.Len == 0 || h.Params.Off-h.Span.Off > wire.MaxPart || rest > wire.MaxPart {
		return nil
	}
	before, err := c.log.Bytes(seq, h.Span.Off, int(h.Params.Off-h.Span.Off))
	if err != nil {
		return nil
	}
	after, err := c.log.Bytes(seq, end, int(rest))
	if err != nil {
		return nil
	}
	return slices.Concat(before, []byte("null"), after)
}

func rootsResult(paths []string) json.RawMessage {
	b := []byte(`{"roots":[`)
	for i, p := range paths {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"uri":`...)
		b = rawjson.Quote(b, fileURI(p))
		b = append(b, `,"name":`...)
		b = rawjson.Quote(b, filepath.Base(p))
		b = append(b, '}')
	}
	return append(b, `]}`...)
}

// fileURI gives file:///dir/name; on Windows file:///C:/dir/name.
func fileURI(path string) string {
	p := filepath.ToSlash(path)
	if len(p) > 0 && p[0] != '/' {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}
