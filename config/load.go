package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tailscale/hujson"
)

// ErrNone says that [Find] found no configuration file.
var ErrNone = errors.New("no configuration file found")

// local are the files that hosts keep in a project, the most general first.
var local = []string{".mcp.json", "mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"}

// Find loads the configuration for a directory: the explicit file if there is
// one, else the first of the files that hosts keep in dir, else parley's own.
// A file that is there but cannot be read is an error, never skipped; without
// any file the error is [ErrNone].
func Find(dir, explicit string) (*File, error) {
	if explicit != "" {
		return Load(explicit)
	}
	candidates := make([]string, 0, len(local)+1)
	for _, name := range local {
		candidates = append(candidates, filepath.Join(dir, filepath.FromSlash(name)))
	}
	if own, err := Dir(); err == nil {
		candidates = append(candidates, filepath.Join(own, "mcp.json"))
	}
	for _, path := range candidates {
		file, err := Load(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return file, err
	}
	return nil, ErrNone
}

// Load reads a configuration file: JSON in which comments and trailing commas
// are allowed, with servers under "mcpServers", "servers" or "mcp": {"servers"}.
// Unknown keys are ignored. A file that is not such JSON is a *[SyntaxError];
// what is wrong inside one server's entry is told by that server's Err.
func Load(path string) (*File, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	return parse(path, content)
}

func parse(path string, content []byte) (*File, error) {
	src := &source{path: path, content: bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))}
	if bytes.HasPrefix(src.content, []byte("\xff\xfe")) || bytes.HasPrefix(src.content, []byte("\xfe\xff")) {
		return nil, src.errorAt(0, "", "text in UTF-8", "UTF-16")
	}
	// hujson wants a comment on the last line to end with a newline
	src.content = append(bytes.Clone(src.content), '\n')
	root, err := hujson.Parse(src.content)
	if err != nil {
		return nil, src.syntaxError(err)
	}
	file := &File{Path: path}
	if err := src.root(file, &root); err != nil {
		return nil, err
	}
	return file, nil
}
