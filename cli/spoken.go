package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/client/near"
)

// speaking are the flags that shape what is said to a server, whatever the transport.
type speaking struct {
	protocol   string
	logLevel   string
	extensions []string
	anonymous  bool
}

// logLevels are those of the specification, from the least to the most serious
// (spec: server/utilities/logging).
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// flags adds the flags.
func (s *speaking) flags(f *pflag.FlagSet) {
	f.StringVar(&s.protocol, "protocol", "", "how to speak: auto, legacy, modern, or the protocol `VERSION` to offer (default: auto for http URLs, else legacy)")
	f.StringVar(&s.logLevel, "log-level", "", "ask the server for log messages of this `LEVEL` and above: "+strings.Join(logLevels, ", "))
	f.StringArrayVar(&s.extensions, "extension", nil, "declare the protocol extension `ID` (repeatable; modern servers)")
	f.BoolVar(&s.anonymous, "no-client-info", false, "do not say in each request who we are (modern servers)")
}

// check looks at what the flags say.
func (s *speaking) check() error {
	if s.logLevel != "" && !slices.Contains(logLevels, s.logLevel) {
		advice := "it is one of " + strings.Join(logLevels, ", ")
		if meant := near.Best(s.logLevel, logLevels); meant != "" {
			advice = "did you mean " + meant + "? " + advice
		}
		return usage(advice, "--log-level %s: there is no such level", s.logLevel)
	}
	if slices.Contains(s.extensions, "") {
		return usage("write --extension vendor.example/name", "--extension wants an id, found an empty one")
	}
	return checkProtocol("--protocol", s.protocol)
}

// completeConnection has the values of the flags of connections completed.
func completeConnection(root *cobra.Command) {
	fixed := func(values []string) cobra.CompletionFunc {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder)
	}
	_ = root.RegisterFlagCompletionFunc("protocol", fixed(protocols()))
	_ = root.RegisterFlagCompletionFunc("log-level", fixed(logLevels))
	_ = root.RegisterFlagCompletionFunc("transport", fixed(transports))
	_ = root.RegisterFlagCompletionFunc("header", cobra.FixedCompletions(
		[]cobra.Completion{"Authorization: Bearer ", "Cookie: ", "X-Api-Key: "}, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	for _, name := range []string{"reconnects", "extension"} {
		_ = root.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}
