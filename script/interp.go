package script

import (
	"context"
	"encoding/json"
	"time"

	"parley/client/wire"
)

// Options say what a script runs with.
type Options struct {
	Host     Host
	Link     *Link                      // open already, and not closed by the interpreter; or nil
	Settings Settings                   // made before the first step
	Vars     map[string]json.RawMessage // variables that exist already, without $
	Env      func(string) (string, bool)
	By       wire.Origin // ByScript if it is ByNone
	Force    bool        // send what the schema refuses or the server does not list
	Answers  *AnswerDeps // for set elicit and set sample; may be nil
	Servers  []string    // configured names, for completion
}

// Interp runs steps, one at a time, over a connection that it opens at the first
// step that needs one.
type Interp struct{}

// New returns an interpreter.
func New(opt Options) *Interp { return &Interp{} }

// Do runs one step and shows what it gives through [Host.Show]. The error is the
// step's verdict: nil for a failure that ! expected or - passed over.
func (in *Interp) Do(ctx context.Context, step *Step) (*Outcome, error) { return nil, nil }

// RunOptions shape a run.
type RunOptions struct {
	KeepGoing bool         // do not stop at a failure
	Started   func(*Step)  // before each step; may be nil
	Finished  func(Result) // after each; may be nil
}

// Status is how a step came out.
type Status uint8

// The statuses.
const (
	Passed           Status = iota
	Failed                  // the run fails with it
	FailedAsExpected        // it failed as ! expects
	Ignored                 // it failed, and - passes over that
)

// Result is a step that has run. Steps of a for and of an included file are
// results of their own, as often as they ran; for and include themselves are only
// where they fail.
type Result struct {
	Step    *Step
	Outcome *Outcome // nil if there was none
	Status  Status
	Err     error // what it failed with, expected or not
	Took    time.Duration
}

// Run runs a script to its end, or to the first failure. The error is the
// [*StepError] of the first step that failed. A script that uses a variable that
// nobody sets is not begun.
func (in *Interp) Run(ctx context.Context, s *Script, opt RunOptions) error { return nil }

// Link is the present connection, nil if there is none.
func (in *Interp) Link() *Link { return nil }

// Vars are the names of the variables, without $, in order.
func (in *Interp) Vars() []string { return nil }

// Value gives the exact bytes of a variable.
func (in *Interp) Value(name string) (raw json.RawMessage, ok bool) { return nil, false }

// Settings are the settings as they are now.
func (in *Interp) Settings() Settings { return Settings{} }

// Source is what completion knows, from the lists that passed on the present
// connection. It may be used while a step runs.
func (in *Interp) Source() Source { return nil }

// Close ends the connection that the interpreter opened. It may be called twice.
func (in *Interp) Close(ctx context.Context) error { return nil }
