package script

import (
	"context"
	"encoding/json"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
)

// lists are the methods of the list commands.
var lists = map[string]string{
	"tools": "tools/list", "resources": "resources/list",
	"templates": "resources/templates/list", "prompts": "prompts/list",
}

// maxRelists bounds how often a list that keeps changing is asked for.
const maxRelists = 5

// doList is a step that lists: all pages, or the one that --page says.
func (in *Interp) doList(ctx context.Context, o *Outcome) error {
	l, err := in.online(ctx)
	if err != nil {
		return err
	}
	o.Link, o.Name = l, lists[o.Verb]
	if page, one := o.Flags["--page"]; one {
		return of(o.Name, in.page(ctx, o, page))
	}
	o.Answers, err = in.list(ctx, l, o.Name, in.callOptions(o.Step))
	if err == nil && o.Verb == "tools" {
		in.tools = toolCache{client: l.Client, done: l.Client.Done(), answers: o.Answers}
	}
	return of(o.Name, err)
}

// list asks for all pages. It asks again when the server says meanwhile that the
// list changed: real servers add tools right after the handshake.
func (in *Interp) list(ctx context.Context, l *Link, method string, opt client.CallOptions) ([]client.Answer, error) {
	for i := 0; ; i++ {
		answers, err := l.Client.List(ctx, method, opt)
		if err == nil && l.Client.Changed(method) && i < maxRelists {
			continue
		}
		return answers, err
	}
}

// page asks for one page: for that of a cursor, the first for an empty one.
func (in *Interp) page(ctx context.Context, o *Outcome, cursor string) error {
	var params json.RawMessage
	if cursor != "" {
		params = append(rawjson.Quote([]byte(`{"cursor":`), cursor), '}')
	}
	return in.request(ctx, o, o.Name, params, in.callOptions(o.Step))
}

// toolCache has the tools of a connection, until its list changes.
type toolCache struct {
	client  *client.Client
	done    <-chan struct{}       // of the connection they are from
	answers []client.Answer       // the pages, until they are needed
	byName  map[string]*knownTool // nil until then
	names   []string
}

// holds reports whether the cache is what the server lists now.
func (t *toolCache) holds(l *Link) bool {
	return t.client == l.Client && t.done == l.Client.Done() && !l.Client.Changed("tools/list")
}

// fill takes the tools in.
func (t *toolCache) fill(tools []mcp.Tool) {
	t.byName = make(map[string]*knownTool, len(tools))
	for _, tool := range tools {
		t.names = append(t.names, tool.Name)
		if t.byName[tool.Name] == nil {
			t.byName[tool.Name] = &knownTool{Tool: tool}
		}
	}
}

// knownTools gives the tools of the server. Those that were listed on this
// connection, by whomever, are not asked for again.
func (in *Interp) knownTools(ctx context.Context, l *Link) (*toolCache, error) {
	if !in.tools.holds(l) {
		cache := toolCache{client: l.Client, done: l.Client.Done()}
		if tools, fresh := listed(l.Log); fresh && !l.Client.Changed("tools/list") {
			cache.fill(tools)
		} else {
			answers, err := in.list(ctx, l, "tools/list", in.callOptions(nil))
			if err != nil {
				return nil, of("tools/list", err)
			}
			cache.answers = answers
		}
		in.tools = cache
	}
	if in.tools.byName != nil {
		return &in.tools, nil
	}
	var tools []mcp.Tool
	for _, a := range in.tools.answers {
		raw, err := l.Client.Result(a)
		if err != nil {
			return nil, err
		}
		page := mcp.DecodeTools(raw)
		if page.Problem != "" {
			in.opt.Host.Note("warning", page.Problem)
		}
		tools = append(tools, page.Items...)
	}
	in.tools.fill(tools)
	return &in.tools, nil
}

// listed gives the tools that the log has, if they were listed whole on the present
// connection and have not changed since.
func listed(log *history.Log) (tools []mcp.Tool, fresh bool) {
	var state history.State
	state.CatchUp(log)
	pages := state.Pages("tools/list")
	if len(pages) == 0 || state.Stale("tools/list") {
		return nil, false
	}
	last, ok := log.Record(pages[len(pages)-1])
	if !ok || last.Next || last.Form != wire.Result {
		return nil, false
	}
	var catalogue history.Catalogue
	return catalogue.Tools(log, &state), true
}
