package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/script"
)

// speaking are the flags that shape what is said to a server, whatever the transport.
type speaking struct {
	protocol   string
	logLevel   string
	extensions []string
	anonymous  bool
}

// flags adds the flags.
func (s *speaking) flags(f *pflag.FlagSet) {
	f.StringVar(&s.protocol, "protocol", "", "how to speak: auto, legacy, modern, or the protocol `VERSION` to offer (default: auto for http URLs, else legacy)")
	f.StringVar(&s.logLevel, "log-level", "", "ask the server for log messages of this `LEVEL` and above, and tell them: "+strings.Join(valuesOf("log-level"), ", "))
	f.StringArrayVar(&s.extensions, "extension", nil, "declare the protocol extension `ID` (repeatable; modern servers)")
	f.BoolVar(&s.anonymous, "no-client-info", false, "do not say in each request who we are (modern servers)")
}

// check looks at what the flags say.
func (s *speaking) check() error {
	if err := asSetting("--protocol", "protocol", s.protocol); err != nil {
		return err
	}
	if err := asSetting("--log-level", "log-level", s.logLevel); err != nil {
		return err
	}
	for _, id := range s.extensions {
		if id == "" {
			return usage("it is written as in --extension io.modelcontextprotocol/tasks", "--extension wants an id, found an empty one")
		}
		if err := asSetting("--extension", "extension", id); err != nil {
			return err
		}
	}
	return nil
}

// asSetting refuses a value that the setting of the command language would refuse.
// what names where the value stands; an empty one was not given.
func asSetting(what, name, value string) error {
	if value == "" {
		return nil
	}
	err := script.SetOption(&script.Settings{}, name, value, nil)
	var wrong *script.SettingError
	if errors.As(err, &wrong) {
		return usage(wrong.Advice, "%s: %s", what, wrong.Problem)
	}
	return err
}

// valuesOf are the values of a setting of the command language that are known.
func valuesOf(name string) []string {
	for _, s := range script.AllSettings() {
		if s.Name == name {
			return s.Values
		}
	}
	return nil
}

// completeConnection has the values of the flags of connections completed.
func completeConnection(root *cobra.Command) {
	for _, name := range []string{"protocol", "log-level", "transport"} {
		_ = root.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(valuesOf(name), cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder))
	}
	_ = root.RegisterFlagCompletionFunc("header", cobra.FixedCompletions(
		[]cobra.Completion{"Authorization: Bearer ", "Cookie: ", "X-Api-Key: "}, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	_ = root.RegisterFlagCompletionFunc("extension", cobra.FixedCompletions(valuesOf("extension"), cobra.ShellCompDirectiveNoFileComp))
	_ = root.RegisterFlagCompletionFunc("reconnects", cobra.NoFileCompletions)
}
