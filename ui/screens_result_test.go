package ui

import (
	"testing"
	"time"
)

func TestResultScreens(t *testing.T) {
	result := func(steps ...string) setup { return with(calling(steps...)) }
	called := func(s *screen) { s.ready(); s.call("print_env"); s.pass(time.Second) }
	const progress = `< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":2,"total":5,"message":"half way"}}`
	for _, p := range []pictured{
		{"ok", setup{}, func(s *screen) { s.ready(); s.call("get_forecast"); s.pass(time.Second) }},
		{"ok-110x34", result("sleep 310ms", `answer {"content":[{"type":"text","text":"Today:\nTemperature: 64°F\nWind: 2 to 18 mph S"}]}`).wide(), func(s *screen) {
			s.ready()
			s.open("get_forecast")
			s.press("enter")
			s.write("40.7128")
			s.press("tab")
			s.write("-74.006")
			s.press("ctrl+s")
			s.pass(time.Second)
		}},
		{"ok-60x20", setup{w: 60, h: 20}, func(s *screen) { s.ready(); s.call("get_forecast"); s.pass(time.Second) }},
		{"is-error", result(`answer {"content":[{"type":"text","text":"no such station: KZZZ"}],"isError":true}`), called},
		{"rpc-error", result(`fail {"code":-32602,"message":"Invalid arguments for tool print_env","data":{"missing":["latitude"]}}`), called},
		{"structured-folded", result(`answer {"content":[{"type":"text","text":"two stations"}],"structuredContent":{"stations":[{"id":"KNYC","lat":40.78},{"id":"KBOS","lat":42.36}],"count":2}}`),
			func(s *screen) { called(s); s.press("z", "2") }},
		{"image-and-links", result(`answer {"content":[{"type":"text","text":"the radar:"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="},{"type":"resource_link","uri":"weather://radar.png","name":"radar","mimeType":"image/png","description":"as it is now"},{"type":"resource","resource":{"uri":"weather://report/today","mimeType":"text/plain","text":"fair"}},{"type":"hologram","angle":42}]}`).wide(), called},
		{"progress-while-waiting", result("sleep 200ms", progress, "hang"), func(s *screen) { s.ready(); s.call("print_env"); s.pass(400 * time.Millisecond) }},
		{"cancelled", result("hang"), func(s *screen) {
			s.ready()
			s.call("print_env")
			s.pass(400 * time.Millisecond)
			s.press("x")
			s.pass(100 * time.Millisecond)
		}},
		{"resource", setup{}, func(s *screen) { s.ready(); s.press("2", "enter"); s.pass(time.Second) }},
		{"prompt", setup{}, func(s *screen) {
			s.ready()
			s.press("3", "enter", "enter")
			s.write("Boston")
			s.press("ctrl+s")
			s.pass(time.Second)
		}},
	} {
		p.run(t)
	}
}

func TestFrameScreens(t *testing.T) {
	frame := func(s *screen) { s.ready(); s.call("get_forecast"); s.pass(time.Second); s.press("esc", "4", "enter") }
	for _, p := range []pictured{
		{"pretty", setup{}, frame},
		{"pretty-110x34", setup{w: 110, h: 34}, func(s *screen) { frame(s); s.press("j", "j", "j", "j", "j", "j", "j") }},
		{"exact", setup{}, func(s *screen) { frame(s); s.press("b") }},
		{"text-opened", setup{}, func(s *screen) { frame(s); s.press("j", "j", "j", "j", "j", "j", "j", "enter") }},
	} {
		p.run(t)
	}
}

func TestTrafficScreens(t *testing.T) {
	stray := calling("stray DEBUG: connected to db", `< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"quota","data":"quota at 90 %"}}`,
		`answer {"content":[]}`, "sleep 20ms", `< {"jsonrpc":"2.0","id":99,"result":{}}`, "sleep 20ms", `< {"jsonrpc":"2.0","id":"r1","method":"roots/list"}`)
	for _, p := range []pictured{
		{"stray-line", with(stray), func(s *screen) { s.ready(); s.call("print_env"); s.pass(time.Second); s.press("4", "Z") }},
		{"filtered", setup{}, func(s *screen) { s.ready(); s.press("4", "/"); s.write("tools"); s.press("enter") }},
		{"zoomed", setup{}, func(s *screen) { s.ready(); s.press("4", "Z", "g") }},
		{"60x20", setup{w: 60, h: 20}, func(s *screen) { s.ready(); s.press("4") }},
		{"console-typed", setup{}, func(s *screen) {
			s.ready()
			s.press("5")
			s.write(`{"jsonrpc":"2.0","id":9,"method":"resources/list"}`)
		}},
		{"console-notice", setup{}, func(s *screen) { s.ready(); s.press("5"); s.write("tolls"); s.press("enter") }},
		{"console-answered-110x34", setup{w: 110, h: 34}, func(s *screen) {
			s.ready()
			s.press("5")
			s.write(`{"jsonrpc":"2.0","id":9,"method":"ping"}`)
			s.press("enter")
			s.pass(time.Second)
		}},
	} {
		p.run(t)
	}
}

func TestOverlayScreens(t *testing.T) {
	stderr := serving("stderr weather 1.6.0 listening", "stderr cache: 12 stations", "stderr \x1b[33mwarning\x1b[m: no key")
	for _, p := range []pictured{
		{"info", with(stderr), func(s *screen) { s.ready(); s.press("6") }},
		{"help", setup{}, func(s *screen) { s.ready(); s.press("?") }},
		{"copy-a-frame", setup{}, func(s *screen) { s.ready(); s.press("4", "enter", "j", "y") }},
		{"copy-a-result", setup{}, func(s *screen) { s.ready(); s.call("echo"); s.pass(time.Second); s.press("y") }},
		{"quit", setup{}, func(s *screen) { s.ready(); s.press("q") }},
		{"restart-with-a-call-in-flight", with(calling("hang")), func(s *screen) { s.ready(); s.call("print_env"); s.pass(time.Second); s.press("esc", "R") }},
		{"paste-of-lines", setup{}, func(s *screen) { s.ready(); s.press("5"); s.send(paste("some text\n{}\n")) }},
		{"paste-of-statements", setup{}, func(s *screen) { s.ready(); s.press("5"); s.send(paste("ping\n{}\n")) }},
		{"quit-40x12", setup{w: 40, h: 12}, func(s *screen) { s.ready(); s.press("q") }},
	} {
		p.run(t)
	}
}
