//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/joshdk/go-junit"
)

// An interrupt ends a run in order: it says what was running, and the report says
// what was not run.
func TestRunInterrupted(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "s.mcp"), "ping\nsleep 1h\nping\n")
	cmd := exec.CommandContext(t.Context(), "parley", "run", "--report", "junit=r.xml", "s.mcp", "parley", "demo", "--stdio")
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment(t.TempDir()), patience
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	told := bufio.NewReader(stderr)
	if line, err := told.ReadString('\n'); !strings.HasPrefix(line, "ok  1  ping  ") {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(told)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{"FAIL  2  sleep 1h  ", "parley: s.mcp:2:1: interrupted\n", "1 of 2 steps failed, 1 not run, "} {
		if !strings.Contains(string(rest), want) {
			t.Errorf("there is no %q in %s", want, rest)
		}
	}
	suites, err := junit.IngestFile(filepath.Join(dir, "r.xml"))
	if err != nil || len(suites) != 1 || suites[0].Totals.Error != 1 || suites[0].Totals.Skipped != 1 {
		t.Errorf("%+v, %v", suites, err)
	}
}

// A script on standard input that does not end is not waited for.
func TestRunInterruptedBeforeItBegins(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "parley", "run", "-", "parley", "demo", "--stdio")
	cmd.Dir, cmd.Env, cmd.WaitDelay = t.TempDir(), environment(t.TempDir()), patience
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(bytes.Repeat([]byte("# more than a pipe takes\n"), 20_000)); err != nil {
		t.Fatal(err) // all of it was read, but for what is in the pipe
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.HasPrefix(stderr.String(), "parley: interrupted\n") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
}
