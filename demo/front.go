package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// front is the line loop before the SDK. Requests go to an SDK session under
// numbers of the front's own, so that ids keep the client's spelling and may
// repeat; requests of the SDK to the client are numbered anew as well, so that
// several sessions can share one connection.
//
// Requests are handed on one after the other: the next line is read when the
// answer was written, so answers keep the order of their requests. Only calls
// that take time by their nature (see lengthy) are not waited for.
type front struct {
	ctx     context.Context
	stop    context.CancelCauseFunc
	world   *world
	out     *lines
	journal *journal

	mu       sync.Mutex
	current  *link // since the client's last initialize
	early    *link // for requests before it
	modern   *link // for requests that bring their own version
	version  string
	calls    map[int64]*call // of the client, in flight
	asks     map[int64]ask   // of the server, in flight
	lastCall int64
	lastAsk  int64
	ended    bool // stdin ended
}

// call is one request of the client in flight.
type call struct {
	number    int64
	id        json.RawMessage
	method    string
	link      *link
	batch     *batch
	cancelled bool
	done      chan struct{} // closed when it was answered or dropped
}

// ask is one request of the server in flight.
type ask struct {
	link *link
	id   jsonrpc.ID // in that link's session
}

func newFront(ctx context.Context, stop context.CancelCauseFunc, stdout, stderr io.Writer, opt Options) (*front, error) {
	f := &front{ctx: ctx, stop: stop, calls: map[int64]*call{}, asks: map[int64]ask{}, journal: &journal{}}
	f.out = &lines{w: stdout, broken: stop}
	w, err := openWorld(opt, stderr, f)
	if err != nil {
		return nil, err
	}
	f.world = w
	if w.Journal {
		f.journal.w = stderr
	}
	f.journal.started(w)
	return f, nil
}

// run reads lines until stdin ends or the context does.
func (f *front) run(stdin io.Reader) error {
	type read struct {
		line []byte
		err  error
	}
	reads := make(chan read)
	go func() {
		for in := bufio.NewReaderSize(stdin, 64<<10); ; {
			line, err := in.ReadBytes('\n')
			select {
			case reads <- read{line, err}:
			case <-f.ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	var last error
	for last == nil && f.ctx.Err() == nil {
		select {
		case <-f.ctx.Done():
		case r := <-reads:
			if line := bytes.TrimSpace(r.line); len(line) > 0 {
				f.line(line)
			}
			last = r.err
		}
	}
	f.drain()
	switch {
	case f.ctx.Err() != nil:
		return context.Cause(f.ctx)
	case !errors.Is(last, io.EOF):
		return fmt.Errorf("reading stdin: %w", last)
	}
	return nil
}

// line deals with one line: a message or a batch of them.
func (f *front) line(raw []byte) {
	if raw[0] == '[' && json.Valid(raw) {
		f.batch(raw)
		return
	}
	e, bad := open(raw)
	if bad != nil {
		f.journal.received(raw)
		f.refuse(bad, nil)
		return
	}
	f.journal.message(raw, e)
	f.message(e, nil)
}

// message passes one message on, or answers it.
func (f *front) message(e envelope, b *batch) {
	switch {
	case e.method == "" && e.id != nil:
		f.answered(e)
	case e.method == "":
	case e.id == nil:
		f.notified(e)
	case !f.world.serves(e.method):
		f.refuse(&fault{id: e.id, code: jsonrpc.CodeMethodNotFound}, b)
	case e.method == "initialize" && b != nil:
		f.refuse(invalid(e.id, "initialize must not be part of a batch"), b)
	default:
		f.request(e, b)
	}
}

// request hands a request to its session and waits for the answer unless the
// call is a lengthy one.
func (f *front) request(e envelope, b *batch) {
	l, err := f.linkFor(&e)
	if err != nil {
		f.refuse(&fault{id: e.id, code: jsonrpc.CodeInternalError, details: err.Error()}, b)
		return
	}
	f.mu.Lock()
	f.lastCall++
	c := &call{number: f.lastCall, id: e.id, method: e.method, link: l, batch: b, done: make(chan struct{})}
	f.calls[c.number] = c
	l.open++
	f.mu.Unlock()
	f.expect(b)
	l.send(&jsonrpc.Request{ID: number(c.number), Method: e.method, Params: e.params})
	if lengthy(e) {
		return
	}
	select {
	case <-c.done:
	case <-f.ctx.Done():
	}
}

// lengthy says which requests are not waited for: they last as long as they
// are told to, or until the client answers a question.
func lengthy(e envelope) bool {
	switch e.method {
	case "subscriptions/listen":
		return true
	case "tools/call":
		var p struct {
			Name string `json:"name"`
		}
		_ = json.Unmarshal(e.params, &p) // the session says what is wrong with them
		return tools[p.Name].lengthy
	}
	return false
}

// notified passes on a notification of the client, if there is a session.
func (f *front) notified(e envelope) {
	if e.method == "notifications/cancelled" {
		f.cancel(e.params)
		return
	}
	f.mu.Lock()
	l := f.current
	f.mu.Unlock()
	if l != nil && strings.HasPrefix(e.method, "notifications/") {
		l.send(&jsonrpc.Request{Method: e.method, Params: e.params})
	}
}

// cancel drops the client's request: its context ends, and it gets no answer.
func (f *front) cancel(params json.RawMessage) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil || !isID(p.RequestID) {
		return
	}
	f.mu.Lock()
	var found *call
	for _, c := range f.calls {
		if sameScalar(c.id, p.RequestID) && c.method != "initialize" && (found == nil || c.number > found.number) {
			found = c
		}
	}
	if found != nil {
		found.cancelled = true
	}
	f.mu.Unlock()
	if found != nil {
		found.link.send(&jsonrpc.Request{Method: "notifications/cancelled",
			Params: json.RawMessage(`{"requestId":` + strconv.FormatInt(found.number, 10) + `}`)})
	}
}

// answered passes an answer of the client to the session that asked. An answer
// to nothing is dropped.
func (f *front) answered(e envelope) {
	n, err := strconv.ParseInt(string(e.id), 10, 64)
	if err != nil {
		return
	}
	f.mu.Lock()
	a, ok := f.asks[n]
	delete(f.asks, n)
	f.mu.Unlock()
	if !ok {
		return
	}
	r := &jsonrpc.Response{ID: a.id, Result: e.result}
	if e.err != nil {
		wrong := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the client's error is no error object"}
		_ = json.Unmarshal(e.err, wrong) // what can be read of it replaces that
		r.Error = wrong
	}
	a.link.send(r)
}

// refuse answers a message with an error of the front's own.
func (f *front) refuse(bad *fault, b *batch) {
	e := rpcError{Code: bad.code, Message: standard[bad.code]}
	if bad.details != "" {
		e.Data = f.world.errorData(bad.details)
	}
	line := answer(bad.id, "error", plainJSON(e))
	if b != nil {
		f.expect(b)
		f.put(b, line)
		return
	}
	f.write(line)
}

func (f *front) write(line []byte) {
	f.journal.sending(line)
	f.out.write(line)
	f.journal.sent(line)
}

// end ends the server: from now on nothing is answered.
func (f *front) end(err error) {
	f.out.close()
	f.stop(err)
}

// announce sends a notification at once, to a client that has shaken hands.
func (f *front) announce(method string) {
	f.mu.Lock()
	hears := f.current != nil
	f.mu.Unlock()
	if hears {
		f.write(asked(nil, method, nil))
	}
}

func number(n int64) jsonrpc.ID {
	id, _ := jsonrpc.MakeID(float64(n)) // a number is always an id
	return id
}

// lines writes whole lines. After the first error, or close, it drops them.
type lines struct {
	mu     sync.Mutex
	w      io.Writer
	closed atomic.Bool // without the lock, which a client that does not read may hold up
	broken context.CancelCauseFunc
}

func (o *lines) write(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed.Load() {
		return
	}
	if _, err := o.w.Write(append(line, '\n')); err != nil {
		o.closed.Store(true)
		o.broken(fmt.Errorf("writing to stdout: %w", err))
	}
}

func (o *lines) close() { o.closed.Store(true) }

var _ mcp.Transport = (*link)(nil)
