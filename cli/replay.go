package cli

import (
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
read are called after a question; --yes answers it. FILE is a path, or the name of
a session as parley sessions lists it; "last" is the newest one.

  parley replay last node server.js
  parley replay --yes session.jsonl -- ./server`,
		Args: cobra.ArbitraryArgs, ValidArgsFunction: completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return noFile(c)
			}
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
	if !a.given(words) {
		return usage("the form is parley replay [flags] FILE TARGET", "replay: no target given")
	}
	t, err := a.target(words, forced)
	if err != nil {
		return err
	}
	if names := script.Dangerous(recorded); len(names) > 0 {
		list := strings.Join(names, ", ")
		err := a.ask(yesOrNo{
			text:      "this calls " + list + " again, which may change things. Go on?",
			otherwise: "replay would call " + list + " again, which may change things",
			hint:      "--yes does it",
			refused:   "nothing was sent",
		})
		if err != nil {
			return err
		}
	}
	a.noHandshake = true // the recorded handshake is replayed
	counts := map[script.Verdict]int{}
	err = a.with(t, func(ctx context.Context, l *link) error {
		return script.Replay(ctx, recorded, l.log, l.client, func(r script.Replayed) {
			counts[r.Verdict]++
			a.printReplayed(r)
		})
	})
	if !a.json && len(counts) > 0 {
		fmt.Fprintf(a.io.Out, "%d same, %d differ, %d missing, %d only sent\n",
			counts[script.Same], counts[script.Differs], counts[script.Missing], counts[script.Sent])
	}
	if err != nil {
		return err
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

var _ client.Log = (*verbose)(nil)
