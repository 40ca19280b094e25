package script

import (
	"context"
	"encoding/json"
)

// AnswerDeps is what policies of answering the server need from the program.
type AnswerDeps struct {
	// Ask puts the server's question to a person: method is elicitation/create or
	// sampling/createMessage, params are its params, the result is what to answer.
	// nil where nobody can be asked.
	Ask func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// Note tells what was answered, in a line. It may be called from any goroutine.
	Note func(text string)
}
