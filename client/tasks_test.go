package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/mcp"
	"parley/client/wire"
)

// tasked is the handshake of a server that has tasks of 2025-11-25.
const tasked = `
> initialize
answer {"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
on tools/list {"tools":[{"name":"must","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},{"name":"may","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},{"name":"never","inputSchema":{"type":"object"}}]}
`

// taskStory is a story with such a server.
func taskStory(t *testing.T, opt client.Options, script string, fn func(t *testing.T, c *client.Client, log *clienttest.Log)) {
	t.Helper()
	story(t, opt, tasked+script, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		connect(t, c)
		fn(t, c, log)
	})
}

func TestACallAsATaskIsPolledAsTheServerSuggests(t *testing.T) {
	taskStory(t, client.Options{}, `
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"may","arguments":{"n":1.0},"task":{"ttl":90000}}}
answer {"task":{"taskId":"t\u0031","status":"working","createdAt":"x","lastUpdatedAt":"x","ttl":90000,"pollInterval":5000}}
> {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"t1"}}
answer {"taskId":"t1","status":"working","pollInterval":1}
> tasks/get
answer {"taskId":"t1","status":"working","pollInterval":86400000}
> tasks/get
answer {"task":{"taskId":"t1","status":"working"}}
> tasks/get
answer {"taskId":"t1","status":"completed"}
> {"jsonrpc":"2.0","id":7,"method":"tasks/result","params":{"taskId":"t1"}}
answer {"content":[], "n":1.0}`, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		a, err := call(t, c, "may", client.CallOptions{Task: true, TTL: 90 * time.Second})
		if err != nil || result(t, c, a) != `{"content":[], "n":1.0}` {
			t.Fatalf("got %v", err)
		}
		if len(a.Rounds) != 5 {
			t.Fatalf("%d rounds", len(a.Rounds))
		}
		for i, want := range []time.Duration{5 * time.Second, 100 * time.Millisecond, time.Minute, time.Second} {
			if got := a.Rounds[i+1].Sent.Sub(a.Rounds[i].Got); got != want {
				t.Errorf("pause %d is %s, want %s", i, got, want)
			}
		}
		if a.Sent.Before(a.Rounds[4].Got) || log.Frames()[a.Request.Seq-1].Of != 0 {
			t.Error("the last request is not that for the result, or replaces something")
		}
	})
}

func TestOnlyToolsThatCanBeTasksAre(t *testing.T) {
	var told []string
	opt := client.Options{Notice: func(text string) { told = append(told, text) }}
	taskStory(t, opt, `
> {"jsonrpc":"2.0","id":*,"method":"tools/call","params":{"name":"must","arguments":{"n":1.0},"task":{}}}
answer {"content":[]}
> {"jsonrpc":"2.0","id":*,"method":"tools/call","params":{"name":"may","arguments":{"n":1.0}}}
answer {"content":[]}
> {"jsonrpc":"2.0","id":*,"method":"tools/call","params":{"name":"never","arguments":{"n":1.0}}}
answer {"content":[]}
> {"jsonrpc":"2.0","id":*,"method":"tools/call","params":{"name":"never","arguments":{"n":1.0},"task":{}}}
answer {"content":[]}`, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		for _, step := range []struct {
			tool string
			opt  client.CallOptions
		}{{"must", client.CallOptions{}}, {"may", client.CallOptions{}}, {"never", client.CallOptions{Task: true}}, {"never", client.CallOptions{Task: true, Force: true}}} {
			if _, err := call(t, c, step.tool, step.opt); err != nil {
				t.Errorf("%s: %v", step.tool, err)
			}
		}
		if len(told) != 1 || !strings.Contains(told[0], `"never" is called without a task: the tool does not say`) {
			t.Errorf("told %q", told)
		}
		if n := strings.Count(log.String(), `"method":"tools/list"`); n != 1 {
			t.Errorf("listed %d times", n)
		}
	})
}

func TestAServerWithoutTasksGetsNone(t *testing.T) {
	var told []string
	story(t, client.Options{Notice: func(text string) { told = append(told, text) }}, shake+`
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"may","arguments":{"n":1.0}}}
answer {"task":{"taskId":"mine"},"content":[]}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		if a, err := call(t, c, "may", client.CallOptions{Task: true}); err != nil || len(a.Rounds) != 0 {
			t.Errorf("got %v", err)
		}
		if len(told) != 1 || !strings.Contains(told[0], "did not declare tasks") {
			t.Errorf("told %q", told)
		}
	})
}

func TestATaskThatNeedsInputAsksWhileItsResultIsAwaited(t *testing.T) {
	opt := client.Options{Timeout: 2 * time.Second, Elicit: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		<-time.After(90 * time.Second) // somebody who takes his time, in a bubble's clock
		return json.RawMessage(`{"action":"accept","_meta":{"own":1}}`), nil
	}}
	taskStory(t, opt, `
> tools/call
answer {"task":{"taskId":"t","status":"input_required","pollInterval":60000}}
> tasks/result
on tasks/get {"taskId":"t","status":"input_required","pollInterval":60000}
< {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"?","requestedSchema":{},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}}}
> {"jsonrpc":"2.0","id":"q","result":{"action":"accept","_meta":{"own":1,"io.modelcontextprotocol/related-task":{"taskId":"t"}}}}
answer {"content":[]}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		a, err := call(t, c, "must", client.CallOptions{})
		if err != nil || result(t, c, a) != `{"content":[]}` {
			t.Errorf("got %v", err)
		}
	})
}

func TestACancelledTaskIsAnError(t *testing.T) {
	taskStory(t, client.Options{}, `
> tools/call
answer {"task":{"taskId":"t","status":"working"}}
> tasks/get
answer {"taskId":"t","status":"cancelled","statusMessage":"by the moon"}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		_, err := call(t, c, "must", client.CallOptions{})
		var ended *client.TaskError
		if !errors.As(err, &ended) || ended.Status != mcp.TaskCancelled || !strings.Contains(err.Error(), `task "t" was cancelled: by the moon`) {
			t.Errorf("got %v", err)
		}
	})
}

func TestATaskIsCancelledByItsOwnRequest(t *testing.T) {
	ways := []struct{ name, script string }{
		{"2025-11-25", tasked + "> tools/call\nanswer {\"task\":{\"taskId\":\"t\",\"status\":\"working\"}}\n"},
		{"extension", discovered + "> tools/call\nanswer {\"resultType\":\"task\",\"taskId\":\"t\",\"status\":\"working\"}\n"},
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			opt := client.Options{Extensions: []string{mcp.TasksExtension}}
			if way.name == "extension" {
				opt.Protocol = "modern"
			}
			story(t, opt, way.script+`
> tasks/get
answer {"resultType":"complete","taskId":"t","status":"working"}
> {"jsonrpc":"2.0","id":*,"method":"tasks/cancel","params":{"taskId":"t",...}}
answer {"resultType":"complete"}
eof`, func(t *testing.T, c *client.Client, log *clienttest.Log) {
				connect(t, c)
				ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
				defer cancel()
				_, err := c.Request(ctx, "tools/call", client.CallParams("must", nil), client.CallOptions{})
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v", err)
				}
				if strings.Contains(log.String(), "notifications/cancelled") {
					t.Error("a task was cancelled by a notification")
				}
			})
		})
	}
}

// extended is a story with a modern server and the tasks extension.
func extended(t *testing.T, opt client.Options, script string, fn func(t *testing.T, c *client.Client, log *clienttest.Log)) {
	t.Helper()
	opt.Extensions = []string{mcp.TasksExtension}
	modernStory(t, opt, `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{"n":1.0},"_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}},...},...}}}
answer {"resultType":"task","taskId":"t","status":"working","pollIntervalMs":300}
`+script, fn)
}

func TestTheResultOfATaskIsItsExactBytes(t *testing.T) {
	large := `{"content":[{"type":"text","text":"` + strings.Repeat("0123456789abcdef", 200_000) + `"}],"isError":true}`
	for name, tt := range map[string]struct{ answer, want string }{
		"small":    {`{"resultType":"complete","taskId":"t","status":"completed","result":{ "content" : [],"n":1.0 },"_meta":{}}`, `{ "content" : [],"n":1.0 }`},
		"embedded": {`{"resultType":"task","task":{"status":"completed","result":{"content":[]},"taskId":"t"},"result":1}`, `{"content":[]}`},
		"large":    {`{"resultType":"complete","taskId":"t","result":` + large + `,"status":"completed"}`, large},
	} {
		t.Run(name, func(t *testing.T) {
			extended(t, client.Options{}, "> tasks/get\nanswer "+tt.answer, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
				a, err := call(t, c, "f", client.CallOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if got := result(t, c, a); got != tt.want {
					t.Errorf("got %.100s", got)
				}
				var b bytes.Buffer
				if err := c.WriteResult(&b, a); err != nil || b.String() != tt.want {
					t.Errorf("written %.100s, %v", b.String(), err)
				}
				if a.Head.IsError != (name == "large") || a.Head.Type != wire.ResultComplete {
					t.Errorf("head %+v", a.Head)
				}
				if a.Rounds[0].Head.Type != wire.ResultTask || a.Sent.Sub(a.Rounds[0].Got) != 300*time.Millisecond {
					t.Errorf("polled after %s", a.Sent.Sub(a.Rounds[0].Got))
				}
			})
		})
	}
}

func TestAFailedTaskIsAnErrorOfTheRPC(t *testing.T) {
	extended(t, client.Options{}, `
> tasks/get
answer {"resultType":"complete","taskId":"t","status":"failed","statusMessage":"x","error":{"code":-32603, "message":"boom"}}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		a, err := call(t, c, "f", client.CallOptions{})
		var refused mcp.RPCError
		if !errors.As(err, &refused) || refused.Code != -32603 || refused.Message != "boom" || a.Head.Code != -32603 || a.Head.Form != wire.Failure {
			t.Errorf("got %v", err)
		}
		if raw, err := c.RPCError(a); err != nil || string(raw) != `{"code":-32603, "message":"boom"}` {
			t.Errorf("the error is %s, %v", raw, err)
		}
	})
}

func TestQuestionsOfATaskAreAnsweredOnce(t *testing.T) {
	asked := 0
	opt := client.Options{Roots: []string{"/a"}, Elicit: func(context.Context, json.RawMessage) (json.RawMessage, error) {
		asked++
		return json.RawMessage(`{"action":"cancel"}`), nil
	}}
	extended(t, opt, `
> tasks/get
answer {"resultType":"complete","taskId":"t","status":"input_required","inputRequests":{"k\u0031":{"method":"elicitation/create","params":{}}}}
> {"jsonrpc":"2.0","id":3,"method":"tasks/update","params":{"taskId":"t","inputResponses":{"k1":{"action":"cancel"}},"_meta":{...}}}
answer {"resultType":"complete"}
> tasks/get
answer {"resultType":"complete","taskId":"t","status":"input_required","inputRequests":{"k1":{"method":"elicitation/create","params":{}}}}
> tasks/get
answer {"resultType":"complete","taskId":"t","status":"input_required","inputRequests":{"k1":{"method":"elicitation/create","params":{}},"k2":{"method":"roots/list"}}}
> {"jsonrpc":"2.0","id":6,"method":"tasks/update","params":{"taskId":"t","inputResponses":{"k2":{"roots":[*]}},"_meta":{...}}}
answer {"resultType":"complete"}
> tasks/get
answer {"resultType":"complete","taskId":"t","status":"completed","result":{"content":[]}}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		a, err := call(t, c, "f", client.CallOptions{})
		if err != nil || asked != 1 || result(t, c, a) != `{"content":[]}` {
			t.Errorf("asked %d times, %v", asked, err)
		}
	})
}

func TestTasksThatCannotBeFollowed(t *testing.T) {
	for name, tt := range map[string]struct{ script, says string }{
		"no result":         {`{"taskId":"t","status":"completed"}`, "what it came to is not with it"},
		"an unknown state":  {`{"taskId":"t","status":"paused"}`, `status "paused" is not one of the five`},
		"cancelled":         {`{"taskId":"t","status":"cancelled"}`, "was cancelled"},
		"unanswerable":      {`{"taskId":"t","status":"input_required","inputRequests":{"k":{"method":"roots/list"}}}`, `task t asks for "k" (roots/list)`},
		"no state any more": {`{}`, "is in no state that is known"},
	} {
		t.Run(name, func(t *testing.T) {
			extended(t, client.Options{}, "> tasks/get\nanswer "+tt.script, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
				if _, err := call(t, c, "f", client.CallOptions{}); err == nil || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

func TestATaskThatExpiredIsTheServersError(t *testing.T) {
	extended(t, client.Options{}, "> tasks/get\nfail {\"code\":-32602,\"message\":\"Task has expired\"}", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		var refused mcp.RPCError
		if _, err := call(t, c, "f", client.CallOptions{}); !errors.As(err, &refused) || refused.Code != -32602 {
			t.Errorf("got %v", err)
		}
	})
}

func TestATaskMayBeBornFinished(t *testing.T) {
	for _, seed := range []string{`"status":"completed","result":{"content":[]}`, `"status":"completed"`} {
		script := "> tools/call\nanswer {\"resultType\":\"task\",\"taskId\":\"t\"," + seed + "}\n"
		if !strings.Contains(seed, "content") {
			script += "> tasks/get\nanswer {\"resultType\":\"complete\",\"taskId\":\"t\",\"status\":\"completed\",\"result\":{\"content\":[]}}\n"
		}
		modernStory(t, client.Options{Extensions: []string{mcp.TasksExtension}}, script, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
			began := time.Now()
			a, err := call(t, c, "f", client.CallOptions{})
			if err != nil || result(t, c, a) != `{"content":[]}` || time.Since(began) > 0 {
				t.Errorf("got %v after %s", err, time.Since(began))
			}
		})
	}
}

func TestCancelEndsTheWaitForATask(t *testing.T) {
	extended(t, client.Options{}, `
> {"jsonrpc":"2.0","id":*,"method":"tasks/cancel","params":{"taskId":"t",...}}
answer {"resultType":"complete"}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		p, err := c.Start(t.Context(), "tools/call", client.CallParams("f", json.RawMessage(`{"n":1.0}`)), client.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			synctest.Wait()
			if !c.Cancel(p.Seq()) {
				t.Error("nothing to cancel")
			}
		}()
		if _, err := p.Wait(t.Context()); !errors.Is(err, client.ErrCancelled) {
			t.Errorf("got %v", err)
		}
	})
}

// Its server may end before it does: whoever knows the id can ask another time.
func TestTheIDOfATaskIsToldAtOnce(t *testing.T) {
	var told []string
	opt := client.Options{Notice: func(text string) { told = append(told, text) }}
	taskStory(t, opt, `
> tools/call
answer {"task":{"taskId":"t \u0031","status":"working","pollInterval":5000}}
exit 3`, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		if _, err := call(t, c, "may", client.CallOptions{Task: true}); err == nil {
			t.Fatal("the server is gone")
		}
		if len(told) != 1 || !strings.Contains(told[0], `the task "t 1"`) || !strings.Contains(log.String(), `t 1`) {
			t.Errorf("told %q", told)
		}
	})
}
