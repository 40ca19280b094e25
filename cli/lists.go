package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley/client"
	"parley/client/mcp"
	"parley/client/wire"
	"parley/ui/theme"
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
	list := func(name, what, method string, print func([][]byte) int) *cobra.Command {
		long := "List the server's " + what + ", all pages. With --json, each page's result on a line of its own,\nas the server sent it.\n\n  parley " + name + " node server.js\n  parley " + name + " --json -s notes"
		return a.targetCommand(name+" [flags] TARGET", "list the server's "+what, long, func(ctx context.Context, l *link) error {
			return a.list(ctx, l, what, method, print)
		})
	}
	return []*cobra.Command{
		list("tools", "tools", "tools/list", a.printTools),
		list("resources", "resources", "resources/list", a.printResources),
		list("templates", "resource templates", "resources/templates/list", a.printTemplates),
		list("prompts", "prompts", "prompts/list", a.printPrompts),
	}
}

// list asks for a list and prints it. It asks again when the server says,
// before anything is printed, that the list changed: real servers add tools
// right after the handshake.
func (a *app) list(ctx context.Context, l *link, what, method string, print func([][]byte) int) error {
	pages, err := l.list(ctx, method)
	if a.json {
		for _, p := range pages {
			fmt.Fprintf(a.io.Out, "%s\n", p)
		}
	} else if n := print(pages); n == 0 && err == nil {
		a.note("the server lists no %s", what)
	}
	return err
}

// maxRelists bounds how often a list that keeps changing is asked for.
const maxRelists = 5

// list returns the result bytes of all pages of the newest listing.
func (l *link) list(ctx context.Context, method string) ([][]byte, error) {
	for i := 0; ; i++ {
		answers, err := l.client.List(ctx, method, client.CallOptions{By: wire.ByForm, Force: true})
		if err == nil && l.client.Changed(method) && i < maxRelists {
			continue
		}
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
		return results, of(method, err)
	}
}

// problem says what is wrong with a page, on standard error.
func (a *app) problem(text string) {
	if text != "" {
		a.note("▲ %s", theme.Safe(text))
	}
}

func row(name, text, malformed string) [2]string {
	if name == "" {
		name = "(no name)"
	}
	if malformed != "" {
		text = strings.TrimSpace("▲ malformed: " + malformed + "  " + text)
	}
	return [2]string{string(theme.Safe(name)), first(text)}
}

func (a *app) printTools(pages [][]byte) int {
	var rows [][2]string
	for _, p := range pages {
		page := mcp.DecodeTools(p)
		a.problem(page.Problem)
		for _, t := range page.Items {
			rows = append(rows, row(t.Name, or(t.Description, t.Title), t.Malformed))
		}
	}
	return a.columns(32, rows)
}

func (a *app) printResources(pages [][]byte) int {
	var rows [][2]string
	for _, p := range pages {
		page := mcp.DecodeResources(p)
		a.problem(page.Problem)
		for _, r := range page.Items {
			rows = append(rows, row(r.URI, join(r.Label(), r.Description), r.Malformed))
		}
	}
	return a.columns(48, rows)
}

func (a *app) printTemplates(pages [][]byte) int {
	var rows [][2]string
	for _, p := range pages {
		page := mcp.DecodeTemplates(p)
		a.problem(page.Problem)
		for _, t := range page.Items {
			rows = append(rows, row(t.URITemplate, join(t.Label(), t.Description), t.Malformed))
		}
	}
	return a.columns(48, rows)
}

func (a *app) printPrompts(pages [][]byte) int {
	var rows [][2]string
	for _, p := range pages {
		page := mcp.DecodePrompts(p)
		a.problem(page.Problem)
		for _, t := range page.Items {
			name := t.Name
			for _, arg := range t.Arguments {
				name += " " + arg.Name
				if arg.Required {
					name += "*"
				}
			}
			rows = append(rows, row(name, or(t.Description, t.Title), t.Malformed))
		}
	}
	return a.columns(32, rows)
}

func or(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func join(name, description string) string {
	description = first(description)
	switch {
	case name == "" || name == description:
		return description
	case description == "":
		return name
	}
	return name + " – " + description
}

// infoCommand prints what the server said in the handshake.
func (a *app) infoCommand() *cobra.Command {
	c := a.targetCommand("info [flags] TARGET", "print what the server says of itself",
		`Print the server's name, version, protocol, capabilities and instructions, the
command and the names of the variables that its environment was given. With
--json, the initialize result as the server sent it.

  parley info node server.js`,
		func(_ context.Context, l *link) error {
			info, _ := l.client.Server()
			if a.json {
				fmt.Fprintf(a.io.Out, "%s\n", info.Raw)
				return nil
			}
			a.printInfo(l, info)
			return nil
		})
	c.PreRunE = func(*cobra.Command, []string) error {
		if a.noHandshake {
			return usage("leave --no-handshake away", "without a handshake a server says nothing of itself")
		}
		return nil
	}
	return c
}

func (a *app) printInfo(l *link, info mcp.Initialize) {
	env := "inherited"
	if l.target.command.CleanEnv {
		env = "clean"
	}
	for _, e := range l.target.command.Env {
		name, _, _ := strings.Cut(e, "=")
		env += " + " + name
	}
	rows := [][2]string{
		{"server", strings.TrimSpace(info.ServerName + " " + info.ServerVersion)},
		{"title", info.ServerTitle},
		{"protocol", info.ProtocolVersion},
		{"capabilities", string(info.Capabilities)},
		{"command", l.target.String()},
		{"environment", env},
	}
	for _, r := range rows {
		if r[1] != "" {
			fmt.Fprintf(a.io.Out, "%-13s %s\n", r[0], theme.Safe(r[1]))
		}
	}
	if info.Instructions != "" {
		fmt.Fprintf(a.io.Out, "instructions\n%s\n", a.shown(info.Instructions))
	}
	a.problem(info.Problem)
}

func (a *app) pingCommand() *cobra.Command {
	return a.targetCommand("ping [flags] TARGET", "send ping and print how long the answer took",
		"Send ping and print how long the answer took, without the time to start the server.\n\n  parley ping node server.js", func(ctx context.Context, l *link) error {
			answer, err := l.client.Ping(ctx)
			if err != nil {
				return of("ping", err)
			}
			if a.json {
				return a.printResult(l, answer)
			}
			fmt.Fprintf(a.io.Out, "answered in %s\n", answer.Took().Round(10_000))
			return nil
		})
}

// printResult prints an answer's result bytes unchanged, as one line.
func (a *app) printResult(l *link, answer client.Answer) error {
	if err := l.client.WriteResult(a.io.Out, answer); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.io.Out)
	return err
}

// toolError is a result with isError: the tool failed, the protocol did not.
type toolError struct{ tool string }

func (e *toolError) Error() string { return fmt.Sprintf("the tool %s answered with an error", e.tool) }
func (e *toolError) Word() string  { return "tool" }
