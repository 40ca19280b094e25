package history

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/client/wire"
)

func TestCreateNamesAndModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "sessions")
	c := func() time.Time { return time.Date(2026, 11, 20, 9, 38, 50, 0, time.FixedZone("", 3600)) }
	var paths []string
	for range 3 {
		l, err := Create(Options{Dir: dir, Now: c, Header: Header{Target: Target{Command: []string{"/usr/bin/node", "x.js"}}}})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		paths = append(paths, filepath.Base(l.Path()))
	}
	want := fmt.Sprintf("20261120T083850Z-node-%d.jsonl", os.Getpid())
	if paths[0] != want || paths[2] != strings.TrimSuffix(want, ".jsonl")+"-3.jsonl" {
		t.Errorf("%q", paths)
	}
	if runtime.GOOS != "windows" {
		file, _ := os.Stat(filepath.Join(dir, paths[0]))
		of, _ := os.Stat(dir)
		if file.Mode().Perm() != 0o600 || of.Mode().Perm() != 0o700 {
			t.Errorf("modes %v in %v", file.Mode(), of.Mode())
		}
	}
	explicit := filepath.Join(dir, "mine")
	l, err := Create(Options{Path: explicit})
	if err != nil || l.Path() != explicit {
		t.Fatal(l, err)
	}
	_ = l.Close()
	if _, err := Create(Options{Path: explicit}); err == nil {
		t.Error("a recording wrote over another")
	}
	if _, err := Create(Options{}); err == nil {
		t.Error("no place to record to")
	}
}

func TestSafeName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"weather", "weather"}, {"../../etc/passwd", "etc-passwd"}, {"a b\tc:\\d", "a-b-c-d"}, {"天气", "天气"},
		{"", "session"}, {"...", "session"}, {"@scope/server-x", "scope-server-x"}, {"a\xff\x00b", "a-b"},
		{strings.Repeat("天", 40), strings.Repeat("天", 20)},
	} {
		if got := safeName(c.name); got != c.want {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		of   Target
		want string
	}{
		{Target{Name: "n", URL: "http://x"}, "n"}, {Target{URL: "https://mcp.example.com:8080/mcp"}, "mcp.example.com:8080"},
		{Target{Command: []string{`C:\bin\node.exe`}}, "node.exe"}, {Target{}, "session"},
	} {
		if got := targetName(&c.of); got != c.want {
			t.Errorf("%v: got %q, want %q", c.of, got, c.want)
		}
	}
}

func TestSpoolLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	l, err := Create(Options{Spool: true})
	if err != nil {
		t.Fatal(err)
	}
	l.Append([]wire.Frame{received(`{"jsonrpc":"2.0","id":1,"result":{}}`)})
	if raw, err := l.Bytes(1, 0, -1); err != nil || len(raw) == 0 {
		t.Error(raw, err)
	}
	if l.Path() != "" {
		t.Errorf("path %q", l.Path())
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
