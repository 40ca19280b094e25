package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"parley/client/rawjson"
)

// Load reads a configuration file of any known form. The ending decides the
// syntax: .toml, .yaml and .yml, else JSON in which comments and trailing commas
// are allowed. Unknown keys are ignored. A file that is not what its ending says
// is a *[SyntaxError]; what is wrong inside one server's entry is told by that
// server's Err.
func Load(path string) (*File, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, reading(path, err)
	}
	return parse(path, content)
}

func reading(path string, err error) error {
	return fmt.Errorf("reading the configuration %s: %w", path, bare(err))
}

// parse reads a file that was named, and belongs to the project it lies in.
func parse(path string, content []byte) (*File, error) {
	return Place{Path: path, Project: true, dir: projectOf(path), dialect: dialectOf(path)}.parse(content)
}

// parse reads the content of the place's file.
func (p Place) parse(content []byte) (*File, error) {
	src := &source{path: p.Path, content: bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))}
	file := &File{Path: p.Path, Program: p.Program, Project: p.Project, Own: p.own, dir: p.dir, dialect: p.dialect}
	if bytes.HasPrefix(src.content, []byte("\xff\xfe")) || bytes.HasPrefix(src.content, []byte("\xfe\xff")) {
		return nil, src.wrongAt(0, "text in UTF-8", "UTF-16")
	}
	if p.Program != "" && len(bytes.TrimSpace(src.content)) == 0 {
		return file, nil // programs make such files, and have no servers then
	}
	r := &reader{source: src, file: file}
	if p.sections != nil {
		if done, err := r.sections(p.sections); done || err != nil {
			return file, err
		}
	}
	root, err := src.parse(filepath.Ext(p.Path))
	if err != nil {
		return nil, err
	}
	if p.sections != nil {
		root = root.within(p.sections)
	}
	if root == nil {
		return file, nil
	}
	if err := r.root(root, p.keys); err != nil {
		return nil, err
	}
	return file, nil
}

// parse reads the file in the syntax that its ending stands for.
func (s *source) parse(ext string) (*node, error) {
	switch strings.ToLower(ext) {
	case ".toml":
		return s.parseTOML()
	case ".yaml", ".yml":
		return s.parseYAML()
	}
	// hujson wants a comment on the last line to end with a newline
	s.content = append(bytes.Clone(s.content), '\n')
	return s.parseJSON(0, len(s.content))
}

func (s *source) parseJSON(from, to int) (*node, error) {
	root, err := hujson.Parse(s.content[from:to])
	if err != nil {
		return nil, s.syntaxError(err)
	}
	return jsonNode(&root, from), nil
}

// sections reads one object of a file that may be large and is written by a
// program, without reading the rest: Claude Code keeps a lot beside the servers.
// It reports false for a file that is no plain JSON, which is then read whole.
func (r *reader) sections(keys [][]string) (bool, error) {
	there := false
	for _, path := range keys {
		// most files have no servers of their own for this project, which is seen quickly
		if !slices.ContainsFunc(path, func(key string) bool { return !bytes.Contains(r.content, rawjson.Quote(nil, key)) }) {
			there = true
			off, n, ok := rawjson.Find(r.content, pointer(path))
			if !ok {
				continue
			}
			root, err := r.parseJSON(off, off+n)
			if err != nil {
				return false, nil //nolint:nilerr // the whole file will tell it with its place
			}
			return true, r.servers(root, path[len(path)-1])
		}
	}
	if len(keys[0]) > 1 && !there {
		return true, nil
	}
	_, _, valid := rawjson.Valid(r.content)
	return valid, nil
}

// within gives the file as if it had nothing but the first of the sections.
func (n *node) within(keys [][]string) *node {
	for _, path := range keys {
		at := n
		for _, key := range path {
			at = at.get(key)
		}
		if at != nil {
			return &node{kind: '{', at: n.at, members: []member{{key: path[len(path)-1], at: at.at, value: at}}}
		}
	}
	return nil
}

func pointer(path []string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, key := range path {
		b.WriteString("/" + escape.Replace(key))
	}
	return b.String()
}
