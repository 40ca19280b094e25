package ui

import (
	"strings"
	"testing"
	"time"
)

// ping lets the server go on: it waits for one before what it says next.
func (s *screen) ping() {
	s.t.Helper()
	s.press("5")
	s.write(`{"jsonrpc":"2.0","id":"go on","method":"ping"}`)
	s.press("enter")
	s.pass(500 * time.Millisecond)
	s.press("esc")
}

// count counts what went out for a method.
func (s *screen) count(method string) int {
	n := 0
	for _, raw := range s.sent(0) {
		if strings.Contains(raw, `"method":"`+method+`"`) {
			n++
		}
	}
	return n
}

// told is the weather server, which says something after a ping.
func told(steps ...string) string {
	return shake + lists + strings.ReplaceAll(answers, "on ping", "on never") + "> ping\nanswer {}\n" + strings.Join(steps, "\n") + "\n"
}

func TestAListThatChangedIsListedAgain(t *testing.T) {
	for method, list := range map[string]string{"tools": "tools/list", "prompts": "prompts/list", "resources": "resources/templates/list"} {
		t.Run(method, func(t *testing.T) {
			with(told(`< {"jsonrpc":"2.0","method":"notifications/`+method+`/list_changed"}`)).story(t, func(s *screen) {
				s.ready()
				s.ping()
				if s.count(list) != 2 {
					t.Errorf("%s was asked for %d times", list, s.count(list))
				}
				if other := "prompts/list"; method != "prompts" && s.count(other) != 1 {
					t.Errorf("%s was asked for again, too", other)
				}
			})
		})
	}
}

func TestAListThatIsNotDeclaredIsAskedForByItsKeyOnly(t *testing.T) {
	with("> initialize\nanswer {\"protocolVersion\":\"2024-11-05\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"bare\",\"version\":\"0\"}}\n"+
		"> notifications/initialized\non tools/list {\"tools\":[]}\n> prompts/list\nfail {\"code\":-32601,\"message\":\"Method not found\"}").story(t, func(s *screen) {
		s.ready()
		s.press("3")
		s.want("the server did not declare prompts", "r asks all the same")
		if s.count("prompts/list") != 0 {
			t.Error("prompts were asked for")
		}
		s.press("r")
		s.pass(time.Second)
		s.want("✗ prompts/list: error -32601 method not found", "r asks again")
	})
}

func TestAShownResourceIsReadAgainWhenItIsUpdated(t *testing.T) {
	read := func(text string) string {
		return "> resources/read\n" + `answer {"contents":[{"uri":"weather://stations","text":"` + text + `"}]}` + "\n"
	}
	script := shake + lists + read("old") + "> ping\nanswer {}\n" +
		`< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"weather://radar.png"}}` + "\n" +
		`< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"weather://stations"}}` + "\n" + read("new")
	with(script).wide().story(t, func(s *screen) {
		s.ready()
		s.press("2", "enter")
		s.until(" old")
		s.ping()
		s.want(" new")
		if n := s.count("resources/read"); n != 2 {
			t.Errorf("read %d times", n)
		}
	})
}

func TestNotificationsResourcesChangedIsANudge(t *testing.T) {
	read := func(text string) string {
		return "> resources/read\n" + `answer {"contents":[{"uri":"weather://stations","text":"` + text + `"}]}` + "\n"
	}
	script := shake + lists + read("old") + "> ping\nanswer {}\n" +
		`< {"jsonrpc":"2.0","method":"notifications/resources/changed"}` + "\n" + read("new")
	with(script).wide().story(t, func(s *screen) {
		s.ready()
		s.press("2", "enter")
		s.until(" old")
		s.ping()
		s.want(" new", "▲ 2 findings")
	})
}

func TestProgressIsShownWhileACallWaits(t *testing.T) {
	const progress = `< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":1.0,"total":5,"message":"one"}}`
	with(calling(progress, "sleep 500ms", `answer {"content":[{"type":"text","text":"done"}]}`)).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.pass(300 * time.Millisecond)
		s.want("1.0 of 5  one", "waiting 300 ms")
		s.until("ok · 500 ms")
		s.want(" done")
	})
}

func TestWhatTheServerAsksIsAnsweredAndShown(t *testing.T) {
	with(told(`< {"jsonrpc":"2.0","id":"r1","method":"roots/list"}`, `> {"jsonrpc":"2.0","id":"r1","error":{"code":-32601,...}}`)).story(t, func(s *screen) {
		s.ready()
		s.ping()
		s.press("4")
		s.want(`"r1"  roots/list`, `"r1"  ✗ error -32601 method not found`)
	})
}

func TestAFloodIsShownWithoutLosingTheThread(t *testing.T) {
	with(told("flood 5000")).story(t, func(s *screen) {
		s.ready()
		s.ping()
		s.pass(time.Second)
		s.press("4")
		s.want("info  5000", "4 traffic 5014")
		s.press("g", "/")
		s.write("notifications/message finding")
		s.want("4 traffic 0")
	})
}

func TestNewFramesDoNotMoveWhatIsBeingRead(t *testing.T) {
	later := strings.Replace(weather, "on prompts/list", "> prompts/list\nanswer", 1) + "sleep 1s\nflood 500\n"
	with(later).story(t, func(s *screen) {
		s.ready()
		s.press("4", "k", "k", "k")
		row := s.selectedLine()
		s.want("G follows")
		s.pass(2 * time.Second)
		s.want("4 traffic 512", row, "G follows")
		s.press("G")
		s.want("info  500")
		s.wantNot("G follows")
	})
}

func TestTheTrafficIsFilteredByWhatItShows(t *testing.T) {
	steps := told("stray DEBUG: connected", `< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hi"}}`)
	with(steps).story(t, func(s *screen) {
		s.ready()
		s.ping()
		s.press("4", "/")
		for filter, n := range map[string]string{
			"message": "1", "stray": "1", "finding": "2", "event": "1", "list": "8", "tools > list": "1", "TOOLS list": "2",
			"connected": "2", "result": "6", "nothing like it": "0",
		} {
			s.press("ctrl+u")
			s.write(filter)
			s.want("4 traffic " + n + " · /" + filter + " ")
		}
		s.press("ctrl+u")
		s.write("nowhere")
		s.want(`no frames match "nowhere"`, "esc drops the filter")
	})
}
