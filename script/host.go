package script

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"parley/client"
	"parley/history"
)

// Host is the program that a script runs in. Its methods are called from the
// goroutine that runs the script.
type Host interface {
	// Connect opens a connection to the target that words name as they would
	// stand on a command line; without words, to the host's own. settings are
	// those made so far, and stay those of the script: where the link's client
	// connects again, its dialing heeds what Headers and Transport are then.
	Connect(ctx context.Context, words []string, settings *Settings) (*Link, error)
	// Show prints what a step gave, as the command of the same name prints it.
	Show(o *Outcome) error
	// Note says something on the side: what a ! step failed with, a changed
	// default, a finding. level is "" or "warning".
	Note(level, text string)
	// Stdin is what key=@- reads.
	Stdin() io.Reader
}

// Link is an open connection with its log. Close ends both, in order; it may be nil.
type Link struct {
	Client *client.Client
	Log    *history.Log
	Close  func(ctx context.Context) error
}

// Outcome is what a step gave.
type Outcome struct {
	Step *Step
	Verb string // the name of its row: "tools", "call", "raw", "value" …
	Name string // the tool, URI, prompt, method … it is about
	Link *Link  // nil for steps that need none

	Flags map[string]string // the texts of the step's flags, by name: "--save"

	Answers []client.Answer // what was answered; of a list, a page each
	// Value is what a variable gets: exact bytes of a result, of a merged list, of a
	// value. Of what was answered it is only set if the step has a let, because
	// results may be large: [Outcome.Bytes] gives it in any case.
	Value json.RawMessage
	Text  string // of echo and help: what to print
	Sent  []byte // of --offline: the message that would have been sent

	Took time.Duration
	From uint64 // the first frame that could belong to it
	Err  error  // a result with isError is an error with the Word "tool"
}
