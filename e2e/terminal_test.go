package e2e

import (
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
	// patience is how long Wait waits.
	patience time.Duration
}

// poll is how often the screen is looked at while waiting for it.
const poll = 15 * time.Millisecond

// open starts a command on a terminal of the given size, in a place.
func (p *place) open(t testing.TB, columns, rows int, argv ...string) *terminal {
	t.Helper()
	tmux := needProgram(t, "tmux")
	dir, err := os.MkdirTemp("", "pt")
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, tmux: tmux, dir: dir, patience: 20 * time.Second}
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

func (term *terminal) numbers(format string) (a, b int) {
	term.t.Helper()
	text := term.display(format)
	if _, err := fmt.Sscan(text, &a, &b); err != nil {
		term.t.Fatalf("tmux said %q for %s: %v", text, format, err)
	}
	return a, b
}

func (term *terminal) size() (columns, rows int) {
	term.t.Helper()
	return term.numbers("#{pane_width} #{pane_height}")
}

// cursor is where the cursor stands, from 0.
func (term *terminal) cursor() (x, y int) {
	term.t.Helper()
	return term.numbers("#{cursor_x} #{cursor_y}")
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

// lines is the screen by rows.
func (term *terminal) lines() []string {
	term.t.Helper()
	return strings.Split(strings.TrimSuffix(term.screen(), "\n"), "\n")
}

// row returns the first row with the text.
func (term *terminal) row(text string) string {
	term.t.Helper()
	for _, l := range term.lines() {
		if strings.Contains(l, text) {
			return l
		}
	}
	term.t.Fatalf("no row has %q\n%s", text, term.framed())
	return ""
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

// pasted sends text as a terminal pastes it.
func (term *terminal) pasted(text string) {
	term.t.Helper()
	term.command("set-buffer", "--", text)
	term.command("paste-buffer", "-p", "-t", "e2e")
}

// click presses and releases the left mouse button on a cell, from 0.
func (term *terminal) click(x, y int) {
	term.t.Helper()
	term.typed(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1))
}

// wait waits until every text stands on the screen, and returns the screen.
func (term *terminal) wait(texts ...string) string {
	term.t.Helper()
	return term.until(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// match waits until the pattern matches the screen.
func (term *terminal) match(pattern string) string {
	term.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	return term.until("/"+pattern+"/", re.MatchString)
}

// gone waits until a text stands on the screen no more.
func (term *terminal) gone(text string) string {
	term.t.Helper()
	return term.until(fmt.Sprintf("no %q", text), func(screen string) bool { return !strings.Contains(screen, text) })
}

// until waits until a condition holds for the screen.
func (term *terminal) until(what string, holds func(screen string) bool) string {
	term.t.Helper()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for deadline := time.After(term.patience); ; {
		screen := term.screen()
		if holds(screen) {
			return screen
		}
		select {
		case <-tick.C:
		case <-deadline:
			term.t.Fatalf("waited %s for %s\n%s", term.patience, what, term.framed())
		}
	}
}

// exited waits until the program has ended, and returns its exit code.
func (term *terminal) exited() int {
	term.t.Helper()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for deadline := time.After(term.patience); ; {
		if state := strings.Fields(term.display("#{pane_dead} #{pane_dead_status}")); len(state) > 0 && state[0] == "1" {
			if len(state) < 2 {
				term.t.Fatalf("the program was ended by a signal\n%s", term.framed())
			}
			code, err := strconv.Atoi(state[1])
			if err != nil {
				term.t.Fatal(err)
			}
			return code
		}
		select {
		case <-tick.C:
		case <-deadline:
			term.t.Fatalf("waited %s for the program to end\n%s", term.patience, term.framed())
		}
	}
}

// pid is the process on the terminal.
func (term *terminal) pid() int {
	term.t.Helper()
	pid, err := strconv.Atoi(term.display("#{pane_pid}"))
	if err != nil {
		term.t.Fatal(err)
	}
	return pid
}
