package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"parley/client/rawjson"
)

//go:embed worlds/*.json
var worldFiles embed.FS

// catalogue is what a world file says. Items are kept as raw JSON, so that
// lists show them with the keys in the order in which the file has them.
type catalogue struct {
	ServerInfo   json.RawMessage `json:"serverInfo"`
	Capabilities json.RawMessage `json:"capabilities"`
	Instructions string          `json:"instructions"`

	SaysNoError    bool `json:"saysNoError"`    // a good tool result says "isError":false
	PlainErrorData bool `json:"plainErrorData"` // the data of an error is a text, not {"details":…}
	Journal        bool `json:"journal"`        // the log of the last tutorial on stderr
	Modern         bool `json:"modern"`         // also speaks 2026-07-28, without a handshake
	PageSize       int  `json:"pageSize"`       // of the list of resources; 0 is all on one page

	Tools     []json.RawMessage `json:"tools"`
	Resources []json.RawMessage `json:"resources"`
	Templates []json.RawMessage `json:"resourceTemplates"`
	Prompts   []json.RawMessage `json:"prompts"`

	// Unlisted items answer, but no list has them.
	Unlisted struct {
		Tools     []json.RawMessage `json:"tools"`
		Resources []json.RawMessage `json:"resources"`
	} `json:"unlisted"`
	// Toggled is the tool that toggle_tool adds and removes.
	Toggled json.RawMessage `json:"toggled"`
}

// world is one server: a catalogue, and what its tools remember.
type world struct {
	catalogue
	name     string
	now      func() time.Time
	grace    time.Duration
	declared map[string]map[string]json.RawMessage // the capabilities and their parts
	stderr   io.Writer

	mu    sync.Mutex
	tools []json.RawMessage // as listed now
	files map[string]string // by path
}

// openWorld reads a world file.
func openWorld(opt Options, stderr io.Writer) (*world, error) {
	raw, err := worldFiles.ReadFile("worlds/" + opt.As + ".json")
	if err != nil {
		return nil, fmt.Errorf("reading world %s: %w", opt.As, err)
	}
	w := &world{name: opt.As, now: opt.Now, grace: opt.Grace, stderr: stderr, files: map[string]string{examplePath: exampleText}}
	var dense bytes.Buffer
	dense.Grow(len(raw))
	if err := json.Compact(&dense, raw); err != nil {
		return nil, fmt.Errorf("reading world %s: %w", opt.As, err)
	}
	if err := json.Unmarshal(dense.Bytes(), &w.catalogue); err != nil {
		return nil, fmt.Errorf("reading world %s: %w", opt.As, err)
	}
	if w.name == "demo" {
		w.Resources = append(w.Resources, numberedPages()...)
	}
	w.tools = w.catalogue.Tools
	if err := json.Unmarshal(w.Capabilities, &w.declared); err != nil {
		return nil, fmt.Errorf("reading capabilities of world %s: %w", opt.As, err)
	}
	return w, nil
}

func (w *world) listedTools() []json.RawMessage {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tools
}

// tool finds a tool, listed or not, or returns nil.
func (w *world) tool(name string) json.RawMessage {
	for _, raw := range slices.Concat(w.listedTools(), w.Unlisted.Tools) {
		if stringIn(raw, "name") == name {
			return raw
		}
	}
	return nil
}

// stringIn returns the text that an object has under a key, or "".
func stringIn(object json.RawMessage, key string) string {
	raw, _ := rawjson.Get(object, key)
	s, _ := stringOf(raw)
	return s
}
