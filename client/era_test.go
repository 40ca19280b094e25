package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/mcp"
	"parley/client/wire"
)

// meta is the envelope of the requests of these tests, as it goes over the wire.
const meta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

const (
	asksFirst   = "\n>= {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"server/discover\",\"params\":{\"_meta\":" + meta + "}}\n"
	isModern    = `answer {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2"}},"ttlMs":0,"cacheScope":"private"}` + "\n"
	shakeSecond = `
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
answer {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"2"}}
>= {"jsonrpc":"2.0","method":"notifications/initialized"}
`
	refusesInitialize = `fail {"code":-32600,"message":"initialize is gone","data":{"supported":["2026-07-28"]}}` + "\n"
)

// How a server is found to be spoken to.
func TestErasOfServers(t *testing.T) {
	tests := []struct {
		name     string
		protocol string
		guess    client.Era
		script   string
		era      client.Era
		version  string
		by       wire.Origin // of server/discover
		notices  int
	}{
		{"legacy", "", 0, shake, client.Legacy, "2025-11-25", 0, 0},
		{"legacy by name", "legacy", 0, shake, client.Legacy, "2025-11-25", 0, 0},
		{"modern by name", "modern", 0, asksFirst + isModern, client.Modern, "2026-07-28", wire.ByAuto, 0},
		{"modern by version", "2026-07-28", 0, asksFirst + isModern, client.Modern, "2026-07-28", wire.ByAuto, 0},
		{"auto finds modern", "auto", 0, asksFirst + isModern, client.Modern, "2026-07-28", wire.ByProbe, 0},
		{"auto finds legacy: method not found", "auto", 0, asksFirst + `fail {"code":-32601,"message":"Method not found"}` + shakeSecond,
			client.Legacy, "2025-11-25", wire.ByProbe, 0},
		{"auto finds legacy: invalid params", "auto", 0, asksFirst + `fail {"code":-32602,"message":"Invalid request parameters"}` + shakeSecond,
			client.Legacy, "2025-11-25", wire.ByProbe, 0},
		{"auto finds legacy: an empty result", "auto", 0, asksFirst + `answer {}` + shakeSecond,
			client.Legacy, "2025-11-25", wire.ByProbe, 0},
		{"auto finds legacy: only versions of then", "auto", 0,
			asksFirst + `answer {"supportedVersions":["2025-11-25","2025-06-18"],"capabilities":{}}` + shakeSecond,
			client.Legacy, "2025-11-25", wire.ByProbe, 0},
		{"auto finds legacy: unsupported version", "auto", 0,
			asksFirst + `fail {"code":-32022,"message":"no","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}` + shakeSecond,
			client.Legacy, "2025-11-25", wire.ByProbe, 0},
		{"auto finds legacy: silence", "auto", 0, asksFirst + shakeSecond, client.Legacy, "2025-11-25", wire.ByProbe, 1},
		{"auto finds a modern one that starts slowly", "auto", 0,
			asksFirst + "> initialize\n" + refusesInitialize + "> server/discover\n" + isModern, client.Modern, "2026-07-28", wire.ByProbe, 2},
		{"auto, a capability is missing", "auto", 0, asksFirst + `fail {"code":-32021,"message":"no","data":{"requiredCapabilities":{"sampling":{}}}}`,
			client.Modern, "2026-07-28", wire.ByProbe, 0},
		{"auto, refused at first", "auto", 0,
			asksFirst + `fail {"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}` + "\n> server/discover\n" + isModern,
			client.Modern, "2026-07-28", wire.ByProbe, 0},
		{"auto, guessed modern", "auto", client.Modern, asksFirst + isModern, client.Modern, "2026-07-28", wire.ByAuto, 0},
		{"auto, guessed modern and wrong", "auto", client.Modern, asksFirst + `fail {"code":-32601,"message":"?"}` + shakeSecond,
			client.Legacy, "2025-11-25", wire.ByAuto, 1},
		{"auto, guessed legacy", "auto", client.Legacy, shake, client.Legacy, "2025-11-25", 0, 0},
		{"auto, guessed legacy and wrong", "auto", client.Legacy, "> initialize\n" + refusesInitialize + "> server/discover\n" + isModern,
			client.Modern, "2026-07-28", wire.ByProbe, 1},
		{"modern that does not know discover", "modern", 0, asksFirst + `fail {"code":-32601,"message":"Method not found"}`,
			client.Modern, "2026-07-28", wire.ByAuto, 1},
		{"modern, a newer version", "2027-01-01", 0, "> server/discover\n" +
			`fail {"code":-32022,"message":"no","data":{"supported":["2026-07-28","2025-11-25"],"requested":"2027-01-01"}}` + "\n> server/discover\n" + isModern,
			client.Modern, "2026-07-28", wire.ByAuto, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var notices []string
			opt := client.Options{Protocol: tt.protocol, Guess: tt.guess, Notice: func(text string) { notices = append(notices, text) }}
			story(t, opt, tt.script, func(t *testing.T, c *client.Client, log *clienttest.Log) {
				connect(t, c)
				info, ok := c.Server()
				if c.Era() != tt.era || info.ProtocolVersion != tt.version || !ok {
					t.Errorf("%v %q, %v", c.Era(), info.ProtocolVersion, ok)
				}
				for _, f := range log.Frames() {
					if f.Head.Method == "server/discover" && f.By != tt.by {
						t.Errorf("server/discover was sent by %v", f.By)
					}
					if f.Head.Method == "notifications/cancelled" {
						t.Error("the server was told of a cancelled request")
					}
				}
				if len(notices) != tt.notices || strings.Count(log.String(), `"event":"notice"`) != tt.notices {
					t.Errorf("notices %q, want %d", notices, tt.notices)
				}
			})
		})
	}
}

// What a wrong choice of era says, and which flag it names.
func TestErasThatDoNotFit(t *testing.T) {
	tests := []struct {
		name, protocol, script string
		word, says, hint       string
	}{
		{"a modern server asked in legacy", "legacy", "> initialize\n" + refusesInitialize,
			"handshake", "initialize is gone", "--protocol modern"},
		{"a modern server that names its version in words", "", `> initialize
fail {"code":-32000,"message":"this server speaks only 2026-07-28"}`, "handshake", "speaks only 2026-07-28", "--protocol modern"},
		{"a server that does not know initialize", "legacy", `> initialize
fail {"code":-32601,"message":"Method not found"}`, "handshake", "method not found", "--protocol modern"},
		{"a legacy server asked in modern", "modern", asksFirst + `fail {"code":-32602,"message":"Invalid request parameters"}`,
			"handshake", "refused server/discover", "--protocol legacy"},
		{"a legacy server that says so", "modern", asksFirst + `answer {"supportedVersions":["2025-11-25","2024-11-05"],"capabilities":{}}`,
			"version", "offered 2026-07-28, the server speaks 2025-11-25, 2024-11-05", "--protocol legacy"},
		{"an older legacy server that says so", "2026-07-28", asksFirst + `fail {"code":-32022,"message":"no","data":{"supported":["2024-11-05"],"requested":"2026-07-28"}}`,
			"version", "the server speaks 2024-11-05", "--protocol 2024-11-05"},
		{"versions that nobody knows", "auto", asksFirst + `answer {"supportedVersions":["2030-01-01"],"capabilities":{}}`,
			"version", `the server speaks "2030-01-01"`, "parley speaks 2026-07-28, 2025-11-25"},
		{"no version at all", "modern", asksFirst + `fail {"code":-32022,"message":"no"}`,
			"version", "did not say what it speaks", "--protocol offers"},
		{"a server that refuses one version for ever", "auto", asksFirst +
			`fail {"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}` + "\n> server/discover\n" + `fail {"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}`,
			"version", "refuses version 2026-07-28 and says that it speaks 2026-07-28", "contradicts itself"},
		{"an odd refusal of initialize", "legacy", "> initialize\nfail {\"code\":-32000,\"message\":\"no\"}",
			"handshake", "with version 2025-11-25", "--protocol auto"},
		{"neither of both", "auto", asksFirst + "fail {\"code\":-32601,\"message\":\"no discover\"}\n> initialize\nfail {\"code\":-32601,\"message\":\"no initialize\"}",
			"handshake", "no initialize; and server/discover before that: method not found (-32601): no discover", "--protocol modern does without initialize and"},
		{"an error without an id", "legacy", `> initialize
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"cannot read that"}}`, "handshake", "cannot read that", "--protocol"},
		{"errors without an id, in both eras", "auto", asksFirst + `< {"jsonrpc":"2.0","error":{"code":-32600,"message":"what?"}}
> initialize
< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`, "handshake", "no; and server/discover before that: invalid request (-32600): what?", "--protocol modern"},
		{"a server that ends on the probe", "auto", "> server/discover\nexit 3", "exited", "when it was asked server/discover", "--protocol legacy"},
		{"a server that is silent in modern", "modern", asksFirst + "eof", "timeout", "no answer to server/discover after 20s", "--protocol legacy"},
		{"another version than the pinned", "2024-11-05", `> initialize
fail {"code":-32602,"message":"no","data":{"supported":["2025-06-18"],"requested":"2024-11-05"}}`, "handshake", "with version 2024-11-05", "--protocol 2025-06-18"},
		{"guesses do not hide who refused", "auto", asksFirst + "fail {\"code\":-32601,\"message\":\"?\"}\n> initialize\nfail {\"code\":-32603,\"message\":\"broken\"}",
			"handshake", "broken", "stderr"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			story(t, client.Options{Protocol: tt.protocol, Timeout: 20 * time.Second}, tt.script, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
				err := c.Connect(t.Context())
				var said interface {
					Word() string
					Hint() string
				}
				if !errors.As(err, &said) {
					t.Fatalf("got %v", err)
				}
				err = client.About("initialize", err)
				if said.Word() != tt.word || !strings.Contains(err.Error(), tt.says) || !strings.Contains(said.Hint(), tt.hint) {
					t.Errorf("%s: %v\nhint: %s", said.Word(), err, said.Hint())
				}
				<-c.Done()
			})
		})
	}
}

// modern runs a test with a modern server that is connected to.
func modern(t *testing.T, opt client.Options, script string, fn func(t *testing.T, c *client.Client, log *clienttest.Log)) {
	t.Helper()
	opt.Protocol = "modern"
	story(t, opt, "> server/discover\n"+isModern+script, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		t.Helper()
		connect(t, c)
		fn(t, c, log)
	})
}

func TestModernRequestsHaveAnEnvelopeAndNotificationsNone(t *testing.T) {
	const answer = "\nanswer {\"resultType\":\"complete\"}\n"
	modern(t, client.Options{}, `
>= {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":`+meta+`}}`+answer+`
>= {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x", "arguments" : {"n":1.0},"_meta":`+meta+`}}`+answer+`
>= {"jsonrpc":"2.0","method":"notifications/odd","params":{"a":1}}
`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		for _, r := range [][2]string{{"tools/list", ""}, {"tools/call", `{"name":"x", "arguments" : {"n":1.0}}`}} {
			if _, err := c.Request(t.Context(), r[0], []byte(r[1]), client.CallOptions{}); err != nil {
				t.Error(err)
			}
		}
		if _, err := c.Notify(t.Context(), "notifications/odd", []byte(`{"a":1}`), wire.ByConsole); err != nil {
			t.Error(err)
		}
	})
}

// What Preview shows is what Request sends, to the byte.
func TestPreviewIsWhatIsSent(t *testing.T) {
	for _, protocol := range []string{"legacy", "modern"} {
		for _, params := range []string{"", `{}`, `{"a":1}`, `{ "_meta" : {"x/y":null} }`, `[1]`, `null`} {
			begin := "> initialize\nanswer {\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{}}\n> notifications/initialized\n"
			if protocol == "modern" {
				begin = "> server/discover\n" + isModern
			}
			opt := client.Options{Protocol: protocol, LogLevel: "debug", Extensions: []string{"com.example/x"}, Roots: []string{"/r"}}
			story(t, opt, begin+"> odd/method\nanswer {}", func(t *testing.T, c *client.Client, log *clienttest.Log) {
				call := client.CallOptions{Progress: true, Force: true}
				before := c.Preview("odd/method", []byte(params), call)
				connect(t, c)
				want := c.Preview("odd/method", []byte(params), call)
				if _, err := c.Request(t.Context(), "odd/method", []byte(params), call); err != nil {
					t.Error(err)
				}
				frames := log.Frames()
				i := slices.IndexFunc(frames, func(f wire.Frame) bool { return f.Head.Method == "odd/method" })
				if got := string(frames[i].Raw); got != string(want) || string(before) != got {
					t.Errorf("sent\n%s previewed\n%s and before there was a connection\n%s", got, want, before)
				}
			})
		}
	}
}

func TestServersThatAskInAModernConnectionGetNoAnswer(t *testing.T) {
	modern(t, client.Options{Roots: []string{"/r"}}, `
> tools/list
< {"jsonrpc":"2.0","id":"p","method":"ping"}
< {"jsonrpc":"2.0","id":"r","method":"roots/list"}
answer {"resultType":"complete","tools":[]}
eof`, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		if _, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil {
			t.Error(err)
		}
		_ = c.Close(t.Context())
		for _, f := range log.Frames() {
			if f.Dir == wire.Out && f.Head.Form.IsResponse() {
				t.Errorf("sent %s", f.Raw)
			}
		}
	})
}

// Over standard input and output a modern request is cancelled by a notification.
func TestModernCancelOfAPipe(t *testing.T) {
	modern(t, client.Options{}, `
> {"jsonrpc":"2.0","id":1,"method":"tools/call",...}
>= {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"no answer to tools/call after 1s"}}
`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		_, err := c.Request(t.Context(), "tools/call", client.CallParams("x", nil), client.CallOptions{Timeout: time.Second})
		var timeout *client.TimeoutError
		if !errors.As(err, &timeout) {
			t.Error(err)
		}
	})
}

func TestListenHasNoTimeoutAndTheServerMayEndIt(t *testing.T) {
	modern(t, client.Options{Timeout: time.Second}, "> subscriptions/listen\nsleep 48h\n"+
		`< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		_, err := c.Request(t.Context(), "subscriptions/listen", []byte(`{"notifications":{}}`), client.CallOptions{})
		if !errors.Is(err, client.ErrEnded) {
			t.Error(err)
		}
	})
}

// A refused version is met by another that the server names, with the same request.
func TestModernRequestInAnotherVersion(t *testing.T) {
	modern(t, client.Options{}, `
> tools/list
fail {"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}
> {"jsonrpc":"2.0","id":2,"method":"tools/list",...}
answer {"resultType":"complete","tools":[]}
> tools/list
fail {"code":-32022,"message":"no","data":{"supported":["2025-11-25"],"requested":"2026-07-28"}}
`, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		p, err := c.Start(t.Context(), "tools/list", nil, client.CallOptions{By: wire.ByForm})
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.Wait(t.Context())
		if err != nil || a.Request.Seq == p.Seq() {
			t.Errorf("%+v, %v", a, err)
		}
		again := log.Frames()[a.Request.Seq-1]
		if again.Of != p.Seq() || again.By != wire.ByAuto {
			t.Errorf("sent again by %v in the place of %d", again.By, again.Of)
		}
		_, err = c.Request(t.Context(), "tools/list", nil, client.CallOptions{})
		var version *client.VersionError
		if !errors.As(err, &version) || !strings.Contains(version.Hint(), "--protocol legacy") {
			t.Errorf("got %v", err)
		}
	})
}

// Where a server never showed that it is modern its errors make one doubt that.
func TestErrorsOfAServerThatMayBeLegacy(t *testing.T) {
	story(t, client.Options{Protocol: "modern"}, `
> server/discover
fail {"code":-32601,"message":"?"}
> tools/list
fail {"code":0,"message":"method \"tools/list\" is invalid during session initialization"}
> prompts/list
answer {"prompts":[]}
> tools/list
fail {"code":-32603,"message":"oops"}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		list := func(method string) error {
			_, err := c.Request(t.Context(), method, nil, client.CallOptions{})
			return err
		}
		var doubt *client.EraError
		var refused mcp.RPCError
		if err := list("tools/list"); !errors.As(err, &doubt) || !errors.As(err, &refused) || !strings.Contains(doubt.Hint(), "--protocol legacy") {
			t.Errorf("got %v", err)
		}
		if err := list("prompts/list"); err != nil {
			t.Error(err)
		}
		if err := list("tools/list"); errors.As(err, &doubt) || !errors.As(err, &refused) {
			t.Errorf("got %v", err)
		}
	})
}

func TestMethodsOfOtherVersionsAreHeldBack(t *testing.T) {
	modern(t, client.Options{}, "> ping\nfail {\"code\":-32601,\"message\":\"?\"}", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		_, err := c.Request(t.Context(), "ping", nil, client.CallOptions{})
		var gate *client.GateError
		if !errors.As(err, &gate) || gate.Version != "2026-07-28" {
			t.Errorf("got %v", err)
		}
		var refused mcp.RPCError
		if _, err := c.Request(t.Context(), "ping", nil, client.CallOptions{Force: true}); !errors.As(err, &refused) {
			t.Errorf("forced: %v", err)
		}
	})
}

// What is declared to a modern server changes with the next request.
func TestReshapeOfAModernConnection(t *testing.T) {
	modern(t, client.Options{}, `
> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{},"elicitation":{"form":{}},"extensions":{"com.example/x":{}}},"io.modelcontextprotocol/logLevel":"warning"}}}
answer {"resultType":"complete","tools":[]}
eof`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		c.Reshape(func(o *client.Options) {
			o.Anonymous, o.LogLevel, o.Roots, o.Extensions = true, "warning", []string{"/r"}, []string{"com.example/x"}
			o.Elicit = func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil }
		})
		if _, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
	})
}

func TestModernWithoutAHandshakeSendsNothingByItself(t *testing.T) {
	story(t, client.Options{Protocol: "modern", NoHandshake: true}, `
>= {"jsonrpc":"2.0","id":0,"method":"tools/list","params":{"_meta":`+meta+`}}
answer {"resultType":"complete","tools":[]}
>= {"jsonrpc":"2.0","id":9,"method":"tools/list"}
answer {}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		if _, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil {
			t.Error(err)
		}
		_, p, err := c.SendRaw(t.Context(), []byte(`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`), wire.ByConsole, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestWhetherAServerWasDiscoveredIsKnown(t *testing.T) {
	for script, want := range map[string]bool{
		"> server/discover\n" + `answer {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`: true,
		"> server/discover\n" + `fail {"code":-32601,"message":"no"}`:                                                   false,
	} {
		story(t, client.Options{Protocol: "modern"}, script, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
			connect(t, c)
			if got := c.Discovered(); got != want {
				t.Errorf("discovered is %v after %s", got, script)
			}
		})
	}
}
