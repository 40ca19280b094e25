package ui

import (
	"testing"
	"time"

	"parley/history"
	"parley/ui/uitest"
)

// golden compares the screen as it is with the file of the test.
func (s *screen) golden() {
	s.t.Helper()
	uitest.Golden(s.t, s.m.View().Content)
}

// find filters the catalogue.
func (s *screen) find(name string) {
	s.t.Helper()
	s.press("/", "ctrl+u")
	s.write(name)
	s.press("enter")
}

// open goes to an item of the catalogue as people do: filter, enter, enter.
func (s *screen) open(name string) {
	s.t.Helper()
	s.find(name)
	s.press("enter")
}

// call opens a tool and sends its form as it is, schema or not.
func (s *screen) call(name string) {
	s.t.Helper()
	s.open(name)
	s.press("ctrl+s")
	if s.shows("not sent") {
		s.press("ctrl+s")
	}
}

// pictured is a screen that is kept as a picture: what leads to it.
type pictured struct {
	name string
	setup
	story func(s *screen)
}

func (p pictured) run(t *testing.T) {
	t.Run(p.name, func(t *testing.T) {
		p.setup.story(t, func(s *screen) {
			p.story(s)
			s.golden()
		})
	})
}

// choices is a start screen with everything on it.
func choices() *Start {
	day := func(d int) time.Time { return began.AddDate(0, 0, -d) }
	return &Start{
		Servers: []Server{
			{Name: "weather", Command: "node weather.js", File: ".mcp.json"},
			{Name: "files", Command: "npx -y @modelcontextprotocol/server-filesystem /srv", File: ".mcp.json"},
			{Name: "ghost", Command: "gohst --stdio", Problem: "cannot start gohst: not found in PATH", Hint: "did you mean ghost?", File: ".mcp.json"},
		},
		Sessions: []history.SessionInfo{
			{Path: "/s/20261119T170102Z-weather-4242.jsonl", Name: "weather", Started: day(1), Size: 48_211, Frames: 57},
			{Path: "/s/20261101T080000Z-everything-17.jsonl", Name: "everything", Started: day(19), Size: 3_200_000, Frames: 12_000},
		},
	}
}

func TestStartScreens(t *testing.T) {
	broken := choices()
	broken.Servers, broken.Problem = nil, `.mcp.json:4:12: expected a string, found number`
	broken.Sessions = nil
	for _, p := range []pictured{
		{"everything", setup{start: choices()}, func(s *screen) {}},
		{"malformed-configuration", setup{start: broken}, func(s *screen) {}},
		{"filtered", setup{start: choices()}, func(s *screen) { s.press("/"); s.write("wea") }},
		{"broken-server-chosen", setup{start: choices()}, func(s *screen) { s.press("j", "j", "j", "enter") }},
		{"60x20", setup{start: choices(), w: 60, h: 20}, func(s *screen) {}},
	} {
		p.run(t)
	}
}

func TestConnectionScreens(t *testing.T) {
	for _, p := range []pictured{
		{"connecting", setup{}, func(s *screen) { s.pass(100 * time.Millisecond) }},
		{"command-not-found", with(""), func(s *screen) { s.pass(100 * time.Millisecond) }},
		{"died-in-the-handshake", with("> initialize\nstderr Traceback (most recent call last):\nstderr ModuleNotFoundError: No module named 'mcp'\nexit 1"),
			func(s *screen) { s.pass(time.Second) }},
		{"banner-and-silence", with("> initialize\nstray Weather server listening on stdio\nhang").limited(3 * time.Second),
			func(s *screen) { s.pass(20 * time.Second) }},
		{"ready", setup{}, func(s *screen) { s.ready() }},
		{"ready-110x34", setup{w: 110, h: 34}, func(s *screen) { s.ready() }},
		{"ready-120x40", setup{w: 120, h: 40}, func(s *screen) { s.ready() }},
		{"ready-40x12", setup{w: 40, h: 12}, func(s *screen) { s.ready() }},
		{"too-small-39x11", setup{w: 39, h: 11}, func(s *screen) { s.pass(time.Second) }},
		{"crashed", with(calling("stderr Traceback (most recent call last):", "stderr   KeyError: 'latitude'", "sleep 200ms", "exit 7")),
			func(s *screen) { s.ready(); s.call("print_env"); s.until("exited 7") }},
		{"killed-110x34", with(calling("sleep 200ms", "signal SEGV")).wide(),
			func(s *screen) { s.ready(); s.call("print_env"); s.until("killed by SIGSEGV") }},
		{"restarted", setup{servers: []string{calling("exit 7"), weather}},
			func(s *screen) { s.ready(); s.call("print_env"); s.until("exited 7"); s.press("R"); s.ready() }},
	} {
		p.run(t)
	}
}

func TestCatalogueScreens(t *testing.T) {
	for _, p := range []pictured{
		{"filter-typed", setup{}, func(s *screen) { s.ready(); s.press("/"); s.write("for") }},
		{"filter-without-hits", setup{}, func(s *screen) { s.ready(); s.press("/"); s.write("xyz"); s.press("enter") }},
		{"malformed-tool", setup{w: 110, h: 34}, func(s *screen) { s.ready(); s.press("G") }},
		{"resources", setup{}, func(s *screen) { s.ready(); s.press("2", "G", "k") }},
		{"no-prompts-declared", with("> initialize\nanswer {\"protocolVersion\":\"2024-11-05\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"bare\",\"version\":\"0\"}}\n> notifications/initialized\non tools/list {\"tools\":[]}"),
			func(s *screen) { s.ready(); s.press("3") }},
	} {
		p.run(t)
	}
}

func TestFormScreens(t *testing.T) {
	forecast := func(s *screen) {
		s.ready()
		s.open("get_forecast")
		s.press("enter")
		s.write("40.7128")
		s.press("tab")
		s.write("-74.006")
	}
	for _, p := range []pictured{
		{"opened", setup{}, func(s *screen) { s.ready(); s.open("get_forecast") }},
		{"filled-110x34", setup{w: 110, h: 34}, func(s *screen) { forecast(s); s.press("tab", "right", "esc") }},
		{"typing", setup{}, forecast},
		{"typing-40x12", setup{w: 40, h: 12}, forecast},
		{"refused-by-the-schema", setup{}, func(s *screen) { s.ready(); s.open("get_forecast"); s.press("enter"); s.write("91"); s.press("ctrl+s") }},
		{"not-flat-110x34", setup{w: 110, h: 34}, func(s *screen) { s.ready(); s.open("book_trip"); s.press("esc", "j", "enter"); s.write(`[{"name":`) }},
		{"absent-null-empty", setup{}, func(s *screen) {
			s.ready()
			s.open("book_trip")
			s.press("esc")
			s.press("G", "ctrl+n", "k", "right", "g", "enter")
			s.write("x")
			s.press("backspace", "esc")
		}},
		{"prompt", setup{}, func(s *screen) { s.ready(); s.press("3", "enter", "enter"); s.write("Boston") }},
		{"template", setup{}, func(s *screen) { s.ready(); s.press("2", "G", "enter", "enter"); s.write("KNYC") }},
	} {
		p.run(t)
	}
}
