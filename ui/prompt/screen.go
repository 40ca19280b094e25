package prompt

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley/ui/theme"
)

// What the terminal is told, beside moving the cursor.
const (
	pasteOn    = "\x1b[?2004h"
	pasteOff   = "\x1b[?2004l"
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	holdScreen = "\x1b[?2026h" // shows nothing until showScreen, where that is known
	showScreen = "\x1b[?2026l"
	eraseRow   = "\x1b[K" // from the cursor to the end of its row
	eraseBelow = "\x1b[J" // and everything below
	clearAll   = "\x1b[H\x1b[2J"
)

const (
	// mostPending is how much may wait to be written: whoever prints more waits.
	mostPending = 1 << 20
	// mostOpen is how long a line may be of which the end has not come.
	mostOpen = 64 << 10
	// paintEvery is the least time between two frames.
	paintEvery = 8 * time.Millisecond
)

// frame is what stands below everything that was printed.
type frame struct {
	rows []string
	wide []int // the cells of each row, below the width of the terminal
	x, y int   // the cursor
}

// screen writes to the terminal: what is printed scrolls up as it does without
// us, the frame stays below it. Both change in one write, so that neither is
// ever seen torn. A goroutine of its own writes, for a terminal may be slow.
//
// Bubble Tea's own way to print above an inline view does not fit here: it
// loses lines when more is printed than the screen has rows.
type screen struct {
	to io.Writer

	painting sync.Mutex // taken before mu; one write at a time

	mu    sync.Mutex
	room  sync.Cond // there is room in above again, or nothing will be written
	above []byte    // what is to be printed
	whole bool      // its last line ends where it ends
	frame frame
	drawn frame // what stands on the terminal
	width int   // of the terminal
	clear bool
	away  bool // the terminal is not ours now
	ended bool

	ping chan struct{}
	done chan struct{}
}

func newScreen(to io.Writer) *screen {
	s := &screen{to: to, ping: make(chan struct{}, 1), done: make(chan struct{})}
	s.room.L = &s.mu
	return s
}

// run writes until end is called.
func (s *screen) run() {
	_, _ = io.WriteString(s.to, pasteOn)
	for range s.ping {
		s.paint()
		time.Sleep(paintEvery)
	}
	s.paint()
	_, _ = io.WriteString(s.to, pasteOff+showCursor)
	close(s.done)
}

// end takes the frame away and returns when everything was written.
func (s *screen) end() {
	s.mu.Lock()
	s.frame, s.whole, s.ended = frame{}, true, true
	s.mu.Unlock()
	close(s.ping)
	<-s.done
	s.mu.Lock()
	defer s.mu.Unlock()
	s.room.Broadcast()
}

func (s *screen) wake() {
	if s.ended {
		return
	}
	select {
	case s.ping <- struct{}{}:
	default:
	}
}

// Write prints above the frame. What has no line end yet is held back until it
// comes or finish is called.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.above) > mostPending && !s.ended {
		s.room.Wait()
	}
	if s.ended {
		return s.to.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	}
	s.above = append(s.above, p...)
	s.whole = false
	s.wake()
	return len(p), nil
}

// print prints lines of ours; it never waits.
func (s *screen) print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.above = append(s.above, text...)
	s.wake()
}

// finish ends a line that was begun.
func (s *screen) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.above); n > 0 && s.above[n-1] != '\n' {
		s.above = append(s.above, '\n')
	}
	s.wake()
}

// show changes the frame.
func (s *screen) show(f frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frame = f
	s.wake()
}

// resize takes note of the terminal's width. Terminals fold rows that have
// become too long: the frame may stand on more rows than it was drawn on.
func (s *screen) resize(width int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := &s.drawn; width > 0 && width < s.width {
		up := 0
		for y := range min(d.y, len(d.wide)) {
			up += max(0, d.wide[y]-1) / width
		}
		d.y, d.x = d.y+up+d.x/width, d.x%width
	}
	s.width = width
	s.wake()
}

// clearScreen puts the frame at the top of an empty screen.
func (s *screen) clearScreen() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear = true
	s.wake()
}

// leave gives the terminal away, as when the program is suspended; enter takes
// it back.
func (s *screen) leave() {
	s.mu.Lock()
	kept := s.frame
	s.frame = frame{}
	s.mu.Unlock()
	s.paint()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frame, s.away = kept, true
	_, _ = io.WriteString(s.to, pasteOff+showCursor)
}

func (s *screen) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away, s.drawn = false, frame{}
	_, _ = io.WriteString(s.to, pasteOn)
	s.wake()
}

// paint writes what changed.
func (s *screen) paint() {
	s.painting.Lock()
	defer s.painting.Unlock()
	s.mu.Lock()
	out := s.compose()
	s.mu.Unlock()
	if len(out) > 0 {
		_, _ = s.to.Write(out)
	}
}

// compose makes the bytes that bring the terminal from what was drawn to what
// is to be seen.
func (s *screen) compose() []byte {
	text := s.printable()
	if s.away || len(text) == 0 && !s.clear && same(&s.drawn, &s.frame) {
		return nil
	}
	f := &s.frame
	out := append([]byte(nil), holdScreen+hideCursor+"\r"...)
	out = move(out, s.drawn.y, 'A')
	if s.clear {
		out = append(out, clearAll...)
	}
	if len(text) > 0 {
		out = append(out, eraseBelow...)
		out = append(out, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))...)
	}
	for i, row := range f.rows {
		if i > 0 {
			out = append(out, "\r\n"...)
		}
		out = append(append(out, row...), eraseRow...)
	}
	out = append(out, eraseBelow...)
	out = move(out, len(f.rows)-1-f.y, 'A')
	out = append(out, '\r')
	out = move(out, f.x, 'C')
	out = append(out, showCursor+showScreen...)
	s.drawn, s.clear = *f, false
	return out
}

// printable takes what can be printed now: whole lines, and the beginning of a
// line that does not end.
func (s *screen) printable() []byte {
	n := bytes.LastIndexByte(s.above, '\n') + 1
	if s.whole || len(s.above)-n > mostOpen {
		n = len(s.above)
	}
	if n == 0 || s.away {
		return nil
	}
	text := bytes.Clone(s.above[:n])
	if text[n-1] != '\n' {
		text = append(text, '\n')
	}
	s.above = append(s.above[:0], s.above[n:]...)
	s.room.Broadcast()
	return text
}

func same(a, b *frame) bool {
	return a.x == b.x && a.y == b.y && strings.Join(a.rows, "\n") == strings.Join(b.rows, "\n") && len(a.rows) == len(b.rows)
}

// move moves the cursor n cells, if that is any.
func move(out []byte, n int, to byte) []byte {
	if n <= 0 {
		return out
	}
	out = append(out, "\x1b["...)
	out = strconv.AppendInt(out, int64(n), 10)
	return append(out, to)
}

// row is a row of the frame that is being put together.
type row struct {
	text strings.Builder
	w, x int
}

// add puts what fits of t, cut with … where it does not.
func (r *row) add(st theme.Style, t theme.Text) {
	t = theme.Cut(t, r.w-r.x)
	r.x += theme.Width(t)
	r.text.WriteString(st.Render(t))
}
