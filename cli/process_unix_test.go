//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parley/history"
)

// gone waits until a process has ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for running(pid) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("process %d is still there", pid)
		}
	}
}

// running reports whether a process runs. One that has ended and waits for
// whoever adopted it does not.
func running(pid int) bool {
	if unix.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist) || !haveProc()
	}
	_, after, _ := bytes.Cut(stat, []byte(") "))
	return !bytes.HasPrefix(after, []byte("Z"))
}

func haveProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// place is a state directory and a server's script for one run.
type place struct{ dir, script string }

func newPlace(t *testing.T, script string) place {
	t.Helper()
	p := place{dir: t.TempDir()}
	p.script = filepath.Join(p.dir, "server.txt")
	if err := os.WriteFile(p.script, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p place) command(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "parley", args...)
	cmd.Env, cmd.WaitDelay = environment(p.dir), patience
	return cmd
}

// session opens the only session that was recorded.
func (p place) session(t *testing.T) *history.Log {
	t.Helper()
	files := recorded(filepath.Join(p.dir, "state"))
	if len(files) != 1 {
		t.Fatalf("sessions: %v", files)
	}
	log, err := history.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	return log
}

// pids reads the numbers that a server and its child tell on standard error,
// which the verbose flag and raw pass on.
func pids(t *testing.T, stderr io.Reader, names ...string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for s := bufio.NewScanner(stderr); len(found) < len(names) && s.Scan(); {
		for _, name := range names {
			if _, rest, ok := strings.Cut(s.Text(), name+" "); ok && !strings.Contains(rest, `"`) {
				n, err := strconv.Atoi(strings.TrimSpace(rest))
				if err != nil {
					t.Fatalf("%q: %v", s.Text(), err)
				}
				found[name] = n
			}
		}
	}
	if len(found) < len(names) {
		t.Fatalf("told were %v, want %v", found, names)
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	return found
}

const stubborn = `
ignore-term
pid server
fork-grandchild ignore-term
on initialize {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"p","version":"1"}}
`

// A signal to parley ends the server's whole process group, and the session file
// is complete.
func TestSignalsEndTheServersGroup(t *testing.T) {
	for name, args := range map[string][]string{
		"tools": {"tools", "-v"},
		"raw":   {"raw"},
		"call":  {"call", "-v", "x", "--"},
	} {
		for _, sig := range []syscall.Signal{unix.SIGTERM, unix.SIGINT, unix.SIGHUP} {
			t.Run(fmt.Sprintf("%s %s", name, sig), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t, stubborn)
				cmd := p.command(t, append(args, "fakeserver", p.script)...)
				stderr, err := cmd.StderrPipe()
				if err != nil {
					t.Fatal(err)
				}
				stdin, err := cmd.StdinPipe() // stays open
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = stdin.Close() }()
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				told := pids(t, stderr, "server", "grandchild")
				if err := cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				var exit *exec.ExitError
				if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
					t.Errorf("parley ended with %v, want exit code 1", err)
				}
				if took := time.Since(start); took > patience/2 {
					t.Errorf("that took %s", took)
				}
				for _, pid := range told {
					gone(t, pid)
				}
				log := p.session(t)
				r, _ := log.Record(log.Len())
				raw, _ := log.Bytes(log.Len(), 0, -1)
				if log.Torn() != "" || r.Method != "exited" {
					t.Errorf("the session ends with %s, %s", raw, log.Torn())
				}
			})
		}
	}
}

// The error of an interrupted command, for people and for machines.
func TestInterruptedIsSaid(t *testing.T) {
	for _, c := range []struct{ flag, want string }{{"-q", "parley: interrupted\n"}, {"--json", `"code":"interrupted"`}} {
		p := newPlace(t, "> initialize\nhang\n")
		cmd := p.command(t, "tools", c.flag, "fakeserver", p.script)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		sentInitialize(t, p)
		_ = cmd.Process.Signal(unix.SIGINT)
		_ = cmd.Wait()
		if got := stderr.String(); !strings.Contains(got, c.want) {
			t.Errorf("stderr is %s", got)
		}
	}
}

// sentInitialize waits until a session file has the handshake's first line.
func sentInitialize(t *testing.T, p place) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, f := range recorded(filepath.Join(p.dir, "state")) {
			if raw, _ := os.ReadFile(f); bytes.Contains(raw, []byte("initialize")) {
				return
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("initialize was never sent")
		}
	}
}

// Who reads standard output may have enough: the server is ended all the same,
// and that is no failure.
func TestReaderThatGoesAway(t *testing.T) {
	for name, c := range map[string]struct {
		script, stdin string
		args          []string
	}{
		"raw":   {"pid server\nignore-term\nflood 100000\nflood 100000\nhang\n", "", []string{"raw"}},
		"tools": {"pid server\n> initialize\nanswer {\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"p\",\"version\":\"1\"}}\n> notifications/initialized\n> tools/list\nline 3000000\n", "", []string{"tools", "--json", "-v"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.script)
			cmd := p.command(t, append(c.args, "fakeserver", p.script)...)
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			stderr, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = stdin.Close() }()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			told := pids(t, stderr, "server")
			if _, err := io.ReadFull(stdout, make([]byte, 20)); err != nil {
				t.Error(err)
			}
			_ = stdout.Close()
			if err := cmd.Wait(); err != nil {
				t.Errorf("parley: %v", err)
			}
			gone(t, told["server"])
			log := p.session(t)
			if r, _ := log.Record(log.Len()); r.Method != "exited" {
				t.Errorf("the session ends with %+v", r)
			}
		})
	}
}

// So does who reads what show prints.
func TestReaderOfASessionThatGoesAway(t *testing.T) {
	p := newPlace(t, "> ping\nline 3000000\n")
	cmd := p.command(t, "raw", "fakeserver", p.script)
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"show", "last"}, {"show", "last", "3"}, {"show", "--json", "last"}, {"show", "--json", "last", "3"}} {
		cmd := p.command(t, args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(stdout, make([]byte, 20)); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		_ = stdout.Close()
		if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
			t.Errorf("%v: %v, %s", args, err, stderr.String())
		}
	}
}

// A full disk behind standard output is a failure.
func TestOutputThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer func() { _ = full.Close() }()
	script, err := filepath.Abs("testdata/server/tools.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"tools", "fakeserver", script}, {"call", "add", "a=1", "--", "fakeserver", script}, {"version"}, {"--help"}, {"demo"}} {
		cmd := exec.CommandContext(t.Context(), "parley", args...)
		var stderr bytes.Buffer
		cmd.Env, cmd.Stdout, cmd.Stderr = environment(t.TempDir()), full, &stderr
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(stderr.String(), "parley: writing to standard output: ") {
			t.Errorf("%v: %v, %s", args, err, stderr.String())
		}
	}
}

// A session in the state directory that cannot be written: the command works,
// and says that it is not recorded.
func TestStateDirectoryThatCannotBeWritten(t *testing.T) {
	script, err := filepath.Abs("testdata/server/tools.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "state"), nil, 0o600); err != nil { // a file in its place
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "parley", "tools", "fakeserver", script)
	var stderr bytes.Buffer
	cmd.Env, cmd.Stderr = environment(dir), &stderr
	out, err := cmd.Output()
	if err != nil || !bytes.Contains(out, []byte("add")) || !strings.Contains(stderr.String(), "parley: this session is not recorded: ") {
		t.Errorf("%s, %v, %s", out, err, stderr.String())
	}
}

// raw in the hands of a program: answers come as soon as the server gives them,
// and the exit code does not wait for standard input.
func TestRawEndsWithTheServerThoughStandardInputIsOpen(t *testing.T) {
	p := newPlace(t, "> ping\nanswer {}\nexit 5\n")
	cmd := p.command(t, "raw", "fakeserver", p.script)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close() }()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	var answer struct{ Result json.RawMessage }
	if err := json.NewDecoder(stdout).Decode(&answer); err != nil || string(answer.Result) != "{}" {
		t.Errorf("answer %s, %v", answer.Result, err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 5 {
		t.Errorf("parley ended with %v, want the server's exit code 5", err)
	}
}
