package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pty is parley on a pseudo-terminal that this process reads as a terminal
// does: at once, and with answers to what a program asks it. What arrives is
// kept as text, with the time at which it came.
type pty struct {
	b      *testing.B
	cmd    *exec.Cmd
	master *os.File
	began  time.Time
	stop   sync.Once
	ended  chan struct{} // the program has ended and all was read

	mu    sync.Mutex
	seen  []byte    // text since what was waited for last, control sequences left out
	came  []arrival // of seen
	strip stripper  // what leaves them out
	bytes int64     // all that came, control sequences too
	reads int       // in how many pieces it came; a paint is one
	news  chan struct{}
}

// arrival says that the text up to end had come at a time.
type arrival struct {
	end int
	at  time.Time
}

// onPTY starts the program on a terminal of 120×40 cells.
func (p *place) onPTY(b *testing.B, argv ...string) *pty {
	b.Helper()
	master, slave, err := openPTY()
	if err != nil {
		b.Skip("no pseudo-terminal: " + err.Error())
	}
	t := &pty{b: b, master: master, ended: make(chan struct{}), news: make(chan struct{}, 1)}
	t.cmd = exec.Command(argv[0], argv[1:]...)
	t.cmd.Dir, t.cmd.Env = p.work, append(p.environ(), "TERM=xterm-256color")
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = slave, slave, slave
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	t.began = time.Now()
	err = t.cmd.Start()
	_ = slave.Close()
	if err != nil {
		b.Fatal(err)
	}
	go t.read()
	b.Cleanup(t.end)
	return t
}

// openPTY makes a pseudo-terminal.
func openPTY() (master, slave *os.File, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	master = os.NewFile(uintptr(fd), "ptmx")
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120})
	}
	if err == nil {
		slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		_ = master.Close()
	}
	return master, slave, err
}

// questions are what programs ask a terminal, and what one answers.
var questions = []struct{ ask, answer string }{
	{"\x1b]11;?", "\x1b]11;rgb:0000/0000/0000\x1b\\"},
	{"\x1b[?2026$p", "\x1b[?2026;2$y"},
	{"\x1b[?2027$p", "\x1b[?2027;2$y"},
	{"\x1b[?u", "\x1b[?0u"},
	{"\x1b[c", "\x1b[?62;22c"},
}

func (t *pty) read() {
	defer close(t.ended)
	buf := make([]byte, 256<<10)
	for {
		n, err := t.master.Read(buf)
		at := time.Now()
		if n > 0 {
			for _, q := range questions {
				if bytes.Contains(buf[:n], []byte(q.ask)) {
					_, _ = t.master.WriteString(q.answer)
				}
			}
			t.mu.Lock()
			t.bytes += int64(n)
			t.reads++
			t.seen = t.strip.text(t.seen, buf[:n])
			t.came = append(t.came, arrival{len(t.seen), at})
			t.mu.Unlock()
			select {
			case t.news <- struct{}{}:
			default:
			}
		}
		if err != nil {
			_ = t.cmd.Wait()
			return
		}
	}
}

// stripper leaves control sequences out. One that moves the cursor becomes a
// line break, so that text which does not stand together does not look so.
type stripper struct{ in byte } // what it is in: 0, esc, CSI '[', a string ']'

func (s *stripper) text(dst, src []byte) []byte {
	for _, c := range src {
		switch {
		case s.in == 0 && c == 0x1b:
			s.in = 0x1b
		case s.in == 0:
			dst = append(dst, c)
		case s.in == 0x1b && (c == '[' || c == ']' || c == 'P'):
			s.in = c
		case s.in == 0x1b:
			s.in = 0
		case s.in == '[' && c >= 0x40:
			s.in = 0
			if c != 'm' {
				dst = append(dst, '\n')
			}
		case s.in != '[' && (c == 0x07 || c == '\\'):
			s.in = 0
		}
	}
	return dst
}

// wait waits until a text comes after what was waited for last, and returns
// when it did.
func (t *pty) wait(text string) time.Time {
	t.b.Helper()
	deadline := time.After(2 * time.Minute)
	for {
		if at, ok := t.find(text); ok {
			return at
		}
		select {
		case <-t.news:
		case <-t.ended:
			t.b.Fatalf("the program ended before it showed %q\n%s", text, t.seen)
		case <-deadline:
			t.b.Fatalf("%q did not show\n%s", text, t.seen)
		}
	}
}

// find looks for a text and forgets what came before it.
func (t *pty) find(text string) (at time.Time, ok bool) {
	const keep = 64 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	i := bytes.Index(t.seen, []byte(text))
	if i < 0 {
		if len(t.seen) > 2*keep {
			t.forget(len(t.seen) - keep)
		}
		return at, false
	}
	t.forget(i + len(text))
	return t.came[0].at, true
}

// forgetAll leaves out of the next wait all that came until now.
func (t *pty) forgetAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen, t.came = t.seen[:0], t.came[:0]
}

// forget leaves out the first n bytes of what was seen, of which there are more.
func (t *pty) forget(n int) {
	t.seen = append(t.seen[:0], t.seen[n:]...)
	first := slices.IndexFunc(t.came, func(a arrival) bool { return a.end >= n })
	t.came = append(t.came[:0], t.came[first:]...)
	for i := range t.came {
		t.came[i].end -= n
	}
}

// received is how much came to the terminal so far, in bytes.
func (t *pty) received() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bytes
}

// paints is how often something came to the terminal so far.
func (t *pty) paints() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reads
}

// press types keys and returns when.
func (t *pty) press(keys string) time.Time {
	t.b.Helper()
	at := time.Now()
	if _, err := t.master.WriteString(keys); err != nil {
		t.b.Fatal(err)
	}
	return at
}

// end ends the program as closing the terminal does.
func (t *pty) end() {
	t.stop.Do(func() {
		_ = t.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-t.ended:
		case <-time.After(10 * time.Second):
			_ = t.cmd.Process.Kill()
		}
		_ = t.master.Close()
		<-t.ended
	})
}

// resident is the memory that the program has now, and the most it had, in bytes.
func (t *pty) resident() (now, peak int64) { return resident(t.cmd.Process.Pid) }

func resident(pid int) (now, peak int64) {
	raw, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	field := func(name string) int64 {
		_, rest, _ := strings.Cut(string(raw), name)
		kib, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
		return kib << 10
	}
	return field("VmRSS:"), field("VmHWM:")
}

// usage is the processor time that the program's threads took so far.
func (t *pty) usage() (sum time.Duration) {
	t.b.Helper()
	for _, raw := range t.threads("schedstat") {
		ns, _ := strconv.ParseInt(strings.Fields(raw + " 0")[0], 10, 64)
		sum += time.Duration(ns)
	}
	return sum
}

// switches is how often the program's threads were given a core after they had
// waited for something.
func (t *pty) switches() (sum int64) {
	t.b.Helper()
	for _, raw := range t.threads("status") {
		_, rest, _ := strings.Cut(raw, "\nvoluntary_ctxt_switches:")
		n, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
		sum += n
	}
	return sum
}

// threads reads a file of each of the program's threads.
func (t *pty) threads(name string) (texts []string) {
	t.b.Helper()
	files, err := filepath.Glob("/proc/" + strconv.Itoa(t.cmd.Process.Pid) + "/task/*/" + name)
	if err != nil || len(files) == 0 {
		t.b.Fatal("the program's threads cannot be seen: ", err)
	}
	for _, f := range files {
		raw, _ := os.ReadFile(f)
		texts = append(texts, string(raw))
	}
	return texts
}
