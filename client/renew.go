package client

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"parley/client/wire"
)

// Announce keeps a word from parley itself with the session and tells it to
// Options.Notice.
func (c *Client) Announce(text string) {
	raw, err := json.Marshal(wire.ConnEvent{Event: wire.EventNotice, Text: text})
	if err != nil {
		return // a text is always JSON
	}
	c.log.Append([]wire.Frame{{Time: time.Now(), Kind: wire.Event, Size: int64(len(raw)), Raw: raw}})
	if notice := c.options().Notice; notice != nil {
		notice(text)
	}
}

// renewal is an HTTP session being made anew.
type renewal struct {
	done chan struct{}
	err  error // once done is closed
}

// renew makes a new session where the server does not know the old one any more, once
// for all requests that were refused for it (spec: 2025-11-25, basic/transports, session
// management). session is the one that the request was sent in. It goes on when ctx
// ends, for the others.
func (c *Client) renew(ctx context.Context, session int) error {
	c.mu.Lock()
	if c.session != session {
		c.mu.Unlock()
		return nil
	}
	r := c.renewal
	if r == nil {
		r = &renewal{done: make(chan struct{})}
		c.renewal = r
		go c.reinitialize(c.alive, r)
	}
	c.mu.Unlock()
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (c *Client) reinitialize(ctx context.Context, r *renewal) {
	c.Announce("the server does not know the session any more: initialize is sent again")
	opt := c.options()
	c.mu.Lock()
	conn, version := c.conn, c.info.ProtocolVersion
	c.mu.Unlock()
	if s, ok := conn.(interface{ NewSession() }); ok {
		s.NewSession()
	}
	err := c.initialize(ctx, &opt, version)
	if err != nil {
		r.err = fmt.Errorf("the session was lost and a new one could not be had: %w", err)
	}
	c.mu.Lock()
	if err == nil {
		c.session, c.expired = c.session+1, false
		c.outdated(ListMethods...)
	}
	c.renewal = nil
	c.mu.Unlock()
	close(r.done)
	if err == nil {
		c.began(ctx)
	}
}

// renewed waits until a session that was lost is made anew, so that nothing is sent
// outside of one.
func (c *Client) renewed(ctx context.Context) error {
	c.mu.Lock()
	session, lost := c.session, c.shaken && (c.expired || c.renewal != nil)
	c.mu.Unlock()
	if !lost {
		return nil
	}
	return c.renew(ctx, session)
}

// happened takes note of what the connection says of itself, with c.mu held.
func (c *Client) happened(raw []byte) {
	if e, err := wire.ParseEvent(raw); err == nil && e.Event == wire.EventExpired {
		c.expired = c.era == Legacy
	}
}
