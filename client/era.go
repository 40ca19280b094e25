package client

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
