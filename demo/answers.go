package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Write implements [mcp.Connection]: the SDK sends a message.
func (l *link) Write(_ context.Context, m jsonrpc.Message) error {
	f := l.front
	switch m := m.(type) {
	case *jsonrpc.Response:
		f.respond(l, m)
	case *jsonrpc.Request:
		switch {
		case m.IsCall():
			f.ask(l, m)
		case m.Method == "notifications/cancelled":
			f.withdraw(l, m.Params)
		case f.passes(l, m):
			f.write(asked(nil, m.Method, subscribed(m.Params, f.idOf)))
		}
	}
	return nil
}

// subscribed replaces the number of a subscription in what the SDK says to it,
// which is the front's, by the id that the client gave it.
func subscribed(raw []byte, idOf func(number int64) json.RawMessage) []byte {
	const key = `"` + mcp.MetaKeySubscriptionID + `":`
	before, rest, found := bytes.Cut(raw, []byte(key))
	end := bytes.IndexAny(rest, ",}") // the SDK writes no spaces
	if !found || end < 0 {
		return raw
	}
	n, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	if id := idOf(n); err == nil && id != nil {
		return slices.Concat(before, []byte(key), id, rest[end:])
	}
	return raw
}

// idOf returns the client's id of a call in flight, or nil.
func (f *front) idOf(number int64) json.RawMessage {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.calls[number]; c != nil {
		return c.id
	}
	return nil
}

// passes holds back what the front says itself, and says at once: the SDK
// tells of changed lists a while after the change, so that the order of
// messages would differ from run to run. Subscribers, who are named in the
// message, hear of it from the SDK.
func (f *front) passes(l *link, m *jsonrpc.Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if strings.HasSuffix(m.Method, "/list_changed") {
		return l == f.modern
	}
	return !l.retired || m.Method == "notifications/progress" || m.Method == "notifications/message"
}

// respond writes the answer to a call, unless the client cancelled it.
func (f *front) respond(l *link, r *jsonrpc.Response) {
	n, _ := r.ID.Raw().(int64)
	f.mu.Lock()
	c := f.calls[n]
	if c == nil {
		f.mu.Unlock()
		return
	}
	delete(f.calls, n)
	l.open--
	if c.method == "initialize" {
		f.adopt(l, r)
	}
	idle := l.retired && l.open == 0
	f.mu.Unlock()
	if idle {
		_ = l.Close()
	}
	defer close(c.done)
	if c.cancelled {
		f.put(c.batch, nil)
		return
	}
	if c.method == "subscriptions/listen" {
		r.Result = subscribed(r.Result, func(int64) json.RawMessage { return c.id })
	}
	line := answer(c.id, "result", r.Result)
	if r.Error != nil {
		line = answer(c.id, "error", plainJSON(wireError(r.Error)))
	}
	if c.batch != nil {
		f.put(c.batch, line)
		return
	}
	f.write(line)
}

// adopt makes the link that answered initialize the one for all that follows.
// It is called with f.mu held.
func (f *front) adopt(l *link, r *jsonrpc.Response) {
	var result struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if r.Error != nil || json.Unmarshal(r.Result, &result) != nil {
		l.retired = true
		return
	}
	f.version = result.ProtocolVersion
	for _, old := range []*link{f.current, f.early} {
		if old != nil {
			old.retired = true
			if old.open == 0 {
				_ = old.Close()
			}
		}
	}
	f.current, f.early = l, nil
}

// wireError is an SDK error as the tutorials' servers would have put it: no
// error without a code, and an unknown method in the words of JSON-RPC.
func wireError(err error) rpcError {
	out := rpcError{Message: err.Error()}
	var coded *jsonrpc.Error
	if errors.As(err, &coded) {
		out.Code, out.Data = coded.Code, coded.Data
	}
	switch out.Code {
	case 0:
		out.Code = jsonrpc.CodeInternalError
	case jsonrpc.CodeMethodNotFound:
		out.Message, out.Data = standard[out.Code], nil
	}
	return out
}

// ask writes a request of the server. After the end of input nobody can answer
// it, so it fails at once.
func (f *front) ask(l *link, m *jsonrpc.Request) {
	f.mu.Lock()
	if f.ended {
		f.mu.Unlock()
		l.send(&jsonrpc.Response{ID: m.ID, Error: errInputEnded})
		return
	}
	f.lastAsk++
	n := f.lastAsk
	f.asks[n] = ask{link: l, id: m.ID}
	f.mu.Unlock()
	f.write(asked(strconv.AppendInt(nil, n, 10), m.Method, m.Params))
}

var errInputEnded = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the client closed its side"}

// withdraw tells the client that a request of the server needs no answer.
func (f *front) withdraw(l *link, params json.RawMessage) {
	var p struct {
		RequestID int64  `json:"requestId"`
		Reason    string `json:"reason,omitempty"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	f.mu.Lock()
	found := false
	for n, a := range f.asks {
		if a.link == l && a.id == number(p.RequestID) {
			delete(f.asks, n)
			p.RequestID, found = n, true
			break
		}
	}
	f.mu.Unlock()
	if found {
		f.write(asked(nil, "notifications/cancelled", plainJSON(p)))
	}
}

// drain lets the calls in flight finish after the end of input.
func (f *front) drain() {
	f.mu.Lock()
	f.ended = true
	asks, calls := f.asks, make([]*call, 0, len(f.calls))
	f.asks = map[int64]ask{}
	for _, c := range f.calls {
		if c.method != "subscriptions/listen" { // lasts until it is cancelled
			calls = append(calls, c)
		}
	}
	f.mu.Unlock()
	for _, a := range asks {
		a.link.send(&jsonrpc.Response{ID: a.id, Error: errInputEnded})
	}
	over := time.NewTimer(f.world.grace)
	defer over.Stop()
	for _, c := range calls {
		select {
		case <-c.done:
		case <-over.C:
			return
		case <-f.ctx.Done():
			return
		}
	}
}

// close ends all sessions; what they still do is not heard.
func (f *front) close() {
	f.out.close()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range []*link{f.current, f.early, f.modern} {
		if l != nil {
			_ = l.Close()
		}
	}
	for _, c := range f.calls {
		_ = c.link.Close() // of a session that was retired
	}
}
