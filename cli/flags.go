package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/client/near"
)

// flagsError is a flag that cannot be read. Then --json may not be known yet.
type flagsError struct{ *failure }

// flagError says what is wrong with a flag and how it is written.
func flagError(err error, flags *pflag.FlagSet) error {
	e := &flagsError{&failure{word: "usage", message: err.Error(), hint: "parley --help lists the flags; a target's own flags come after its command"}}
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	switch {
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "duration":
		e.message = fmt.Sprintf("--%s %s is no duration", invalid.GetFlag().Name, invalid.GetValue())
		e.hint = "write the unit too: 500ms, 30s, 1m30s"
	case errors.As(err, &invalid):
		e.message = fmt.Sprintf("--%s does not take %q", invalid.GetFlag().Name, invalid.GetValue())
	case errors.As(err, &bare):
		what := bare.GetFlag()
		name, _ := pflag.UnquoteUsage(what)
		e.message = fmt.Sprintf("--%s wants a value", what.Name)
		e.hint = fmt.Sprintf("write --%s %s", what.Name, strings.ToUpper(name))
	case errors.As(err, &unknown):
		if meant := near.Best(unknown.GetSpecifiedName(), flagNames(flags)); meant != "" && len(unknown.GetSpecifiedName()) > 1 {
			e.hint = "did you mean --" + meant + "? " + e.hint
		}
	}
	return e
}

// checkValues refuses -- as the value of a flag: it was meant to end the flags. It
// refuses an empty value where that would be as if the flag were not there, as
// from a variable of the shell that is not set.
func checkValues(flags *pflag.FlagSet) (wrong error) {
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Changed || wrong != nil {
			return
		}
		name, _ := pflag.UnquoteUsage(f)
		switch value := f.Value.String(); {
		case value == "--" || value == "[--]":
			wrong = usage(fmt.Sprintf("write --%s %s before the --", f.Name, name), "--%s wants a value, found --", f.Name)
		case value == "" && slices.Contains([]string{"server", "url", "config", "cwd", "protocol", "ca", "cert", "key", "transport", "log-level"}, f.Name):
			wrong = usage(fmt.Sprintf("write --%s %s, or leave it away", f.Name, name), "--%s wants a value, found an empty one", f.Name)
		}
	})
	return wrong
}

func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// noWords is for commands that take flags only.
func noWords(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage("parley help "+strings.TrimPrefix(c.CommandPath(), "parley ")+" says what it takes",
		"%s takes no words, found %q", c.Name(), args[0])
}

// oneFile is for commands that take one session file.
func oneFile(c *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return noFile(c)
	case 1:
		return nil
	}
	return usage("give one file, or a name in quotes if it has spaces", "%s takes one session file, found %d words", c.Name(), len(args))
}

func noFile(c *cobra.Command) error {
	return usage("parley sessions lists them; last is the newest one", "%s: no session file given", c.Name())
}
