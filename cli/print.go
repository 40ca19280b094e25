package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/script"
	"parley/ui/theme"
)

// print writes what a step gave to standard output, as the one-shot command of
// the same name does: for people, or what --json, --jq and --save say, which are
// flags of the program or of the step. Everything else goes to standard error.
func (a *app) print(o *script.Outcome) error {
	p := &printing{app: a, o: o, json: a.json, jq: a.jq, save: a.save}
	if _, ok := o.Flags["--json"]; ok {
		p.json = true
	}
	if expr, ok := o.Flags["--jq"]; ok {
		p.jq = expr
	}
	if file, ok := o.Flags["--save"]; ok {
		p.save = file
	}
	return p.print()
}

// printing is how one outcome is printed.
type printing struct {
	*app
	o    *script.Outcome
	json bool
	jq   string // an expression, "" for none
	save string // a file, "" for none
}

func (p *printing) print() error {
	o := p.o
	if err := checkOutput(p.save, p.jq, p.json); err != nil {
		return err
	}
	switch {
	case o.Sent != nil && p.jq != "":
		return p.values(o.Sent)
	case o.Sent != nil:
		return p.line(o.Sent)
	case o.Verb == "echo" || o.Verb == "help":
		return p.text(o.Text)
	case o.Verb == "raw":
		return p.raw()
	case o.Verb == "info" && (p.json || p.jq != "") && len(p.introduction().Raw) == 0:
		return errNothingSaid
	case p.jq != "":
		if err := p.query(); err != nil || p.save == "" {
			return err
		}
		return p.saved()
	case p.json && o.Verb == "info":
		return p.line(p.introduction().Raw)
	case p.json && len(o.Answers) == 0:
		return p.line(o.Value)
	case p.json:
		if err := p.results(); err != nil || p.save == "" {
			return err
		}
		return p.saved()
	}
	return p.people()
}

// errNothingSaid is info for a program, of a modern server that did not answer.
var errNothingSaid = &failure{word: "rpc", message: "the server said nothing of itself: server/discover was not answered",
	hint: "without --json and --jq, info tells how it is spoken to"}

// people prints for people: each verb has its form.
func (p *printing) people() error {
	o := p.o
	switch o.Verb {
	case "tools", "resources", "templates", "prompts":
		return p.list()
	case "info":
		p.info(p.introduction())
		return nil
	case "ping":
		if len(o.Answers) > 0 {
			fmt.Fprintf(p.io.Out, "answered in %s\n", o.Answers[0].Took().Round(10_000))
		}
		return nil
	case "value", "listen":
		return p.value(o.Value)
	case "schema":
		p.indented(o.Value)
		return nil
	}
	answer, ok := p.answer()
	switch {
	case !ok && o.Verb == "request": // a subscription, which has no answer while it is open
		return p.value(o.Value)
	case !ok || p.interim(answer):
		return nil
	}
	raw, err := o.Link.Client.Result(answer)
	if err != nil {
		return err
	}
	switch o.Verb {
	case "call":
		return p.call(mcp.DecodeCall(raw))
	case "read":
		return p.read(mcp.DecodeRead(raw))
	case "get":
		return p.prompt(mcp.DecodePrompt(raw))
	case "complete":
		p.completion(mcp.DecodeComplete(raw))
		return nil
	}
	return p.value(raw)
}

// answer is the one result of a step that is no list.
func (p *printing) answer() (client.Answer, bool) {
	for _, a := range p.o.Answers {
		if a.Head.Form == wire.Result {
			return a, true
		}
	}
	return client.Answer{}, false
}

// interim reports whether an answer is none to what was asked for: the server wants to
// know more first, or it is the state of a task that came to nothing or is not waited
// for any more. The error says so.
func (p *printing) interim(a client.Answer) bool {
	if a.Head.Type == wire.ResultInput || a.Head.Type == wire.ResultTask {
		return true
	}
	asked, _ := p.o.Link.Log.Record(a.Request.Seq)
	return p.o.Err != nil && word(p.o.Err) != "tool" && strings.HasPrefix(asked.Method, "tasks/") && p.o.Verb == "call"
}

// introduction is what the server said in the handshake.
func (p *printing) introduction() mcp.Initialize {
	info, _ := p.o.Link.Client.Server()
	return info
}

// info prints what a server said of itself, and how it was started.
func (p *printing) info(info mcp.Initialize) {
	rows := [][2]string{
		{"server", strings.TrimSpace(info.ServerName + " " + info.ServerVersion)},
		{"title", info.ServerTitle},
		{"protocol", info.ProtocolVersion},
		{"era", p.era()},
		{"supported", strings.Join(info.Supported, ", ")},
		{"capabilities", string(info.Capabilities)},
		{"we declare", string(p.o.Link.Client.Capabilities())},
	}
	if p.current != nil {
		rows = append(rows, p.current.about()...)
	}
	for _, r := range rows {
		if r[1] != "" {
			fmt.Fprintf(p.io.Out, "%-13s %s\n", r[0], theme.Safe(r[1]))
		}
	}
	if info.Instructions != "" {
		fmt.Fprintf(p.io.Out, "instructions\n%s\n", p.shown(info.Instructions))
	}
	p.problem(info.Problem)
}

// environment says what a command is given as its environment: names, never values.
func (t target) environment() string {
	env := "inherited"
	if t.command.CleanEnv {
		env = "clean"
	}
	for _, e := range t.command.Env {
		name, _, _ := strings.Cut(e, "=")
		env += " + " + name
	}
	return env
}

// results prints the bytes of every result unchanged, a line each. On a terminal
// what could do harm there is made visible.
func (p *printing) results() error {
	for _, a := range p.o.Answers {
		if a.Head.Form != wire.Result {
			continue
		}
		if p.io.OutTTY {
			raw, err := p.o.Link.Client.Result(a)
			if err != nil {
				return err
			}
			if err := p.line(raw); err != nil {
				return err
			}
			continue
		}
		if err := p.o.Link.Client.WriteResult(p.io.Out, a); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(p.io.Out); err != nil {
			return err
		}
	}
	return nil
}

// query prints what the expression of --jq makes of the result, of all pages of
// a list as one: a text as it is (with --json as JSON), anything else as JSON, a
// line each.
func (p *printing) query() error {
	raw, err := p.o.Bytes()
	if p.o.Verb == "info" {
		raw = p.introduction().Raw
	}
	if err != nil {
		return err
	}
	return p.values(raw)
}

// values prints what the expression of --jq makes of JSON.
func (p *printing) values(raw []byte) error {
	values, err := script.QueryContext(p.ctx, p.jq, raw)
	for _, v := range values {
		text, isText := rawjson.Unquote(v)
		if p.json || !isText {
			text = string(v)
		}
		if err := p.text(text); err != nil {
			return err
		}
	}
	return err
}

// raw prints the message that answered a raw line.
func (p *printing) raw() error {
	for _, a := range p.o.Answers {
		if a.Response.Seq == 0 {
			continue
		}
		raw, err := p.o.Link.Log.Bytes(a.Response.Seq, 0, -1)
		if err != nil {
			return err
		}
		if err := p.line(raw); err != nil {
			return err
		}
	}
	return nil
}

// value prints a JSON value: a text as it is, anything else indented on a
// terminal and unchanged elsewhere.
func (p *printing) value(raw json.RawMessage) error {
	switch text, ok := rawjson.Unquote(raw); {
	case len(raw) == 0:
		return nil
	case ok && !p.json && p.o.Verb == "value":
		return p.text(text)
	case !p.io.OutTTY || p.json:
		return p.line(raw)
	}
	p.indented(raw)
	return nil
}

// line prints exact bytes as one line, harmless on a terminal.
func (p *printing) line(raw []byte) error {
	if p.io.OutTTY {
		raw = []byte(theme.SafeBytes(raw))
	}
	if _, err := p.io.Out.Write(raw); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.io.Out)
	return err
}

// text prints a text and ends its last line.
func (p *printing) text(text string) error {
	text = p.shown(text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := fmt.Fprint(p.io.Out, text)
	return err
}

func (p *printing) indented(raw json.RawMessage) {
	pretty, _ := rawjson.Indent(nil, raw)
	fmt.Fprintf(p.io.Out, "%s\n", p.shown(string(pretty)))
}
