package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"parley/client/wire"
	"parley/config"
)

// target is what to connect to: a command to start, or a URL.
type target struct {
	name       string  // for people: the configured name, the command's, or the URL's host
	configured string  // the name in the configuration; empty if it was not named by it
	protocol   string  // what the configuration says, as --protocol
	remote     *remote // of a URL; nil of a command
	// command has in Shown the command as a configuration has it, before its
	// variables were replaced: their values may be secrets and are neither shown nor
	// kept. Arguments that sound like secrets are masked in it.
	command wire.Command
}

// words are the command line to show and to keep; a URL has none.
func (t target) words() []string {
	if t.command.Shown != nil {
		return t.command.Shown
	}
	return t.command.Args
}

// String is the command line, or the URL, for people.
func (t target) String() string {
	if t.remote != nil {
		return t.remote.shown
	}
	return strings.Join(t.words(), " ")
}

// behind names a target behind the words of a command.
func (a *app) behind(t *target) string {
	switch {
	case t.configured != "" && a.config != "":
		return quoted([]string{"-s", t.configured, "--config", a.config})
	case t.configured != "":
		return quoted([]string{"-s", t.configured})
	case t.remote != nil:
		return quoted(t.remote.typed)
	}
	return "-- " + quoted(t.words())
}

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
		return target{}, usage("give a command, a URL, -s NAME, or try: parley demo", "no target given")
	case n > 1:
		return target{}, usage("give one of: a command, a URL, -s NAME, --url URL", "more than one target given")
	case a.url != "":
		return a.urlTarget(a.url)
	case a.server != "":
		return a.configured(a.server)
	case strings.HasPrefix(words[0], "-") && !forced:
		return target{}, usage("parley's own flags come before the target and before FILE; in call, read, get, complete and request before --", "%q is no target", words[0])
	case len(words) == 1 && !forced:
		return a.oneWord(words[0])
	case config.IsURL(words[0]) && !forced:
		return target{}, usage("parley's own flags come before the URL; -- forces a command",
			"%s is a URL and takes no words behind it, found %q", config.MaskURL(words[0]), words[1])
	}
	t, err := a.commandTarget(words)
	if err == nil {
		err = a.perhapsConfigured(t, forced)
	}
	return t, err
}

// perhapsConfigured is for a command that cannot be found though a server of that
// name is configured: the error says how it is named. Others are nil.
func (a *app) perhapsConfigured(t target, forced bool) error {
	_, err := t.command.Check()
	if !errors.Is(err, exec.ErrNotFound) {
		return nil
	}
	name := t.command.Args[0]
	if strings.Contains(name, "=") {
		return &advised{err, "arguments stand before --; -e NAME=value sets a variable of the server"}
	}
	found, unread := a.findConfig()
	if unread != nil {
		return nil //nolint:nilerr // the command itself is wrong, which is told when it is started
	}
	s, ok := found.Lookup(name)
	switch {
	case !ok:
		return nil
	case forced:
		return &advised{err, fmt.Sprintf("%s is a server of %s: -s %s connects to it; -- forces a command", name, s.At(), quoted([]string{name}))}
	}
	return &advised{err, fmt.Sprintf("%s is a server of %s, which takes no words: parley's own flags come before it", name, s.At())}
}

// oneWord is a URL, a configured name or a program, in this order.
func (a *app) oneWord(word string) (target, error) {
	if config.IsURL(word) {
		return a.urlTarget(word)
	}
	if strings.ContainsRune(word, '/') || strings.ContainsRune(word, filepath.Separator) {
		t, err := a.commandTarget([]string{word})
		return t, withoutScheme(err, &t, word)
	}
	found, err := a.findConfig()
	if err != nil {
		return target{}, err
	}
	if _, ok := found.Lookup(word); ok {
		if path, err := exec.LookPath(word); err == nil {
			a.note("%s is the configured server; parley -- %s would start %s", word, word, path)
		}
		return a.use(found, word)
	}
	if broken := found.Broken(); len(broken) > 0 { // one of them may have it
		if _, err := exec.LookPath(word); err != nil {
			return target{}, found.Unknown(word)
		}
		a.tellBroken(broken)
	}
	t, err := a.commandTarget([]string{word})
	if err != nil {
		return t, err
	}
	if _, err := t.command.Check(); err != nil {
		return target{}, withoutScheme(neither(err, found, word), &t, word)
	}
	return t, nil
}

// withoutScheme is for a word like localhost:3000/mcp that is no command: a URL was
// meant.
func withoutScheme(err error, t *target, word string) error {
	if !config.MissingScheme(word) {
		return err
	}
	missing := err
	if missing == nil {
		_, missing = t.command.Check()
	}
	if missing == nil {
		return nil
	}
	return &advised{missing, fmt.Sprintf("did you mean http://%s or https://%s? a URL begins with its scheme", word, word)}
}

// neither is a word that is no program and no configured server: the hint names
// those that may have been meant.
func neither(err error, found *config.Set, word string) error {
	if !errors.Is(err, exec.ErrNotFound) {
		return err
	}
	advice := hint(err)
	add := func(more string) {
		if advice != "" {
			advice += "; "
		}
		advice += more
	}
	names := found.Names()
	switch near := found.Nearest(word); {
	case len(near) > 0:
		add(whereOf(found, near[0]) + " has a server of a similar name: " + strings.Join(near, ", "))
	case advice != "": // it says what is wrong already
	case len(names) == 0:
		add("there is no configuration file here that could have a server of that name")
	default:
		if len(names) > maxNames {
			names = append(names[:maxNames:maxNames], "…")
		}
		add(whereOf(found, names[0]) + " has other servers: " + strings.Join(names, ", "))
	}
	return &advised{err, advice}
}

// whereOf names the file with a server, or the configuration where there are
// several files.
func whereOf(found *config.Set, name string) string {
	if s, ok := found.Lookup(name); ok && len(found.Files) == 1 {
		return s.File
	}
	return "the configuration"
}

// maxNames is how many names a hint lists.
const maxNames = 12

// findConfig reads the configuration that counts here: the file that --config
// names, else all files that programs keep. It is asked for only where a name
// is looked up.
func (a *app) findConfig() (*config.Set, error) {
	found, err := config.Discover(a.directory(), a.config)
	const names = "--config names a file like .mcp.json"
	switch {
	case a.config == "" || err == nil:
		return found, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage(names, "the configuration %s does not exist", a.config)
	case word(err) != "usage": // it cannot be read
		return nil, usage(names, "%v", err)
	}
	return nil, err
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
	found, err := a.findConfig()
	if err != nil {
		return target{}, err
	}
	if _, ok := found.Lookup(name); !ok {
		if len(found.Files) == 0 {
			return target{}, noConfiguration(name)
		}
		return target{}, found.Unknown(name)
	}
	return a.use(found, name)
}

func noConfiguration(name string) error {
	own, _ := config.OwnPath()
	return usage("--config FILE names one; parley looks for .mcp.json, mcp.json, .cursor/mcp.json, .vscode/mcp.json and others of the project, then "+
		own+", then the files of other programs; parley servers add "+name+" -- COMMAND … makes one",
		"no configuration found, so no server %q", name)
}

// tellBroken says which files could not be read: they do not keep the servers of
// others from being used.
func (a *app) tellBroken(broken []*config.File) {
	for _, f := range broken {
		a.note("left out: %v", f.Err)
	}
}

// use makes the target of a server that is configured, and says so when there
// are several of its name.
func (a *app) use(found *config.Set, name string) (target, error) {
	same := found.Same(name)
	a.tellBroken(found.BrokenBefore(same[0]))
	if len(same) > 1 {
		others := make([]string, 0, len(same)-1)
		for _, s := range same[1:] {
			others = append(others, s.At())
		}
		a.note("%s is the server of %s; %s too, which is not used", name, same[0].At(), has(others))
	}
	if same[0].Disabled {
		a.note("%s is disabled in %s; parley uses it all the same", name, same[0].At())
	}
	ready, err := same[0].ExpandAsking(a.asking())
	if err != nil {
		return target{}, err
	}
	t, err := a.serverTarget(same[0], ready)
	if err == nil {
		err = a.fits(&t)
	}
	return t, err
}

// has puts places into words: "a has one".
func has(places []string) string {
	if len(places) == 1 {
		return places[0] + " has one"
	}
	return strings.Join(places, ", ") + " have one"
}

// serverTarget turns a configured server, as written and with its variables
// replaced, into a target; flags win over the file.
func (a *app) serverTarget(written, s config.Server) (target, error) {
	if err := a.checkEnv(); err != nil {
		return target{}, err
	}
	if s.URL != "" {
		t, err := a.remoteTarget(written, s)
		if err != nil {
			var wrong *config.URLError
			if errors.As(err, &wrong) {
				err = &advised{fmt.Errorf("server %q of %s: %w", s.Name, s.At(), err), wrong.Hint()}
			}
			return target{}, err
		}
		t.configured = s.Name
		return t, nil
	}
	shown := written.Masked()
	t := target{name: s.Name, configured: s.Name, protocol: s.Protocol, command: wire.Command{
		Args: append([]string{s.Command}, s.Args...), Shown: append([]string{shown.Command}, shown.Args...), Dir: s.Dir,
		Env: append(s.Environ(), a.env...), CleanEnv: a.cleanEnv,
	}}
	if a.cwd != "" {
		t.command.Dir = a.cwd
	}
	if p := s.Check(a.look); !p.OK {
		return target{}, &advised{fmt.Errorf("server %q of %s: %w", s.Name, s.At(), p.Err), p.Hint}
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
	t := target{
		name:    commandName(words),
		command: wire.Command{Args: words, Dir: a.cwd, Env: a.env, CleanEnv: a.cleanEnv},
	}
	return t, a.fits(&t)
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
