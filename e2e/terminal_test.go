package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// terminal is a program on a real terminal: a tmux server of its own with one
// window. Its methods fail the test, showing the screen.
type terminal struct {
	t    testing.TB
	tmux string
	dir  string // where the socket lives; socket paths must be short
}

const (
	pollEvery = 15 * time.Millisecond // how often the screen is looked at
	patience  = 20 * time.Second      // for how long it is waited for
)

// open starts a command on a terminal of the given size, in a place.
func (p *place) open(t testing.TB, columns, rows int, argv ...string) *terminal {
	t.Helper()
	tmux := needProgram(t, "tmux")
	dir, err := os.MkdirTemp("", "pt")
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, tmux: tmux, dir: dir}
	t.Cleanup(term.end)
	args := []string{
		"-f", "/dev/null",
		"set-option", "-g", "status", "off", ";",
		"set-option", "-g", "remain-on-exit", "on", ";",
		"set-option", "-g", "escape-time", "0", ";",
		"set-option", "-g", "history-limit", "5000", ";",
		"set-option", "-g", "default-terminal", "tmux-256color", ";",
		"new-session", "-d", "-s", "e2e", "-x", strconv.Itoa(columns), "-y", strconv.Itoa(rows), "-c", p.work,
	}
	for _, kv := range p.environ() {
		args = append(args, "-e", kv)
	}
	args = append(args, "--")
	args = append(args, argv...)
	term.command(args...)
	if w, h := term.size(); w != columns || h != rows {
		t.Fatalf("the terminal is %d×%d, asked for %d×%d", w, h, columns, rows)
	}
	return term
}

// command runs a tmux command and returns what it printed.
func (term *terminal) command(args ...string) string {
	term.t.Helper()
	out, err := term.try(args...)
	if err != nil {
		term.t.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (term *terminal) try(args ...string) (string, error) {
	cmd := exec.Command(term.tmux, append([]string{"-S", filepath.Join(term.dir, "s")}, args...)...)
	cmd.Env = append(without(os.Environ(), "TMUX", "TMUX_PANE"), "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (term *terminal) end() {
	_, _ = term.try("kill-server")
	_ = os.RemoveAll(term.dir)
}

func (term *terminal) display(format string) string {
	term.t.Helper()
	return strings.TrimSuffix(term.command("display-message", "-p", "-t", "e2e", format), "\n")
}

func (term *terminal) size() (columns, rows int) {
	term.t.Helper()
	text := term.display("#{pane_width} #{pane_height}")
	if _, err := fmt.Sscan(text, &columns, &rows); err != nil {
		term.t.Fatalf("tmux said %q of the size: %v", text, err)
	}
	return columns, rows
}

// resize makes the terminal another size.
func (term *terminal) resize(columns, rows int) {
	term.t.Helper()
	term.command("resize-window", "-t", "e2e", "-x", strconv.Itoa(columns), "-y", strconv.Itoa(rows))
}

// screen is what stands on the screen, without trailing spaces.
func (term *terminal) screen() string {
	term.t.Helper()
	return term.command("capture-pane", "-p", "-t", "e2e")
}

// look returns the screen, and whether the program has ended.
func (term *terminal) look() (screen string, dead bool) {
	term.t.Helper()
	out := term.command("display-message", "-p", "-t", "e2e", "#{pane_dead}", ";", "capture-pane", "-p", "-t", "e2e")
	state, screen, _ := strings.Cut(out, "\n")
	return screen, state == "1"
}

// lines is the screen by rows.
func (term *terminal) lines() []string {
	term.t.Helper()
	return strings.Split(strings.TrimSuffix(term.screen(), "\n"), "\n")
}

// framed is the screen for a failure message.
func (term *terminal) framed() string {
	out, err := term.try("capture-pane", "-p", "-t", "e2e")
	if err != nil {
		return err.Error()
	}
	return "  │" + strings.ReplaceAll(strings.TrimRight(out, "\n"), "\n", "\n  │")
}

// keys sends keys by tmux's names: "Enter", "C-s", "Escape", "F1", or
// characters.
func (term *terminal) keys(names ...string) {
	term.t.Helper()
	term.command(append([]string{"send-keys", "-t", "e2e", "--"}, names...)...)
}

// typed sends text as if it were typed.
func (term *terminal) typed(text string) {
	term.t.Helper()
	term.command("send-keys", "-t", "e2e", "-l", "--", text)
}

// click presses and releases the left mouse button on a cell, from 0.
func (term *terminal) click(x, y int) {
	term.t.Helper()
	term.typed(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1))
}

// wait waits until every text stands on the screen.
func (term *terminal) wait(texts ...string) {
	term.t.Helper()
	term.until(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// match waits until the pattern matches the screen; ^ and $ are ends of rows.
func (term *terminal) match(pattern string) {
	term.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	term.until("/"+pattern+"/", re.MatchString)
}

// gone waits until a text stands on the screen no more.
func (term *terminal) gone(text string) {
	term.t.Helper()
	term.until(fmt.Sprintf("no %q", text), func(screen string) bool { return !strings.Contains(screen, text) })
}

// until waits until a condition holds for the screen. It gives up early when
// the program has ended.
func (term *terminal) until(what string, holds func(screen string) bool) {
	term.t.Helper()
	term.poll(what, func() (bool, error) {
		screen, dead := term.look()
		if !holds(screen) && dead {
			return false, errors.New("the program has ended")
		}
		return holds(screen), nil
	})
}

// exited waits until the program has ended, and returns its exit code.
func (term *terminal) exited() (code int) {
	term.t.Helper()
	how := term.ended()
	code, err := strconv.Atoi(how)
	if err != nil {
		term.t.Fatalf("the program was ended by %s\n%s", how, term.everything())
	}
	return code
}

// ended waits until the program has ended in any way, and returns its exit code
// or "signal" and the signal's number.
func (term *terminal) ended() (how string) {
	term.t.Helper()
	term.poll("the program to end", func() (bool, error) {
		code, rest, _ := strings.Cut(term.display("#{pane_dead_status}/#{pane_dead_signal}/#{pane_dead}"), "/")
		signal, dead, _ := strings.Cut(rest, "/")
		switch {
		case signal != "":
			how = "signal " + signal
		case code != "":
			how = code
		case dead == "1":
			// tmux saw the terminal close and may miss how the program ended
			// until another child of its own ends.
			term.command("run-shell", "true")
		}
		return how != "", nil
	})
	return how
}

// poll looks again and again until something is so.
func (term *terminal) poll(what string, so func() (bool, error)) {
	term.t.Helper()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for deadline := time.After(patience); ; {
		ok, err := so()
		switch {
		case err != nil:
			term.t.Fatalf("waiting for %s: %v\n%s", what, err, term.framed())
		case ok:
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			term.t.Fatalf("waited %s for %s\n%s", patience, what, term.framed())
		}
	}
}

// signal sends a signal to the program.
func (term *terminal) signal(sig os.Signal) {
	term.t.Helper()
	pid, err := strconv.Atoi(term.display("#{pane_pid}"))
	if err != nil {
		term.t.Fatal(err)
	}
	program, err := os.FindProcess(pid)
	if err == nil {
		err = program.Signal(sig)
	}
	if err != nil {
		term.t.Fatal(err)
	}
}

// everything is the screen and what scrolled off it.
func (term *terminal) everything() string {
	term.t.Helper()
	return strings.TrimSpace(term.command("capture-pane", "-p", "-S", "-", "-t", "e2e"))
}
