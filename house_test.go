package main

import (
	"bufio"
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// sources lists the Go files of the repository, slash-separated.
func sources(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); n != "." && (strings.HasPrefix(n, ".") || n == "node_modules" || n == "dist" || n == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, ".go") {
			files = append(files, filepath.ToSlash(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("only %d Go files found: the walk is broken", len(files))
	}
	return files
}

func TestFilesStayUnder500Lines(t *testing.T) {
	for _, f := range sources(t) {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for s := bufio.NewScanner(bytes.NewReader(raw)); s.Scan(); {
			lines++
		}
		if lines >= 500 {
			t.Errorf("%s has %d lines: split it by what its parts are about", f, lines)
		}
	}
}

// mayImport is the direction of imports inside the module: a package (or the
// tree below it, with /...) and what it may import. Tests may import more.
var mayImport = map[string][]string{
	"main":              {"cli"},
	"cli":               {"ui/...", "script", "history", "check", "config", "demo", "relay", "client/..."},
	"ui/...":            {"ui/...", "script", "history", "check", "config", "client/..."},
	"script":            {"client/...", "history", "check"},
	"relay":             {"history", "client/wire"},
	"check":             {"history", "client/wire", "client/mcp", "client/rawjson"},
	"history":           {"client/wire", "client/mcp", "client/rawjson"},
	"config":            {"client/near", "client/rawjson"},
	"demo":              {"client/rawjson", "client/mcp"},
	"client/near":       {},
	"client":            {"client/wire", "client/mcp", "client/rawjson"},
	"client/wire":       {"client/rawjson", "client/near"},
	"client/mcp":        {"client/rawjson", "client/near"},
	"client/schema":     {"client/rawjson"},
	"client/rawjson":    {},
	"client/clienttest": {"client/wire", "client/rawjson"},
}

// only says which packages may import a library, by the beginning of its path.
var only = map[string][]string{
	"charm.land/":                      {"ui/..."},
	"github.com/charmbracelet/":        {"ui/..."},
	"github.com/modelcontextprotocol/": {"client/auth"},
	"github.com/spf13/":                {"cli"},
	"github.com/santhosh-tekuri/":      {"client/schema"},
	"github.com/tailscale/hujson":      {"config"},
	"github.com/itchyny/gojq":          {"script"},
	"github.com/BurntSushi/toml":       {"config"},
	"go.yaml.in/yaml/":                 {"config"},
	"github.com/joho/godotenv":         {"config"},
	"github.com/coder/websocket":       {"client/wire", "client/clienttest"},
	"github.com/yosida95/uritemplate":  {"client/schema", "ui/...", "cli", "script"},
}

func TestImportsFollowTheDirection(t *testing.T) {
	for _, f := range sources(t) {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		pkg := filepath.ToSlash(filepath.Dir(f))
		if pkg == "." {
			pkg = "main"
		}
		allowed, known := rule(mayImport, pkg)
		if !known {
			t.Errorf("%s: package %s has no rule: add it to the direction of imports", f, pkg)
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if inside, ok := strings.CutPrefix(path, "parley/"); ok && !matches(allowed, inside) {
				t.Errorf("%s imports parley/%s: %s may import %v", f, inside, pkg, allowed)
			}
			for lib, who := range only {
				if strings.HasPrefix(path, lib) && !matches(who, pkg) {
					t.Errorf("%s imports %s: only %v may", f, path, who)
				}
			}
		}
	}
}

// The program knows nothing of the suite that it is graded by: what it does there
// stands in testdata/conformance, in its own language.
func TestNothingKnowsTheConformanceSuite(t *testing.T) {
	for _, f := range sources(t) {
		if f == "house_test.go" {
			continue
		}
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range []string{"MCP_CONFORMANCE", "conformance-test.local", "modelcontextprotocol/conformance"} {
			if bytes.Contains(raw, []byte(trace)) {
				t.Errorf("%s has %s in it", f, trace)
			}
		}
	}
}

func TestNoPackageIsCalledByWhatItIsNot(t *testing.T) {
	for _, f := range sources(t) {
		switch base := filepath.Base(filepath.Dir(f)); base {
		case "util", "utils", "common", "helpers", "types", "internal":
			t.Errorf("%s: a package called %s says nothing", f, base)
		}
	}
}

func rule(rules map[string][]string, pkg string) ([]string, bool) {
	if r, ok := rules[pkg]; ok {
		return r, true
	}
	for p, r := range rules {
		if matches([]string{p}, pkg) {
			return r, true
		}
	}
	return nil, false
}

func matches(patterns []string, pkg string) bool {
	for _, p := range patterns {
		if tree, ok := strings.CutSuffix(p, "/..."); ok {
			if pkg == tree || strings.HasPrefix(pkg, tree+"/") {
				return true
			}
		} else if p == pkg {
			return true
		}
	}
	return false
}
