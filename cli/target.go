package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"parley/client/wire"
	"parley/config"
)

// target is what to connect to.
type target struct {
	name    string // for people: the configured name, or the command's
	command wire.Command
}

// String is the command line for people.
func (t target) String() string { return strings.Join(t.command.Args, " ") }

// given reports whether words or flags name a target.
func (a *app) given(words []string) bool {
	return len(words) > 0 || a.server != "" || a.url != ""
}

// target applies the grammar of targets. A -- before the words forces a command.
func (a *app) target(words []string, forced bool) (target, error) {
	n := 0
	for _, given := range []bool{len(words) > 0, a.server != "", a.url != ""} {
		if given {
			n++
		}
	}
	switch {
	case n == 0:
		return target{}, usage("give a command, -s NAME, or try: parley demo", "no target given")
	case n > 1:
		return target{}, usage("give one of: a command, -s NAME, --url URL", "more than one target given")
	case a.url != "":
		return target{}, noURL(a.url)
	case a.server != "":
		return a.configured(a.server)
	case len(words) == 1 && !forced:
		return a.oneWord(words[0])
	}
	return a.commandTarget(words)
}

func noURL(url string) error {
	return usage("this release speaks stdio only: give the command that starts the server", "%s: URLs cannot be connected to yet", url)
}

// oneWord is a URL, a configured name or a program, in this order.
func (a *app) oneWord(word string) (target, error) {
	if scheme, _, ok := strings.Cut(word, "://"); ok && isScheme(scheme) {
		return target{}, noURL(word)
	}
	if strings.ContainsRune(word, '/') || strings.ContainsRune(word, filepath.Separator) {
		return a.commandTarget([]string{word})
	}
	file, err := config.Find(a.directory(), a.config)
	if err != nil && !errors.Is(err, config.ErrNone) {
		if _, found := exec.LookPath(word); found != nil || a.config != "" {
			return target{}, err
		}
		a.note("%v", err)
	}
	if file != nil {
		if _, ok := file.Lookup(word); ok {
			if path, err := exec.LookPath(word); err == nil {
				a.note("%s is the configured server; parley -- %s would start %s", word, word, path)
			}
			return a.configured(word)
		}
	}
	t, err := a.commandTarget([]string{word})
	if err != nil {
		return t, err
	}
	if _, err := t.command.Check(); err != nil {
		return target{}, nearest(err, file, word)
	}
	return t, nil
}

func isScheme(s string) bool {
	switch strings.ToLower(s) {
	case "http", "https", "ws", "wss", "tcp", "unix":
		return true
	}
	return false
}

// nearest adds the configured servers with names like word to the hint of err.
func nearest(err error, file *config.File, word string) error {
	if file == nil {
		return err
	}
	names := file.Nearest(word)
	if len(names) == 0 {
		return err
	}
	return &failure{word: "unreachable", message: err.Error(),
		hint: strings.TrimPrefix(hint(err)+"; ", "; ") + "configured servers with names like it: " + strings.Join(names, ", ")}
}

func (a *app) directory() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}

// configured looks a server up in the configuration.
func (a *app) configured(name string) (target, error) {
	file, err := config.Find(a.directory(), a.config)
	if errors.Is(err, config.ErrNone) {
		own, _ := config.ConfigDir()
		return target{}, usage("--config FILE names one; parley looks for .mcp.json, mcp.json, .cursor/mcp.json, .vscode/mcp.json, then "+filepath.Join(own, "mcp.json"),
			"no configuration found, so no server %q", name)
	}
	if err != nil {
		return target{}, err
	}
	s, err := file.Use(name)
	if err != nil {
		return target{}, err
	}
	return a.serverTarget(s)
}

// serverTarget turns a configured server, its variables expanded, into a
// target; flags win over the file.
func (a *app) serverTarget(s config.Server) (target, error) {
	if err := a.checkEnv(); err != nil {
		return target{}, err
	}
	if s.URL != "" {
		return target{}, noURL(s.URL)
	}
	t := target{name: s.Name, command: wire.Command{
		Args: append([]string{s.Command}, s.Args...), Dir: s.Dir,
		Env: append(s.Environ(), a.env...), CleanEnv: a.cleanEnv,
	}}
	if a.cwd != "" {
		t.command.Dir = a.cwd
	}
	if p := s.Check(a.look); !p.OK {
		return target{}, &failure{word: "unreachable", hint: p.Hint,
			message: fmt.Sprintf("server %q of %s:%d: %s", s.Name, s.File, s.Line, p.Message)}
	}
	return t, nil
}

// look says whether a program could be started.
func (a *app) look(program, dir string, env []string) error {
	_, err := wire.Command{Args: []string{program}, Dir: dir, Env: env, CleanEnv: a.cleanEnv}.Check()
	return err
}

func (a *app) commandTarget(words []string) (target, error) {
	if err := a.checkEnv(); err != nil {
		return target{}, err
	}
	return target{
		name:    commandName(words),
		command: wire.Command{Args: words, Dir: a.cwd, Env: a.env, CleanEnv: a.cleanEnv},
	}, nil
}

func (a *app) checkEnv() error {
	for _, e := range a.env {
		if k, _, ok := strings.Cut(e, "="); !ok || k == "" {
			return usage("write -e NAME=value", "-e %s is not NAME=value", e)
		}
	}
	return nil
}

// commandName is what people would call the server that a command starts: the
// first word that is neither a runner nor a flag, without path and ending.
func commandName(words []string) string {
	runners := map[string]bool{"npx": true, "node": true, "uvx": true, "uv": true, "run": true, "python": true, "python3": true,
		"java": true, "deno": true, "bun": true, "bunx": true, "go": true, "env": true, "sh": true, "bash": true, "npm": true, "exec": true}
	name := ""
	for _, w := range words {
		base := filepath.Base(w)
		if strings.HasPrefix(w, "-") || strings.Contains(w, "=") || (runners[base] && name == "") {
			continue
		}
		name = base
		break
	}
	if name == "" {
		name = filepath.Base(words[0])
	}
	for _, ext := range []string{".js", ".mjs", ".ts", ".py", ".jar", ".exe", ".sh"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}
