package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// told is what matters of a server, in one line.
func told(s Server) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s@%d:%d", s.Name, s.Line, s.Col)
	if s.Command != "" {
		fmt.Fprintf(&b, " %s", strings.Join(append([]string{s.Command}, s.Args...), " "))
	}
	for _, k := range slices.Sorted(maps.Keys(s.Env)) {
		fmt.Fprintf(&b, " %s=%s", k, s.Env[k])
	}
	if s.URL != "" {
		fmt.Fprintf(&b, " %s", s.URL)
	}
	for _, k := range slices.Sorted(maps.Keys(s.Headers)) {
		fmt.Fprintf(&b, " %s:%s", k, s.Headers[k])
	}
	for _, extra := range []string{s.Dir, s.EnvFile, s.Type} {
		if extra != "" {
			fmt.Fprintf(&b, " (%s)", extra)
		}
	}
	for _, p := range s.pass {
		fmt.Fprintf(&b, " +%s", p)
	}
	if s.Disabled {
		b.WriteString(" disabled")
	}
	if s.err != nil {
		fmt.Fprintf(&b, " ✗ %v", s.err)
	}
	return b.String()
}

func TestForms(t *testing.T) {
	tests := []struct {
		name, path, content string
		keys                string // of a known program; empty reads every key
		want                []string
	}{
		{"Claude Desktop", "c.json", `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"], "env": {"K": "v"}}}}`, "mcpServers",
			[]string{"a@1:17 npx -y x K=v"}},
		{"Claude Code", "c.json", "{\"mcpServers\": {\n  \"h\": {\"type\": \"http\", \"url\": \"${U:-https://h}/mcp\", \"headers\": {\"A\": \"Bearer ${T}\"}}}}", "mcpServers",
			[]string{"h@2:3 ${U:-https://h}/mcp A:Bearer ${T} (http)"}},
		{"Windsurf", "c.json", `{"mcpServers": {"r": {"serverUrl": "https://h/mcp", "disabled": true}}}`, "mcpServers",
			[]string{"r@1:17 https://h/mcp disabled"}},
		{"Cline", "c.json", `{"mcpServers": {"g": {"command": "uvx", "disabled": false, "alwaysAllow": [], "networkTimeout": 60000}}}`, "mcpServers",
			[]string{"g@1:17 uvx"}},
		{"VS Code", "mcp.json", `{"inputs": [{"id": "k"}], "servers": {"v": {"type": "stdio", "command": "x", "envFile": "${workspaceFolder}/.env"}}}`, "servers mcpServers",
			[]string{"v@1:39 x (${workspaceFolder}/.env) (stdio)"}},
		{"settings of VS Code", "settings.json", `{"editor.tabSize": 2, "mcp": {"inputs": [], "servers": {"v": {"command": "x"}}}, "servers": {"no": {"command": "y"}}}`, "mcp mcp.servers",
			[]string{"v@1:57 x"}},
		{"Zed", "s.json", `{"context_servers": {"z": {"source": "custom", "enabled": false, "command": "uv", "args": ["run"]}}}`, "context_servers",
			[]string{"z@1:22 uv run disabled"}},
		{"Zed before", "s.json", `{"context_servers": {"z": {"command": {"path": "/x", "args": ["run"], "env": {"A": "1"}}, "settings": {}}}}`, "context_servers",
			[]string{"z@1:22 /x run A=1"}},
		{"Zed before, without env", "s.json", `{"context_servers": {"z": {"command": {"path": "/x", "args": [], "env": null}}}}`, "",
			[]string{"z@1:22 /x"}},
		{"Zed extension", "s.json", `{"context_servers": {"z": {"source": "extension", "settings": {"k": "v"}}}}`, "context_servers",
			[]string{`z@1:22 ✗ s.json:1:27: context_servers.z: expected "command" or "url", found the settings of an extension that brings its own`}},
		{"Codex", "config.toml", "model = \"o\"\n\n[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\"-y\", \"d\"]\nenv = { A = \"1\" }\nenv_vars = [\"TOKEN\"]\ncwd = \"/srv\"\n" +
			"[mcp_servers.\"far away\"]\nurl = \"https://h/mcp\"\nbearer_token_env_var = \"TOK\"\nenabled = false\n[mcp_servers.\"far away\".http_headers]\nX = \"y\"\n[mcp_servers.\"far away\".env_http_headers]\nZ = \"ZVAR\"\n", "mcp_servers",
			[]string{"docs@3:1 npx -y d A=1 (/srv) +TOKEN", "far away@9:1 https://h/mcp Authorization:Bearer ${TOK} X:y Z:${ZVAR} disabled"}},
		{"Codex, inline", "config.toml", "[mcp_servers]\nb = { command = \"y\" }\na = { command = \"x\" }\n", "",
			[]string{"b@2:1 y", "a@3:1 x"}},
		{"Goose", "config.yaml", "extensions:\n  developer:\n    type: builtin\n    enabled: true\n  gh:\n    type: stdio\n    enabled: false\n    cmd: npx\n    args: [-y, 8080, gh]\n    envs: {PORT: 8080, YES: true}\n    env_keys: [TOKEN]\n  far:\n    type: streamable_http\n    uri: https://h/mcp\n    headers: {A: b}\n", "extensions",
			[]string{"gh@5:3 npx -y 8080 gh PORT=8080 TOKEN=${TOKEN} YES=true (stdio) disabled", "far@12:3 https://h/mcp A:b (streamable_http)"}},
		{"Gemini", "settings.json", `{"mcpServers": {"p": {"command": "py", "cwd": "./s", "env": {"A": "$B"}, "trust": true}, "q": {"httpUrl": "http://h"}, "r": {"command": "z"}}, "mcp": {"allowed": ["p", "q"], "excluded": ["q"]}}`, "mcpServers",
			[]string{"p@1:17 py A=$B (./s)", "q@1:90 http://h disabled", "r@1:120 z disabled"}},
		{"opencode", "opencode.jsonc", "{ // c\n \"mcp\": {\"l\": {\"type\": \"local\", \"command\": [\"bun\", \"x\", \"s\"], \"environment\": {\"A\": \"{env:B}\"}, \"enabled\": false},\n \"r\": {\"type\": \"remote\", \"url\": \"https://h\"},},}", "mcp",
			[]string{"l@2:10 bun x s A={env:B} (local) disabled", "r@3:2 https://h (remote)"}},
		{"opencode, no command", "opencode.json", `{"mcp": {"l": {"type": "local", "command": []}}}`, "mcp",
			[]string{`l@1:10 (local) ✗ opencode.json:1:44: mcp.l.command: expected the program and its arguments, found an empty array`}},
		{"Crush", "crush.json", `{"mcp": {"f": {"type": "stdio", "command": "node", "args": ["s.js"]}}}`, "mcp",
			[]string{"f@1:10 node s.js (stdio)"}},
		{"Continue", "c.yaml", "name: My\nmcpServers:\n  - name: fs\n    command: npx\n    args: [\"-y\", \"${{ secrets.X }}\"]\n  - uses: a/b\n  - name: web\n    type: sse\n    url: https://h\n    requestOptions:\n      headers: {K: v}\n  - command: lost\n", "mcpServers",
			[]string{"fs@3:5 npx -y ${{ secrets.X }}", "web@7:5 https://h K:v (sse)", `mcpServers[3]@12:5 ✗ c.yaml:12:5: mcpServers[3]: expected an object, found null`}},
		{"YAML with an anchor", "c.yml", "base: &b {command: x, env: {A: 1}}\nmcpServers:\n  a:\n    <<: *b\n    args: [y]\n", "",
			[]string{"a@3:3 x y A=1"}},
		{"an empty YAML file", "c.yaml", "# nothing\n", "extensions", nil},
		{"YAML without servers", "c.yaml", "extensions:\n", "extensions", nil},
		{"a name twice", "mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"x\"},\n\"a\": {\"command\": \"y\"}}}", "",
			[]string{"a@2:1 y"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file, err := Place{Path: test.path, Project: true, keys: strings.Fields(test.keys)}.parse([]byte(test.content))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range file.Servers {
				got = append(got, told(s))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(test.want, "\n  "))
			}
			if test.name == "a name twice" && file.Servers[0].Instead != 1 {
				t.Errorf("replaces line %d", file.Servers[0].Instead)
			}
		})
	}
}

func TestMistakesInOtherSyntaxes(t *testing.T) {
	tests := []struct{ name, path, content, want string }{
		{"TOML", "c.toml", "[a]\nb = \n", "c.toml:2:5: expected TOML, found a mistake: "},
		{"TOML type", "c.toml", "[mcp_servers.a]\ncommand = 7\n", "c.toml:2:1: mcp_servers.a.command: expected a string, found a number"},
		{"TOML in a text", "c.toml", "x = \"\"\"\n[mcp_servers.a]\n\"\"\"\n[mcp_servers.a]\nargs = 1\n", "c.toml:5:1: mcp_servers.a.args: expected an array of strings, found a number"},
		{"TOML table", "c.toml", "mcp_servers = 1\n", "c.toml:1:1: mcp_servers: expected an object, found a number"},
		{"YAML", "c.yaml", "a: 1\nb: [1\nc: 2\n", "c.yaml:"},
		{"YAML tabs", "c.yaml", "a:\n\t- b\n", "c.yaml:2:1: expected YAML, found a mistake: "},
		{"YAML type", "c.yaml", "mcpServers:\n  a:\n    command: [x]\n", "c.yaml:3:14: mcpServers.a.command: expected a string, found an array"},
		{"YAML root", "c.yaml", "- a\n", "c.yaml:1:1: expected an object, found an array"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file, err := parse(test.path, []byte(test.content))
			if err == nil && len(file.Servers) > 0 {
				err = file.Servers[0].Err()
			}
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestAliasesDoNotBlowUp(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	if _, err := parse("c.yaml", []byte(b.String())); err == nil || !strings.Contains(err.Error(), "aliases") && !strings.Contains(err.Error(), "alias") {
		t.Errorf("got %v", err)
	}
}

func FuzzReaders(f *testing.F) {
	for _, seed := range []string{
		"[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.\"b.c\".env]\nA = '''\nx'''\n",
		"extensions:\n  a: {type: stdio, cmd: x, env_keys: [T]}\nmcpServers:\n- name: b\n  url: ${X}\n",
		`{"mcp":{"a":{"command":["x"]}},"context_servers":{"b":{"command":{"path":"y"}}},"inputs":[{"id":"q","options":[1,"a",{"value":"b"}]}]}`,
		"a: &a {b: *a}\n", "<<: [1]\n", "? [x]\n: y\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, path := range []string{"a.toml", "a.yaml", "a.json"} {
			file, err := parse(path, content)
			if err != nil {
				continue
			}
			for _, s := range file.Servers {
				_ = s.Masked()
				_, _ = s.expand(func(string) (string, bool) { return "", false }, nil)
				if s.Line < 1 || s.Col < 1 {
					t.Errorf("%s: server %q at %d:%d", path, s.Name, s.Line, s.Col)
				}
			}
		}
	})
}
