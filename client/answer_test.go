package client_test

import (
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

func declining(context.Context, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{"action":"decline"}`), nil
}

func rejecting(context.Context, json.RawMessage) (json.RawMessage, error) {
	return nil, mcp.RPCError{Code: -1, Message: "User rejected sampling request"}
}

func TestServerRequestsAreAnsweredByWhatIsConfigured(t *testing.T) {
	ask := func(method, answer string) string {
		return `< {"jsonrpc":"2.0","id":"q\u00e9","method":"` + method + `","params":{}}` + "\n>= " + answer + "\n"
	}
	story(t, client.Options{Roots: []string{"/srv/my data"}, Elicit: declining, Sample: rejecting},
		strings.Replace(shake, `"capabilities":{},"clientInfo"`, `"capabilities":{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{}}},"clientInfo"`, 1)+
			ask("ping", `{"jsonrpc":"2.0","id":"q\u00e9","result":{}}`)+
			ask("roots/list", `{"jsonrpc":"2.0","id":"q\u00e9","result":{"roots":[{"uri":"file:///srv/my%20data","name":"my data"}]}}`)+
			ask("elicitation/create", `{"jsonrpc":"2.0","id":"q\u00e9","result":{"action":"decline"}}`)+
			ask("sampling/createMessage", `{"jsonrpc":"2.0","id":"q\u00e9","error":{"code":-1,"message":"User rejected sampling request"}}`)+
			ask("other/thing", `{"jsonrpc":"2.0","id":"q\u00e9","error":{"code":-32601,"message":"Method not found: other/thing"}}`)+
			"exit 0", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
			connect(t, c)
			<-c.Done()
		})
}

func TestWhatIsNotConfiguredIsNotDeclaredAndNotFound(t *testing.T) {
	story(t, client.Options{}, shake+`
< {"jsonrpc":"2.0","id":7,"method":"roots/list"}
>= {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: roots/list"}}
exit 0`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		<-c.Done()
	})
}

// shakeWith is the handshake of a client that declares these capabilities.
func shakeWith(capabilities string) string {
	return strings.Replace(shake, `"capabilities":{},"clientInfo"`, `"capabilities":`+capabilities+`,"clientInfo"`, 1)
}

var shakeForm = shakeWith(`{"elicitation":{"form":{}}}`)

const elicit = `< {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object"}}}` + "\n"

func TestWhatIsDeclaredFollowsTheVersion(t *testing.T) {
	all := client.Options{Roots: []string{"/r"}, Elicit: declining, Sample: rejecting}
	for _, c := range []struct {
		version string
		opt     client.Options
		want    string
	}{
		{"2024-11-05", all, `{"roots":{"listChanged":true},"sampling":{}}`},
		{"2025-03-26", all, `{"roots":{"listChanged":true},"sampling":{}}`},
		{"2025-06-18", all, `{"roots":{"listChanged":true},"sampling":{},"elicitation":{}}`},
		{"2025-11-25", all, `{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{}}}`},
		{"", all, `{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{}}}`},
		{"", client.Options{}, `{}`},
		{"", client.Options{Sample: rejecting}, `{"sampling":{}}`},
		{"2025-03-26", client.Options{Elicit: declining}, `{}`},
	} {
		c.opt.Protocol = c.version
		script := `> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":*,"capabilities":` + c.want + `,"clientInfo":*}}
answer {"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
`
		story(t, c.opt, script, func(t *testing.T, cl *client.Client, _ *clienttest.Log) {
			connect(t, cl)
			if got := string(cl.Capabilities()); got != c.want {
				t.Errorf("%s: declared %s, want %s", c.version, got, c.want)
			}
		})
	}
}

func TestWhatTheVersionOfferedDoesNotHaveIsNotFound(t *testing.T) {
	story(t, client.Options{Protocol: "2025-03-26", Elicit: declining}, `> initialize
answer {"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
`+elicit+`>= {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: elicitation/create"}}
exit 0`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		<-c.Done()
	})
}

func TestAResponderDoesNotHoldUpTheReader(t *testing.T) {
	tale(t, shakeForm+elicit+`
> tools/call
answer {"content":[]}
>= {"jsonrpc":"2.0","id":7,"result":{"action":"decline"}}
`, func(t *testing.T, connected func(client.Options) *client.Client) {
		free := make(chan struct{})
		c := connected(client.Options{Elicit: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			<-free
			return declining(ctx, nil)
		}})
		if _, err := c.Request(t.Context(), "tools/call", client.CallParams("f", nil), client.CallOptions{}); err != nil {
			t.Error(err)
		}
		close(free)
	})
}

// tale is a story whose options are made inside the bubble, where channels belong.
func tale(t *testing.T, script string, fn func(t *testing.T, connected func(client.Options) *client.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		fn(t, func(opt client.Options) *client.Client {
			c, _ := start(t, opt, script)
			connect(t, c)
			return c
		})
	})
}

// lasting is a responder that ends with its context and tells why.
func lasting(why chan<- error) client.Responder {
	return func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		<-ctx.Done()
		why <- context.Cause(ctx)
		return json.RawMessage(`{"action":"accept","content":{}}`), nil
	}
}

func TestWhatTheServerCancelsIsNotAnswered(t *testing.T) {
	tale(t, shakeForm+elicit+`
< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}}
sleep 1s
< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}
sleep 1s
< {"jsonrpc":"2.0","id":8,"method":"ping"}
>= {"jsonrpc":"2.0","id":8,"result":{}}
exit 0`, func(t *testing.T, connected func(client.Options) *client.Client) {
		begin, why := time.Now(), make(chan error, 1)
		c := connected(client.Options{Elicit: lasting(why)})
		if err := <-why; !errors.Is(err, client.ErrWithdrawn) || time.Since(begin) < time.Second {
			t.Errorf("ended with %v after %s", err, time.Since(begin))
		}
		<-c.Done()
	})
}

func TestRespondersEndWithTheConnection(t *testing.T) {
	tale(t, shakeForm+elicit+"exit 0", func(t *testing.T, connected func(client.Options) *client.Client) {
		why := make(chan error, 1)
		connected(client.Options{Elicit: lasting(why)})
		if err := <-why; !errors.Is(err, client.ErrClosed) {
			t.Error(err)
		}
	})
}

func TestCloseWaitsForAnswersButNotForEver(t *testing.T) {
	slow := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		time.Sleep(300 * time.Millisecond)
		return declining(ctx, nil)
	}
	story(t, client.Options{Elicit: slow}, shakeForm+elicit+`>= {"jsonrpc":"2.0","id":7,"result":{"action":"decline"}}
eof`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		synctest.Wait()
		begin := time.Now()
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took != 300*time.Millisecond {
			t.Errorf("closing took %s", took)
		}
	})
	tale(t, shakeForm+elicit+"eof", func(t *testing.T, connected func(client.Options) *client.Client) {
		why := make(chan error, 1)
		c := connected(client.Options{Elicit: lasting(why)})
		synctest.Wait()
		begin := time.Now()
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took != time.Second {
			t.Errorf("closing took %s", took)
		}
		if err := <-why; !errors.Is(err, client.ErrClosed) {
			t.Error(err)
		}
	})
}

func TestAnswersHaveTheIDAsItWasSpelled(t *testing.T) {
	ask := func(id, params string) string {
		return `{"jsonrpc":"2.0","method":"elicitation/create","params":` + params + `,"id":` + id + `}`
	}
	answer := func(id string) string {
		return `>= {"jsonrpc":"2.0","id":` + id + `,"result":{"action":"decline"}}` + "\n"
	}
	long := `{"message":"` + strings.Repeat("x", 2*wire.MaxPart) + `"}`
	script := shakeForm
	for _, id := range []string{`1.0`, `1e2`, `"q\u00e9"`, `"7"`, `12345678901234567890`} {
		script += "< " + ask(id, "{}") + "\n" + answer(id)
	}
	script += "< " + ask(`1.50`, long) + "\n" + answer(`1.50`)
	script += "< [" + ask(`2.0`, "{}") + `, {"jsonrpc":"2.0","method":"notifications/x"}]` + "\n" + answer(`2.0`)
	script += `< {"jsonrpc":"2.0","id":null,"method":"elicitation/create"}` + "\n"
	story(t, client.Options{Elicit: declining}, script+"exit 0", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		<-c.Done()
	})
}

func TestAResponderGetsTheExactParams(t *testing.T) {
	long := `{"message":"` + strings.Repeat("x", 2*wire.MaxPart) + `","requestedSchema":1.0}`
	got := make(chan string, 3)
	keep := func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
		got <- string(params)
		return declining(ctx, nil)
	}
	script := shakeForm
	for _, params := range []string{`,"params":{ "message" :"?"}`, ``, `,"params":` + long} {
		script += `< {"jsonrpc":"2.0","id":7,"method":"elicitation/create"` + params + "}\n> {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":*}\n"
	}
	story(t, client.Options{Elicit: keep}, script+"exit 0", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		<-c.Done()
		for _, want := range []string{`{ "message" :"?"}`, "", long} {
			if have := <-got; have != want {
				t.Errorf("got %.80q, want %.80q", have, want)
			}
		}
	})
}

func TestWhatAResponderGivesIsSentAsOneLine(t *testing.T) {
	for _, c := range []struct {
		result string
		err    error
		want   string
	}{
		{"{\n \"action\": \"accept\",\r\n \"content\": {\"n\": 1.0}\n}\n", nil, `"result":{"action":"accept","content":{"n":1.0}}`},
		{"", nil, `"error":{"code":-32603,"message":"the answer is not JSON"}`},
		{"hello", nil, `"error":{"code":-32603,"message":"the answer is not JSON"}`},
		{"", errors.New("no \"luck\""), `"error":{"code":-32603,"message":"no \"luck\""}`},
		{"", mcp.RPCError{Code: -1, Message: "no", Data: json.RawMessage("{\n\"a\":1.0}")}, `"error":{"code":-1,"message":"no","data":{"a":1.0}}`},
	} {
		give := func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(c.result), c.err
		}
		story(t, client.Options{Elicit: give}, shakeForm+elicit+`>= {"jsonrpc":"2.0","id":7,`+c.want+"}\nexit 0", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
			connect(t, c)
			<-c.Done()
		})
	}
}

func TestModesAndToolsThatWereNotDeclaredAreRefused(t *testing.T) {
	story(t, client.Options{Elicit: declining, Sample: rejecting}, shakeWith(`{"sampling":{},"elicitation":{"form":{}}}`)+`
< {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"?","url":"https://example.org","elicitationId":"e"}}
>= {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"elicitation mode url was not declared"}}
< {"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}}
>= {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"sampling with tools was not declared"}}
< {"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"toolChoice":{"mode":"auto"}}}
>= {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"sampling with toolChoice was not declared"}}
exit 0`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		<-c.Done()
	})
}
