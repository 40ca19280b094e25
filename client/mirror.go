package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// mirror is what the list of tools says of how they are called: which arguments are
// repeated in header fields, and who can be a task. It belongs to Client.mu.
type mirror struct {
	tools  map[string]toolFacts
	listed bool          // all of them
	turn   chan struct{} // has one place: who lists them
}

type toolFacts struct {
	params []mcp.HeaderParam
	barred string // why it must not be called over HTTP
	task   string // execution.taskSupport
}

// reset begins a new epoch, with Client.mu held.
func (m *mirror) reset() {
	*m = mirror{tools: map[string]toolFacts{}, turn: make(chan struct{}, 1)}
}

// nameOf is the name in params.
func nameOf(params []byte) string {
	raw, _ := rawjson.Get(params, "name")
	name, _ := rawjson.Unquote(raw)
	return name
}

// mirrors reports whether header fields repeat arguments in this connection.
func (c *Client) mirrors() bool {
	c.mu.Lock()
	conn, modern := c.conn, c.era == Modern || c.era == UnknownEra && c.opt.NoHandshake
	c.mu.Unlock()
	t, ok := conn.(interface{ Transport() string })
	return modern && ok && t.Transport() == wire.TransportHTTP
}

// fields gives the Mcp-Param-* header fields of a request; it is an
// [wire.Agreement]'s Fields.
func (c *Client) fields(h *wire.Head, raw []byte) []wire.Field {
	if h.Method != "tools/call" {
		return nil
	}
	c.mu.Lock()
	facts := c.mirror.tools[h.Name]
	c.mu.Unlock()
	if len(facts.params) == 0 || facts.barred != "" {
		return nil
	}
	params := raw[h.Params.Off : h.Params.Off+h.Params.Len]
	arguments, _ := rawjson.Get(params, "arguments")
	var out []wire.Field
	for _, f := range mcp.FieldsOf(facts.params, arguments) {
		out = append(out, wire.Field{Name: f.Name, Value: wire.EncodeField(f.Value)})
	}
	return out
}

// learn looks at the result of a tools/list. Tools that must not be called over HTTP
// are announced, each once (spec: 2026-07-28, basic/transports/streamable-http).
func (c *Client) learn(result []byte) {
	mirrors := c.mirrors()
	if !mirrors && !c.hasTasks() {
		return
	}
	var warnings []string
	for _, t := range mcp.DecodeTools(result).Items {
		if t.Name == "" {
			continue
		}
		facts := toolFacts{task: t.TaskSupport}
		if mirrors {
			facts.params, facts.barred = mcp.HeaderParams(t.InputSchema)
		}
		c.mu.Lock()
		before := c.mirror.tools[t.Name].barred
		c.mirror.tools[t.Name] = facts
		c.mu.Unlock()
		if facts.barred != "" && facts.barred != before {
			warnings = append(warnings, fmt.Sprintf("the tool %s cannot be called over HTTP: %s", strconv.Quote(t.Name), facts.barred))
		}
	}
	for _, w := range warnings {
		c.Announce(w)
	}
}

// learnTyped is learn for the answer to a typed tools/list, if that is a modern one: the
// header fields of typed calls are made of it.
func (c *Client) learnTyped(a Answer) {
	if a.Head.Form != wire.Result || !c.mirrors() {
		return
	}
	result, err := c.Result(a)
	if err != nil {
		return
	}
	if _, modern := rawjson.Get(result, "resultType"); modern {
		c.learn(result)
	}
}

// prepare is called before a request is sent. A tool that was never listed is looked
// for in the list where that matters: how it is called depends on what stands there.
func (c *Client) prepare(ctx context.Context, method string, params json.RawMessage, opt *CallOptions) error {
	if method != "tools/call" {
		return nil
	}
	name, mirrors := nameOf(params), c.mirrors()
	if mirrors || c.hasTasks() {
		if err := c.acquaint(ctx, name, opt); err != nil {
			return err
		}
	}
	if opt.Task && c.Era() != Modern && !opt.Force {
		c.sayIfNoTask(name)
	}
	if reason, barred := c.Excluded(name); barred && mirrors && !opt.Force && !c.options().Force {
		return &ExcludedError{Tool: name, Reason: reason}
	}
	return nil
}

// acquaint lists the tools, if the one with that name was not in any list so far and
// there is one that we have not seen.
func (c *Client) acquaint(ctx context.Context, name string, opt *CallOptions) error {
	c.mu.Lock()
	turn := c.mirror.turn
	c.mu.Unlock()
	if c.acquainted(name) {
		return nil
	}
	select {
	case turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-turn }()
	if c.acquainted(name) || c.HandsOff() || c.gate("tools/list", false) != nil {
		return nil
	}
	_, err := c.List(ctx, "tools/list", CallOptions{Timeout: opt.Timeout})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil { // then it is called without what the list would have said
		c.Announce(fmt.Sprintf("the tools could not be listed before %s is called: %v", strconv.Quote(name), err))
		c.mu.Lock()
		c.mirror.listed = true
		c.mu.Unlock()
	}
	return nil
}

func (c *Client) acquainted(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, known := c.mirror.tools[name]
	return known || c.mirror.listed && !c.changed["tools/list"]
}

// sayIfNoTask tells why a call that was to be a task is none.
func (c *Client) sayIfNoTask(name string) {
	why := "the server did not declare tasks for tools/call"
	if c.hasTasks() {
		switch c.taskSupport(name) {
		case "optional", "required":
			return
		}
		why = "the tool does not say that it can be a task"
	}
	c.Announce(fmt.Sprintf("%s is called without a task: %s", strconv.Quote(name), why))
}

// repair is called when a modern request was refused with -32020, once; it reports
// whether the request is worth being sent again: the tools were listed anew, and the
// header fields are made of what they say now.
func (c *Client) repair(ctx context.Context, p *Pending) bool {
	if p.method != "tools/call" || c.HandsOff() {
		return false
	}
	if _, err := c.List(ctx, "tools/list", CallOptions{Timeout: p.opt.Timeout, Fresh: true}); err != nil {
		return false
	}
	c.Announce(fmt.Sprintf("the server refused the header fields of %s (%d): the tools were listed again, and the call is sent again",
		strconv.Quote(nameOf(p.params)), mcp.CodeHeaderMismatch))
	return true
}

// Excluded reports whether a tool may not be called over HTTP in a modern connection,
// and why (spec: basic/transports/streamable-http, custom headers).
func (c *Client) Excluded(name string) (reason string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	reason = c.mirror.tools[name].barred
	return reason, reason != ""
}

// ExcludedError is a call of a tool that must not be called over HTTP.
type ExcludedError struct{ Tool, Reason string }

func (e *ExcludedError) Error() string {
	return fmt.Sprintf("the tool %s cannot be called over HTTP: %s", strconv.Quote(e.Tool), e.Reason)
}

// Hint says whose fault it is and how to call it all the same.
func (e *ExcludedError) Hint() string {
	return "2026-07-28 has clients leave out such tools; the server has to mend the schema. --force calls it, without these header fields"
}

// Word names the error for machines.
func (e *ExcludedError) Word() string { return "excluded" }
