package cli

import (
	"strings"
	"testing"

	"parley/config"
	"parley/ui/theme"
)

func TestServersFitTheTerminal(t *testing.T) {
	row := serverRow{Server: config.Server{Name: "北京", Command: "node", Args: []string{"server.js", strings.Repeat("x", 50)}}, state: "problem",
		problem: "cannot start node: not found in PATH, whatever that is", hint: "is it installed? a name without a slash is looked for in PATH"}
	long := row
	long.Name = strings.Repeat("long", 10)
	for _, cells := range []int{40, 80, endless} {
		for _, r := range []serverRow{row, long} {
			var out strings.Builder
			r.print(&out, 6, cells, false)
			for line := range strings.Lines(out.String()) {
				if line = strings.TrimRight(line, "\n"); theme.Width(theme.Safe(line)) > cells && !strings.Contains(line, long.Name) {
					t.Errorf("on %d cells: %q", cells, line)
				}
			}
			if lines := strings.Count(out.String(), "\n"); cells == endless && lines != 3 {
				t.Errorf("%d lines where they have no end:\n%s", lines, out.String())
			}
		}
	}
}
