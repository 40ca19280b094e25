package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/client"
)

func TestNothingMovesWhenNothingHappens(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.call("echo")
		s.pass(time.Second)
		view, took := s.view(), s.took
		s.pass(10 * time.Minute)
		if s.view() != view || s.took != took {
			t.Errorf("%d messages came; was\n%s\nis\n%s", s.took-took, view, s.view())
		}
	})
}

func TestDirectTalkSendsNothingByItself(t *testing.T) {
	setup{servers: []string{"on ping {}\n"}, client: client.Options{NoHandshake: true}}.story(t, func(s *screen) {
		s.pass(5 * time.Second)
		if sent := s.sent(0); len(sent) != 0 {
			t.Errorf("sent %q", sent)
		}
		s.want("● connected")
		s.press("5")
		s.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		s.press("enter")
		s.pass(time.Second)
		s.press("esc", "4")
		s.want("→      1  ping", "←      1  result")
		if sent := s.sent(0); len(sent) != 1 {
			t.Errorf("sent %q", sent)
		}
	})
}

func TestASessionIsBegunFromTheStartScreen(t *testing.T) {
	dir := t.TempDir()
	start := choices()
	setup{start: start}.story(t, func(s *screen) {
		var asked []string
		start.Connect = func(_ context.Context, name string) (*Session, error) {
			if asked = append(asked, name); name == "files" {
				return nil, errors.New("npx is not what it was")
			}
			return setup{}.session(s.t, dir), nil
		}
		s.press("j", "j", "enter")
		s.want("✗ npx is not what it was", "configured servers")
		s.press("k", "enter")
		s.ready()
		s.want("weather 1.6.0", "1 tools 9")
		if strings.Join(asked, " ") != "files weather" {
			t.Errorf("asked for %q", asked)
		}
		s.press("q")
		s.want("The server will be ended")
	})
}

func TestARequestIsWhatItsFormSays(t *testing.T) {
	tests := []struct {
		name string
		keys []string
		text string
		want string
	}{
		{"tool", []string{"1", "j", "enter", "enter"}, "hi",
			`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"},"_meta":{"progressToken":5}}}`},
		{"prompt", []string{"3", "enter", "enter"}, "Boston",
			`{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"plan_trip","arguments":{"city":"Boston"}}}`},
		{"prompt without arguments", []string{"3", "j", "enter"}, "",
			`{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"small_talk"}}`},
		{"template", []string{"2", "G", "enter", "enter"}, "K/1",
			`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"weather://station/K%2F1/report"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			story(t, func(s *screen) {
				s.ready()
				s.press(tt.keys...)
				s.write(tt.text)
				s.press("ctrl+s")
				s.pass(time.Second)
				if s.last() != tt.want {
					t.Errorf("sent %s\nwant %s", s.last(), tt.want)
				}
			})
		})
	}
}

func TestAResourceIsReadWhenItIsOpened(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("2", "enter")
		s.pass(time.Second)
		if want := `{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"weather://stations"}}`; s.last() != want {
			t.Errorf("sent %s", s.last())
		}
		s.want(`"id": "KNYC",`)
	})
}

func TestTheSelectionStaysWhenTheListChanges(t *testing.T) {
	changed := strings.ReplaceAll(told(`< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`), "on tools/list", "> tools/list\nanswer") +
		`on tools/list {"tools":[{"name":"aaa","inputSchema":{"type":"object"}},{"name":"get_alerts","inputSchema":{"type":"object"}},{"name":"zzz","inputSchema":{"type":"object"}}]}` + "\n"
	with(changed).story(t, func(s *screen) {
		s.ready()
		s.press("j", "j")
		s.want("▌  get_alerts")
		s.ping()
		s.want("1 tools 3", "▌  get_alerts", "aaa", "zzz")
	})
}

func TestALateAnswerToACancelledCallIsShown(t *testing.T) {
	with(calling("sleep 1s", `answer {"content":[{"type":"text","text":"late"}]}`)).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.pass(500 * time.Millisecond)
		s.press("x")
		s.pass(time.Second)
		s.press("4")
		s.want("←      5  result")
		s.press("enter")
		s.want("late")
	})
}

func TestAToolWithoutASchemaTakesArgumentsAsJSON(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("G", "enter")
		s.want("▲ malformed: inputSchema is null", "arguments")
		s.press("enter")
		s.write(`{"a":1.0}`)
		s.press("ctrl+s")
		if s.shows("not sent") {
			s.press("ctrl+s")
		}
		s.pass(time.Second)
		if !strings.Contains(s.last(), `"name":"null_schema","arguments":{"a":1.0}`) {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestASearchGoesFromHitToHit(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("2", "enter")
		s.pass(time.Second)
		s.press("n")
		s.want("/ searches")
		s.press("/")
		s.write("lat")
		s.press("enter", "n")
		s.want("42.36")
		s.press("/", "ctrl+u")
		s.write("nowhere")
		s.want("/ nowhere", "not found   esc drop")
		s.press("enter")
		s.want("not found: nowhere")
		s.press("n")
		s.want("not found: nowhere")
	})
}

// In the header the time of the handshake gives way before the version does.
func TestTheHeaderKeepsTheVersion(t *testing.T) {
	server := strings.Replace(weather, `"serverInfo":{"name":"weather","version":"1.6.0"}`, `"serverInfo":{"name":"weather-stub","version":"1.0.0"}`, 1)
	setup{w: 80, h: 24, servers: []string{server}}.story(t, func(s *screen) {
		s.ready()
		s.want("weather-stub 1.0.0   stdio   2025-11-25", "● ready   rec")
		s.send(tea.WindowSizeMsg{Width: 110, Height: 34})
		s.want("weather-stub 1.0.0   stdio   2025-11-25", "● ready 118 ms")
	})
}
