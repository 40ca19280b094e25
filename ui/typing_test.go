package ui

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// echo opens the form of the tool echo and types into its field.
func (s *screen) echo(text string) {
	s.t.Helper()
	s.open("echo")
	s.press("enter")
	s.write(text)
}

func TestLettersAreLettersInAField(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		const letters = "q?1 xRZM[]/rpyeb jkgGhl {}"
		s.echo(letters)
		s.want(letters, `{"message":"`+letters+`"}`)
		if s.quit || len(s.sent(0)) != 6 {
			t.Errorf("a letter was taken for a command; sent: %q", s.sent(6))
		}
	})
}

func TestEscLeavesTheFieldAndKeepsTheText(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.echo("hello")
		s.press("esc")
		s.want(`{"message":"hello"}`, "enter edit")
		s.press("esc")
		s.want(`{"message":"hello"}`, "enter open")
		s.press("enter", "enter")
		s.write(" again")
		s.want(`{"message":"hello again"}`)
	})
}

func TestEscNeverQuitsAndNeverDiscards(t *testing.T) {
	for _, place := range []string{"1", "2", "3", "4", "5", "6", "enter", "/", "?", "q", "y"} {
		t.Run(place, func(t *testing.T) {
			story(t, func(s *screen) {
				s.ready()
				s.echo("precious")
				s.press("esc", "esc", place)
				for range 20 {
					s.press("esc")
				}
				if s.quit {
					t.Fatal("esc quits")
				}
				s.press("1")
				s.find("echo")
				s.want(`{"message":"precious"}`)
			})
		})
	}
}

func TestWhatWasTypedIntoTheConsoleIsStillThereAfterEsc(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.write(`{"half":`)
		s.press("esc", "4", "5")
		s.want(`› {"half":`)
	})
}

func TestTheFilterIsDroppedByEscInTheList(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("/")
		s.write("echo")
		s.press("enter")
		s.want("1 tools 1/9")
		s.wantNot("add  ")
		s.press("esc")
		s.wantNot("1/9")
		s.want("get_alerts")
	})
}

func TestTypedTextSurvivesACrashAndARestart(t *testing.T) {
	setup{servers: []string{calling("exit 7"), weather}}.story(t, func(s *screen) {
		s.ready()
		s.echo("precious")
		s.press("ctrl+s")
		s.until("exited 7")
		s.press("R")
		s.ready()
		s.press("esc", "1", "enter")
		s.want(`{"message":"precious"}`)
		s.press("ctrl+s")
		s.until("Temperature: 64°F")
	})
}

func TestTypedTextSurvivesTheListBeingListedAgain(t *testing.T) {
	const other = `{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"loud":{"type":"boolean"},"message":{"type":"string"}}}}]}`
	changes := strings.ReplaceAll(shake+lists, "on tools/list", "on never/listed") + answers + `
> tools/list
answer {"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"message":{"type":"string"}}}}]}
> ping
answer {}
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
> tools/list
answer ` + other + "\n"
	with(changes).story(t, func(s *screen) {
		s.ready()
		s.echo("precious")
		s.press("esc", "5")
		s.write(`{"jsonrpc":"2.0","id":77,"method":"ping"}`)
		s.press("enter")
		s.pass(time.Second)
		s.want("loud", `{"message":"precious"}`)
	})
}

func TestArgumentsAreRememberedTomorrow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	remember := func() *Memory {
		m, err := OpenMemory(path)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	setup{memory: remember()}.story(t, func(s *screen) {
		s.ready()
		s.echo("precious")
		s.press("esc", "5")
		s.write(`{"jsonrpc":"2.0","id":77,"method":"ping"}`)
		s.press("enter")
		s.pass(time.Second) // no orderly end: what was typed is on disk already
	})
	setup{memory: remember()}.story(t, func(s *screen) {
		s.ready()
		s.open("echo")
		s.want(`{"message":"precious"}`)
		s.press("esc", "5", "up")
		s.want(`› {"jsonrpc":"2.0","id":77,"method":"ping"}`)
	})
}

func TestAbsentNullAndEmptyAreThreeThings(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.open("book_trip")
		s.press("esc", "G")
		s.want("notes       string     (absent)", "{}")
		s.press("ctrl+n")
		s.want("notes       string     null", `{"notes":null}`)
		s.press("enter")
		s.write("x")
		s.press("backspace", "esc")
		s.want(`notes       string     ""`, `{"notes":""}`)
		s.press("ctrl+l")
		s.want("notes       string     (absent)", "{}")
	})
}

func TestNumbersAreSentAsTheyWereTyped(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.open("add")
		s.press("enter")
		s.write("9007199254740993")
		s.press("tab")
		s.write("1.0")
		s.press("ctrl+s")
		s.pass(time.Second)
		if want := `"arguments":{"a":9007199254740993,"b":1.0}`; !strings.Contains(s.last(), want) {
			t.Errorf("sent %s", s.last())
		}
	})
}

func TestPastedJSONFillsTheForm(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.open("get_forecast")
		s.send(paste("{\n  // from the tutorial\n  \"latitude\": 40.7128,\n  \"longitude\": -74.0060,\n  \"sky\": \"blue\",\n}\n"))
		s.want("latitude   number  *  40.7128", "longitude  number  *  -74.0060",
			`{"latitude":40.7128,"longitude":-74.0060,"sky":"blue"}`)
		s.press("esc")
		s.send(paste("not JSON"))
		s.want("paste goes into a field", "40.7128")
	})
}

func TestPasteGoesIntoTheFieldThatIsTypedInto(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.echo("")
		s.send(paste(`{"quoted": true}`))
		s.want(`{"message":"{\"quoted\": true}"}`)
	})
}

func TestPasteElsewhereSaysWhereItGoes(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.send(paste("hello"))
		s.want("paste goes into a field or into the console: 5")
	})
}

func TestTheFilterIsDroppedByEscOnTheStartScreen(t *testing.T) {
	setup{start: choices()}.story(t, func(s *screen) {
		s.press("/")
		s.write("nosuch")
		s.press("enter")
		s.want("nothing matches", "esc drops the filter")
		s.press("esc")
		s.want("weather", "recent sessions")
	})
}

func TestHelpOpensWhileAFilterIsTyped(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("/")
		s.write("ec")
		s.press("f1")
		s.want("─ keys")
		s.press("esc")
		s.wantNot("─ keys")
		s.want("/ ec")
	})
}

func TestANoticeNeverCoversWhatIsTyped(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {110, 34}, {120, 40}, {60, 20}, {40, 12}} {
		setup{w: size[0], h: size[1]}.story(t, func(s *screen) {
			s.ready()
			s.press("5")
			s.write("tolls")
			s.press("enter")
			s.want("› tolls", "✗ ")
			s.press("ctrl+u", "esc")
			s.open("get_forecast")
			s.press("esc", "G", "enter")
			s.write("99")
			s.press("ctrl+s")
			s.want("99", "ctrl+s ")
		})
	}
}

func TestAnUnboundAltKeyIsEscAndTheKey(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.echo("one two")
		s.press("alt+b", "ctrl+k") // bound: a word back
		s.want(`{"message":"one "}`)
		s.press("alt+j")
		s.want(`{"message":"one "}`, "enter edit")
		s.press("esc")
		s.press("alt+4")
		s.want("enter open the frame")
		s.press("alt+q")
		s.want("The server will be ended")
		s.press("alt+G")
		s.wantNot("The server will be ended")
		s.want("▌▲ null_schema")
	})
}
