package client

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// Responder answers a request of the server's, such as elicitation/create: it
// gets its params and gives the result. An [mcp.RPCError] is sent as it is; any
// other error is answered as an internal error with its text. ctx ends when the
// server cancels the request, with the cause [ErrWithdrawn], or the connection
// ends, with [ErrClosed]; nothing is sent then. It is called in a goroutine of
// its own for each request.
type Responder func(ctx context.Context, params json.RawMessage) (result json.RawMessage, err error)

// askerKey is where a responder's context has the client of the server that asks.
type askerKey struct{}

// Asking is what the server said of itself that asks; ctx is the one that a
// responder was given. It reports false outside of one and before the handshake.
func Asking(ctx context.Context) (mcp.Initialize, bool) {
	c, ok := ctx.Value(askerKey{}).(*Client)
	if !ok {
		return mcp.Initialize{}, false
	}
	return c.Server()
}

// Hold stops the clocks of the open requests until release is called: a
// responder does so while a person thinks, for the server may need that answer
// for its own. ctx is the one that the responder was given.
func Hold(ctx context.Context) (release func()) {
	c, ok := ctx.Value(askerKey{}).(*Client)
	if !ok {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held++
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.held--
		c.released = time.Now()
	})
}

// more is how much longer a clock of that length runs when it has run out,
// because it stood still: it begins anew when nobody thinks any more.
func (c *Client) more(length time.Duration) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held > 0 {
		return length
	}
	return length - time.Since(c.released)
}

// declared is which requests of the server's were promised to be answered: by the
// initialize of an epoch, or by each modern request.
type declared struct{ roots, sampling, elicitation bool }

// declaredBy is what the options allow to promise in a version.
func declaredBy(opt *Options, version string) declared {
	return declared{
		roots:    len(opt.Roots) > 0,
		sampling: opt.Sample != nil,
		// The versions sort by their dates; before this one there was none.
		elicitation: opt.Elicit != nil && version >= mcp.V20250618,
	}
}

// declaredByHand is what is answered where nothing was sent by itself: everything that
// is configured.
func declaredByHand(opt *Options) declared {
	return declared{roots: len(opt.Roots) > 0, sampling: true, elicitation: true}
}

// capabilities is how a version spells what is declared: since 2025-11-25 elicitation
// has modes, of which this client has forms; since 2026-07-28 roots do not change, and
// there are extensions, which have no settings here.
func (d declared) capabilities(version string, extensions []string) json.RawMessage {
	b := []byte{'{'}
	add := func(on bool, member string) {
		if on && len(b) > 1 {
			b = append(b, ',')
		}
		if on {
			b = append(b, member...)
		}
	}
	modern := version > mcp.LatestLegacy
	add(d.roots && !modern, `"roots":{"listChanged":true}`)
	add(d.roots && modern, `"roots":{}`)
	add(d.sampling, `"sampling":{}`)
	add(d.elicitation && version < mcp.V20251125, `"elicitation":{}`)
	add(d.elicitation && version >= mcp.V20251125, `"elicitation":{"form":{}}`)
	if modern && len(extensions) > 0 {
		settings := make([]metaField, len(extensions))
		for i, id := range extensions {
			settings[i] = metaField{id, []byte(`{}`)}
		}
		add(true, `"extensions":`+string(appendFields(nil, settings)))
	}
	return append(b, '}')
}

// Capabilities is the capabilities object that this epoch's initialize, or each modern
// request, sends, such as {"roots":{"listChanged":true}}; nil where nothing is sent.
func (c *Client) Capabilities() json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.capabilities)
}

// Reshape changes the options of a client that may be connected. How requests of
// the server are answered changes at once, as do Force and Timeout; what is
// declared, the name and the version offered change at the next connect, in a modern
// connection with the next request. If roots were declared to a legacy server and
// change, it is told (spec: client/roots, root list changes).
func (c *Client) Reshape(change func(*Options)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.opt.Roots
	c.opt.Roots = slices.Clone(before)
	change(&c.opt)
	if c.opt.Timeout == 0 {
		c.opt.Timeout = DefaultTimeout
	}
	switch {
	case c.era == Modern:
		declared := c.capabilities
		c.declare(&c.opt, Modern, c.info.ProtocolVersion)
		if !bytes.Equal(declared, c.capabilities) {
			c.cache.reset() // what a server has may depend on what its client can do
		}
	case c.opt.NoHandshake && c.capabilities == nil:
		c.declared = declaredByHand(&c.opt)
	}
	if c.shaken && c.era == Legacy && c.declared.roots && !slices.Equal(before, c.opt.Roots) {
		c.queue.post(notificationBytes("notifications/roots/list_changed", nil), wire.ByAuto)
	}
}

// options is what the client is shaped by now.
func (c *Client) options() Options {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opt
}

// initializeParams declares exactly what this client answers.
func initializeParams(opt *Options, version string, capabilities json.RawMessage) json.RawMessage {
	b := append([]byte(`{"protocolVersion":`), rawjson.Quote(nil, version)...)
	b = append(b, `,"capabilities":`...)
	b = append(b, capabilities...)
	b = append(b, `,"clientInfo":`...)
	b = append(b, clientInfo(opt)...)
	return append(b, '}')
}
