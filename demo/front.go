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
	"sync"
	"sync/atomic"
	"time"

	"parley/client/mcp"
)

// front is the connection: it reads lines, answers them, and remembers what
// the client said about itself.
//
// Requests are answered in the order in which they came, in the goroutine that
// reads. Only calls that take time by their nature (see lengthy) have one of
// their own.
type front struct {
	ctx     context.Context
	stop    context.CancelCauseFunc
	world   *world
	out     *lines
	journal *journal

	mu        sync.Mutex
	session   *session // of requests that do not say everything themselves
	calls     []*call  // lengthy ones of the client, in flight, oldest first
	listeners []listener
	asks      map[int64]chan reply // of the server, in flight
	lastAsk   int64
	ended     bool // stdin ended
}

// call is one lengthy request of the client in flight.
type call struct {
	id     json.RawMessage
	cancel context.CancelFunc
	done   chan struct{} // closed when it was answered or dropped
}

// reply is what the client answers to a question.
type reply struct {
	result json.RawMessage
	err    error
}

func newFront(ctx context.Context, stop context.CancelCauseFunc, stdout, stderr io.Writer, opt Options) (*front, error) {
	w, err := openWorld(opt, stderr)
	if err != nil {
		return nil, err
	}
	f := &front{ctx: ctx, stop: stop, world: w, session: newSession(""), asks: map[int64]chan reply{}, journal: &journal{}}
	f.out = &lines{w: stdout, broken: stop}
	if w.Journal {
		f.journal.w = stderr
	}
	f.journal.started(w)
	return f, nil
}

// run serves until stdin ends or the context does. In the latter case a Read or
// a Write that is blocked is left behind.
func (f *front) run(stdin io.Reader) error {
	ended := make(chan error, 1)
	go func() { ended <- f.read(stdin) }()
	select {
	case err := <-ended:
		if f.ctx.Err() == nil {
			return err
		}
	case <-f.ctx.Done():
	}
	return context.Cause(f.ctx)
}

// read answers lines until stdin ends, and waits for the calls in flight.
func (f *front) read(stdin io.Reader) error {
	for in := bufio.NewReaderSize(stdin, 64<<10); ; {
		line, err := in.ReadBytes('\n')
		if f.ctx.Err() != nil {
			return nil
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			f.line(line)
		}
		if err != nil {
			f.drain()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("reading stdin: %w", err)
		}
	}
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

// message deals with one message. Of notifications only cancellations matter.
func (f *front) message(e envelope, b *batch) {
	switch {
	case e.method == "" && e.id != nil:
		f.answered(e)
	case e.method == "notifications/cancelled":
		f.cancel(e.params)
	case e.id == nil:
	case e.method == "initialize" && b != nil:
		f.refuse(invalid(e.id, "initialize must not be part of a batch"), b)
	default:
		f.request(e, b)
	}
}

// request answers a request, at once or in a goroutine of its own.
func (f *front) request(e envelope, b *batch) {
	f.expect(b)
	r, err := f.receive(e)
	if err != nil {
		f.send(r.answer(nil, err), b)
		return
	}
	handle := methods[r.method]
	if !r.lengthy() {
		f.send(r.answer(handle(f.ctx, r)), b)
		return
	}
	ctx, cancel := context.WithCancel(f.ctx)
	c := &call{id: e.id, cancel: cancel, done: make(chan struct{})}
	f.mu.Lock()
	f.calls = append(f.calls, c)
	f.mu.Unlock()
	go func() {
		defer close(c.done)
		line := r.answer(handle(ctx, r))
		if f.forget(c); ctx.Err() != nil {
			line = nil // a request that was cancelled gets no answer
		}
		cancel()
		f.send(line, b)
	}()
}

// forget takes a call from those in flight.
func (f *front) forget(c *call) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.calls {
		if f.calls[i] == c {
			f.calls = append(f.calls[:i:i], f.calls[i+1:]...)
			return
		}
	}
}

// cancel ends the newest request with that id: a call or a subscription.
func (f *front) cancel(params json.RawMessage) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil || !isID(p.RequestID) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := len(f.calls) - 1; i >= 0; i-- {
		if sameScalar(f.calls[i].id, p.RequestID) {
			f.calls[i].cancel()
			return
		}
	}
	for i := len(f.listeners) - 1; i >= 0; i-- {
		if sameScalar(f.listeners[i].id, p.RequestID) {
			f.listeners = append(f.listeners[:i:i], f.listeners[i+1:]...)
			return
		}
	}
}

// ask sends a request of the server and waits for the client's answer. A
// question whose call ends before that is withdrawn.
func (f *front) ask(ctx context.Context, method string, params any) (json.RawMessage, error) {
	answer := make(chan reply, 1)
	f.mu.Lock()
	if f.ended {
		f.mu.Unlock()
		return nil, errInputEnded
	}
	f.lastAsk++
	n := f.lastAsk
	f.asks[n] = answer
	f.mu.Unlock()
	f.write(asked(strconv.AppendInt(nil, n, 10), method, plainJSON(params)))
	select {
	case a := <-answer:
		return a.result, a.err
	case <-ctx.Done():
	}
	f.mu.Lock()
	delete(f.asks, n)
	f.mu.Unlock()
	if f.ctx.Err() == nil {
		f.notify("notifications/cancelled", struct {
			RequestID int64  `json:"requestId"`
			Reason    string `json:"reason"`
		}{n, ctx.Err().Error()})
	}
	return nil, ctx.Err()
}

// errInputEnded is the answer to what nobody can answer any more.
var errInputEnded = &rpcError{Code: mcp.CodeInternal, Message: "the client closed its side"}

// answered passes an answer of the client to the tool that asked. An answer to
// nothing is dropped.
func (f *front) answered(e envelope) {
	n, err := strconv.ParseInt(string(e.id), 10, 64)
	if err != nil {
		return
	}
	a := reply{result: e.result}
	if e.err != nil {
		wrong := &rpcError{Code: mcp.CodeInternal, Message: "the client's error is no error object"}
		_ = json.Unmarshal(e.err, wrong) // what can be read of it replaces that
		a.err = wrong
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if asker := f.asks[n]; asker != nil {
		delete(f.asks, n)
		asker <- a
	}
}

// drain lets the calls in flight finish after the end of input. Nobody answers
// their questions any more.
func (f *front) drain() {
	f.mu.Lock()
	f.ended = true
	for n, asker := range f.asks {
		delete(f.asks, n)
		asker <- reply{err: errInputEnded}
	}
	calls := f.calls
	f.mu.Unlock()
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

// refuse answers a message that is no request.
func (f *front) refuse(bad *fault, b *batch) {
	f.expect(b)
	f.send(answer(bad.id, "error", plainJSON(f.world.fault(bad.code, bad.details))), b)
}

// send writes an answer, or adds it to its batch; nil is no answer.
func (f *front) send(line []byte, b *batch) {
	switch {
	case b != nil:
		f.put(b, line)
	case line != nil:
		f.write(line)
	}
}

func (f *front) notify(method string, params any) { f.write(asked(nil, method, plainJSON(params))) }

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
