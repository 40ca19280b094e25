package ui

import (
	"strings"
	"testing"
	"time"

	"parley/ui/keys"
)

// line5 types into the console and sends it.
func (s *screen) line5(text string) {
	s.t.Helper()
	if s.m.context() != keys.InConsole {
		s.press("5")
	}
	s.write(text)
	s.press("enter")
	s.pass(100 * time.Millisecond)
}

func TestTheConsoleSendsExactlyWhatIsTyped(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		const line = `{ "jsonrpc":"2.0",  "method":"notifications/x","x":1.0, "x":2 }`
		s.line5(line)
		if s.last() != line {
			t.Errorf("sent %q", s.last())
		}
		s.line5("raw  not JSON at all ")
		if s.last() != " not JSON at all " {
			t.Errorf("sent %q", s.last())
		}
		s.line5(`[{"jsonrpc":"2.0","id":70,"method":"ping"}]`)
		s.press("esc", "4")
		s.want("batch of 1")
	})
}

func TestTheAnswerToATypedLineShows(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.line5(`{"jsonrpc":"2.0","id":"me","method":"ping"}`)
		s.want(`→   "me"  ping`, `←   "me"  result`)
		s.press("esc", "4", "p")
		s.want(`▌09:38:50.220  →   "me"  ping`)
	})
}

func TestOurIDsSkipTypedOnes(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5(`{"jsonrpc":"2.0","id":5,"method":"ping"}`)
		s.line5(`{"jsonrpc":"2.0","id":6,"method":"ping"}`)
		s.press("esc")
		s.call("print_env")
		s.pass(100 * time.Millisecond)
		if !strings.Contains(s.last(), `"id":7`) {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestWhatIsNoLineForTheConsoleStays(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		before := len(s.sent(0))
		s.line5("tolls")
		s.want("› tolls", "✗ ", "did you mean tools?")
		s.press("ctrl+u", "enter")
		s.want("nothing was typed")
		if len(s.sent(0)) != before {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestEarlierLinesComeBackInTheConsole(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.line5(`{"a":1}`)
		s.line5(`{"b":2}`)
		s.write("draft")
		s.press("up")
		s.want(`› {"b":2}`)
		s.press("up", "up", "up")
		s.want(`› {"a":1}`)
		s.press("down", "down")
		s.want("› draft")
	})
}

func TestAPastedTutorialIsCompactedToOneLine(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.send(paste("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 40,  // any id\n  \"method\": \"ping\", /* no params */\n}\n"))
		s.want(`› {"jsonrpc":"2.0","id":40,"method":"ping"}`, "compacted to one line: enter sends it")
		s.press("enter")
		s.pass(100 * time.Millisecond)
		if s.last() != `{"jsonrpc":"2.0","id":40,"method":"ping"}` {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestPastedLinesAreSentOneByOneAfterAQuestion(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		lines := []string{`{"jsonrpc":"2.0","id":41,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/x"}`, "plain text"}
		before := len(s.sent(0))
		s.send(paste(strings.Join(lines, "\r\n") + "\n"))
		s.want("Send 3 lines, one by one, exactly as they are?")
		s.press("n")
		s.pass(100 * time.Millisecond)
		if len(s.sent(before)) != 0 {
			t.Fatalf("sent %q without being asked", s.sent(before))
		}
		s.send(paste(strings.Join(lines, "\n")))
		s.press("y")
		s.pass(100 * time.Millisecond)
		if got := s.sent(before); strings.Join(got, "\n") != strings.Join(lines, "\n") {
			t.Errorf("sent %q", got)
		}
	})
}

func TestAPastedLineIsPutIntoTheConsoleWithoutItsEnd(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.send(paste(`{"jsonrpc":"2.0","id":41,"method":"ping"}` + "\n"))
		s.want(`› {"jsonrpc":"2.0","id":41,"method":"ping"}`)
		s.wantNot("compacted", "␊")
	})
}

func TestTheConsoleSaysWhatALineIs(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		for line, sort := range map[string]string{
			`{"jsonrpc":"2.0","id":1,"method":"x"}`: "a request, sent as typed",
			`{"jsonrpc":"2.0","method":"x"}`:        "a notification, sent as typed",
			`{"jsonrpc":"2.0","id":1,"result":{}}`:  "a response, sent as typed",
			`[{"jsonrpc":"2.0","method":"x"}]`:      "a batch, sent as typed",
			`{"a":1}`:                               "JSON but no message, sent as typed",
			`{"a":`:                                 "not JSON, sent as typed",
			"raw hello":                             "not JSON, sent as typed",
		} {
			s.write(line)
			s.want(sort)
			s.press("ctrl+u")
		}
	})
}
