package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// maxEras is how many servers are remembered; the ones that were met longest ago are
// forgotten first.
const maxEras = 256

// maxErasFile bounds what is read, in bytes: no file of ours is larger.
const maxErasFile = 1 << 20

// Eras remembers how configured servers speak that were asked once: a file in
// [StateDir], readable by its owner only. Several programs may use it at once; the last to write
// wins.
type Eras struct{ path string }

// EraEntry is what is remembered of a server.
type EraEntry struct {
	Server string `json:"server"` // its configured name
	Era    string `json:"era"`    // "legacy" or "modern"
}

// OpenEras gives the memory below StateDir.
func OpenEras() (Eras, error) {
	dir, err := StateDir()
	return Eras{filepath.Join(dir, "eras.json")}, err
}

// Lookup finds what is remembered of a server by its name; "" if nothing is. A file that cannot be read is an error, and remembers nothing.
func (m Eras) Lookup(server string) (era string, err error) {
	entries, err := m.read()
	if i := indexEra(entries, server); i >= 0 {
		return entries[i].Era, err
	}
	return "", err
}

// Remember keeps the era of a server; the file is written whole or not at all. A
// file that cannot be read is replaced.
func (m Eras) Remember(server, era string) error {
	entries, _ := m.read()
	if i := indexEra(entries, server); i >= 0 {
		entries = slices.Delete(entries, i, i+1)
	}
	entries = append(entries, EraEntry{Server: server, Era: era})
	entries = entries[max(0, len(entries)-maxEras):]
	content, err := json.MarshalIndent(map[string]any{"eras": entries}, "", "  ")
	if err != nil {
		return err
	}
	return replace(m.path, append(content, '\n'))
}

func indexEra(entries []EraEntry, server string) int {
	return slices.IndexFunc(entries, func(e EraEntry) bool { return e.Server == server })
}

func (m Eras) read() ([]EraEntry, error) {
	info, err := os.Stat(m.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var content []byte
	switch {
	case err == nil && info.Size() > maxErasFile:
		err = errors.New("it is too large to be of parley")
	case err == nil:
		content, err = os.ReadFile(m.path)
	}
	var file struct{ Eras []EraEntry }
	if err == nil {
		err = json.Unmarshal(content, &file)
	}
	if err != nil {
		return nil, fmt.Errorf("what is remembered of servers is ignored: %s: %w", m.path, bare(err))
	}
	return slices.DeleteFunc(file.Eras, func(e EraEntry) bool {
		return e.Server == "" || e.Era != "legacy" && e.Era != "modern"
	}), nil
}
