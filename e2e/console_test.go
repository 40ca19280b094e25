package e2e

import (
	"bytes"
	"testing"
)

// TestScreenConsole speaks the command language in the console: completion, a
// call that shows as that of its form, a variable, a line that is stopped, an
// earlier line found by its letters, another server.
func TestScreenConsole(t *testing.T) {
	p := newPlace(t)
	bin := parley(t)
	term := p.open(t, 80, 24, bin, "demo")
	term.wait("● ready", "calculator")
	term.keys("5")
	term.wait("esc leave")
	term.typed("call get_f")
	term.wait("tab completes", "get_forecast")
	term.keys("Tab")
	term.wait("› call get_forecast", "latitude")
	term.typed("latitude=40.7 longitude=-74")
	term.keys("Enter")
	term.match(`─ result · ok · `)
	term.match(`^ +ok · .* · Today:`)
	term.typed("let sum = call calculator operation=add a=2 b=3")
	term.keys("Escape") // closes the list, if there is one
	term.match(`› let sum = call calculator operation=add a=2 b=3`)
	term.keys("5")
	term.keys("Enter")
	term.match(`\$sum is `)
	term.typed("echo it has ${sum.content[0].type}")
	term.keys("Enter")
	term.match(`^ +it has text`)
	term.typed("call slow seconds=600")
	term.keys("Enter")
	term.wait("● running", "ctrl+c stops")
	term.keys("C-c")
	term.match(`^ +stopped`)
	term.keys("C-r")
	term.typed("forec")
	term.match(`▌call get_forecast latitude=40\.7 longitude=-74`)
	term.keys("Tab")
	term.match(`› call get_forecast latitude=40\.7`)
	term.keys("C-u", "C-r")
	term.typed("it has")
	term.keys("Enter") // runs it
	term.match(`^ +it has text`)
	term.typed("connect " + bin + " demo --stdio --as weather")
	term.keys("Enter")
	term.match(`weather 1\.6\.0 .*● ready`)
	term.typed("echo still $sum.content[0].type")
	term.keys("Enter")
	term.match(`^ +still text`)
	term.leave()
	if out := p.want(t, 0, "sessions"); !bytes.Contains(out.Stdout, []byte("-demo-")) {
		t.Errorf("the first session was not kept: %s", out.Stdout)
	}
}

// TestScreenPalette finds an action by a few letters, says why another cannot be
// done now, and runs a line as it was typed.
func TestScreenPalette(t *testing.T) {
	p := newPlace(t)
	term := p.open(t, 110, 34, parley(t), "demo")
	term.wait("● ready", "calculator")
	term.keys(":")
	term.wait("─ palette ", "server info and stderr")
	term.typed("cancel")
	term.wait("no call is in flight")
	term.keys("C-u")
	term.typed("servinf")
	term.match(`▌server info and stderr .* 6`)
	term.keys("Enter")
	term.wait("─ 6 server and stderr")
	term.keys("Escape")
	term.wait("esc")
	term.keys(":")
	term.typed("read demo://read")
	term.wait("demo://readme")
	term.keys("Tab")
	term.match(`: read demo://readme`)
	term.keys("Enter")
	term.match(`─ result · ok · `)
	term.keys("5")
	term.wait("ctrl+r search")
	term.keys("F2")
	term.typed("zoom")
	term.wait("zoom the pane")
	term.keys("Escape")
	term.gone("zoom the pane")
	term.leave()
}

// TestPastedBytesGoOutAsTheyAre pastes what terminals and decoders of keys like to
// change: escape sequences, bytes that are no text, characters of several bytes.
func TestPastedBytesGoOutAsTheyAre(t *testing.T) {
	line := "a\x1b[31mred\x1b[0m\x07\t100%41 天🎉 \xff\xfe." // no CR: terminals make one of LF
	sent := func(t *testing.T, p *place) {
		t.Helper()
		files := p.sessionFiles(t)
		for _, f := range readSession(t, files[len(files)-1]).frames {
			if f.D == ">" && string(f.Bytes) == line {
				return
			}
		}
		t.Error("the line is not in the session")
	}
	t.Run("console", func(t *testing.T) {
		p := newPlace(t)
		term := p.open(t, 80, 24, parley(t), "demo")
		term.wait("● ready", "calculator")
		term.keys("5")
		term.paste("raw " + line)
		term.match(`› raw a␛\[31mred`)
		term.keys("Enter")
		term.match(`^ +sent · `)
		term.leave()
		sent(t, p)
	})
	t.Run("repl", func(t *testing.T) {
		p := newPlace(t)
		bin := parley(t)
		term := p.open(t, 80, 24, bin, "repl", bin, "demo", "--stdio")
		term.wait("type help")
		term.paste("raw " + line)
		term.match(`› raw a␛\[31mred`)
		term.keys("Enter")
		term.match(`(?m)› *$`) // the next prompt: while a line runs, ctrl+d says so
		term.keys("C-d")
		term.wait("session kept in")
		sent(t, p)
	})
}
