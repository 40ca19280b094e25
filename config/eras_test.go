package config

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestErasAreRemembered(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	m, err := OpenEras()
	if err != nil {
		t.Fatal(err)
	}
	look := func(server, url, want string) {
		t.Helper()
		if got, err := m.Lookup(server, url); got != want || err != nil {
			t.Errorf("%q, %q: %q, %v, want %q", server, url, got, err, want)
		}
	}
	remember := func(server, url, era string) {
		t.Helper()
		if err := m.Remember(server, url, era); err != nil {
			t.Fatal(err)
		}
	}
	look("", "http://h/mcp", "")
	remember("", "http://h/mcp", "modern")
	look("", "http://h/mcp", "modern")
	look("h", "http://h/mcp", "")
	remember("h", "http://h/mcp", "legacy")
	look("h", "http://elsewhere", "legacy")
	look("", "http://h/mcp", "modern")
	remember("h", "", "modern")
	look("h", "", "modern")
	if info, err := os.Stat(m.path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info, err)
	}
	for i := range maxEras {
		remember(fmt.Sprint("s", i), "", "legacy")
	}
	look("h", "", "")
	look("s0", "", "legacy")
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(m.path), "*")); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}

func TestAMemoryOfErasThatIsBroken(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	m, err := OpenEras()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"", "{", `{"eras":{}}`, "\x00"} {
		write(t, m.path, content)
		if got, err := m.Lookup("s", ""); got != "" || err == nil {
			t.Errorf("%q: %q, %v", content, got, err)
		}
	}
	write(t, m.path, `{"eras":[{"server":"s","era":"stone"},{"server":"t","era":"modern"}]}`)
	if got, err := m.Lookup("s", ""); got != "" || err != nil {
		t.Errorf("an era that there is not: %q, %v", got, err)
	}
	write(t, m.path, "{")
	if err := m.Remember("s", "", "modern"); err != nil {
		t.Fatal(err)
	}
	if got, err := m.Lookup("s", ""); got != "modern" || err != nil {
		t.Errorf("replaced: %q, %v", got, err)
	}
}
