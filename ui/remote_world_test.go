package ui

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/client/wire"
	"parley/history"
)

// tape records a session of a server on the network, frame by frame.
type tape struct {
	t   testing.TB
	log *history.Log
	now time.Time
}

// taped records a session and returns its file.
func taped(t testing.TB, tell func(p *tape)) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "remote.jsonl")
	log, err := history.Create(history.Options{Path: file, Header: history.Header{
		Started: began, Target: history.Target{URL: "http://127.0.0.1:8080/mcp", Name: "weather"}, Client: "parley 0.1.0",
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := &tape{t: t, log: log, now: began}
	tell(p)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// put records a frame.
func (p *tape) put(f wire.Frame, raw string) uint64 {
	p.now = p.now.Add(20 * time.Millisecond)
	f.Time, f.Raw, f.Size = p.now, []byte(raw), int64(len(raw))
	if f.Kind == wire.Message {
		f.Head = wire.Scan(f.Raw)
	}
	return p.log.Append([]wire.Frame{f})
}

func (p *tape) event(e wire.ConnEvent) {
	raw, err := json.Marshal(e)
	if err != nil {
		p.t.Fatal(err)
	}
	p.put(wire.Frame{Kind: wire.Event}, string(raw))
}

// out is a message that we sent, with the head of its request.
func (p *tape) out(via, message string, of uint64, headers ...string) uint64 {
	seq := p.put(wire.Frame{Dir: wire.Out, Via: via, By: wire.ByAuto, Of: of}, message)
	method, _, _ := strings.Cut(via, " ")
	p.head(via, wire.Out, method+" /mcp HTTP/1.1", append([]string{"Host: 127.0.0.1:8080"}, headers...)...)
	return seq
}

func (p *tape) head(via string, dir wire.Dir, first string, headers ...string) {
	p.put(wire.Frame{Dir: dir, Kind: wire.HTTP, Via: via}, first+"\r\n"+strings.Join(headers, "\r\n")+"\r\n")
}

// stream is the head of a response that brings events.
func (p *tape) stream(via string, headers ...string) {
	p.head(via, wire.In, "HTTP/1.1 200 OK", append([]string{"Content-Type: text/event-stream"}, headers...)...)
}

// sse is an event with the message in it.
func (p *tape) sse(via, id, message string) {
	raw := "data: " + message + "\n\n"
	if id != "" {
		raw = "id: " + id + "\n" + raw
	}
	p.put(wire.Frame{Dir: wire.In, Kind: wire.HTTP, Via: via}, raw)
	p.put(wire.Frame{Dir: wire.In, Via: via}, message)
}

// answered is a request with its answer, on a stream.
func (p *tape) answered(via, request, response string, of uint64, headers ...string) uint64 {
	seq := p.out(via, request, of, headers...)
	p.stream(via)
	p.sse(via, "", response)
	return seq
}

const (
	legacyHello   = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"parley","version":"0.1.0"}}}`
	legacyWelcome = `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{"subscribe":true}},"serverInfo":{"name":"weather","version":"1.6.0"}}}`
	threeTools    = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","description":"Say it again","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"book","description":"Book a trip","inputSchema":{"type":"object"}},{"name":"mirrored","description":"Repeats an argument in the head","inputSchema":{"type":"object","properties":{"who":{"type":"object","x-mcp-header":"Who"}}}}]}}`
	twoResources  = `{"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"weather://stations","name":"stations"},{"uri":"weather://today","name":"today"}]}}`
)

// legacyHTTP is a session over Streamable HTTP with its catalogue listed.
func legacyHTTP(p *tape) {
	p.event(wire.ConnEvent{Event: wire.EventConnected, Epoch: 1, Transport: wire.TransportHTTP, URL: "http://127.0.0.1:8080/mcp"})
	p.out("POST 1", legacyHello, 0, "Authorization: Bearer …a1b2")
	p.stream("POST 1", "Mcp-Session-Id: …7TN2")
	p.sse("POST 1", "", legacyWelcome)
	p.out("POST 2", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 0)
	p.head("POST 2", wire.In, "HTTP/1.1 202 Accepted")
	p.head("GET 3", wire.Out, "GET /mcp HTTP/1.1", "Host: 127.0.0.1:8080")
	p.stream("GET 3")
	p.put(wire.Frame{Dir: wire.In, Kind: wire.HTTP, Via: "GET 3"}, ": keep-alive\n\n")
	p.answered("POST 4", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, threeTools, 0)
	p.answered("POST 5", `{"jsonrpc":"2.0","id":2,"method":"resources/list"}`, twoResources, 0)
}

// modernMeta is the envelope of a request of 2026-07-28.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`

// modernHTTP is a session of 2026-07-28 with its catalogue listed and a subscription.
func modernHTTP(p *tape) {
	p.event(wire.ConnEvent{Event: wire.EventConnected, Epoch: 1, Transport: wire.TransportHTTP, URL: "http://127.0.0.1:8080/mcp"})
	p.answered("POST 1", `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{`+modernMeta+`}}`,
		`{"jsonrpc":"2.0","id":0,"result":{"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{},"resources":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1.6.0"}},"resultType":"complete"}}`, 0)
	p.answered("POST 2", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+modernMeta+`}}`, strings.Replace(threeTools, `"result":{`, `"result":{"resultType":"complete",`, 1), 0)
	p.answered("POST 3", `{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{`+modernMeta+`}}`, strings.Replace(twoResources, `"result":{`, `"result":{"resultType":"complete",`, 1), 0)
	p.out("POST 4", `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["weather://today"]},`+modernMeta+`}}`, 0)
	p.stream("POST 4")
	p.sse("POST 4", "", `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["weather://today"]},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}`)
}

// calledInRounds is a call that took three rounds.
func calledInRounds(p *tape) {
	ask := func(id, key, message, state string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"input_required","inputRequests":{"` + key + `":{"method":"elicitation/create","params":{"message":"` + message + `"}}},"requestState":"` + state + `"}}`
	}
	first := p.answered("POST 5", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"book","arguments":{},`+modernMeta+`}}`, ask("5", "day", "Which day?", "s1"), 0,
		"Mcp-Method: tools/call", "Mcp-Name: =?base64?5aSp5rCU?=", "Mcp-Session-Id: …7TN2")
	second := p.answered("POST 6", `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"book","arguments":{},"inputResponses":{"day":{"action":"accept","content":{"day":"Monday"}}},"requestState":"s1",`+modernMeta+`}}`, ask("6", "class", "Which class?", "s2"), first)
	p.answered("POST 7", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"book","arguments":{},"inputResponses":{"class":{"action":"decline"}},"requestState":"s2",`+modernMeta+`}}`,
		`{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"Booked for Monday."}]}}`, second)
}

// remoteFile is the setup of a recorded session of a server on the network.
func remoteFile(t testing.TB, tell ...func(p *tape)) setup {
	return setup{file: taped(t, func(p *tape) {
		for _, f := range tell {
			f(p)
		}
	})}
}

// lostCall is a call whose stream ended, after which the GET stream broke too.
func lostCall(p *tape) {
	seq := p.out("POST 6", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"book","arguments":{}}}`, 0)
	p.stream("POST 6")
	p.event(wire.ConnEvent{Event: wire.EventLost, Seq: seq, Text: "http://127.0.0.1:8080/mcp ended the stream of POST 6 before the answer to tools/call"})
	p.event(wire.ConnEvent{Event: wire.EventReconnecting, Via: "GET 3", Attempt: 1, Millis: 250})
	p.head("GET 7", wire.Out, "GET /mcp HTTP/1.1", "Host: 127.0.0.1:8080", "Last-Event-ID: 41")
	p.stream("GET 7")
	p.sse("GET 7", "42", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"back again"}}`)
}
