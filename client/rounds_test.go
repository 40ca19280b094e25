package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
)

// discovered is the beginning of a modern conversation.
const discovered = `
> {"jsonrpc":"2.0","id":0,"method":"server/discover",...}
answer {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{},"logging":{}},"ttlMs":0,"cacheScope":"public"}
`

// modernStory is a story with a modern server, that goes on after its server/discover.
func modernStory(t *testing.T, opt client.Options, script string, fn func(t *testing.T, c *client.Client, log *clienttest.Log)) {
	t.Helper()
	opt.Protocol = "modern"
	story(t, opt, discovered+script, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		connect(t, c)
		fn(t, c, log)
	})
}

func call(t *testing.T, c *client.Client, name string, opt client.CallOptions) (client.Answer, error) {
	t.Helper()
	return c.Request(t.Context(), "tools/call", client.CallParams(name, json.RawMessage(`{"n":1.0}`)), opt)
}

func result(t *testing.T, c *client.Client, a client.Answer) string {
	t.Helper()
	raw, err := c.Result(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// always answers questions with the same text.
func always(result string) client.Responder {
	return func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(result), nil }
}

const done = `{"resultType":"complete","content":[]}`

func TestQuestionsAreAnsweredAndTheRequestSentAgain(t *testing.T) {
	var asked []string
	opt := client.Options{
		Roots: []string{"/a"},
		Elicit: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			asked = append(asked, "elicit "+string(params))
			return json.RawMessage(`{"action":"accept", "content":{"x":2.0}}`), nil
		},
		Sample: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			asked = append(asked, "sample "+string(params))
			return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`), nil
		},
	}
	modernStory(t, opt, `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{"n":1.0},"_meta":{...}}}
answer {"resultType":"input_required","inputRequests":{"z\u0041":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}},"a":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}},"r":{"method":"roots/list"}},"requestState":"st\u0061te\/=="}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"f","arguments":{"n":1.0},"inputResponses":*,"requestState":*,"_meta":{...}}}
answer {"resultType":"input_required","requestState":""}
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"f","arguments":{"n":1.0},"requestState":"","_meta":{...}}}
answer {"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}
> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"f","arguments":{"n":1.0},"inputResponses":{"a":{"roots":[*]}},"_meta":{...}}}
answer `+done, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		a, err := call(t, c, "f", client.CallOptions{By: wire.ByForm})
		if err != nil || result(t, c, a) != done {
			t.Fatalf("got %v", err)
		}
		want := []string{`sample {"messages":[],"maxTokens":1}`, `elicit {"message":"?","requestedSchema":{}}`}
		if strings.Join(asked, "\n") != strings.Join(want, "\n") {
			t.Errorf("asked %q", asked)
		}
		frames := log.Frames()
		if len(a.Rounds) != 3 {
			t.Fatalf("%d rounds", len(a.Rounds))
		}
		for i, r := range append(a.Rounds, a) {
			f := frames[r.Request.Seq-1]
			if i == 0 && (f.By != wire.ByForm || f.Of != 0) || i > 0 && (f.By != wire.ByAuto || f.Of != a.Rounds[i-1].Request.Seq) {
				t.Errorf("round %d: by %s, of %d", i, f.By, f.Of)
			}
		}
		second := string(frames[a.Rounds[1].Request.Seq-1].Raw)
		exact := `"inputResponses":{"z\u0041":{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"},"a":{"action":"accept","content":{"x":2.0}},"r":{"roots":[{"uri":"file:///a","name":"a"}]}},"requestState":"st\u0061te\/=="`
		if !strings.Contains(second, exact) || !strings.Contains(second, `"arguments":{"n":1.0}`) {
			t.Errorf("the second request is\n%s\nwithout\n%s", second, exact)
		}
	})
}

func TestPromptsAndResourcesAskToo(t *testing.T) {
	for method, params := range map[string]json.RawMessage{"prompts/get": client.PromptParams("p", nil), "resources/read": client.ReadParams("a:b")} {
		modernStory(t, client.Options{Elicit: always(`{"action":"decline"}`)}, `
> `+method+`
answer {"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}}}
> {"jsonrpc":"2.0","id":2,"method":"`+method+`","params":{"inputResponses":{"k":{"action":"decline"}},...}}
answer {"resultType":"complete"}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
			if _, err := c.Request(t.Context(), method, params, client.CallOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWhatTheCallerAnsweredBelongsToHisRequestOnly(t *testing.T) {
	modernStory(t, client.Options{}, `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","inputResponses":{"old":{"action":"cancel"}},"requestState":"old","_meta":{...}}}
answer {"resultType":"input_required","requestState":"new"}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"f","requestState":"new","_meta":{...}}}
answer `+done, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		params := json.RawMessage(`{"name":"f","inputResponses":{"old":{"action":"cancel"}},"requestState":"old"}`)
		if _, err := c.Request(t.Context(), "tools/call", params, client.CallOptions{}); err != nil {
			t.Error(err)
		}
	})
}

func TestRoundsOfCallsAtOnceDoNotMix(t *testing.T) {
	const n = 20
	synctest.Test(t, func(t *testing.T) {
		log := checked(t)
		c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
			return clienttest.Pipe(asker(t), sink, epoch), nil
		}, client.Options{Protocol: "modern", Elicit: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"action":"accept","content":` + string(params) + `}`), nil
		}})
		connect(t, c)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				name := fmt.Sprint("tool", i)
				a, err := c.Request(t.Context(), "tools/call", client.CallParams(name, nil), client.CallOptions{})
				if err != nil || len(a.Rounds) != 2 || !strings.Contains(result(t, c, a), `"`+name+`"`) {
					t.Errorf("%s: %d rounds, %v", name, len(a.Rounds), err)
				}
			})
		}
		wg.Wait()
		_ = c.Close(t.Context())
	})
}

func TestTheNumberOfRoundsIsBounded(t *testing.T) {
	asks := "> tools/call\nanswer {\"resultType\":\"input_required\",\"requestState\":\"s\"}\n"
	modernStory(t, client.Options{MaxRounds: 3}, strings.Repeat(asks, 4), func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		a, err := call(t, c, "f", client.CallOptions{})
		var many *client.RoundsError
		if !errors.As(err, &many) || many.Rounds != 3 || len(a.Rounds) != 3 {
			t.Errorf("%d rounds, %v", len(a.Rounds), err)
		}
	})
}

func TestQuestionsThatCannotBeAnsweredEndTheRequest(t *testing.T) {
	refuse := func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, errors.New("not today") }
	tests := []struct{ name, result, says, hint string }{
		{"undeclared", `{"inputRequests":{"k":{"method":"roots/list"}}}`, `tools/call asks for "k" (roots/list), which was not answered: this was not declared`, "--root"},
		{"unknown", `{"inputRequests":{"k":{"method":"coffee/make"}}}`, `"k" (coffee/make)`, "elicitation/create, sampling/createMessage and roots/list only"},
		{"refused", `{"inputRequests":{"k":{"method":"sampling/createMessage","params":{}}}}`, `"k" (sampling/createMessage), which was not answered: not today`, "nothing was sent"},
		{"a mode that is not declared", `{"inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"carrier-pigeon"}}}}`, "carrier-pigeon", "nothing was sent"},
		{"tools in sampling", `{"inputRequests":{"k":{"method":"sampling/createMessage","params":{"tools":[]}}}}`, "tools", "nothing was sent"},
		{"malformed", `{"inputRequests":{"k":{}}}`, "method is missing", ""},
		{"nothing at all", `{"x":1}`, "neither inputRequests nor requestState", "inputRequests, requestState or both"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := `{"resultType":"input_required",` + tt.result[1:]
			modernStory(t, client.Options{Elicit: always(`{"action":"accept"}`), Sample: refuse}, "> tools/call\nanswer "+answer,
				func(t *testing.T, c *client.Client, _ *clienttest.Log) {
					a, err := call(t, c, "f", client.CallOptions{})
					var input *client.InputError
					if !errors.As(err, &input) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(input.Hint(), tt.hint) {
						t.Errorf("got %v", err)
					}
					if result(t, c, a) != answer {
						t.Error("the answer that asked is not returned")
					}
				})
		})
	}
}

func TestOtherMethodsMustNotAsk(t *testing.T) {
	modernStory(t, client.Options{}, `
> tools/list
answer {"resultType":"input_required","requestState":"s"}
> tools/call
answer {"resultType":"later","content":[]}
> tools/call
answer {"resultType":"task","taskId":"t","status":"working"}
> tools/call
answer {"resultType":7,"content":[]}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		_, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{})
		var odd *client.ResultTypeError
		if !errors.As(err, &odd) || odd.Type != "input_required" || !strings.Contains(odd.Hint(), "only tools/call") {
			t.Errorf("got %v", err)
		}
		for _, want := range []string{"later", "task", "7"} {
			if _, err := call(t, c, "f", client.CallOptions{}); !errors.As(err, &odd) || odd.Type != want || !strings.Contains(odd.Hint(), "--extension") {
				t.Errorf("%s: got %v", want, err)
			}
		}
	})
}

func TestOneRoundGivesTheFirstAnswer(t *testing.T) {
	const asks = `{"resultType":"input_required","requestState":"s"}`
	modernStory(t, client.Options{}, "> tools/call\nanswer "+asks, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		a, err := call(t, c, "f", client.CallOptions{OneRound: true})
		if err != nil || result(t, c, a) != asks || a.Head.Type != wire.ResultInput {
			t.Errorf("got %v", err)
		}
	})
}

func TestResultTypeMeansNothingToALegacyServer(t *testing.T) {
	const odd = `{"resultType":"input_required","content":[]}`
	story(t, client.Options{}, shake+"> tools/call\nanswer "+odd, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		if a, err := call(t, c, "f", client.CallOptions{}); err != nil || result(t, c, a) != odd {
			t.Errorf("got %v", err)
		}
	})
}

func TestNothingIsSentAgainWhenNobodyWaits(t *testing.T) {
	for _, how := range []string{"context", "Cancel", "the server ends"} {
		t.Run(how, func(t *testing.T) {
			script := "> tools/call\nanswer {\"resultType\":\"input_required\",\"inputRequests\":{\"k\":{\"method\":\"elicitation/create\",\"params\":{}}}}\n"
			if how == "the server ends" {
				script += "sleep 5s\nexit 0"
			} else {
				script += "eof"
			}
			thinking := make(chan struct{})
			var cause error
			opt := client.Options{Timeout: time.Second, Elicit: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				defer client.Hold(ctx)()
				close(thinking)
				<-ctx.Done()
				cause = context.Cause(ctx)
				return json.RawMessage(`{"action":"accept"}`), nil
			}}
			modernStory(t, opt, script, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				p, err := c.Start(ctx, "tools/call", client.CallParams("f", nil), client.CallOptions{})
				if err != nil {
					t.Fatal(err)
				}
				go func() {
					<-thinking
					switch how {
					case "context":
						cancel()
					case "Cancel":
						c.Cancel(p.Seq())
					}
				}()
				_, err = p.Wait(ctx)
				want := map[string]error{"context": context.Canceled, "Cancel": client.ErrCancelled, "the server ends": client.ErrClosed}[how]
				if !errors.Is(err, want) || !errors.Is(cause, want) {
					t.Errorf("got %v, the responder %v", err, cause)
				}
			})
		})
	}
}

func TestCancellingTheFirstRequestCancelsTheRoundThatIsOpen(t *testing.T) {
	modernStory(t, client.Options{}, `
> tools/call
answer {"resultType":"input_required","requestState":"s"}
> tools/call
> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,...}}`, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		p, err := c.Start(t.Context(), "tools/call", client.CallParams("f", nil), client.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			synctest.Wait()
			c.Cancel(p.Seq())
		}()
		if _, err := p.Wait(t.Context()); !errors.Is(err, client.ErrCancelled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestEachRoundHasItsOwnProgressToken(t *testing.T) {
	modernStory(t, client.Options{}, `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":1,...},...}}
answer {"resultType":"input_required","requestState":"s"}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":2,...},...}}
answer `+done, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		if _, err := call(t, c, "f", client.CallOptions{Progress: true}); err != nil {
			t.Error(err)
		}
	})
}
