package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"parley/client"
	"parley/client/mcp"
	"parley/client/near"
	"parley/client/rawjson"
	"parley/client/schema"
)

// AnswerDeps is what policies of answering the server need from the program.
type AnswerDeps struct {
	// Ask puts the server's question to a person: method is elicitation/create or
	// sampling/createMessage, params are its params, the result is what to answer.
	// nil where nobody can be asked.
	Ask func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// Note tells what was answered, in a line, with texts of the server's as they
	// came. It may be called from any goroutine; nil tells nobody.
	Note func(text string)
}

// policyNone is the policy that does not answer: what it is for is not declared.
const policyNone = "none"

// The methods that policies answer.
const (
	methodElicit = "elicitation/create"
	methodSample = "sampling/createMessage"
)

// ElicitForms and SampleForms are the policies as help shows them.
var (
	ElicitForms = []string{"accept-defaults", "accept:JSON", "decline", "cancel", "ask", "exec:CMD", "none"}
	SampleForms = []string{"text:TEXT", "decline", "ask", "exec:CMD", "none"}
)

// PolicyError is a policy that cannot be read.
type PolicyError struct{ Policy, Problem, Advice string }

func (e *PolicyError) Error() string { return fmt.Sprintf("%s: %s", e.Policy, e.Problem) }

// Hint says how it is written.
func (e *PolicyError) Hint() string { return e.Advice }

// Word names the error for machines.
func (e *PolicyError) Word() string { return "usage" }

// answerer answers by a policy; the remark stands in the note.
type answerer func(ctx context.Context, params json.RawMessage) (result json.RawMessage, remark string, err error)

// ParseElicit reads how elicitation/create is answered: accept-defaults,
// accept:JSON, decline, cancel, ask, exec:CMD, or none. Nothing and none are nobody:
// nil.
//
// accept-defaults accepts with the default of each field that has one, and with
// the only value of a field that has just one. A required field without either
// cannot be made up: the answer is decline then, and the note names the field.
// accept:JSON sends that object as it is, comments and trailing commas left out,
// whatever the schema says; the note says what does not fit.
func ParseElicit(text string, deps AnswerDeps) (client.Responder, error) {
	name, rest, has := strings.Cut(text, ":")
	switch {
	case text == "", text == policyNone:
		return nil, nil
	case name == "accept" && has:
		content, err := contentOf(text, rest)
		if err != nil {
			return nil, err
		}
		return noted(methodElicit, deps, func(_ context.Context, params json.RawMessage) (json.RawMessage, string, error) {
			return accept(content), misfit(params, content), nil
		}), nil
	case text == "accept-defaults":
		return noted(methodElicit, deps, acceptDefaults), nil
	case text == "decline", text == "cancel":
		result := json.RawMessage(`{"action":"` + text + `"}`)
		return noted(methodElicit, deps, func(context.Context, json.RawMessage) (json.RawMessage, string, error) {
			return result, "", nil
		}), nil
	}
	return commonPolicy(text, methodElicit, ElicitForms, deps)
}

// ParseSample reads how sampling/createMessage is answered: text:TEXT, decline,
// ask, exec:CMD or none. Nothing and none are nobody: nil.
func ParseSample(text string, deps AnswerDeps) (client.Responder, error) {
	name, rest, has := strings.Cut(text, ":")
	switch {
	case text == "", text == policyNone:
		return nil, nil
	case name == "text" && has:
		result := textMessage(rest)
		return noted(methodSample, deps, func(context.Context, json.RawMessage) (json.RawMessage, string, error) {
			return result, "", nil
		}), nil
	case text == "decline":
		return noted(methodSample, deps, func(context.Context, json.RawMessage) (json.RawMessage, string, error) {
			return nil, "", errRejected
		}), nil
	}
	return commonPolicy(text, methodSample, SampleForms, deps)
}

// errRejected is how sampling is declined (spec: client/sampling, error handling).
var errRejected = mcp.RPCError{Code: mcp.CodeUserRejected, Message: "User rejected sampling request"}

// commonPolicy reads ask and exec:CMD, and says what is wrong with anything else.
func commonPolicy(text, method string, forms []string, deps AnswerDeps) (client.Responder, error) {
	name, rest, has := strings.Cut(text, ":")
	advice := "it can be " + strings.Join(forms[:len(forms)-1], ", ") + " or " + forms[len(forms)-1]
	wrong := func(problem string) (client.Responder, error) {
		return nil, &PolicyError{Policy: text, Problem: problem, Advice: advice}
	}
	switch {
	case text == "ask" && deps.Ask == nil:
		advice = "parley repl and parley run ask on a terminal; " + advice
		return wrong("nobody can be asked here")
	case text == "ask":
		return asked(method, deps), nil
	case name == "exec" && strings.TrimSpace(rest) != "":
		return noted(method, deps, func(ctx context.Context, params json.RawMessage) (json.RawMessage, string, error) {
			result, err := answerByCommand(ctx, method, rest, params)
			return result, "", err
		}), nil
	case name == "exec":
		return wrong("exec wants a command: exec:CMD")
	}
	names := make([]string, len(forms))
	first, _, spaced := strings.Cut(text, " ")
	for i, form := range forms {
		plain, _, valued := strings.Cut(form, ":")
		names[i] = plain
		switch {
		case valued && spaced && plain == first:
			advice = "it is one word with a colon in it: '" + form + "'"
			return wrong("there is no such policy")
		case plain != name:
		case valued:
			return wrong(name + " wants more: " + form)
		case has:
			return wrong(name + " takes nothing after it")
		}
	}
	if meant := near.Best(name, names); meant != "" {
		if has {
			meant += ":" + rest
		}
		advice = "did you mean " + meant + "? " + advice
	}
	return wrong("there is no such policy")
}

// contentOf reads the object of accept:JSON.
func contentOf(policy, text string) (json.RawMessage, error) {
	raw, err := rawjson.CompactLoose(nil, []byte(text))
	var syntax *rawjson.SyntaxError
	switch {
	case errors.As(err, &syntax):
		at := len(policy) - len(text) + syntax.Offset
		column := utf8.RuneCountInString(policy[:min(at, len(policy))]) + 1
		return nil, &PolicyError{Policy: policy, Problem: fmt.Sprintf("column %d: %s", column, syntax.Reason),
			Advice: `accept: takes a JSON object, accept:{"name":"Ann"}`}
	case rawjson.KindOf(raw) != rawjson.Object:
		return nil, &PolicyError{Policy: policy, Problem: "expected an object, found " + rawjson.KindOf(raw).String(),
			Advice: `accept: takes a JSON object, accept:{"name":"Ann"}; accept:{} is an empty one`}
	}
	return raw, nil
}

// accept is the result that submits a form.
func accept(content []byte) json.RawMessage {
	b := append([]byte(`{"action":"accept","content":`), content...)
	return append(b, '}')
}

// textMessage is the result of sampling with a text.
func textMessage(text string) json.RawMessage {
	b := rawjson.Quote([]byte(`{"role":"assistant","content":{"type":"text","text":`), text)
	return append(b, `},"model":"parley","stopReason":"endTurn"}`...)
}

// acceptDefaults accepts a form with its defaults, see [ParseElicit].
func acceptDefaults(_ context.Context, params json.RawMessage) (json.RawMessage, string, error) {
	asked := mcp.DecodeElicit(params)
	if asked.Schema == nil {
		return nil, "", mcp.RPCError{Code: mcp.CodeInvalidParams, Message: "params.requestedSchema is missing"}
	}
	form, err := schema.Parse(asked.Schema)
	if err != nil || form.Problem != "" {
		return json.RawMessage(`{"action":"decline"}`), "there are no defaults to be found: " + form.Problem, nil
	}
	var missing []string
	var content answers
	for _, f := range form.Fields {
		switch raw := defaultOf(f); {
		case raw != nil:
			content.set(f.Name, raw)
		case f.Required:
			missing = append(missing, f.Name)
		}
	}
	if len(missing) > 0 {
		return json.RawMessage(`{"action":"decline"}`), "required and without a default: " + strings.Join(missing, ", "), nil
	}
	return accept(content.json()), misfit(params, content.json()), nil
}

// defaultOf is the value that a field has when nobody chooses one, nil for none.
func defaultOf(f *schema.Field) json.RawMessage {
	switch {
	case f.Default != nil:
		return f.Default
	case f.Type == schema.Const && f.Required:
		return f.Const
	case f.Type == schema.Enum && f.Required && len(f.Enum) == 1:
		return f.Enum[0].Raw
	}
	return nil
}

// misfit says what in content the schema of the question does not allow.
func misfit(params, content []byte) string {
	problems := schema.Validate(mcp.DecodeElicit(params).Schema, content)
	if len(problems) == 0 || problems[0].Schema {
		return ""
	}
	words := make([]string, len(problems))
	for i, p := range problems {
		words[i] = p.String()
	}
	return "does not fit the schema: " + strings.Join(words, "; ")
}

// answers is the content of a form, in the order of its fields.
type answers struct {
	names  []string
	values []json.RawMessage
}

func (a *answers) set(name string, raw json.RawMessage) {
	a.names, a.values = append(a.names, name), append(a.values, raw)
}

func (a *answers) json() []byte {
	b := []byte{'{'}
	for i, name := range a.names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(rawjson.Quote(b, name), ':')
		b = append(b, a.values[i]...)
	}
	return append(b, '}')
}
