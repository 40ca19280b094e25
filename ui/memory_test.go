package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func openMemory(t *testing.T, path string) *Memory {
	t.Helper()
	m, err := OpenMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMemoryComesBackAsItWasTyped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "memory.json")
	m := openMemory(t, path)
	const form = `{"values":{"a":{"State":2,"Text":"<1.0> & 9007199254740993"}}}`
	if !m.Remember("weather", "tools/call x", []byte(form)) || m.Remember("weather", "tools/call x", []byte(form)) {
		t.Error("news is what was not known before")
	}
	m.Typed(`{"id":1}`)
	m.Typed(`{"id":1}`)
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	if m.Dirty() {
		t.Error("dirty after it was saved")
	}
	again := openMemory(t, path)
	if got := string(again.Form("weather", "tools/call x")); got != form {
		t.Errorf("came back as %s", got)
	}
	if got := again.Console(); !slices.Equal(got, []string{`{"id":1}`}) {
		t.Errorf("console %q", got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}

func TestTwoProgramsKeepEachOthersMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	a, b := openMemory(t, path), openMemory(t, path)
	a.Remember("s", "tools/call a", []byte(`{"a":1}`))
	b.Remember("s", "tools/call b", []byte(`{"b":2}`))
	for _, m := range []*Memory{a, b} {
		if err := m.Save(); err != nil {
			t.Fatal(err)
		}
	}
	c := openMemory(t, path)
	if c.Form("s", "tools/call a") == nil || c.Form("s", "tools/call b") == nil {
		t.Error("one of the two was lost")
	}
}

func TestBrokenMemoryIsSaidAndReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	if err := os.WriteFile(path, []byte("{torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := OpenMemory(path)
	if err == nil {
		t.Error("a broken file was read without a word")
	}
	m.Remember("s", "tools/call a", []byte(`{}`))
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	if openMemory(t, path).Form("s", "tools/call a") == nil {
		t.Error("not saved")
	}
}

func TestProgramsThatSaveAtOnceLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	const programs, lines = 4, 25
	var all sync.WaitGroup
	for p := range programs {
		m := openMemory(t, path)
		all.Go(func() {
			for l := range lines {
				m.Typed(fmt.Sprintf("echo %d of %d", l, p))
				if err := m.Save(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := len(openMemory(t, path).Console()); got != programs*lines {
		t.Errorf("%d of %d lines were kept", got, programs*lines)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("files are left: %q", left)
	}
}

func TestALockThatWasLeftDoesNotHoldUpForLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	writeFile(t, path+".lock", "")
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(path+".lock", old, old); err != nil {
		t.Fatal(err)
	}
	m := openMemory(t, path)
	m.Typed("tools")
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	if got := openMemory(t, path).Console(); len(got) != 1 {
		t.Errorf("kept %q", got)
	}
	if _, err := os.Stat(path + ".lock"); err == nil {
		t.Error("the lock is still there")
	}
}

func TestWhatCannotComeBackAsItWasIsNotRemembered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.json")
	m := openMemory(t, path)
	for _, line := range []string{"raw \xff", "raw " + strings.Repeat("x", maxConsoleLine), "raw \x1b[31m天"} {
		m.Typed(line)
	}
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	if got := openMemory(t, path).Console(); len(got) != 1 || got[0] != "raw \x1b[31m天" {
		t.Errorf("kept %.80q", got)
	}
}
