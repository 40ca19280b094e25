package ui

import (
	"fmt"
	"testing"

	"charm.land/bubbles/v2/key"

	"parley/ui/keys"
)

// TestAnEntryDoesWhatItsKeyDoes chooses every entry that stands for a key of the
// place where the keys are, and presses that key in a story of its own.
func TestAnEntryDoesWhatItsKeyDoes(t *testing.T) {
	called := func(s *screen) { s.call("get_forecast") }
	for name, begin := range map[string]func(s *screen){
		"list":    func(*screen) {},
		"form":    func(s *screen) { called(s); s.press("esc", "enter", "esc") },
		"field":   func(s *screen) { s.open("echo"); s.write("one two") },
		"result":  called,
		"traffic": func(s *screen) { called(s); s.press("4") },
		"frame":   func(s *screen) { called(s); s.press("4", "enter") },
		"info":    func(s *screen) { s.press("6") },
		"console": func(s *screen) {
			s.line5("echo one")
			s.line5("help")
			s.write("call get_alerts state=NY ")
			s.press("esc")
			s.press("5")
		},
		"resource": func(s *screen) { s.press("2", "enter") },
	} {
		t.Run(name, func(t *testing.T) {
			var bindings []key.Binding
			state := func(do func(s *screen, b key.Binding), b key.Binding) (state string) {
				setup{w: 80, h: 30}.story(t, func(s *screen) {
					s.ready()
					begin(s)
					if bindings == nil {
						for _, table := range s.m.desk.keys.Active(s.m.context()) {
							bindings = append(bindings, table.Bindings...)
						}
						return
					}
					do(s, b)
					s.m.notice = "" // the palette has its own way to say why not
					state = fmt.Sprintf("%d %v %q\n%s", s.m.context(), s.quit, s.clip, s.view())
				})
				return state
			}
			state(nil, key.Binding{})
			for _, b := range bindings {
				if why := b.Help().Key; why == "f2" || why == ":" {
					continue // they open the palette
				}
				pressed := state(func(s *screen, b key.Binding) {
					msg, _ := keys.First(b)
					s.send(msg)
				}, b)
				chosen := state(func(s *screen, b key.Binding) {
					s.press("f2")
					p := s.m.overlay.(*palette)
					for i, e := range p.entries {
						if e.key == b.Help().Key && e.label == b.Help().Desc && !e.away {
							p.moved = true
							for at, hit := range p.hits {
								if hit.entry == i {
									p.picker.Choose(at)
								}
							}
							if why := e.why(s.m); why != "" {
								s.press("esc") // the key says why in a notice
							} else {
								s.press("enter")
							}
							return
						}
					}
					s.t.Errorf("no entry for %s: %s", b.Help().Key, b.Help().Desc)
				}, b)
				if pressed != chosen {
					t.Errorf("%s (%s):\n%s\nby its entry:\n%s", b.Help().Key, b.Help().Desc, pressed, chosen)
				}
			}
		})
	}
}
