package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
)

func accepting(context.Context, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{"action":"accept","content":{}}`), nil
}

func TestReshapedRootsAreTold(t *testing.T) {
	story(t, client.Options{Roots: []string{"/a"}}, shakeWith(`{"roots":{"listChanged":true}}`)+`
> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
< {"jsonrpc":"2.0","id":1,"method":"roots/list"}
> {"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///a","name":"a"},{"uri":"file:///b","name":"b"}]}}
> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
< {"jsonrpc":"2.0","id":2,"method":"roots/list"}
> {"jsonrpc":"2.0","id":2,"result":{"roots":[]}}
> ping
answer {}
`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		c.Reshape(func(o *client.Options) { o.Roots = append(o.Roots, "/b") })
		c.Reshape(func(o *client.Options) { o.Timeout = time.Second })
		synctest.Wait()
		c.Reshape(func(o *client.Options) { o.Roots = nil })
		synctest.Wait()
		if _, err := c.Request(t.Context(), "ping", nil, client.CallOptions{}); err != nil {
			t.Error(err)
		}
	})
}

func TestRootsThatWereNotDeclaredAreNotTold(t *testing.T) {
	script := shake + `
< {"jsonrpc":"2.0","id":1,"method":"roots/list"}
> {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":*}}
> ping
answer {}
< {"jsonrpc":"2.0","id":2,"method":"roots/list"}
> {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":*}}
exit 0`
	again := shakeWith(`{"roots":{"listChanged":true}}`) + `
< {"jsonrpc":"2.0","id":1,"method":"roots/list"}
> {"jsonrpc":"2.0","id":1,"result":*}
exit 0`
	synctest.Test(t, func(t *testing.T) {
		c, _ := start(t, client.Options{}, script, again)
		connect(t, c)
		synctest.Wait()
		c.Reshape(func(o *client.Options) { o.Roots = []string{"/late"} })
		if _, err := c.Request(t.Context(), "ping", nil, client.CallOptions{}); err != nil {
			t.Error(err)
		}
		<-c.Done()
		connect(t, c) // it is declared now
		<-c.Done()
	})
}

func TestReshapedAnswersHoldAtOnceIfDeclared(t *testing.T) {
	next := "> ping\nanswer {}\n"
	story(t, client.Options{Elicit: declining}, shakeForm+
		elicit+`>= {"jsonrpc":"2.0","id":7,"result":{"action":"decline"}}`+"\n"+next+
		elicit+`>= {"jsonrpc":"2.0","id":7,"result":{"action":"accept","content":{}}}`+"\n"+next+
		elicit+`>= {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: elicitation/create"}}`+"\n"+next+
		`< {"jsonrpc":"2.0","id":8,"method":"sampling/createMessage","params":{}}
> {"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":*}}
exit 0`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		for _, responder := range []client.Responder{accepting, nil, nil} {
			synctest.Wait()
			c.Reshape(func(o *client.Options) { o.Elicit, o.Sample = responder, rejecting })
			if _, err := c.Request(t.Context(), "ping", nil, client.CallOptions{}); err != nil {
				t.Error(err)
			}
		}
		<-c.Done()
	})
}

func TestWithoutAHandshakeWhatIsConfiguredIsAnswered(t *testing.T) {
	story(t, client.Options{NoHandshake: true, Elicit: declining, Roots: []string{"/r"}}, elicit+
		`>= {"jsonrpc":"2.0","id":7,"result":{"action":"decline"}}
< {"jsonrpc":"2.0","id":8,"method":"roots/list"}
> {"jsonrpc":"2.0","id":8,"result":{"roots":[{"uri":"file:///r","name":"r"}]}}
> ping
answer {}
`+elicit+`>= {"jsonrpc":"2.0","id":7,"result":{"action":"accept","content":{}}}
exit 0`, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		if c.Capabilities() != nil {
			t.Errorf("declared %s", c.Capabilities())
		}
		synctest.Wait()
		c.Reshape(func(o *client.Options) { o.Elicit, o.Roots = accepting, []string{"/s"} })
		if _, err := c.Request(t.Context(), "ping", nil, client.CallOptions{}); err != nil {
			t.Error(err)
		}
		<-c.Done()
	})
}

func TestClocksStandStillWhileAPersonThinks(t *testing.T) {
	thinking := func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		defer client.Hold(ctx)()
		info, ok := client.Asking(ctx)
		if !ok || info.ServerName != "s" {
			t.Errorf("asking is %+v", info)
		}
		time.Sleep(5 * time.Minute)
		return accepting(ctx, nil)
	}
	ask := shakeForm + "> tools/call\n" + `< {"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{}}
> {"jsonrpc":"2.0","id":"e","result":{"action":"accept","content":{}}}
sleep 3s
`
	opt := client.Options{Elicit: thinking, Timeout: 4 * time.Second}
	story(t, opt, ask+`< {"jsonrpc":"2.0","id":1,"result":{"content":[]}}`+"\neof", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		if _, err := c.Request(t.Context(), "tools/call", client.CallParams("f", nil), client.CallOptions{}); err != nil {
			t.Error(err)
		}
	})
	story(t, opt, ask+"> notifications/cancelled\n", func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		begin := time.Now()
		var late *client.TimeoutError
		_, err := c.Request(t.Context(), "tools/call", client.CallParams("f", nil), client.CallOptions{})
		if took := time.Since(begin); !errors.As(err, &late) || took != 5*time.Minute+4*time.Second {
			t.Errorf("%v after %s", err, took)
		}
	})
	if release := client.Hold(t.Context()); release == nil {
		t.Error("nothing to release")
	}
}
