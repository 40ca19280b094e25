package client_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/rawjson"
	"parley/client/wire"
)

// previewer gives a client that is not connected, of a modern server.
func previewer() *client.Client {
	return client.New(new(clienttest.Log), nil, client.Options{Name: "t", Version: "1", Protocol: "modern"})
}

func TestEnvelopeLeavesWhatTheCallerPutIn(t *testing.T) {
	fields := strings.TrimSuffix(strings.TrimPrefix(meta, "{"), "}")
	tests := []struct{ params, want string }{
		{``, `{"_meta":` + meta + `}`},
		{`{}`, `{"_meta":` + meta + `}`},
		{` { } `, ` {"_meta":` + meta + ` } `},
		{`{"a":1}`, `{"a":1,"_meta":` + meta + `}`},
		{"{\"a\": 1.0,\n \"b\" : 2}\n", "{\"a\": 1.0,\n \"b\" : 2,\n \"_meta\" : " + meta + "}\n"},
		{`{"_meta":{}}`, `{"_meta":` + meta + `}`},
		{`{"_meta":{"traceparent":"x"},"a":1}`, `{"_meta":{"traceparent":"x",` + fields + `},"a":1}`},
		{`{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01","io.modelcontextprotocol/clientCapabilities":7,"io.modelcontextprotocol/clientInfo":null}}`,
			`{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01","io.modelcontextprotocol/clientCapabilities":7,"io.modelcontextprotocol/clientInfo":null}}`},
		{`{"_meta":null}`, `{"_meta":null}`},
		{`[1,2]`, `[1,2]`},
		{`null`, `null`},
		{`7`, `7`},
	}
	c := previewer()
	for _, tt := range tests {
		want := `{"jsonrpc":"2.0","id":1,"method":"m","params":` + tt.want + `}`
		if got := c.Preview("m", []byte(tt.params), client.CallOptions{}); string(got) != want {
			t.Errorf("%s:\n%s, want\n%s", tt.params, got, want)
		}
	}
	got := c.Preview("m", []byte(`{"_meta":{"progressToken":"mine"}}`), client.CallOptions{Progress: true})
	if !bytes.Contains(got, []byte(`"progressToken":"mine",`)) || bytes.Count(got, []byte("progressToken")) != 1 {
		t.Errorf("the token: %s", got)
	}
}

// Whatever valid params are, they stay valid, and each of their members stays.
func FuzzEnvelope(f *testing.F) {
	for _, s := range []string{`{}`, ` { "a" : [1] } `, `{"_meta":{"x":{}},"_meta":{"y":1}}`, `{"\u005fmeta":{"io.modelcontextprotocol\/protocolVersion":1}}`, `[]`, `"x"`} {
		f.Add([]byte(s), true)
	}
	c := previewer()
	f.Fuzz(func(t *testing.T, params []byte, progress bool) {
		if _, _, ok := rawjson.Valid(params); !ok {
			return
		}
		raw := c.Preview("m", params, client.CallOptions{Progress: progress})
		if _, _, ok := rawjson.Valid(raw); !ok {
			t.Fatalf("%q became %q", params, raw)
		}
		sent, _ := rawjson.Get(raw, "params")
		if rawjson.KindOf(params) != rawjson.Object {
			if string(sent) != string(bytes.TrimSpace(params)) {
				t.Fatalf("%q became %q", params, sent)
			}
			return
		}
		_ = rawjson.Each(params, func(key string, _, _ []byte) bool {
			before, _ := rawjson.Get(params, key)
			after, _ := rawjson.Get(sent, key)
			if key != "_meta" && string(before) != string(after) {
				t.Fatalf("%q became %q in %q", before, after, sent)
			}
			return true
		})
		theirs, has := rawjson.Get(params, "_meta")
		if has && rawjson.KindOf(theirs) != rawjson.Object {
			return
		}
		_ = rawjson.Each(theirs, func(key string, _, _ []byte) bool {
			before, _ := rawjson.Get(theirs, key)
			if after, _ := rawjson.Get(sent, "_meta", key); string(before) != string(after) {
				t.Fatalf("_meta: %q became %q in %q", before, after, sent)
			}
			return true
		})
		if _, ok := rawjson.Get(sent, "_meta", "io.modelcontextprotocol/protocolVersion"); !ok {
			t.Fatalf("no version in %q", sent)
		}
	})
}

// Many calls at once over real sockets are all answered, each by its own answer.
func TestManyCallsAtOnceOverHTTP(t *testing.T) {
	_, handler := official(true)
	c, _ := overHTTP(t, handler, client.Options{Protocol: "modern"})
	connect(t, c)
	const callers, each = 64, 6
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range each {
				p, err := c.Start(context.Background(), "resources/read", client.ReadParams("a:b"), client.CallOptions{Fresh: true, By: wire.ByForm})
				if err != nil {
					t.Error(err)
					return
				}
				a, err := p.Wait(t.Context())
				if err != nil || a.Request.Seq != p.Seq() {
					t.Errorf("%+v, %v", a, err)
					return
				}
			}
		})
	}
	all.Wait()
}
