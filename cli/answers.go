package cli

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/client"
	"parley/client/rawjson"
	"parley/script"
	"parley/ui/theme"
)

// answering is how requests of the server are answered: the flags, and who there
// is to ask.
type answering struct {
	elicit, sample string
	roots          []string
	// unsaid is the policy where none was given: ask at the repl's prompt, else none.
	unsaid string
	// asker puts a question of the server's to a person; nil where there is none.
	asker func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// onScreen is set while the screen has the terminal: the traffic shows what was
	// answered there, and a line on standard error would be in the way.
	onScreen bool
}

const answersHelp = `A server may ask its client: for input of the user (elicitation), for a message
of a model (sampling), for the folders to work in (roots). Each is declared to
the server only where an answer to it is given, or a person is there to give it:
the repl on a terminal asks unless it is told otherwise. What is not declared is
answered with -32601. In a script, set elicit, set sample and set root do the same.

--elicit POLICY answers elicitation/create, from protocol 2025-06-18 on:

  accept-defaults   accept with the default of each field that has one; a required field without one cannot be made up: decline
  accept:JSON       accept with this object, whatever the schema says
  decline           refuse
  cancel            dismiss the question
  ask               ask at the terminal, field by field (repl and run)
  exec:CMD          what a shell command answers
  none              nothing: it is not declared

--sample POLICY answers sampling/createMessage:

  text:TEXT         answer with this text
  decline           refuse: error -1
  ask               show the messages and ask for a text (repl and run)
  exec:CMD          what a shell command answers
  none              nothing: it is not declared

The command of exec: reads the params of the request as one line and prints the
answer. For an elicitation that is {"action":"decline"} or the like, or an object
of content to accept with; for sampling a result object, or plain text. It is
killed when the server takes its request back. One that fails or prints no answer
is an error for the server.

--root PATH, repeatable, answers roots/list. Every answer that nobody was asked
for is told in a line on standard error; -q leaves that out.

  parley call ask --elicit 'accept:{"date":"2026-01-31"}' -- parley demo --stdio
  parley call sample_llm prompt=Hi --sample 'text:Hello' -- parley demo --stdio
`

// flags adds the flags. A feature is declared to the server only with its flag.
func (a *answering) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&a.roots, "root", nil, "declare roots and answer roots/list with this `PATH` (repeatable)")
	f.StringVar(&a.elicit, "elicit", "", "declare elicitation and answer it by `POLICY`: "+strings.Join(script.ElicitForms, ", "))
	f.StringVar(&a.sample, "sample", "", "declare sampling and answer it by `POLICY`: "+strings.Join(script.SampleForms, ", "))
}

// answerDeps is what policies need of this program: who can be asked, and where
// to say what was answered.
func (a *app) answerDeps() script.AnswerDeps {
	return script.AnswerDeps{
		Ask: a.asker,
		Note: func(text string) {
			if !a.onScreen {
				a.note("%s", theme.Safe(text))
			}
		},
	}
}

// undeclared says which flags declare nothing: the version does not have it.
func (a *app) undeclared(l *link, opt *client.Options) {
	if len(a.extensions) > 0 && l.client.Era() == client.Legacy {
		a.note("extensions came with 2026-07-28: none is declared to this server")
	}
	if opt.Elicit == nil || opt.NoHandshake || a.elicit == "" {
		return
	}
	if _, declared := rawjson.Get(l.client.Capabilities(), "elicitation"); !declared && isVersion(opt.Protocol) {
		a.note("elicitation is not in protocol %s: it is not declared", theme.Safe(opt.Protocol))
	}
}

// completeFlags has the values of the flags of all commands completed.
func completeFlags(root *cobra.Command) {
	policies := func(forms []string) cobra.CompletionFunc {
		offers := make([]cobra.Completion, len(forms))
		for i, form := range forms {
			name, value, valued := strings.Cut(form, ":")
			if valued {
				name += ":"
			}
			offers[i] = cobra.CompletionWithDesc(name, policyWords[name]+value)
		}
		return cobra.FixedCompletions(offers, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	}
	_ = root.RegisterFlagCompletionFunc("elicit", policies(script.ElicitForms))
	_ = root.RegisterFlagCompletionFunc("sample", policies(script.SampleForms))
	completeConnection(root)
	for _, name := range []string{"root", "cwd"} {
		_ = root.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		})
	}
	for _, name := range []string{"url", "env", "client-name", "client-version", "timeout", "jq"} {
		_ = root.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// policyWords says in words what a policy does.
var policyWords = map[string]string{
	"accept-defaults": "accept with the defaults of the form",
	"accept:":         "accept with this object: ",
	"decline":         "refuse",
	"cancel":          "dismiss the question",
	"ask":             "ask whoever sits at the terminal",
	"text:":           "answer with this text: ",
	"exec:":           "what a command prints: ",
}
