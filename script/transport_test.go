package script_test

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/history"
	"parley/script"
)

// part is a piece of the script that every connection runs, and all that it has to say:
// what is printed, then what is noted, then the error.
type part struct{ name, lines, want string }

// parts are the script. What of a result depends on the version, such as how long it
// counts, is not printed.
var parts = []part{
	{"lists", `
let x = tools
$x.tools | map(.name)
let x = resources
$x.resources | map(.uri)
let x = templates
$x.resourceTemplates | map(.uriTemplate)
let x = prompts
$x.prompts | map([.name, .arguments[].name])
schema add
`, `
["add","count","echo","log","patient","refuse","slow","touch"]
["test://one","test://status","test://three","test://two"]
["test://item/{id}"]
[["greet","name"]]
{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}}}
`},
	{"calls", `
call add a=2 b:=3.50
call echo text="two\nlines and ünïcode"
let x = call add {"a": 1, "b": 1}
expect $x.content[0].text == '2'
expect not $x.isError
`, `
5.5
two
lines and ünïcode
`},
	{"errors", `
! call refuse ~ /this tool refuses/
! call add a=two
! call nosuch
! call --force nosuch ~ /-32602/
! get nosuch ~ /-32602/
! read test://nothing ~ /-32602/
`, `
failed as expected: the tool refuse answered with an error: this tool refuses
failed as expected: argument a=two: expected a number, found "two"
failed as expected: the server lists no tool "nosuch"
failed as expected: tools/call nosuch: invalid params (-32602)
failed as expected: prompts/get nosuch: invalid params (-32602)
failed as expected: resources/read: invalid params (-32602)
`},
	{"an unknown method", `
! request nosuch/method ~ /-32601/
`, `
failed as expected: nosuch/method: method not found (-32601)
`},
	{"resources", `
let x = read test://one
$x.contents | map([.uri, .text])
let x = read test://item/7
$x.contents[0].text
`, `
[["test://one","the text of one"]]
item 7
`},
	{"prompts", `
let x = get greet name="Ada L."
$x.messages
let x = complete greet name A
$x.completion
let x = complete test://item/{id} id 1
$x.completion.values
`, `
[{"content":{"type":"text","text":"greet Ada L."},"role":"user"}]
{"total":2,"values":["Ada","ref/prompt"]}
["1da","ref/resource"]
`},
	{"raw lines", `
let x = {"jsonrpc":"2.0","id":"raw", "method":"prompts/get","params":{"name":"nosuch"}}
$x.id
$x.error.code
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}
`, `
raw
-32602
`},
	{"progress", `
call count
let a = wait notifications/progress
let b = wait notifications/progress
let c = wait notifications/progress
([$a, $b, $c] | map(.params.progress))
`, `
counted
[1,2,3]
`},
	{"log messages", `
set log-level alert
call log
let a = wait notifications/message
let b = wait notifications/message
([$a, $b] | map([.params.level, .params.data]))
`, `
logged
[["alert","a alert"],["emergency","a emergency"]]
`},
	{"subscriptions", `
subscribe test://status test://one
call touch
let x = wait notifications/resources/updated
$x.params.uri
`, `
touched
test://status
`},
	{"the end of subscriptions", `
unsubscribe test://status test://one
call touch
! wait notifications/resources/updated 50ms ~ /no notifications.resources.updated/
`, `
touched
failed as expected: no notifications/resources/updated in 50ms
`},
	{"cancelling", `
set timeout 100ms
! call slow ~ /no answer to tools.call after 100ms/
set timeout 5s
call patient
`, `
slow was cancelled
failed as expected: no answer to tools/call after 100ms
`},
	{"a new connection", `
restart
call echo text=again
disconnect
! call echo text=no
connect
call echo text=back
`, `
again
back
failed as expected: the connection is closed
`},
}

// protocols are what a connection is asked for, and the version that it then speaks
// over most transports.
var protocols = []struct{ asked, spoken string }{
	{mcp.V20241105, mcp.V20241105}, {mcp.V20250326, mcp.V20250326}, {mcp.V20250618, mcp.V20250618}, {mcp.V20251125, mcp.V20251125},
	{"legacy", mcp.V20251125}, {"modern", mcp.V20260728}, {"auto", mcp.V20260728},
}

var (
	statefulHTTP   = []string{"http with sessions", "http with sessions, JSON"}
	statelessHTTP  = []string{"http without sessions", "http without sessions, JSON"}
	overSSE        = []string{"http+sse", "http+sse, found out"}
	legacyVersions = []string{mcp.V20241105, mcp.V20250326, mcp.V20250618, mcp.V20251125, "legacy"}
)

// differs says what the SDK does otherwise over a transport, and why.
type differs struct {
	ways      []string // all if there are none
	protocols []string // all if there are none
	parts     []string // that cannot be had; all if there are none
	why       string
}

var differences = []differs{
	{ways: statefulHTTP, protocols: []string{"modern"}, why: "the SDK's sessions are those of the legacy versions"},
	{ways: overSSE, protocols: []string{"modern"}, why: "HTTP+SSE is a transport of 2024-11-05"},
	{ways: slices.Concat(statefulHTTP, statelessHTTP, overSSE), protocols: legacyVersions, parts: []string{"an unknown method"},
		why: "the SDK answers an unknown method with 400 and a line of text"},
	{ways: slices.Concat(statefulHTTP, overSSE), protocols: []string{"auto"}, parts: []string{"an unknown method"}, why: "auto finds a legacy server there, and so the same"},
	{ways: statelessHTTP, protocols: legacyVersions, parts: []string{"log messages", "subscriptions", "the end of subscriptions", "cancelling"},
		why: "without a session the SDK knows nothing of an earlier request"},
	{ways: []string{"http without sessions, JSON"}, parts: []string{"progress", "log messages"},
		why: "a JSON response has room for nothing else, and without a session there is no other stream"},
	{protocols: []string{"modern", "auto"}, parts: []string{"the end of subscriptions"},
		why: "who listens no more says so and awaits no answer: what is told next may still come"},
}

// TestTransports runs one script over every transport and with every version: it has
// to give the same.
func TestTransports(t *testing.T) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			for _, p := range protocols {
				if _, none := missing(w.name, p.asked); none != "" {
					t.Logf("not with %s: %s", p.asked, none)
					continue
				}
				t.Run(p.asked, func(t *testing.T) {
					t.Parallel()
					overTransport(t, w, p.asked, p.spoken)
				})
			}
		})
	}
}

// missing says which parts a connection cannot have; all why it cannot be had.
func missing(w, protocol string) (names []string, all string) {
	for _, d := range differences {
		if len(d.ways) > 0 && !slices.Contains(d.ways, w) || len(d.protocols) > 0 && !slices.Contains(d.protocols, protocol) {
			continue
		}
		if len(d.parts) == 0 {
			return nil, d.why
		}
		names = append(names, d.parts...)
	}
	return names, ""
}

func overTransport(t *testing.T, w way, asked, spoken string) {
	without, _ := missing(w.name, asked)
	h := &transportHost{t: t, dial: w.open(t, sdkServer(t))}
	in := script.New(script.Options{Host: h})
	defer func() {
		_ = in.Close(context.Background())
		if t.Failed() && h.log != nil {
			h.tell()
		}
		if h.log != nil {
			_ = h.log.Close()
		}
	}()
	if wrong := h.run(in, "set protocol "+asked+"\nset timeout 5s\nconnect\n"); wrong != "" {
		t.Fatal(wrong)
	}
	if asked == "auto" && slices.Contains(slices.Concat(statefulHTTP, overSSE), w.name) {
		spoken = mcp.LatestLegacy
	}
	if info, ok := in.Link().Client.Server(); !ok || info.ProtocolVersion != spoken {
		t.Fatalf("speaks %q, want %s", info.ProtocolVersion, spoken)
	}
	for _, p := range parts {
		if slices.Contains(without, p.name) {
			continue
		}
		if got := h.run(in, p.lines[1:]); got != p.want[1:] {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", p.name, got, p.want[1:])
			return
		}
	}
}

// transportHost is the program that the script runs in.
type transportHost struct {
	t          *testing.T
	dial       client.Dial
	log        *history.Log
	out, notes strings.Builder
	from       uint64 // the first frame of the lines at hand
	bare       bool   // without a handshake
	settings   *script.Settings
}

// run gives all that a script has to say.
func (h *transportHost) run(in *script.Interp, lines string) string {
	h.out.Reset()
	h.notes.Reset()
	if h.log != nil {
		h.from = h.log.Len() + 1
	}
	s, err := script.Parse("script", []byte(lines))
	if err != nil {
		h.t.Fatal(err)
	}
	if err := in.Run(h.t.Context(), s, script.RunOptions{}); err != nil {
		fmt.Fprintln(&h.notes, err)
	}
	return h.out.String() + h.notes.String()
}

// tell logs what went over the connection last.
func (h *transportHost) tell() {
	var b strings.Builder
	h.log.Records(h.from, h.log.Len(), func(r *history.Record) bool {
		raw, _ := h.log.Bytes(r.Seq, 0, 300)
		fmt.Fprintf(&b, "%d %s %s %s %s\n", r.Seq, r.Dir, r.Kind, r.Via, strings.TrimSpace(string(raw)))
		return true
	})
	h.t.Log(b.String())
}

// Connect implements script.Host.
func (h *transportHost) Connect(ctx context.Context, _ []string, settings *script.Settings) (*script.Link, error) {
	log, err := history.Create(history.Options{Spool: true})
	if err != nil {
		return nil, err
	}
	h.log, h.settings = log, settings
	opt := client.Options{Name: "parley", Version: "1", Listen: true, NoHandshake: h.bare}
	settings.Apply(&opt)
	c := client.New(log, h.dial, opt)
	if err := c.Connect(ctx); err != nil {
		return nil, err
	}
	return &script.Link{Client: c, Log: log, Close: c.Close}, nil
}

// Show implements script.Host.
func (h *transportHost) Show(o *script.Outcome) error {
	raw, err := o.Bytes()
	if err != nil {
		return err
	}
	switch text, isText := rawjson.Unquote(raw); {
	case o.Verb == "call":
		for _, c := range mcp.DecodeCall(raw).Content {
			fmt.Fprintln(&h.out, c.Text)
		}
	case isText:
		fmt.Fprintln(&h.out, text)
	default:
		fmt.Fprintf(&h.out, "%s\n", raw)
	}
	return nil
}

// Note implements script.Host. The server's words behind a code are those of its
// transport, too.
func (h *transportHost) Note(_, text string) {
	fmt.Fprintln(&h.notes, behindCode.ReplaceAllString(text, "$1"))
}

var behindCode = regexp.MustCompile(`(\(-\d+\)).*`)

// Stdin implements script.Host.
func (*transportHost) Stdin() io.Reader { return strings.NewReader("") }
