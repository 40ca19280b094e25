package script

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"parley/client/mcp"
)

// typist types lines and keeps what was shown, with each prompt and what was
// typed at it in one line.
type typist struct {
	lines  []string
	screen []string
	after  func() // when the last line was typed; nil: the end of the input
}

func (p *typist) Say(text string) { p.screen = append(p.screen, text) }

func (p *typist) Line(prompt string) (string, error) {
	if len(p.lines) == 0 {
		if p.after == nil {
			return "", io.EOF
		}
		p.after()
		return "", nil
	}
	line := p.lines[0]
	p.lines = p.lines[1:]
	p.screen = append(p.screen, prompt+line)
	return line, nil
}

func TestAskingForAForm(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"name":{"type":"string","title":"Your name","description":"As in\nthe passport","minLength":2,"maxLength":5},
		"age":{"type":"integer","minimum":0,"maximum":150},
		"unit":{"type":"string","enum":["c","f"],"enumNames":["Celsius","Fahrenheit"],"default":"c"},
		"days":{"type":"array","items":{"anyOf":[{"const":"mo","title":"Monday"},{"const":"tu","title":"Tuesday"}]},"minItems":1},
		"mail":{"type":"string","format":"email"},
		"ok":{"type":"boolean","default":false},
		"ratio":{"type":"number"}},
		"required":["name","ok"]}`
	p := &typist{lines: []string{
		"", "A", "Ann",
		"-1", "x", "9007199254740993", "42",
		"Kelvin", "2",
		"monday, 2",
		"nobody", "ann@example.org",
		"y",
		"1.0",
		"", "yes",
	}}
	params := json.RawMessage(`{"message":"Who are you?\nReally?","requestedSchema":` + schema + `}`)
	got := result(AskPerson(t.Context(), p, methodElicit, params))
	const want = `{"action":"accept","content":{"name":"Ann","age":42,"unit":"f","days":["mo","tu"],"mail":"ann@example.org","ok":true,"ratio":1.0}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	const screen = `the server asks:
  Who are you?
  Really?
enter takes the default, or leaves a field out that has none; /skip leaves it out, "" is the empty text
/decline refuses, /cancel dismisses
  name (Your name): text, 2 to 5 characters, required
    As in
    the passport
name: 
name is required
name: A
expected at least 2 characters, found 1
name: Ann
  age: whole number, 0 to 150, optional
age: -1
expected at least 0, found -1
age: x
expected a whole number, found "x"
age: 9007199254740993
expected at most 150, found 9007199254740993
age: 42
  unit: one of these, optional, default Celsius
    1 Celsius (c)
    2 Fahrenheit (f)
unit: Kelvin
expected one of Celsius, Fahrenheit, found "Kelvin"
unit: 2
  days: any of these, with commas between, optional
    1 Monday (mo)
    2 Tuesday (tu)
days: monday, 2
  mail: text, email, optional
mail: nobody
expected an address such as ann@example.org
mail: ann@example.org
  ok: true or false, required, default false
ok: y
  ratio: number, optional
ratio: 1.0
to be sent: {"name":"Ann","age":42,"unit":"f","days":["mo","tu"],"mail":"ann@example.org","ok":true,"ratio":1.0}
accept? yes, no, cancel or edit: 
type yes to send it, no to decline, cancel to dismiss the question, edit to answer again
accept? yes, no, cancel or edit: yes`
	if got := strings.Join(p.screen, "\n"); got != screen {
		t.Errorf("the screen is\n%s", got)
	}
}

func TestAnswersOfAPerson(t *testing.T) {
	const one = `{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"number"}}}`
	for _, c := range []struct {
		name, schema string
		typed        []string
		want         string
	}{
		{"defaults", one, []string{"", "", "y"}, `{"action":"accept","content":{"a":"x"}}`},
		{"left out", one, []string{"/skip", " ", "YES"}, `{"action":"accept","content":{}}`},
		{"empty text", one, []string{`""`, "", "y"}, `{"action":"accept","content":{"a":""}}`},
		{"text is as typed", one, []string{"  {[ ", "", "y"}, `{"action":"accept","content":{"a":"  {[ "}}`},
		{"numbers as spelled", one, []string{"", " 1e2 ", "accept"}, `{"action":"accept","content":{"a":"x","b":1e2}}`},
		{"huge numbers", one, []string{"", "123456789012345678901234567890.10", "y"}, `{"action":"accept","content":{"a":"x","b":123456789012345678901234567890.10}}`},
		{"declined at a field", one, []string{"q", " /decline "}, `{"action":"decline"}`},
		{"cancelled at a field", one, []string{"/cancel"}, `{"action":"cancel"}`},
		{"declined in the end", one, []string{"", "", "no"}, `{"action":"decline"}`},
		{"cancelled in the end", one, []string{"", "", "c"}, `{"action":"cancel"}`},
		{"the end of the input", one, []string{""}, `{"action":"cancel"}`},
		{"edited", one, []string{"first", "1", "edit", "", "2.50", "y"}, `{"action":"accept","content":{"a":"first","b":2.50}}`},
		{"edited away", one, []string{"first", "1", "e", "", "/skip", "y"}, `{"action":"accept","content":{"a":"first"}}`},
		{"nothing to fill in", `{"type":"object","properties":{}}`, []string{"", "y"}, `{"action":"accept","content":{}}`},
		{"no schema that can be asked", `{"type":"object","anyOf":[{}]}`, []string{"nonsense", "[1]", `{"a": 1.0,}`, "y"}, `{"action":"accept","content":{"a":1.0}}`},
		{"no schema at all", `7`, []string{`{}`, "y"}, `{"action":"accept","content":{}}`},
		{"list as JSON", `{"type":"object","properties":{"l":{"type":"array","items":{"enum":["p","q"]},"maxItems":1}}}`,
			[]string{`["p","q"]`, `[ "q" ]`, "y"}, `{"action":"accept","content":{"l":["q"]}}`},
		{"a choice named like a number", `{"type":"object","properties":{"l":{"enum":["2","1"]}}}`, []string{"1", "y"}, `{"action":"accept","content":{"l":"1"}}`},
		{"a date", `{"type":"object","properties":{"d":{"type":"string","format":"date"}}}`, []string{"tomorrow", "2026-01-31", "y"}, `{"action":"accept","content":{"d":"2026-01-31"}}`},
		{"a time", `{"type":"object","properties":{"d":{"type":"string","format":"date-time"}}}`, []string{"now", "2026-01-31T09:30:00Z", "y"}, `{"action":"accept","content":{"d":"2026-01-31T09:30:00Z"}}`},
		{"a URI", `{"type":"object","properties":{"d":{"type":"string","format":"uri"}}}`, []string{"example", "https://example.org", "y"}, `{"action":"accept","content":{"d":"https://example.org"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &typist{lines: c.typed}
			if got := result(AskPerson(t.Context(), p, methodElicit, formParams(c.schema))); got != c.want {
				t.Errorf("got  %s\nwant %s\n%s", got, c.want, strings.Join(p.screen, "\n"))
			}
			if len(p.lines) > 0 {
				t.Errorf("not read: %q", p.lines)
			}
		})
	}
}

func TestAskingForAMessage(t *testing.T) {
	params := json.RawMessage(`{"systemPrompt":"Be brief","maxTokens":1e2,"messages":[
		{"role":"user","content":{"type":"text","text":"Hi\nthere"}},
		{"role":"user","content":{"type":"image","data":"AAAA","mimeType":"image/png"}}]}`)
	p := &typist{lines: []string{" ", "Hello"}}
	const want = `{"role":"assistant","content":{"type":"text","text":"Hello"},"model":"parley","stopReason":"endTurn"}`
	if got := result(AskPerson(t.Context(), p, methodSample, params)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	const screen = `the server asks for a message from a model:
  system: Be brief
  user: Hi
  user: there
  user: [image, image/png, 3 bytes]
  (at most 1e2 tokens)
type the answer; /decline refuses
answer:  
nothing was typed; /decline refuses
answer: Hello`
	if got := strings.Join(p.screen, "\n"); got != screen {
		t.Errorf("the screen is\n%s", got)
	}
	for _, typed := range [][]string{{"/decline"}, {"/cancel"}, nil} {
		var rpc mcp.RPCError
		_, err := AskPerson(t.Context(), &typist{lines: typed}, methodSample, params)
		if !errors.As(err, &rpc) || rpc.Code != mcp.CodeUserRejected {
			t.Errorf("%q: %v", typed, err)
		}
	}
}

func TestAskingEndsWithTheQuestion(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	p := &typist{after: func() { cancel(gone) }}
	_, err := AskPerson(ctx, p, methodElicit, formParams(`{"type":"object","properties":{"a":{"type":"string"}}}`))
	if !errors.Is(err, gone) {
		t.Error(err)
	}
}

func TestOtherQuestionsAreNotAsked(t *testing.T) {
	var rpc mcp.RPCError
	if _, err := AskPerson(t.Context(), &typist{}, "roots/list", nil); !errors.As(err, &rpc) || rpc.Code != mcp.CodeMethodNotFound {
		t.Error(err)
	}
}
