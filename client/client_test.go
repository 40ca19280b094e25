package client_test

import (
	"bytes"
	"context"
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
	"parley/client/mcp"
	"parley/client/wire"
)

const shake = `
> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
answer {"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{},"logging":{}},"serverInfo":{"name":"s","version":"2"}}
>= {"jsonrpc":"2.0","method":"notifications/initialized"}
`

// start makes a client of a scripted server, one script an epoch.
func start(t *testing.T, opt client.Options, scripts ...string) (*client.Client, *clienttest.Log) {
	t.Helper()
	log := checked(t)
	opt.Name, opt.Version = "t", "1"
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		return clienttest.Connect(t, scripts[epoch-1], sink, epoch), nil
	}, opt)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c, log
}

// story runs a test in a bubble, where time is fake.
func story(t *testing.T, opt client.Options, script string, fn func(t *testing.T, c *client.Client, log *clienttest.Log)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c, log := start(t, opt, script)
		fn(t, c, log)
		_ = c.Close(t.Context())
	})
}

func connect(t *testing.T, c *client.Client) {
	t.Helper()
	if err := c.Connect(t.Context()); err != nil {
		t.Fatalf("connect: %v", err)
	}
}

func TestHandshakeSendsInitializedWithoutID(t *testing.T) {
	story(t, client.Options{}, shake, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		info, ok := c.Server()
		if !ok || info.ServerName != "s" || info.ProtocolVersion != "2025-11-25" {
			t.Errorf("server is %+v, %v", info, ok)
		}
	})
}

func TestCounterOfferThatWeKnowIsAdopted(t *testing.T) {
	for _, v := range mcp.Legacy() {
		story(t, client.Options{}, "> initialize\nanswer {\"protocolVersion\":\""+v+"\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}\n> notifications/initialized",
			func(t *testing.T, c *client.Client, _ *clienttest.Log) {
				connect(t, c)
				if info, _ := c.Server(); info.ProtocolVersion != v {
					t.Errorf("adopted %q, want %q", info.ProtocolVersion, v)
				}
			})
	}
}

func TestCounterOfferThatWeDoNotKnowEndsWithBothVersions(t *testing.T) {
	story(t, client.Options{}, `
> initialize
answer {"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
eof`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		err := c.Connect(t.Context())
		var version *client.VersionError
		if !errors.As(err, &version) || !slices.Equal(version.Offered, []string{"2025-11-25"}) || !slices.Equal(version.Supported, []string{"1999-01-01"}) {
			t.Errorf("got %v", err)
		}
	})
}

func TestProtocolPinsTheOffer(t *testing.T) {
	story(t, client.Options{Protocol: "2024-11-05"}, `
> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05",...}}
answer {"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized`, func(t *testing.T, c *client.Client, _ *clienttest.Log) { connect(t, c) })
}

func TestRefusedInitializeTellsTheServersWords(t *testing.T) {
	story(t, client.Options{}, `
> initialize
fail {"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05"],"requested":"2025-11-25"}}
eof`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		err := c.Connect(t.Context())
		var refused *client.HandshakeError
		if !errors.As(err, &refused) {
			t.Fatalf("got %v", err)
		}
		if !strings.Contains(err.Error(), "Unsupported protocol version") || !strings.Contains(refused.Hint(), "2024-11-05") {
			t.Errorf("error %q, hint %q", err, refused.Hint())
		}
	})
}

func TestSilentServerTimesOutAndIsEnded(t *testing.T) {
	story(t, client.Options{Timeout: 3 * time.Second}, "> initialize\neof", func(t *testing.T, c *client.Client, log *clienttest.Log) {
		began := time.Now()
		err := c.Connect(t.Context())
		var timeout *client.TimeoutError
		if !errors.As(err, &timeout) || timeout.Method != "initialize" || time.Since(began) < 3*time.Second {
			t.Errorf("got %v after %s", err, time.Since(began))
		}
		<-c.Done()
		if strings.Contains(log.String(), "notifications/cancelled") {
			t.Error("initialize was cancelled by a notification")
		}
	})
}

func TestCancellingTheHandshakeEndsTheConnection(t *testing.T) {
	story(t, client.Options{}, "> initialize\nhang", func(t *testing.T, c *client.Client, log *clienttest.Log) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.Connect(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		<-c.Done()
		if strings.Contains(log.String(), "notifications/cancelled") {
			t.Error("initialize was cancelled by a notification")
		}
	})
}

func TestStrayTextDoesNotDisturbTheHandshake(t *testing.T) {
	story(t, client.Options{}, "stray Starting server …\nstray {\"level\":30,\"msg\":\"hi\"}\n> initialize\nstray in between\n"+
		`answer {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"2"}}`+"\nstray and after\n> notifications/initialized\n> ping\nanswer {}\n",
		func(t *testing.T, c *client.Client, log *clienttest.Log) {
			connect(t, c)
			if _, err := c.Ping(t.Context()); err != nil {
				t.Error(err)
			}
			stray := 0
			for _, f := range log.Frames() {
				if f.Kind == wire.Stray {
					stray++
				}
			}
			if stray != 4 {
				t.Errorf("%d stray lines, want 4", stray)
			}
		})
}

func TestListFollowsCursorsToTheEnd(t *testing.T) {
	story(t, client.Options{}, shake+`
>= {"jsonrpc":"2.0","id":1,"method":"tools/list"}
answer {"tools":[],"nextCursor":"a\u0041"}
>= {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"a\u0041"}}
answer {"tools":[],"nextCursor":""}
>= {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":""}}
answer {"tools":[]}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		pages, err := c.List(t.Context(), "tools/list", client.CallOptions{})
		if err != nil || len(pages) != 3 {
			t.Errorf("%d pages, %v", len(pages), err)
		}
	})
}

func TestListStopsOnARepeatedCursor(t *testing.T) {
	story(t, client.Options{}, shake+`
> tools/list
answer {"tools":[],"nextCursor":"x"}
> tools/list
answer {"tools":[],"nextCursor":"x"}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		pages, err := c.List(t.Context(), "tools/list", client.CallOptions{})
		var circle *client.CursorError
		if !errors.As(err, &circle) || len(pages) != 2 {
			t.Errorf("%d pages, %v", len(pages), err)
		}
	})
}

// anyCompletion is what one may ask to have completed.
var anyCompletion = json.RawMessage(`{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}`)

func TestWhatWasNotDeclaredIsHeldBack(t *testing.T) {
	story(t, client.Options{}, shake+"> completion/complete\nanswer {}\n", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		_, err := c.Request(t.Context(), "completion/complete", anyCompletion, client.CallOptions{})
		var gate *client.GateError
		if !errors.As(err, &gate) || gate.Capability != "completions" {
			t.Errorf("got %v", err)
		}
		if _, err := c.Request(t.Context(), "completion/complete", anyCompletion, client.CallOptions{Force: true}); err != nil {
			t.Errorf("forced: %v", err)
		}
	})
}

func TestErrorAnswerIsAnRPCErrorWithItsBytes(t *testing.T) {
	story(t, client.Options{}, shake+`
> tools/call
fail {"code":-32602,"message":"no","data":{"n":9007199254740993}}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		a, err := c.Request(t.Context(), "tools/call", client.CallParams("x", nil), client.CallOptions{})
		var rpc mcp.RPCError
		if !errors.As(err, &rpc) || rpc.Code != -32602 || string(rpc.Data) != `{"n":9007199254740993}` {
			t.Errorf("got %v", err)
		}
		if a.Head.Form != wire.Failure {
			t.Errorf("answer is %v", a.Head.Form)
		}
	})
}

func TestTimeoutCancelsTheRequest(t *testing.T) {
	story(t, client.Options{}, shake+`
> {"jsonrpc":"2.0","id":1,"method":"tools/call",...}
>= {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"no answer to tools/call after 2s"}}
`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		_, err := c.Request(t.Context(), "tools/call", client.CallParams("slow", nil), client.CallOptions{Timeout: 2 * time.Second})
		var timeout *client.TimeoutError
		if !errors.As(err, &timeout) {
			t.Errorf("got %v", err)
		}
	})
}

func TestProgressStartsTheClockAgain(t *testing.T) {
	progress := `sleep 1500ms
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
`
	story(t, client.Options{}, shake+`
>= {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":1}}}
`+progress+progress+progress+"answer {}", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		_, err := c.Request(t.Context(), "tools/call", client.CallParams("slow", nil), client.CallOptions{Timeout: 2 * time.Second, Progress: true})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestCancelTellsTheServerAndEndsTheCall(t *testing.T) {
	story(t, client.Options{}, shake+"> tools/call\n> notifications/cancelled\n", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		p, err := c.Start(t.Context(), "tools/call", client.CallParams("slow", nil), client.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !c.Cancel(p.Seq()) {
			t.Error("not cancelled")
		}
		if _, err := p.Wait(t.Context()); !errors.Is(err, client.ErrCancelled) {
			t.Errorf("got %v", err)
		}
		if c.Cancel(p.Seq()) {
			t.Error("cancelled twice")
		}
	})
}

func TestCrashDuringACallFailsItWithTheExitCode(t *testing.T) {
	story(t, client.Options{}, shake+"> tools/call\nstderr KeyError: 'latitude'\nexit 7", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		_, err := c.Request(t.Context(), "tools/call", client.CallParams("x", nil), client.CallOptions{})
		var exit *wire.ExitError
		if !errors.As(err, &exit) || exit.Code != 7 || len(exit.Stderr) != 1 {
			t.Errorf("got %v", err)
		}
		if _, err := c.Ping(t.Context()); !errors.As(err, &exit) {
			t.Errorf("after the crash: %v", err)
		}
	})
}

func TestRestartBeginsANewEpochAtIDZero(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, log := start(t, client.Options{}, shake+"> ping\nsignal SEGV", shake+"> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\nanswer {}\n")
		connect(t, c)
		var exit *wire.ExitError
		if _, err := c.Ping(t.Context()); !errors.As(err, &exit) || exit.Signal != "SIGSEGV" {
			t.Errorf("got %v", err)
		}
		if err := c.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		if n := strings.Count(log.String(), `"event":"connected"`); n != 2 {
			t.Errorf("connected %d times", n)
		}
		_ = c.Close(t.Context())
	})
}

func TestOwnIDsSkipTypedOnes(t *testing.T) {
	story(t, client.Options{}, shake+`
>= {"jsonrpc":"2.0","id":1,"method":"ping"}
answer {}
>= {"jsonrpc":"2.0","id":3,"method":"ping"}
answer {}
>= {"jsonrpc":"2.0","id":2,"method":"ping"}
answer {}
>= {"jsonrpc":"2.0","id":4,"method":"ping"}
answer {}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		raw := func(line string) {
			_, p, err := c.SendRaw(t.Context(), []byte(line), wire.ByConsole, 0)
			if err != nil || p == nil {
				t.Fatalf("raw: %v", err)
			}
			if _, err := p.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		raw(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		raw(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
		for range 2 {
			if _, err := c.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestRawBytesGoOutAsTheyAre(t *testing.T) {
	line := "{\"a\": 1.0,\t\"b\":\"\\u00e9\"} \xff"
	synctest.Test(t, func(t *testing.T) {
		c, log := start(t, client.Options{NoHandshake: true}, "echo")
		connect(t, c)
		if _, p, err := c.SendRaw(t.Context(), []byte(line), wire.ByConsole, 0); err != nil || p != nil {
			t.Fatalf("%v, %v", p, err)
		}
		back, err := log.WaitFor(t.Context(), func(f *wire.Frame) bool { return f.Dir == wire.In })
		if err != nil || string(back.Raw) != line {
			t.Errorf("came back as %q, %v", back.Raw, err)
		}
		_ = c.Close(t.Context())
	})
}

func TestListChangedIsRememberedUntilTheListIsAskedForAgain(t *testing.T) {
	story(t, client.Options{}, shake+`
> tools/list
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
answer {"tools":[]}
> tools/list
answer {"tools":[]}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		for i, want := range []bool{true, false} {
			if _, err := c.List(t.Context(), "tools/list", client.CallOptions{}); err != nil {
				t.Fatal(err)
			}
			if got := c.Changed("tools/list"); got != want {
				t.Errorf("after list %d: changed is %v", i+1, got)
			}
		}
	})
}

func TestAnswersAreSentBeforeTheConnectionIsClosed(t *testing.T) {
	story(t, client.Options{}, shake+`
> ping
< {"jsonrpc":"2.0","id":1,"method":"ping"}
answer {}
>= {"jsonrpc":"2.0","id":1,"result":{}}
eof`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		if _, err := c.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestOneClientManyCallsAtOnce(t *testing.T) {
	story(t, client.Options{}, shake+"on tools/call {\"content\":[]}\n", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		errs := make(chan error)
		for i := range 50 {
			go func() {
				a, err := c.Request(t.Context(), "tools/call", client.CallParams(fmt.Sprint(i), nil), client.CallOptions{})
				if err == nil && a.Response.Seq == 0 {
					err = errors.New("no answer")
				}
				errs <- err
			}()
		}
		for range 50 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
	})
}

// pieces keeps what was written, and fails from some write on.
type pieces struct {
	all  bytes.Buffer
	n    int
	fail int
}

func (p *pieces) Write(b []byte) (int, error) {
	if p.n++; p.n == p.fail {
		return 0, errors.New("no room")
	}
	return p.all.Write(b)
}

func TestResultsAreWrittenByThePiece(t *testing.T) {
	text := strings.Repeat("天气 ", 700_000)
	script := shake + "\n> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",...}\nanswer {\"text\":\"" + text + "\"}\n> ping\nanswer {}"
	story(t, client.Options{}, script, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		long, err := c.Request(t.Context(), "tools/call", client.CallParams("x", nil), client.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Result(long)
		if err != nil || len(want) < len(text) {
			t.Fatalf("%d bytes, %v", len(want), err)
		}
		var got pieces
		if err := c.WriteResult(&got, long); err != nil || !bytes.Equal(got.all.Bytes(), want) {
			t.Errorf("%d of %d bytes, %v", got.all.Len(), len(want), err)
		}
		if got.n < 4 {
			t.Errorf("%d pieces", got.n)
		}
		if err := c.WriteResult(&pieces{fail: 2}, long); err == nil {
			t.Error("a failed write is no error")
		}
		short, err := c.Ping(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got = pieces{}
		if err := c.WriteResult(&got, short); err != nil || got.all.String() != "{}" {
			t.Errorf("%q, %v", got.all.String(), err)
		}
	})
}
