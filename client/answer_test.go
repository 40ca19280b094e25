package client_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/mcp"
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
