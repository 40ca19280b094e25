package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/client/near"
	"parley/config"
	"parley/script"
)

// topic is a help page of its own.
type topic struct {
	name, short string
	print       func(w io.Writer) error
}

// topics are the help pages that belong to no one command.
var topics = []topic{
	{"targets", "how a server is named", text(targetsHelp)},
	{"answers", "how requests of the server are answered", text(answersHelp)},
	{"scripts", "the command language of repl, run and the console", scriptsHelp},
	{"session-files", "where sessions are kept, and their form", sessionFilesHelp},
	{"exit-codes", "the exit codes, and errors as JSON", exitCodesHelp},
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

const targetsHelp = `A target is what to connect to. It is one of

  node server.js --port 3  a command with its arguments, passed through untouched
  ./server                 one word with a slash: a command, too
  weather                  one word: the configured server of that name, else a program
  -s weather               a configured server, and nothing else
  -- weather               a program, and nothing else
  https://example.com/mcp  a URL, also --url URL

A URL is http or https (Streamable HTTP, or HTTP+SSE where a server has only
that), ws or wss (a websocket), tcp://host:port or unix:///path (lines, as on
standard input and output). A user before the host is sent as Authorization: Basic.

parley [flags] TARGET opens the screen. tools, resources, templates, prompts,
info, ping, raw, repl, replay and run take their flags before the target; what
stands behind its first word belongs to it. call, read, get, complete and request
have words of their own, so their target comes after --, and their flags before
that:

  parley tools --json node server.js --port 3
  parley call get_weather city=Paris --json -- node server.js --port 3
  parley call get_weather city=Paris -s weather

The server gets our environment and what -e NAME=value and the configuration add;
--clean-env gives it only the short one that hosts give. parley servers lists what
is configured, and where.

What a URL is asked with:

  -H 'Name: value'         a header of every request; ${NAME} in it, in single quotes
                           for the shell, is a variable of the environment, so that a
                           secret stands in no history
  --ca FILE                trust these certificates too; --cert and --key FILE show ours
  --insecure               do not check the server's certificate
  --transport http|sse     one of the two transports of HTTP; auto finds out
  HTTPS_PROXY, NO_PROXY    are heeded

Values of headers, passwords and parameters that sound secret are shown and kept
masked. --protocol says how to speak: legacy begins with initialize (protocols up to
2025-11-25), modern sends requests that each say everything (2026-07-28), auto finds
out, and remembers it of a configured server. A command, a websocket and a socket
are spoken to as legacy, as a question that a server does not know can stall it;
http as auto.
`

func scriptsHelp(w io.Writer) error {
	if _, err := io.WriteString(w, `A script is a text file, one command a line, the same as typed into parley repl
and the console of the screen. The whole of it is read before anything starts. It
ends at the first step that fails, with that step's exit code; a failed expect
exits 1.

  tools
  let x = call add a=1 b=2
  expect $x.content[0].text contains 3
  ! call add a=one ~ /number/

  parley run smoke.txt node server.js

parley help scripts COMMAND tells more about one of these.

`); err != nil {
		return err
	}
	return script.Help(w, "")
}

func sessionFilesHelp(w io.Writer) error {
	dir, err := config.SessionsDir()
	if err != nil {
		dir = "nowhere: " + err.Error()
	}
	_, err = fmt.Fprintf(w, `Every session is kept as a file, readable only by you; --no-record keeps none.
They are in

  %s

A file is JSON Lines: a header, then a line for each frame, with its number "n",
its time "t", its direction "d" (">" to the server, "<" from it), its kind "k"
where it is no message (stray, stderr, http, event), and its exact bytes, "raw" as
text or "b64". Values of environment variables are never written.

  parley sessions                list them
  parley show last               a line a frame
  parley show last 4 | jq .      the exact bytes of frame 4
  parley open last               look through one on the screen
  parley replay last TARGET      send the client's side again, compare the answers

docs/session-format.md of the sources is the whole of it.
`, dir)
	return err
}

// exitMeanings says what each exit code means.
var exitMeanings = []string{
	exitFine:        "fine",
	exitOther:       "other failure; a failed expect",
	exitUsage:       "usage: flags, arguments, or arguments that the tool's schema refuses",
	exitAuth:        "authorization needed or refused",
	exitUnreachable: "could not connect, crashed, timed out",
	exitServer:      "the server answered with an error, or a result with isError",
	exitFindings:    "findings or differences",
}

func exitCodesHelp(w io.Writer) error {
	var b strings.Builder
	words := slices.Sorted(maps.Keys(exits))
	for code, meaning := range exitMeanings {
		fmt.Fprintf(&b, "  %d  %s\n", code, meaning)
		own := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return exits[w] != code })
		if len(own) > 0 {
			fmt.Fprintf(&b, "       %s\n", strings.Join(own, ", "))
		}
	}
	_, err := fmt.Fprintf(w, `The exit codes, and under each the words for its errors:

%s
With --json a failure is one line on standard error, the only one without -v, with
one of these words or another (expect, interrupted, error: exit 1) as its code:

  {"error":{"code":"exited","message":"…","hint":"…","exit":7}}

Where they apply there are exit or signal (the server's own end), status (of its
HTTP answer), stderr and stdout (its last lines), rpcCode and data (its JSON-RPC error), findings (what it
did against the specification), notes (what was said on the side), and at and
errors (places in a script). parley raw exits as the server does when the server
exits by itself.
`, b.String())
	return err
}

// groups are the commands by what they are for, in the order of the root's help.
var groups = []struct{ id, title, commands string }{
	{"look", "One answer, then out:", "tools resources templates prompts info ping"},
	{"do", "One operation, with the target after --:", "call read get complete request"},
	{"language", "The command language:", "repl run"},
	{"wire", "Bytes as they are:", "raw"},
	{"sessions", "Sessions:", "sessions show open replay"},
	{"more", "More:", "servers demo completion version help"},
}

// grouped are the commands of a group, in the order of the table.
func grouped(root *cobra.Command, id string) (list []*cobra.Command) {
	var order []string
	for _, g := range groups {
		if g.id == id {
			order = strings.Fields(g.commands)
		}
	}
	for _, name := range order {
		if c, _, err := root.Find([]string{name}); err == nil {
			list = append(list, c)
		}
	}
	return list
}

// groupCommands gives each command its place in the root's help.
func groupCommands(root *cobra.Command) {
	place := map[string]string{}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, name := range strings.Fields(g.commands) {
			place[name] = g.id
		}
	}
	for _, c := range root.Commands() {
		c.GroupID = place[c.Name()]
	}
}

// helpCommands adds help and completion.
func (a *app) helpCommands(root *cobra.Command) {
	var pages []string
	for _, t := range topics {
		pages = append(pages, fmt.Sprintf("  %-14s %s", t.name, t.short))
	}
	help := &cobra.Command{
		Use: "help [COMMAND… | TOPIC]", Short: "print the help of a command or a topic",
		Long: "Print the help of a command: what it does, its words, its flags. Or that of a\ntopic:\n\n" + strings.Join(pages, "\n"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (out completions, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				out = append(commandNames(root), topicNames()...)
			}
			return out, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			for _, t := range topics {
				if len(args) == 1 && args[0] == t.name {
					return a.page(t.print)
				}
			}
			if len(args) == 2 && args[0] == "scripts" {
				return a.languageHelp(args[1])
			}
			about, rest, err := c.Root().Find(args)
			if err == nil && len(rest) == 0 {
				about.InitDefaultHelpFlag()
				return about.Help()
			}
			if len(args) == 1 && script.Help(io.Discard, args[0]) == nil { // only the language has it
				return a.languageHelp(args[0])
			}
			hint := "parley help lists the commands; topics are " + strings.Join(topicNames(), ", ")
			if meant := near.Best(args[0], append(commandNames(root), topicNames()...)); meant != "" {
				hint = "did you mean parley help " + meant + "?"
			}
			return usage(hint, "there is no command %q", strings.Join(args, " "))
		},
	}
	root.SetHelpCommand(help)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.Use = "completion SHELL"
	completion.Short = "print a completion script for a shell"
	completion.Long = completionLong
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return usage("it can be bash, zsh, fish or powershell", "there is no completion for %q", args[0])
	}
	completionScripts(completion)
	_ = root.RegisterFlagCompletionFunc("server", a.completeServers)
}

// page prints a page of help for the width that there is.
func (a *app) page(print func(io.Writer) error) error {
	var text strings.Builder
	if err := print(&text); err != nil {
		return err
	}
	_, err := io.WriteString(a.io.Out, reflow(text.String(), a.helpWidth()))
	return err
}

// languageHelp prints what there is to say of a command of the language; its forms
// are a line each.
func (a *app) languageHelp(name string) error {
	var text, out strings.Builder
	if err := script.Help(&text, name); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		out.WriteString(wrapColumn(strings.TrimRight(line, "\n"), a.helpWidth()) + "\n")
	}
	_, err := io.WriteString(a.io.Out, out.String())
	return err
}

func topicNames() (names []string) {
	for _, t := range topics {
		names = append(names, t.name)
	}
	return names
}
