package clienttest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/client/clienttest"
	"parley/client/wire"
)

func frame(text string) wire.Frame {
	return wire.Frame{Dir: wire.In, Raw: []byte(text), Size: int64(len(text))}
}

func TestLogNumbersAndJoins(t *testing.T) {
	var l clienttest.Log
	batch := []wire.Frame{frame("a"), {Dir: wire.In, Raw: []byte("part"), Size: 4, More: true}}
	if first := l.Append(batch); first != 1 || batch[1].Seq != 2 {
		t.Errorf("first %d, second %d", first, batch[1].Seq)
	}
	copy(batch[0].Raw, "z") // the sender's buffer, used again
	other := []wire.Frame{frame("b")}
	l.Append(other)
	rest := []wire.Frame{{Seq: 2, Dir: wire.In, Kind: wire.Stray, Raw: []byte("ial"), Size: 7}}
	if first := l.Append(rest); first != 0 {
		t.Errorf("a part got the number %d", first)
	}
	frames := l.Frames()
	if len(frames) != 3 || string(frames[0].Raw) != "a" || string(frames[1].Raw) != "partial" || frames[1].More || frames[1].Kind != wire.Stray {
		t.Errorf("frames\n%s", &l)
	}
	if l.Appends() != 3 {
		t.Errorf("%d Appends", l.Appends())
	}
}

func TestLogBytes(t *testing.T) {
	var l clienttest.Log
	l.Append([]wire.Frame{frame("abcdef")})
	for _, c := range []struct {
		seq  uint64
		off  int64
		n    int
		want string
		ok   bool
	}{
		{1, 0, -1, "abcdef", true}, {1, 2, 2, "cd", true}, {1, 4, 9, "ef", true}, {1, 6, 1, "", true},
		{1, 7, 1, "", false}, {1, -1, 1, "", false}, {0, 0, 1, "", false}, {2, 0, 1, "", false},
	} {
		got, err := l.Bytes(c.seq, c.off, c.n)
		if string(got) != c.want || (err == nil) != c.ok {
			t.Errorf("Bytes(%d, %d, %d) = %q, %v", c.seq, c.off, c.n, got, err)
		}
	}
}

func TestLogWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l clienttest.Log
		go func() {
			for _, text := range []string{"a", "b", "c"} {
				time.Sleep(time.Second)
				l.Append([]wire.Frame{frame(text)})
			}
		}()
		f, err := l.WaitFor(t.Context(), func(f *wire.Frame) bool { return string(f.Raw) == "b" })
		if err != nil || f.Seq != 2 {
			t.Errorf("frame %d, %v", f.Seq, err)
		}
		if err := l.Wait(t.Context(), func(frames []wire.Frame) bool { return len(frames) == 3 }); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err = l.Wait(ctx, func([]wire.Frame) bool { return false })
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "3 < c\n") {
			t.Errorf("error %v", err)
		}
	})
}

func TestLogString(t *testing.T) {
	var l clienttest.Log
	long := frame(strings.Repeat("x", 300))
	long.Kind, long.EOL = wire.Stderr, wire.EOLCRLF
	l.Append([]wire.Frame{{Kind: wire.Event, Raw: []byte("{}")}, long})
	want := "1   event {}\n2 < stderr crlf " + strings.Repeat("x", 200) + "… (300 bytes)\n"
	if got := l.String(); got != want {
		t.Errorf("got %q", got)
	}
}
