// Package client is the protocol core: it connects, shakes hands, sends
// requests, pairs answers with them and answers what the server asks. It knows
// nothing of files or screens: bytes go to and come from a [Log], and a call
// returns sequence numbers and heads.
//
// A Client may be used from several goroutines.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"parley/client/mcp"
	"parley/client/wire"
)

// Conn is one connection to a server, as the transports of package wire make it.
type Conn interface {
	// Send appends the frame and then writes it; it may block while the server does not read.
	Send(raw []byte, by wire.Origin, of uint64) (seq uint64, err error)
	CloseSend() error
	Close(ctx context.Context) error
	Done() <-chan struct{}
	Err() error
}

// Dial opens the connection of an epoch (1, 2, 3 …); what happens on it goes to sink.
type Dial func(sink wire.Sink, epoch int) (Conn, error)

// Log keeps frames. Bytes gives n bytes of a frame from off, to its end if n < 0.
type Log interface {
	wire.Sink
	Bytes(seq uint64, off int64, n int) ([]byte, error)
}

// Options shape what the client declares and how long it waits.
type Options struct {
	Name, Version string // clientInfo
	// Protocol is "legacy" (empty means that too), "modern", "auto", or the version to
	// offer. Of auto, Guess is the era to begin with; [UnknownEra] begins with a probe.
	Protocol   string
	Guess      Era
	Anonymous  bool              // leave clientInfo out of modern requests
	LogLevel   string            // of log messages: asked for after a legacy handshake, by each modern request
	Extensions []string          // ids of the extensions that modern requests declare
	Listen     bool              // modern: subscribe to the lists that are declared to change
	MaxRounds  int               // of one modern request that the server answers with questions; 0 means DefaultMaxRounds
	Notice     func(text string) // told what was done unasked: a fallback, a new session; may be nil
	Roots      []string          // absolute paths; roots are declared if there are any
	// Elicit answers elicitation/create, Sample sampling/createMessage. What is nil
	// is not declared, and answered as a method that does not exist.
	Elicit, Sample Responder
	NoHandshake    bool // connect and send nothing
	Force          bool // send what the server did not declare, too
	Timeout        time.Duration
	// Epochs is the number of epochs that the log holds already.
	Epochs int
}

// DefaultTimeout bounds a request when Options.Timeout is 0.
const DefaultTimeout = 60 * time.Second

// Client talks to one server, over one connection after the other.
type Client struct {
	log  Log
	dial Dial
	opt  Options

	mu      sync.Mutex
	conn    Conn
	queue   *queue // what waits to be sent on conn
	epoch   int
	matcher wire.Matcher
	calls   map[wire.Ref]*call // our open requests
	sent    map[uint64]*call   // by frame, until their sender claimed them
	byToken map[wire.ID]*call
	taken   map[wire.ID]bool // ids typed by hand in this epoch
	nextID  int64
	info    mcp.Initialize
	shaken  bool // the handshake of this epoch is done
	era     Era
	// discovered is whether a modern server said what it has; not each does.
	discovered bool
	heardOf    bool                               // the server gave a result to something else than server/discover
	session    int                                // counts the sessions of this epoch: how often initialize was done again
	expired    bool                               // the server does not know the present one any more
	renewal    *renewal                           // the next one, while it is being made
	waits      map[uint64]context.CancelCauseFunc // exchanges that go on after their first answer, by its request
	changed    map[string]bool                    // list methods whose lists changed since they were asked for

	alive        context.Context // ends with the connection of this epoch
	end          context.CancelCauseFunc
	questions    []*question // of the server, being answered by a responder
	held         int         // responders that wait for a person
	released     time.Time   // when the last of them stopped
	declared     declared
	capabilities json.RawMessage // as initialize or each modern request declares them
	envelope     envelope        // of modern requests, else nil

	cache         cache
	mirror        mirror
	subscriptions subscriptions
}

// New returns a client that is not connected yet.
func New(log Log, dial Dial, opt Options) *Client {
	if opt.Timeout == 0 {
		opt.Timeout = DefaultTimeout
	}
	return &Client{log: log, dial: dial, opt: opt, epoch: opt.Epochs}
}

// Server is what the server said of itself in the handshake of this epoch.
func (c *Client) Server() (info mcp.Initialize, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.info, c.shaken
}

// Done is closed when the present connection has ended; it is nil before the
// first one.
func (c *Client) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return nil
	}
	return c.conn.Done()
}

// Err says why the present connection ended; nil while it is open or when we
// ended it.
func (c *Client) Err() error {
	c.mu.Lock()
	conn := c.conn
	c.mu.Unlock()
	if conn == nil {
		return ErrNotConnected
	}
	select {
	case <-conn.Done():
		return conn.Err()
	default:
		return nil
	}
}

// Result gives the bytes of an answer's result, exactly as they came. They belong to
// the caller.
func (c *Client) Result(a Answer) ([]byte, error) {
	if a.result != nil {
		return bytes.Clone(a.result), nil
	}
	return c.span(a.Response.Seq, a.Head.Result)
}

// WriteResult writes the bytes of an answer's result to w, exactly as they came,
// without having all of them in memory.
func (c *Client) WriteResult(w io.Writer, a Answer) error {
	if a.result != nil {
		_, err := w.Write(a.result)
		return err
	}
	s := a.Head.Result
	for off, end := s.Off, s.Off+s.Len; off < end; {
		// A frame of several parts is read a part at a time.
		n := min(wire.MaxPart-off%wire.MaxPart, end-off)
		piece, err := c.log.Bytes(a.Response.Seq, off, int(n))
		if err == nil && len(piece) == 0 {
			err = io.ErrUnexpectedEOF
		}
		if err == nil {
			_, err = w.Write(piece)
		}
		if err != nil {
			return err
		}
		off += int64(len(piece))
	}
	return nil
}

// RPCError reads the bytes of an answer's error object, exactly as they came.
func (c *Client) RPCError(a Answer) ([]byte, error) { return c.span(a.Response.Seq, a.Head.Error) }

func (c *Client) span(seq uint64, s wire.Span) ([]byte, error) {
	if s.Len == 0 {
		return nil, nil
	}
	return c.log.Bytes(seq, s.Off, int(s.Len))
}

// tap stands between a connection and the log: every frame is kept first and
// then looked at. It belongs to one epoch, so that a late frame of an old
// connection cannot answer a new call.
type tap struct {
	c     *Client
	epoch int
}

// Append implements [wire.Sink].
func (t tap) Append(frames []wire.Frame) uint64 {
	first := t.c.log.Append(frames)
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	if t.epoch != t.c.epoch {
		return first
	}
	for i := range frames {
		f := &frames[i]
		if f.Kind == wire.Event && !f.More {
			t.c.happened(f.Raw)
		}
		if f.Kind != wire.Message || f.More || !f.Head.Form.IsMessage() {
			continue
		}
		if f.Head.Form == wire.Batch {
			for m := range f.Head.Members {
				t.c.observe(f, wire.Ref{Seq: f.Seq, Member: int32(m + 1)}, &f.Head.Members[m])
			}
			continue
		}
		t.c.observe(f, wire.Ref{Seq: f.Seq}, &f.Head)
	}
	return first
}

// Lost implements [wire.LossSink].
func (t tap) Lost(seq uint64, err error) {
	if log, ok := t.c.log.(wire.LossSink); ok {
		log.Lost(seq, err)
	}
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	if t.epoch == t.c.epoch {
		t.c.lost(seq, err)
	}
}

// observe looks at one message with c.mu held.
func (c *Client) observe(f *wire.Frame, ref wire.Ref, h *wire.Head) {
	m := c.matcher.Apply(ref, f.Dir, h)
	switch {
	case f.Dir == wire.Out && h.Form == wire.Request:
		c.opened(f, ref, h)
	case f.Dir == wire.In && h.Form.IsResponse() && m.Pairing == wire.Answered:
		c.answered(f, ref, h, m.Request)
	case f.Dir == wire.In && h.Form == wire.Failure && m.Pairing == wire.Orphan && !c.shaken:
		c.refused(f, ref, h)
	case f.Dir == wire.In && h.Form == wire.Request:
		c.asked(f, ref, h)
	case f.Dir == wire.In && h.Form == wire.Notification:
		c.notified(h)
		c.heard(f, ref, h)
	}
}

// refused takes an error without an id for the answer to the one request of a handshake
// that is open: it can be about nothing else. Servers that do not know a method answer
// so, too. Over HTTP the response says what it is about.
func (c *Client) refused(f *wire.Frame, ref wire.Ref, h *wire.Head) {
	if _, http := c.conn.(agreer); http || c.opt.NoHandshake {
		return
	}
	if (h.ID.Type != wire.NullID && h.ID.Type != wire.NoID) || len(c.calls) != 1 {
		return
	}
	for request, k := range c.calls {
		if k.method == "initialize" || k.method == "server/discover" {
			c.answered(f, ref, h, request)
		}
	}
}

// notified takes note of the notifications that concern calls, questions and lists.
func (c *Client) notified(h *wire.Head) {
	switch h.Method {
	case "notifications/progress":
		if call := c.byToken[h.Token]; call != nil {
			call.touch()
		}
	case "notifications/cancelled":
		if c.era == Modern {
			c.endListen(h.Token)
		} else {
			c.cancelled(h.Token)
		}
	case "notifications/tools/list_changed":
		c.outdated("tools/list")
	case "notifications/prompts/list_changed":
		c.outdated("prompts/list")
	case "notifications/resources/list_changed":
		c.outdated("resources/list", "resources/templates/list")
	case "notifications/resources/updated":
		c.stale("resources/read", h.Name)
	}
}

// outdated notes that lists changed, with c.mu held.
func (c *Client) outdated(methods ...string) {
	for _, m := range methods {
		c.changed[m] = true
		c.stale(m, "")
	}
}

// Changed reports whether the server said, since that list was last asked for,
// that it changed. The method is that of the list, such as "tools/list".
func (c *Client) Changed(method string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed[method]
}
