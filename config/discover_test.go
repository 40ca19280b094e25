package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
	home := map[string]map[string]string{
		"linux":   {"HOME": "/h"},
		"darwin":  {"HOME": "/Users/u"},
		"windows": {"USERPROFILE": `C:\Users\u`, "APPDATA": `C:\Users\u\AppData\Roaming`, "LocalAppData": `C:\Users\u\AppData\Local`},
	}
	tests := []struct {
		goos, program string
		env           map[string]string
		want          string
	}{
		{"linux", "Claude Desktop", nil, "/h/.config/Claude/claude_desktop_config.json"},
		{"darwin", "Claude Desktop", nil, "/Users/u/Library/Application Support/Claude/claude_desktop_config.json"},
		{"windows", "Claude Desktop", nil, `C:\Users\u\AppData\Roaming\Claude\claude_desktop_config.json`},
		{"linux", "Cursor", nil, "/h/.cursor/mcp.json"},
		{"linux", "VS Code", map[string]string{"XDG_CONFIG_HOME": "/c"}, "/c/Code/User/mcp.json"},
		{"darwin", "VS Code", map[string]string{"XDG_CONFIG_HOME": "/c"}, "/Users/u/Library/Application Support/Code/User/mcp.json"},
		{"linux", "Zed", nil, "/h/.config/zed/settings.json"},
		{"darwin", "Zed", nil, "/Users/u/.config/zed/settings.json"},
		{"windows", "Zed", nil, `C:\Users\u\AppData\Roaming\Zed\settings.json`},
		{"windows", "Goose", nil, `C:\Users\u\AppData\Roaming\Block\goose\config\config.yaml`},
		{"linux", "Goose", nil, "/h/.config/goose/config.yaml"},
		{"linux", "Codex", nil, "/h/.codex/config.toml"},
		{"linux", "Codex", map[string]string{"CODEX_HOME": "/x"}, "/x/config.toml"},
		{"linux", "Copilot CLI", map[string]string{"COPILOT_HOME": "/x"}, "/x/mcp-config.json"},
		{"linux", "Windsurf", nil, "/h/.codeium/windsurf/mcp_config.json"},
		{"linux", "Gemini CLI", nil, "/h/.gemini/settings.json"},
		{"linux", "opencode", map[string]string{"XDG_CONFIG_HOME": "/c"}, "/h/.config/opencode/opencode.json"},
		{"linux", "Claude Code", nil, "/h/.claude.json"},
		{"linux", "Claude Code", map[string]string{"CLAUDE_CONFIG_DIR": "/cl"}, "/cl/.claude.json"},
		{"linux", "parley", nil, "/h/.config/parley/mcp.json"},
	}
	for _, test := range tests {
		t.Run(test.goos+" "+test.program, func(t *testing.T) {
			getenv := func(name string) string {
				if v, ok := test.env[name]; ok {
					return v
				}
				return home[test.goos][name]
			}
			var got []string
			for _, p := range places("/p", test.goos, getenv) {
				if p.Program == test.program && !p.Project {
					got = append(got, strings.ReplaceAll(p.Path, "/", sameSlash(test.goos)))
				}
			}
			want := strings.ReplaceAll(test.want, "/", sameSlash(test.goos))
			if runtime.GOOS == "windows" {
				t.Skip("paths of other systems look different here")
			}
			if !slices.Contains(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	for _, p := range places("/p", "linux", func(string) string { return "" }) {
		if !p.Project {
			t.Errorf("without a home directory: %+v", p)
		}
	}
}

// sameSlash is the separator of a system: a part of a path for Windows comes
// from filepath on another system with slashes.
func sameSlash(goos string) string {
	if goos == "windows" {
		return `\`
	}
	return "/"
}

// home is a machine of its own: a home directory and a project in it.
func home(t *testing.T, files map[string]string) (homeDir, project string) {
	t.Helper()
	root := t.TempDir()
	homeDir, project = filepath.Join(root, "home"), filepath.Join(root, "project")
	for _, name := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"} {
		t.Setenv(name, "")
	}
	for name, dir := range map[string]string{"HOME": "", "USERPROFILE": "", "XDG_CONFIG_HOME": ".config", "APPDATA": ".config", "LocalAppData": ".config"} {
		t.Setenv(name, filepath.Join(homeDir, dir))
	}
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		put := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(put), 0o755); err != nil {
			t.Fatal(err)
		}
		content = strings.ReplaceAll(content, "PROJECT", filepath.ToSlash(project))
		if err := os.WriteFile(put, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return homeDir, project
}

func TestDiscoverOrder(t *testing.T) {
	_, project := home(t, map[string]string{
		"project/.mcp.json":                   `{"mcpServers": {"a": {"command": "project"}, "c": {"command": "project"}}}`,
		"project/.vscode/mcp.json":            `{"servers": {"a": {"command": "code"}, "v": {"command": "code"}}}`,
		"project/.continue/mcpServers/x.yaml": "mcpServers:\n- {name: y, command: continue}\n",
		"project/.continue/mcpServers/z.json": `{"mcpServers": {"z": {"command": "continue"}}}`,
		"home/.config/parley/mcp.json":        `{"mcpServers": {"a": {"command": "own"}, "o": {"command": "own"}}}`,
		"home/.claude.json":                   `{"n": 1, "mcpServers": {"u": {"command": "user"}, "o": {"command": "user"}}, "projects": {"PROJECT": {"mcpServers": {"c": {"command": "local"}}, "history": ["x"]}, "/other": {"mcpServers": {"no": {"command": "x"}}}}}`,
		"home/.cursor/mcp.json":               `{"mcpServers": `,
		"home/.codex/config.toml":             "[mcp_servers.t]\ncommand = \"codex\"\n",
	})
	set, err := Discover(project, "")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "project", "c": "local", "v": "code", "y": "continue", "z": "continue", "o": "own", "u": "user", "t": "codex"}
	names := set.Names()
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "a c o t u v y z" {
		t.Errorf("names %s", got)
	}
	for name, command := range want {
		if s, _ := set.Lookup(name); s.Command != command {
			t.Errorf("%s is the one of %s, want %s", name, s.Command, command)
		}
	}
	if same := set.Same("a"); len(same) != 3 || same[1].Command != "code" || same[2].Command != "own" || same[2].Program != "parley" {
		t.Errorf("a: %+v", same)
	}
	broken := set.Broken()
	if len(broken) != 1 || broken[0].Program != "Cursor" {
		t.Fatalf("broken %+v", broken)
	}
	var syntax *SyntaxError
	if err := set.Unknown("nobody"); !errors.As(err, &syntax) || !strings.HasSuffix(syntax.File, "mcp.json") {
		t.Errorf("a file that cannot be read may have it: %v", err)
	}
	var unknown *UnknownError
	if err := set.Unknown("aa"); !errors.As(err, &unknown) || unknown.Hint() != "did you mean a?" {
		t.Errorf("the file that cannot be read hides what was meant: %v", err)
	}
	for name, want := range map[string]int{"c": 0, "a": 0, "v": 0, "t": 1} {
		if s, _ := set.Lookup(name); len(set.BrokenBefore(s)) != want {
			t.Errorf("%d files that cannot be read come before that of %s, want %d", len(set.BrokenBefore(s)), name, want)
		}
	}
	if own := set.Same("o"); len(own) != 2 || own[0].Line != 1 || own[1].Line != 1 {
		t.Errorf("o: %+v", own)
	}
}

func TestAnEmptyFileOfAProgramHasNoServers(t *testing.T) {
	_, project := home(t, map[string]string{"project/.mcp.json": "", "project/.vscode/mcp.json": "\xef\xbb\xbf \n", "home/.gemini/settings.json": "\n"})
	set, err := Discover(project, "")
	if err != nil || len(set.Files) != 0 {
		t.Errorf("%d files, %v", len(set.Files), err)
	}
	if _, err := Discover(project, filepath.Join(project, ".mcp.json")); err == nil {
		t.Error("one that was named is none")
	}
}

// TestAFileOfVariablesTellsNoValues keeps what a broken .env has out of errors.
func TestAFileOfVariablesTellsNoValues(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".env")
	for _, content := range []string{"TOKEN='hunter2", "TOKEN=\"hunter2\nMORE=hunter2", "TOKEN hunter2\n", "=hunter2", "hunter2", "A=1\nhunter2!=2"} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readDotenv(path); err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestDiscoverEdges(t *testing.T) {
	_, project := home(t, nil)
	set, err := Discover(project, "")
	if err != nil || len(set.Files) != 0 {
		t.Fatalf("nothing there: %+v, %v", set, err)
	}
	var unknown *UnknownError
	if err := set.Unknown("x"); !errors.As(err, &unknown) || err.Error() != `no server "x" is configured` ||
		unknown.Hint() != "parley servers add x -- COMMAND … configures it" {
		t.Errorf("%v", err)
	}
	if _, err := Discover(project, filepath.Join(project, "absent.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an explicit file that is not there: %v", err)
	}
	// what is a directory cannot be read, and what lies below a file is not there
	homeDir, project := home(t, map[string]string{"project/.mcp.json/x": "", "project/.vscode": "", "home/.claude.json": `{"mcpServers": {`})
	set, _ = Discover(project, "")
	var programs []string
	for _, f := range set.Broken() {
		programs = append(programs, f.Program)
	}
	if got := strings.Join(programs, "; "); got != "Claude Code, Copilot, Visual Studio; Claude Code" {
		t.Errorf("broken: %s", got)
	}
	// a project in the home directory has no file twice
	set, _ = Discover(homeDir, "")
	if len(set.Files) != 1 {
		t.Errorf("%d files", len(set.Files))
	}
}

func TestVariablesOfAProject(t *testing.T) {
	_, project := home(t, map[string]string{
		"project/.env":             "PARLEY_TEST_DOT=from-dot\nPARLEY_TEST_BOTH=dot # comment\n",
		"project/.vscode/mcp.json": `{"inputs": [{"id": "the-key", "type": "promptString"}, {"id": "level", "default": "low"}], "servers": {"s": {"command": "${workspaceFolder}/x", "args": ["${PARLEY_TEST_DOT}", "${env:PARLEY_TEST_BOTH}", "${input:level}", "${input:the-key}"], "envFile": "more.env", "env": {"GIVEN": "1"}}, "lost": {"command": "x", "envFile": "no.env"}}}`,
		"project/more.env":         "GIVEN=2\nMORE='a b'\n",
		"home/.cursor/mcp.json":    `{"mcpServers": {"u": {"command": "${PARLEY_TEST_DOT}"}}}`,
		"project/opencode.json":    `{"mcp": {"oc": {"type": "local", "command": ["{env:PARLEY_TEST_BOTH}", "{file:text}", "${PARLEY_TEST_BOTH}", "{other}"]}}}`,
		"project/text":             "of a file\n",
		"home/.gemini/settings.json": `{"mcpServers": {"g": {"command": "$PARLEY_TEST_BOTH/x", "args": ["$", "$1", "a$"]},
			"gone": {"command": "$PARLEY_TEST_NO"}}}`,
		"home/.codex/config.toml":        "[mcp_servers.co]\ncommand=\"x\"\nenv_vars=[\"PARLEY_TEST_BOTH\", \"PARLEY_TEST_NO\"]\n",
		"home/.config/goose/config.yaml": "extensions:\n  go: {type: stdio, cmd: x, env_keys: [PARLEY_TEST_NO]}\n",
	})
	t.Setenv("PARLEY_TEST_BOTH", "env")
	set, err := Discover(project, "")
	if err != nil {
		t.Fatal(err)
	}
	expand := func(name string, ask Ask) (Server, error) {
		t.Helper()
		s, ok := set.Lookup(name)
		if !ok {
			t.Fatalf("no server %s in %v", name, set.Names())
		}
		return s.ExpandAsking(ask)
	}
	asked := 0
	s, err := expand("s", func(in Input) (string, error) {
		asked++
		if in.ID != "the-key" || in.Variable() != "THE_KEY" {
			t.Errorf("asked for %+v", in)
		}
		return "typed", nil
	})
	if err != nil || asked != 1 {
		t.Fatalf("%v, asked %d times", err, asked)
	}
	if got := strings.Join(append([]string{s.Command}, s.Args...), " "); got != filepath.ToSlash(project)+"/x from-dot env low typed" && runtime.GOOS != "windows" {
		t.Error(got)
	}
	if got := strings.Join(s.Environ(), " "); got != "GIVEN=1 MORE=a b" {
		t.Error(got)
	}
	no := errors.New("nobody there")
	if _, err := expand("s", func(Input) (string, error) { return "", no }); !errors.Is(err, no) {
		t.Errorf("%v", err)
	}
	if _, err := expand("s", nil); err == nil || !strings.Contains(err.Error(), "args[3] uses ${input:the-key}") {
		t.Errorf("%v", err)
	}
	if _, err := expand("lost", nil); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "mcp.json:1:") || !strings.Contains(err.Error(), "server lost: envFile no.env: ") {
		t.Errorf("%v", err)
	}
	if _, err := expand("u", nil); err == nil {
		t.Error(".env of the project answers for a file of the user")
	}
	if s, err := expand("oc", nil); err != nil || s.Command != "env" || strings.Join(s.Args, "|") != "of a file|env|{other}" {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := expand("g", nil); err != nil || s.Command != "env/x" || strings.Join(s.Args, "|") != "$|$1|a$" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := expand("gone", nil); err == nil || !strings.Contains(err.Error(), "command uses ${PARLEY_TEST_NO}") {
		t.Errorf("%v", err)
	}
	if s, err := expand("co", nil); err != nil || strings.Join(s.Environ(), " ") != "PARLEY_TEST_BOTH=env" {
		t.Errorf("%+v, %v", s, err)
	}
	var variable *VariableError
	if _, err := expand("go", nil); !errors.As(err, &variable) || !strings.Contains(variable.Hint(), "keyring") {
		t.Errorf("%v", err)
	}
	// an explicit file of a program keeps that program's variables
	one, err := Discover(project, filepath.Join(project, "opencode.json"))
	if err != nil {
		t.Fatal(err)
	}
	oc, _ := one.Lookup("oc")
	if s, err := oc.Expand(); err != nil || s.Command != "env" {
		t.Errorf("%+v, %v", s, err)
	}
	if err := os.WriteFile(filepath.Join(project, ".env"), []byte("A='never closed"), 0o600); err != nil {
		t.Fatal(err)
	}
	set, _ = Discover(project, "")
	if _, err := expand("s", nil); err == nil || !strings.Contains(err.Error(), "variables from ") || !strings.Contains(err.Error(), ".env: ") ||
		strings.Contains(err.Error(), "never closed") {
		t.Errorf("a broken .env: %v", err)
	}
}

func BenchmarkDiscover(b *testing.B) {
	dir := b.TempDir()
	b.Setenv("HOME", dir)
	b.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, ".config"))
	// Claude Code's file grows to some megabytes
	big := `{"history": [` + strings.Repeat(`{"display": "some text \"quoted\"", "pastedContents": {}},`, 60_000) + `0], "mcpServers": {"a": {"command": "x"}}}`
	if err := os.WriteFile(filepath.Join(dir, ".claude.json"), []byte(big), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(big)))
	for b.Loop() {
		set, err := Discover(dir, "")
		if err != nil || len(set.Names()) != 1 {
			b.Fatal(set, err)
		}
	}
}
