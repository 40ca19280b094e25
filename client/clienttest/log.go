package clienttest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/client/wire"
)

// Log is a [wire.Sink] that keeps everything in memory. Its zero value is
// ready. A frame that arrives in parts is one frame here: it grows, and has
// More set until its last part came.
type Log struct {
	mu      sync.Mutex
	frames  []wire.Frame
	appends int
	changed chan struct{}
}

// Append implements [wire.Sink].
func (l *Log) Append(frames []wire.Frame) (first uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range frames {
		f := &frames[i]
		if f.Seq != 0 {
			l.extend(f)
			continue
		}
		f.Seq = uint64(len(l.frames) + 1)
		if first == 0 {
			first = f.Seq
		}
		kept := *f
		kept.Raw = slices.Clone(f.Raw)
		l.frames = append(l.frames, kept)
	}
	l.appends++
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
	return first
}

// extend adds a part to its frame. Broken promises of the one who appends are
// panics: they are bugs.
func (l *Log) extend(part *wire.Frame) {
	if part.Seq > uint64(len(l.frames)) || !l.frames[part.Seq-1].More {
		panic(fmt.Sprintf("part of frame %d, which is not open", part.Seq))
	}
	f := &l.frames[part.Seq-1]
	raw, time := f.Raw, f.Time
	raw = append(raw, part.Raw...)
	*f = *part
	f.Raw, f.Time = raw, time
	if f.Size != int64(len(raw)) {
		panic(fmt.Sprintf("frame %d has %d bytes and says %d", f.Seq, len(raw), f.Size))
	}
}

// Frames returns the frames so far.
func (l *Log) Frames() []wire.Frame {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.frames)
}

// Appends is how often Append was called.
func (l *Log) Appends() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.appends
}

// Bytes returns n bytes of a frame from off on, fewer where it ends; a negative
// n means all the rest.
func (l *Log) Bytes(seq uint64, off int64, n int) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if seq == 0 || seq > uint64(len(l.frames)) {
		return nil, fmt.Errorf("no frame %d", seq)
	}
	raw := l.frames[seq-1].Raw
	if off < 0 || off > int64(len(raw)) {
		return nil, fmt.Errorf("frame %d has %d bytes: no offset %d", seq, len(raw), off)
	}
	raw = raw[off:]
	if n >= 0 && n < len(raw) {
		raw = raw[:n]
	}
	return slices.Clone(raw), nil
}

// Wait returns nil as soon as ok is true of the frames, which it looks at after
// every Append; ok must not keep them. If ctx ends first, the error shows the
// last frames.
func (l *Log) Wait(ctx context.Context, ok func(frames []wire.Frame) bool) error {
	for {
		l.mu.Lock()
		if ok(l.frames) {
			l.mu.Unlock()
			return nil
		}
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		changed := l.changed
		l.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("waiting for frames: %w, they end in:\n%s", ctx.Err(), l.text(20))
		}
	}
}

// WaitFor waits for a frame that ok is true of and returns it.
func (l *Log) WaitFor(ctx context.Context, ok func(f *wire.Frame) bool) (wire.Frame, error) {
	var found wire.Frame
	next := 0 // frames before it do not match and have all their parts
	err := l.Wait(ctx, func(frames []wire.Frame) bool {
		for i := next; i < len(frames); i++ {
			if f := &frames[i]; !f.More && ok(f) {
				found = *f
				found.Raw = slices.Clone(f.Raw)
				return true
			}
			if i == next && !frames[i].More {
				next++
			}
		}
		return false
	})
	return found, err
}

// String shows the frames, one a line: number, direction, kind if it is no
// message, ending if it is no newline, and the bytes, cut to 200.
func (l *Log) String() string { return l.text(-1) }

// text is String of the last n frames, of all for a negative n.
func (l *Log) text(n int) string {
	frames := l.Frames()
	if n >= 0 && len(frames) > n {
		frames = frames[len(frames)-n:]
	}
	var b strings.Builder
	for i := range frames {
		f := &frames[i]
		fmt.Fprintf(&b, "%d %1s", f.Seq, f.Dir)
		if f.Kind != wire.Message {
			fmt.Fprintf(&b, " %s", f.Kind)
		}
		if f.EOL != wire.EOLLF {
			fmt.Fprintf(&b, " %s", f.EOL)
		}
		raw := f.Raw
		if len(raw) > 200 {
			raw = raw[:200]
		}
		fmt.Fprintf(&b, " %s", raw)
		if len(raw) < len(f.Raw) {
			fmt.Fprintf(&b, "… (%d bytes)", f.Size)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
