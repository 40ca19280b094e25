package wire

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// Mode says which of the two HTTP transports is spoken.
type Mode uint8

// The modes.
const (
	ModeAuto       Mode = iota // Streamable HTTP, and HTTP+SSE where the server refuses that
	ModeStreamable             // Streamable HTTP (spec: basic/transports, since 2025-03-26)
	ModeSSE                    // HTTP+SSE (spec: 2024-11-05, basic/transports)
)

// HTTPOptions describe a connection over HTTP.
type HTTPOptions struct {
	URL    string // http or https
	Mode   Mode
	Header http.Header  // of every request; what is in it wins over ours
	Secret []string     // names of fields in it whose values are masked, whatever they sound like
	Client *http.Client // as NewHTTPClient makes it; that of the zero NetOptions if nil
	Epoch  int
	// Reconnects is how many times in a row a stream that broke is opened again;
	// 0 means DefaultReconnects, less than 0 never.
	Reconnects int
	Now        func() time.Time // the clock that stamps frames; time.Now if nil
}

// DefaultReconnects is how often a broken stream is opened again in a row.
const DefaultReconnects = 5

// Agreement is what client and server agreed on. It shapes the headers of what is
// sent from then on.
type Agreement struct {
	Version string // for MCP-Protocol-Version, where a message does not say itself
	Modern  bool   // no sessions, no GET stream, no DELETE
	// Fields gives the Mcp-Param-* headers of a request; nil gives none.
	Fields func(h *Head, raw []byte) []Field
}

// Field is one header field, its value as it goes over the wire.
type Field struct{ Name, Value string }

// HTTPConn is a connection over HTTP: Streamable HTTP of all versions, or HTTP+SSE of
// 2024-11-05. Its methods may be called from several goroutines.
//
// It needs nobody to tell it what was agreed on: it sees initialize and its result and
// sends the session id and the version from then on, opens the GET stream once
// notifications/initialized was accepted, resumes streams that broke, and speaks of a
// message with the modern _meta as 2026-07-28 says. [Agreement] adds what it cannot see.
//
// Its first frame is the event connected, its last one the event closed, or, where a
// stream of HTTP+SSE ends by itself, disconnected. All frames of one HTTP request have
// the same Via, such as "POST 7": the message, the heads, the events and what they hold.
type HTTPConn struct {
	opt    HTTPOptions
	url    *url.URL
	client *http.Client
	rec    *recorder
	now    func() time.Time

	ctx      context.Context // ends with the connection
	end      context.CancelFunc
	running  sync.WaitGroup // everything that c.start started
	reading  shortBodies
	ending   sync.Once
	done     chan struct{}
	err      error // set before done is closed
	requests atomic.Int64
	jobs     chan *exchange // to a goroutine that waits for one
	idle     atomic.Int32   // how many do
	// lane orders what is sent: a request holds it while it is appended, anything else
	// until its response's head came.
	lane chan struct{}

	mu       sync.Mutex
	closing  bool // nothing more is to be sent
	open     exchanges
	first    *exchange // the last initialize; what is sent after it waits for its answer
	agreed   Agreement
	session  session
	header   lastHeader
	listener *listener  // the GET stream; nil if there is none
	old      *oldStream // of HTTP+SSE; nil while Streamable HTTP is spoken
}

// session is that of Streamable HTTP before 2026-07-28.
type session struct {
	id  string   // empty: none
	odd bool     // there is one that no header may have
	at  *url.URL // who gave it, if that was somebody else than was asked
}

const addressHint = "addresses of this kind look like https://host/mcp"

// DialHTTP opens a connection; nothing is sent before the first Send, but in ModeSSE
// the stream is opened and its endpoint event awaited. What ctx bounds is that.
func DialHTTP(ctx context.Context, opt HTTPOptions, sink Sink) (*HTTPConn, error) {
	u, err := url.Parse(opt.URL)
	if err != nil {
		return nil, &AddressError{URL: maskURL(opt.URL), Reason: "it cannot be parsed", hint: addressHint}
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, &AddressError{URL: maskURL(opt.URL), Reason: "it does not begin with http:// or https:// and a host", hint: addressHint}
	}
	var client http.Client
	if opt.Client != nil {
		client = *opt.Client
	} else if made, err := NewHTTPClient(NetOptions{}); err != nil {
		return nil, err
	} else {
		client = *made
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if opt.Reconnects == 0 {
		opt.Reconnects = DefaultReconnects
	}
	c := &HTTPConn{
		opt: opt, url: u, now: opt.Now, client: &client,
		done: make(chan struct{}), jobs: make(chan *exchange), lane: make(chan struct{}, 1), open: newExchanges(),
	}
	if c.now == nil {
		c.now = time.Now
	}
	c.rec = newRecorder(sink, c.now)
	c.ctx, c.end = context.WithCancel(context.Background())
	transport := TransportHTTP
	if opt.Mode == ModeSSE {
		transport = TransportSSE
	}
	c.rec.event(ConnEvent{Event: EventConnected, Epoch: opt.Epoch, Transport: transport, URL: maskURL(opt.URL)})
	if opt.Mode != ModeSSE {
		return c, nil
	}
	if err := c.openOld(ctx, oldPatience); err != nil {
		if errors.Is(ctx.Err(), context.Canceled) {
			err = context.Cause(ctx) // whatever the end of the stream looked like
		}
		c.finish(ConnEvent{Event: EventDisconnected, Text: err.Error()}, err, func() {})
		<-c.done
		return nil, err
	}
	return c, nil
}

// Agree tells what client and server agreed on. An empty Version leaves the one that
// the result of initialize named.
func (c *HTTPConn) Agree(a Agreement) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.Version == "" {
		a.Version = c.agreed.Version
	}
	c.agreed = a
}

// NewSession forgets the session and its streams: what is sent next belongs to none.
func (c *HTTPConn) NewSession() {
	c.mu.Lock()
	l := c.listener
	c.listener = nil
	c.session = session{}
	c.agreed.Version = ""
	c.mu.Unlock()
	if l != nil {
		l.cancel()
	}
}

// Transport is what is spoken now: TransportHTTP or TransportSSE.
func (c *HTTPConn) Transport() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.old != nil || c.opt.Mode == ModeSSE {
		return TransportSSE
	}
	return TransportHTTP
}

// Done is closed after the last event was appended.
func (c *HTTPConn) Done() <-chan struct{} { return c.done }

// Err says, after Done, why the connection ended: nil if we ended it.
func (c *HTTPConn) Err() error {
	if !isClosed(c.done) {
		return nil
	}
	return c.err
}

// CloseSend refuses what is to be sent from now on. What was sent is answered still.
func (c *HTTPConn) CloseSend() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	return nil
}

// start runs f in a goroutine that Close waits for. It reports whether the connection
// is open still.
func (c *HTTPConn) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		return false
	}
	c.running.Go(f)
	return true
}
