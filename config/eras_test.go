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
	look := func(server, want string) {
		t.Helper()
		if got, err := m.Lookup(server); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", server, got, err, want)
		}
	}
	remember := func(server, era string) {
		t.Helper()
		if err := m.Remember(server, era); err != nil {
			t.Fatal(err)
		}
	}
	look("h", "")
	remember("h", "modern")
	remember("i", "modern")
	remember("h", "legacy")
	look("h", "legacy")
	look("i", "modern")
	remember("h", "modern")
	look("h", "modern")
	if info, err := os.Stat(m.path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info, err)
	}
	for i := range maxEras {
		remember(fmt.Sprint("s", i), "legacy")
	}
	look("h", "")
	look("s0", "legacy")
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
		if got, err := m.Lookup("s"); got != "" || err == nil {
			t.Errorf("%q: %q, %v", content, got, err)
		}
	}
	write(t, m.path, `{"eras":[{"server":"s","era":"stone"},{"url":"http://h","era":"modern"}]}`)
	if got, err := m.Lookup(""); got != "" || err != nil {
		t.Errorf("no server: %q, %v", got, err)
	}
	if got, err := m.Lookup("s"); got != "" || err != nil {
		t.Errorf("an era that there is not: %q, %v", got, err)
	}
	write(t, m.path, "{")
	if err := m.Remember("s", "modern"); err != nil {
		t.Fatal(err)
	}
	if got, err := m.Lookup("s"); got != "modern" || err != nil {
		t.Errorf("replaced: %q, %v", got, err)
	}
}
