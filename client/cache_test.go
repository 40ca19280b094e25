package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
)

// pass lets fake time go by.
func pass(d time.Duration) { <-time.After(d) }

func TestAnAnswerCountsAsLongAsTheServerSays(t *testing.T) {
	const page = `{"resultType":"complete","tools":[],"ttlMs":5000,"cacheScope":"private"}`
	modernStory(t, client.Options{}, strings.Repeat("> tools/list\nanswer "+page+"\n", 4), func(t *testing.T, c *client.Client, log *clienttest.Log) {
		list := func(params string, opt client.CallOptions, sent bool) {
			t.Helper()
			before := len(log.Frames())
			a, err := c.Request(t.Context(), "tools/list", json.RawMessage(params), opt)
			if err != nil || result(t, c, a) != page {
				t.Fatalf("got %v", err)
			}
			if got := len(log.Frames()) > before; got != sent || a.Cached.IsZero() != sent {
				t.Errorf("sent is %v, counts until %s", got, a.Cached)
			}
			if !sent && a.Cached != a.Got.Add(5*time.Second) {
				t.Errorf("counts until %s, came at %s", a.Cached, a.Got)
			}
		}
		list("", client.CallOptions{}, true)
		pass(4999 * time.Millisecond)
		list(`{}`, client.CallOptions{}, false)
		list(`{"_meta":{"x":1}}`, client.CallOptions{}, false)
		pass(time.Millisecond)
		list("", client.CallOptions{}, true)
		list("", client.CallOptions{Fresh: true}, true)
		list("", client.CallOptions{}, false)
		list("", client.CallOptions{Of: 3, By: wire.ByReplay}, true)
	})
}

func TestWhatIsNotKept(t *testing.T) {
	for name, result := range map[string]string{
		"no hint":  `{"resultType":"complete","tools":[]}`,
		"zero":     `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}`,
		"negative": `{"resultType":"complete","tools":[],"ttlMs":-5,"cacheScope":"public"}`,
		"no time":  `{"resultType":"complete","tools":[],"ttlMs":"5000","cacheScope":"public"}`,
	} {
		t.Run(name, func(t *testing.T) {
			modernStory(t, client.Options{}, strings.Repeat("> tools/list\nanswer "+result+"\n", 2), func(t *testing.T, c *client.Client, _ *clienttest.Log) {
				for range 2 {
					if a, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil || !a.Cached.IsZero() {
						t.Errorf("got %v", err)
					}
				}
			})
		})
	}
}

func TestLegacyAnswersAreNotKept(t *testing.T) {
	script := shake + strings.Repeat("> tools/list\nanswer {\"tools\":[],\"ttlMs\":60000}\n", 2)
	story(t, client.Options{}, script, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		connect(t, c)
		for range 2 {
			if a, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil || !a.Cached.IsZero() {
				t.Errorf("got %v", err)
			}
		}
	})
}

func TestNeitherQuestionsNorWhatFollowsThemIsKept(t *testing.T) {
	const kept = `"ttlMs":60000,"cacheScope":"public"}`
	round := `
> resources/read
answer {"resultType":"input_required","requestState":"s",` + kept + `
> {"jsonrpc":"2.0","id":*,"method":"resources/read","params":{"uri":"a:b","requestState":"s",...}}
answer {"resultType":"complete","contents":[],` + kept
	modernStory(t, client.Options{}, round+round+`
> {"jsonrpc":"2.0","id":*,"method":"resources/read","params":{"uri":"a:b","requestState":"own",...}}
answer {"resultType":"complete","contents":[],`+kept+round, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		read := func(params string) {
			t.Helper()
			if a, err := c.Request(t.Context(), "resources/read", json.RawMessage(params), client.CallOptions{}); err != nil || !a.Cached.IsZero() {
				t.Errorf("got %v", err)
			}
		}
		read(`{"uri":"a:b"}`)
		read(`{"uri":"a:b"}`)
		read(`{"uri":"a:b","requestState":"own"}`)
		read(`{"uri":"a:b"}`)
	})
}

func TestANotificationDropsWhatItConcerns(t *testing.T) {
	const hints = `"ttlMs":3600000,"cacheScope":"public"}`
	lists := `
on tools/list {"resultType":"complete","tools":[],` + hints + `
on prompts/list {"resultType":"complete","prompts":[],` + hints + `
on resources/list {"resultType":"complete","resources":[],` + hints + `
on resources/templates/list {"resultType":"complete","resourceTemplates":[],` + hints + `
on resources/read {"resultType":"complete","contents":[],` + hints + `
`
	tests := []struct {
		notification string
		dropped      string // methods, or URIs
	}{
		{`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, "tools/list"},
		{`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`, "prompts/list"},
		{`{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`, "resources/list resources/templates/list"},
		{`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a"}}`, "file:///a"},
		{`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a/b"}}`, "file:///a"},
		{`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///ab"}}`, "file:///ab"},
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`, ""},
	}
	for _, tt := range tests {
		modernStory(t, client.Options{}, lists+"> notifications/go\n< "+tt.notification, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
			ask := func(what string) bool {
				method, params := what, json.RawMessage(nil)
				if strings.HasPrefix(what, "file:") {
					method, params = "resources/read", client.ReadParams(what)
				}
				a, err := c.Request(t.Context(), method, params, client.CallOptions{})
				if err != nil {
					t.Fatal(err)
				}
				return a.Cached.IsZero()
			}
			all := append([]string{"file:///a", "file:///ab"}, client.ListMethods...)
			for _, what := range all {
				ask(what)
			}
			if _, err := c.Notify(t.Context(), "notifications/go", nil, wire.ByConsole); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			var dropped []string
			for _, what := range all {
				if ask(what) {
					dropped = append(dropped, what)
				}
			}
			if got := strings.Join(dropped, " "); got != tt.dropped {
				t.Errorf("%s dropped %q, want %q", tt.notification, got, tt.dropped)
			}
		})
	}
}

func TestANotificationOnTheWayOutrunsTheAnswer(t *testing.T) {
	const page = `{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}`
	modernStory(t, client.Options{}, `
> tools/list
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
answer `+page+`
> tools/list
answer `+page, func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		for range 2 {
			if a, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil || !a.Cached.IsZero() {
				t.Errorf("got %v", err)
			}
			pass(time.Second)
		}
	})
}

func TestAnotherConnectionBeginsWithNothingKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := discovered + "on tools/list {\"resultType\":\"complete\",\"tools\":[],\"ttlMs\":60000,\"cacheScope\":\"public\"}\n"
		c, _ := start(t, client.Options{Protocol: "modern"}, script, script)
		connect(t, c)
		for i := range 2 {
			if i == 1 {
				if err := c.Restart(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if a, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil || !a.Cached.IsZero() {
				t.Errorf("got %v", err)
			}
		}
		_ = c.Close(context.Background())
	})
}

func pageOf(n int, ttl int, next string) string {
	return fmt.Sprintf(`{"resultType":"complete","tools":[{"name":"t%d","inputSchema":{"type":"object"}}],"ttlMs":%d,"cacheScope":"public"%s}`, n, ttl, next)
}

func TestPagesAreKeptOneByOne(t *testing.T) {
	modernStory(t, client.Options{}, `
> {"jsonrpc":"2.0","id":*,"method":"tools/list","params":{"_meta":*}}
answer `+pageOf(1, 60000, `,"nextCursor":""`)+`
> {"jsonrpc":"2.0","id":*,"method":"tools/list","params":{"cursor":"","_meta":*}}
answer `+pageOf(2, 1000, `,"nextCursor":"\u00e9\/"`)+`
> {"jsonrpc":"2.0","id":*,"method":"tools/list","params":{"cursor":"é/","_meta":*}}
answer `+pageOf(3, 60000, "")+`
> {"jsonrpc":"2.0","id":*,"method":"tools/list","params":{"cursor":"","_meta":*}}
answer `+pageOf(2, 1000, `,"nextCursor":"\u00e9\/"`), func(t *testing.T, c *client.Client, log *clienttest.Log) {
		for range 3 {
			pages, err := c.List(t.Context(), "tools/list", client.CallOptions{})
			if err != nil || len(pages) != 3 {
				t.Fatalf("%d pages, %v", len(pages), err)
			}
		}
		if !strings.Contains(log.String(), `"cursor":"\u00e9\/"`) {
			t.Error("a cursor was spelled anew")
		}
		pass(2 * time.Second)
		if pages, err := c.List(t.Context(), "tools/list", client.CallOptions{}); err != nil || pages[0].Cached.IsZero() || !pages[1].Cached.IsZero() || pages[2].Cached.IsZero() {
			t.Errorf("got %v", err)
		}
	})
}

func TestADeadCursorDropsAllPages(t *testing.T) {
	var told []string
	modernStory(t, client.Options{Notice: func(text string) { told = append(told, text) }}, `
> tools/list
answer `+pageOf(1, 60000, `,"nextCursor":"x"`)+`
> tools/list
answer `+pageOf(2, 0, "")+`
> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"x","_meta":*}}
fail {"code":-32602,"message":"no such cursor"}
> {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":*}}
answer `+pageOf(3, 60000, ""), func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		if pages, err := c.List(t.Context(), "tools/list", client.CallOptions{}); err != nil || len(pages) != 2 {
			t.Fatalf("%d pages, %v", len(pages), err)
		}
		pages, err := c.List(t.Context(), "tools/list", client.CallOptions{})
		if err != nil || len(pages) != 1 || len(told) != 1 || !strings.Contains(told[0], "listed anew") {
			t.Errorf("%d pages, %v, told %q", len(pages), err, told)
		}
	})
}

func TestACursorThatIsRefusedAtOnceIsAnError(t *testing.T) {
	modernStory(t, client.Options{}, `
> tools/list
answer `+pageOf(1, 60000, `,"nextCursor":"x"`)+`
> tools/list
fail {"code":-32602,"message":"no such cursor"}
> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":*}}
answer `+pageOf(1, 60000, ""), func(t *testing.T, c *client.Client, _ *clienttest.Log) {
		if pages, err := c.List(t.Context(), "tools/list", client.CallOptions{}); err == nil || len(pages) != 2 {
			t.Errorf("%d pages, %v", len(pages), err)
		}
		if _, err := c.List(t.Context(), "tools/list", client.CallOptions{}); err != nil {
			t.Error(err)
		}
	})
}

// What a server lists may depend on what its client can do.
func TestAnotherDeclarationAsksAnew(t *testing.T) {
	const page = `{"resultType":"complete","tools":[],"ttlMs":5000,"cacheScope":"private"}`
	modernStory(t, client.Options{}, strings.Repeat("> tools/list\nanswer "+page+"\n", 2), func(t *testing.T, c *client.Client, log *clienttest.Log) {
		for _, change := range []func(*client.Options){
			func(*client.Options) {},
			func(opt *client.Options) { opt.Timeout = time.Second },
			func(opt *client.Options) { opt.Roots = []string{"/a"} },
		} {
			c.Reshape(change)
			if _, err := c.Request(t.Context(), "tools/list", nil, client.CallOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if n := strings.Count(log.String(), `"method":"tools/list"`); n != 2 {
			t.Errorf("listed %d times", n)
		}
	})
}
