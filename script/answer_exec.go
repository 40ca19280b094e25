package script

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/client/rawjson"
)

// maxAnswer bounds what an answering command may print, in bytes.
const maxAnswer = 16 << 20

// answerByCommand runs a shell command for one question. It reads the params as
// one line and prints the answer: for an elicitation {"action":…,"content":…} or
// just the content, for sampling a result object or plain text. The command and
// all that it started is killed when ctx ends.
func answerByCommand(ctx context.Context, method, line string, params json.RawMessage) (json.RawMessage, error) {
	if len(params) == 0 {
		params = json.RawMessage(`{}`)
	}
	in, err := rawjson.Compact(nil, params)
	if err != nil {
		in = params
	}
	cmd := shellCommand(ctx, line)
	cmd.WaitDelay = time.Second
	out, complaints := &capped{most: maxAnswer}, &capped{most: 64 << 10}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(append(in, '\n')), out, complaints
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, &commandError{line, err.Error(), lastLine(complaints.kept)}
	case out.cut:
		return nil, &commandError{line, fmt.Sprintf("it printed more than %d MiB", maxAnswer>>20), ""}
	case len(bytes.TrimSpace(out.kept)) == 0:
		return nil, &commandError{line, "it printed nothing", lastLine(complaints.kept)}
	}
	if method == methodSample {
		return messageOf(out.kept), nil
	}
	result, err := elicitationOf(out.kept)
	if err != nil {
		return nil, &commandError{line, err.Error(), lastLine(complaints.kept)}
	}
	return result, nil
}

// commandError is a command that gave no answer.
type commandError struct{ line, problem, stderr string }

func (e *commandError) Error() string {
	text := "the answering command " + oneLine(e.line) + ": " + e.problem
	if e.stderr != "" {
		text += ": " + e.stderr
	}
	return text
}

// elicitationOf reads what a command printed: a result, which has an action and
// content at most, or the content to accept with.
func elicitationOf(out []byte) (json.RawMessage, error) {
	raw, err := rawjson.CompactLoose(nil, out)
	if err != nil {
		return nil, fmt.Errorf("it did not print JSON: %q is %w", oneLine(string(bytes.TrimSpace(out))), err)
	}
	if rawjson.KindOf(raw) != rawjson.Object {
		return nil, fmt.Errorf("expected an object, it printed %s", rawjson.KindOf(raw))
	}
	var action string
	result := true
	_ = rawjson.Each(raw, func(key string, _, value []byte) bool {
		switch key {
		case "action":
			action, _ = rawjson.Unquote(value)
		case "content", "_meta":
		default:
			result = false
		}
		return result
	})
	if result && slices.Contains([]string{"accept", "decline", "cancel"}, action) {
		return raw, nil
	}
	return accept(raw), nil
}

// messageOf reads what a command printed: an object with content is the result,
// anything else the text of one.
func messageOf(out []byte) json.RawMessage {
	if raw, err := rawjson.CompactLoose(nil, out); err == nil && rawjson.KindOf(raw) == rawjson.Object {
		if _, ok := rawjson.Get(raw, "content"); ok {
			return raw
		}
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(out), "\n"), "\r")
	return textMessage(text)
}

// lastLine is the last line with something in it.
func lastLine(text []byte) string {
	text = bytes.TrimSpace(text)
	return oneLine(string(bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])))
}

// capped keeps the first bytes that are written to it.
type capped struct {
	kept []byte
	most int
	cut  bool
}

func (c *capped) Write(p []byte) (int, error) {
	room := min(len(p), c.most-len(c.kept))
	c.kept = append(c.kept, p[:room]...)
	c.cut = c.cut || room < len(p)
	return len(p), nil
}
