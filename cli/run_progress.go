package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/term"

	"parley/script"
	"parley/ui/theme"
)

// teller says on standard error how a run goes: on a terminal in one line that
// changes in place, otherwise a line for each step.
type teller struct {
	app   *app
	order []*script.Step       // the statements, in the order of the script
	place map[*script.Step]int // their numbers, from 1
	lines bool
	live  *statusLine // may be nil
}

func newTeller(a *app, s *script.Script) *teller {
	t := &teller{app: a, place: map[*script.Step]int{}}
	t.number(s.Steps)
	switch {
	case a.quiet || a.json:
	case a.io.ErrTTY && os.Getenv("TERM") != "dumb":
		t.live = newStatusLine(a.io.Err, len(t.order))
		a.io.Err = t.live.around(a.io.Err)
		if a.io.OutTTY {
			a.io.Out = t.live.around(a.io.Out)
		}
	default:
		t.lines = true
	}
	return t
}

// number counts the statements, those of included files in the place of include.
func (t *teller) number(steps []*script.Step) {
	for _, s := range steps {
		if s.Verb.Name != "include" {
			t.order = append(t.order, s)
			t.place[s] = len(t.order)
		}
		t.number(s.Body)
	}
}

// after lists the statements behind one; all for nil.
func (t *teller) after(s *script.Step) []*script.Step { return t.order[t.place[s]:] }

func (t *teller) started(s *script.Step) {
	if t.live != nil {
		t.live.step(t.place[s], s.Source)
	}
}

func (t *teller) finished(r ran, s *script.Step) {
	if t.live != nil {
		t.live.rest()
	}
	if !t.lines {
		return
	}
	b := make([]byte, 0, 80)
	b = append(b, r.status.String()...)
	b = append(b, "  "...)
	b = strconv.AppendInt(b, int64(t.place[s]), 10)
	b = append(b, "  "...)
	b = append(b, oneLine(r.text)...)
	b = append(b, "  "...)
	b = append(b, spent(r.took)...)
	_, _ = t.app.io.Err.Write(append(b, '\n'))
}

// stop ends what changes in place.
func (t *teller) stop() {
	if t.live != nil {
		t.live.end()
	}
}

// How the line of a run on a terminal changes. A step that is over sooner than
// spinAfter shows no spinner, and a run that is over sooner than paintEvery no line.
const (
	paintEvery = 100 * time.Millisecond
	spinAfter  = 300 * time.Millisecond
)

var spinner = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// statusLine is the last line of a terminal while a run goes on. What else is
// written to the terminal goes through around, which takes the line away first.
type statusLine struct {
	w     io.Writer
	total int
	began time.Time
	done  chan struct{} // ends the painter
	ended chan struct{} // it has ended

	mu    sync.Mutex
	n     int
	text  string
	since time.Time // when the step began; zero between two
	shown bool      // the line is on the terminal
	mid   bool      // what was written last has no line end
	held  int       // somebody is asked something
}

func newStatusLine(w io.Writer, total int) *statusLine {
	s := &statusLine{w: w, total: total, began: time.Now(), done: make(chan struct{}), ended: make(chan struct{})}
	go s.run()
	return s
}

func (s *statusLine) run() {
	defer close(s.ended)
	tick := time.NewTicker(paintEvery)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			s.paint(now)
		case <-s.done:
			return
		}
	}
}

func (s *statusLine) step(n int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n, s.text, s.since = n, text, time.Now()
}

func (s *statusLine) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = time.Time{}
}

// hold keeps the line away, or lets it come again.
func (s *statusLine) hold(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if on {
		s.held++
		s.erase()
	} else {
		s.held--
		s.mid = false // the answer's enter ended the line
	}
}

func (s *statusLine) paint(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n == 0 || s.mid || s.held > 0 {
		return
	}
	width := 80
	if f, ok := s.w.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			width = w
		}
	}
	_, _ = fmt.Fprintf(s.w, "\r%s\x1b[K", theme.Cut(theme.Text(s.line(now)), width-1))
	s.shown = true
}

// line is what the line says at a moment.
func (s *statusLine) line(now time.Time) string {
	mark := " "
	if !s.since.IsZero() && now.Sub(s.since) >= spinAfter {
		mark = string(spinner[int(now.Sub(s.since)/paintEvery)%len(spinner)])
	}
	return fmt.Sprintf("%s step %d of %d  %.1f s  %s", mark, s.n, s.total, now.Sub(s.began).Seconds(), oneLine(s.text))
}

// erase takes the line away, with mu held.
func (s *statusLine) erase() {
	if s.shown {
		_, _ = io.WriteString(s.w, "\r\x1b[K")
		s.shown = false
	}
}

// end takes the line away for good.
func (s *statusLine) end() {
	close(s.done)
	<-s.ended
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
}

// around is a writer to the same terminal.
func (s *statusLine) around(w io.Writer) io.Writer { return &besideStatus{s, w} }

type besideStatus struct {
	s *statusLine
	w io.Writer
}

func (b *besideStatus) Write(p []byte) (int, error) {
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	b.s.erase()
	if len(p) > 0 {
		b.s.mid = !bytes.HasSuffix(p, []byte("\n"))
	}
	return b.w.Write(p)
}
