package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/schema"
)

// Questioner is a terminal on which a person is asked line by line. Say shows a
// line, Line asks for one and gives it without its ending; io.EOF is the end of
// what will be typed. Texts of the server's come as they are: the Questioner
// makes them safe to show.
type Questioner interface {
	Say(text string)
	Line(prompt string) (string, error)
}

// AskPerson puts a question of the server's, elicitation/create or
// sampling/createMessage, to a person and gives the result to answer with. A form
// is asked field by field, shown as it would be sent, and sent when accepted. ctx
// is the responder's; it is looked at between two lines.
func AskPerson(ctx context.Context, q Questioner, method string, params json.RawMessage) (json.RawMessage, error) {
	d := &dialog{ctx: ctx, q: q}
	switch method {
	case methodElicit:
		return d.elicitation(params)
	case methodSample:
		return d.sampling(params)
	}
	return nil, mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "Method not found: " + method}
}

// dialog is one question being asked.
type dialog struct {
	ctx context.Context
	q   Questioner
}

// What a person may say instead of an answer, anywhere.
const (
	wordDecline = "/decline"
	wordCancel  = "/cancel"
	wordSkip    = "/skip"
)

var (
	errDeclined = errors.New("declined")
	errLeft     = errors.New("cancelled") // the end of the input too
)

// line asks for a line.
func (d *dialog) line(prompt string) (string, error) {
	if d.ctx.Err() != nil {
		return "", context.Cause(d.ctx)
	}
	text, err := d.q.Line(prompt)
	switch {
	case d.ctx.Err() != nil:
		return "", context.Cause(d.ctx)
	case errors.Is(err, io.EOF):
		return "", errLeft
	case err != nil:
		return "", err
	}
	switch strings.TrimSpace(text) {
	case wordDecline:
		return "", errDeclined
	case wordCancel:
		return "", errLeft
	}
	return text, nil
}

func (d *dialog) say(format string, args ...any) { d.q.Say(fmt.Sprintf(format, args...)) }

// quote says a text of the server's, indented, line by line.
func (d *dialog) quote(indent, text string) {
	for line := range strings.Lines(text) {
		d.q.Say(indent + strings.TrimRight(line, "\r\n"))
	}
}

// server names who asks.
func (d *dialog) server() string {
	if info, ok := client.Asking(d.ctx); ok && info.Label() != "" {
		return info.Label()
	}
	return "the server"
}

// elicitation asks for what a form wants.
func (d *dialog) elicitation(params []byte) (json.RawMessage, error) {
	result, err := d.fill(params)
	switch {
	case errors.Is(err, errDeclined):
		return json.RawMessage(`{"action":"decline"}`), nil
	case errors.Is(err, errLeft):
		return json.RawMessage(`{"action":"cancel"}`), nil
	}
	return result, err
}

func (d *dialog) fill(params []byte) (json.RawMessage, error) {
	asked := mcp.DecodeElicit(params)
	d.say("%s asks:", d.server())
	d.quote("  ", asked.Message)
	form, err := schema.Parse(asked.Schema)
	switch {
	case err != nil:
		form = &schema.Object{Problem: err.Error()}
	case len(form.Fields) > 0:
		d.say(`enter takes the default, or leaves a field out that has none; %s leaves it out, "" is the empty text`, wordSkip)
	}
	d.say("%s refuses, %s dismisses", wordDecline, wordCancel)
	var typed map[string]json.RawMessage
	for {
		var content []byte
		if form.Problem != "" {
			content, err = d.whole(form.Problem)
		} else {
			typed, err = d.fields(form, typed)
			content = contentInOrder(form, typed)
		}
		if err != nil {
			return nil, err
		}
		if len(content) > len("{}") {
			d.say("to be sent: %s", content)
		}
		if problem := misfit(params, content); problem != "" {
			d.say("it %s", problem)
		}
		again, err := d.verdict()
		if err != nil {
			return nil, err
		}
		if !again {
			return accept(content), nil
		}
	}
}

// contentInOrder is what was typed, as the schema orders it.
func contentInOrder(form *schema.Object, typed map[string]json.RawMessage) []byte {
	var content answers
	for _, f := range form.Fields {
		if raw := typed[f.Name]; raw != nil {
			content.set(f.Name, raw)
		}
	}
	return content.json()
}

// verdict asks whether to send. Nothing typed is no answer.
func (d *dialog) verdict() (again bool, err error) {
	for {
		text, err := d.line("accept? yes, no, cancel or edit: ")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "y", "yes", "accept":
			return false, nil
		case "e", "edit":
			return true, nil
		case "n", "no", "decline":
			return false, errDeclined
		case "c", "cancel":
			return false, errLeft
		}
		d.say("type yes to send it, no to decline, cancel to dismiss the question, edit to answer again")
	}
}

// whole asks for the content in one piece where there are no fields to ask for.
func (d *dialog) whole(why string) ([]byte, error) {
	d.say("it cannot be asked field by field: %s", why)
	for {
		text, err := d.line("content, a JSON object: ")
		if err != nil {
			return nil, err
		}
		raw, err := rawjson.CompactLoose(nil, []byte(text))
		switch {
		case err != nil:
			d.say("%v", err)
		case rawjson.KindOf(raw) != rawjson.Object:
			d.say("expected an object, found %s", rawjson.KindOf(raw))
		default:
			return raw, nil
		}
	}
}

// sampling asks for the message that a model would give.
func (d *dialog) sampling(params []byte) (json.RawMessage, error) {
	asked := mcp.DecodeSampling(params)
	d.say("%s asks for a message from a model:", d.server())
	if asked.SystemPrompt != "" {
		d.quote("  system: ", asked.SystemPrompt)
	}
	for _, m := range asked.Messages {
		for _, c := range m.Content {
			d.quote("  "+m.Role+": ", contentWords(c))
		}
	}
	if asked.MaxTokens != "" {
		d.say("  (at most %s tokens)", asked.MaxTokens)
	}
	d.say("type the answer; %s refuses", wordDecline)
	for {
		text, err := d.line("answer: ")
		switch {
		case errors.Is(err, errDeclined), errors.Is(err, errLeft):
			return nil, errRejected
		case err != nil:
			return nil, err
		case strings.TrimSpace(text) == "":
			d.say("nothing was typed; %s refuses", wordDecline)
			continue
		}
		return textMessage(text), nil
	}
}

// contentWords shows a block of content in words.
func contentWords(c mcp.Content) string {
	switch {
	case c.Type == "text":
		return c.Text
	case c.MIMEType != "":
		return fmt.Sprintf("[%s, %s, %d bytes]", c.Type, c.MIMEType, c.BlobSize())
	}
	return string(c.Raw)
}
