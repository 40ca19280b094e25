package config

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Place is where a program keeps its MCP servers.
type Place struct {
	Program string // "Claude Code"; several where they share the file; parley for our own
	Path    string
	Project bool // it belongs to the project directory, not to the user

	own      bool
	dir      string     // the project's directory
	keys     []string   // the keys below which servers are; empty for all that are known
	sections [][]string // the paths of the objects that have the servers, the first one counts
	dialect  dialect
}

// base is a directory that places are in.
type base uint8

const (
	inProject base = iota
	inHome         // $HOME, %USERPROFILE%
	inConfig       // $XDG_CONFIG_HOME or ~/.config, %APPDATA%; on macOS ~/.config
	inAppData      // the same, but on macOS ~/Library/Application Support: Electron's userData
)

// row is a file that a program documents. A path for Windows is given where it
// differs in more than its base. A path that ends in /* stands for all files of
// that folder.
type row struct {
	program string
	base    base
	path    string
	keys    string // separated by spaces; empty for mcpServers
	windows string
	dialect dialect
}

// projectRows are read from the project's directory, in this order.
//
// What the programs document: Claude Code shares .mcp.json with a team, and
// Visual Studio and the Copilot CLI read it too (code.claude.com/docs/en/mcp,
// code.visualstudio.com/docs/agents/reference/mcp-configuration). Cursor, Kiro,
// Roo, Junie and Amazon Q have mcpServers in a folder of theirs. VS Code has
// servers and inputs; older versions had them in settings.json below mcp. Gemini
// CLI has mcpServers among its settings, and takes $NAME for a variable
// (geminicli.com/docs/tools/mcp-server). Zed calls them context_servers, whose
// command once was an object (zed.dev/docs/ai/mcp). Codex reads mcp_servers of a
// trusted project (developers.openai.com/codex/mcp). opencode and Crush have
// them below mcp, the command in one array (opencode.ai/docs/mcp-servers).
// Continue takes files of either syntax from a folder (docs.continue.dev).
var projectRows = []row{
	{program: "Claude Code, Copilot, Visual Studio", path: ".mcp.json", keys: "mcpServers servers"},
	{program: "project", path: "mcp.json", keys: "mcpServers servers"},
	{program: "Cursor", path: ".cursor/mcp.json", keys: "mcpServers servers"},
	{program: "VS Code", path: ".vscode/mcp.json", keys: "servers mcpServers"},
	{program: "VS Code", path: ".vscode/settings.json", keys: "mcp mcp.servers"},
	{program: "Gemini CLI", path: ".gemini/settings.json", dialect: dollars},
	{program: "Qwen Code", path: ".qwen/settings.json", dialect: dollars},
	{program: "Codex", path: ".codex/config.toml", keys: "mcp_servers"},
	{program: "Zed", path: ".zed/settings.json", keys: "context_servers"},
	{program: "opencode", path: "opencode.json", keys: "mcp", dialect: braces},
	{program: "opencode", path: "opencode.jsonc", keys: "mcp", dialect: braces},
	{program: "Crush", path: "crush.json", keys: "mcp"},
	{program: "Crush", path: ".crush.json", keys: "mcp"},
	{program: "Kiro", path: ".kiro/settings/mcp.json"},
	{program: "Amazon Q", path: ".amazonq/mcp.json"},
	{program: "Roo Code", path: ".roo/mcp.json"},
	{program: "Junie", path: ".junie/mcp/mcp.json"},
	{program: "Copilot CLI", path: ".github/mcp.json"},
	{program: "Continue", path: ".continue/mcpServers/*"},
}

// userRows are read from the user's directories, in this order, after parley's
// own file. Sources beyond those above: Claude Desktop
// (modelcontextprotocol.io/docs/develop/connect-local-servers), Windsurf with
// serverUrl (docs.windsurf.com/windsurf/cascade/mcp), Cline and Roo in the
// storage of the editor's extension, Goose with cmd, envs and env_keys, whose
// values it keeps in the keyring (block.github.io/goose/docs/guides/config-files),
// LM Studio in Cursor's notation (lmstudio.ai/docs/app/mcp), Copilot CLI with
// $COPILOT_HOME (docs.github.com/copilot), Antigravity beside Gemini.
var userRows = []row{
	{program: "Claude Desktop", base: inAppData, path: "Claude/claude_desktop_config.json"},
	{program: "Cursor", base: inHome, path: ".cursor/mcp.json", keys: "mcpServers servers"},
	{program: "VS Code", base: inAppData, path: "Code/User/mcp.json", keys: "servers mcpServers"},
	{program: "VS Code", base: inAppData, path: "Code/User/settings.json", keys: "mcp mcp.servers"},
	{program: "VS Code Insiders", base: inAppData, path: "Code - Insiders/User/mcp.json", keys: "servers mcpServers"},
	{program: "VS Code Insiders", base: inAppData, path: "Code - Insiders/User/settings.json", keys: "mcp mcp.servers"},
	{program: "VSCodium", base: inAppData, path: "VSCodium/User/mcp.json", keys: "servers mcpServers"},
	{program: "Windsurf", base: inHome, path: ".codeium/windsurf/mcp_config.json"},
	{program: "Cline", base: inAppData, path: "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
	{program: "Cline", base: inHome, path: ".cline/data/settings/cline_mcp_settings.json"},
	{program: "Roo Code", base: inAppData, path: "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"},
	{program: "Zed", base: inConfig, path: "zed/settings.json", keys: "context_servers", windows: "Zed/settings.json"},
	{program: "Codex", base: inHome, path: ".codex/config.toml", keys: "mcp_servers"},
	{program: "Goose", base: inConfig, path: "goose/config.yaml", keys: "extensions", windows: "Block/goose/config/config.yaml"},
	{program: "Gemini CLI", base: inHome, path: ".gemini/settings.json", dialect: dollars},
	{program: "Antigravity", base: inHome, path: ".gemini/antigravity/mcp_config.json"},
	{program: "Qwen Code", base: inHome, path: ".qwen/settings.json", dialect: dollars},
	{program: "Amazon Q", base: inHome, path: ".aws/amazonq/mcp.json"},
	{program: "Amazon Q", base: inHome, path: ".aws/amazonq/default.json"},
	{program: "Kiro", base: inHome, path: ".kiro/settings/mcp.json"},
	{program: "Copilot CLI", base: inHome, path: ".copilot/mcp-config.json"},
	{program: "Continue", base: inHome, path: ".continue/config.yaml"},
	{program: "opencode", base: inHome, path: ".config/opencode/opencode.json", keys: "mcp", dialect: braces},
	{program: "opencode", base: inHome, path: ".config/opencode/opencode.jsonc", keys: "mcp", dialect: braces},
	{program: "Crush", base: inConfig, path: "crush/crush.json", keys: "mcp"},
	{program: "Junie", base: inHome, path: ".junie/mcp/mcp.json"},
	{program: "LM Studio", base: inHome, path: ".lmstudio/mcp.json"},
	{program: "Visual Studio", base: inHome, path: ".mcp.json", keys: "servers mcpServers"},
	{program: "MCP", base: inConfig, path: "mcp/mcp.json", keys: "mcpServers servers"},
}

// moved are the variables by which programs let their folder be elsewhere.
var moved = map[string]struct{ folder, variable string }{
	"Codex":       {".codex/", "CODEX_HOME"},
	"Copilot CLI": {".copilot/", "COPILOT_HOME"},
}

// Places lists where servers may be configured, in the order in which they
// count: the files of the project in dir, then parley's own, then the user's
// files of other programs. They need not exist.
func Places(dir string) []Place { return places(dir, runtime.GOOS, os.Getenv) }

func places(project, goos string, getenv func(string) string) []Place {
	if abs, err := filepath.Abs(project); err == nil {
		project = abs
	}
	bases := baseDirs(project, goos, getenv)
	var out []Place
	if claude := bases.claude(getenv); claude != "" {
		// what was added for this project only; Claude Code lets it win over .mcp.json
		out = append(out, Place{Program: "Claude Code, for this project", Path: claude, Project: true, dir: project,
			sections: slices.CompactFunc([][]string{{"projects", project, "mcpServers"}, {"projects", filepath.ToSlash(project), "mcpServers"}}, slices.Equal)})
	}
	for _, r := range projectRows {
		out = append(out, r.places(bases, goos, getenv, true)...)
	}
	if own, err := dir(goos, getenv, "XDG_CONFIG_HOME", ".config"); err == nil {
		out = append(out, Place{Program: "parley", Path: join(goos, own, "mcp.json"), own: true, dir: project})
	}
	if claude := bases.claude(getenv); claude != "" {
		out = append(out, Place{Program: "Claude Code", Path: claude, dir: project, sections: [][]string{{"mcpServers"}}})
	}
	for _, r := range userRows {
		out = append(out, r.places(bases, goos, getenv, false)...)
	}
	return out
}

// baseTable are the directories by base; empty where the system tells none.
type baseTable [inAppData + 1]string

func baseDirs(dir, goos string, getenv func(string) string) baseTable {
	t := baseTable{inProject: dir}
	if goos == "windows" {
		t[inHome], t[inConfig] = getenv("USERPROFILE"), getenv("APPDATA")
		if t[inConfig] == "" && t[inHome] != "" {
			t[inConfig] = join(goos, t[inHome], "AppData", "Roaming")
		}
		t[inAppData] = t[inConfig]
		return t
	}
	t[inHome] = getenv("HOME")
	if t[inHome] != "" {
		t[inConfig] = join(goos, t[inHome], ".config")
	}
	if goos == "darwin" {
		if t[inHome] != "" {
			t[inAppData] = join(goos, t[inHome], "Library", "Application Support")
		}
		return t
	}
	if xdg := getenv("XDG_CONFIG_HOME"); absolute(goos, xdg) {
		t[inConfig] = xdg
	}
	t[inAppData] = t[inConfig]
	return t
}

// claude is the file in which Claude Code keeps its state, the servers of the
// user and of each project among it.
func (t baseTable) claude(getenv func(string) string) string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Join(dir, ".claude.json")
	}
	if t[inHome] == "" {
		return ""
	}
	return filepath.Join(t[inHome], ".claude.json")
}

// places are the places of a row, none where its directory is unknown.
func (r row) places(bases baseTable, goos string, getenv func(string) string, project bool) []Place {
	path, base := r.path, bases[r.base]
	if r.windows != "" && goos == "windows" {
		path = r.windows
	}
	if m, ok := moved[r.program]; ok && !project && getenv(m.variable) != "" {
		path, base = strings.TrimPrefix(path, m.folder), getenv(m.variable)
	}
	if base == "" {
		return nil
	}
	p := Place{Program: r.program, Project: project, dir: bases[inProject], dialect: r.dialect, keys: []string{"mcpServers"}}
	if r.keys != "" {
		p.keys = strings.Fields(r.keys)
	}
	p.Path = join(goos, base, filepath.FromSlash(path))
	folder, all := strings.CutSuffix(p.Path, "*")
	if !all {
		return []Place{p}
	}
	var out []Place
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".json", ".yaml", ".yml":
			one := p
			one.Path = folder + e.Name()
			out = append(out, one)
		}
	}
	return out
}

// dialectOf is how variables are written in a file that was named.
func dialectOf(path string) dialect {
	slashed := filepath.ToSlash(path)
	for _, r := range slices.Concat(projectRows, userRows) {
		if r.dialect != plain && (slashed == r.path || strings.HasSuffix(slashed, "/"+r.path)) {
			return r.dialect
		}
	}
	return plain
}

// projectOf is the directory that a file is about: its own, or the one above
// when a program keeps the file in a folder of its settings.
func projectOf(path string) string {
	dir := filepath.Dir(path)
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	slashed := filepath.ToSlash(dir)
	for _, r := range projectRows {
		folder := "/" + filepath.ToSlash(filepath.Dir(r.path))
		if folder != "/." && strings.HasSuffix(slashed, folder) {
			return filepath.FromSlash(strings.TrimSuffix(slashed, folder))
		}
	}
	return dir
}
