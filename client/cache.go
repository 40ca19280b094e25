package client

import "encoding/json"

// cache keeps answers that count for a while. It belongs to Client.mu.
type cache struct{}

// reset begins a new epoch, with Client.mu held.
func (*cache) reset() {}

// cached gives the answer to a request if there is one that still counts.
func (c *Client) cached(_ string, _ json.RawMessage, _ *CallOptions) (Answer, bool) {
	return Answer{}, false
}

// keep takes note of an answer that counts for a while, if it says so.
func (c *Client) keep(_ string, _ json.RawMessage, _ Answer) {}

// stale forgets the answers to a method, of one resource if uri is not empty, with
// Client.mu held.
func (c *Client) stale(_, _ string) {}
