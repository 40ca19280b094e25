package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/client/mcp"
)

// methods are all requests that a world may serve. Each returns what is encoded
// as the result: a struct, because its keys have the order of the tutorials.
var methods = map[string]func(context.Context, *request) (any, error){
	"initialize":       initialize,
	"server/discover":  discover,
	"ping":             func(context.Context, *request) (any, error) { return struct{}{}, nil },
	"logging/setLevel": setLevel,

	"tools/list": func(_ context.Context, r *request) (any, error) { return r.page("tools", r.world.listedTools(), 0) },
	"tools/call": callTool,

	"resources/list": func(_ context.Context, r *request) (any, error) {
		return r.lasting().page("resources", r.world.Resources, r.world.PageSize)
	},
	"resources/templates/list": func(_ context.Context, r *request) (any, error) {
		return r.lasting().page("resourceTemplates", r.world.Templates, 0)
	},
	"resources/read":        readResource,
	"resources/subscribe":   subscribe,
	"resources/unsubscribe": subscribe,
	"subscriptions/listen":  listen,

	"prompts/list": func(_ context.Context, r *request) (any, error) {
		return r.lasting().page("prompts", r.world.Prompts, 0)
	},
	"prompts/get":         getPrompt,
	"completion/complete": complete,
}

// lasting lets a modern client keep the result for a minute: it never changes.
func (r *request) lasting() *request {
	r.ttl = time.Minute
	return r
}

// initialize begins a new session; calls in flight go on in the one before.
func initialize(_ context.Context, r *request) (any, error) {
	version, ok := stringOf(r.params["protocolVersion"])
	if r.params == nil || !ok && r.params["protocolVersion"] != nil {
		return nil, r.world.invalidParams("protocolVersion must be a text")
	}
	if !slices.Contains(mcp.Legacy(), version) {
		version = mcp.LatestLegacy
	}
	s := newSession(version)
	if raw := r.params["capabilities"]; raw != nil && json.Unmarshal(raw, &s.capabilities) != nil {
		return nil, r.world.invalidParams("capabilities must be an object")
	}
	r.mu.Lock()
	r.front.session = s
	r.mu.Unlock()
	return struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Capabilities    json.RawMessage `json:"capabilities"`
		ServerInfo      json.RawMessage `json:"serverInfo"`
		Instructions    string          `json:"instructions,omitempty"`
	}{version, r.world.Capabilities, r.world.ServerInfo, r.world.Instructions}, nil
}

func discover(_ context.Context, r *request) (any, error) {
	r.lasting()
	return struct {
		Supported    []string        `json:"supportedVersions"`
		Capabilities json.RawMessage `json:"capabilities"`
		Instructions string          `json:"instructions,omitempty"`
	}{r.world.versions(), r.world.Capabilities, r.world.Instructions}, nil
}

func setLevel(_ context.Context, r *request) (any, error) {
	level, _ := stringOf(r.params["level"])
	if !slices.Contains(mcp.LogLevels(), level) {
		return nil, r.world.invalidParams("level must be one of " + strings.Join(mcp.LogLevels(), ", "))
	}
	r.mu.Lock()
	r.session.level = level
	r.mu.Unlock()
	return struct{}{}, nil
}

// log sends a log message to a client that wants to hear it.
func (r *request) log(level, logger, said string) {
	r.mu.Lock()
	least := slices.Index(mcp.LogLevels(), r.session.level)
	r.mu.Unlock()
	if least >= 0 && least <= slices.Index(mcp.LogLevels(), level) {
		r.notify("notifications/message", struct {
			Data   string `json:"data"`
			Level  string `json:"level"`
			Logger string `json:"logger"`
		}{said, level, logger})
	}
}

// page cuts a list at its page size; 0 is no limit. A cursor is the number of
// the first item, in words that no client should read anything into.
func (r *request) page(name string, items []json.RawMessage, size int) (any, error) {
	from := 0
	if raw := r.params["cursor"]; raw != nil && string(raw) != `""` {
		cursor, _ := stringOf(raw)
		n, ok := strings.CutPrefix(cursor, "from-")
		var err error
		if from, err = strconv.Atoi(n); !ok || err != nil || from <= 0 || from >= len(items) {
			return nil, &rpcError{Code: mcp.CodeInvalidParams, Message: fmt.Sprintf("unknown cursor %s", raw)}
		}
	}
	items = items[from:]
	next := ""
	if size > 0 && len(items) > size {
		items, next = items[:size], `,"nextCursor":"from-`+strconv.Itoa(from+size)+`"`
	}
	list := bytes.Join(rawBytes(items), []byte{','})
	return json.RawMessage(slices.Concat([]byte(`{"`+name+`":[`), list, []byte("]"+next+"}"))), nil
}

// subscribe begins and ends the subscription to a resource.
func subscribe(_ context.Context, r *request) (any, error) {
	uri, ok := stringOf(r.params["uri"])
	if !ok {
		return nil, r.world.invalidParams("uri must be a text")
	}
	r.mu.Lock()
	r.session.uris[uri] = r.method == "resources/subscribe"
	r.mu.Unlock()
	return struct{}{}, nil
}

// listener is a subscription of 2026-07-28, which lasts until it is cancelled.
type listener struct {
	id     json.RawMessage // of the request that opened it
	filter mcp.Filter
}

// note are the params of what a subscription hears.
type note struct {
	Meta    *noteMeta   `json:"_meta,omitempty"`
	URI     string      `json:"uri,omitempty"`
	Granted *mcp.Filter `json:"notifications,omitempty"`
}

type noteMeta struct {
	Subscription json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
}

func listen(_ context.Context, r *request) (any, error) {
	raw := r.params["notifications"]
	filter, problem := mcp.DecodeFilter(raw)
	if raw == nil || problem != "" {
		return nil, r.world.invalidParams("notifications must be an object that says what to tell of")
	}
	filter.TaskIDs = nil
	filter.Tools = filter.Tools && r.world.declares("tools.listChanged")
	filter.Prompts = filter.Prompts && r.world.declares("prompts.listChanged")
	filter.Resources = filter.Resources && r.world.declares("resources.listChanged")
	if !r.world.declares("resources.subscribe") {
		filter.URIs = nil
	}
	r.notify("notifications/subscriptions/acknowledged", note{Meta: &noteMeta{r.id}, Granted: &filter})
	if filter.IsZero() {
		return struct{}{}, nil
	}
	r.mu.Lock()
	r.listeners = append(r.listeners, listener{r.id, filter})
	r.mu.Unlock()
	return nil, errOpen
}

// changed tells of a change: the client that shook hands, if it is to hear of
// it, and each subscription that wants to.
func (f *front) changed(method, uri string, shaken func(*session) bool, wants func(mcp.Filter) bool) {
	f.mu.Lock()
	hears, listeners := shaken(f.session), f.listeners
	f.mu.Unlock()
	if hears && uri == "" {
		f.write(asked(nil, method, nil))
	} else if hears {
		f.notify(method, note{URI: uri})
	}
	for _, l := range listeners {
		if wants(l.filter) {
			f.notify(method, note{Meta: &noteMeta{l.id}, URI: uri})
		}
	}
}

// complete offers cities wherever a city is asked for, and days in numbers.
func complete(_ context.Context, r *request) (any, error) {
	var ref struct{ Type, Name, URI string }
	var arg struct{ Name, Value string }
	if err := json.Unmarshal(r.params["ref"], &ref); err != nil || ref.Type != "ref/prompt" && ref.Type != "ref/resource" {
		return nil, r.world.invalidParams("ref must be a ref/prompt or a ref/resource")
	}
	if err := json.Unmarshal(r.params["argument"], &arg); err != nil || arg.Name == "" {
		return nil, r.world.invalidParams("argument must have a name and a value")
	}
	var offers []string
	switch {
	case arg.Name == "city" && (ref.Name == "plan_trip" || ref.URI == weatherScheme+"{city}"):
		offers = cities
	case arg.Name == "days" && ref.Name == "plan_trip":
		offers = []string{"1", "2", "3", "5", "7"}
	}
	var result struct {
		Completion struct {
			Total  int      `json:"total,omitempty"`
			Values []string `json:"values"`
		} `json:"completion"`
	}
	result.Completion.Values = []string{} // not nil: the list must be there
	for _, o := range offers {
		if strings.HasPrefix(strings.ToLower(o), strings.ToLower(arg.Value)) {
			result.Completion.Values = append(result.Completion.Values, o)
		}
	}
	result.Completion.Total = len(result.Completion.Values)
	return result, nil
}

// encode is json.Marshal without the escaping that is meant for HTML.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// plainJSON encodes what always can be encoded.
func plainJSON(v any) json.RawMessage {
	raw, err := encode(v)
	if err != nil {
		panic("demo: " + err.Error()) // a programming error: only plain values come here
	}
	return raw
}
