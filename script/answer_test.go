package script

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"parley/client"
	"parley/client/mcp"
)

// notes collects what policies tell.
type notes []string

func (n *notes) deps() AnswerDeps {
	return AnswerDeps{Note: func(text string) { *n = append(*n, text) }}
}

func formParams(schema string) json.RawMessage {
	return json.RawMessage(`{"message":"?","requestedSchema":` + schema + `}`)
}

// result is the answer as text: its bytes, or the error with its code.
func result(raw json.RawMessage, err error) string {
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func TestElicitPolicies(t *testing.T) {
	const (
		plain = `{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string","default":"x"}}}`
		all   = `{"type":"object","properties":{"s":{"type":"string","default":""},"i":{"type":"integer","default":9007199254740993},` +
			`"x":{"type":"number","default":1.0},"b":{"type":"boolean","default":false},"e":{"type":"string","enum":["a","b"],"default":"b"},` +
			`"m":{"type":"array","items":{"type":"string","enum":["p","q"]},"default":["q"]},"o":{"type":"string"}},"required":["s","i"]}`
		needy  = `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},"s":{"type":"string","default":"x"}},"required":["name","age"]}`
		single = `{"type":"object","properties":{"c":{"const":"v"},"e":{"type":"string","enum":["only"]}},"required":["c","e"]}`
		broken = `{"type":"object","properties":{"n":{"type":"integer","default":"three"}}}`
	)
	for _, c := range []struct{ policy, schema, want, note string }{
		{"decline", plain, `{"action":"decline"}`, "elicitation/create: answered decline"},
		{"cancel", plain, `{"action":"cancel"}`, "elicitation/create: answered cancel"},
		{"accept-defaults", plain, `{"action":"accept","content":{"s":"x"}}`, `elicitation/create: answered accept {"s":"x"}`},
		{"accept-defaults", all, `{"action":"accept","content":{"s":"","i":9007199254740993,"x":1.0,"b":false,"e":"b","m":["q"]}}`,
			`elicitation/create: answered accept {"s":"","i":9007199254740993,"x":1.0,"b":false,"e":"b","m":["q"]}`},
		{"accept-defaults", needy, `{"action":"decline"}`, "elicitation/create: answered decline (required and without a default: name, age)"},
		{"accept-defaults", single, `{"action":"accept","content":{"c":"v","e":"only"}}`, `elicitation/create: answered accept {"c":"v","e":"only"}`},
		{"accept-defaults", `{"type":"object","properties":{}}`, `{"action":"accept","content":{}}`, `elicitation/create: answered accept {}`},
		{"accept-defaults", broken, `{"action":"accept","content":{"n":"three"}}`,
			`elicitation/create: answered accept {"n":"three"} (does not fit the schema: n: expected a whole number, found a string)`},
		{"accept-defaults", `{"allOf":[]}`, `{"action":"decline"}`,
			`elicitation/create: answered decline (there are no defaults to be found: the schema uses "allOf" for all arguments together)`},
		{`accept:{"n":1.0}`, plain, `{"action":"accept","content":{"n":1.0}}`, `elicitation/create: answered accept {"n":1.0}`},
		{"accept:{\"n\": 1e2, // so\n}", plain, `{"action":"accept","content":{"n":1e2}}`, `elicitation/create: answered accept {"n":1e2}`},
		{`accept:{"n":"x"}`, plain, `{"action":"accept","content":{"n":"x"}}`,
			`elicitation/create: answered accept {"n":"x"} (does not fit the schema: n: expected a whole number, found a string)`},
	} {
		var told notes
		respond, err := ParseElicit(c.policy, told.deps())
		if err != nil {
			t.Errorf("%s: %v", c.policy, err)
			continue
		}
		if got := result(respond(t.Context(), formParams(c.schema))); got != c.want {
			t.Errorf("%s of %s\ngot  %s\nwant %s", c.policy, c.schema, got, c.want)
		}
		if len(told) != 1 || told[0] != c.note {
			t.Errorf("%s: notes %q, want %q", c.policy, []string(told), c.note)
		}
	}
}

func TestDefaultsWantASchema(t *testing.T) {
	respond, err := ParseElicit("accept-defaults", AnswerDeps{})
	if err != nil {
		t.Fatal(err)
	}
	var rpc mcp.RPCError
	if _, err := respond(t.Context(), nil); !errors.As(err, &rpc) || rpc.Code != mcp.CodeInvalidParams {
		t.Errorf("got %v", err)
	}
}

func TestSamplePolicies(t *testing.T) {
	params := json.RawMessage(`{"messages":[],"maxTokens":1}`)
	for _, c := range []struct{ policy, want, note string }{
		{`text:he said "hi": yes`, `{"role":"assistant","content":{"type":"text","text":"he said \"hi\": yes"},"model":"parley","stopReason":"endTurn"}`,
			`sampling/createMessage: answered "he said \"hi\": yes"`},
		{"text:", `{"role":"assistant","content":{"type":"text","text":""},"model":"parley","stopReason":"endTurn"}`, `sampling/createMessage: answered ""`},
		{"decline", "rejected by the user (-1): User rejected sampling request", "sampling/createMessage: answered decline"},
	} {
		var told notes
		respond, err := ParseSample(c.policy, told.deps())
		if err != nil {
			t.Errorf("%s: %v", c.policy, err)
			continue
		}
		if got := result(respond(t.Context(), params)); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.policy, got, c.want)
		}
		if len(told) != 1 || told[0] != c.note {
			t.Errorf("%s: notes %q, want %q", c.policy, []string(told), c.note)
		}
	}
}

func TestPoliciesThatAreNone(t *testing.T) {
	for _, c := range []struct {
		parse        func(string, AnswerDeps) (client.Responder, error)
		policy       string
		message, ask string // in the message and in the hint
	}{
		{ParseElicit, "acept:{}", "acept:{}: there is no such policy", "did you mean accept:{}?"},
		{ParseElicit, `exec cat; echo "{\"a\":1}"`, "there is no such policy", "one word with a colon in it: 'exec:CMD'"},
		{ParseElicit, "acceptdefaults", "there is no such policy", "did you mean accept-defaults?"},
		{ParseElicit, "Decline", "there is no such policy", "did you mean decline?"},
		{ParseElicit, "whatever", "there is no such policy", "it can be accept-defaults, accept:JSON, decline, cancel, ask, exec:CMD or none"},
		{ParseElicit, "accept", "accept wants more: accept:JSON", "accept-defaults"},
		{ParseElicit, "accept:", "column 8: ", "accept: takes a JSON object"},
		{ParseElicit, "accept:{broken", "column 9: ", "accept: takes a JSON object"},
		{ParseElicit, `accept:{"ü":}`, "column 13: ", "accept: takes a JSON object"},
		{ParseElicit, "accept:[1]", "expected an object, found an array", "accept:{} is an empty one"},
		{ParseElicit, "decline:no", "decline takes nothing after it", "it can be"},
		{ParseElicit, "ask", "nobody can be asked here", "parley repl"},
		{ParseElicit, "exec", "exec wants a command", "exec:CMD"},
		{ParseElicit, "exec: ", "exec wants a command", "exec:CMD"},
		{ParseElicit, "text:hi", "there is no such policy", "it can be"},
		{ParseSample, "test:hi", "there is no such policy", "did you mean text:hi?"},
		{ParseSample, "text", "text wants more: text:TEXT", "it can be text:TEXT, decline, ask, exec:CMD or none"},
		{ParseSample, "cancel", "there is no such policy", "it can be"},
	} {
		_, err := c.parse(c.policy, AnswerDeps{})
		var wrong *PolicyError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v", c.policy, err)
			continue
		}
		if !strings.Contains(err.Error(), c.message) || !strings.HasPrefix(err.Error(), c.policy+": ") {
			t.Errorf("%s: the message is %q, want %q in it", c.policy, err, c.message)
		}
		if !strings.Contains(wrong.Hint(), c.ask) || wrong.Word() != "usage" {
			t.Errorf("%s: the hint is %q, want %q in it", c.policy, wrong.Hint(), c.ask)
		}
	}
}

func TestNoPolicyIsNobody(t *testing.T) {
	elicit, err := ParseElicit("", AnswerDeps{})
	sample, other := ParseSample("", AnswerDeps{})
	if elicit != nil || sample != nil || err != nil || other != nil {
		t.Error("an empty policy answers")
	}
}

func TestAskedByPolicy(t *testing.T) {
	var told notes
	deps := told.deps()
	deps.Ask = func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		if string(params) == "1" {
			return nil, errors.New("the terminal is gone")
		}
		return json.RawMessage(`"` + method + `"`), nil
	}
	elicit, err := ParseElicit("ask", deps)
	if err != nil {
		t.Fatal(err)
	}
	sample, err := ParseSample("ask", deps)
	if err != nil {
		t.Fatal(err)
	}
	if got := result(elicit(t.Context(), nil)); got != `"elicitation/create"` {
		t.Error(got)
	}
	if got := result(sample(t.Context(), nil)); got != `"sampling/createMessage"` || len(told) != 0 {
		t.Error(got, told)
	}
	if _, err := elicit(t.Context(), json.RawMessage("1")); err == nil || len(told) != 1 {
		t.Error(err, told)
	}
}

func TestNotesAreOneShortLine(t *testing.T) {
	var told notes
	respond, err := ParseSample("text:"+strings.Repeat("long ", 1000), told.deps())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := respond(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || strings.Contains(told[0], "\n") || len(told[0]) > 400 {
		t.Errorf("%q", []string(told))
	}
}
