package client_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/mcp"
	"parley/client/wire"
)

// spec is what the schema of one version says of the messages that a client sends. The
// files in testdata/spec are the published ones, without words and without what only
// servers send. Objects have no members there but those that are named: an object may
// always have more, but what we send has none that means nothing.
type spec struct {
	requests      map[string]*jsonschema.Schema // by method
	notifications map[string]*jsonschema.Schema
	results       map[string]*jsonschema.Schema // by the method of the server's request
}

var specs = sync.OnceValues(func() (map[string]*spec, error) {
	all := map[string]*spec{}
	for _, version := range append(mcp.Modern(), mcp.Legacy()...) {
		s, err := loadSpec(version)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", version, err)
		}
		all[version] = s
	}
	return all, nil
})

func loadSpec(version string) (*spec, error) {
	raw, err := os.ReadFile(filepath.Join("testdata", "spec", version+".json"))
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		return nil, err
	}
	defs, at := map[string]any{}, ""
	for _, at = range []string{"$defs", "definitions"} {
		if d, ok := doc.(map[string]any)[at].(map[string]any); ok {
			defs = d
			break
		}
	}
	for name, def := range defs {
		if !strings.HasSuffix(name, "Result") {
			closeObjects(def)
		}
	}
	if filter, ok := defs["SubscriptionFilter"].(map[string]any); ok { // the tasks extension adds this
		filter["properties"].(map[string]any)["taskIds"] = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("spec.json", doc); err != nil {
		return nil, err
	}
	s := &spec{map[string]*jsonschema.Schema{}, map[string]*jsonschema.Schema{}, map[string]*jsonschema.Schema{}}
	for name, def := range defs {
		where, method := s.requests, methodOf(def)
		switch {
		case strings.HasSuffix(name, "Notification"):
			where = s.notifications
		case strings.HasSuffix(name, "Result"):
			where, method = s.results, resultsOf[name]
		}
		if method == "" {
			continue
		}
		if where[method], err = c.Compile("spec.json#/" + at + "/" + name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

var resultsOf = map[string]string{"CreateMessageResult": "sampling/createMessage", "ListRootsResult": "roots/list",
	"ElicitResult": "elicitation/create", "EmptyResult": "ping"}

// methodOf is the method that the definition of a message names.
func methodOf(def any) string {
	member := func(v any, key string) any {
		m, _ := v.(map[string]any)
		return m[key]
	}
	method, _ := member(member(member(def, "properties"), "method"), "const").(string)
	return method
}

// closeObjects forbids members that a schema does not name, but in _meta.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, named := v["properties"].(map[string]any)
		if _, said := v["additionalProperties"]; named && !said {
			v["additionalProperties"] = false
			addEnvelope(v["properties"].(map[string]any))
		}
		for key, inner := range v {
			if key == "_meta" || key == "RequestMetaObject" {
				continue
			}
			closeObjects(inner)
		}
	case []any:
		for _, inner := range v {
			closeObjects(inner)
		}
	}
}

// addEnvelope adds what earlier versions say of all messages, but not of each one.
func addEnvelope(properties map[string]any) {
	if properties["method"] == nil {
		return
	}
	properties["jsonrpc"] = map[string]any{"const": "2.0"}
	properties["id"] = map[string]any{"type": []any{"string", "integer"}}
	params, _ := properties["params"].(map[string]any)
	if inner, ok := params["properties"].(map[string]any); ok && inner["_meta"] == nil {
		inner["_meta"] = map[string]any{"type": "object"}
	}
}

// conforms checks every message of ours that nobody typed against the schema of the
// version in which it was sent, and that no id is used twice in a connection.
func conforms(t testing.TB, frames []wire.Frame) {
	t.Helper()
	all, err := specs()
	if err != nil {
		t.Fatal(err)
	}
	version, asked, ids := "", map[wire.ID]string{}, map[wire.ID]bool{}
	for i := range frames {
		f := &frames[i]
		if f.Kind == wire.Event && strings.Contains(string(f.Raw), `"event":"connected"`) {
			version, asked, ids = "", map[wire.ID]string{}, map[wire.ID]bool{}
		}
		if f.Kind != wire.Message || f.More || f.Head.Form == wire.Batch {
			continue
		}
		var m struct {
			Method string
			Params struct {
				ProtocolVersion string
				Meta            map[string]any `json:"_meta"`
			}
			Result struct{ ProtocolVersion string }
		}
		_ = json.Unmarshal(f.Raw, &m) // what is odd about it, the schema says
		switch h := f.Head; {
		case f.Dir == wire.In && h.Form == wire.Request:
			asked[h.ID] = h.Method
		case f.Dir == wire.In:
			if v := m.Result.ProtocolVersion; v != "" {
				version = v
			}
		case f.Dir != wire.Out || f.By == wire.ByConsole || f.By == wire.ByEdit || f.By == wire.ByReplay:
		default:
			if v := m.Params.ProtocolVersion; m.Method == "initialize" && v != "" {
				version = v
			}
			if v, _ := m.Params.Meta[mcp.MetaVersion].(string); v != "" {
				version = v
			}
			if h.Form == wire.Request && ids[h.ID] {
				t.Errorf("frame %d uses an id again: %s", f.Seq, f.Raw)
			}
			if h.Form == wire.Request {
				ids[h.ID] = true
			}
			if err := all[version].check(f, asked); all[version] != nil && err != nil {
				t.Errorf("frame %d is not as %s has it: %s\n%v", f.Seq, version, f.Raw, err)
			}
		}
	}
}

func (s *spec) check(f *wire.Frame, asked map[wire.ID]string) error {
	if s == nil {
		return nil
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(f.Raw)))
	if err != nil {
		return err
	}
	schema := s.requests[f.Head.Method]
	switch f.Head.Form {
	case wire.Notification:
		schema = s.notifications[f.Head.Method]
	case wire.Result:
		schema, doc = s.results[asked[f.Head.ID]], doc.(map[string]any)["result"]
	case wire.Failure:
		return nil
	}
	if schema == nil { // an extension's, or one that the version does not have
		return nil
	}
	return schema.Validate(doc)
}

func TestTheSchemasOfAllVersionsAreUsable(t *testing.T) {
	all, err := specs()
	if err != nil {
		t.Fatal(err)
	}
	for version, s := range all {
		want := []string{"tools/list", "tools/call", "completion/complete"}
		for _, method := range want {
			if s.requests[method] == nil {
				t.Errorf("%s has no %s", version, method)
			}
		}
		if s.notifications["notifications/cancelled"] == nil {
			t.Errorf("%s has no notifications/cancelled", version)
		}
		if slices.Contains(mcp.Modern(), version) != (s.requests["initialize"] == nil) {
			t.Errorf("%s: initialize", version)
		}
	}
}

// checked is a log whose messages are checked at the end of a test.
func checked(t testing.TB) *clienttest.Log {
	log := new(clienttest.Log)
	t.Cleanup(func() { conforms(t, log.Frames()) })
	return log
}

// everyOperation is what a client may ask for in some version.
var everyOperation = []struct{ method, params string }{
	{"tools/list", ""}, {"tools/list", `{"cursor":""}`}, {"tools/call", `{"name":"f","arguments":{"a":[1.0,null]}}`}, {"tools/call", `{"name":"f"}`},
	{"resources/list", ""}, {"resources/templates/list", `{"cursor":"c"}`}, {"resources/read", `{"uri":"a:b"}`},
	{"prompts/list", ""}, {"prompts/get", `{"name":"p","arguments":{"x":"y"}}`},
	{"completion/complete", `{"ref":{"type":"ref/resource","uri":"a:{b}"},"argument":{"name":"b","value":""}}`},
	{"logging/setLevel", `{"level":"debug"}`}, {"ping", ""}, {"resources/subscribe", `{"uri":"a:b"}`}, {"resources/unsubscribe", `{"uri":"a:b"}`},
	{"tasks/list", ""}, {"tasks/get", `{"taskId":"t"}`}, {"tasks/result", `{"taskId":"t"}`}, {"tasks/cancel", `{"taskId":"t"}`},
	{"server/discover", ""},
}

// What a client that declares everything says in each version, in each operation that
// the version has, and when the server asks.
func TestEveryOperationOfEveryVersionConforms(t *testing.T) {
	var answers strings.Builder
	for _, o := range everyOperation {
		answers.WriteString("on " + o.method + ` {"resultType":"complete","content":[],"supportedVersions":["2026-07-28"],"capabilities":{}}` + "\n")
	}
	for _, version := range append(mcp.Modern(), mcp.Legacy()...) {
		script := answers.String() + `
> initialize
answer {"protocolVersion":"` + version + `","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"logging":{},"completions":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
< {"jsonrpc":"2.0","id":"r","method":"roots/list"}
< {"jsonrpc":"2.0","id":"p","method":"ping"}
< {"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}
< {"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}
< {"jsonrpc":"2.0","id":"x","method":"unknown/x"}
`
		if slices.Contains(mcp.Modern(), version) {
			script = answers.String()
		}
		opt := client.Options{Protocol: version, LogLevel: "info", Roots: []string{"/a b"}, Extensions: []string{mcp.TasksExtension},
			Sample: always(`{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`), Elicit: always(`{"action":"accept","content":{"a":"b"}}`)}
		story(t, opt, script, func(t *testing.T, c *client.Client, log *clienttest.Log) {
			connect(t, c)
			for _, o := range everyOperation {
				m, _ := mcp.LookupMethod(o.method)
				if !m.In(version) {
					continue
				}
				_, err := c.Request(t.Context(), o.method, json.RawMessage(o.params), client.CallOptions{Progress: true, Force: true})
				if err != nil {
					t.Errorf("%s: %s: %v", version, o.method, err)
				}
			}
			synctest.Wait()
			c.Reshape(func(opt *client.Options) { opt.Roots = []string{"/b"} })
			synctest.Wait()
			if n := strings.Count(log.String(), "progressToken"); n < 10 {
				t.Errorf("%s: only %d requests", version, n)
			}
		})
	}
}
