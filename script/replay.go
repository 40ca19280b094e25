package script

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parley/client"
	"parley/client/wire"
	"parley/history"
)

// Verdict says how an exchange of a replay came out.
type Verdict string

// The verdicts.
const (
	Same    Verdict = "same"    // the answer is the recorded one
	Differs Verdict = "differs" // it is another
	Missing Verdict = "missing" // none came, or it came only now
	Sent    Verdict = "sent"    // a notification or a raw line: nothing to compare
)

// Replayed is one step of a replay.
type Replayed struct {
	Recorded    uint64 // the recorded frame that was sent again
	Now         uint64 // its frame now
	Method      string
	Name        string
	Verdict     Verdict
	Differences []history.Difference
	Problem     string // why no answer came
}

// Step is a recorded frame of the client that a replay sends.
type Step struct {
	Seq    uint64
	Form   wire.Form
	Method string
	Name   string
}

// Steps are the client's messages of a session that a replay sends again, in
// order. Left out are answers to the server, which the client gives anew, and
// cancellations, whose moment cannot be had again.
func Steps(log *history.Log) []Step {
	var steps []Step
	for seq := uint64(1); seq <= log.Len(); seq++ {
		r, ok := log.Record(seq)
		if !ok || r.Dir != wire.Out || r.Open || r.Cut {
			continue
		}
		if r.Form.IsResponse() || r.Method == "notifications/cancelled" {
			continue
		}
		steps = append(steps, Step{Seq: seq, Form: r.Form, Method: r.Method, Name: r.Name})
	}
	return steps
}

// Replay sends the client's side of a recorded session again, in lockstep: each
// request waits for its answer, which is compared with the recorded one. Ids
// are mapped: requests get ids of this connection. A step that fails does not
// end the replay unless the connection did. each is told of every step.
//
// The client must be connected without a handshake: the recorded one is replayed.
func Replay(ctx context.Context, recorded *history.Log, live *history.Log, c *client.Client, each func(Replayed)) error {
	var state history.State
	state.CatchUp(recorded)
	for _, step := range Steps(recorded) {
		r, err := replayStep(ctx, recorded, live, c, &state, step)
		each(r)
		if err != nil {
			return err
		}
	}
	return nil
}

func replayStep(ctx context.Context, recorded, live *history.Log, c *client.Client, state *history.State, step Step) (Replayed, error) {
	r := Replayed{Recorded: step.Seq, Method: step.Method, Name: step.Name, Verdict: Sent}
	raw, err := recorded.Bytes(step.Seq, 0, -1)
	if err != nil {
		return r, err
	}
	raw = bytesCopy(raw)
	if step.Form == wire.Request {
		if raw, err = c.Renumber(raw); err != nil {
			return r, err
		}
	}
	seq, pending, err := c.SendRaw(ctx, raw, wire.ByReplay, step.Seq)
	if err != nil {
		r.Verdict, r.Problem = Missing, err.Error()
		return r, err
	}
	r.Now = seq
	if pending == nil {
		return r, nil
	}
	answer, err := pending.Wait(ctx)
	if answer.Response.Seq == 0 {
		return unanswered(r, state, err)
	}
	return compared(r, recorded, live, state, answer)
}

// unanswered is a request without an answer: the same if there was none then.
func unanswered(r Replayed, state *history.State, err error) (Replayed, error) {
	if x, ok := state.Exchange(r.Recorded); ok && x.Response.Seq == 0 {
		r.Verdict = Same
	} else {
		r.Verdict = Missing
	}
	r.Problem = err.Error()
	var timeout *client.TimeoutError
	if errors.As(err, &timeout) {
		return r, nil
	}
	return r, err
}

func compared(r Replayed, recorded, live *history.Log, state *history.State, answer client.Answer) (Replayed, error) {
	now, err := live.Bytes(answer.Response.Seq, 0, -1)
	if err != nil {
		return r, err
	}
	x, ok := state.Exchange(r.Recorded)
	if !ok || x.Response.Seq == 0 {
		r.Verdict, r.Problem = Missing, "answered now, but not in the recording"
		return r, nil
	}
	then, err := recorded.Bytes(x.Response.Seq, 0, -1)
	if err != nil {
		return r, err
	}
	r.Differences = history.Compare(bytesCopy(then), bytesCopy(now))
	r.Verdict = Same
	if len(r.Differences) > 0 {
		r.Verdict = Differs
	}
	return r, nil
}

func bytesCopy(b []byte) []byte { return append([]byte(nil), b...) }

// Dangerous lists the tools that a replay of the session would call and that
// did not say, in the recorded list, that they only read.
func Dangerous(log *history.Log) []string {
	var state history.State
	state.CatchUp(log)
	var cat history.Catalogue
	safe := map[string]bool{}
	for _, t := range cat.Tools(log, &state) {
		safe[t.Name] = t.ReadOnly != nil && *t.ReadOnly
	}
	var names []string
	listed := map[string]bool{}
	for _, s := range Steps(log) {
		if s.Method == "tools/call" && !safe[s.Name] && !listed[s.Name] {
			names, listed[s.Name] = append(names, s.Name), true
		}
	}
	return names
}

// Line is the step for people, without its differences.
func (r Replayed) Line() string {
	what := strings.TrimSpace(r.Method + " " + r.Name)
	if what == "" {
		what = "raw line"
	}
	line := fmt.Sprintf("%5d  %-7s  %s", r.Recorded, r.Verdict, what)
	if r.Problem != "" {
		line += "  " + r.Problem
	}
	return line
}
