package client

import (
	"context"

	"parley/client/wire"
)

// subscriptions is what the client subscribed to. It belongs to Client.mu.
type subscriptions struct{}

// reset begins a new epoch, with Client.mu held.
func (*subscriptions) reset() {}

// began is called after each handshake, also after one that a lost session made
// necessary.
func (c *Client) began(_ context.Context) {}

// heard looks at each notification of the server's, with Client.mu held, in the
// goroutine that reads the connection.
func (c *Client) heard(_ *wire.Frame, _ wire.Ref, _ *wire.Head) {}
