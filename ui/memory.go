package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Memory keeps the arguments that were typed last, for each server and tool,
// and the lines typed into the console, over restarts of parley. It is state of
// the program, not of a session. Its methods may be called from commands.
type Memory struct {
	path string

	mu   sync.Mutex
	data memoryData
}

type memoryData struct {
	// Forms has what was typed, by server and, within, by operation
	// ("tools/call echo").
	Forms   map[string]map[string]json.RawMessage `json:"forms"`
	Console []string                              `json:"console,omitempty"`
}

// maxConsoleLines bounds the remembered lines of the console.
const maxConsoleLines = 500

// OpenMemory reads the file at path; one that is not there, or that cannot be
// read, is an empty memory, with the reason for the latter.
func OpenMemory(path string) (*Memory, error) {
	m := &Memory{path: path, data: memoryData{Forms: map[string]map[string]json.RawMessage{}}}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &m.data)
	}
	if m.data.Forms == nil {
		m.data.Forms = map[string]map[string]json.RawMessage{}
	}
	return m, err
}

// Form returns what was typed last into the form of an operation, nil if
// nothing was.
func (m *Memory) Form(server, operation string) []byte {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.data.Forms[server][operation]
}

// Remember keeps a form, as JSON: in memory at once, in the file by Save.
func (m *Memory) Remember(server, operation string, form []byte) {
	if m == nil || !json.Valid(form) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data.Forms[server] == nil {
		m.data.Forms[server] = map[string]json.RawMessage{}
	}
	m.data.Forms[server][operation] = append(json.RawMessage(nil), form...)
}

// Typed keeps a line of the console.
func (m *Memory) Typed(line string) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.data.Console); n > 0 && m.data.Console[n-1] == line {
		return
	}
	m.data.Console = append(m.data.Console, line)
	if over := len(m.data.Console) - maxConsoleLines; over > 0 {
		m.data.Console = append([]string(nil), m.data.Console[over:]...)
	}
}

// Console returns the remembered lines, the oldest first.
func (m *Memory) Console() []string {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.data.Console...)
}

// Save writes the file, so that a crash in between leaves the old one. Only the
// user can read it: arguments may be secrets.
func (m *Memory) Save() error {
	if m == nil {
		return nil
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false) // what was typed comes back as it was
	m.mu.Lock()
	err := enc.Encode(m.data)
	m.mu.Unlock()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(m.path), ".memory-*")
	if err != nil {
		return err
	}
	_, err = f.Write(raw.Bytes())
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), m.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
