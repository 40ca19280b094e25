package e2e

import (
	"bytes"
	"testing"
)

// TestStory is the story of a session on a real terminal, from the first look
// to the recording: launch, pick a tool, fill, send, read, a raw line, crash,
// restart, quit, reopen.
func TestStory(t *testing.T) {
	p := newPlace(t)
	bin := parley(t)
	term := p.open(t, 110, 34, bin, "demo")

	t.Log("launch: no key is needed to see the tools")
	term.wait("● ready", "get_forecast", "calculator")
	term.match(`^ parley +parley-demo 1\.0\.0 +stdio +2025-11-25 .*● ready [\d.]+ m?s +rec \d+ `)
	term.match(`^─ 1 tools \d+ · 2 resources \d+ · 3 prompts \d+ `)

	t.Log("pick a tool by a part of its name")
	term.keys("/")
	term.typed("forec")
	term.gone("calculator")
	term.keys("Enter")
	term.match(`^▌ +get_forecast`)
	term.keys("Enter")
	term.match(`│ ▌latitude +number \* +\(absent\)`)

	t.Log("fill in the form: letters are letters, esc keeps what was typed")
	term.keys("Enter")
	term.wait("esc leave")
	term.typed("40.7128")
	term.keys("Tab")
	term.match(`▌longitude`)
	term.typed("-74.00q6")
	term.match(`✗ expected a number`)
	term.keys("BSpace", "BSpace")
	term.typed("60")
	term.wait(`{"latitude":40.7128,"longitude":-74.0060}`)
	term.keys("Escape")
	term.gone("esc leave")
	term.match(`longitude +number \* +-74\.0060`)

	t.Log("send, and read the result")
	term.keys("C-s")
	term.match(`─ result · ok · [\d.]+ m?s`)
	term.wait("Temperature: 64°F")
	term.match(`→ +\d+ +tools/call +get_forecast +\d+ B$`)
	term.match(`← +\d+ +result +tools/call +get_forecast`)

	t.Log("open the frame of the answer, and from there its request")
	term.keys("4")
	term.keys("G")
	term.keys("Enter")
	term.match(`^─ frame \d+ · ← \d+ result · `)
	term.wait(`"result": {`, `"isError": false`)
	term.keys("p")
	term.match(`^─ frame \d+ · → \d+ tools/call get_forecast · `)
	term.wait(`"latitude": 40.7128`, `"longitude": -74.0060`)
	term.keys("Escape")
	term.gone("─ frame ")

	t.Log("a line goes to the wire as it is typed")
	term.keys("5")
	term.typed(`{"jsonrpc":"2.0", "id":"me", "method":"resources/templates/list"}`)
	term.wait("sent as typed")
	term.keys("Enter")
	term.match(`→ +"me" +resources/templates/list`)
	term.match(`← +"me" +result +resources/templates/list`)
	term.keys("Escape")
	term.gone("esc leave")

	t.Log("the server crashes during a call: the reason is told")
	term.keys("1")
	term.wait("enter open")
	term.keys("Escape") // drops the filter
	term.wait("calculator")
	term.keys("/")
	term.typed("crash")
	term.gone("calculator")
	term.keys("Enter")
	term.keys("Enter")
	term.match(`▌code +integer +\(absent\)`)
	term.keys("C-s")
	term.match(`✗ exited 7 after .* R restart`)
	term.wait("no answer: the server exited 7", "fatal: the demo was asked to exit with 7")

	t.Log("restart, and find what was typed before still there")
	term.keys("R")
	term.wait("● ready")
	term.keys("1")
	term.wait("enter open")
	term.keys("Escape")
	term.wait("calculator")
	term.keys("/")
	term.typed("forec")
	term.gone("calculator")
	term.keys("Enter")
	term.keys("Enter")
	term.wait(`{"latitude":40.7128,"longitude":-74.0060}`)
	term.keys("C-s")
	term.match(`─ result · ok · `)

	t.Log("quit: q goes back a step at a time, and asks before it leaves")
	term.keys("1")
	term.keys("q") // drops the filter
	term.wait("calculator")
	term.keys("q")
	term.wait("y leave")
	term.keys("n")
	term.gone("y leave")
	term.keys("q")
	term.wait("y leave")
	term.keys("y")
	if code := term.exited(); code != 0 {
		t.Fatalf("exit %d\n%s", code, term.everything())
	}
	if all := term.everything(); !bytes.Contains([]byte(all), []byte("session kept in")) {
		t.Errorf("nothing says where the session was kept\n%s", all)
	}

	storyRecorded(t, p)
	storyReopened(t, p, bin)
}

// storyRecorded checks what the recording of the story holds.
func storyRecorded(t *testing.T, p *place) {
	t.Helper()
	s := p.session(t)
	var calls, connected int
	var raw, exited bool
	for _, f := range s.frames {
		switch {
		case f.D == ">" && f.Message.Method == "tools/call":
			calls++
		case f.D == ">" && string(f.Bytes) == `{"jsonrpc":"2.0", "id":"me", "method":"resources/templates/list"}`:
			raw = true
		case f.K == "event" && bytes.Contains(f.Bytes, []byte(`"connected"`)):
			connected++
		case f.K == "event" && bytes.Contains(f.Bytes, []byte(`"exited"`)) && bytes.Contains(f.Bytes, []byte(`"code":7`)):
			exited = true
		}
	}
	if calls != 3 || connected != 2 || !raw || !exited {
		t.Errorf("recorded %d calls (want 3), %d connections (want 2), the raw line %v, exit 7 %v", calls, connected, raw, exited)
	}
	p.want(t, 0, "show", s.path)
}

// storyReopened looks through the recorded session on the screen.
func storyReopened(t *testing.T, p *place, bin string) {
	t.Helper()
	t.Log("reopen: the recording looks as the session did, and sends nothing")
	term := p.open(t, 110, 34, bin, "open", "last")
	term.wait("get_forecast", "calculator")
	term.match(`^ parley +parley-demo 1\.0\.0 +file `)
	term.keys("4")
	term.keys("/")
	term.typed("get_forecast")
	term.keys("Enter")
	term.keys("G")
	term.keys("Enter")
	term.match(`^─ frame \d+ · ← \d+ result · `)
	term.wait("Temperature: 64°F")
	term.keys("Escape")
	term.gone("─ frame ")
	term.keys("R")
	term.wait("this is a recorded session: nothing can be sent")
	term.keys("C-c")
	if code := term.exited(); code != 0 {
		t.Fatalf("exit %d\n%s", code, term.everything())
	}
	p.session(t) // still the only one
}
