package ui

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/script"
	"parley/ui/keys"
)

func TestACallInTheConsoleShowsLikeThatOfItsForm(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {110, 34}} {
		setup{w: size[0], h: size[1]}.story(t, func(s *screen) {
			s.ready()
			s.line5("call get_alerts state=NY")
			s.want("› call get_alerts state=NY", "ok · 0.0 ms", "─ result · ok · ", " Temperature: 64°F", "get_alerts")
			if !strings.Contains(s.last(), `"params":{"name":"get_alerts","arguments":{"state":"NY"}`) {
				t.Errorf("sent %s", s.last())
			}
			if x, _ := s.m.cat.selected(); x.key.name != "get_alerts" {
				t.Errorf("selected %s", x.key.name)
			}
			s.line5("get plan_trip city=Boston")
			s.want("─ result · ok · ", "First I need the forecast.", "plan_trip")
			s.line5("read weather://station/KNYC/report")
			s.want("─ result · ok · ", "station report")
			if x, _ := s.m.cat.selected(); x.key.kind != templateItem {
				t.Errorf("selected %v", x.key)
			}
		})
	}
}

func TestVariablesLiveAsLongAsTheSession(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5("let x = call get_alerts state=NY")
		s.want("› let x = call get_alerts state=NY", "  ok · ")
		s.line5("expect $x.content[0].text startsWith Today")
		s.line5("echo it is $x.content[0].type")
		s.want("  it is text")
		s.line5("$x.isError")
		s.want("› $x.isError", "  false")
		s.press("esc", "R")
		s.ready()
		s.line5("$x.content[0].type")
		s.want("› $x.content[0].type", "  text")
	})
}

func TestAFailureIsShownUnderItsLine(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5("let x = call get_alerts state=NY")
		s.line5("expect $x.isError")
		s.want("› expect $x.isError", "  ✗ ")
		before := len(s.sent(0))
		s.line5("call get_alerts state=1234")
		s.want("› call get_alerts state=1234", "  ✗ ")
		if len(s.sent(0)) != before {
			t.Errorf("sent %s", s.last())
		}
		s.line5("call get_alrts")
		s.want("  ✗ ", "get_alerts")
	})
}

func TestALongAnswerOpensAsADocument(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5("help")
		s.want("─ console · help ", "call NAME key=text")
		first := s.view()
		s.press("pgdown")
		if s.view() == first {
			t.Error("pgdn does not go on")
		}
		s.write("echo hi")
		s.press("enter")
		s.pass(100 * time.Millisecond)
		s.want("  hi", "─ console · help ")
		s.line5("call get_alerts state=NY")
		s.wantNot("─ console · help ")
		s.want("─ result · ok")
		s.line5("schema book_trip")
		s.want("─ console · schema book_trip ", `"travellers"`)
		s.press("esc")
		s.wantNot("─ console · ")
		if s.m.context() != keys.InList {
			t.Errorf("the keys are in context %d", s.m.context())
		}
	})
}

func TestWhatRunsCanBeStoppedAndTheRestWaits(t *testing.T) {
	for _, stop := range [][]string{{"ctrl+c"}, {"esc", "x"}} {
		with(calling("hang")).story(t, func(s *screen) {
			s.ready()
			s.line5("call print_env")
			s.line5("echo after")
			s.pass(time.Second)
			s.want("● running 1.", "waits for its turn", " · 1 waits · ctrl+c stops")
			s.press(stop...)
			s.pass(100 * time.Millisecond)
			if s.quit {
				t.Fatal("ctrl+c left instead of stopping what runs")
			}
			if !strings.Contains(s.last(), "notifications/cancelled") {
				t.Errorf("sent %s", s.last())
			}
			s.press("5")
			s.want("stopped", "not run")
			s.press("up")
			s.want("› echo after")
			s.press("ctrl+u", "ctrl+c")
			if !s.quit {
				t.Error("with nothing running ctrl+c does not leave")
			}
		})
	}
}

func TestLinesQueueAndRawOnesGoOutAtOnce(t *testing.T) {
	with(calling("sleep 2s", `answer {"content":[{"type":"text","text":"done"}]}`)).wide().story(t, func(s *screen) {
		s.ready()
		s.line5("call print_env")
		s.line5("ping")
		s.line5(`{"jsonrpc":"2.0","method":"notifications/x"}`)
		if s.last() != `{"jsonrpc":"2.0","method":"notifications/x"}` {
			t.Errorf("the raw line waits: %s", s.last())
		}
		s.pass(3 * time.Second)
		if !strings.Contains(s.last(), `"method":"ping"`) {
			t.Errorf("sent %s", s.last())
		}
		s.want("› ping")
	})
}

func TestLoopsAndWaitsWork(t *testing.T) {
	setup{w: 110, h: 50}.story(t, func(s *screen) {
		s.ready()
		before := len(s.sent(0))
		s.line5("let all = tools")
		s.line5(`for t in $all.tools[0:3] : echo $t.name`)
		s.want("  add", "  echo", "  get_alerts")
		s.line5("set timeout 5s")
		s.line5("sleep 50ms")
		s.want("› sleep 50ms")
		if got := s.sent(before); len(got) != 1 || !strings.Contains(got[0], "tools/list") {
			t.Errorf("sent %q", got)
		}
	})
}

func TestIncludeRunsAFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "hello.mcp")
	writeFile(t, file, "echo one\necho two\n")
	story(t, func(s *screen) {
		s.ready()
		s.line5("include " + file)
		s.want("  one", "  two")
	})
}

func TestOfflineShowsTheRequest(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		before := len(s.sent(0))
		s.line5("call get_alerts state=NY --offline")
		s.want("would be sent:", `"method":"tools/call"`)
		if len(s.sent(0)) != before {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestConnectGoesToAnotherServer(t *testing.T) {
	dir := t.TempDir()
	var asked []string
	u := setup{w: 110, h: 34}
	u.open = func(t *testing.T) func(context.Context, []string, *script.Settings) (*Session, error) {
		return func(_ context.Context, words []string, _ *script.Settings) (*Session, error) {
			asked = words
			s := setup{}.session(t, dir)
			s.Name = "other"
			return s, nil
		}
	}
	u.story(t, func(s *screen) {
		s.ready()
		s.line5("let x = call get_alerts state=NY")
		old := s.m.desk.sess
		s.line5("connect other")
		s.pass(time.Second)
		if len(asked) != 1 || asked[0] != "other" || s.m.desk.sess == old {
			t.Fatalf("asked for %q:\n%s", asked, s.view())
		}
		s.want("● ready", "› connect other", "1 tools 9")
		s.line5("$x.content[0].type")
		s.want("  text")
		s.log = s.m.desk.sess.Log
		s.line5("call get_alerts state=CA")
		if !strings.Contains(s.last(), `"state":"CA"`) {
			t.Errorf("sent %s", s.last())
		}
		select {
		case <-old.Client.Done():
		default:
			t.Error("the session before was not ended")
		}
	})
}

func TestConnectAsksWhenCallsAreInFlight(t *testing.T) {
	u := with(calling("hang"))
	u.open = func(*testing.T) func(context.Context, []string, *script.Settings) (*Session, error) {
		return func(context.Context, []string, *script.Settings) (*Session, error) {
			t.Error("connected without an answer")
			return nil, context.Canceled
		}
	}
	u.story(t, func(s *screen) {
		s.ready()
		s.line5(`{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"print_env"}}`)
		s.line5("connect other")
		s.want("1 call is in flight and will get no answer.")
		s.press("n")
		s.wantNot("in flight")
		s.line5("restart")
		s.want("─ restart ─", "1 call is in flight")
		s.press("n")
		s.line5("disconnect")
		s.want("─ disconnect ─", "1 call is in flight")
		s.press("y")
		s.pass(5 * time.Second)
		s.want("○ closed")
		s.line5("ping")
		s.want("the server is gone (closed): the line restart starts it again")
	})
}

func TestExitAsks(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5("exit")
		s.want("The server will be ended")
		s.press("y")
		if !s.quit {
			t.Error("exit does not leave")
		}
	})
}

func TestListsRefreshTheCatalogue(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.line5("prompts")
		s.want("ok · ", " · 2 prompts")
		if s.m.cat.tab != tabPrompts {
			t.Error("the prompts do not show")
		}
		s.line5("tools --jq .tools[0].name")
		s.want("  add")
	})
}
