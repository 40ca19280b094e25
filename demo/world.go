package demo

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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

// world is one server: a catalogue, the SDK server that answers for it, and
// what its tools remember.
type world struct {
	catalogue
	name     string
	now      func() time.Time
	grace    time.Duration
	declared map[string]json.RawMessage // the capabilities by name
	server   *mcp.Server
	stderr   io.Writer
	conn     connection

	mu    sync.Mutex
	tools []json.RawMessage // as listed now
	files map[string]string // by path
}

// connection is what tools need of the line loop beyond their session.
type connection interface {
	// end ends the server without answering what is in flight.
	end(error)
	// announce sends a notification to a client that has shaken hands.
	announce(method string)
}

// openWorld reads a world file and builds its SDK server.
func openWorld(opt Options, stderr io.Writer, c connection) (*world, error) {
	raw, err := worldFiles.ReadFile("worlds/" + opt.As + ".json")
	if err != nil {
		return nil, fmt.Errorf("reading world %s: %w", opt.As, err)
	}
	w := &world{name: opt.As, now: opt.Now, grace: opt.Grace, stderr: stderr, conn: c, files: map[string]string{examplePath: exampleText}}
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
	if err := w.build(); err != nil {
		return nil, fmt.Errorf("building world %s: %w", opt.As, err)
	}
	return w, nil
}

// build makes the SDK server and gives it everything that can be asked for.
func (w *world) build() error {
	opt := &mcp.ServerOptions{Instructions: w.Instructions, PageSize: w.PageSize, Capabilities: &mcp.ServerCapabilities{}}
	if err := json.Unmarshal(w.Capabilities, opt.Capabilities); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	if err := json.Unmarshal(w.Capabilities, &w.declared); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	if c := opt.Capabilities; c.Resources != nil && c.Resources.Subscribe {
		opt.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
		opt.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	}
	if opt.Capabilities.Completions != nil {
		opt.CompletionHandler = w.complete
	}
	if !w.Modern {
		opt.SupportedProtocolVersions = legacyVersions
	}
	var info mcp.Implementation
	if err := json.Unmarshal(w.ServerInfo, &info); err != nil {
		return fmt.Errorf("serverInfo: %w", err)
	}
	w.server = mcp.NewServer(&info, opt)
	w.server.AddReceivingMiddleware(w.exact, w.anyURI)

	for _, raw := range slices.Concat(w.tools, w.Unlisted.Tools) {
		if err := w.addTool(raw); err != nil {
			return err
		}
	}
	return w.addData()
}

// addData registers resources, templates and prompts.
func (w *world) addData() error {
	for _, raw := range slices.Concat(w.Resources, w.Unlisted.Resources) {
		var r mcp.Resource
		if err := json.Unmarshal(raw, &r); err != nil {
			return fmt.Errorf("resource %s: %w", raw, err)
		}
		w.server.AddResource(&r, w.readResource)
	}
	for _, raw := range w.Templates {
		var t mcp.ResourceTemplate
		if err := json.Unmarshal(raw, &t); err != nil {
			return fmt.Errorf("template %s: %w", raw, err)
		}
		w.server.AddResourceTemplate(&t, w.readResource)
	}
	for _, raw := range w.Prompts {
		var p mcp.Prompt
		if err := json.Unmarshal(raw, &p); err != nil {
			return fmt.Errorf("prompt %s: %w", raw, err)
		}
		w.server.AddPrompt(&p, w.promptHandler(&p))
	}
	return nil
}

// serves reports whether the world answers a method at all: what its
// capabilities do not name is unknown to it, as to the tutorials' servers.
func (w *world) serves(method string) bool {
	switch method {
	case "initialize", "ping":
		return true
	case "server/discover", "subscriptions/listen":
		return w.Modern
	}
	_, ok := w.declared[capabilityOf[method]]
	return ok
}

var capabilityOf = map[string]string{
	"tools/list": "tools", "tools/call": "tools",
	"resources/list": "resources", "resources/templates/list": "resources", "resources/read": "resources",
	"resources/subscribe": "resources", "resources/unsubscribe": "resources",
	"prompts/list": "prompts", "prompts/get": "prompts",
	"completion/complete": "completions", "logging/setLevel": "logging",
}
