package config

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestLoadHostFiles(t *testing.T) {
	tests := []struct {
		file string
		want []Server
	}{
		{"cursor.json", []Server{
			{Name: "filesystem", Command: "npx", Line: 3,
				Args: []string{"-y", "@modelcontextprotocol/server-filesystem", "/srv/shared/files"}},
			{Name: "brave-search", Command: "npx", Line: 7,
				Args: []string{"-y", "@modelcontextprotocol/server-brave-search"},
				Env:  map[string]string{"BRAVE_API_KEY": "key-of-nobody"}},
		}},
		{"claude_desktop_config.json", []Server{
			{Name: "mcp-demo", Command: "java", Line: 4, Args: []string{"-jar", "/opt/demo/mcp-demo.jar"}},
		}},
		{"vscode.json", []Server{
			{Name: "local", Type: "stdio", Command: "${workspaceFolder}/bin/server", Dir: "/srv", Line: 5,
				Args: []string{"--home", "${userHome}", "--token=${env:PARLEY_TEST_TOKEN}"},
				Env:  map[string]string{"LEVEL": "${PARLEY_TEST_LEVEL:-debug}"}},
			{Name: "remote", Type: "http", URL: "https://mcp.example.com/mcp", Line: 13,
				Headers: map[string]string{"Authorization": "Bearer ${input:api-key}"}},
		}},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			path := filepath.Join("testdata", test.file)
			file, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range file.Servers {
				got.file, got.Col = nil, 0
				test.want[i].File = path
				if !reflect.DeepEqual(got, test.want[i]) {
					t.Errorf("got  %+v\nwant %+v", got, test.want[i])
				}
			}
			if len(file.Servers) != len(test.want) {
				t.Errorf("%d servers, want %d", len(file.Servers), len(test.want))
			}
		})
	}
}

func TestLoadForms(t *testing.T) {
	tests := []struct {
		name, content string
		want          []string
	}{
		{"nested", `{"mcp":{"servers":{"a":{"command":"x"}}},"editor.tabSize":2}`, []string{"a"}},
		{"dotted", `{"mcp.servers":{"a":{"command":"x"}}}`, []string{"a"}},
		{"both", `{"mcpServers":{"a":{"command":"x"}},"servers":{"b":{"url":"http://h"}}}`, []string{"a", "b"}},
		{"byte order mark", "\xef\xbb\xbf{\"servers\":{\"a\":{\"command\":\"x\"}}}", []string{"a"}},
		{"none", `{}`, []string{}},
		{"other keys", `{"theme":"dark","mcp":true}`, []string{}},
		{"twice", `{"servers":{"a":{"command":"x"},"b":{"command":"y"},"a":{"command":"z"}}}`, []string{"b", "a"}},
		{"null parts", `{"servers":{"a":{"command":"x","args":null,"env":null,"url":null}}}`, []string{"a"}},
		{"other spellings", `{"mcpServers":{"a":{"serverUrl":"https://h","transport":"sse"}}}`, []string{"a"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file, err := parse("mcp.json", []byte(test.content))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(file.Names(), test.want) {
				t.Errorf("names %q, want %q", file.Names(), test.want)
			}
			for _, s := range file.Servers {
				if s.Err() != nil {
					t.Error(s.Err())
				}
			}
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"empty", "", `mcp.json:1:1: expected a value, found the end of the file`},
		{"blank", "\n\n", `mcp.json:1:1: expected a value, found the end of the file`},
		{"no comma", "{\n  \"a\": 1\n  \"b\": 2\n}", `mcp.json:3:3: expected "," or "}", found a string`},
		{"no comma in array", `{"a": ["x" "y"]}`, `mcp.json:1:12: expected "," or "]", found a string`},
		{"no colon", `{"a" 1}`, `mcp.json:1:6: expected ":" after the key, found a number`},
		{"no value", "{\n\t\"a\": }", `mcp.json:2:7: expected a value, found }`},
		{"bare key", `{servers: {}}`, `mcp.json:1:2: expected a key in double quotes, found servers`},
		{"second bare key", `{"a": 1, b : 2}`, `mcp.json:1:10: expected a key in double quotes, found b`},
		{"number as key", `{1: {}}`, `mcp.json:1:2: expected a key in double quotes, found a number`},
		{"single quotes", `{'a': 1}`, `mcp.json:1:2: expected a key in double quotes, found '`},
		{"value in single quotes", `{"a": 'b'}`, `mcp.json:1:7: expected a value, found '`},
		{"Python", `{"a": True}`, `mcp.json:1:7: expected a value, found True`},
		{"cut", `{"mcpServers": {"a": {"command": "x"`, `mcp.json:1:37: expected "," or "}", found the end of the file`},
		{"cut after key", "{\"a\"\n", `mcp.json:1:5: expected ":" after the key, found the end of the file`},
		{"rest", "{}\n{}", `mcp.json:2:1: expected the end of the file, found {`},
		{"open string", "{\"a\": \"x\n\"b\": 1}", `mcp.json:1:9: expected a closing quote, found the end of the line`},
		{"open string at the end", "{\"a\": \"x", `mcp.json:1:9: expected a closing quote, found the end of the file`},
		{"Windows path", `{"a": "C:\Users"}`, `mcp.json:1:10: expected an escape like \\ or \n, found \U`},
		{"columns are characters", `{"天气": x}`, `mcp.json:1:8: expected a value, found x`},
		{"open comment", "{} /* x", `mcp.json:1:4: expected a comment that ends with "*/", found /`},
		{"UTF-16", "\xff\xfe{\x00", `mcp.json:1:1: expected text in UTF-8, found UTF-16`},
		{"array", `[]`, `mcp.json:1:1: expected an object, found an array`},
		{"servers is an array", `{"mcpServers": []}`, `mcp.json:1:16: mcpServers: expected an object, found an array`},
		{"servers is a string", `{"mcp": {"servers": ""}}`, `mcp.json:1:21: mcp.servers: expected an object, found a string`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := parse("mcp.json", []byte(test.content))
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("error %v is no SyntaxError", err)
			}
			if err.Error() != test.want {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
		})
	}
}

func TestWrongShapesConcernOneServer(t *testing.T) {
	tests := []struct{ entry, want string }{
		{`"node"`, `servers.bad: expected an object, found a string`},
		{`{}`, `servers.bad: expected "command" or "url", found neither`},
		{`{"command": ["node", "x"]}`, `servers.bad.command: expected a string, found an array`},
		{`{"command": "node", "args": "server.js"}`, `servers.bad.args: expected an array of strings, found a string`},
		{`{"command": "node", "args": ["--port", 8080]}`, `servers.bad.args[1]: expected a string, found a number`},
		{`{"command": "node", "env": ["A=1"]}`, `servers.bad.env: expected an object, found an array`},
		{`{"command": "node", "env": {"PORT": 8080}}`, `servers.bad.env.PORT: expected a string, found a number`},
		{`{"command": "node", "env": {"A": null}}`, `servers.bad.env.A: expected a string, found null`},
		{`{"command": "node", "disabled": "no"}`, `servers.bad.disabled: expected true or false, found a string`},
		{`{"url": {"host": "x"}}`, `servers.bad.url: expected a string, found an object`},
		{`{"url": "http://x", "headers": {"X": true}}`, `servers.bad.headers.X: expected a string, found a boolean`},
	}
	for _, test := range tests {
		t.Run(test.entry, func(t *testing.T) {
			content := "{\"servers\": {\n\"bad\": " + test.entry + ",\n\"good\": {\"command\": \"x\"}}}"
			file, err := parse("mcp.json", []byte(content))
			if err != nil {
				t.Fatal(err)
			}
			if s, ok := file.Lookup("good"); !ok || s.Err() != nil || s.Command != "x" {
				t.Errorf("the other server: %+v, %v", s, s.Err())
			}
			bad, _ := file.Lookup("bad")
			_, err = bad.Expand()
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !strings.HasSuffix(err.Error(), ": "+test.want) || syntax.Line != 2 {
				t.Errorf("got %v, want line 2, … %s", err, test.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"mcpServers":{"a":{"command":"x","args":["y"]}}} // z`))
	f.Add([]byte(`{"servers":{"a":"\ud800"}}`))
	f.Add([]byte("{\"a\": \"\\u12\n\"}"))
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := parse("mcp.json", content)
		if (file == nil) == (err == nil) {
			t.Fatalf("file %v, error %v", file, err)
		}
		var syntax *SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Errorf("%v has no position", err)
		}
	})
}
