package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/config"
	"parley/history"
	"parley/ui/theme"
)

// restVariable is where the scripts of parley completion put what stands on the
// line behind the cursor: the target is there when a word before it is completed.
const restVariable = "PARLEY_COMPLETION_REST"

// lineTarget is the target that a line being completed names, as far as it is typed.
type lineTarget struct {
	server, cwd, url string
	words            []string
	forced           bool // -- stood before a word
}

// lineTarget reads the flags before the cursor, which are a's, and those behind it,
// and the words after --.
func (a *app) lineTarget() lineTarget {
	t := lineTarget{server: a.server, cwd: a.cwd, url: a.url}
	behind := &app{}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	behind.commonFlags(flags)
	if err := flags.Parse(shellWords(os.Getenv(restVariable))); err != nil {
		return t
	}
	t.server, t.cwd, t.url = cmp.Or(t.server, behind.server), cmp.Or(t.cwd, behind.cwd), cmp.Or(t.url, behind.url)
	if dash := flags.ArgsLenAtDash(); dash >= 0 {
		t.words = flags.Args()[dash:]
	}
	if len(t.words) > 1 && t.words[0] == "--" {
		t.words, t.forced = t.words[1:], true
	}
	return t
}

// closeness says how well a recorded target fits: 0 is another one, more is
// better. It is nil where the line names no target: then any fits.
func (a *app) closeness() func(history.Target) int {
	t := a.lineTarget()
	name := t.server
	if name == "" && len(t.words) == 1 && !t.forced {
		if found, err := a.findConfig(); err == nil {
			if _, ok := found.Lookup(t.words[0]); ok {
				name = t.words[0]
			}
		}
	}
	if len(t.words) == 1 && !t.forced && config.IsURL(t.words[0]) {
		t.url = t.words[0]
	}
	cwd, _ := filepath.Abs(t.cwd)
	switch {
	case t.url != "":
		shown := withoutUser(config.MaskURL(t.url))
		return func(o history.Target) int {
			if o.URL == shown {
				return 1
			}
			return 0
		}
	case name == "" && len(t.words) == 0:
		return nil
	case name != "":
		return func(o history.Target) int {
			if o.Name == name {
				return 1
			}
			return 0
		}
	}
	return func(o history.Target) int {
		switch {
		case !slices.Equal(o.Command, t.words):
			return 0
		case o.Cwd == cwd:
			return 2
		}
		return 1
	}
}

// nearest leaves the sessions with the target of the line: those from the same
// folder first, the newest first.
func (a *app) nearest(all []history.SessionInfo) []history.SessionInfo {
	close := a.closeness()
	if close == nil {
		return all
	}
	all = slices.DeleteFunc(all, func(s history.SessionInfo) bool { return close(s.Target) == 0 })
	slices.SortStableFunc(all, func(x, y history.SessionInfo) int { return close(y.Target) - close(x.Target) })
	return all
}

// shellWords takes a command line apart as shells do, up to where the command
// ends. What is not closed ends with the line.
func shellWords(line string) (words []string) {
	var word strings.Builder
	inWord := false
	quote := rune(0)
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case strings.ContainsRune("|;&<>()\n", r):
			if inWord {
				words = append(words, word.String())
			}
			return words
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}

// plainUsages takes the marks out of what flags say of themselves that only help
// reads, and lets commands without words complete none.
func plainUsages(c *cobra.Command) {
	plain := func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") }
	c.PersistentFlags().VisitAll(plain)
	c.Flags().VisitAll(plain)
	if c.ValidArgsFunction == nil && c.HasParent() && !c.HasSubCommands() {
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range c.Commands() {
		plainUsages(sub)
	}
}

// afterDash reports whether the word that is being completed stands after --.
func (a *app) afterDash() bool {
	return len(a.typed) > 0 && slices.Contains(a.typed[:len(a.typed)-1], "--")
}

// beforeDash has words before -- completed by offers, and the target after it.
func (a *app) beforeDash(offers cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		switch {
		case a.afterDash():
			return a.completeTarget(c, a.typed[slices.Index(a.typed, "--")+1:len(a.typed)-1], typed)
		case offers == nil:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offers(c, args, typed)
	}
}

// completeTarget offers the configured servers beside files for the first word of
// a target; what its other words are, only the target knows.
func (a *app) completeTarget(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 || a.server != "" || strings.ContainsAny(typed, `/\`) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	names, _ := a.completeServers(c, args, typed)
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, typed) }), cobra.ShellCompDirectiveDefault
}

// completeTargets has the targets completed of commands that complete nothing else.
func (a *app) completeTargets(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.ValidArgsFunction != nil {
			continue
		}
		switch c.Name() {
		case "raw", "repl":
			c.ValidArgsFunction = a.completeTarget
		case "run":
			c.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
				if len(args) == 0 {
					return nil, cobra.ShellCompDirectiveDefault // a file
				}
				return a.completeTarget(c, args[1:], typed)
			}
		}
	}
}

// offer adds what begins as typed, with what it is. Names are the server's: what a
// terminal or a shell would take for something else than a name is left out, for
// shells insert the common beginning of names as it is.
func offer(out completions, typed, text, about string) completions {
	if !strings.HasPrefix(text, typed) || strings.ContainsAny(text, "`$\\\"'|;<>&()!\t\n") || string(theme.Safe(text)) != text || text == "" {
		return out
	}
	return append(out, cobra.CompletionWithDesc(text, first(about)))
}
