package history

import (
	"os"
	"path/filepath"
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
	if list, err := Sessions(filepath.Join(dir, "nothing")); list != nil || err != nil {
		t.Error(list, err)
	}
	if _, err := Sessions(newer.Path); err == nil {
		t.Error("a file was listed")
	}
}
