//go:build unix

package wire_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/client/clienttest"
	"parley/client/wire"
)

// short is the grace of tests in which it has to run out.
var short = wire.StdioOptions{Grace: 30 * time.Millisecond}

func TestSignalsHaveNames(t *testing.T) {
	for _, name := range []string{"SEGV", "ABRT", "KILL", "TERM"} {
		c := start(t, "stderr going down\nsignal "+name)
		e := lastEvent(t, c.ended())
		if e.Signal != "SIG"+name || e.Code != nil {
			t.Errorf("event %+v", e)
		}
		var exit *wire.ExitError
		if !errors.As(c.Err(), &exit) || exit.Signal != "SIG"+name || exit.Word() != "killed" ||
			!strings.HasSuffix(exit.Error(), "was killed by SIG"+name) || exit.Hint() == "" {
			t.Errorf("error %v", c.Err())
		}
	}
}

func TestCloseAsksBeforeItKills(t *testing.T) {
	for _, c := range []struct {
		name, script, signal string
		cancelled            bool
	}{
		{"ends with its input", "stderr here\neof\nexit 0", "", false},
		{"ends by SIGTERM", "stderr here\nhang", "SIGTERM", false},
		{"ignores SIGTERM", "ignore-term\nstderr here\nhang", "SIGKILL", false},
		{"cannot wait", "stderr here\nhang", "SIGKILL", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := short
			if c.signal == "" || c.cancelled {
				opt.Grace = time.Minute
			}
			s := startWith(t, clienttest.Command(t, c.script), opt)
			s.waitRaw("here")
			ctx, cancel := context.WithCancel(s.ctx)
			if c.cancelled {
				cancel()
			}
			defer cancel()
			if err := s.Close(ctx); err != nil {
				t.Fatal(err)
			}
			if e := lastEvent(t, s.ended()); e.Signal != c.signal {
				t.Errorf("event %+v", e)
			}
			if s.Err() != nil {
				t.Errorf("we ended it: %v", s.Err())
			}
		})
	}
}

func TestAStoppedServerEnds(t *testing.T) {
	s := startWith(t, clienttest.Command(t, "stderr here\nsleep 10ms\nhang"), short)
	s.waitRaw("here")
	if err := syscall.Kill(s.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(s.ctx); err != nil {
		t.Fatal(err)
	}
	if e := lastEvent(t, s.ended()); e.Signal != "SIGTERM" {
		t.Errorf("event %+v", e)
	}
}

// gone waits until a process has ended. One that nobody waits for counts.
func gone(ctx context.Context, pid int) error {
	for {
		err := syscall.Kill(pid, 0)
		if err != nil {
			return nil
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if after := string(stat[strings.LastIndexByte(string(stat), ')')+1:]); err == nil && strings.HasPrefix(after, " Z") {
			return nil
		}
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("process %d is still there", pid)
		}
	}
}

// grandchild waits for the number of what the server left behind.
func (c *conn) grandchild() int {
	c.t.Helper()
	f := c.waitRaw("grandchild ")
	pid, err := strconv.Atoi(strings.TrimPrefix(string(f.Raw), "grandchild "))
	if err != nil {
		c.t.Fatal(err)
	}
	return pid
}

func TestNoGrandchildIsLeft(t *testing.T) {
	for _, c := range []struct {
		name, script string
		close        bool
	}{
		{"the server ends with its input", "fork-grandchild\neof\nexit 0", true},
		{"the grandchild ignores SIGTERM", "fork-grandchild ignore-term\neof\nexit 0", true},
		{"both ignore SIGTERM", "ignore-term\nfork-grandchild ignore-term\nhang", true},
		{"the server crashes", "fork-grandchild\nexit 7", false},
		{"the server crashes, the grandchild ignores SIGTERM", "fork-grandchild ignore-term\nexit 7", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startWith(t, clienttest.Command(t, c.script), short)
			pid := s.grandchild()
			if !c.close {
				lastEvent(t, s.ended())
				if err := s.Err(); err == nil || !strings.HasSuffix(err.Error(), "exited 7") {
					t.Errorf("error %v", err)
				}
			}
			if err := s.Close(s.ctx); err != nil {
				t.Fatal(err)
			}
			now, cancel := context.WithTimeout(s.ctx, time.Second)
			defer cancel()
			if err := gone(now, pid); err != nil {
				t.Error(err)
			}
			lastEvent(t, s.ended())
		})
	}
}

func TestAGrandchildThatLeftTheGroupDoesNotHangUs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs setsid(1)")
	}
	cmd := wire.Command{Args: []string{"sh", "-c", `setsid sh -c 'echo daemon $$ >&2; exec sleep 60' & read line; echo bye; exit 4`}}
	s := startWith(t, cmd, short)
	f := s.waitRaw("daemon ")
	pid, err := strconv.Atoi(strings.TrimPrefix(string(f.Raw), "daemon "))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
	s.send("go")
	frames := s.ended()
	if e := lastEvent(t, frames); e.Code == nil || *e.Code != 4 {
		t.Errorf("event %+v", e)
	}
	if f := frames[len(frames)-2]; string(f.Raw) != "bye" {
		t.Errorf("before the end: %s", f.Raw)
	}
	if err := s.Close(s.ctx); err != nil {
		t.Error(err)
	}
}

func TestAServerHasNoTerminal(t *testing.T) {
	s := start(t, "pid here\neof\nexit 0")
	s.waitRaw("here ")
	group, err := syscall.Getpgid(s.PID())
	if err != nil || group != s.PID() || group == syscall.Getpgrp() {
		t.Errorf("process %d is in group %d (%v)", s.PID(), group, err)
	}
}

func TestTheEnvironmentOfAServer(t *testing.T) {
	t.Setenv("PARLEY_TEST_INHERITED", "yes")
	t.Setenv("SHELL", "() { evil; }")
	dir := t.TempDir()
	script := `echo "$PARLEY_TEST_INHERITED|$A|$SHELL|$(pwd)"; exit 1`
	for _, c := range []struct {
		clean bool
		want  string
	}{{false, "yes|2|() { evil; }|" + dir}, {true, "|2||" + dir}} {
		cmd := wire.Command{Args: []string{"/bin/sh", "-c", script}, Dir: dir, Env: []string{"A=1", "A=2"}, CleanEnv: c.clean}
		s := startWith(t, cmd, wire.StdioOptions{})
		frames := s.ended()
		if got := string(frames[1].Raw); got != c.want {
			t.Errorf("clean %v: %q, want %q", c.clean, got, c.want)
		}
		var exit *wire.ExitError
		if !errors.As(s.Err(), &exit) || strings.Contains(exit.Hint(), "--clean-env") != c.clean {
			t.Errorf("clean %v: hint %q", c.clean, exit.Hint())
		}
	}
}

// slow is a sink that lets the process end before it takes anything more.
type slow struct {
	clienttest.Log
	let chan struct{}
}

func (s *slow) Append(frames []wire.Frame) uint64 {
	if frames[0].Dir == wire.In {
		<-s.let
	}
	return s.Log.Append(frames)
}

func TestASlowSinkLosesNothing(t *testing.T) {
	log := &slow{let: make(chan struct{})}
	s, err := wire.StartStdio(clienttest.Command(t, "flood 600\nexit 0"), log, wire.StdioOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := gone(ctx, s.PID()); err != nil {
		t.Fatal(err)
	}
	// The process is gone and what it wrote is in the pipe. The sink is busy for
	// longer than a quiet pipe is waited for.
	time.AfterFunc(600*time.Millisecond, func() { close(log.let) })
	<-s.Done()
	n := 0
	for _, f := range log.Frames() {
		if f.Kind == wire.Message {
			n++
		}
	}
	if n != 600 {
		t.Errorf("%d of 600 notifications came", n)
	}
}
