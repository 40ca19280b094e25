package prompt

import (
	"encoding/json"
	"fmt"
	"testing"

	"parley/client/mcp"
	"parley/ui/theme"
)

// catalogue is a server with some tools.
type catalogue []mcp.Tool

func (c catalogue) Tools() []mcp.Tool       { return c }
func (catalogue) Resources() []mcp.Resource { return nil }
func (catalogue) Templates() []mcp.Template { return nil }
func (catalogue) Prompts() []mcp.Prompt     { return nil }
func (catalogue) Servers() []string         { return nil }
func (catalogue) Variables() []string       { return []string{"x"} }
func (catalogue) Value(string) []byte       { return []byte(`{"content":[]}`) }

var twoTools = catalogue{
	{Name: "now", InputSchema: json.RawMessage(`{"type":"object"}`)},
	{Name: "trip", InputSchema: json.RawMessage(`{"type":"object","required":["from","to","day","a","b","c"],"properties":{"from":{"type":"object"},"to":{},"day":{},"a":{},"b":{},"c":{},"note":{}}}`)},
}

func TestHint(t *testing.T) {
	for line, want := range map[string]theme.Text{
		"":                             "",
		"# nothing":                    "",
		"too":                          "", // the word is being typed
		"tools":                        "list the tools",
		"toolz ":                       "did you mean tools?",
		"call now":                     "call a tool",
		"call trip":                    "wants from, to, day, a, …",
		"call trip from.city=x to:=1 ": "wants day, a, b, c",
		"call trip {}":                 "call a tool",
		"call trip $x":                 "call a tool",
		"call unlisted":                "call a tool",
		"let y = call now":             "into $y: call a tool",
		"! call now":                   "has to fail: call a tool",
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                   "a request, sent as typed",
		`raw {"jsonrpc":"2.0","method":"notifications/initialized"}`: "a notification, sent as typed",
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                       "a response, sent as typed",
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:                 "a batch, sent as typed",
		`[1]`:         "JSON but no message, sent as typed",
		`raw hello`:   "not JSON, sent as typed",
		`{"jsonrpc":`: "not JSON, sent as typed",
	} {
		if got := Hint(line, twoTools); got != want {
			t.Errorf("Hint(%q) is %q, want %q", line, got, want)
		}
	}
	if got := Hint("call trip", nil); got != "call a tool" {
		t.Errorf("without knowing the server: %q", got)
	}
}

// The hint is found while a key is handled.
func BenchmarkHint(b *testing.B) {
	var many catalogue
	for i := range 5000 {
		many = append(many, mcp.Tool{Name: fmt.Sprintf("tool_%d", i), InputSchema: json.RawMessage(`{"type":"object","required":["a"],"properties":{"a":{}}}`)})
	}
	for b.Loop() {
		if Hint("call tool_4999 ", many) != "wants a" {
			b.Fatal("another hint")
		}
	}
}
