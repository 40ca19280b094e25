package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/script"
	"parley/ui/keys"
)

func TestThePaletteRunsWhatItFinds(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press(":")
		s.want("─ palette", "─ "+itoa(1)+" of ", " : letters of an action, or a command")
		s.write("serv")
		s.want("server info and stderr", "6")
		s.press("enter")
		s.want("─ 6 server and stderr ─")
		s.press("esc", ":")
		s.write("zoom")
		s.press("enter")
		s.wantNot("─ 4 traffic")
		s.press("esc")
		s.want("─ 4 traffic")
	})
}

func TestThePaletteSaysWhyNot(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press(":")
		s.write("cancel the call")
		s.want("no call is in flight")
		s.press("enter")
		s.want("─ palette", "no call is in flight")
		s.press("esc", "esc")
		s.wantNot("─ palette")
	})
}

func TestWhatWasTypedIntoThePaletteComesBack(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press(":")
		s.write("call echo te")
		s.press("esc")
		s.wantNot("call echo te")
		s.press(":")
		s.want(" : ↑ call echo te")
		s.press("up")
		s.want(" : call echo te")
	})
}

func TestThePaletteFindsAKeyByItsName(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.open("echo")
		s.press("esc", ":")
		s.write("ctrl+s")
		s.want("▌send")
		s.press("enter")
		if !strings.Contains(s.last(), "tools/call") && !s.shows("ctrl+s again sends it all the same") {
			t.Errorf("nothing was sent: %s\n%s", s.last(), s.view())
		}
	})
}

// TestEveryChordIsInThePalette holds that a terminal that keeps a key keeps
// nobody from what it does.
func TestEveryChordIsInThePalette(t *testing.T) {
	places := map[string]func(s *screen){
		"list":    func(*screen) {},
		"form":    func(s *screen) { s.open("echo"); s.press("esc") },
		"field":   func(s *screen) { s.open("echo") },
		"traffic": func(s *screen) { s.press("4") },
		"frame":   func(s *screen) { s.press("4", "enter") },
		"console": func(s *screen) { s.press("5") },
		"server":  func(s *screen) { s.press("6") },
		"filter":  func(s *screen) { s.press("/") },
	}
	for name, lead := range places {
		t.Run(name, func(t *testing.T) {
			story(t, func(s *screen) {
				s.ready()
				lead(s)
				context := s.m.context()
				s.press("f2")
				p, ok := s.m.overlay.(*palette)
				if !ok {
					t.Fatalf("f2 opens no palette:\n%s", s.view())
				}
				for _, table := range s.m.desk.keys.Active(context) {
					for _, b := range table.Bindings {
						if s.m.opens(b) {
							continue
						}
						if !slices.ContainsFunc(p.entries, func(e entry) bool { return e.label == b.Help().Desc && e.key == b.Help().Key }) {
							t.Errorf("%s: %q has no entry", b.Help().Key, b.Help().Desc)
						}
					}
				}
				for _, c := range script.Commands() {
					if !slices.ContainsFunc(p.entries, func(e entry) bool { return strings.HasPrefix(e.label, c.Name) }) {
						t.Errorf("the command %s has no entry", c.Name)
					}
				}
			})
		})
	}
}

// TestEveryBindingCanBePressed holds that what the palette presses is what the
// binding matches.
func TestEveryBindingCanBePressed(t *testing.T) {
	m := keys.New()
	for _, table := range m.Tables() {
		for _, b := range table.Bindings {
			msg, ok := keys.First(b)
			if !ok {
				t.Errorf("%s: %v cannot be pressed", table.Name, b.Keys())
				continue
			}
			if !slices.Contains(b.Keys(), msg.String()) && msg.String() != "space" {
				t.Errorf("%s: %v is pressed as %q", table.Name, b.Keys(), msg.String())
			}
		}
	}
}

func TestThePaletteActsElsewhere(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.press(":")
		s.write("console: search")
		s.want("no line was typed here yet")
		s.press("esc", ":")
		s.write("traffic: filter")
		s.press("enter")
		s.write("prompts")
		s.want(" / prompts")
		if s.m.focus != onTraffic {
			t.Error("the traffic does not have the keys")
		}
	})
}

func TestThePaletteTakesAPaste(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press(":")
		s.send(tea.PasteMsg{Content: "zoom\n"})
		s.want(" : zoom", "zoom the pane")
	})
}

func TestThePaletteTakesOneLineOfAPaste(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press(":")
		s.send(paste("tools\r\nping\r\n"))
		s.want("here goes one line", "letters of an action")
		s.send(paste("echo one\r\n"))
		s.want(": echo one")
	})
}

func TestThePaletteActsBesideWhatIsTyped(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("5")
		s.write("draft")
		s.press("f2")
		s.write("zoom")
		s.press("enter")
		s.want(" › draft")
		s.wantNot("─ 1 tools", "draftZ")
		s.press("f2")
		s.write("traffic")
		s.press("enter")
		if s.m.focus != onTraffic {
			t.Error("the traffic does not have the keys")
		}
		s.press("5")
		s.want(" › draft")
	})
}

func TestALineRunsFromThePaletteAsTyped(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		before := len(s.sent(0))
		s.press(":")
		s.write("ping")
		s.want("enter runs the line")
		s.press("enter")
		s.pass(100 * time.Millisecond)
		if got := s.sent(before); len(got) != 1 || !strings.Contains(got[0], `"ping"`) {
			t.Errorf("sent %q", got)
		}
		s.want(" ok · 0.0 ms")
		s.press(":")
		s.write("call get_alerts state=NY")
		s.press("enter")
		s.pass(100 * time.Millisecond)
		s.want("─ result · ok", " Temperature: 64°F")
		if s.m.context() != keys.InResult {
			t.Errorf("the keys are in context %d", s.m.context())
		}
		s.press("5", "up")
		s.want(" › call get_alerts state=NY")
		s.press("ctrl+u", "esc", ":")
		s.write("echo over there")
		s.press("enter")
		s.pass(100 * time.Millisecond)
		s.want(" over there")
	})
}
