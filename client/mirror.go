package client

import (
	"context"
	"encoding/json"

	"parley/client/wire"
)

// mirror is what the schemas of tools say of header fields. It belongs to Client.mu.
type mirror struct{}

// reset begins a new epoch, with Client.mu held.
func (*mirror) reset() {}

// fields gives the Mcp-Param-* header fields of a request; it is an
// [wire.Agreement]'s Fields.
func (c *Client) fields(_ *wire.Head, _ []byte) []wire.Field { return nil }

// learn looks at the result of a modern tools/list.
func (c *Client) learn(_ []byte) {}

// prepare is called before a modern request is sent.
func (c *Client) prepare(_ context.Context, _ string, _ json.RawMessage, _ *CallOptions) error {
	return nil
}

// repair is called when a modern request was refused with -32020, once; it reports
// whether the request is worth being sent again.
func (c *Client) repair(_ context.Context, _ *Pending) bool { return false }

// Excluded reports whether a tool may not be called over HTTP in a modern connection,
// and why (spec: basic/transports/streamable-http, custom headers).
func (c *Client) Excluded(_ string) (reason string, ok bool) { return "", false }
