package ui

import (
	"strings"
	"testing"
	"time"

	"parley/ui/keys"
	"parley/ui/uitest"
)

func TestCompletionListsWhatMayBeMeant(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.write("call get_")
		s.want("─ tab completes 2 ─", "get_alerts", "get_forecast", "Get weather forecast for a location.")
		s.press("down", "down")
		s.want(" › call get_forecast", " ▌get_forecast")
		s.press("esc")
		s.want(" › call get_")
		s.wantNot("call get_forecast")
		if s.m.context() != keys.InConsole {
			t.Errorf("the list is open: context %d", s.m.context())
		}
		s.write("f")
		s.press("tab")
		s.want(" › call get_forecast", "latitude", "number, required")
		s.write("un")
		s.press("tab")
		s.want(" › call get_forecast units=", "metric", "imperial")
		s.press("down", "enter")
		s.pass(100 * time.Millisecond)
		s.want("› call get_forecast units=metric", "✗ ")
	})
}

func TestAnArgumentSaysWhatItTakes(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.write("call get_forecast latitude=")
		s.want("latitude=  number *  Latitude of the location")
		s.write("4")
		s.wantNot("Latitude of the location")
		s.press("ctrl+u")
		s.write("call get_forecast nonsense=")
		s.want("get_forecast has no argument nonsense")
		s.press("ctrl+u")
		s.write("let x = call add a=")
		s.want("a=  number *")
	})
}

func TestTabGoesRoundWhereNothingWasTyped(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5", "tab")
		if s.m.focus != onList {
			t.Errorf("the keys are at %d", s.m.focus)
		}
		s.press("5")
		s.write("zzz")
		s.press("tab")
		s.want("nothing completes this", "› zzz")
	})
}

func TestEarlierLinesAreFoundByTheirLetters(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5(`{"a":1}`)
		s.line5("echo one fish")
		s.line5("echo two fish")
		s.write("dra")
		s.press("ctrl+u")
		s.write("fish")
		s.press("ctrl+r")
		s.want(" earlier › fish", "─ earlier lines 2 ─", " ▌echo two fish", "  echo one fish")
		_, one := s.at("  echo one fish")
		if _, two := s.at("▌echo two fish"); one >= two {
			t.Errorf("the newest line is not the one right above what is typed:\n%s", s.view())
		}
		s.press("up")
		s.want(" ▌echo one fish")
		s.press("esc")
		s.want(" › fish")
		s.press("ctrl+r", "ctrl+r", "enter")
		s.want(" › echo one fish", "   one fish") // it ran
		s.press("ctrl+r")
		s.write("nowhere")
		s.want("no earlier line has this")
		s.press("enter")
		s.want("earlier › nowhere")
	})
}

func TestALineThatWasFoundIsTakenByKeysThatMove(t *testing.T) {
	for keys, want := range map[string]string{
		"tab": " › echo fish!", "left": " › echo fis!h", "home": " › !echo fish", "ctrl+e": " › echo fish!",
	} {
		t.Run(keys, func(t *testing.T) {
			story(t, func(s *screen) {
				s.ready()
				s.line5("echo fish")
				s.press("ctrl+r")
				s.write("fsh")
				s.press("ctrl+w")
				s.write("fish")
				s.press(keys)
				s.write("!")
				s.want(want)
				if got := len(s.m.console.talk); got != 1 {
					t.Errorf("%d lines ran", got)
				}
			})
		})
	}
}

func TestHistoryAndDraftsAreThereTomorrow(t *testing.T) {
	memory := &Memory{path: t.TempDir() + "/memory.json"}
	setup{memory: memory}.story(t, func(s *screen) {
		s.ready()
		s.line5("echo yesterday")
		s.write("half a thou")
		s.press("up")
		s.want(" › echo yesterday")
		s.write("!") // changed there, and left
		s.press("down")
		s.want(" › half a thou")
		s.press("up")
		s.want(" › echo yesterday!")
		s.press("down", "ctrl+c")
	})
	setup{memory: memory}.story(t, func(s *screen) {
		s.ready()
		s.press("5", "up")
		s.want(" › half a thou")
		s.press("up")
		s.want(" › echo yesterday")
	})
}

func TestPastedStatementsRunOneByOne(t *testing.T) {
	setup{w: 110, h: 50}.story(t, func(s *screen) {
		s.ready()
		s.press("5")
		before := len(s.sent(0))
		s.send(paste("let x = call get_alerts state=NY\necho $x.isError # a comment\n{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"ping\"}\n"))
		s.want("Run 3 lines, one by one?")
		s.press("y")
		s.pass(time.Second)
		got := s.sent(before)
		if len(got) != 2 || !strings.Contains(got[0], `"get_alerts"`) || got[1] != `{"jsonrpc":"2.0","id":77,"method":"ping"}` {
			t.Errorf("sent %q", got)
		}
		s.want("  false")
		s.press("up", "up")
		s.want(" › echo $x.isError")
	})
}

func TestAFailureEndsTheRestOfAPaste(t *testing.T) {
	setup{w: 110, h: 50}.story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.send(paste("expect 1 == 2\necho never\n"))
		s.press("y")
		s.pass(time.Second)
		s.want("1 line was not run: one before failed", "› echo never")
	})
}

func TestAPasteWithAWrongStatementRunsNothing(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		before := len(s.sent(0))
		s.send(paste("ping\npnig\n"))
		s.want("nothing was run: paste:2:1: ", "found pnig", "did you")
		if len(s.sent(before)) != 0 || s.m.overlay != nil {
			t.Errorf("sent %q", s.sent(before))
		}
	})
}

func TestALineIsCopiedAsALineAndAsACommand(t *testing.T) {
	for _, tt := range []struct{ line, key, want string }{
		{"call echo message='it is'", "l", "call echo message='it is'"},
		{"call echo message='it is'", "c", "parley call echo 'message=it is' -- node weather.js"},
		{"tools", "c", "parley tools -- node weather.js"},
	} {
		story(t, func(s *screen) {
			s.ready()
			s.press("5")
			s.write(tt.line)
			s.press("esc", "5", "ctrl+y", tt.key)
			if s.clip != tt.want {
				t.Errorf("%s: copied %q, not %q\n%s", tt.line, s.clip, tt.want, s.view())
			}
		})
	}
	story(t, func(s *screen) {
		s.ready()
		s.line5("echo hello there")
		s.press("ctrl+y")
		s.want("copy the line that ran last", "no one command does this")
		s.press("o")
		if s.clip != "hello there" {
			t.Errorf("copied %q", s.clip)
		}
	})
}

func TestTheMouseChoosesInAList(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.write("call get_")
		x, y := s.at("  get_forecast  Get")
		s.send(uitest.Click(x+3, y))
		s.want(" › call get_forecast")
		s.press("ctrl+u", "esc", ":")
		x, y = s.at("  go to the resources  ")
		s.send(uitest.Click(x+3, y))
		s.want(" ▌go to the resources")
		s.send(uitest.Click(x+3, y))
		s.wantNot("─ palette")
		if s.m.cat.tab != tabResources {
			t.Error("the click did nothing")
		}
	})
}

// BenchmarkCompletion types a letter into the console beside 5,000 tools and
// draws the screen: it has to be done between two frames.
func BenchmarkCompletion(b *testing.B) {
	m, _ := busy(b, 100, 5_000, 110, 34)
	press(m, "5")
	for _, c := range []struct{ name, line, key string }{
		{"tool", "call tool_", "4"},
		{"argument", "call tool_4999 ", "t"},
		{"command", "cal", "l"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				m.console.line.SetText(c.line)
				press(m, c.key)
				_ = m.View()
			}
		})
	}
}

// BenchmarkPalette opens the palette, types a letter and draws the screen.
func BenchmarkPalette(b *testing.B) {
	m, _ := busy(b, 100, 5_000, 110, 34)
	for b.Loop() {
		press(m, ":", "s")
		_ = m.View()
		press(m, "esc")
	}
}
