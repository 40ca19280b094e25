package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/check"
	"parley/client/wire"
	"parley/history"
)

// meta is the _meta of a request of 2026-07-28 that declares these capabilities.
func meta(capabilities, more string) string {
	return `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities + more + `}`
}

// ask and got are a modern request and its result.
func ask(id int, method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s%s}}`, id, method, params, meta("{}", ""))
}

func got(id int, result string) string {
	return fmt.Sprintf(`< {"jsonrpc":"2.0","id":%d,"result":%s}`, id, result)
}

func notified(method, params string) string {
	return fmt.Sprintf(`< {"jsonrpc":"2.0","method":%q,"params":{%s}}`, method, params)
}

func about(id string) string { return `"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}` }

const (
	onHTTP     = `* {"event":"connected","epoch":1,"transport":"http","url":"http://h/mcp"}`
	complete   = `{"resultType":"complete"}`
	discovered = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private"}`
	logLevel   = `,"io.modelcontextprotocol/logLevel":"debug"`
	jsonHead   = "h HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	streamHead = "h HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
)

// modern begins a modern conversation of two lines.
func modern(lines ...string) []string {
	return append([]string{ask(0, "server/discover", ""), got(0, discovered)}, lines...)
}

// handshake begins a conversation of four lines in the version.
func handshake(version string, lines ...string) []string {
	return append([]string{`* {"event":"connected","epoch":1,"transport":"http"}`, "POST 1|" + shake,
		`POST 1|< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + version + `","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`,
		`POST 2|> {"jsonrpc":"2.0","method":"notifications/initialized"}`}, lines...)
}

var (
	call     = ask(1, "tools/call", `"name":"f"`)
	callLogs = `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f",` + meta(`{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`, logLevel) + `}}`
	listen   = ask(5, "subscriptions/listen", `"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///a"]}`)
	ack      = notified("notifications/subscriptions/acknowledged", `"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///a"]},`+about("5"))
	tools    = notified("notifications/tools/list_changed", about("5"))
	token    = `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","_meta":{"progressToken":"t"}}}`
	log      = notified("notifications/message", `"level":"info","data":1`)
)

func progress(value string) string {
	return notified("notifications/progress", `"progressToken":"t","progress":`+value)
}

func tool(schema string) string {
	return got(1, `{"resultType":"complete","tools":[{"name":"a","inputSchema":`+schema+`}],"ttlMs":0,"cacheScope":"public"}`)
}

// newerCases are the cases of the rules about versions, eras and transports.
var newerCases = map[string]struct {
	lines []string
	want  []string
}{
	"initialize in a batch": {[]string{`> [` + shake[2:] + `]`}, []string{"1 batch: a batch", "1.1 initialize-in-batch: company"}},
	"a batch in a later version": {handshake("2025-06-18", `POST 3|> [{"jsonrpc":"2.0","id":1,"method":"ping"}]`),
		[]string{"5 batch: a batch of one message"}},
	"a method that came later":    {handshake("2025-03-26", `POST 3|> {"jsonrpc":"2.0","id":1,"method":"tasks/list"}`), []string{"5 method-version: tasks/list is not in 2025-03-26"}},
	"a request that came later":   {handshake("2025-03-26", `GET 3|< {"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`), []string{"5 method-version: elicitation/create"}},
	"a method that is gone":       {modern(`> {"jsonrpc":"2.0","id":1,"method":"ping"}`), []string{"3 method-version: ping is not in 2026-07-28"}},
	"a method of an extension":    {modern(ask(1, "tasks/get", `"taskId":"t"`), got(1, complete)), nil},
	"each connection has its own": {append(modern(), handshake("2025-06-18", `POST 3|> {"jsonrpc":"2.0","id":1,"method":"ping"}`)...), nil},

	"a probe that fails": {[]string{ask(0, "server/discover", ""), `< {"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"no"}}`,
		`> {"jsonrpc":"2.0","id":1,"method":"initialize"}`, `< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`,
		`< {"jsonrpc":"2.0","id":7,"method":"ping"}`, `> {"jsonrpc":"2.0","id":7,"result":{}}`}, nil},
	"a probe that finds a legacy server": {[]string{ask(0, "server/discover", ""),
		got(0, `{"resultType":"complete","supportedVersions":["2025-11-25","2025-06-18"],"capabilities":{},"ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`),
		`> {"jsonrpc":"2.0","id":1,"method":"initialize"}`, `< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`,
		`< {"jsonrpc":"2.0","id":7,"method":"ping"}`, `> {"jsonrpc":"2.0","id":7,"result":{}}`}, nil},
	"a probe without an answer": {[]string{ask(0, "server/discover", ""), `> {"jsonrpc":"2.0","id":1,"method":"initialize"}`,
		`> {"jsonrpc":"2.0","method":"notifications/initialized"}`}, nil},
	"a probe that is answered with anything": {[]string{ask(0, "server/discover", ""), got(0, "{}")}, nil},
	"initialize that fails": {[]string{shake, `< {"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"no"}}`, ask(1, "tools/list", ""), got(1, `{"tools":[]}`)},
		[]string{"4 result-type-missing: tools/list"}},

	"the server asks":         {modern(`< {"jsonrpc":"2.0","id":1,"method":"roots/list"}`), []string{"3 server-request: roots/list"}},
	"the server asks oddly":   {modern(`< {"jsonrpc":"2.0","id":1,"method":"x/y"}`), []string{"3 server-request: x/y"}},
	"no resultType":           {modern(call, got(1, `{"content":[]}`)), []string{"4 result-type-missing: tools/call"}},
	"no resultType, legacy":   {[]string{shake, shaken, ping, pong}, nil},
	"no _meta, no resultType": {modern(`> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"}}`, got(1, `{}`)), nil},
	"an unknown resultType":   {modern(call, got(1, `{"resultType":"later"}`)), []string{`4 result-type-unknown: resultType "later"`}},
	"a task nobody wanted":    {modern(call, got(1, `{"resultType":"task"}`)), []string{"4 result-type-unknown: task"}},
	"a task that was wanted":  {modern(callLogs, got(1, `{"resultType":"task","taskId":"t"}`)), nil},
	"a task for a prompt": {modern(`> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{`+meta(`{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, "")+`}}`, got(1, `{"resultType":"task"}`)),
		[]string{"4 result-type-unknown: only tools/call"}},

	"input for a list":        {modern(ask(1, "tools/list", ""), got(1, `{"resultType":"input_required","requestState":"s"}`)), []string{"4 input-required-method: tools/list"}},
	"input for a call":        {modern(call, got(1, `{"resultType":"input_required","requestState":"s"}`)), nil},
	"input that is empty":     {modern(call, got(1, `{"resultType":"input_required"}`)), []string{"4 input-required-shape: neither"}},
	"input nobody can give":   {modern(call, got(1, `{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{}}}}`)), []string{`4 input-required-capability: "k" is elicitation/create`}},
	"input that was declared": {modern(callLogs, got(1, `{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{}}}}`)), nil},
	"a reserved code":         {modern(call, `< {"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"x"}}`), []string{"4 reserved-code: -32042"}},
	"a code that is free":     {modern(call, `< {"jsonrpc":"2.0","id":1,"error":{"code":-32010,"message":"x"}}`), nil},
	"a reserved code, legacy": {[]string{shake, shaken, ping, `< {"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"x"}}`}, nil},
	"a header of an object":   {modern(ask(1, "tools/list", ""), tool(`{"type":"object","properties":{"o":{"type":"object","x-mcp-header":"O"}}}`)), []string{"4 header-param: item 1 a"}},
	"a header of a text":      {modern(ask(1, "tools/list", ""), tool(`{"type":"object","properties":{"o":{"type":"string","x-mcp-header":"O"}}}`)), nil},
	"a header, legacy":        {[]string{shake, shaken, `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}`, tool(`{"type":"object","properties":{"o":{"type":"object","x-mcp-header":"O"}}}`)}, nil},

	"a log nobody asked for":          {modern(call, log), []string{"4 log-unasked: no open request"}},
	"a log that was asked for":        {modern(callLogs, log, got(1, complete)), nil},
	"a log for nothing":               {modern(callLogs, got(1, complete), log), []string{"5 log-unasked"}},
	"a log, legacy":                   {[]string{shake, shaken, log}, nil},
	"a log on the stream of another":  {append([]string{onHTTP}, modern("POST 2|"+callLogs, "POST 3|"+ask(2, "tools/call", ""), "POST 3|"+log)...), []string{"6 log-unasked: tools/call"}},
	"a log on its own stream":         {append([]string{onHTTP}, modern("POST 2|"+callLogs, "POST 3|"+ask(2, "tools/call", ""), "POST 2|"+log)...), nil},
	"a log on a subscription":         {append([]string{onHTTP}, modern("POST 2|"+listen, "POST 2|"+ack, "POST 2|"+log)...), []string{"6 listen-traffic: a log message"}},
	"progress on a subscription":      {append([]string{onHTTP}, modern("POST 3|"+token, "POST 2|"+listen, "POST 2|"+ack, "POST 2|"+progress("1"))...), []string{"7 listen-traffic: progress"}},
	"a subscription":                  {modern(listen, ack, tools, notified("notifications/resources/updated", `"uri":"file:///a/b",`+about("5")), got(5, complete)), nil},
	"a subscription, not granted":     {modern(listen, notified("notifications/subscriptions/acknowledged", `"notifications":{},`+about("5"))), nil},
	"before the acknowledgement":      {modern(listen, tools), []string{"4 listen-before-ack: notifications/tools/list_changed"}},
	"what was not granted":            {modern(listen, ack, notified("notifications/prompts/list_changed", about("5"))), []string{"5 listen-unasked: notifications/prompts/list_changed"}},
	"granted without a wish":          {modern(listen, notified("notifications/subscriptions/acknowledged", `"notifications":{"promptsListChanged":true},`+about("5"))), []string{"4 listen-unasked: changes of prompts"}},
	"a change without a subscription": {modern(notified("notifications/tools/list_changed", "")), []string{"3 subscription-id: has no"}},
	"a subscription of another type":  {modern(listen, ack, notified("notifications/tools/list_changed", about(`"5"`))), []string{`5 subscription-id: "5", which is no open`}},
	"a change on its way":             {modern(listen, ack, `> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`, tools), nil},
	"a change after abandoning":       {modern(listen, ack, `* {"event":"abandoned","seq":3}`, tools), nil},
	"a change, legacy":                {[]string{shake, shaken, notified("notifications/tools/list_changed", "")}, nil},

	"progress":                   {[]string{token, progress("0"), progress("0.5"), progress("1e2"), got(1, "{}")}, nil},
	"progress that stands still": {[]string{token, progress("1"), progress("1.0")}, []string{"3 progress-order: progress is 1 after 1"}},
	"progress that falls":        {[]string{token, progress("2"), progress("1")}, []string{"3 progress-order: progress is 1 after 2"}},
	"progress of nothing":        {[]string{token, notified("notifications/progress", `"progressToken":"u","progress":1`)}, []string{`2 progress-token: "u", which no open`}},
	"progress without a token":   {[]string{notified("notifications/progress", `"progress":1`)}, []string{"1 progress-token: without"}},
	"progress that comes late":   {[]string{token, got(1, "{}"), progress("1")}, []string{"3 progress-token: whose request was answered"}},
	"progress of a task":         {[]string{shake, `< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}`, token, got(1, `{"task":{"taskId":"x"}}`), progress("1")}, nil},
	"a token used again":         {[]string{token, progress("2"), got(1, "{}"), token, progress("1")}, nil},

	"text over tcp":                            {[]string{`* {"event":"connected","epoch":1,"transport":"tcp"}`, "tcp|< hello"}, []string{"2 no-message: over tcp: not JSON"}},
	"HTML for an answer":                       {[]string{onHTTP, "POST 1|" + call, "POST 1|< <html>"}, []string{"3 no-message: over POST 1: not JSON"}},
	"half an event":                            {[]string{onHTTP, "POST 1|" + call, "POST 1|< data: {\"jsonrpc\":"}, []string{"3 no-message: over POST 1: an event that was cut short"}},
	"a body of nothing":                        {[]string{onHTTP, "POST 1|" + call, "POST 1|< "}, []string{"3 no-message: over POST 1: nothing"}},
	"an answer on a GET":                       {handshake("2025-11-25", "POST 3|"+ping, "GET 4|"+pong), []string{"6 answer-on-get: the answer to ping, which went out as POST 3, came on GET 4"}},
	"an answer, resumed":                       {handshake("2025-11-25", "POST 3|"+ping, `* {"event":"reconnecting","via":"POST 3","attempt":1}`, "GET 4|"+pong), nil},
	"an answer, HTTP+SSE":                      {handshake("2024-11-05", `* {"event":"switched","transport":"sse"}`, "POST 3|"+ping, "GET 4|"+pong), nil},
	"a session id with a space":                {[]string{onHTTP, "POST 1|h HTTP/1.1 200 OK\r\nmcp-session-id: …a b\r\n"}, []string{"2 session-id: 0x20"}},
	"a session id whose blanks alone are left": {[]string{onHTTP, "POST 1|h HTTP/1.1 200 OK\r\nMcp-Session-Id: … \t\r\n"}, []string{"2 session-id: 0x20"}},
	"a session id":                             {[]string{onHTTP, "POST 1|h HTTP/1.1 200 OK\r\nMCP-Session-Id: …a1b2\r\n"}, nil},
	"a session id with an ö":                   {[]string{onHTTP, "POST 1|h HTTP/1.1 200 OK\r\nMcp-Session-Id: ö\r\n"}, []string{"2 session-id: 0xC3"}},
	"an unknown field":                         {[]string{onHTTP, "GET 1|h event: message\ndate: x\ndata: {}\n\n"}, []string{`2 stream-line: the field "date"`}},
	"an unknown event":                         {[]string{onHTTP, "GET 1|h event: msg\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n"}, []string{`2 stream-line: type "msg"`}},
	"an event of one's own":                    {[]string{onHTTP, "GET 1|h event: close\nretry: 10\ndata: {}\n\n"}, nil},
	"a retry of words":                         {[]string{onHTTP, "GET 1|h retry: 2s\ndata: 1\n\n"}, []string{`2 stream-line: retry is "2s"`}},
	"an id with a NUL":                         {[]string{onHTTP, "GET 1|h id: a\x00\ndata: 1\n\n"}, []string{"2 stream-line: NUL"}},
	"a proper stream": {[]string{onHTTP, "GET 1|" + streamHead, "GET 1|h \ufeffid: 1\rretry:50\rdata\r\r", "GET 1|h : hi\r\n\r\n", "GET 1|h event: endpoint\ndata: /m\n\n",
		"POST 2|" + jsonHead, "POST 2|h <html>date: x", "POST 2|h HTTP/1.1 404 Not Found\r\n"}, nil},
}

// What the official SDK's server does, in both eras over HTTP, breaks no rule.
func TestOfficialConversationsHaveNoFindings(t *testing.T) {
	for _, path := range []string{"testdata/sdk-modern.jsonl", "testdata/sdk-legacy.jsonl"} {
		log, err := history.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if f := findings(log); len(f) != 0 || log.Len() < 100 {
			t.Errorf("%s: %d frames, %+v", path, log.Len(), f)
		}
		var s history.State
		s.CatchUp(log)
		if modern := strings.Contains(path, "modern"); s.Modern() != modern || s.Transport() != "http" || s.Phase() != history.Closed || len(s.Pending()) != 0 {
			t.Errorf("%s: modern %v, %s, %v, pending %v", path, s.Modern(), s.Transport(), s.Phase(), s.Pending())
		}
		_ = log.Close()
	}
}

// A finding says which version was spoken.
func TestFindingsKnowTheVersion(t *testing.T) {
	lines := append(handshake("2025-06-18", `POST 3|> {"jsonrpc":"2.0","id":1,"method":"x"}`), onHTTP, "< {}")
	lines = append(lines, modern("POST 3|"+call, got(1, "{}"))...)
	var versions []string
	for _, f := range findings(record(t, lines...)) {
		versions = append(versions, f.Version)
	}
	if want := []string{"2025-06-18", "", "2026-07-28"}; !slices.Equal(versions, want) {
		t.Errorf("%q", versions)
	}
}

// What is too long to be read holds nothing against the other side.
func TestLongRequestsAreNotRead(t *testing.T) {
	long := strings.Replace(call, `"name":"f"`, `"name":"f","arguments":{"x":"`+strings.Repeat("y", 1<<20)+`"}`, 1)
	if f := findings(record(t, modern(long, log, got(1, `{"resultType":"task"}`))...)); len(f) != 0 {
		t.Errorf("%+v", f)
	}
}

// Tokens and subscriptions that are over are forgotten in time.
func TestWhatIsOverIsForgotten(t *testing.T) {
	lines := modern()
	for i := range 600 {
		lines = append(lines, fmt.Sprintf(`> {"jsonrpc":"2.0","id":"c%d","method":"tools/call","params":{"_meta":{"progressToken":%d}}}`, i, i),
			fmt.Sprintf(`< {"jsonrpc":"2.0","id":"c%d","result":{}}`, i))
	}
	lines = append(lines, notified("notifications/progress", `"progressToken":1,"progress":1`), notified("notifications/progress", `"progressToken":599,"progress":1`))
	var got []string
	for _, f := range findings(record(t, lines...)) {
		got = append(got, f.Message)
	}
	if want := []string{"progress of 1, which no open request has", "progress of 599, whose request was answered"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Where nothing tells the era, only the first requests are read: a large file is
// opened without reading all of it twice.
func TestRequestsWithoutAVersionAreNotReadForEver(t *testing.T) {
	var c check.Checker
	reads := 0
	raw := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f"}}`)
	for i := range uint64(1000) {
		r := history.Record{Seq: i + 1, Dir: wire.Out, Kind: wire.Message, Form: wire.Request, ID: wire.Int(int64(i)), Method: "tools/call", Size: int64(len(raw))}
		c.Apply(&r, nil, func() []byte { reads++; return raw })
	}
	if reads == 0 || reads > 100 {
		t.Errorf("%d of 1000 requests were read", reads)
	}
}
