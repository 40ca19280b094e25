package ui

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// recorded tells a story that ends in a crash and returns its session file with
// what the screen showed last.
func recorded(t *testing.T) (file, last string) {
	t.Helper()
	u := with(calling("stderr listening", `answer {"content":[{"type":"text","text":"fine"}]}`, "stray DEBUG: odd",
		"> tools/call", "stderr KeyError: 'latitude'", "sleep 200ms", "exit 7"))
	u.dir = t.TempDir()
	u.story(t, func(s *screen) {
		s.ready()
		s.call("echo")
		s.until(" fine")
		s.press("esc")
		s.call("print_env")
		s.until("exited 7")
		last = s.view()
	})
	return filepath.Join(u.dir, "weather.jsonl"), last
}

func TestAReopenedSessionLooksAsItDid(t *testing.T) {
	file, last := recorded(t)
	setup{file: file}.story(t, func(s *screen) {
		s.find("print_env")
		s.press("enter", "tab")
		s.want("✗ exited 7 after 420 ms", "frames 19", "no answer: the server exited 7 during this call", "KeyError: 'latitude'")
		live, now := strings.Split(last, "\n"), strings.Split(s.view(), "\n")
		for y := range live {
			same := live[y] == now[y]
			if y == 0 || strings.Contains(live[y], "R restart") || same {
				continue // what helps now is another thing
			}
			t.Errorf("was  %s\nis   %s", live[y], now[y])
		}
	})
}

func TestEverythingOfAReopenedSessionCanBeRead(t *testing.T) {
	file, _ := recorded(t)
	setup{file: file, w: 110, h: 34}.story(t, func(s *screen) {
		s.want("1 tools 9 · 2 resources 4 · 3 prompts 2", "✗ exited 7", "▲ 2 findings")
		s.open("echo")
		s.want("ok · ", " fine", "(absent)")
		s.press("2")
		s.want("weather://stations")
		s.press("3")
		s.want("plan_trip")
		s.press("4", "g", "/")
		s.write("tools/call echo result")
		s.press("enter", "enter")
		s.want(`"text": "fine"`)
		s.press("b")
		s.want(`{"content":[{"type":"text","text":"fine"}]}`)
		s.press("p")
		s.want("→ 5 tools/call echo")
		s.press("6", "G")
		s.want("stderr · 2 lines", "listening", "KeyError: 'latitude'")
		s.press("esc", "q")
		for range 3 {
			s.press("q")
		}
		if !s.quit {
			t.Error("leaving a recorded session asks")
		}
	})
}

func TestNothingIsSentFromAReopenedSession(t *testing.T) {
	file, _ := recorded(t)
	const why = "this is a recorded session: nothing can be sent"
	for _, keys := range [][]string{
		{"r"}, {"enter", "ctrl+s"}, {"enter", "enter", "ctrl+s"}, {"x"}, {"R"},
		{"4", "g", "j", "r"}, {"4", "g", "j", "enter", "r"}, {"5", "{", "}", "enter"}, {"2", "enter", "enter"},
	} {
		t.Run(strings.Join(keys, " "), func(t *testing.T) {
			setup{file: file}.story(t, func(s *screen) {
				frames := s.log.Len()
				s.press(keys...)
				s.pass(time.Second)
				s.want(why)
				if s.log.Len() != frames {
					t.Errorf("%d frames became %d", frames, s.log.Len())
				}
			})
		})
	}
}

func TestAFrameOfAReopenedSessionIsOnlyRead(t *testing.T) {
	file, _ := recorded(t)
	setup{file: file}.story(t, func(s *screen) {
		s.press("4", "g", "j", "enter")
		s.want("→ 0 initialize")
		s.edit = `{"changed":true}`
		s.press("e")
		s.pass(time.Second)
		s.want("→ 0 initialize")
		s.wantNot("changed")
	})
}

func TestASessionIsOpenedFromTheStartScreen(t *testing.T) {
	file, _ := recorded(t)
	start := choices()
	start.Sessions[0].Path = file
	start.Open = func(path string) (*Session, error) { return opened(t, path), nil }
	setup{start: start}.story(t, func(s *screen) {
		s.press("G", "k", "enter")
		s.want("✗ exited 7", "frames 19", "▌  add")
	})
}

func TestReopenedScreen(t *testing.T) {
	file, _ := recorded(t)
	setup{file: file}.story(t, func(s *screen) {
		s.press("4", "k", "r")
		s.golden()
	})
}
