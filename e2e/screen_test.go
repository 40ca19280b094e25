package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// leave quits a live session.
func (term *terminal) leave() {
	term.t.Helper()
	term.keys("C-c")
	if code := term.exited(); code != 0 {
		term.t.Fatalf("exit %d\n%s", code, term.everything())
	}
}

// TestScreenStart opens parley without a target: the configured servers, each
// with whether it can be started, and from there a session.
func TestScreenStart(t *testing.T) {
	p := newPlace(t)
	bin := parley(t)
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"works":   map[string]any{"command": bin, "args": []string{"demo", "--stdio", "--as", "weather"}},
		"missing": map[string]any{"command": "no-such-program"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.work, "mcp.json"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	term := p.open(t, 110, 34, bin)
	term.match(`● works `)
	term.match(`✗ missing `)
	term.keys("/")
	term.typed("works")
	term.gone("missing")
	term.keys("Enter")
	term.keys("Enter")
	term.wait("● ready", "get_alerts")
	term.leave()
	term = p.open(t, 110, 34, bin)
	term.match(`^ +works .*-works-`) // among the recent sessions
	term.keys("C-c")
	term.exited()
}

// TestScreenSizes goes through the sizes at which the layout changes.
func TestScreenSizes(t *testing.T) {
	p := newPlace(t)
	term := p.open(t, 80, 24, parley(t), "demo")
	term.wait("● ready", "get_forecast", "─ 4 traffic ")
	for _, s := range []struct {
		columns, rows int
		shows         string
	}{
		{60, 20, "get_forecast"},
		{39, 11, "40×12"},
		{40, 12, "get_forecast"},
		{110, 34, "─ 5 console ─"},
		{200, 60, "─ 5 console ─"},
		{80, 24, "─ 4 traffic "},
	} {
		term.resize(s.columns, s.rows)
		term.wait(s.shows)
		term.poll(fmt.Sprintf("a footer at %d×%d", s.columns, s.rows), func() (bool, error) {
			lines := term.lines()
			return len(lines) == s.rows && (s.rows < 12 || strings.Contains(lines[s.rows-1], "help")), nil
		})
	}
	term.leave()
}

// TestScreenMouse selects with the mouse.
func TestScreenMouse(t *testing.T) {
	p := newPlace(t)
	term := p.open(t, 110, 34, parley(t), "demo")
	term.wait("● ready", "calculator")
	for y, l := range term.lines() {
		if strings.Contains(l, "calculator") {
			term.click(6, y)
		}
	}
	term.match(`^▌ +calculator`)
	term.match(`─ calculator ─`)
	term.leave()
}

// TestScreenLeaves checks that the server ends with the screen, however the
// screen ends, and that the recording is whole.
func TestScreenLeaves(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, term *terminal){
		"interrupted":  func(_ *testing.T, term *terminal) { term.leave() },
		"terminated":   func(t *testing.T, term *terminal) { term.signal(syscall.SIGTERM); term.ended() },
		"terminal":     func(_ *testing.T, term *terminal) { term.end() },
		"killed":       func(t *testing.T, term *terminal) { term.signal(syscall.SIGKILL); term.ended() },
		"while a call": func(_ *testing.T, term *terminal) { term.slowCall(); term.leave() },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			term := p.open(t, 110, 34, parley(t), "demo")
			term.wait("● ready", "calculator", "─ 4 traffic ")
			var connected struct{ PID int }
			s := p.session(t)
			if err := json.Unmarshal(s.event(t, "connected"), &connected); err != nil || connected.PID == 0 {
				t.Fatalf("no process in %s (%v)", s.event(t, "connected"), err)
			}
			end(t, term)
			term.poll("the server to end", func() (bool, error) { return !alive(connected.PID), nil })
			shown := p.want(t, 0, "show", s.path)
			if !bytes.Contains(shown.Stdout, []byte("tools/list")) {
				t.Errorf("%v", shown)
			}
		})
	}
}

// slowCall begins a call that takes long.
func (term *terminal) slowCall() {
	term.t.Helper()
	term.keys("/")
	term.typed("slow")
	term.gone("calculator")
	term.keys("Enter")
	term.keys("Enter")
	term.match(`▌seconds`)
	term.keys("Enter")
	term.typed("600")
	term.keys("C-s")
	term.match(`→ +\d+ +tools/call +slow`)
}

// TestServerScreen lists and calls a published server on the screen.
func TestServerScreen(t *testing.T) {
	dir := zoo(t)
	p := newPlace(t)
	p.env = []string{"ZOO=" + dir}
	argv := append([]string{parley(t)}, named(t, "mcp.json", "everything")...)
	term := p.open(t, 110, 34, append(argv, declared...)...)
	term.match(`● ready \d+`)
	term.wait("1 tools 16", "2 resources 9", "3 prompts 4") // 7 resources and 2 templates
	term.keys("/")
	term.typed("get-sum")
	term.gone("echo")
	term.keys("Enter")
	term.keys("Enter")
	term.match(`▌a +number \*`)
	term.keys("Enter")
	term.typed("2")
	term.keys("Tab")
	term.typed("3.50")
	term.wait(`{"a":2,"b":3.50}`)
	term.keys("C-s")
	term.wait("The sum of 2 and 3.5 is 5.5.")
	term.leave()
	s := p.session(t)
	s.event(t, "exited")
	if request, _ := s.answer(t, "tools/call"); !bytes.Contains(request.Bytes, []byte(`{"a":2,"b":3.50}`)) {
		t.Errorf("sent %s", request.Bytes)
	}
}

// TestScreenEscape presses esc and the next key at once, which terminals send
// as alt and the key: it counts as both.
func TestScreenEscape(t *testing.T) {
	p := newPlace(t)
	term := p.open(t, 110, 34, parley(t), "demo")
	term.wait("● ready", "calculator")
	term.keys("5")
	term.typed("kept")
	term.wait("› kept")
	term.typed("\x1b1") // leaves the console, then goes to the tools
	term.match(`^▌ +get_alerts`)
	term.keys("Enter")
	term.typed("CA")
	term.wait(`{"state":"CA"}`)
	term.typed("\x1b\x13") // leaves the field, then sends
	term.match(`─ result · ok · `)
	term.wait("› kept")
	term.leave()
}

// TestScreenPaste pastes a message as people print it, over several lines and
// with a comment: it is offered as one line and sent as that.
func TestScreenPaste(t *testing.T) {
	p := newPlace(t)
	term := p.open(t, 110, 34, parley(t), "demo")
	term.wait("● ready", "calculator")
	term.keys("5")
	term.wait("esc leave")
	term.pasted("{\n  // say hello\n  \"jsonrpc\": \"2.0\",\n  \"id\": 4711,\n  \"method\": \"ping\",\n}\n")
	term.wait(`{"jsonrpc":"2.0","id":4711,"method":"ping"}`)
	term.keys("Enter")
	term.match(`← +4711 +result`)
	term.leave()
	s := p.session(t)
	if request, _ := s.answer(t, "ping"); string(request.Bytes) != `{"jsonrpc":"2.0","id":4711,"method":"ping"}` {
		t.Errorf("sent %s", request.Bytes)
	}
}

// pasted sends text as a terminal pastes it.
func (term *terminal) pasted(text string) {
	term.t.Helper()
	term.command("set-buffer", "--", text)
	term.command("paste-buffer", "-p", "-t", "e2e")
}
