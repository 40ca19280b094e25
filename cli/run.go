package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/client"
	"parley/script"
)

// runFlags are the flags of run alone.
type runFlags struct {
	keepGoing bool
	reports   []string
	vars      []string
	varsEnv   []string
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [flags] FILE|- [flags] TARGET",
		Short: "run a script of the command language",
		Long: `Run a script: lines of the command language, as parley repl takes them, one a
line. FILE may be -, which is standard input. The whole script is read before
anything starts; if a line of it cannot be understood, nothing runs (exit 2).

A run ends at the first step that fails, with that step's exit code; a failed
expect exits 1. With --keep-going it goes on, and the exit code is that of the
first failure. Standard output has what the one-shot commands of the same names
print; steps and failures are told on standard error.

Flags stand before the target; everything after the target's first word is the
target's. A -- before the target forces a command. --timeout bounds the whole run
here; set timeout in the script bounds a request.

  parley run smoke.mcp node server.js
  parley run --report junit=report.xml smoke.mcp -- ./server --port 3
  printf 'tools\ncall echo text=hi\n' | parley run - node server.js
  parley run --vars '{"city":"Paris"}' smoke.mcp -s weather`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("the form is parley "+c.Use+"; parley help scripts describes what a file has", "run: no FILE given")
			}
			target, forced, help, err := betweenFlags(c, args[1:])
			if err != nil || help {
				return errOrHelp(c, err)
			}
			var total time.Duration // of the run; 0 is without bound
			if c.Flags().Changed("timeout") {
				if err := a.checkTimeout(); err != nil {
					return err
				}
				total, a.timeout = a.timeout, client.DefaultTimeout
			}
			return a.run1(args[0], target, forced, total, f)
		},
	}
	c.Flags().SetInterspersed(false)
	c.Flags().BoolVar(&f.keepGoing, "keep-going", false, "go on after a step that failed")
	c.Flags().StringArrayVar(&f.reports, "report", nil, "keep a report, `FORM=FILE`: junit=FILE, tap=FILE, or tap for standard output (repeatable)")
	c.Flags().StringArrayVar(&f.vars, "vars", nil, "variables: a `JSON` object, or @file with one (repeatable)")
	c.Flags().StringArrayVar(&f.varsEnv, "vars-env", nil, "variables: the JSON object in the environment variable `NAME`; none if it is not set (repeatable)")
	return c
}

func errOrHelp(c *cobra.Command, err error) error {
	if err != nil {
		return err
	}
	return c.Help()
}

// betweenFlags reads the flags between a FILE and its target. forced says that --
// stood before the target.
func betweenFlags(c *cobra.Command, args []string) (target []string, forced, help bool, err error) {
	flags := pflag.NewFlagSet(c.Name(), pflag.ContinueOnError)
	flags.SetInterspersed(false)
	flags.SetOutput(io.Discard)
	flags.AddFlagSet(c.Flags())
	if err := flags.Parse(args); err != nil {
		return nil, false, false, flagError(err, flags)
	}
	help, _ = flags.GetBool("help")
	return flags.Args(), flags.ArgsLenAtDash() == 0, help, nil
}

// run1 reads everything that a run needs and runs it. Nothing is started before
// all of it is known to be good.
func (a *app) run1(file string, words []string, forced bool, total time.Duration, f runFlags) error {
	plans, err := readReports(f.reports)
	if err != nil {
		return err
	}
	vars, err := a.readVars(f.vars, f.varsEnv)
	if err != nil {
		return err
	}
	s, err := a.readScript(file)
	if err == nil {
		err = script.Check(s, slices.Collect(maps.Keys(vars)))
	}
	if err != nil {
		return a.each(err)
	}
	if err := keepScripts(plans, s.Steps); err != nil {
		return err
	}
	r := &scriptRun{app: a, script: s, file: file, vars: vars, total: total, keepGoing: f.keepGoing}
	if !a.given(words) {
		if step := needsTarget(s.Steps); step != nil {
			return usage("the form is parley run [flags] FILE TARGET; connect in the script names one, too",
				"run: no target given, and %s needs one: %s", step.Pos, oneLine(step.Source))
		}
	} else {
		t, err := a.target(words, forced)
		if err != nil {
			return err
		}
		if err := t.ready(); err != nil {
			return err
		}
		r.target = &t
	}
	if file != "-" {
		r.asker = a.setAsker()
	}
	if _, err := a.clientOptions(); err != nil {
		return err
	}
	defer a.io.gather()()
	r.began = time.Now()
	if r.reports, err = a.openReports(plans, "parley run "+file, r.began); err != nil {
		return err
	}
	return r.run()
}

// each reports all that is wrong with a script, an error after the other; for
// machines a failure is one line.
func (a *app) each(err error) error {
	var all script.SyntaxErrors
	if a.json || !errors.As(err, &all) {
		return err
	}
	for _, one := range all {
		report(a.io.Err, one, false)
	}
	if len(all) == script.MaxErrors {
		a.note("there may be more: only the first %d errors are told", len(all))
	}
	return silent(exitCode(err))
}

// stdinName is what messages call a script on standard input.
const stdinName = "stdin"

// readScript reads and parses FILE. It does not wait any more when the program is
// interrupted: a pipe may never end.
func (a *app) readScript(file string) (*script.Script, error) {
	type parsed struct {
		script *script.Script
		err    error
	}
	done, in := make(chan parsed, 1), a.io.In
	go func() {
		s, err := parseScript(file, in)
		done <- parsed{s, err}
	}()
	if file == "-" {
		a.io.In = &usedUp{}
	}
	select {
	case p := <-done:
		return p.script, p.err
	case <-a.ctx.Done():
		return nil, context.Cause(a.ctx)
	}
}

func parseScript(file string, in io.Reader) (*script.Script, error) {
	if file == "-" {
		src, err := io.ReadAll(in)
		if err != nil {
			return nil, fmt.Errorf("reading the script on standard input: %w", err)
		}
		return script.Parse(stdinName, src)
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, cannotRead("the script "+file, err)
	}
	return script.Parse(file, src)
}

func cannotRead(what string, err error) error {
	return usage("parley run FILE TARGET reads the script from FILE; - is standard input", "cannot read %s: %v", what, reasonOf(err))
}

// reasonOf is why a file cannot be read, without its name.
func reasonOf(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// usedUp is standard input after the script was read from it.
type usedUp struct{}

func (*usedUp) Read([]byte) (int, error) {
	return 0, errors.New("standard input had the script, so it cannot have a value too")
}

// needsTarget finds the first step that opens a connection though no connect
// before it names a target; nil if there is none.
func needsTarget(steps []*script.Step) *script.Step {
	for _, s := range steps {
		switch {
		case s.Verb.Name == "connect" && len(s.Words) > 0:
			return nil
		case s.Verb.Name == "connect", s.Verb.Name == "restart":
			return s
		case len(s.Body) > 0:
			if found := needsTarget(s.Body); found != nil || connects(s.Body) {
				return found
			}
		case s.Verb.Online:
			if _, offline := s.Flags["--offline"]; !offline {
				return s
			}
		}
	}
	return nil
}

// connects reports whether one of the steps names a target.
func connects(steps []*script.Step) bool {
	return slices.ContainsFunc(steps, func(s *script.Step) bool {
		return s.Verb.Name == "connect" && len(s.Words) > 0 || connects(s.Body)
	})
}
