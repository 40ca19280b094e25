package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// A script on a terminal: what it prints stays, the step that runs shows below in
// place, a question of the server's is asked, and at the end only the summary stays.
func TestScriptOnATerminal(t *testing.T) {
	p := newPlace(t)
	bin := parley(t)
	script := "call text_processor text=hi action=uppercase\ncall slow seconds=2 steps=2\ncall ask\necho the end\n"
	if err := os.WriteFile(filepath.Join(p.work, "s.mcp"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	term := p.open(t, 100, 24, bin, "run", "--elicit", "ask", "s.mcp", bin, "demo", "--stdio")
	term.match(`: HI$`)
	term.match(`^. step 2 of 4  [\d.]+ s  call slow seconds=2 steps=2$`)
	term.match(`^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] step 2 of 4 `)
	term.wait("parley demo asks:")
	term.gone("step 2 of 4")
	term.wait("date:")
	term.typed("/decline")
	term.keys("Enter")
	term.wait("the end")
	term.match(`^parley: s\.mcp: 4 steps ok, [\d.]+ s$`)
	if code := term.exited(); code != 0 {
		t.Errorf("exit %d", code)
	}
	term.gone("step 4 of 4")
}
