package client

import "encoding/json"

// asTask adds to the params of a request what makes it a task, if that was wanted and
// the tool can be one. [Client.Preview] calls it too.
func (c *Client) asTask(_ string, params json.RawMessage, _ *CallOptions) json.RawMessage {
	return params
}
