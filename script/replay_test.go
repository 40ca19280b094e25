package script_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
	"parley/history"
	"parley/script"
)

const (
	connected = `* {"event":"connected","epoch":1}`
	exited    = `* {"event":"exited","code":7}`
)

// record makes a log of lines: "> " toward the server, "< " from it, "* " events,
// "h " heads of HTTP requests.
func record(t *testing.T, lines ...string) *history.Log {
	t.Helper()
	log, err := history.Create(history.Options{Spool: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	for _, line := range lines {
		raw := []byte(line[2:])
		f := wire.Frame{Time: time.Unix(0, 0), Raw: raw, Size: int64(len(raw))}
		switch line[:2] {
		case "> ":
			f.Dir = wire.Out
		case "< ":
			f.Dir = wire.In
		case "* ":
			f.Kind = wire.Event
		case "h ":
			f.Dir, f.Kind = wire.Out, wire.HTTP
		default:
			t.Fatalf("%q begins with no mark", line)
		}
		if f.Dir != wire.None && f.Kind != wire.HTTP {
			if f.Head = wire.Scan(raw); !f.Head.Form.IsMessage() {
				f.Kind = wire.Stray
			}
		}
		log.Append([]wire.Frame{f})
	}
	return log
}

// outcome is what a replay tells.
type outcome struct {
	steps []script.Replayed
	err   error
	live  *history.Log
}

// summary is "frame verdict method" a step, with the paths that differ.
func (o outcome) summary() []string {
	var out []string
	for _, s := range o.steps {
		line := fmt.Sprintf("%d %s %s", s.Recorded, s.Verdict, s.Method)
		for _, d := range s.Differences {
			line += " " + d.Path
		}
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

// replay sends a recording to scripted servers, one a connection.
func replay(t *testing.T, recorded *history.Log, servers ...string) outcome {
	t.Helper()
	var o outcome
	synctest.Test(t, func(t *testing.T) {
		var err error
		if o.live, err = history.Create(history.Options{Spool: true}); err != nil {
			t.Fatal(err)
		}
		c := client.New(o.live, func(sink wire.Sink, epoch int) (client.Conn, error) {
			if epoch > len(servers) {
				return nil, errors.New("no such connection")
			}
			return clienttest.Connect(t, servers[epoch-1], sink, epoch), nil
		}, client.Options{NoHandshake: true, Timeout: time.Second})
		if err := c.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		o.err = script.Replay(t.Context(), recorded, o.live, c, func(r script.Replayed) { o.steps = append(o.steps, r) })
		_ = c.Close(t.Context())
	})
	t.Cleanup(func() { _ = o.live.Close() })
	return o
}

func TestReplayVerdicts(t *testing.T) {
	const ask, answered = `> {"jsonrpc":"2.0","id":"x-1","method":"tools/call","params":{"name":"add"}}`, `< {"jsonrpc":"2.0","id":"x-1","result":{"n":1.0,"at":"now"}}`
	for name, c := range map[string]struct {
		recorded []string
		server   string
		want     []string
	}{
		"the same but for the id and spelling": {[]string{connected, ask, answered}, "> tools/call\nanswer {\"at\":\"now\",\"n\":1}", []string{"2 same tools/call"}},
		"another value":                        {[]string{connected, ask, answered}, "> tools/call\nanswer {\"n\":2,\"at\":\"now\"}", []string{"2 differs tools/call .result.n"}},
		"a member more and one less":           {[]string{connected, ask, answered}, "> tools/call\nanswer {\"n\":1,\"by\":\"me\"}", []string{"2 differs tools/call .result.at .result.by"}},
		"an error instead":                     {[]string{connected, ask, answered}, "> tools/call\nfail {\"code\":-32603,\"message\":\"no\"}", []string{"2 differs tools/call .result .error"}},
		"the same error": {[]string{connected, ask, `< {"jsonrpc":"2.0","id":"x-1","error":{"code":-32603,"message":"no"}}`},
			"> tools/call\nfail {\"code\":-32603,\"message\":\"no\"}", []string{"2 same tools/call"}},
		"no answer now":            {[]string{connected, ask, answered}, "> tools/call", []string{"2 missing tools/call"}},
		"no answer then":           {[]string{connected, ask}, "> tools/call\nanswer {}", []string{"2 missing tools/call"}},
		"no answer, neither time":  {[]string{connected, ask}, "> tools/call", []string{"2 same tools/call"}},
		"notifications, raw lines": {[]string{connected, `> {"jsonrpc":"2.0","method":"notifications/initialized"}`, `> hello?`}, ">= {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n>= hello?", []string{"2 sent notifications/initialized", "3 sent"}},
		"it goes on after a timeout": {[]string{connected, ask, answered, `> {"jsonrpc":"2.0","id":2,"method":"ping"}`, `< {"jsonrpc":"2.0","id":2,"result":{}}`},
			"> tools/call\n> notifications/cancelled\n> ping\nanswer {}", []string{"2 missing tools/call", "4 same ping"}},
		"a subscription without an end": {[]string{connected, `> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, `> {"jsonrpc":"2.0","id":2,"method":"ping"}`, `< {"jsonrpc":"2.0","id":2,"result":{}}`},
			"> subscriptions/listen\n> ping\nanswer {}", []string{"2 sent subscriptions/listen", "3 same ping"}},
		"what was cancelled": {[]string{connected, ask, `> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x-1"}}`, `> {"jsonrpc":"2.0","id":2,"method":"ping"}`, `< {"jsonrpc":"2.0","id":2,"result":{}}`},
			"> tools/call\n> ping\nanswer {}", []string{"2 sent tools/call", "4 same ping"}},
		"answers to the server are not sent again": {[]string{connected, `< {"jsonrpc":"2.0","id":5,"method":"ping"}`, `> {"jsonrpc":"2.0","id":5,"result":{}}`}, "eof", nil},
		"a crash, both times":                      {[]string{connected, ask, exited}, "> tools/call\nexit 7", []string{"2 same tools/call"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := replay(t, record(t, c.recorded...), c.server)
			if got := o.summary(); !slices.Equal(got, c.want) || o.err != nil {
				t.Errorf("got %q, %v, want %q", got, o.err, c.want)
			}
		})
	}
}

func TestReplayMapsIDs(t *testing.T) {
	o := replay(t, record(t, connected,
		`> {"jsonrpc":"2.0","method":"ping","id":7}`, `< {"jsonrpc":"2.0","id":7,"result":{}}`,
		`> { "id" : "seven", "jsonrpc":"2.0","method":"ping"}`, `< {"jsonrpc":"2.0","id":"seven","result":{}}`),
		`>= {"jsonrpc":"2.0","method":"ping","id":0}
answer {}
>= { "id" : 1, "jsonrpc":"2.0","method":"ping"}
answer {}`)
	if got, want := o.summary(), []string{"2 same ping", "4 same ping"}; !slices.Equal(got, want) || o.err != nil {
		t.Errorf("got %q, %v", got, o.err)
	}
	for _, s := range o.steps {
		r, ok := o.live.Record(s.Now)
		if !ok || r.Of != s.Recorded || r.By != wire.ByReplay {
			t.Errorf("frame %d is %+v, want it to be of frame %d by replay", s.Now, r, s.Recorded)
		}
	}
}

func TestReplayEndsWithTheConnection(t *testing.T) {
	o := replay(t, record(t, connected,
		`> {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`,
		`> {"jsonrpc":"2.0","id":2,"method":"ping"}`, `< {"jsonrpc":"2.0","id":2,"result":{}}`),
		"> ping\nexit 3")
	var ended *wire.ExitError
	if got := o.summary(); !slices.Equal(got, []string{"2 missing ping"}) || !errors.As(o.err, &ended) || ended.Code != 3 {
		t.Errorf("got %q, %v, want that it ends with exit 3", got, o.err)
	}
}

func TestReplayConnectsAgainWhereTheRecordingDid(t *testing.T) {
	recorded := record(t, connected,
		`> {"jsonrpc":"2.0","id":0,"method":"ping"}`, exited,
		`* {"event":"connected","epoch":2}`, exited,
		`* {"event":"connected","epoch":3}`, `> {"jsonrpc":"2.0","id":0,"method":"ping"}`, `< {"jsonrpc":"2.0","id":0,"result":{}}`)
	o := replay(t, recorded, "> ping\nexit 7", "> ping\nanswer {}")
	if got, want := o.summary(), []string{"2 same ping", "7 same ping"}; !slices.Equal(got, want) || o.err != nil {
		t.Errorf("got %q, %v, want %q", got, o.err, want)
	}
	o = replay(t, recorded, "> ping\nexit 7")
	if len(o.steps) != 1 || o.err == nil || o.err.Error() != "no such connection" {
		t.Errorf("a connection that cannot be had: %q, %v", o.summary(), o.err)
	}
}

func TestStepsLeaveOutWhatIsNotSentAgain(t *testing.T) {
	log := record(t, connected,
		`> {"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"a"}}`,
		`< {"jsonrpc":"2.0","id":9,"method":"roots/list"}`,
		`> {"jsonrpc":"2.0","id":9,"result":{}}`,
		`> {"jsonrpc":"2.0","id":10,"error":{"code":1,"message":"x"}}`,
		`> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`,
		`> [{"jsonrpc":"2.0","id":3,"method":"ping"}]`,
		`> junk`, "h POST /mcp HTTP/1.1\r\n")
	want := []script.Resend{
		{Seq: 2, Form: wire.Request, Method: "tools/call", Name: "a"},
		{Seq: 7, Form: wire.Batch}, {Seq: 8, Form: wire.Garbage},
	}
	if got := script.Steps(log); !slices.Equal(got, want) {
		t.Errorf("steps are %+v, want %+v", got, want)
	}
	if got := script.Steps(record(t, connected)); got != nil {
		t.Errorf("a session without messages has steps %+v", got)
	}
}

func TestDangerousToolsAreThoseThatDoNotOnlyRead(t *testing.T) {
	const list = `< {"jsonrpc":"2.0","id":0,"result":{"tools":[
{"name":"reads","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
{"name":"writes","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}},
{"name":"silent","inputSchema":{"type":"object"}}]}}`
	call := func(id int, name string) string {
		return fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`, id, name)
	}
	lines := []string{connected, `> {"jsonrpc":"2.0","id":0,"method":"tools/list"}`, strings.ReplaceAll(list, "\n", "")}
	for i, name := range []string{"reads", "writes", "silent", "writes", "unlisted"} {
		lines = append(lines, call(i+1, name))
	}
	if got, want := script.Dangerous(record(t, lines...)), []string{"writes", "silent", "unlisted"}; !slices.Equal(got, want) {
		t.Errorf("dangerous are %q, want %q", got, want)
	}
	if got := script.Dangerous(record(t, connected, call(1, "reads"))); !slices.Equal(got, []string{"reads"}) {
		t.Errorf("without a list every tool is dangerous: %q", got)
	}
	if got := script.Dangerous(record(t, connected, `> {"jsonrpc":"2.0","id":1,"method":"ping"}`)); got != nil {
		t.Errorf("without calls nothing is: %q", got)
	}
}

func TestReplayedAsJSON(t *testing.T) {
	r := script.Replayed{Recorded: 4, Now: 5, Method: "tools/call", Name: "<a>", Verdict: script.Differs,
		Differences: []history.Difference{{Path: ".result.n", Kind: history.Changed, Recorded: "1", Now: "2"}, {Path: ".result.x", Kind: history.Added, Now: `"y"`}}}
	const want = `{"frame":4,"now":5,"method":"tools/call","name":"<a>","verdict":"differs","differences":[{"path":".result.n","kind":"changed","recorded":"1","now":"2"},{"path":".result.x","kind":"added","now":"\"y\""}]}`
	for r, want := range map[*script.Replayed]string{
		&r:                                  want,
		{Recorded: 2, Verdict: script.Sent}: `{"frame":2,"verdict":"sent"}`,
	} {
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(r); err != nil || strings.TrimSpace(b.String()) != want {
			t.Errorf("got %s, %v, want %s", b.String(), err, want)
		}
	}
}

func TestReplayedAsALine(t *testing.T) {
	for want, r := range map[string]script.Replayed{
		"    4  same     tools/call add":               {Recorded: 4, Verdict: script.Same, Method: "tools/call", Name: "add"},
		"    5  sent     raw line":                     {Recorded: 5, Verdict: script.Sent},
		"   12  missing  ping  no answer to ping in 1": {Recorded: 12, Verdict: script.Missing, Method: "ping", Problem: "no answer to ping in 1"},
	} {
		if got := r.Line(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Some texts mean something only to the server that gave them: the ones of now are sent.
func TestReplaySendsWhatTheServerOfNowGave(t *testing.T) {
	o := replay(t, record(t, connected,
		`> {"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"a"}}`,
		`< {"jsonrpc":"2.0","id":0,"result":{"resultType":"input_required","requestState":"then\u0031","inputRequests":{}}}`,
		`> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","requestState":"then\u0031", "x":1.0}}`,
		`< {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t-then","status":"working"}}`,
		`> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"t-then"}}`,
		`< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","task":{"taskId":"t-then","status":"completed"}}}`,
		`> {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"of somebody else"}}`,
		`< {"jsonrpc":"2.0","id":3,"result":{}}`,
	), `> tools/call
answer {"resultType":"input_required","requestState":"no\u0077\/=","inputRequests":{}}
>= {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","requestState":"no\u0077\/=", "x":1.0}}
answer {"resultType":"task","taskId":"t-now","status":"working"}
>= {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"t-now"}}
answer {"resultType":"complete","task":{"taskId":"t-now","status":"failed"}}
>= {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"of somebody else"}}
answer {}`)
	want := []string{"2 same tools/call", "4 same tools/call", "6 differs tasks/get .result.task.status", "8 same tasks/get"}
	if got := o.summary(); o.err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, o.err)
	}
}
