package ui

import (
	"strings"
	"testing"
	"time"

	"parley/ui/uitest"
)

// click clicks on a text.
func (s *screen) click(text string) {
	s.t.Helper()
	x, y := s.at(text)
	s.send(uitest.Click(x, y))
}

func TestAClickSelectsAndTakesTheKeys(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.click("tools/list  item") // in the traffic
		s.want("▌09:38:50.120  ← ▲    1  result", "enter open the frame")
		s.click("get_alerts")
		s.want("▌  get_alerts", "─ get_alerts ", "enter open ")
		s.click("(absent)")
		s.want("esc leave ")
		s.write("NY")
		s.want(`{"state":"NY"}`)
		s.click("goes out as typed")
		s.want("enter run")
		s.write("{}")
		s.want("› {}")
	})
}

func TestASecondClickOnAFrameOpensIt(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.click("resources/templates/list")
		s.wantNot("─ frame")
		s.click("resources/templates/list")
		s.want("─ frame 9 · → 3 resources/templates/list")
		s.click("prompts/list") // another one, while a frame is open
		s.want("─ frame 11 · → 4 prompts/list")
	})
}

func TestTheListsAreChosenByAClickOnTheirNames(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.click("3 prompts")
		s.want("plan_trip")
		s.click("2 resources")
		s.want("Weather stations")
		s.click("1 tools")
		s.want("Add two numbers.")
		s.click("4 traffic")
		s.want("enter open the frame")
	})
}

func TestTheWheelScrollsWithoutTakingTheKeys(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		x, y := s.at("prompts/list")
		s.want("resources/list ")
		s.send(uitest.Wheel(x, y, -1), uitest.Wheel(x, y, -1))
		s.want("notifications/initialized", "enter open   / filter", "G follows")
		s.send(uitest.Wheel(x, y, 1), uitest.Wheel(x, y, 1))
		s.want("← ", "4  result  prompts/list")
	})
}

func TestTheWheelScrollsAFrameAndAResult(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("4", "k", "k", "k", "k", "k", "k", "k", "enter")
		s.want("frame 5 · → 1 tools/list")
		s.press("p")
		s.want("frame 6", `"jsonrpc": "2.0"`)
		s.send(uitest.Wheel(10, 8, 1))
		s.wantNot(`"jsonrpc": "2.0"`)
		s.press("esc", "esc")
		s.press("2", "enter")
		s.pass(time.Second)
		s.want("weather://stations  application/json")
		s.send(uitest.Wheel(10, 12, 1))
		s.wantNot("weather://stations  application/json")
	})
}

func TestAClickOnTheStartScreenChoosesAndASecondOneOpens(t *testing.T) {
	start := choices()
	setup{start: start}.story(t, func(s *screen) {
		s.click("ghost")
		s.want("▌✗ ghost")
		s.click("ghost")
		s.want("cannot start gohst", "did you mean ghost?")
	})
}

func TestMGivesTheMouseBack(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		on := s.m.View().MouseMode
		s.press("M")
		s.want("the mouse is the terminal's")
		if off := s.m.View().MouseMode; off == on || off != 0 {
			t.Errorf("the mouse mode was %v and is %v", on, off)
		}
		s.press("M")
		s.want("the mouse is parley's again")
		if s.m.View().MouseMode != on {
			t.Error("the mouse was not taken back")
		}
	})
}

func TestNothingBehindAnOverlayIsClicked(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("q")
		before := s.view()
		s.send(uitest.Click(3, 4), uitest.Wheel(3, 4, 1), uitest.Click(60, 20))
		if after := s.view(); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
	})
}

func TestTheCursorStandsWhereTextGoes(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		if s.m.View().Cursor != nil {
			t.Error("a cursor without a field")
		}
		s.echo("hi")
		cursorAfter(s, "hi")
		s.press("esc", "5")
		s.write("{}")
		cursorAfter(s, "› {}")
		s.press("esc", "/", "ctrl+u")
		s.write("ec")
		cursorAfter(s, "/ ec")
	})
}

// cursorAfter fails unless the cursor stands right behind text.
func cursorAfter(s *screen, text string) {
	s.t.Helper()
	c := s.m.View().Cursor
	if c == nil {
		s.t.Fatalf("no cursor after %q:\n%s", text, s.view())
	}
	lines := strings.Split(s.view(), "\n")
	if c.Y >= len(lines) {
		s.t.Fatalf("the cursor is in line %d of %d", c.Y, len(lines))
	}
	before := string([]rune(lines[c.Y])[:min(c.X, len([]rune(lines[c.Y])))])
	if !strings.HasSuffix(before, text) {
		s.t.Errorf("the cursor stands behind %q, not %q", before, text)
	}
}
