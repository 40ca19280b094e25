package cli_test

import (
	"fmt"
	"net/http"
	"strings"
)

// oldServer is one of HTTP+SSE. endpoint is the data of its first event; called does a
// tool call, say is for what comes on the stream.
func oldServer(endpoint string, called func(v *visit, say func(string))) func(*peer) string {
	return func(p *peer) string {
		said := make(chan string, 8)
		say := func(text string) { said <- text }
		p.on["GET"] = func(v *visit) {
			if endpoint == "" {
				v.stream("")
				v.hang()
				return
			}
			v.stream("")
			first := "event: endpoint\ndata: " + endpoint + "\n\n"
			v.keep(strings.ReplaceAll(first, "hunter2hunter2hunter2", "…ter2"))
			_, _ = v.Write([]byte(first))
			v.say("")
			for {
				select {
				case text := <-said:
					if text == "" {
						return
					}
					v.say(event(text))
				case <-v.Context().Done():
					return
				case <-p.over:
					return
				}
			}
		}
		p.on[""] = func(v *visit) {
			if !strings.HasPrefix(v.URL.Path, "/messages") {
				v.answer(405, "", "", "Allow", "GET")
				return
			}
			switch v.key {
			case "initialize":
				say(v.resultOf(`{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`))
			case "tools/list":
				say(v.resultOf("{" + listed + "}"))
			case "tools/call":
				called(v, say)
				return
			}
			v.answer(202, "text/plain", "Accepted")
		}
		return p.listen()
	}
}

const endpoint = "/messages?sessionId=hunter2hunter2hunter2"

// accepted answers a call as it should be done.
func accepted(v *visit, say func(string)) {
	v.answer(202, "text/plain", "Accepted")
	say(v.called())
}

var oldFaults = faultGroup{"HTTP+SSE of 2024-11-05", []fault{
	{name: "Streamable HTTP is refused, and an endpoint event comes", serve: oldServer(endpoint, accepted), endless: true},
	{name: "the endpoint is on another origin", serve: oldServer("https://elsewhere.example/messages?sessionId=hunter2hunter2hunter2", accepted), flags: "--transport sse", code: 4},
	{name: "the same, found out", serve: oldServer("https://elsewhere.example/messages", accepted), code: 4},
	{name: "the endpoint is no URL", serve: oldServer("http://[::1", accepted), flags: "--transport sse", code: 4},
	{name: "the stream ends without an endpoint event", serve: does("GET", func(v *visit) { v.stream(": hello\n\n") }), flags: "--transport sse", code: 4},
	{name: "`--transport sse`, but the server speaks Streamable HTTP", serve: func(p *peer) string { return p.listen() }, flags: "--transport sse", code: 4},
	{name: "the stream ends in the middle of a tool call", serve: oldServer(endpoint, func(v *visit, say func(string)) {
		v.WriteHeader(http.StatusAccepted)
		say("")
	}), code: 4, after: once},
	{name: "the POST of a tool call is refused", serve: oldServer(endpoint, func(v *visit, _ func(string)) { v.answer(400, "text/plain", "Could not parse message") }), code: 4},
	{name: "the session of the stream is gone: 404", serve: oldServer(endpoint, func(v *visit, _ func(string)) { v.answer(404, "text/plain", "Session not found") }), code: 4},
	{name: "`--transport http`, but the server speaks HTTP+SSE", serve: oldServer(endpoint, accepted), flags: "--transport http", code: 4},
}}

// versions is a server that refuses the version of every modern request.
func versions(supported string) func(*peer) string {
	return func(p *peer) string {
		p.on[""] = func(v *visit) {
			v.answer(400, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":[%s],"requested":"2026-07-28"}}}`, v.msg.ID, supported))
		}
		return p.listen()
	}
}

var eraFaults = faultGroup{"Versions and eras", []fault{
	{name: "-32022, no version in common", serve: versions(`"2031-01-01"`), code: 4},
	{name: "-32022 with `--protocol modern`, a legacy version in common", serve: versions(`"2025-06-18"`), flags: "--protocol modern", code: 4},
	{name: "-32022 to the probe, a legacy version in common", serve: does("server/discover", func(v *visit) {
		v.answer(400, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}}`, v.msg.ID))
	})},
	{name: "-32022 to a tool call of a modern server, a version in common", serve: inModern(calls(func(v *visit) {
		if v.n == 1 {
			v.answer(400, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}}`, v.msg.ID))
			return
		}
		v.well()
	}))},
	{name: "a version of initialize that nobody knows", serve: does("initialize", func(v *visit) {
		v.result(`{"protocolVersion":"1.0","capabilities":{},"serverInfo":{"name":"peer","version":"1"}}`)
	}), code: 4},
	{name: "initialize is answered without a version", serve: does("initialize", func(v *visit) { v.result(`{"capabilities":{}}`) }), code: 4},
	{name: "initialize is refused with a JSON-RPC error", serve: does("initialize", func(v *visit) { v.fail(200, -32603, "the database is gone") }), code: 4},
	{name: "a modern server, `--protocol legacy`", serve: inModern(func(p *peer) string { return p.listen() }), flags: "--protocol legacy", code: 4},
	{name: "a legacy server, `--protocol modern`", serve: func(p *peer) string { return p.listen() }, flags: "--protocol modern", code: 4},
	{name: "a legacy server with sessions, `--protocol modern`", serve: inSessions(func(p *peer) string {
		p.on["server/discover"] = func(v *visit) { v.answer(400, "text/plain", "Bad Request: No valid session ID provided") }
		return p.listen()
	}), flags: "--protocol modern", code: 4},
	{name: "a modern server that is never asked for its era, `--protocol 2025-03-26`", serve: inModern(func(p *peer) string { return p.listen() }), flags: "--protocol 2025-03-26", code: 4},
	{name: "-32020, a header does not fit: the lists are asked for and the call repeated once", serve: inModern(calls(func(v *visit) { v.fail(400, -32020, "header mismatch") })), code: 5},
	{name: "-32021, a capability is missing", serve: inModern(calls(func(v *visit) {
		v.answer(400, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32021,"message":"missing capability","data":{"requiredCapabilities":{"sampling":{}}}}}`, v.msg.ID))
	})), code: 5},
	{name: "a modern result of a type that nobody knows", serve: inModern(calls(func(v *visit) { v.result(`{"resultType":"maybe"}`) })), code: 5},
	{name: "a modern server that sends requests", serve: inModern(calls(func(v *visit) {
		v.stream(event(`{"jsonrpc":"2.0","id":"q","method":"ping"}`) + event(v.resultOf(`{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}},`+done+"}")))
	}))},
}}
