package demo

import (
	"strings"
	"testing"
)

const offersAll = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"sampling":{},"roots":{}},"io.modelcontextprotocol/logLevel":"info"}`

// Requests that bring their version need no handshake, and leave the one that
// a client does have alone.
func TestWithoutAHandshake(t *testing.T) {
	p := start(t, Options{})
	got := p.ask(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + offersAll + `}}`)
	if !strings.Contains(got, `"supportedVersions":["2026-07-28"`) || !strings.Contains(got, `"resultType":"complete"`) {
		t.Error(got)
	}
	got = p.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask",` + offersAll + `}}`)
	if !strings.Contains(got, `"resultType":"input_required"`) || !strings.Contains(got, `"method":"elicitation/create"`) {
		t.Error(got)
	}
	got = p.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask","inputResponses":{"answer":{"action":"cancel"}},` + offersAll + `}}`)
	if !strings.Contains(got, `"the answer was cancel"`) {
		t.Error(got)
	}
	got = p.ask(`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"weather://北京",` + offersAll + `}}`)
	if !strings.Contains(got, `"uri":"weather://北京"`) || !strings.Contains(got, `"cacheScope":"public"`) {
		t.Error(got)
	}
	got = p.ask(`{"jsonrpc":"2.0","id":"sub","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + offersAll + `}}`)
	if !strings.Contains(got, `"io.modelcontextprotocol/subscriptionId":"sub"`) {
		t.Error(got)
	}
	p.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"toggle_tool",` + offersAll + `}}`)
	p.expect(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub"}}}`)
	if got := p.next(); !strings.Contains(got, "added the tool") {
		t.Error(got)
	}
	p.shake()
	p.send(`{"jsonrpc":"2.0","id":6,"method":"prompts/list"}`)
	if got := p.next(); strings.Contains(got, "resultType") {
		t.Error(got)
	}
}

func TestTutorialWorldsKnowNoModernProtocol(t *testing.T) {
	p := start(t, Options{As: "weather"})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + offersAll + `}}`)
	p.expect(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + offersAll + `}}`)
	p.expect(`{"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"2026-07-28"}}}`)
}

// The envelope of a request is checked before the request.
func TestModernErrors(t *testing.T) {
	const version, none = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientCapabilities":{}`
	missing := func(key string) string {
		return `"error":{"code":-32602,"message":"missing or invalid _meta field \"io.modelcontextprotocol/` + key + `\""}}`
	}
	p := start(t, Options{})
	for _, c := range []struct{ method, params, want string }{
		{"tools/list", `"_meta":{` + version + `}`, missing("clientCapabilities")},
		{"tools/list", `"_meta":{` + version + `,"io.modelcontextprotocol/clientCapabilities":null}`, missing("clientCapabilities")},
		{"tools/list", `"_meta":{` + version + `,` + none + `,"io.modelcontextprotocol/clientInfo":5}`, missing("clientInfo")},
		{"tools/list", `"_meta":{` + version + `,` + none + `,"io.modelcontextprotocol/logLevel":"loud"}`, missing("logLevel")},
		{"server/discover", `"_meta":{}`, missing("protocolVersion")},
		{"subscriptions/listen", ``, missing("protocolVersion")},
		{"tools/list", `"_meta":5`, `"error":{"code":-32602,"message":"Invalid params","data":{"details":"_meta must be an object"}}}`},
		{"tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01",` + none + `}`,
			`"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"2099-01-01"}}}`},
		{"tools/call", `"name":"show_roots","_meta":{` + version + `,` + none + `}`,
			`"error":{"code":-32021,"message":"the client did not declare roots","data":{"requiredCapabilities":{"roots":{}}}}}`},
		{"ping", offersAll, `"error":{"code":-32601,"message":"Method not found"}}`},
		{"initialize", offersAll, `"error":{"code":-32601,"message":"Method not found"}}`},
		{"subscriptions/listen", offersAll, `"error":{"code":-32602,"message":"Invalid params","data":{"details":"notifications must be an object that says what to tell of"}}}`},
		{"tools/call", `"name":"ask","inputResponses":5,` + offersAll, `"error":{"code":-32602,"message":"Invalid params","data":{"details":"inputResponses must be an object"}}}`},
		{"tools/call", `"name":"ask","requestState":"other",` + offersAll, `"error":{"code":-32602,"message":"Invalid params","data":{"details":"requestState is not the one that came with the question"}}}`},
	} {
		if got, want := p.ask(`{"jsonrpc":"2.0","id":1,"method":"`+c.method+`","params":{`+c.params+`}}`), `{"jsonrpc":"2.0","id":1,`+c.want; got != want {
			t.Errorf("%s {%s}\ngot  %s\nwant %s", c.method, c.params, got, want)
		}
	}
}

// A question travels in the result, and its answer in the same request sent anew.
func TestRound(t *testing.T) {
	const server = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"parley-demo","title":"parley demo","version":"1.0.0"}}`
	p := start(t, Options{})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_roots",` + offersAll + `}}`)
	p.expect(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",` + server + `,"inputRequests":{"answer":{"method":"roots/list","params":{}}},"requestState":"asked roots/list"}}`)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"show_roots","inputResponses":{"answer":{"roots":[]}},"requestState":"asked roots/list",` + offersAll + `}}`)
	p.expect(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete",` + server + `,"content":[{"type":"text","text":"roots: 0"}],"isError":false}}`)
}

func TestCacheHints(t *testing.T) {
	p := start(t, Options{})
	for request, want := range map[string]string{
		`"method":"prompts/list","params":{`:                              `"ttlMs":60000,"cacheScope":"public","prompts":[`,
		`"method":"tools/list","params":{`:                                `"ttlMs":0,"cacheScope":"public","tools":[`,
		`"method":"resources/read","params":{"uri":"demo://page/07",`:     `"ttlMs":60000,"cacheScope":"public","contents":[`,
		`"method":"resources/read","params":{"uri":"useful://date-time",`: `"ttlMs":0,"cacheScope":"public","contents":[`,
	} {
		if got := p.ask(`{"jsonrpc":"2.0","id":1,` + request + offersAll + `}}`); !strings.Contains(got, want) {
			t.Errorf("%s: %s", request, got)
		}
	}
}

// Each subscription hears of what it asked for, until it is cancelled.
func TestSubscriptions(t *testing.T) {
	p := start(t, Options{})
	listening := func(id, filter, granted string) {
		t.Helper()
		p.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{"notifications":` + filter + `,` + offersAll + `}}`)
		p.expect(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"notifications":` + granted + `}}`)
	}
	updated := func(id, uri string) string {
		return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"uri":"` + uri + `"}}`
	}
	const wrote = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Successfully wrote 0 bytes to a"}],"isError":false}}`
	listening(`1`, `{"resourceSubscriptions":["memory://a","memory://b"],"promptsListChanged":true}`, `{"resourceSubscriptions":["memory://a","memory://b"]}`)
	listening(`"1"`, `{"resourceSubscriptions":["memory://a"],"toolsListChanged":true}`, `{"toolsListChanged":true,"resourceSubscriptions":["memory://a"]}`)
	p.send(calling("write_file", `{"path":"a"}`))
	p.expect(updated(`1`, "memory://a"), updated(`"1"`, "memory://a"), wrote)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, calling("write_file", `{"path":"a"}`))
	p.expect(updated(`"1"`, "memory://a"), wrote)
	listening(`2`, `{"promptsListChanged":true}`, `{}`)
	if got := p.next(); !strings.Contains(got, `"id":2,"result":{"resultType":"complete"`) || !strings.Contains(got, `"io.modelcontextprotocol/subscriptionId":2`) {
		t.Errorf("a subscription to nothing ends with %s", got)
	}
	if rest, err := p.end(); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}
