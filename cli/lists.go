package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"parley/client"
	"parley/client/wire"
	"parley/script"
)

// targetCommand makes a command whose flags stand before the target; everything
// after the target's first word is the target's.
func (a *app) targetCommand(use, short, long string, fn func(ctx context.Context, l *link) error) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Long: long, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.oneShot(args, cmd.ArgsLenAtDash() == 0, fn)
		},
	}
	c.Flags().SetInterspersed(false)
	return c
}

func (a *app) listCommands() []*cobra.Command {
	list := func(name, what, method string) *cobra.Command {
		long := "List the server's " + what + ", all pages. With --json, each page's result on a line of its own,\nas the server sent it.\n\n  parley " + name + " node server.js\n  parley " + name + " --json -s notes"
		return a.targetCommand(name+" [flags] TARGET", "list the server's "+what, long, func(ctx context.Context, l *link) error {
			answers, err := l.answers(ctx, method)
			o := outcome(name, l, answers...)
			o.Err = err
			if err := a.print(o); err != nil {
				return err
			}
			return err
		})
	}
	return []*cobra.Command{
		list("tools", "tools", "tools/list"),
		list("resources", "resources", "resources/list"),
		list("templates", "resource templates", "resources/templates/list"),
		list("prompts", "prompts", "prompts/list"),
	}
}

// outcome is what a request gave, for printing.
func outcome(verb string, l *link, answers ...client.Answer) *script.Outcome {
	return &script.Outcome{Verb: verb, Link: &script.Link{Client: l.client, Log: l.log}, Answers: answers}
}

// maxRelists bounds how often a list that keeps changing is asked for.
const maxRelists = 5

// answers returns all pages of the newest listing.
func (l *link) answers(ctx context.Context, method string) ([]client.Answer, error) {
	for i := 0; ; i++ {
		answers, err := l.client.List(ctx, method, client.CallOptions{By: wire.ByForm, Force: true})
		if err == nil && l.client.Changed(method) && i < maxRelists {
			continue
		}
		return answers, of(method, err)
	}
}

// list returns the result bytes of all pages of the newest listing.
func (l *link) list(ctx context.Context, method string) ([][]byte, error) {
	answers, err := l.answers(ctx, method)
	var results [][]byte
	for _, a := range answers {
		if a.Head.Form != wire.Result {
			continue
		}
		raw, readErr := l.client.Result(a)
		if readErr != nil {
			return results, readErr
		}
		results = append(results, raw)
	}
	return results, err
}

// infoCommand prints what the server said in the handshake.
func (a *app) infoCommand() *cobra.Command {
	c := a.targetCommand("info [flags] TARGET", "print what the server says of itself",
		`Print the server's name, version, protocol, capabilities and instructions, the
command and the names of the variables that its environment was given. With
--json, the initialize result as the server sent it.

  parley info node server.js`,
		func(_ context.Context, l *link) error {
			return a.print(outcome("info", l))
		})
	c.PreRunE = func(*cobra.Command, []string) error {
		if a.noHandshake {
			return usage("leave --no-handshake away", "without a handshake a server says nothing of itself")
		}
		return nil
	}
	return c
}

func (a *app) pingCommand() *cobra.Command {
	return a.targetCommand("ping [flags] TARGET", "send ping and print how long the answer took",
		"Send ping and print how long the answer took, without the time to start the server.\n\n  parley ping node server.js", func(ctx context.Context, l *link) error {
			answer, err := l.client.Ping(ctx)
			if err != nil {
				return of("ping", err)
			}
			return a.print(outcome("ping", l, answer))
		})
}

// toolError is a result with isError: the tool failed, the protocol did not.
type toolError struct{ tool string }

func (e *toolError) Error() string { return fmt.Sprintf("the tool %s answered with an error", e.tool) }
func (e *toolError) Word() string  { return "tool" }
