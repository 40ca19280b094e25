package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestAdd(t *testing.T) {
	tests := []struct{ name, before, want string }{
		{"nothing there", "", "{\n  \"mcpServers\": {\n    \"new\": {\n      \"command\": \"x\",\n      \"args\": [\"-y\", \"<a>\"],\n      \"env\": {\n        \"A\": \"1\",\n        \"B\": \"${C}\"\n      }\n    }\n  }\n}\n"},
		{"no servers yet", "{\"other\": 1} // end", "{\"other\": 1,\n  \"mcpServers\": {\n    NEW\n  }\n} // end\n"},
		{"empty", "{\n\t\"mcpServers\": {} // none\n}\n", "{\n\t\"mcpServers\": {\n\t\tNEW\n\t} // none\n}\n"},
		{"a comment inside", "{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n", "{\n  \"mcpServers\": {\n    // none yet\n    NEW\n  }\n}\n"},
		{"behind another", "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"} // first\n    // the end\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"}, // first\n    NEW\n    // the end\n  }\n}\n"},
		{"behind a trailing comma", "{\n  \"servers\": {\n    \"a\": {\"command\": \"x\"}, // first\n  },\n}\n",
			"{\n  \"servers\": {\n    \"a\": {\"command\": \"x\"}, // first\n    NEW,\n  },\n}\n"},
		{"one line", `{"mcpServers": {"a": {"command": "x"}}}`, "{\"mcpServers\": {\"a\": {\"command\": \"x\"},\n  NEW\n}}\n"},
		{"a block comment", "{\"mcpServers\": {\"a\": {\"command\": \"x\"} /* , */ }}\n", "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, /* , */ \n  NEW\n}}\n"},
		{"replaced in place", "{\n  \"mcpServers\": {\n    // about new\n    \"new\": {\"command\": \"old\"}, // stays\n    \"b\": {\"command\": \"y\"}\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    // about new\n    NEW, // stays\n    \"b\": {\"command\": \"y\"}\n  }\n}\n"},
		{"with a byte order mark", "\xef\xbb\xbf{\n  \"mcpServers\": {}\n}\n", "\xef\xbb\xbf{\n  \"mcpServers\": {\n    NEW\n  }\n}\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "deep", "mcp.json")
			if test.before != "" {
				write(t, path, test.before)
			}
			s := Server{Name: "new", Command: "x", Args: []string{"-y", "<a>"}, Env: map[string]string{"B": "${C}", "A": "1"}}
			if err := Add(path, s); err != nil {
				t.Fatal(err)
			}
			got := read(t, path)
			file, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := file.Lookup("new"); again.Command != "x" || strings.Join(again.Args, " ") != "-y <a>" || again.Env["B"] != "${C}" {
				t.Errorf("read back: %+v", again)
			}
			// the entry itself is looked at once, in the first test
			if i := strings.Index(test.want, "NEW"); i >= 0 {
				tail := test.want[i+3:]
				if !strings.HasPrefix(got, test.want[:i]+`"new": {`) || !strings.HasSuffix(got, "}"+tail) {
					t.Errorf("got\n%s\nwant\n%s", got, test.want)
				}
			} else if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".mcp-*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

func TestRemove(t *testing.T) {
	tests := []struct{ name, before, want string }{
		{"the only one", "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"}\n  }\n}\n", "{\n  \"mcpServers\": {\n  }\n}\n"},
		{"the first", "{\"mcpServers\": {\n  // about x\n  // more\n  \"x\": {\"command\": \"x\"}, // of x\n  // about b\n  \"b\": {\"command\": \"b\"}\n}}\n",
			"{\"mcpServers\": {\n  // about b\n  \"b\": {\"command\": \"b\"}\n}}\n"},
		{"the last", "{\"mcpServers\": {\n  \"b\": {\"command\": \"b\"}, // of b\n  \"x\": {\"command\": \"x\"} // of x\n  // end\n}}\n",
			"{\"mcpServers\": {\n  \"b\": {\"command\": \"b\"} // of b\n  // end\n}}\n"},
		{"with a trailing comma", "{\"mcpServers\": {\n  \"b\": {\"command\": \"b\"},\n\n  \"x\": {\"command\": \"x\"},\n}}\n",
			"{\"mcpServers\": {\n  \"b\": {\"command\": \"b\"},\n\n}}\n"},
		{"a comment apart stays", "{\"mcpServers\": {\n  // the servers\n\n  \"x\": {\"command\": \"x\"},\n  \"b\": {\"command\": \"b\"}\n}}\n",
			"{\"mcpServers\": {\n  // the servers\n\n  \"b\": {\"command\": \"b\"}\n}}\n"},
		{"in one line", `{"mcpServers": {"a": {"command": "a"}, "x": {"command": "x"}, "b": {"command": "b"}}}`,
			"{\"mcpServers\": {\"a\": {\"command\": \"a\"}, \"b\": {\"command\": \"b\"}}}\n"},
		{"the last in one line", `{"mcpServers": {"a": {"command": "a"}, "x": {"command": "x"}}}`, "{\"mcpServers\": {\"a\": {\"command\": \"a\"} }}\n"},
		{"the only in one line", `{"mcpServers": {"x": {"command": "x"}}}`, "{\"mcpServers\": {}}\n"},
		{"twice", "{\"mcpServers\": {\n  \"x\": {\"command\": \"1\"},\n  \"x\": {\"command\": \"2\"}\n}}\n", "{\"mcpServers\": {\n}}\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mcp.json")
			write(t, path, test.before)
			if err := Remove(path, "x"); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			var unknown *UnknownError
			if err := Remove(path, "x"); !errors.As(err, &unknown) {
				t.Errorf("removed twice: %v", err)
			}
		})
	}
}

func TestEditEdges(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mcp.json")
	for _, content := range []string{"{", "[]", `{"mcpServers": []}`} {
		write(t, path, content)
		if err := Add(path, Server{Name: "a", Command: "x"}); err == nil || read(t, path) != content {
			t.Errorf("%s: %v, now %s", content, err, read(t, path))
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	// a link to a file elsewhere stays one
	real := filepath.Join(dir, "dotfiles", "mcp.json")
	write(t, real, `{"mcpServers": {}}`)
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if err := Add(link, Server{Name: "a", URL: "https://h", Headers: map[string]string{"K": "v"}}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.Contains(read(t, real), `"https://h"`) {
		t.Errorf("%v, %v", info, err)
	}
}

func TestMask(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"short", "…"},
		{"123456789012345", "…"},
		{"1234567890123456", "…3456"},
		{"Bearer sk-1234567890abcdef", "Bearer …cdef"},
		{"Bearer ${TOKEN}", "Bearer ${TOKEN}"},
		{"${TOKEN}", "${TOKEN}"},
		{"${env:TOKEN}", "${env:TOKEN}"},
		{"${TOKEN:-sk-12345678}", "${TOKEN:-…}"},
		{"user:${TOKEN}", "…${TOKEN}"},
		{"${open", "…"},
		{"$TOKEN", "…"},
		{"0123456789012345\x1b[2J", "…"},
	}
	for _, test := range tests {
		if got := (Server{}).Mask(test.in); got != test.want {
			t.Errorf("Mask(%q) = %q, want %q", test.in, got, test.want)
		}
	}
	gemini := Server{file: &File{dialect: dollars}}
	if got := gemini.Mask("$TOKEN"); got != "$TOKEN" {
		t.Error(got)
	}
}

func TestMasked(t *testing.T) {
	s := Server{
		Env: map[string]string{"A": "secret-value-of-a-b"}, Headers: map[string]string{"Authorization": "Basic abc"},
		URL: "https://u:hunter2@h/p?api_key=0123456789abcdef&q=1&token=${T}#f",
		Args: []string{"--port", "80", "--token", "abc", "--api-key=abc", "--verbose", "-e", "GH_TOKEN=abc", "-e", "GH_TOKEN",
			"--header", "Authorization: Bearer abc", "postgres://u:pw@db/x", "npx", "@scope/secrets-server", "C:\\keys\\secret", "--no-token", "--x"},
	}
	m := s.Masked()
	if m.Env["A"] != "…-a-b" || m.Headers["Authorization"] != "Basic …" || s.Env["A"] != "secret-value-of-a-b" {
		t.Errorf("%+v", m)
	}
	if want := "https://u:…@h/p?api_key=…cdef&q=1&token=${T}#f"; m.URL != want {
		t.Errorf("URL %s", m.URL)
	}
	want := []string{"--port", "80", "--token", "…", "--api-key=…", "--verbose", "-e", "GH_TOKEN=…", "-e", "GH_TOKEN",
		"--header", "Authorization: Bearer …", "postgres://u:…@db/x", "npx", "@scope/secrets-server", "C:\\keys\\secret", "--no-token", "--x"}
	if !slices.Equal(m.Args, want) {
		t.Errorf("args %q", m.Args)
	}
}

func FuzzEdit(f *testing.F) {
	f.Add("{\"mcpServers\": {\"a\": {\"command\": \"x\"}, // c\n}}", "a")
	f.Add("{\"a\":1,/* */}", "b\"")
	f.Add("{\"servers\":{\"q\":{}}\n}", "q")
	f.Fuzz(func(t *testing.T, content, name string) {
		if strings.Contains(content, "\xff") {
			return
		}
		path := filepath.Join(t.TempDir(), "mcp.json")
		write(t, path, content)
		before, err := Load(path)
		if err != nil || len(before.Servers) > 0 && name == "" {
			return
		}
		if err := Add(path, Server{Name: name, Command: "x"}); err != nil {
			return // it says that it left the file as it was
		}
		after, err := Load(path)
		if err != nil {
			t.Fatalf("broken: %v\n%s", err, read(t, path))
		}
		for _, s := range before.Servers {
			if again, ok := after.Lookup(s.Name); !ok || s.Name != name && again.Command != s.Command {
				t.Fatalf("%q is lost:\n%s", s.Name, read(t, path))
			}
		}
		if err := Remove(path, name); err == nil {
			if again, err := Load(path); err != nil || len(again.Servers) > len(after.Servers) {
				t.Fatalf("%v\n%s", err, read(t, path))
			}
		}
	})
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
