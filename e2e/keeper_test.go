package e2e

import (
	"strings"
	"testing"
	"time"
)

// TestKeeperSeesOrphans checks the tests' own means: a process that is left
// behind is seen and ended, also one that left its group, and one that takes
// too long is stopped.
func TestKeeperSeesOrphans(t *testing.T) {
	if !keeping {
		t.Skip("only Linux lets a process adopt orphans")
	}
	needProgram(t, "setsid")
	p := newPlace(t)
	o := p.start(t, []string{"sh", "-c", "setsid sleep 300 >/dev/null 2>&1 & echo out; exit 3"})
	if o.Code != 3 || o.Problem != "" || string(o.Stdout) != "out\n" {
		t.Errorf("%v %s", o, o.Problem)
	}
	if len(o.Left) != 1 || !strings.HasSuffix(o.Left[0], "sleep 300") {
		t.Errorf("left behind: %q, want the sleep", o.Left)
	}
	p.patience = 100 * time.Millisecond
	o = p.start(t, []string{"sleep", "300"})
	if o.Problem == "" || o.Wall > 10*time.Second {
		t.Errorf("a run without end: %q after %s", o.Problem, o.Wall)
	}
}
