package e2e

import (
	"bytes"
	"strings"
	"testing"
)

// TestStory is the story of a session on a real terminal, from the first look
// to the recording: launch, pick a tool, fill, send, read, a raw line, crash,
// restart, quit, reopen.
func TestStory(t *testing.T) {
	needProgram(t, "tmux")
	p := newPlace(t)
	bin := parley(t)
	term := p.open(t, 110, 34, bin, "demo")
	defer func() {
		if t.Failed() {
			t.Logf("the last screen\n%s", term.framed())
		}
	}()

	// Launch: no key is needed to see the tools.
	term.wait("● ready", "get_forecast", "calculator")
	term.match(`1 tools \d+`)
	term.match(`^ parley .*parley-demo 1\.0\.0.*stdio.*2025-11-25.*rec`)

	// Pick a tool by typing a part of its name.
	term.keys("/")
	term.typed("forec")
	term.gone("calculator")
	term.keys("Enter")
	term.match(`▌ *get_forecast`)
	term.keys("Enter")

	// Fill in the form: the cursor stands in the first field.
	term.match(`latitude +number \*`)
	term.typed("40.7128")
	term.keys("Tab")
	term.typed("-74.006")
	term.wait(`{"latitude":40.7128,"longitude":-74.006}`)

	// Letters are letters in a field, and esc keeps what was typed.
	term.keys("Escape")
	term.match(`longitude +number \* +-74\.006`)

	// Send and read.
	term.keys("C-s")
	term.match(`result · ok`)
	term.wait("Temperature:")
	term.match(`→ +\d+ +tools/call +get_forecast`)

	// Open the frame of the answer, see it exactly, and go to its request.
	term.keys("4")
	term.keys("G")
	term.keys("Enter")
	term.match(`frame \d+ · ← `)
	term.wait(`"result": {`)
	term.keys("p")
	term.match(`frame \d+ · → `)
	term.wait(`"method": "tools/call"`, `"latitude": 40.7128`)
	term.keys("Escape")

	// Type a line to the wire, as it is.
	term.keys("5")
	term.typed(`{"jsonrpc":"2.0","id":"mine","method":"resources/templates/list"}`)
	term.keys("Enter")
	term.match(`← +"mine" +`)
	term.keys("Escape")

	// The server crashes during a call: the reason is on the screen, nothing
	// that was typed is lost.
	term.keys("1")
	term.keys("/")
	term.typed("crash")
	term.keys("Enter")
	term.match(`▌ *crash`)
	term.keys("Enter")
	term.match(`code +integer`)
	term.typed("7")
	term.keys("C-s")
	term.match(`✗ exited 7`)
	term.match(`no answer: the server exited 7`)

	// Restart it, and call again.
	term.keys("Escape")
	term.keys("R")
	term.wait("● ready")
	term.keys("1")
	term.keys("/")
	term.typed("forec")
	term.keys("Enter")
	term.keys("Enter")
	term.wait(`{"latitude":40.7128,"longitude":-74.006}`)
	term.keys("C-s")
	term.match(`result · ok`)

	// Quit: a live session asks first.
	term.keys("Escape")
	term.keys("C-c")
	if code := term.exited(); code != 0 {
		t.Fatalf("exit %d\n%s", code, term.framed())
	}
	term.wait("session kept in")

	story(t, p)
	reopen(t, p, bin)
}

// story checks what the recording of the story holds.
func story(t *testing.T, p *place) {
	t.Helper()
	s := p.session(t)
	var calls, connected int
	var mine, exited bool
	for _, f := range s.frames {
		switch {
		case f.D == ">" && f.Message.Method == "tools/call":
			calls++
		case f.D == ">" && bytes.Equal(f.Bytes, []byte(`{"jsonrpc":"2.0","id":"mine","method":"resources/templates/list"}`)):
			mine = true
		case f.K == "event" && bytes.Contains(f.Bytes, []byte(`"connected"`)):
			connected++
		case f.K == "event" && bytes.Contains(f.Bytes, []byte(`"exited"`)) && bytes.Contains(f.Bytes, []byte(`7`)):
			exited = true
		}
	}
	if calls != 3 || connected != 2 || !mine || !exited {
		t.Errorf("recorded %d calls (want 3), %d connections (want 2), the raw line %v, exit 7 %v", calls, connected, mine, exited)
	}
}

// reopen looks through the recorded session on the screen.
func reopen(t *testing.T, p *place, bin string) {
	t.Helper()
	term := p.open(t, 110, 34, bin, "open", "last")
	term.wait("get_forecast", "calculator")
	term.match(`^ parley .*parley-demo`)
	term.keys("4")
	term.keys("g")
	term.keys("Enter")
	term.match(`frame \d+ · `)
	term.keys("Escape")
	// Nothing can be sent, and that is said.
	term.keys("R")
	term.match(`(?i)recorded|recording|nothing can be sent|closed`)
	term.keys("q")
	if code := term.exited(); code != 0 {
		t.Fatalf("exit %d\n%s", code, term.framed())
	}
	if len(p.sessionFiles(t)) != 1 {
		t.Errorf("opening a session made another: %s", strings.Join(p.sessionFiles(t), ", "))
	}
}
