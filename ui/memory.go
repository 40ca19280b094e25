package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unicode/utf8"

	"parley/script"
)

// Memory keeps what was typed into forms, for each server and operation, and
// the lines typed into the console, over restarts of parley. It is state of the
// program, not of a session. Several programs may use one file: each writes
// only what changed in it. Methods may be called from several goroutines; those
// of a nil Memory remember nothing.
type Memory struct {
	path string

	mu      sync.Mutex
	known   memories // as read, with what changed since
	changed memories // what has not been written
}

// memories is the content of the file.
type memories struct {
	// Forms has what was typed, by server and, within, by operation
	// ("tools/call echo").
	Forms   map[string]map[string]json.RawMessage `json:"forms"`
	Console []string                              `json:"console,omitempty"`
}

// maxConsoleLines bounds the remembered lines of the console.
const maxConsoleLines = 500

// maxConsoleLine bounds a line that is remembered, in bytes: each save writes all
// of them.
const maxConsoleLine = 64 << 10

func (d *memories) set(server, operation string, form json.RawMessage) {
	if d.Forms == nil {
		d.Forms = map[string]map[string]json.RawMessage{}
	}
	if d.Forms[server] == nil {
		d.Forms[server] = map[string]json.RawMessage{}
	}
	d.Forms[server][operation] = form
}

func (d *memories) typed(line string) {
	if n := len(d.Console); n > 0 && d.Console[n-1] == line {
		return
	}
	d.Console = append(d.Console, line)
	if over := len(d.Console) - maxConsoleLines; over > 0 {
		d.Console = append([]string(nil), d.Console[over:]...)
	}
}

// merge puts what changed over what is there.
func (d *memories) merge(changed memories) {
	for server, forms := range changed.Forms {
		for operation, form := range forms {
			d.set(server, operation, form)
		}
	}
	for _, line := range changed.Console {
		d.typed(line)
	}
}

// OpenMemory reads the file at path; one that is not there, or that cannot be
// read, is an empty memory, with the reason for the latter.
func OpenMemory(path string) (*Memory, error) {
	m := &Memory{path: path}
	var err error
	m.known, err = readMemories(path)
	return m, err
}

func readMemories(path string) (d memories, err error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &d)
	}
	return d, err
}

// Form returns what was typed last into the form of an operation, nil if
// nothing was.
func (m *Memory) Form(server, operation string) []byte {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known.Forms[server][operation]
}

// Remember keeps a form, as JSON, and reports whether that is news. Save writes
// it.
func (m *Memory) Remember(server, operation string, form []byte) bool {
	if m == nil || !json.Valid(form) {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if bytes.Equal(m.known.Forms[server][operation], form) {
		return false
	}
	form = bytes.Clone(form)
	m.known.set(server, operation, form)
	m.changed.set(server, operation, form)
	return true
}

// Typed keeps a line of the console; one that is too long, or has bytes that a JSON
// text cannot have, only until parley ends, and what a header has that it sets.
func (m *Memory) Typed(line string) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known.typed(line)
	if len(line) <= maxConsoleLine && utf8.ValidString(line) {
		m.changed.typed(script.WithoutSecrets(line))
	}
}

// Console returns the remembered lines, the oldest first.
func (m *Memory) Console() []string {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.known.Console...)
}

// Dirty reports whether there is something to write.
func (m *Memory) Dirty() bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.changed.Forms) > 0 || len(m.changed.Console) > 0
}

// Save writes what changed into the file, in one step, so that a crash in
// between leaves the old one. Only the user can read it: arguments may be
// secrets.
func (m *Memory) Save() error {
	if !m.Dirty() {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	defer lock(m.path)()
	now, err := readMemories(m.path) // what others wrote meanwhile
	if err != nil {
		now = m.known
	}
	now.merge(m.changed)
	if err := now.write(m.path); err != nil {
		return err
	}
	m.changed = memories{}
	return nil
}

// How long a lock of another program is waited for, and after what time one is
// taken for left behind: a save takes milliseconds.
const (
	lockWait  = time.Second
	lockPause = 2 * time.Millisecond
	lockStale = 10 * time.Second
)

// lock keeps other programs from reading and writing a file at the same time, until
// unlock is called. It is for what should not be lost, not for what must not be: it
// gives up in the end.
func lock(path string) (unlock func()) {
	name := path + ".lock"
	_ = os.MkdirAll(filepath.Dir(path), 0o700)
	for waited := time.Duration(0); waited < lockWait; waited += lockPause {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			_ = f.Close()
			return func() { _ = os.Remove(name) }
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > lockStale {
			_ = os.Remove(name)
			continue
		}
		time.Sleep(lockPause)
	}
	return func() {}
}

func (d *memories) write(path string) error {
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false) // what was typed comes back as it was
	if err := enc.Encode(d); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".memory-*")
	if err != nil {
		return err
	}
	_, err = f.Write(raw.Bytes())
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
