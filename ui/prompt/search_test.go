package prompt

import (
	"strings"
	"testing"
)

func TestHistoryAndSearch(t *testing.T) {
	d := newDesk(t, 80, 24, "tools", "call echo text=one", "Info", "call echo text=two", "call echo text=two ")
	line := func(want string) {
		t.Helper()
		if d.m.line.Text() != want {
			t.Errorf("the line is %q, want %q", d.m.line.Text(), want)
		}
	}
	d.typed("x")
	d.press("up", "up")
	line("call echo text=two")
	d.press("down", "down")
	line("x")
	d.press("ctrl+r")
	d.typed("ec")
	line("call echo text=two ")
	d.typed("ho")
	line("call echo text=two ") // what has more of the query stays
	d.press("ctrl+r")
	line("call echo text=two")
	d.press("ctrl+r", "ctrl+r")
	line("call echo text=one")
	d.press("down")
	line("call echo text=two")
	d.press("esc")
	line("x")
	d.press("ctrl+r")
	d.typed("INFO")
	line("")
	d.press("backspace", "backspace", "backspace", "backspace")
	d.typed("info")
	line("Info")
	d.press("tab")
	d.typed("!")
	line("Info!")
	d.press("ctrl+u", "ctrl+r")
	d.typed("one")
	a := d.next()
	d.press("enter")
	d.want(a, "call echo text=one")
}

func TestALineThatWasFoundIsTakenByKeysThatMove(t *testing.T) {
	for keys, want := range map[string]string{
		"left":       "call add b=2 a=!1",
		"home":       "!call add b=2 a=1",
		"ctrl+a":     "!call add b=2 a=1",
		"right":      "call add b=2 a=1!",
		"ctrl+w add": "call add b=2 a=1!", // the letters are edited, not the line
		"ctrl+u add": "call add b=2 a=1!",
	} {
		t.Run(keys, func(t *testing.T) {
			d := newDesk(t, 80, 24, "call add b=2 a=1", "tools")
			d.press("ctrl+r")
			d.typed("add")
			press, more, _ := strings.Cut(keys, " ")
			d.press(press)
			if more != "" {
				d.typed(more)
				d.press("tab")
			}
			d.typed("!")
			if got := d.m.line.Text(); got != want {
				t.Errorf("the line is %q, want %q", got, want)
			}
		})
	}
}
