package client_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/mcp"
	"parley/client/wire"
)

// ack is the line by which a server grants the subscription that was asked for last.
func ack(granted string) string {
	return `< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id},"notifications":` + granted + "}}\n"
}

// notices collects what is announced.
type notices struct {
	mu    sync.Mutex
	texts []string
}

func (n *notices) take(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.texts = append(n.texts, text)
}

func (n *notices) String() string {
	synctest.Wait()
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.texts, "\n")
}

// heard is a story with a modern server whose notices are collected.
func heard(t *testing.T, script string, fn func(t *testing.T, c *client.Client, log *clienttest.Log, told *notices)) {
	t.Helper()
	told := new(notices)
	modernStory(t, client.Options{Notice: told.take}, script, func(t *testing.T, c *client.Client, log *clienttest.Log) {
		fn(t, c, log, told)
	})
}

func TestListenComparesWhatIsGrantedWithWhatWasAsked(t *testing.T) {
	tests := []struct {
		asked   mcp.Filter
		wire    string
		granted string
		says    string
	}{
		{mcp.Filter{Tools: true}, `{"toolsListChanged":true}`, `{"toolsListChanged":true}`, ""},
		{mcp.Filter{Tools: true, Prompts: true}, `{"toolsListChanged":true,"promptsListChanged":true}`, `{"toolsListChanged":true}`,
			"the server does not tell of prompts, which was asked for"},
		{mcp.Filter{URIs: []string{"a:b", "c:d"}}, `{"resourceSubscriptions":["a:b","c:d"]}`, `{"resourceSubscriptions":["c:d"]}`, "updates of a:b"},
		{mcp.Filter{TaskIDs: []string{"t"}}, `{"taskIds":["t"]}`, `{}`, "tasks t, which was asked for; it tells of nothing"},
	}
	for _, tt := range tests {
		heard(t, `
> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":`+tt.wire+`,"_meta":{...}}}
`+ack(tt.granted)+`> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,...}}`,
			func(t *testing.T, c *client.Client, log *clienttest.Log, told *notices) {
				s, err := c.Listen(t.Context(), tt.asked)
				if err != nil {
					t.Fatal(err)
				}
				want, _ := mcp.DecodeFilter([]byte(tt.granted))
				if !reflect.DeepEqual(s.Granted, want) || log.Frames()[s.Seq-1].Head.Method != "subscriptions/listen" {
					t.Errorf("granted %v", s.Granted)
				}
				if got := told.String(); (got == "") != (tt.says == "") || !strings.Contains(got, tt.says) {
					t.Errorf("told %q, want %q", got, tt.says)
				}
				pass(24 * time.Hour) // it has no time limit
				select {
				case <-s.Done():
					t.Errorf("ended: %v", s.Err())
				default:
				}
				s.Close()
				if s.Err() != nil {
					t.Errorf("closed: %v", s.Err())
				}
			})
	}
}

func TestASubscriptionIsKnownByItsIDAndItsType(t *testing.T) {
	heard(t, `
> subscriptions/listen
< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"1"},"notifications":{"toolsListChanged":true}}}
< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true}}}
> notifications/cancelled`, func(t *testing.T, c *client.Client, _ *clienttest.Log, told *notices) {
		s, err := c.Listen(t.Context(), mcp.Filter{Tools: true})
		if err != nil {
			t.Fatal(err)
		}
		if !s.Granted.IsZero() || !strings.Contains(told.String(), "did not say what it grants") {
			t.Errorf("granted %v, told %q", s.Granted, told)
		}
		s.Close()
	})
}

func TestSubscriptionsAtOnceAreTakenApart(t *testing.T) {
	heard(t, `
> {"jsonrpc":"2.0","id":*,"method":"subscriptions/listen","params":{"notifications":*,...}}
> {"jsonrpc":"2.0","id":*,"method":"subscriptions/listen","params":{"notifications":*,...}}
< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"taskIds":["2"]}}}
< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"taskIds":["1"]}}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
`, func(t *testing.T, c *client.Client, log *clienttest.Log, told *notices) {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				s, err := c.Listen(t.Context(), mcp.Filter{TaskIDs: []string{"1", "2"}})
				if err != nil {
					t.Error(err)
					return
				}
				id := log.Frames()[s.Seq-1].Head.ID.String()
				if !reflect.DeepEqual(s.Granted.TaskIDs, []string{id}) {
					t.Errorf("request %s is granted %v", id, s.Granted)
				}
				if <-s.Done(); id == "1" {
					if !errors.Is(s.Err(), client.ErrClosed) {
						t.Errorf("ended by %v", s.Err())
					}
				}
			})
		}
		synctest.Wait()
		if err := c.Close(context.Background()); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if !strings.Contains(told.String(), "the server ended the subscription") {
			t.Errorf("told %q", told)
		}
	})
}

func TestTheServerMayEndASubscription(t *testing.T) {
	for name, tt := range map[string]struct {
		script string
		err    error
		says   string
	}{
		"in order":     {`answer {"resultType":"complete"}`, nil, "the server ended the subscription to changes of tools"},
		"by a notice":  {`< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":$id,"reason":"tired"}}`, client.ErrEnded, "ended"},
		"by an error":  {`fail {"code":-32603,"message":"no more"}`, mcp.RPCError{}, "no more"},
		"with its end": {"exit 3", &wire.ExitError{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			heard(t, "> subscriptions/listen\n"+ack(`{"toolsListChanged":true}`)+"sleep 1s\n"+tt.script, func(t *testing.T, c *client.Client, _ *clienttest.Log, told *notices) {
				s, err := c.Listen(t.Context(), mcp.Filter{Tools: true})
				if err != nil {
					t.Fatal(err)
				}
				<-s.Done()
				if reflect.TypeOf(s.Err()) != reflect.TypeOf(tt.err) || errors.Is(tt.err, client.ErrEnded) != errors.Is(s.Err(), client.ErrEnded) {
					t.Errorf("ended by %v", s.Err())
				}
				if !strings.Contains(told.String(), tt.says) {
					t.Errorf("told %q", told)
				}
			})
		})
	}
}

func TestAListenThatIsRefusedIsAnError(t *testing.T) {
	heard(t, "> subscriptions/listen\nfail {\"code\":-32021,\"message\":\"x\"}", func(t *testing.T, c *client.Client, _ *clienttest.Log, told *notices) {
		var refused mcp.RPCError
		if s, err := c.Listen(t.Context(), mcp.Filter{TaskIDs: []string{"t"}}); !errors.As(err, &refused) || s != nil {
			t.Errorf("got %v", err)
		}
		if told.String() != "" {
			t.Errorf("told %q, too", told)
		}
	})
}

// flaky is a connection that a test can lose responses of, as over HTTP.
type flaky struct {
	*wire.Stdio
	sink wire.Sink
}

func (f *flaky) Transport() string           { return wire.TransportHTTP }
func (f *flaky) Agree(wire.Agreement)        {}
func (f *flaky) Abandon(uint64, string) bool { return true }
func (f *flaky) lose(log *clienttest.Log, n int) { // the n-th subscription
	for _, fr := range log.Frames() {
		if fr.Dir == wire.Out && fr.Head.Method == "subscriptions/listen" {
			if n--; n == 0 {
				f.sink.(wire.LossSink).Lost(fr.Seq, lostError{})
			}
		}
	}
}

type lostError struct{}

func (lostError) Error() string { return "the stream broke" }
func (lostError) Word() string  { return "lost" }

func TestALostSubscriptionIsSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listen := "> {\"jsonrpc\":\"2.0\",\"id\":*,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true},...}}\n"
		log, told := checked(t), new(notices)
		var conn *flaky
		c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
			conn = &flaky{clienttest.Connect(t, discovered+listen+ack(`{"toolsListChanged":true}`)+listen+ack(`{"toolsListChanged":true}`)+
				strings.Repeat(listen, 5)+"eof", sink, epoch), sink}
			return conn, nil
		}, client.Options{Protocol: "modern", Notice: told.take})
		connect(t, c)
		s, err := c.Listen(t.Context(), mcp.Filter{Tools: true})
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 7; n++ {
			began := time.Now()
			conn.lose(log, n)
			if n == 7 {
				break
			}
			if _, err := log.WaitFor(t.Context(), func(f *wire.Frame) bool { return f.Of != 0 && f.Time.After(began) }); err != nil {
				t.Fatal(err)
			}
			// Of the 1st and the 2nd the server had granted what was asked: the pauses begin anew.
			least := 250 * time.Millisecond << max(n-2, 0)
			if took := time.Since(began); took < least || took > least*5/4 {
				t.Errorf("pause %d is %s, want about %s", n, took, least)
			}
			synctest.Wait()
			if n == 1 && !c.Changed("tools/list") {
				t.Error("a list that may have changed meanwhile counts as the same")
			}
		}
		<-s.Done()
		var gone *client.ResubscribeError
		if !errors.As(s.Err(), &gone) || gone.Attempts != wire.DefaultReconnects {
			t.Errorf("ended by %v", s.Err())
		}
		if n := strings.Count(told.String(), "it is sent again in"); n != 6 {
			t.Errorf("told %d times: %s", n, told)
		}
		_ = c.Close(t.Context())
	})
}

func TestClosingWhileASubscriptionWaitsToBeSentAgain(t *testing.T) {
	for _, how := range []string{"subscription", "client"} {
		synctest.Test(t, func(t *testing.T) {
			log := checked(t)
			var conn *flaky
			c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
				conn = &flaky{clienttest.Connect(t, discovered+"> subscriptions/listen\n"+ack(`{"toolsListChanged":true}`), sink, epoch), sink}
				return conn, nil
			}, client.Options{Protocol: "modern"})
			connect(t, c)
			s, err := c.Listen(t.Context(), mcp.Filter{Tools: true})
			if err != nil {
				t.Fatal(err)
			}
			conn.lose(log, 1)
			synctest.Wait()
			began := time.Now()
			if how == "subscription" {
				s.Close()
			} else if err := c.Close(t.Context()); err != nil {
				t.Error(err)
			}
			<-s.Done()
			if took := time.Since(began); took >= 250*time.Millisecond {
				t.Errorf("%s: took %s", how, took)
			}
			_ = c.Close(t.Context())
		})
	}
}

func TestSubscribeIsOneForBothEras(t *testing.T) {
	legacy := `
> initialize
answer {"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
`
	one := func(uri string) string {
		return "> {\"jsonrpc\":\"2.0\",\"id\":*,\"method\":\"resources/" + uri + "}}\nanswer {}\n"
	}
	listen := func(uris string) string {
		return "> {\"jsonrpc\":\"2.0\",\"id\":*,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"resourceSubscriptions\":" + uris + "},\"_meta\":*}}\n" +
			ack(`{"resourceSubscriptions":`+uris+`}`)
	}
	closed := "> notifications/cancelled\n"
	tests := map[string][2]string{
		"legacy": {legacy + one(`subscribe","params":{"uri":"a:1"`) + one(`subscribe","params":{"uri":"a:2"`) + one(`unsubscribe","params":{"uri":"a:1"`) + one(`subscribe","params":{"uri":"a:3"`),
			legacy + one(`subscribe","params":{"uri":"a:2"`) + one(`subscribe","params":{"uri":"a:3"`)},
		"modern": {discovered + listen(`["a:1","a:2"]`) + listen(`["a:2"]`) + closed + listen(`["a:2","a:3"]`) + closed,
			discovered + listen(`["a:2","a:3"]`)},
	}
	for protocol, scripts := range tests {
		t.Run(protocol, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, log := start(t, client.Options{Protocol: protocol}, scripts[0], scripts[1])
				defer func() { _ = c.Close(context.Background()) }()
				connect(t, c)
				for _, step := range []struct {
					do   func(context.Context, []string) error
					uris []string
				}{{c.Subscribe, []string{"a:1", "a:2"}}, {c.Unsubscribe, []string{"a:1"}}, {c.Subscribe, []string{"a:3"}}} {
					if err := step.do(t.Context(), step.uris); err != nil {
						t.Fatalf("%v: %v", step.uris, err)
					}
				}
				if got := fmt.Sprint(c.Subscribed()); got != "[a:2 a:3]" {
					t.Errorf("subscribed to %s", got)
				}
				if err := c.Restart(t.Context()); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if got := fmt.Sprint(c.Subscribed()); got != "[a:2 a:3]" {
					t.Errorf("after a restart subscribed to %s:\n%s", got, log)
				}
			})
		})
	}
}

func TestSubscribeIsHeldBackWhereItWasNotDeclared(t *testing.T) {
	for protocol, script := range map[string]string{
		"legacy": shake,
		"modern": "> server/discover\nanswer {\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"resources\":{}}}",
	} {
		story(t, client.Options{Protocol: protocol}, script, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
			connect(t, c)
			var gate *client.GateError
			if err := c.Subscribe(t.Context(), []string{"a:b"}); !errors.As(err, &gate) || gate.Capability != "resources.subscribe" {
				t.Errorf("%s: got %v", protocol, err)
			}
		})
	}
}

func TestWhatIsNotGrantedIsNotSubscribedTo(t *testing.T) {
	heard(t, "> subscriptions/listen\n"+ack(`{"resourceSubscriptions":["a:2"]}`), func(t *testing.T, c *client.Client, _ *clienttest.Log, told *notices) {
		if err := c.Subscribe(t.Context(), []string{"a:1", "a:2"}); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(c.Subscribed()); got != "[a:2]" || !strings.Contains(told.String(), "a:1") {
			t.Errorf("subscribed to %s, told %q", got, told)
		}
	})
}

func TestListenIsOpenedForTheListsThatChange(t *testing.T) {
	told := new(notices)
	story(t, client.Options{Protocol: "modern", Listen: true, Notice: told.take}, discovered+`
> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourcesListChanged":true},"_meta":*}}
`+ack(`{"toolsListChanged":true,"resourcesListChanged":true}`)+`
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
eof`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		synctest.Wait()
		if !c.Changed("tools/list") || c.Changed("resources/list") {
			t.Error("the notification went unheard")
		}
		if told.String() != "" {
			t.Errorf("told %q", told)
		}
	})
}

func TestLogLevel(t *testing.T) {
	story(t, client.Options{LogLevel: "warning"}, shake+`
> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"warning"}}
answer {}
> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}}
answer {}`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		if err := c.SetLogLevel(t.Context(), "debug"); err != nil {
			t.Error(err)
		}
		var unknown *client.LevelError
		if err := c.SetLogLevel(t.Context(), "debgu"); !errors.As(err, &unknown) || !strings.Contains(unknown.Hint(), "debug, info") {
			t.Errorf("got %v", err)
		}
	})
}

func TestLogLevelOfAModernServerGoesWithEachRequest(t *testing.T) {
	const level = `"io.modelcontextprotocol/logLevel"`
	modernStory(t, client.Options{LogLevel: "info"}, strings.Repeat("> tools/list\nanswer {\"tools\":[]}\n", 3), func(t *testing.T, c *client.Client, log *clienttest.Log) {
		for _, want := range []string{"info", "error", ""} {
			if want != "info" {
				if err := c.SetLogLevel(t.Context(), want); err != nil {
					t.Fatal(err)
				}
			}
			a, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			raw := string(log.Frames()[a.Request.Seq-1].Raw)
			if strings.Contains(raw, level+`:"`+want+`"`) != (want != "") || strings.Contains(raw, level) != (want != "") {
				t.Errorf("level %q: %s", want, raw)
			}
		}
	})
}

func TestListensOutliveTheirConnection(t *testing.T) {
	tools := "> {\"jsonrpc\":\"2.0\",\"id\":*,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true},\"_meta\":*}}\n" + ack(`{"toolsListChanged":true}`)
	prompts := strings.ReplaceAll(tools, "tools", "prompts")
	ended := "> {\"jsonrpc\":\"2.0\",\"id\":*,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"resourcesListChanged\":true},\"_meta\":*}}\n" +
		ack(`{"resourcesListChanged":true}`) + "answer {\"resultType\":\"complete\"}\n"
	synctest.Test(t, func(t *testing.T) {
		c, log := start(t, client.Options{Protocol: "modern"},
			discovered+tools+prompts+ended+"> notifications/cancelled\n> custom/x\nexit 3", discovered+tools+"eof", discovered+tools)
		defer func() { _ = c.Close(context.Background()) }()
		connect(t, c)
		var all []*client.Subscription
		for _, filter := range []mcp.Filter{{Tools: true}, {Prompts: true}, {Resources: true}} {
			s, err := c.Listen(t.Context(), filter)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
		<-all[2].Done() // by the server
		all[1].Close()
		if _, err := c.Request(t.Context(), "custom/x", nil, client.CallOptions{}); err == nil {
			t.Fatal("the server is gone")
		}
		for range 2 {
			if err := c.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if n := strings.Count(log.String(), `"method":"subscriptions/listen"`); n != 5 {
			t.Errorf("%d listens:\n%s", n, log)
		}
	})
}

func TestAListenThatEndsUngrantedIsTold(t *testing.T) {
	var told []string
	opt := client.Options{Protocol: "modern", Notice: func(text string) { told = append(told, text) }}
	story(t, opt, discovered+"> subscriptions/listen\nanswer {\"resultType\":\"complete\"}", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		if _, err := c.Listen(t.Context(), mcp.Filter{Tools: true}); err != nil {
			t.Fatal(err)
		}
		if len(told) != 1 || !strings.Contains(told[0], "did not say what it grants") {
			t.Errorf("told %q", told)
		}
	})
}

func TestALogLevelThatTheServerCannotSetIsTold(t *testing.T) {
	var told []string
	story(t, client.Options{LogLevel: "warning", Notice: func(text string) { told = append(told, text) }}, `
> initialize
answer {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"p","version":"1"}}
> notifications/initialized
eof`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		if len(told) != 1 || told[0] != "the log level could not be set: the server did not declare logging, which logging/setLevel needs" {
			t.Errorf("told %q", told)
		}
	})
}
