package history

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/client/wire"
)

func TestSessions(t *testing.T) {
	dir := t.TempDir()
	start := newClock().at
	for i, name := range []string{"older", "newer-one"} {
		at := start.Add(time.Duration(i) * time.Hour)
		l, err := Create(Options{Dir: dir, Name: name, Now: func() time.Time { return at }, Header: Header{Client: "c", Target: Target{Command: []string{"x", name}}}})
		if err != nil {
			t.Fatal(err)
		}
		for j := range 3 {
			f := stderrLine(strings.Repeat("x", 2000))
			f.Time = at.Add(time.Duration(j) * time.Second)
			l.Append([]wire.Frame{f})
		}
		l.Append([]wire.Frame{{Time: at.Add(time.Minute), Kind: wire.Stderr, Raw: make([]byte, 10*tailLen)}})
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"broken.jsonl": "hello\n", "notes.txt": head} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := start.Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "broken.jsonl"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "dir.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	list, err := Sessions(dir)
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	newer := list[0]
	if newer.Name != "newer-one" || newer.Frames != 4 || newer.Target.String() != "x newer-one" || newer.Client != "c" || newer.Problem != "" {
		t.Errorf("%+v", newer)
	}
	if want := start.Add(time.Hour); !newer.Started.Equal(want) || !newer.Ended.Equal(want.Add(time.Minute)) {
		t.Errorf("from %v to %v", newer.Started, newer.Ended)
	}
	if stat, err := os.Stat(newer.Path); err != nil || stat.Size() != newer.Size {
		t.Errorf("%+v %v", newer, err)
	}
	if list[1].Name != "older" || list[2].Name != "broken" || list[2].Problem == "" {
		t.Errorf("%+v", list[1:])
	}
	for n, want := range []string{"", "newer-one", "newer-one older", "newer-one older broken", "newer-one older broken"} {
		var got []string
		newest, err := Newest(dir, n)
		for _, s := range newest {
			got = append(got, s.Name)
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("the newest %d are %q, want %q (%v)", n, got, want, err)
		}
	}
	if list, err := Sessions(filepath.Join(dir, "nothing")); list != nil || err != nil {
		t.Error(list, err)
	}
	if _, err := Sessions(newer.Path); err == nil {
		t.Error("a file was listed")
	}
}

// Of recordings that began in the same second the newest is not left out.
func TestNewestWithinASecond(t *testing.T) {
	dir := t.TempDir()
	start := newClock().at
	for i, name := range []string{"c", "a", "b"} {
		at := start.Add(time.Duration(i) * time.Millisecond)
		l, err := Create(Options{Dir: dir, Name: name, Now: func() time.Time { return at }})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := Newest(dir, 1); err != nil || len(list) != 1 || list[0].Name != "b" {
		t.Errorf("%+v, %v", list, err)
	}
}

func BenchmarkSessions(b *testing.B) {
	dir := b.TempDir()
	for i := range 5000 {
		at := newClock().at.Add(time.Duration(i) * time.Minute)
		l, err := Create(Options{Dir: dir, Name: "x", Now: func() time.Time { return at }})
		if err != nil {
			b.Fatal(err)
		}
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
	for _, n := range []int{50, 5000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if list, err := Newest(dir, n); err != nil || len(list) != n {
					b.Fatal(len(list), err)
				}
			}
		})
	}
}
