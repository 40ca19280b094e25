package ui

import (
	"testing"
	"time"
)

func TestConsoleScreens(t *testing.T) {
	typed := func(line string) func(s *screen) {
		return func(s *screen) { s.ready(); s.press("5"); s.write(line) }
	}
	ran := func(lines ...string) func(s *screen) {
		return func(s *screen) {
			s.ready()
			for _, l := range lines {
				s.line5(l)
			}
		}
	}
	for _, p := range []pictured{
		{"completion", setup{}, typed("call ")},
		{"completion-110x34", setup{w: 110, h: 34}, typed("call get_forecast units=")},
		{"completion-40x12", setup{w: 40, h: 12}, typed("call get")},
		{"argument-110x34", setup{w: 110, h: 34}, typed("call get_forecast latitude=")},
		{"called", setup{}, ran("call get_alerts state=NY")},
		{"called-110x34", setup{w: 110, h: 34}, ran("let x = call get_alerts state=NY", "echo it is $x.content[0].type", "read weather://stations")},
		{"document", setup{}, ran("help call")},
		{"value", setup{}, ran("let x := {\"a\":[1,2,{\"b\":3}],\"c\":null}", "$x")},
		{"failed", setup{}, ran("call get_alerts state=NewYork")},
		{"running", with(calling("hang")), func(s *screen) { ran("call print_env", "echo then this")(s); s.pass(time.Second) }},
		{"earlier", setup{}, func(s *screen) { ran("echo one", "echo two")(s); s.press("ctrl+r"); s.write("o") }},
	} {
		p.run(t)
	}
}

func TestPaletteScreens(t *testing.T) {
	typed := func(text string) func(s *screen) {
		return func(s *screen) { s.ready(); s.press(":"); s.write(text) }
	}
	for _, p := range []pictured{
		{"opened", setup{}, typed("")},
		{"opened-110x34", setup{w: 110, h: 34}, typed("")},
		{"found-40x12", setup{w: 40, h: 12}, typed("trf")},
		{"why-not", setup{}, typed("cancel")},
		{"a-command", setup{}, typed("call get_forecast ")},
		{"over-the-console", setup{}, func(s *screen) { s.ready(); s.press("5"); s.write("draft"); s.press("f2"); s.write("earlier") }},
		{"on-the-start-screen", setup{start: &Start{}}, func(s *screen) { s.press(":") }},
		{"nothing-found", setup{}, typed("qqqq")},
	} {
		p.run(t)
	}
}
