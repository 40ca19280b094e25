package cli

import (
	"context"
	"errors"
	"io"
	"log"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/client"
)

// Version is set by the release build; a build from the module cache or a
// checkout tells its own.
var Version = ""

func version() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "0.1.0-dev"
}

// app is one run of the program: its streams and the common flags.
type app struct {
	io  Streams
	ctx context.Context

	server, config, url        string
	env                        []string
	cleanEnv, noHandshake      bool
	cwd                        string
	clientName, clientVersion  string
	timeout                    time.Duration
	json, quiet, verbose       bool
	noRecord, yes, force, help bool
	showVersion                bool

	answering
	networking
	speaking
	watching bool // what a server tells is shown by somebody else
	warned   bool // of a certificate that is not checked
	loose    bool // flags that make no sense for a target are left out, as another was named with them

	jq, save string      // --jq and --save, where a command has them
	helped   error       // what went wrong in printing the help of a tool
	typed    []string    // of a line being completed: its words up to the cursor
	current  *link       // the newest connection of a command, for what is printed of it
	held     *notes      // what was noted where it is to stand in the line of an error; else nil
	notices  chan string // where notes go while the screen has the terminal; else nil
}

// Main runs parley with the arguments after the program's name and returns the
// exit code. Cancelling ctx ends what runs in order.
func Main(ctx context.Context, args []string, streams Streams) int {
	log.SetOutput(io.Discard) // net/http writes there what it thinks of servers
	out := &outlet{w: streams.Out}
	streams.Out = out
	a := &app{io: streams, ctx: ctx}
	err := a.run(args)
	if exitCode(err) == exitFine || readerGone(err) && out.gone() {
		err = out.lost()
	}
	notes := a.release(err)
	if err == nil {
		return exitFine
	}
	report(streams.Err, a.advised(err), a.json || wantsJSON(err, args), notes...)
	return exitCode(err)
}

// wantsJSON reports whether --json stands among flags that could not be read.
func wantsJSON(err error, args []string) bool {
	var wrong *flagsError
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return errors.As(err, &wrong) && slices.Contains(args, "--json")
}

// run finds the command. The first word that is no flag decides: a command's
// name is that command; anything else, or a -- before it, is a target.
func (a *app) run(args []string) error {
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		a.typed = args[1:]
	}
	root := a.bareRoot()
	pre := pflag.NewFlagSet("parley", pflag.ContinueOnError)
	pre.SetInterspersed(false)
	pre.SetOutput(io.Discard)
	pre.AddFlagSet(root.PersistentFlags())
	pre.BoolVarP(&a.help, "help", "h", false, "")
	pre.BoolVar(&a.showVersion, "version", false, "")
	if err := pre.Parse(args); err != nil {
		return flagError(err, pre)
	}
	if err := checkValues(pre); err != nil {
		return err
	}
	rest := pre.Args()
	command := pre.ArgsLenAtDash() != 0 && len(rest) > 0 && a.addCommands(root, rest[0])
	switch {
	case a.showVersion:
		return a.printVersion()
	case a.help && !command:
		a.addCommands(root, "help")
		return root.Help()
	case command:
		if a.help {
			rest = append(rest[:1:1], "--help")
		}
		root.SetArgs(rest)
		if err := root.ExecuteContext(a.ctx); err != nil {
			return err
		}
		return a.helped
	}
	if pre.Changed("jq") {
		return a.checkQuery(root)
	}
	return a.tui(rest, pre.ArgsLenAtDash() == 0)
}

// before is what has to be right of the flags of every command.
func (a *app) before(c *cobra.Command) error {
	if err := checkValues(c.Flags()); err != nil {
		return err
	}
	a.holdNotes(c.Name())
	return a.checkQuery(c)
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// command is a command by its name.
type command struct {
	name string
	make func() *cobra.Command
}

func (a *app) commands() []command {
	return []command{
		{"demo", a.demoCommand},
		{"tools", func() *cobra.Command { return a.listCommand("tools", ".tools[].name") }},
		{"resources", func() *cobra.Command { return a.listCommand("resources", ".resources[].uri") }},
		{"templates", func() *cobra.Command { return a.listCommand("templates", ".resourceTemplates[].uriTemplate") }},
		{"prompts", func() *cobra.Command { return a.listCommand("prompts", ".prompts[].name") }},
		{"info", a.infoCommand}, {"ping", a.pingCommand},
		{"call", a.callCommand}, {"read", a.readCommand}, {"get", a.getCommand}, {"complete", a.completeCommand}, {"request", a.requestCommand},
		{"raw", a.rawCommand}, {"repl", a.replCommand}, {"run", a.runCommand},
		{"sessions", a.sessionsCommand}, {"show", a.showCommand}, {"open", a.openCommand}, {"replay", a.replayCommand},
		{"servers", a.serversCommand}, {"version", a.versionCommand},
	}
}

// addCommands makes the command of a name, and only that, as all of them take their
// time; help and completion need them all. It reports whether there is that command.
func (a *app) addCommands(root *cobra.Command, name string) bool {
	switch name {
	case "help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
		for _, c := range a.commands() {
			root.AddCommand(c.make())
		}
		a.helpCommands(root)
		completeFlags(root)
		a.completeTargets(root)
		if a.typed != nil {
			plainUsages(root)
		}
	default:
		all := a.commands()
		i := slices.IndexFunc(all, func(c command) bool { return c.name == name })
		if i < 0 {
			return false
		}
		root.CompletionOptions.DisableDefaultCmd = true
		root.AddCommand(all[i].make())
	}
	groupCommands(root)
	for _, c := range append(root.Commands(), root) {
		c.Flags().SortFlags = false // they stand in the order of importance
	}
	withFlags(root.Commands())
	return true
}

// root has all commands.
func (a *app) root() *cobra.Command {
	root := a.bareRoot()
	a.addCommands(root, "help")
	return root
}

// bareRoot has the flags of all commands, and none of these.
func (a *app) bareRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "parley [flags] [TARGET]",
		Short: "Talk to any MCP server from your terminal",
		Long:  rootLong,
		Args:  cobra.ArbitraryArgs,
		RunE:  func(_ *cobra.Command, args []string) error { return a.tui(args, false) },

		ValidArgsFunction: a.completeTarget,

		SilenceErrors: true, SilenceUsage: true,
	}
	root.SetOut(a.io.Out)
	root.SetErr(a.io.Err)
	root.SetIn(a.io.In)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return flagError(err, c.Flags()) })
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return a.before(c) }
	a.commonFlags(root.PersistentFlags())
	root.PersistentFlags().SortFlags = false
	root.SetUsageFunc(a.usage)
	root.SetHelpFunc(a.printHelp)
	return root
}

func (a *app) commonFlags(f *pflag.FlagSet) {
	f.StringVarP(&a.server, "server", "s", "", "the target: a server of the configuration, by `NAME`")
	f.StringVar(&a.config, "config", "", "the configuration `FILE` (default: the project's files, parley's own, then those of other programs; parley servers lists them)")
	f.StringVar(&a.url, "url", "", "the target: a server's `URL`: http, https, ws, wss, tcp or unix")
	f.StringArrayVarP(&a.env, "env", "e", nil, "set an environment variable of the server, `K=V` (repeatable)")
	f.BoolVar(&a.cleanEnv, "clean-env", false, "give the server only the short environment that hosts give")
	f.StringVar(&a.cwd, "cwd", "", "the server's working `DIR`")
	a.networking.flags(f)
	a.speaking.flags(f)
	f.BoolVar(&a.noHandshake, "no-handshake", false, "connect and send nothing: direct talk from the first byte")
	f.StringVar(&a.clientName, "client-name", "parley", "the `NAME` to introduce ourselves by")
	f.StringVar(&a.clientVersion, "client-version", version(), "the `VERSION` to introduce ourselves by")
	a.answering.flags(f)
	f.DurationVar(&a.timeout, "timeout", client.DefaultTimeout, "wait this `DURATION` for an answer; of run: for the whole script")
	f.BoolVar(&a.json, "json", false, "print the server's result bytes unchanged, one line each; errors as one JSON line")
	f.StringVar(&a.jq, "jq", "", "print what a jq `EXPR` makes of the result; a text as it is, with --json as JSON")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "no notes on standard error")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "show on standard error what passes: every message, the server's standard error, heads and events of HTTP")
	f.BoolVar(&a.noRecord, "no-record", false, "do not keep the session as a file")
	f.BoolVar(&a.yes, "yes", false, "answer questions with yes")
	f.BoolVar(&a.force, "force", false, "send what the server did not declare or its schema refuses")
}

const rootLong = `parley talks to any MCP server from your terminal: explore it, call it, read
every byte, replay it.

TARGET is a command with its arguments, passed through untouched, a URL, or the
name of a configured server. parley's own flags come before it:

  parley npx -y @modelcontextprotocol/server-everything
  parley https://example.com/mcp
  parley -e TOKEN=abc node server.js --port 3
  parley -s filesystem
  parley demo

Without a target a start screen lists configured servers and recent sessions.
In a pipe or a script use the commands below; call, read, get, complete and
request take their target after --:

  parley tools node server.js
  parley call get_weather city=Paris -- node server.js
  parley call get_weather --help -- node server.js
  parley tools --jq '.tools[].name' node server.js

Every session is recorded; parley sessions lists them, parley open reads them.

Exit codes: 0 fine, 1 other failure, 2 usage, 3 authorization, 4 could not
connect, crashed or timed out, 5 the server answered with an error, 6 findings
or differences. parley help targets, answers, scripts, session-files and
exit-codes tell more.`
