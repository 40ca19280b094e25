package history

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"parley/client/wire"
)

// clock gives times a millisecond apart.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.Date(2026, 11, 20, 9, 38, 50, 339_000_000, time.UTC)} }

func (c *clock) now() time.Time {
	c.at = c.at.Add(1_001_204 * time.Nanosecond)
	return c.at
}

// memFile is a File in memory that can fail.
type memFile struct {
	mu     sync.Mutex
	b      []byte
	writes [][]byte
	room   int // bytes it takes until it is full; -1: no limit
}

var errFull = errors.New("no space left on device")

func newMemFile() *memFile { return &memFile{room: -1} }

func (f *memFile) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(p)
	if f.room >= 0 && n > f.room {
		n = f.room
	}
	f.b = append(f.b, p[:n]...)
	f.writes = append(f.writes, bytes.Clone(p[:n]))
	if f.room >= 0 {
		f.room -= n
	}
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if off >= int64(len(f.b)) {
		return 0, io.EOF
	}
	n := copy(p, f.b[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memFile) Close() error { return nil }

func (f *memFile) setRoom(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.room = n
}

// scripted is a frame as a test writes it; the head is scanned.
func scripted(dir wire.Dir, raw string) wire.Frame {
	f := wire.Frame{Dir: dir, Raw: []byte(raw), Size: int64(len(raw)), Head: wire.Scan([]byte(raw))}
	if !f.Head.Form.IsMessage() {
		f.Kind = wire.Stray
	}
	if dir == wire.Out {
		f.By = wire.ByAuto
	}
	return f
}

func sent(raw string) wire.Frame     { return scripted(wire.Out, raw) }
func received(raw string) wire.Frame { return scripted(wire.In, raw) }

func event(raw string) wire.Frame {
	return wire.Frame{Kind: wire.Event, Raw: []byte(raw), Size: int64(len(raw))}
}

func stderrLine(raw string) wire.Frame {
	return wire.Frame{Dir: wire.In, Kind: wire.Stderr, Raw: []byte(raw), Size: int64(len(raw))}
}

// inParts cuts a frame, as the reader of a connection does.
func inParts(f wire.Frame, sizes ...int) []wire.Frame {
	var list []wire.Frame
	var scan wire.Scanner
	raw, done := f.Raw, 0
	for i := 0; done < len(raw) || i == 0; i++ {
		n := len(raw) - done
		if i < len(sizes) {
			n = min(n, sizes[i])
		}
		p := f
		p.Raw = raw[done : done+n]
		scan.Write(p.Raw)
		done += n
		p.Size, p.More = int64(done), done < len(raw)
		p.Head = scan.Head()
		if p.More {
			p.Head, p.Kind, p.EOL = scan.Partial(), wire.Message, wire.EOLLF
			if p.Head.Form == wire.Garbage {
				p.Kind = wire.Stray
			}
		}
		list = append(list, p)
	}
	return list
}

// record makes a log in memory with the frames, one Append each.
func record(t testing.TB, frames ...wire.Frame) (*Log, *memFile) {
	t.Helper()
	file, c := newMemFile(), newClock()
	l, err := Create(Options{File: file, Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		f.Time = c.now()
		l.Append([]wire.Frame{f})
	}
	return l, file
}

// write puts text into a file and returns its path.
func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a file with the text.
func open(t testing.TB, text string) *Log {
	t.Helper()
	l, err := Open(write(t, text))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// same fails the test unless both logs say the same of all frames.
func same(t testing.TB, live, reopened *Log) {
	t.Helper()
	if live.Len() != reopened.Len() {
		t.Fatalf("%d frames live, %d reopened", live.Len(), reopened.Len())
	}
	for seq := uint64(1); seq <= live.Len(); seq++ {
		a, ok1 := live.Record(seq)
		b, ok2 := reopened.Record(seq)
		a.index, b.index = nil, nil
		if a != b || ok1 != ok2 {
			t.Errorf("frame %d\nlive     %+v\nreopened %+v", seq, a, b)
		}
		raw, err1 := live.Bytes(seq, 0, -1)
		again, err2 := reopened.Bytes(seq, 0, -1)
		if err1 != nil || err2 != nil || !bytes.Equal(raw, again) {
			t.Errorf("frame %d\nlive     %q %v\nreopened %q %v", seq, raw, err1, again, err2)
		}
	}
}
