package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// writes counts the writes that reach a stream.
type writes struct {
	screen
	n atomic.Int32
}

func (w *writes) Write(p []byte) (int, error) {
	w.n.Add(1)
	return w.screen.Write(p)
}

func TestGatheredOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out, err writes
		s := Streams{Out: &out, Err: &err}
		end := s.gather()
		for range 1000 {
			_, _ = io.WriteString(s.Out, "done\n")
		}
		if out.n.Load() != 0 {
			t.Errorf("%d writes at once", out.n.Load())
		}
		time.Sleep(gatherTime)
		synctest.Wait()
		if out.n.Load() != 1 || out.take() != strings.Repeat("done\n", 1000) {
			t.Errorf("%d writes after a moment", out.n.Load())
		}
		_, _ = s.Out.Write(bytes.Repeat([]byte("x"), gatherSize))
		if out.n.Load() != 2 || len(out.take()) != gatherSize {
			t.Errorf("much is not written at once")
		}
		_, _ = io.WriteString(s.Err, "failed\n")
		_, _ = io.WriteString(s.Out, "the end")
		end()
		if s.Out != &out || s.Err != &err || out.take() != "the end" || err.take() != "failed\n" {
			t.Error("something is left at the end")
		}
	})
}

// Where both streams are one file their order stays.
func TestGatheredOutputInOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = f.Close(), other.Close() }()
	s := Streams{Out: &outlet{w: f}, Err: other}
	end := s.gather()
	want := ""
	for range 3 {
		_, _ = io.WriteString(s.Out, "done\n")
		_, _ = io.WriteString(s.Err, "ok  1  call\n")
		want += "done\nok  1  call\n"
	}
	end()
	if got, err := os.ReadFile(path); string(got) != want || err != nil {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if sameFile(io.Discard, f) || sameFile(&bytes.Buffer{}, &bytes.Buffer{}) || !sameFile(f, f) {
		t.Error("what is one file?")
	}
}

// Nothing waits where somebody looks on.
func TestTerminalsAreNotGathered(t *testing.T) {
	var out, err writes
	s := Streams{Out: &out, Err: &err, OutTTY: true, ErrTTY: true}
	defer s.gather()()
	_, _ = io.WriteString(s.Out, "a")
	_, _ = io.WriteString(s.Err, "b")
	if out.n.Load() != 1 || err.n.Load() != 1 {
		t.Errorf("%d and %d writes, want one each", out.n.Load(), err.n.Load())
	}
}
