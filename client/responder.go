package client

import (
	"context"
	"encoding/json"
)

// Responder answers a request of the server's, such as elicitation/create: it
// gets its params and gives the result. An [mcp.RPCError] is sent as it is; any
// other error is answered as an internal error with its text. ctx ends when the
// server cancels the request or the connection ends. It is called in a goroutine
// of its own for each request.
type Responder func(ctx context.Context, params json.RawMessage) (result json.RawMessage, err error)
