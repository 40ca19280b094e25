package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"parley/client/wire"
	"parley/script"
)

// oneVerb is oneStep of a verb without words.
func (a *app) oneVerb(t target, verb string, flags map[string]string) error {
	step, err := script.StepOf(verb, nil, flags)
	if err != nil {
		return err
	}
	return a.oneStep(&t, verb, step)
}

// oneStep runs the step of a command and prints what it gives, as that of the verb:
// at once, before the server is ended. t may be nil: then a step that needs a
// server fails.
func (a *app) oneStep(t *target, verb string, step *script.Step) error {
	host := a.newHost(t)
	return a.runStep(captured{host, func(o *script.Outcome) error {
		o.Verb = verb
		return a.print(o)
	}}, host, step)
}

// runStep runs one step in a host that stands before another, and ends that.
func (a *app) runStep(front script.Host, host *scriptHost, step *script.Step) error {
	deps := a.answerDeps()
	in := script.New(script.Options{Host: front, By: wire.ByForm, Force: a.force, Answers: &deps, Shape: host.shape})
	_, err := in.Do(a.ctx, step)
	_ = in.Close(a.ctx)                // the host says what went wrong with that
	if end := endOf(err); end != nil { // there is nothing to restart here
		err = &advised{err, withoutRestart(hint(err))}
	}
	return host.finish(err)
}

// targetCommand makes a command whose flags stand before the target; everything
// after the target's first word is the target's.
func (a *app) targetCommand(use, short, long string, fn func(t target) error) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Long: long, Args: cobra.ArbitraryArgs,
		Annotations: queries, ValidArgsFunction: a.completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := a.target(args, cmd.ArgsLenAtDash() == 0)
			if err != nil {
				return err
			}
			return fn(t)
		},
	}
	c.Flags().SetInterspersed(false)
	return c
}

// queries marks the commands that --jq is for.
var queries = map[string]string{"jq": "yes"}

// checkQuery looks at --jq before anything is started.
func (a *app) checkQuery(c *cobra.Command) error {
	given := c.Root().PersistentFlags().Changed("jq")
	switch {
	case !given:
		return nil
	case c.Annotations["jq"] == "":
		return usage("it is for tools resources templates prompts info call read get complete request; elsewhere: … --json | jq EXPR",
			"--jq: %s has no result to look into", c.Name())
	case strings.TrimSpace(a.jq) == "":
		return usage("--jq .tools[0].name; . is the whole result", "--jq wants an expression, found an empty one")
	}
	return script.CheckQuery(a.jq)
}

func (a *app) listCommand(name, example string) *cobra.Command {
	what := nouns[name]
	long := "List the server's " + what + `, all pages. On a terminal the list is a table of its
width, where * marks what is required. In a pipe or a file each line has the name
and the first line of the description, parted by two spaces or more. With --json,
each page's result is on a line of its own, as the server sent it; --jq looks into
all pages as one.

  parley ` + name + ` node server.js
  parley ` + name + ` --jq '` + example + `' -s notes
  parley ` + name + ` --page node server.js`
	page := &pageFlag{}
	var own stepFlags
	var c *cobra.Command
	c = a.targetCommand(name+" [flags] TARGET", "list the server's "+what, long, func(t target) error {
		flags := own.given(c)
		if page.given {
			flags["--page"] = page.cursor
		}
		return a.oneVerb(t, name, flags)
	})
	own.of(c, name)
	f := c.Flags().VarPF(page, "page", "", "one page only: the first, or that of a `CURSOR`; the next one's cursor is told")
	f.NoOptDefVal = firstPage
	return c
}

// firstPage is what --page without a cursor stands for; no cursor is like it.
const firstPage = "\x00"

// pageFlag is --page or --page=CURSOR.
type pageFlag struct {
	given  bool
	cursor string
}

func (p *pageFlag) String() string { return p.cursor }

// Type implements [pflag.Value].
func (p *pageFlag) Type() string { return "cursor" }

// Set implements [pflag.Value].
func (p *pageFlag) Set(cursor string) error {
	if cursor == firstPage {
		cursor = ""
	}
	p.given, p.cursor = true, cursor
	return nil
}

// infoCommand prints what the server said in the handshake.
func (a *app) infoCommand() *cobra.Command {
	return a.targetCommand("info [flags] TARGET", "print what the server says of itself",
		`Print the server's name, version, protocol, capabilities and instructions, how it is
spoken to, and the command and the names of the variables that its environment was
given, or the URL. With --json, the result of initialize or server/discover as the
server sent it.

  parley info node server.js
  parley info --jq .serverInfo.version node server.js`,
		func(t target) error {
			if a.noHandshake {
				return usage("leave --no-handshake away", "without a handshake a server says nothing of itself")
			}
			return a.oneVerb(t, "info", nil)
		})
}

func (a *app) pingCommand() *cobra.Command {
	c := a.targetCommand("ping [flags] TARGET", "send ping and print how long the answer took",
		"Send ping and print how long the answer took, without the time to start the server.\n\n  parley ping node server.js",
		func(t target) error { return a.oneVerb(t, "ping", nil) })
	c.Annotations = nil
	return c
}

// captured is a host that gives what a step gave to a function.
type captured struct {
	*scriptHost
	show func(*script.Outcome) error
}

// Show implements [script.Host].
func (c captured) Show(o *script.Outcome) error { return c.show(o) }

// lookAt runs a step and gives what came of it to fn, while the connection is open.
func (a *app) lookAt(t *target, verb string, fn func(*script.Outcome) error) error {
	step, err := script.StepOf(verb, nil, nil)
	if err != nil {
		return err
	}
	host := a.newHost(t)
	return a.runStep(captured{host, fn}, host, step)
}
