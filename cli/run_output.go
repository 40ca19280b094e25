package cli

import (
	"io"
	"os"
	"sync"
	"time"
)

// gathered makes few writes of many small ones: what a script prints is written
// after a moment, or when much has come together. An error of writing is not told
// to who wrote, but kept by the outlet below.
type gathered struct {
	w io.Writer

	mu    sync.Mutex
	b     []byte
	clock *time.Timer // runs while something waits
}

// A run shows what it printed after this time at the latest.
const (
	gatherTime = 20 * time.Millisecond
	gatherSize = 32 << 10
)

func (g *gathered) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.b) == 0 {
		g.wait()
	}
	g.b = append(g.b, p...)
	if len(g.b) >= gatherSize {
		g.write()
	}
	return len(p), nil
}

// wait starts the clock, with mu held.
func (g *gathered) wait() {
	if g.clock == nil {
		g.clock = time.AfterFunc(gatherTime, g.flush)
		return
	}
	g.clock.Reset(gatherTime)
}

// write writes what waits, with mu held.
func (g *gathered) write() {
	g.clock.Stop()
	_, _ = g.w.Write(g.b)
	g.b = g.b[:0]
}

func (g *gathered) flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.b) > 0 {
		g.write()
	}
}

// gather puts such writers before the streams that are no terminals. Where both go
// to one file they stay in order. The function writes what waits and takes them
// away again.
func (s *Streams) gather() (flush func()) {
	before := *s
	var all []*gathered
	add := func(w io.Writer) *gathered {
		g := &gathered{w: w}
		all = append(all, g)
		return g
	}
	switch {
	case !s.OutTTY && !s.ErrTTY && sameFile(s.Out, s.Err):
		g := add(s.Out)
		s.Out, s.Err = g, g
	default:
		if !s.OutTTY {
			s.Out = add(s.Out)
		}
		if !s.ErrTTY {
			s.Err = add(s.Err)
		}
	}
	return func() {
		for _, g := range all {
			g.flush()
		}
		s.Out, s.Err = before.Out, before.Err
	}
}

// sameFile reports whether two streams end in one file, pipe or other thing.
func sameFile(a, b io.Writer) bool {
	if o, ok := a.(*outlet); ok {
		a = o.w
	}
	if a == b {
		return true
	}
	x, isFile := a.(*os.File)
	y, too := b.(*os.File)
	if !isFile || !too {
		return false
	}
	xs, err := x.Stat()
	if err != nil {
		return false
	}
	ys, err := y.Stat()
	return err == nil && os.SameFile(xs, ys)
}
