package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/script"
)

func TestAWaitCountsFromARawLine(t *testing.T) {
	news := `< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%"}}`
	first, second := strings.Replace(news, "%", "first", 1), strings.Replace(news, "%", "second", 1)
	with(shake+lists+"> tools/call\n"+first+"\n"+`answer {"content":[]}`+"\n> tools/call\n"+second+"\n"+`answer {"content":[]}`+"\n").wide().story(t, func(s *screen) {
		s.ready()
		s.line5("call print_env")
		s.line5(`{"jsonrpc":"2.0","id":"r","method":"tools/call","params":{"name":"print_env"}}`)
		s.line5("let n = wait notifications/message 1s")
		s.line5("echo it was $n.params.data")
		s.want("  it was second")
	})
}

func TestAWaitCountsFromACallOfAForm(t *testing.T) {
	news := `< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%"}}`
	first, second := strings.Replace(news, "%", "first", 1), strings.Replace(news, "%", "second", 1)
	with(shake+lists+"> tools/call\n"+first+"\n"+`answer {"content":[]}`+"\n> tools/call\n"+second+"\n"+`answer {"content":[]}`+"\n").wide().story(t, func(s *screen) {
		s.ready()
		s.line5("call print_env")
		s.press("esc")
		s.call("print_env")
		s.line5("let n = wait notifications/message 1s")
		s.line5("echo it was $n.params.data")
		s.want("  it was second")
	})
}

func TestLinesThatChangeTheConnectionSayHowItWent(t *testing.T) {
	setup{servers: []string{weather, weather, "exit 3\n"}, w: 110, h: 50}.story(t, func(s *screen) {
		s.ready()
		s.line5("connect")
		s.want("› connect", "  ✗ connected already · restart ends the connection")
		s.line5("disconnect")
		s.pass(3 * time.Second)
		s.want("› disconnect", "  ok · ", "○ closed")
		s.line5("connect")
		s.pass(time.Second)
		s.want("● ready", "  ok · 120 ms")
		s.line5("restart")
		s.pass(5 * time.Second)
		s.want("› restart", "  ✗ ", "exited 3")
	})
}

func TestARestartThatFailsEndsItsPaste(t *testing.T) {
	setup{servers: []string{weather, "exit 3\n"}, w: 110, h: 50}.story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.send(paste("restart\necho never\n"))
		s.press("y")
		s.pass(5 * time.Second)
		s.want("› restart", "  ✗ ")
		s.press("up") // the notice goes
		s.want("not run: a line before it failed")
		s.wantNot("   never")
	})
}

func TestLinesOfAPasteWaitForTheConnection(t *testing.T) {
	setup{servers: []string{weather, weather}, w: 110, h: 50}.story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.send(paste("disconnect\nconnect\ncall print_env\n"))
		s.press("y")
		s.pass(5 * time.Second)
		s.want("● ready", "› call print_env", "ok · 0.0 ms · ")
		s.wantNot("✗")
	})
}

func TestConnectingIsStoppedInTheConsole(t *testing.T) {
	setup{servers: []string{weather, "hang\n"}, w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.line5("restart")
		s.pass(2 * time.Second)
		s.want("● running ", "ctrl+c stops")
		s.press("ctrl+c")
		s.pass(5 * time.Second)
		if s.quit {
			t.Fatal("ctrl+c left")
		}
		s.want("› restart", "  stopped")
		s.wantNot("context canceled")
	})
}

func TestALineThatWasDeclinedSaysSo(t *testing.T) {
	with(calling("hang")).wide().story(t, func(s *screen) {
		s.ready()
		s.line5(`{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"print_env"}}`)
		s.want("sent · ", "no answer yet")
		s.line5("restart")
		s.press("n")
		s.want("  not done")
		s.press("esc", "R")
		s.want("1 call is in flight")
		s.press("n")
	})
}

func TestARawLineSaysThatItWentOut(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5("raw hello there")
		s.want("› raw hello there", "  sent · 11 B")
	})
}

func TestALoopThatSaysMuchIsShownToItsEnd(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5("let all = tools")
		s.line5("for i in $all | [range(5000)] : echo number $i")
		s.want("  number 4999")
		j := s.m.console.talk[len(s.m.console.talk)-1]
		if n := len(j.said); n > maxRows {
			t.Errorf("%d rows are kept", n)
		}
		for range 5 {
			s.press("pgup")
		}
		s.want("  number 4989")
		if rows := j.rows(s.m.console, 80, 3); len(rows) > 8 {
			t.Errorf("%d rows are drawn to show 3", len(rows))
		}
	})
}

func TestALoopOverCallsShowsTheLastAnswerInItsPlace(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.line5("let all = tools")
		s.line5("for t in $all.tools[1:6] : call $t.name --force")
		s.want("─ result · ok", "Temperature: 64°F")
		s.wantNot("─ console · ")
	})
}

func TestConnectWithoutASessionSaysWhatToName(t *testing.T) {
	setup{start: &Start{}, open: func(*testing.T) func(context.Context, []string, *script.Settings) (*Session, error) {
		return func(context.Context, []string, *script.Settings) (*Session, error) { return nil, context.Canceled }
	}}.story(t, func(s *screen) {
		s.press(":")
		s.write("connect")
		s.press("enter")
		s.want("there is no session yet")
	})
}

func TestTemplatesAreShownWhereTheyAre(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5("templates")
		s.want("ok · ", " · 1 template", "│  station report", "weather://station/{id}/report{?day}")
		s.line5("resources")
		s.want(" · 3 resources")
	})
}

func TestWhatIsALittleTooLongIsWrappedAboveTheLine(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5("call get_alerts state=NY --offline")
		s.want("would be sent:", `   {"jsonrpc":"2.0"`, `"state":"NY"}`)
		s.wantNot("─ console · ")
	})
	for _, row := range wrapped(strings.Repeat("word ", 30), 20, maxSaid) {
		if strings.HasPrefix(string(row), " ") {
			t.Errorf("a row that goes on is out of line: %q", row)
		}
	}
}

func TestWhatIsSaidOnTheSideIsANotice(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.notes <- "files is disabled in mcp.json"
		s.notes <- "all the same"
		s.settle()
		s.want("files is disabled in mcp.json · all the same")
		s.press("j")
		s.wantNot("files is disabled")
	})
}

func TestWhatIsSaidOfAServerStaysWhenItsSessionOpens(t *testing.T) {
	dir := t.TempDir()
	start := choices()
	setup{start: start}.story(t, func(s *screen) {
		start.Connect = func(context.Context, string) (*Session, error) {
			s.notes <- "weather is disabled in mcp.json"
			return setup{}.session(s.t, dir), nil
		}
		s.press("j", "enter")
		s.want("weather is disabled in mcp.json")
		s.ready()
		s.want("weather is disabled in mcp.json")
	})
}

func TestWhatIsSaidWhileALineRunsStandsUnderIt(t *testing.T) {
	with(calling("sleep 2s", `answer {"content":[]}`)).wide().story(t, func(s *screen) {
		s.ready()
		s.line5("call print_env")
		s.notes <- "a word on the side"
		s.pass(3 * time.Second)
		s.want("› call print_env", "   a word on the side")
	})
}

func TestACopiedCommandNamesTheTargetAsItWasNamed(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		for _, tt := range []struct {
			again []string
			want  string
		}{
			{nil, "parley call echo message=hi -- node weather.js"},
			{[]string{"-s", "my server"}, "parley call echo message=hi -s 'my server'"},
			{[]string{"-e", "A=b c", "--", "node", "w.js"}, "parley call echo message=hi -e 'A=b c' -- node w.js"},
		} {
			s.m.desk.sess.Again = tt.again
			s.write("call echo message=hi")
			s.press("ctrl+y", "c")
			if s.clip != tt.want {
				t.Errorf("copied %q, want %q", s.clip, tt.want)
			}
			s.press("ctrl+u")
		}
		s.write("call {")
		s.press("ctrl+y")
		s.want("as a shell command", "expected")
	})
}

func TestTheEndOfTheServerShowsWhereTheAnswerWould(t *testing.T) {
	with(calling("stderr Traceback (most recent call last):", "stderr KeyError", "signal KILL")).story(t, func(s *screen) {
		s.ready()
		s.line5("call long_running_operation steps=1234567890")
		s.want("✗ no answer: the server was killed by SIGKILL", "KeyError", "R restart", "  ✗ ")
		s.wantNot("─ console · ")
	})
}
