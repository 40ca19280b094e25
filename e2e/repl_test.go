package e2e

import (
	"strings"
	"testing"
)

// row finds the one row of the screen that begins with a text, and what stands
// above it.
func (term *terminal) row(prefix string) (row string, above []string) {
	term.t.Helper()
	lines := term.lines()
	at := -1
	for i, l := range lines {
		if strings.HasPrefix(l, prefix) {
			if at >= 0 {
				term.t.Fatalf("%q stands there twice\n%s", prefix, term.framed())
			}
			at = i
		}
	}
	if at < 0 {
		term.t.Fatalf("%q does not stand there\n%s", prefix, term.framed())
	}
	return lines[at], lines[:at]
}

// TestREPL is a session of typed lines on a real terminal, and the next one that
// remembers it.
func TestREPL(t *testing.T) {
	p := newPlace(t)
	bin := parley(t)
	term := p.open(t, 80, 24, bin, "repl", bin, "demo", "--stdio")

	t.Log("it connects and says to whom")
	term.match(`^parley-demo 1\.0\.0 · 2025-11-25 `)
	term.match(`^parley›$`)

	t.Log("tab completes: what is certain first, then a list to go through")
	term.typed("call get_")
	term.keys("Tab")
	term.wait("  get_forecast", "  get_weather")
	term.keys("Tab", "Tab", "BTab")
	term.match(`^parley› call get_alerts `)
	term.keys("Escape")
	term.match(`^parley› call get_ `)
	term.typed("we")
	term.keys("Tab")
	term.match(`^parley› call get_weather +wants city`)
	term.typed("ci")
	term.keys("Tab")
	term.typed("Paris --jq .isError")
	term.keys("Enter")
	term.match(`^parley› call get_weather city=Paris --jq \.isError$`)
	term.match(`^false$`)

	t.Log("an error does not end it")
	term.typed("caal x")
	term.keys("Enter")
	term.match(`^parley: .*expected a command, found caal`)
	term.match(`^hint: did you mean call\?$`)

	t.Log("what the server sends while a line is typed stands above it")
	term.keys("C-l")
	term.gone("caal")
	term.typed("call slow seconds=1 steps=4")
	term.keys("Enter")
	term.match(`^← progress 1/4 `)
	term.typed("echo a line that stays whole")
	term.match(`^parley› echo a line that stays whole`)
	term.match(`^← progress 4/4 `)
	term.match(`^finished step 4 of 4`)
	row, above := term.row("parley› echo")
	if !strings.HasPrefix(row, "parley› echo a line that stays whole") {
		t.Errorf("the line was torn: %q", row)
	}
	if got := strings.Join(above, "\n"); !strings.Contains(got, "← progress 4/4") || !strings.Contains(got, "finished step 4 of 4") {
		t.Errorf("above the line stands\n%s", got)
	}
	term.keys("Enter")
	term.match(`^a line that stays whole$`)

	t.Log("ctrl+c stops a call, and nothing else")
	term.typed("call slow seconds=60 steps=2")
	term.keys("Enter")
	term.match(`^call slow .*ctrl\+c stops it`)
	term.keys("C-c")
	term.match(`^parley: interrupted$`)
	term.typed("ping --json")
	term.keys("Enter")
	term.match(`^\{\}$`)

	t.Log("a server that ends is told with its reason, and starts again")
	term.typed("call crash code=7")
	term.keys("Enter")
	term.match(`^parley: .*exited 7 before it `)
	term.match(`^parley \(ended\)›$`)
	term.typed("restart")
	term.keys("Enter")
	term.match(`^parley›$`)

	t.Log("a paste of lines waits for enter; JSON over lines becomes one")
	term.paste("echo one\necho two\n")
	term.match(`^ +… echo two +2 lines: enter runs them one by one$`)
	term.keys("Enter")
	term.match(`^one$`)
	term.match(`^two$`)
	term.paste("{\n  \"jsonrpc\": \"2.0\", // two\n  \"id\": \"me\",\n  \"method\": \"ping\"\n}\n")
	term.match(`^parley› \{"jsonrpc":"2.0","id":"me","method":"ping"\}  a request, sent as typed$`)
	term.keys("Enter")
	term.match(`^\{"jsonrpc":"2.0","id":"me","result":\{\}\}$`)
	term.typed("exit")
	term.keys("Enter")
	if code := term.exited(); code != 0 {
		t.Fatalf("exit %d\n%s", code, term.everything())
	}

	replAgain(t, p, bin)
}

// replAgain is a second session, on a narrow terminal.
func replAgain(t *testing.T, p *place, bin string) {
	t.Helper()
	t.Log("the next session has the lines of the one before")
	term := p.open(t, 40, 16, bin, "repl", "--elicit", "ask", bin, "demo", "--stdio")
	term.match(`^parley›$`)
	term.keys("Up")
	term.match(`^parley› exit`)
	term.keys("Down")
	term.match(`^parley›$`)
	term.keys("C-r")
	term.typed("whole")
	term.match(`^parley› echo a line that stays whole$`)
	term.match(`^search: whole `)
	term.keys("Enter")
	term.match(`^a line that stays whole$`)

	t.Log("a question of the server's comes before the line that is being typed")
	term.typed("call ask")
	term.keys("Enter")
	term.match(`^date:$`)
	term.keys("C-c")
	term.match(`^parley›$`)

	t.Log("a long line folds, and stays whole when the terminal changes")
	term.keys("C-l")
	term.typed("echo " + strings.Repeat("0123456789", 6))
	term.match(`^parley› echo 01234567890123456789012345$`)
	term.match(`^6789012345678901234567890123456789  print a text$|^6789012345678901234567890123456789`)
	term.resize(30, 16)
	term.match(`^parley› echo 0123456789012345$`)
	term.match(`^67890123456789012345678901234$`)
	term.match(`^567890123456789`)
	term.keys("C-c")
	term.keys("C-d")
	if code := term.exited(); code != 0 {
		t.Fatalf("exit %d\n%s", code, term.everything())
	}
}

// Lines in a pipe are run though the results go to a terminal.
func TestREPLInAPipeOnATerminal(t *testing.T) {
	p := newPlace(t)
	bin := parley(t)
	term := p.open(t, 80, 24, "sh", "-c", `printf 'echo one\ncall get_weather city=Paris --jq .isError\n' | `+bin+` repl `+bin+` demo --stdio`)
	if code := term.exited(); code != 0 {
		t.Fatalf("exit %d\n%s", code, term.everything())
	}
	if all := term.everything(); !strings.HasPrefix(all, "one\nfalse\n") || strings.Contains(all, "›") {
		t.Errorf("it printed\n%s", all)
	}
}

// On a terminal without cursor movements lines are read as they come.
func TestREPLOnADumbTerminal(t *testing.T) {
	p := newPlace(t)
	bin := parley(t)
	term := p.open(t, 80, 24, "env", "TERM=dumb", bin, "repl", bin, "demo", "--stdio")
	term.match(`^parley›$`)
	term.typed("echo one")
	term.keys("Enter")
	term.match(`^one$`)
	term.typed("call slow seconds=30 steps=30")
	term.keys("Enter")
	term.match(`^← progress 1/30`)
	term.keys("C-c") // stops what runs and nothing more
	term.match(`^parley: interrupted$`)
	term.keys("C-c")
	term.match(`^ctrl\+d leaves$`)
	term.typed("echo two")
	term.keys("Enter")
	term.match(`^two$`)
	term.keys("C-d")
	if code := term.exited(); code != 0 {
		t.Fatalf("exit %d\n%s", code, term.everything())
	}
}

// paste pastes text as a terminal does.
func (term *terminal) paste(text string) {
	term.t.Helper()
	term.command("set-buffer", "--", text)
	term.command("paste-buffer", "-p", "-t", "e2e")
}
