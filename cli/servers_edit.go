package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/config"
	"parley/ui/theme"
)

const addLong = `Add a server to parley's own list, which is read beside the files of other
programs. The command stands after --, with its arguments; it can be started
later by parley -s NAME. -e, --cwd and --protocol are kept with it; with a URL, -H,
--transport and --protocol. Variables that are written as ${NAME} are replaced each
time it is started: put them in single quotes, so that the shell leaves them alone,
and secrets need not be in the file. The file is readable by its owner only; comments
in it are kept.

  parley servers add weather -e 'TOKEN=${WEATHER_TOKEN}' -- node server.js -v
  parley servers add far https://a.example/mcp -H 'X-Api-Key: ${KEY}'

A server of that name that is there already is replaced with --yes.`

func (a *app) serversAddCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "add NAME [-e K=V] [--cwd DIR] -- COMMAND…", Short: "add a server to parley's own list", Long: addLong,
		Args: cobra.ArbitraryArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			words, command := args, []string(nil)
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				words, command = args[:dash], args[dash:]
			}
			if err := onlyKept(cmd); err != nil {
				return err
			}
			return a.addServer(words, command)
		},
	}
	return c
}

// onlyKept refuses flags that would be lost, as a file of servers has no place for
// them.
func onlyKept(c *cobra.Command) error {
	lost := ""
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "env", "cwd", "url", "header", "transport", "protocol", "yes", "json", "quiet", "verbose", "no-record", "reveal":
		default:
			if f.Changed && lost == "" {
				lost = f.Name
			}
		}
	})
	switch lost {
	case "":
		return nil
	case "config":
		return usage("leave --config away", "servers add writes parley's own list, and no other file")
	}
	return usage("give it when you connect: parley --"+lost+" … -s NAME", "--%s is not kept with a server", lost)
}

func (a *app) addServer(words, command []string) error {
	const form = "the form is parley servers add NAME -- COMMAND …, or parley servers add NAME URL"
	if len(words) == 2 && len(command) == 0 && a.url == "" && config.IsURL(words[1]) {
		a.url, words = words[1], words[:1]
	}
	switch {
	case len(words) == 0:
		return usage(form, "servers add: no name given")
	case len(words) > 1 && len(command) == 0 && a.url == "":
		return usage("the command comes after --: parley servers add "+quoted(words[:1])+" -- "+quoted(words[1:]), "servers add: no command given")
	case len(words) > 1:
		return usage(form, "servers add takes one name, found %q too", words[1])
	case len(command) == 0 && a.url == "":
		return usage(form, "servers add: no command given")
	case len(command) > 0 && a.url != "":
		return usage("give one of them", "servers add: a command and --url")
	case words[0] == "" || strings.ContainsFunc(words[0], unicode.IsControl):
		return usage("a name is a word that you can type", "%q is no name for a server", words[0])
	}
	s, err := a.newServer(words[0], command)
	if err != nil {
		return err
	}
	own, err := config.OwnPath()
	if err != nil {
		return err
	}
	old, there, err := ownServer(own, s.Name)
	if err != nil {
		return err
	}
	if there && !a.yes {
		return usage("--yes replaces it; parley servers show "+quoted([]string{s.Name})+" prints it", "%s has a server %q already, on line %d", own, s.Name, old.Line)
	}
	if err := config.Add(own, s); err != nil {
		return err
	}
	done, then := "added %s to %s%s", "; parley -s "+quoted([]string{s.Name})+" connects to it"
	if there {
		done = "replaced %s in %s%s"
	}
	a.note(done, s.Name, own, then)
	a.tellWinner(s.Name, own)
	return nil
}

// newServer is the server that words and flags describe.
func (a *app) newServer(name string, command []string) (config.Server, error) {
	s := config.Server{Name: name, Dir: a.cwd, Protocol: a.protocol}
	if err := a.checkEnv(); err != nil {
		return s, err
	}
	if err := a.speaking.check(); err != nil {
		return s, err
	}
	if len(command) > 0 {
		s.Command, s.Args = command[0], command[1:]
		if len(a.headers) > 0 || a.transport != "" {
			return s, usage("-H and --transport go with --url", "a command takes no headers and has one transport")
		}
		for _, e := range a.env {
			k, v, _ := strings.Cut(e, "=")
			if s.Env == nil {
				s.Env = map[string]string{}
			}
			s.Env[k] = v
		}
		return s, nil
	}
	s.URL = a.url
	if a.transport != "auto" {
		s.Type = a.transport // without one, the server is asked
	}
	if len(a.env) > 0 || a.cwd != "" {
		return s, usage("-e and --cwd go with a command", "a URL takes no environment and no directory")
	}
	if err := a.networking.check(); err != nil {
		return s, err
	}
	for i, h := range a.headers {
		k, v, err := splitHeader(h, i)
		if err != nil {
			return s, err
		}
		if s.Headers == nil {
			s.Headers = map[string]string{}
		}
		s.Headers[k] = v
	}
	if p := s.Check(a.look); !p.OK {
		var unset *config.VariableError
		if errors.As(p.Err, &unset) { // it is to be set when the server is connected to
			return s, nil
		}
		return s, usage(p.Hint, "%s", p.Message)
	}
	return s, nil
}

// ownServer finds a server in parley's own file, which need not be there.
func ownServer(own, name string) (config.Server, bool, error) {
	file, err := config.LoadOwn(own)
	if err != nil || file == nil {
		return config.Server{}, false, err
	}
	s, ok := file.Lookup(name)
	return s, ok, nil
}

// tellWinner says when the own server of a name is not the one that its name
// connects to here.
func (a *app) tellWinner(name, own string) {
	found, err := config.Discover(a.directory(), "")
	if err != nil {
		return
	}
	if first, ok := found.Lookup(name); ok && first.File != own {
		a.note("here %s is the server of %s, which comes first", name, first.At())
	}
}

func (a *app) serversRemoveCommand(reveal *bool) *cobra.Command {
	return &cobra.Command{
		Use: "rm NAME", Short: "remove a server from parley's own list",
		Long: `Remove a server from parley's own list and print the command that adds it again.
Files of other programs are never changed. Where that command cannot be complete,
as values are masked in it, the removal asks first; --yes answers yes, --reveal
prints the values.

  parley servers rm weather`,
		Args: oneName, ValidArgsFunction: completeOwn,
		RunE: func(_ *cobra.Command, args []string) error { return a.removeServer(args[0], *reveal) },
	}
}

func (a *app) removeServer(name string, reveal bool) error {
	own, err := config.OwnPath()
	if err != nil {
		return err
	}
	s, ok, err := ownServer(own, name)
	if err != nil {
		return err
	}
	if !ok {
		return a.notOwn(own, name)
	}
	shown := s
	if !reveal {
		shown = s.Masked()
	}
	if !reflect.DeepEqual(shown, s) && !a.yes {
		err := a.ask(yesOrNo{
			text:      name + " has values that will not be printed. Remove it?",
			otherwise: name + " has values that are masked, so that the command to add it again would not be complete",
			hint:      "--yes removes it, --reveal prints the values too",
			refused:   name + " is not removed",
		})
		if err != nil {
			return err
		}
	}
	if err := config.Remove(own, name); err != nil {
		return err
	}
	a.note("removed %s from %s; this adds it again:", name, own)
	fmt.Fprintln(a.io.Out, a.shown(addCommand(shown)))
	return nil
}

// notOwn says where a server that is not parley's own is.
func (a *app) notOwn(own, name string) error {
	if found, err := config.Discover(a.directory(), ""); err == nil {
		if s, ok := found.Lookup(name); ok {
			return usage("remove it there: parley never writes the files of other programs", "%s is a server of %s (%s)", name, s.At(), s.Program)
		}
	}
	known := []string{}
	if file, err := config.LoadOwn(own); err == nil && file != nil {
		known = file.Names()
	}
	one := &config.Set{Files: []*config.File{{}}}
	for _, n := range known {
		one.Files[0].Servers = append(one.Files[0].Servers, config.Server{Name: n})
	}
	return &config.UnknownError{Name: name, File: own, Known: known, Nearest: one.Nearest(name)}
}

// addCommand is the command that adds a server, as a shell reads it.
func addCommand(s config.Server) string {
	words := []string{"parley", "servers", "add", s.Name}
	for _, k := range slices.Sorted(maps.Keys(s.Env)) {
		words = append(words, "-e", k+"="+s.Env[k])
	}
	if s.Dir != "" {
		words = append(words, "--cwd", s.Dir)
	}
	if s.Protocol != "" {
		words = append(words, "--protocol", s.Protocol)
	}
	if s.URL != "" {
		words = append(words, "--url", s.URL)
		if slices.Contains(valuesOf("transport"), s.Type) {
			words = append(words, "--transport", s.Type)
		}
		for _, k := range slices.Sorted(maps.Keys(s.Headers)) {
			words = append(words, "-H", k+": "+s.Headers[k])
		}
		return quoted(words)
	}
	return quoted(append(append(words, "--", s.Command), s.Args...))
}

func (a *app) serversShowCommand(reveal *bool) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "print how a server is configured",
		Long: `Print how a server is configured, in whichever file: where, its command or URL,
environment, directory, and whether it can be started. Values of env and headers
are masked, those that are variables are shown as written; --reveal shows all.
With --json, one object in one line.

  parley servers show weather`,
		Args: oneName, ValidArgsFunction: a.completeServers,
		RunE: func(_ *cobra.Command, args []string) error { return a.showServer(args[0], *reveal) },
	}
}

func (a *app) showServer(name string, reveal bool) error {
	found, err := a.findConfig()
	if err != nil {
		return err
	}
	s, ok := found.Lookup(name)
	if !ok {
		return found.Unknown(name)
	}
	row := a.serverRow(found, s)
	if a.json {
		enc := json.NewEncoder(a.io.Out)
		enc.SetEscapeHTML(false)
		return enc.Encode(row.line(reveal))
	}
	shown := s
	if !reveal {
		shown = s.Masked()
	}
	var rows [][2]string
	add := func(key, value string) {
		if value != "" {
			rows = append(rows, [2]string{key, string(theme.Safe(value))})
		}
	}
	add("name", s.Name)
	add("file", s.At())
	add("program", s.Program)
	add("type", s.Type)
	if s.Command != "" {
		add("command", quoted(append([]string{shown.Command}, shown.Args...)))
	}
	add("url", shown.URL)
	for _, k := range slices.Sorted(maps.Keys(shown.Env)) {
		add("env", k+"="+shown.Env[k])
	}
	add("envFile", shown.EnvFile)
	for _, k := range slices.Sorted(maps.Keys(shown.Headers)) {
		add("header", k+": "+shown.Headers[k])
	}
	add("cwd", s.Dir)
	add("protocol", s.Protocol)
	state := row.about()
	switch {
	case state != "":
	case s.URL != "":
		state = "well-formed"
	default:
		state = "can be started"
	}
	add("state", state)
	add("hint", row.hint)
	for _, other := range found.Same(name)[1:] {
		add("not used", other.At()+" ("+other.Program+")")
	}
	a.columns(10, rows)
	return nil
}

// oneName is for commands that take the name of one server.
func oneName(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return usage("parley servers lists the names", "servers %s takes one name, found %d words", c.Name(), len(args))
}

func completeOwn(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []string
	if own, err := config.OwnPath(); err == nil {
		if file, err := config.LoadOwn(own); err == nil && file != nil {
			names = file.Names()
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
