package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestStoryAsked has a person answer what the server asks, in repl and in run.
func TestStoryAsked(t *testing.T) {
	for _, command := range []string{"repl", "run"} {
		t.Run(command, func(t *testing.T) {
			p := newPlace(t)
			bin := parley(t)
			script := filepath.Join(p.work, "asks.txt")
			if err := os.WriteFile(script, []byte("call ask\ncall sample_llm prompt='Say hello'\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{bin, command} // at a prompt there is somebody to ask
			if command == "run" {
				args = append(args, "--elicit", "ask", "--sample", "ask", script)
			}
			term := p.open(t, 100, 40, append(args, bin, "demo", "--stdio")...)
			if command == "repl" {
				term.wait("parley-demo")
				term.typed("call ask")
				term.keys("Enter")
			}
			term.wait("parley demo asks:", "  Which day do you want to leave?", "/decline refuses, /cancel dismisses", "  date: text, date, required")
			term.match(`^date:$`)
			term.keys("Enter")
			term.wait("date is required")
			term.typed("tomorrow")
			term.keys("Enter")
			term.wait("expected a date such as 2026-01-31")
			term.typed("2026-01-31")
			term.keys("Enter")
			term.wait("  class: one of these, optional, default economy", "    3 first")
			term.typed("3")
			term.keys("Enter")
			term.wait(`to be sent: {"date":"2026-01-31","class":"first"}`, "accept? yes, no, cancel or edit:")
			term.typed("yes")
			term.keys("Enter")
			term.wait(`the answer was accept: {"class":"first","date":"2026-01-31"}`)
			if command == "repl" {
				term.typed("call sample_llm prompt='Say hello'")
				term.keys("Enter")
			}
			term.wait("parley demo asks for a message from a model:", "  user: Say hello")
			term.match(`^answer:$`)
			term.typed("Hello!")
			term.keys("Enter")
			term.match(`^Hello!$`)
			if command == "repl" {
				term.typed("exit")
				term.keys("Enter")
			}
			if code := term.exited(); code != 0 {
				t.Errorf("exit %d\n%s", code, term.everything())
			}
		})
	}
}
