package demo

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// legacyVersions are the versions with a handshake, newest first.
var legacyVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// link is one SDK session, and the transport and connection that the SDK sees
// of it.
type link struct {
	front   *front
	in      chan jsonrpc.Message
	gone    chan struct{}
	closing sync.Once

	// Guarded by front.mu.
	retired bool // another session took its place: it only answers what it has
	open    int  // calls in flight
}

// connect opens an SDK session in the given state.
func (f *front) connect(ctx context.Context, state mcp.ServerSessionState) (*link, error) {
	l := &link{front: f, in: make(chan jsonrpc.Message), gone: make(chan struct{})}
	state.LogLevel = "info" // the server may choose, until the client does
	_, err := f.world.server.Connect(ctx, l, &mcp.ServerSessionOptions{State: &state})
	return l, err
}

// linkFor returns the session a request belongs to, made when it is the first
// of its kind: initialize begins a new one, a request that brings its protocol
// version goes to one without a handshake, and a request before initialize to
// one that believes it had one.
func (f *front) linkFor(e *envelope) (*link, error) {
	if e.method == "initialize" {
		e.params = offered(e.params)
		return f.connect(f.ctx, mcp.ServerSessionState{})
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var err error
	if f.world.Modern && bringsVersion(e.params) {
		if f.modern == nil {
			f.modern, err = f.connect(context.WithValue(f.ctx, modernKey{}, true), mcp.ServerSessionState{})
		}
		return f.modern, err
	}
	if f.current != nil {
		return f.current, nil
	}
	if f.early == nil {
		f.early, err = f.connect(f.ctx, mcp.ServerSessionState{
			InitializeParams:  &mcp.InitializeParams{ProtocolVersion: legacyVersions[0], Capabilities: &mcp.ClientCapabilities{}},
			InitializedParams: &mcp.InitializedParams{},
		})
	}
	return f.early, err
}

type modernKey struct{}

// isModern reports whether a request came without a handshake, with its
// protocol version in it.
func isModern(ctx context.Context) bool { return ctx.Value(modernKey{}) != nil }

func bringsVersion(params json.RawMessage) bool {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var version string
	return json.Unmarshal(params, &p) == nil &&
		json.Unmarshal(p.Meta[mcp.MetaKeyProtocolVersion], &version) == nil && version > legacyVersions[0]
}

// offered replaces a version that no handshake knows by the newest that one
// does. The SDK answers with that version too, but would go on to believe that
// the client speaks the one that it asked for.
func offered(params json.RawMessage) json.RawMessage {
	var p map[string]json.RawMessage
	var version string
	if json.Unmarshal(params, &p) != nil || json.Unmarshal(p["protocolVersion"], &version) != nil || slices.Contains(legacyVersions, version) {
		return params
	}
	p["protocolVersion"] = plainJSON(legacyVersions[0])
	return plainJSON(p)
}

// Connect implements [mcp.Transport].
func (l *link) Connect(context.Context) (mcp.Connection, error) { return l, nil }

// SessionID implements [mcp.Connection].
func (l *link) SessionID() string { return "" }

// Close implements [mcp.Connection].
func (l *link) Close() error {
	l.closing.Do(func() { close(l.gone) })
	return nil
}

// Read implements [mcp.Connection]: the SDK takes the next message.
func (l *link) Read(context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-l.in:
		return m, nil
	case <-l.gone:
		return nil, io.EOF
	}
}

// send gives the SDK a message.
func (l *link) send(m jsonrpc.Message) {
	select {
	case l.in <- m:
	case <-l.gone:
	}
}
