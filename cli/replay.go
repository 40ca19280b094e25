package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley/client"
	"parley/script"
	"parley/ui/theme"
)

func (a *app) replayCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "replay [flags] FILE TARGET",
		Short: "send a session's client side again and compare the answers",
		Long: `Send the client's messages of a recorded session to a server again, in order,
each request waiting for its answer, and compare the answers with the recorded
ones: as JSON, ids aside. A line an exchange; each difference with its path.
Exits 0 when all are the same, 6 when not. Tools that did not say that they only
read are called after a question; --yes answers it.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			target, forced := args[1:], false
			if len(target) > 0 && target[0] == "--" {
				target, forced = target[1:], true
			}
			return a.replay(args[0], target, forced)
		},
	}
	c.Flags().SetInterspersed(false)
	return c
}

func (a *app) replay(file string, words []string, forced bool) error {
	recorded, err := a.openSession(file)
	if err != nil {
		return err
	}
	defer func() { _ = recorded.Close() }()
	if len(script.Steps(recorded)) == 0 {
		return usage("parley show prints what it has", "%s has nothing that a client sent", file)
	}
	if names := script.Dangerous(recorded); len(names) > 0 {
		if err := a.ask("This calls "+strings.Join(names, ", ")+" again, which may change things. Go on?", "--yes calls them"); err != nil {
			return err
		}
	}
	a.noHandshake = true // the recorded handshake is replayed
	counts := map[script.Verdict]int{}
	err = a.oneShot(words, forced, func(ctx context.Context, l *link) error {
		return script.Replay(ctx, recorded, l.log, l.client, func(r script.Replayed) {
			counts[r.Verdict]++
			a.printReplayed(r)
		})
	})
	if err != nil {
		return err
	}
	if !a.json {
		fmt.Fprintf(a.io.Out, "%d same, %d differ, %d missing, %d only sent\n",
			counts[script.Same], counts[script.Differs], counts[script.Missing], counts[script.Sent])
	}
	if n := counts[script.Differs] + counts[script.Missing]; n > 0 {
		return silent(exitFindings)
	}
	return nil
}

func (a *app) printReplayed(r script.Replayed) {
	if a.json {
		enc := json.NewEncoder(a.io.Out)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(r)
		return
	}
	fmt.Fprintln(a.io.Out, theme.Safe(r.Line()))
	for _, d := range r.Differences {
		fmt.Fprintf(a.io.Out, "         %s  %s → %s\n", theme.Safe(d.Path), theme.Safe(none(d.Recorded)), theme.Safe(none(d.Now)))
	}
}

func none(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}

// ask puts a yes-or-no question. Where nobody can answer, flag says what to pass.
func (a *app) ask(question, flag string) error {
	if a.yes {
		return nil
	}
	if !a.io.InTTY || !a.io.ErrTTY {
		return usage(flag, "%s", question)
	}
	fmt.Fprintf(a.io.Err, "%s [y/N] ", theme.Safe(question))
	line, _ := bufio.NewReader(a.io.In).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); answer == "y" || answer == "yes" {
		return nil
	}
	return &failure{word: "declined", message: "nothing was sent", hint: flag}
}

var _ client.Log = (*verbose)(nil)
