package script

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
)

// noted tells what a policy answered, in a line.
func noted(method string, deps AnswerDeps, answer answerer) client.Responder {
	return func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		result, remark, err := answer(ctx, params)
		if deps.Note != nil {
			deps.Note(noteOf(ctx, method, result, remark, err))
		}
		return result, err
	}
}

// noteOf is the line about an answer.
func noteOf(ctx context.Context, method string, result json.RawMessage, remark string, err error) string {
	var rpc mcp.RPCError
	line := method + ": "
	switch {
	case ctx.Err() != nil:
		return line + "not answered, " + context.Cause(ctx).Error()
	case errors.As(err, &rpc) && rpc.Code == mcp.CodeUserRejected:
		line += "answered decline"
	case err != nil:
		line += "answered with an error: " + oneLine(err.Error())
	default:
		line += "answered " + shownAnswer(method, result)
	}
	if remark != "" {
		line += " (" + oneLine(remark) + ")"
	}
	return line
}

// shownAnswer is what of a result says most: the action and content of an elicitation,
// the text of a message.
func shownAnswer(method string, result json.RawMessage) string {
	if method == methodElicit {
		action, _ := rawjson.Get(result, "action")
		word, _ := rawjson.Unquote(action)
		if content, ok := rawjson.Get(result, "content"); ok {
			return oneLine(word + " " + string(content))
		}
		return word
	}
	if text, ok := rawjson.Get(result, "content", "text"); ok {
		return oneLine(string(text))
	}
	return oneLine(string(result))
}

// oneLine cuts a text to what a line can hold.
func oneLine(s string) string {
	const most = 300
	if strings.ContainsAny(s, "\r\n") {
		s = strings.Join(strings.Fields(s), " ")
	}
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// asked puts the question to a person. The clocks of open requests stand still
// meanwhile.
func asked(method string, deps AnswerDeps) client.Responder {
	return func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		defer client.Hold(ctx)()
		result, err := deps.Ask(ctx, method, params)
		var rpc mcp.RPCError
		if deps.Note != nil && (ctx.Err() != nil || err != nil && !errors.As(err, &rpc)) {
			deps.Note(noteOf(ctx, method, nil, "", err))
		}
		return result, err
	}
}
