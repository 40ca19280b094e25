package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
)

// runLine finds the command line in the comment at the top of a script.
func runLine(t *testing.T, file string) []string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		if words := strings.Fields(line); len(words) > 3 && words[0] == "#" && words[1] == "parley" && words[2] == "run" {
			return words[2:]
		}
	}
	t.Fatalf("%s does not say how it is run", file)
	return nil
}

// The conversations of the tutorials, as scripts, hold on the demo's servers.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("../testdata/conversations/*.mcp")
	if err != nil || len(files) < 6 {
		t.Fatalf("conversations: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			args := runLine(t, file)
			if !slices.Contains(args, filepath.Base(file)) {
				t.Fatalf("it names another file: %q", args)
			}
			cmd := exec.CommandContext(t.Context(), "parley", args...)
			cmd.Dir, cmd.Env, cmd.WaitDelay = filepath.Dir(file), environment(t.TempDir()), patience
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), " steps ok, ") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// A change in what a server says makes its conversation fail, and the report of
// that is read by programs that read JUnit's.
func TestFailingRunIsReadAsJUnit(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "s.mcp"), `let sum = call calculator operation=add a=1000 b=9
! call calculator operation=modulo a=1 b=2 ~ /operation/
expect $sum.content[0].text contains "= 1010"
call weather city=北京
`)
	report := filepath.Join(dir, "report.xml")
	cmd := exec.CommandContext(t.Context(), "parley", "run", "--report", "junit="+report, "s.mcp", "parley", "demo", "--stdio", "--as", "mcp-demo-server")
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment(t.TempDir()), patience
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	suites, err := junit.IngestFile(report)
	if err != nil || len(suites) != 1 || suites[0].Name != "s.mcp" {
		t.Fatalf("%+v, %v", suites, err)
	}
	got := suites[0]
	if got.Totals.Tests != 4 || got.Totals.Passed != 2 || got.Totals.Failed != 1 || got.Totals.Skipped != 1 || got.Totals.Duration <= 0 {
		t.Errorf("totals: %+v", got.Totals)
	}
	failed := got.Tests[2]
	if failed.Status != junit.StatusFailed || failed.Properties["line"] != "3" || failed.Properties["file"] != "s.mcp" {
		t.Errorf("the failure: %+v", failed)
	}
	for _, want := range []string{"s.mcp:3:1: ", "$sum.content[0].text", "1009.0", "= 1010"} {
		if !strings.Contains(failed.Message, want) {
			t.Errorf("the message has no %q: %s", want, failed.Message)
		}
	}
	if got.Tests[1].Status != junit.StatusPassed || !strings.Contains(got.Tests[1].SystemOut, "failed as expected: ") {
		t.Errorf("an expected failure: %+v", got.Tests[1])
	}
}

// inPlace is the line of a run on a terminal, as it is painted and taken away.
var inPlace = regexp.MustCompile(`\r([^\r\n]*)\x1b\[K`)

// Whatever a server says, terminals and reports get nothing but text.
func TestRunOfAHostileServer(t *testing.T) {
	dir := t.TempDir()
	file, xml, tap := filepath.Join(dir, "s.mcp"), filepath.Join(dir, "r.xml"), filepath.Join(dir, "r.tap")
	writeFile(t, file, `tools
call "t\u001b[1m\n2"
call x --force
let p = get p
expect $p == "\u001b[2J\u202e"
! call x --force ~ /no such/
read x
ping
`)
	o := onTerminal(t, "", "run", "--keep-going", "--report", "junit="+xml, "--report", "tap="+tap, file, "fakeserver", hostile(t))
	harmless(t, "standard output", o.out)
	harmless(t, "standard error", inPlace.ReplaceAllString(o.err, "$1"))
	if o.code == 0 || !strings.Contains(o.err, " steps failed, ") {
		t.Errorf("%+v", o)
	}
	for _, report := range []string{xml, tap} {
		raw, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		harmless(t, report, string(raw))
	}
	suites, err := junit.IngestFile(xml)
	if err != nil || len(suites) != 1 || suites[0].Totals.Tests != 8 || suites[0].Totals.Failed == 0 {
		t.Errorf("%+v, %v", suites, err)
	}
}
