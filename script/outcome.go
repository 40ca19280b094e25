package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// Bytes is what a variable gets of the outcome: its Value, or the bytes of the
// result that was answered; of a list those of all its pages as one.
func (o *Outcome) Bytes() (json.RawMessage, error) {
	if o.Value != nil || len(o.Answers) == 0 {
		return o.Value, nil
	}
	if o.Verb == "raw" {
		return o.Link.Log.Bytes(o.Answers[0].Response.Seq, 0, -1)
	}
	pages, err := o.Pages()
	if err != nil || len(pages) == 1 {
		return first(pages), err
	}
	return MergePages(pages), nil
}

// Pages are the results that were answered as they came: one, or one a page of a list.
func (o *Outcome) Pages() ([]json.RawMessage, error) {
	var pages []json.RawMessage
	for _, a := range o.Answers {
		if a.Head.Form != wire.Result {
			continue
		}
		raw, err := o.Link.Client.Result(a)
		if err != nil {
			return nil, err
		}
		pages = append(pages, raw)
	}
	return pages, nil
}

// tookAll is the time that an exchange took with all of its rounds.
func tookAll(a client.Answer) time.Duration {
	if len(a.Rounds) > 0 {
		return a.Got.Sub(a.Rounds[0].Sent)
	}
	return a.Took()
}

func first(list []json.RawMessage) json.RawMessage {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// answered reports whether there is something of the server's to show.
func (o *Outcome) answered() bool {
	for _, a := range o.Answers {
		if a.Head.Form == wire.Result && a.Head.Result.Len > 0 {
			return true
		}
	}
	return false
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

var statusNames = [...]string{"passed", "failed", "failed as expected", "ignored"}

// String gives the status for people.
func (s Status) String() string { return statusNames[s] }

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

// StepError is the failure of a step, with its place.
type StepError struct {
	Pos  Pos
	Step *Step
	Err  error
}

func (e *StepError) Error() string {
	var syntax *SyntaxError
	if errors.As(e.Err, &syntax) && syntax.Pos.Line > 0 {
		return e.Err.Error() // it says its place itself
	}
	return e.Pos.String() + ": " + e.Err.Error()
}

// Unwrap gives the step's own error, whose Word and Hint hold.
func (e *StepError) Unwrap() error { return e.Err }

// stepError gives an error the place of its step, or that within the step which
// it tells.
func stepError(step *Step, err error) error {
	if err == nil {
		return nil
	}
	var inner *StepError
	if errors.As(err, &inner) {
		return err
	}
	e := &StepError{Pos: step.Pos, Step: step, Err: err}
	var placed interface{ Place() Pos }
	if errors.As(err, &placed) && placed.Place().Line > 0 {
		e.Pos = placed.Place()
	}
	return e
}

// placedError is an error with the place that it is about.
type placedError struct {
	pos Pos
	err error
}

func (e *placedError) Error() string { return e.err.Error() }
func (e *placedError) Unwrap() error { return e.err }
func (e *placedError) Place() Pos    { return e.pos }

// ToolError is the failure of a call whose result has isError: the tool failed, the
// protocol did not.
type ToolError struct {
	Tool string
	Text string // what its contents say
}

func (e *ToolError) Error() string { return "the tool " + e.Tool + " answered with an error" }

// Word names the error for machines.
func (e *ToolError) Word() string { return "tool" }

// toolError reads the texts of a result.
func toolError(tool string, result []byte) *ToolError {
	e := &ToolError{Tool: tool}
	for _, c := range mcp.DecodeCall(result).Content {
		if c.Text != "" {
			e.Text += c.Text + "\n"
		}
	}
	e.Text = strings.TrimSuffix(e.Text, "\n")
	return e
}

// failureText is all that an error says, for ! … ~ /pattern/.
func failureText(err error) string {
	text := err.Error()
	var tool *ToolError
	if errors.As(err, &tool) && tool.Text != "" {
		text += ": " + tool.Text
	}
	return text
}

// ExpectError is an expectation that did not come true.
type ExpectError struct {
	Pos     Pos
	Message string
	Advice  string
}

func (e *ExpectError) Error() string { return e.Message }

// Hint says more, or nothing.
func (e *ExpectError) Hint() string { return e.Advice }

// Word names the error for machines.
func (e *ExpectError) Word() string { return "expect" }

// Place is what was expected in the script.
func (e *ExpectError) Place() Pos { return e.Pos }

// round is a round of a for.
type round struct {
	name  string // of the variable
	value []byte
	n, of int
}

// String says which one it is: by its name or URI, if what it is about has one.
func (r round) String() string {
	name, value := "$"+r.name, r.value
	for _, key := range []string{"name", "uri", "uriTemplate", "id"} {
		if member, ok := rawjson.Get(r.value, key); ok {
			name, value = name+"."+key, member
			break
		}
	}
	return fmt.Sprintf("round %d of %d, %s is %s", r.n, r.of, name, cutTo(value, maxRoundValue))
}

// maxRoundValue is how many characters of a value the name of a round has.
const maxRoundValue = 60

// roundError is the failure of a step in a loop.
type roundError struct {
	err    error
	rounds string
}

func (e *roundError) Error() string { return e.err.Error() + " (" + e.rounds + ")" }
func (e *roundError) Unwrap() error { return e.err }

// inRounds says in which rounds a step failed.
func inRounds(err error, rounds []round) error {
	if len(rounds) == 0 {
		return err
	}
	names := make([]string, len(rounds))
	for i, r := range rounds {
		names[i] = r.String()
	}
	return &roundError{err, strings.Join(names, "; ")}
}
