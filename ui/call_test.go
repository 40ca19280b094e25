package ui

import (
	"strings"
	"testing"
	"time"
)

func TestRefusedArgumentsAreSentAtTheSecondTry(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.open("get_alerts")
		s.press("enter")
		s.write("New York")
		before := len(s.sent(0))
		s.press("ctrl+s")
		s.want("✗ not sent · ctrl+s sends all the same", "at most 2")
		if len(s.sent(0)) != before {
			t.Fatalf("sent at the first try: %s", s.last())
		}
		s.write("!") // other arguments: they are checked again
		s.press("ctrl+s")
		s.want("not sent")
		if len(s.sent(0)) != before {
			t.Fatalf("sent without being asked: %s", s.last())
		}
		s.press("ctrl+s")
		s.pass(time.Second)
		if !strings.Contains(s.last(), `"state":"New York!"`) {
			t.Errorf("sent %s", s.last())
		}
		s.wantNot("not sent")
	})
}

func TestArgumentsThatAreNoJSONCannotBeSent(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.open("book_trip")
		s.press("j", "enter")
		s.write("[")
		before := len(s.sent(0))
		s.press("ctrl+s", "ctrl+s", "ctrl+s")
		s.want("✗ travellers")
		if len(s.sent(0)) != before {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestXCancelsTheCallInFlight(t *testing.T) {
	with(calling("hang")).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.pass(time.Second)
		s.want("waiting 1.0 s · x cancels")
		s.press("x")
		s.pass(100 * time.Millisecond)
		s.want("result · cancelled")
		if !strings.Contains(s.last(), `"method":"notifications/cancelled"`) || !strings.Contains(s.last(), `"requestId":5`) {
			t.Errorf("sent %s", s.last())
		}
		s.press("x")
		s.want("no call is in flight")
	})
}

func TestXCancelsTheCallThatShows(t *testing.T) {
	with(calling("> tools/call", "hang")).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.pass(20 * time.Millisecond)
		s.press("r") // the same call again
		s.pass(20 * time.Millisecond)
		s.want("call 2 of 2")
		s.press("[")
		s.want("call 1 of 2")
		s.press("x")
		s.pass(100 * time.Millisecond)
		if !strings.Contains(s.last(), `"requestId":5`) {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestXStopsConnecting(t *testing.T) {
	setup{servers: []string{"> initialize\nhang", weather}}.story(t, func(s *screen) {
		s.pass(time.Second)
		s.want("● connecting")
		s.press("R")
		s.want("still connecting: x stops it")
		s.press("x")
		s.pass(10 * time.Second)
		s.wantNot("● connecting")
		s.want("R tries again")
		if strings.Contains(s.last(), "cancelled") {
			t.Errorf("sent %s", s.last())
		}
		s.press("R")
		s.ready()
	})
}

func TestXWithoutACallSaysSo(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("x")
		s.want("no call is in flight")
	})
}

func TestRestartAsksWhenCallsAreInFlight(t *testing.T) {
	setup{servers: []string{calling("hang"), weather}}.story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.pass(time.Second)
		s.press("esc", "R")
		s.want("1 call is in flight and will get no answer")
		s.press("n")
		s.wantNot("will get no answer")
		s.want("● ready")
		s.press("R", "y")
		s.until("● connecting")
		s.ready()
		s.press("enter", "tab")
		s.want("✗ no answer")
	})
}

func TestRestartWithoutCallsIsDoneAtOnce(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("R")
		s.until("● connecting")
		s.ready()
		s.want("1 tools 9", "rec 26")
	})
}

func TestQuitAsksForALiveSession(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("4", "q")
		if s.quit || s.shows("The server will be ended") {
			t.Fatal("q did not go back first")
		}
		s.press("q")
		s.want("The server will be ended", "The session is kept: parley open last shows it again")
		s.press("n")
		if s.quit {
			t.Fatal("n quits")
		}
		s.press("q", "y")
		if !s.quit {
			t.Error("y does not quit")
		}
	})
}

func TestQuitDoesNotAskWhenTheServerIsGone(t *testing.T) {
	with("> initialize\nexit 3").story(t, func(s *screen) {
		s.until("exited 3")
		s.press("q")
		if !s.quit {
			t.Error("it asks though nothing can be lost")
		}
	})
}

func TestCtrlCQuitsEverywhere(t *testing.T) {
	for _, keys := range [][]string{{}, {"enter", "enter"}, {"5"}, {"/"}, {"?"}, {"q"}} {
		t.Run(strings.Join(keys, " "), func(t *testing.T) {
			story(t, func(s *screen) {
				s.ready()
				s.press(keys...)
				s.press("ctrl+c")
				if !s.quit {
					t.Error("ctrl+c does not quit")
				}
			})
		})
	}
}

func TestRSendsTheSameCallAgainWithAnIDOfItsOwn(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.echo("hello")
		s.press("ctrl+s")
		s.pass(100 * time.Millisecond)
		first := s.last()
		s.press("r")
		s.pass(100 * time.Millisecond)
		if want := strings.Replace(first, `"id":5`, `"id":6`, 1); s.last() != want {
			t.Errorf("sent %s, then %s", first, s.last())
		}
		s.want("call 2 of 2")
	})
}

func TestRInTheTrafficSendsTheRequestOfAResponseAgain(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("4", "r") // on the answer to prompts/list
		s.pass(100 * time.Millisecond)
		if want := `{"jsonrpc":"2.0","id":5,"method":"prompts/list"}`; s.last() != want {
			t.Errorf("sent %s, want %s", s.last(), want)
		}
		s.press("g", "r")
		s.want("only what we sent can be sent again")
	})
}

func TestTheCallsOfAToolAreKeptApart(t *testing.T) {
	two := calling(`answer {"content":[{"type":"text","text":"one"}]}`, "> tools/call", `answer {"content":[{"type":"text","text":"two"}]}`)
	with(two).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.until(" one")
		s.press("r")
		s.until(" two")
		s.want("call 2 of 2 [ ]")
		s.press("[")
		s.want("call 1 of 2 [ ]", " one")
		s.press("[")
		s.want("this is the first call")
		s.press("]", "]")
		s.want(" two", "this is the newest call")
		s.press("esc", "esc", "k", "1", "g")
		s.wantNot("call 2 of 2") // of another tool
	})
}

func TestEarlierArgumentsComeBackIntoTheForm(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.echo("one")
		s.press("ctrl+s")
		s.pass(100 * time.Millisecond)
		s.press("shift+tab", "enter")
		s.write(" two")
		s.press("ctrl+s")
		s.pass(100 * time.Millisecond)
		s.press("shift+tab", "enter")
		s.write(" draft")
		s.press("ctrl+p")
		s.want("arguments of call 2 of 2", `{"message":"one two"}`)
		s.press("ctrl+p")
		s.want("arguments of call 1 of 2", `{"message":"one"}`)
		s.press("ctrl+p")
		s.want("what was typed", `{"message":"one two draft"}`)
	})
}

func TestSendingToADeadServerSaysWhatHelps(t *testing.T) {
	with("> initialize\n"+`answer {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}`+"\n> notifications/initialized\n> tools/list\n"+
		`answer {"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`+"\nsleep 100ms\nexit 7").story(t, func(s *screen) {
		s.until("exited 7")
		s.press("enter", "ctrl+s")
		s.want("the server is gone (exited 7): R restarts it")
		s.press("esc", "r")
		s.want("the server is gone (exited 7): R restarts it")
		s.press("5")
		s.write("{}")
		s.press("enter")
		s.want("the server is gone (exited 7): the line restart starts it again", "› {}")
	})
}

func TestATimeoutIsToldWithWhatHelps(t *testing.T) {
	with(calling("hang")).limited(2*time.Second).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.pass(3 * time.Second)
		s.want("no answer to tools/call after 2s")
		s.want("cancelled")
	})
}

func TestALostCallCanBeSentAgainAsTheScreenSays(t *testing.T) {
	setup{servers: []string{calling("stderr KeyError: 'latitude'", "exit 7"), weather}}.story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.until("no answer: the server exited 7", "KeyError: 'latitude'", "R restart · then ctrl+s sends the same call again")
		s.press("R")
		s.ready()
		s.press("ctrl+s")
		s.until("Temperature: 64°F")
	})
}
