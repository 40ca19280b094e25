package client

import (
	"encoding/json"
	"time"

	"parley/client/wire"
)

// Preview gives the bytes of the request that [Client.Request] would send now. It
// takes no id and sends nothing. Before there is a connection the id is the first
// after the handshake.
func (c *Client) Preview(method string, params json.RawMessage, opt CallOptions) []byte {
	c.mu.Lock()
	id := c.nextID
	if c.conn == nil && !c.opt.NoHandshake {
		id++ // initialize
	}
	for c.taken[wire.Int(id)] {
		id++
	}
	c.mu.Unlock()
	params = c.asTask(method, params, &opt)
	return requestBytes(id, method, c.dressed(params, id, opt.Progress))
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
