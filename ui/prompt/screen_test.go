package prompt

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/ui/theme"
)

func plainFrame(x, y int, rows ...string) frame {
	f := frame{x: x, y: y}
	for _, r := range rows {
		f.rows, f.wide = append(f.rows, r), append(f.wide, theme.Width(theme.Text(r)))
	}
	return f
}

// folded is a line on a terminal of some width.
func folded(line string, w int) (rows []string) {
	for len(line) > w {
		rows, line = append(rows, line[:w]), line[w:]
	}
	return append(rows, line)
}

// Whatever is printed and whatever the frame becomes, what was printed stands
// there once and whole, and the frame below it.
func TestNothingIsTornOrLost(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		w, h := 8+r.IntN(30), 4+r.IntN(12)
		v := newTTY(t, w, h)
		s := newScreen(v)
		s.resize(w)
		var printed []string
		var f frame
		for step := range 60 {
			for range r.IntN(4) * r.IntN(9) {
				line := fmt.Sprint(step, strings.Repeat("x", r.IntN(3*w)), ".")
				if r.IntN(6) == 0 {
					line = strings.Repeat("y", w*(1+r.IntN(2))) // ends at the edge
				}
				printed = append(printed, folded(line, w)...)
				_, _ = s.Write([]byte(line + "\n"))
			}
			var rows []string
			for i := range 1 + r.IntN(h-1) {
				rows = append(rows, fmt.Sprint(i, strings.Repeat("f", r.IntN(w-3))))
			}
			f = plainFrame(r.IntN(w-1), r.IntN(len(rows)), rows...)
			s.show(f)
			_, _ = v.Write(s.compose())
		}
		want := slices.Concat(printed, f.rows)
		if got := v.lines(); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("seed %d, %dx%d: got\n%s\nwant\n%s", seed, w, h, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if got := [2]int{v.x, v.y - (len(want) - len(f.rows))}; got != [2]int{f.x, f.y} || v.hide {
			t.Fatalf("seed %d: the cursor is at %v of the frame, want %d %d", seed, got, f.x, f.y)
		}
	}
}

func TestFramesThatAreTheSameCostNothing(t *testing.T) {
	s := newScreen(io.Discard)
	s.show(plainFrame(1, 0, "a"))
	if len(s.compose()) == 0 {
		t.Error("the first frame is not drawn")
	}
	s.show(plainFrame(1, 0, "a"))
	if out := s.compose(); len(out) != 0 {
		t.Errorf("the same frame again costs %q", out)
	}
	s.show(plainFrame(0, 0, "a"))
	if out := s.compose(); bytes.Contains(out, []byte(eraseBelow)) && !bytes.HasPrefix(out[len(holdScreen+hideCursor):], []byte("\ra")) {
		t.Errorf("a row is erased before it is drawn: %q", out)
	}
}

func TestALineWithoutEndWaits(t *testing.T) {
	v := newTTY(t, 20, 5)
	s := newScreen(v)
	s.show(plainFrame(0, 0, "› "))
	_, _ = s.Write([]byte("one\ntw"))
	_, _ = v.Write(s.compose())
	if got := v.lines(); len(got) != 2 || got[0] != "one" {
		t.Errorf("got %q", got)
	}
	_, _ = s.Write([]byte("o"))
	s.finish()
	_, _ = v.Write(s.compose())
	if got := v.lines(); len(got) != 3 || got[1] != "two" {
		t.Errorf("got %q", got)
	}
	_, _ = s.Write(bytes.Repeat([]byte("z"), mostOpen+1))
	if len(s.compose()) < mostOpen {
		t.Error("a line without end is held back for ever")
	}
}

func TestNarrowerTerminalsFoldTheFrame(t *testing.T) {
	s := newScreen(io.Discard)
	s.resize(40)
	s.show(plainFrame(2, 1, strings.Repeat("a", 35), "bb"))
	s.compose()
	s.resize(20) // the terminal made two rows of the first one
	s.show(plainFrame(0, 0, "c"))
	if out := string(s.compose()); !strings.Contains(out, "\r\x1b[2A") {
		t.Errorf("the frame is not drawn where it begins: %q", out)
	}
}

func TestClearAndLeave(t *testing.T) {
	v := newTTY(t, 20, 5)
	s := newScreen(v)
	_, _ = s.Write([]byte("one\n"))
	s.show(plainFrame(2, 0, "› ab"))
	s.paint()
	s.clearScreen()
	s.paint()
	if got := v.lines(); len(got) != 1 || got[0] != "› ab" {
		t.Errorf("after clearing: %q", got)
	}
	s.leave()
	_, _ = s.Write([]byte("two\n"))
	s.paint()
	if got := v.lines(); len(got) != 0 {
		t.Errorf("while the terminal is not ours: %q", got)
	}
	s.enter()
	s.paint()
	if got := v.lines(); len(got) != 2 || got[0] != "two" || got[1] != "› ab" {
		t.Errorf("back again: %q", got)
	}
}

// A writer waits while the terminal takes nothing, and is let go at the end.
func TestWritersWaitForTheTerminal(t *testing.T) {
	pipe, out := io.Pipe()
	s := newScreen(out)
	go s.run()
	line := append(bytes.Repeat([]byte("x"), 1<<10), '\n')
	const lines = 4 << 10
	var writing sync.WaitGroup
	writing.Go(func() {
		for range lines {
			_, _ = s.Write(line)
		}
		s.end()
		_ = out.Close()
	})
	all, err := io.ReadAll(pipe)
	writing.Wait()
	if n := bytes.Count(all, []byte("\r\n")); err != nil || n != lines {
		t.Errorf("%d lines came, %v, want %d", n, err, lines)
	}
	if !bytes.HasPrefix(all, []byte(pasteOn)) || !bytes.HasSuffix(all, []byte(pasteOff+showCursor)) {
		t.Errorf("modes: begins %.20q, ends %q", all, all[max(0, len(all)-20):])
	}
}
