package client

import (
	"slices"

	"parley/client/mcp"
	"parley/client/wire"
)

// Era is how a connection speaks: with a handshake, or with requests that each say
// everything (spec: basic/versioning).
type Era uint8

// The eras.
const (
	UnknownEra Era = iota
	Legacy         // 2024-11-05 … 2025-11-25: initialize
	Modern         // 2026-07-28: server/discover, _meta in each request
)

// DefaultMaxRounds bounds how often one request is answered with questions.
const DefaultMaxRounds = 10

// String gives "legacy", "modern" or "".
func (e Era) String() string {
	return [...]string{"", "legacy", "modern"}[min(e, Modern)]
}

// Era is how the present connection speaks; UnknownEra before that is settled.
func (c *Client) Era() Era {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.era
}

// Discovered reports whether a modern server answered server/discover in this epoch:
// what it has is not known otherwise.
func (c *Client) Discovered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.discovered
}

// wanted is the era that Protocol asks for, and the version to begin with; UnknownEra
// and no version for auto. Versions sort by their dates: one that we do not know is of
// the era that its date tells.
func (o *Options) wanted() (Era, string) {
	switch o.Protocol {
	case "", "legacy":
		return Legacy, mcp.LatestLegacy
	case "modern":
		return Modern, mcp.Modern()[0]
	case "auto":
		return UnknownEra, ""
	}
	if o.Protocol > mcp.LatestLegacy {
		return Modern, o.Protocol
	}
	return Legacy, o.Protocol
}

// agreer is a connection that wants to know what client and server agreed on.
type agreer interface{ Agree(wire.Agreement) }

// abandoner is a connection on which a modern request is cancelled by closing the
// stream of its response.
type abandoner interface {
	Abandon(seq uint64, why string) bool
}

// propose shapes what is sent from here on for a version, before it is known whether
// the server speaks it.
func (c *Client) propose(opt *Options, era Era, version string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.declare(opt, era, version)
}

// declare is propose's part with c.mu held.
func (c *Client) declare(opt *Options, era Era, version string) {
	c.declared = declaredBy(opt, version)
	c.capabilities = c.declared.capabilities(version, opt.Extensions)
	c.envelope = nil
	if era == Modern {
		c.envelope = newEnvelope(opt, version, c.capabilities)
	}
}

// settle takes note of how the server is spoken to and tells the connection. discovered
// is whether info is what a modern server said.
func (c *Client) settle(era Era, info mcp.Initialize, discovered bool) {
	c.mu.Lock()
	c.era, c.info, c.discovered = era, info, discovered
	c.shaken = !c.opt.NoHandshake
	conn := c.conn
	c.mu.Unlock()
	a, ok := conn.(agreer)
	switch {
	case !ok:
	case era == Modern:
		a.Agree(wire.Agreement{Version: info.ProtocolVersion, Modern: true, Fields: c.fields})
	default:
		a.Agree(wire.Agreement{Version: info.ProtocolVersion})
	}
}

// newestOf gives the first of ours, which are newest first, that the others have too.
func newestOf(ours, theirs []string) string {
	for _, v := range ours {
		if slices.Contains(theirs, v) {
			return v
		}
	}
	return ""
}

// ours is the modern versions to choose from when version was asked for.
func ours(version string) []string {
	if known := mcp.Modern(); slices.Contains(known, version) {
		return known
	}
	return append([]string{version}, mcp.Modern()...)
}
