package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley/script"
)

// operation is a command that takes its own words and flags before -- and the
// target after it.
type operation struct {
	use, short, long string
	verb             string // of the command language
	least, most      int    // words before the target; most is -1 for any number
	// check looks at the words before a server is started; may be nil.
	check  func(words []string) error
	offers cobra.CompletionFunc
}

func (a *app) operationCommand(o operation) *cobra.Command {
	offline := false
	var own stepFlags
	c := &cobra.Command{
		Use: o.use, Short: o.short, Long: o.long, Args: cobra.ArbitraryArgs, Annotations: queries, ValidArgsFunction: a.beforeDash(o.offers),
		RunE: func(cmd *cobra.Command, args []string) error {
			words, rest, forced := apart(cmd, args)
			if err := o.words(cmd.Name(), words, len(rest) > 0); err != nil {
				return err
			}
			if !a.given(rest) && !offline {
				return o.noTarget(cmd.Name(), words)
			}
			if o.check != nil {
				if err := o.check(words); err != nil {
					return o.perhapsTarget(words, err, a)
				}
			}
			if err := a.checkSave(cmd); err != nil {
				return err
			}
			flags := own.given(cmd)
			if offline {
				flags["--offline"] = ""
			}
			step, err := script.StepOf(o.verb, words, flags)
			if err != nil {
				return err
			}
			if !a.given(rest) {
				return a.oneStep(nil, o.verb, step)
			}
			t, err := a.target(rest, forced)
			if err != nil {
				return err
			}
			return a.oneStep(&t, o.verb, step)
		},
	}
	a.operationFlags(c, o.verb, &offline, &own)
	return c
}

// stepFlags are flags of a command that are those of its statement, too.
type stepFlags struct {
	fresh, task bool
	ttl         string
}

// of adds the flags that a statement has.
func (f *stepFlags) of(c *cobra.Command, verb string) {
	switch verb {
	case "tools", "resources", "templates", "prompts", "read":
		c.Flags().BoolVar(&f.fresh, "fresh", false, "ask the server, though an answer of before still counts")
	case "call":
		c.Flags().BoolVar(&f.task, "task", false, "run the tool as a task, and wait for that")
		c.Flags().StringVar(&f.ttl, "ttl", "", "the `DURATION` for which the server is to keep the task; with --task")
		_ = c.RegisterFlagCompletionFunc("ttl", cobra.NoFileCompletions)
	}
}

// given are the flags that stand on the command line, as a step has them.
func (f *stepFlags) given(c *cobra.Command) map[string]string {
	flags := map[string]string{}
	if f.fresh {
		flags["--fresh"] = ""
	}
	if f.task {
		flags["--task"] = ""
	}
	if c.Flags().Changed("ttl") {
		flags["--ttl"] = f.ttl
	}
	return flags
}

// apart takes the words before -- and the target after it. A second -- says that
// the word after it is a command.
func apart(cmd *cobra.Command, args []string) (words, target []string, forced bool) {
	words = args
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		words, target = args[:dash], args[dash:]
	}
	if len(target) > 1 && target[0] == "--" {
		return words, target[1:], true
	}
	return words, target, false
}

// words counts the words before the target.
func (o operation) words(name string, words []string, target bool) error {
	form, _, _ := strings.Cut(o.use, " -- ")
	switch {
	case len(words) < o.least:
		return usage("the form is parley "+o.use, "%s: no %s given", name, strings.Fields(o.use)[1+len(words)])
	case o.most >= 0 && len(words) > o.most && target:
		return usage("the form is parley "+o.use, "%s takes %s, found %d words before --", name, strings.TrimPrefix(form, name+" "), len(words))
	case o.most >= 0 && len(words) > o.most:
		at := o.most
		if i := o.firstWrong(words); i > 0 {
			at = i
		}
		return usage("the target comes after --: "+commandLine(name, words, at), "%s: no target given", name)
	}
	return nil
}

// noTarget says where the target goes. Words that can be no arguments were
// probably meant to be it; they are never taken for it.
func (o operation) noTarget(name string, words []string) error {
	advice := "the target comes after --: parley " + o.use + "; or -s NAME"
	if i := o.firstWrong(words); i > 0 {
		advice = "the target comes after --: " + commandLine(name, words, i)
	}
	return usage(advice, "%s: no target given", name)
}

// perhapsTarget is noTarget where -s or --url gives a target and a command
// stands among the words.
func (o operation) perhapsTarget(words []string, err error, a *app) error {
	if i := o.firstWrong(words); i > 0 && (a.server != "" || a.url != "") && !strings.ContainsAny(words[i], "={") {
		return usage(hint(err), "%v; -s and --url give the target already", err)
	}
	return err
}

// firstWrong finds the first word that check refuses, 0 if there is none.
func (o operation) firstWrong(words []string) int {
	if o.check == nil {
		return 0
	}
	for i := o.least; i < len(words); i++ {
		if o.check(words[:i+1]) != nil {
			return i
		}
	}
	return 0
}

// commandLine puts -- into words that lack it, for a hint.
func commandLine(name string, words []string, at int) string {
	return fmt.Sprintf("parley %s %s -- %s", name, quoted(words[:at]), quoted(words[at:]))
}

// quoted writes words as a POSIX shell reads them.
func quoted(words []string) string { return script.Shell(words...) }
