package client

import (
	"encoding/json"
	"time"

	"parley/client/mcp"
	"parley/client/wire"
)

// Preview gives the bytes of the request that [Client.Request] would send now. It
// takes no id and sends nothing. Before there is a connection the id is the first
// after the handshake, and the era, where it is to be found out, the one that is
// guessed, or else modern.
func (c *Client) Preview(method string, params json.RawMessage, opt CallOptions) []byte {
	params = c.asTask(method, params, &opt)
	c.mu.Lock()
	id, fields := c.nextID, c.envelope
	if c.conn == nil {
		fields = c.opt.envelope()
		if !c.opt.NoHandshake {
			id++ // initialize, or server/discover
		}
	}
	for c.taken[wire.Int(id)] {
		id++
	}
	c.mu.Unlock()
	return requestBytes(id, method, fields.on(params, id, opt.Progress))
}

// envelope is that of the requests of a connection that is not made yet.
func (o *Options) envelope() envelope {
	era, version := o.wanted()
	if era == UnknownEra && o.Guess != Legacy {
		era, version = Modern, mcp.Modern()[0]
	}
	if era != Modern {
		return nil
	}
	return newEnvelope(o, version, declaredBy(o, version).capabilities(version, o.Extensions))
}

// PreviewNotification gives the bytes that [Client.Notify] would send.
func PreviewNotification(method string, params json.RawMessage) []byte {
	return notificationBytes(method, params)
}

// Timeout is how long a request waits for its answer.
func (c *Client) Timeout() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opt.Timeout
}
