package script

import (
	"bytes"
	"context"
	"encoding/json"
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
	Problem     string // why there is nothing to compare
}

// MarshalJSON gives the step as one line for machines: frame and now are frame
// numbers, and recorded and now of a difference are JSON texts, cut when long.
func (r Replayed) MarshalJSON() ([]byte, error) {
	type difference struct {
		Path     string `json:"path"`
		Kind     string `json:"kind"`
		Recorded string `json:"recorded,omitempty"`
		Now      string `json:"now,omitempty"`
	}
	var differences []difference
	for _, d := range r.Differences {
		differences = append(differences, difference{d.Path, d.Kind.String(), d.Recorded, d.Now})
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Frame       uint64       `json:"frame"`
		Now         uint64       `json:"now,omitempty"`
		Method      string       `json:"method,omitempty"`
		Name        string       `json:"name,omitempty"`
		Verdict     Verdict      `json:"verdict"`
		Differences []difference `json:"differences,omitempty"`
		Problem     string       `json:"problem,omitempty"`
	}{r.Recorded, r.Now, r.Method, r.Name, r.Verdict, differences, r.Problem})
	return out.Bytes(), err
}

// Resend is a recorded frame of the client that a replay sends.
type Resend struct {
	Seq       uint64
	Form      wire.Form
	Method    string
	Name      string
	Reconnect bool // the recording went on with a new connection here
}

// Steps are the client's messages of a session that a replay sends again, in
// order. Left out are answers to the server, which the client gives anew, and
// cancellations, whose moment cannot be had again.
func Steps(log *history.Log) []Resend {
	var steps []Resend
	connections, used := 0, 0
	for seq := uint64(1); seq <= log.Len(); seq++ {
		r, ok := log.Record(seq)
		if !ok {
			continue
		}
		if r.Kind == wire.Event && r.Method == wire.EventConnected {
			connections++
		}
		if r.Dir != wire.Out || r.Kind == wire.HTTP || r.Open || r.Cut || r.Form.IsResponse() || r.Method == "notifications/cancelled" {
			continue
		}
		steps = append(steps, Resend{Seq: seq, Form: r.Form, Method: r.Method, Name: r.Name, Reconnect: used != connections && len(steps) > 0})
		used = connections
	}
	return steps
}

// Replay sends the client's side of a recorded session again, in lockstep: each
// request waits for its answer, which is compared with the recorded one. Ids
// are mapped: requests get ids of this connection, and the requestState and the ids of
// tasks that the server gave now. Where the recording has a new
// connection, so has the replay. Requests that were cancelled in the recording
// are sent and not waited for. A step that fails does not end the replay unless
// the connection did, and did not then; a response of HTTP that refuses a message ends
// no connection. each is told of every step.
//
// The client must be connected without a handshake: the recorded one is replayed.
func Replay(ctx context.Context, recorded *history.Log, live *history.Log, c *client.Client, each func(Replayed)) error {
	p := replay{recorded: recorded, live: live, client: c, given: given{}}
	p.state.CatchUp(recorded)
	for _, step := range Steps(recorded) {
		if step.Reconnect {
			if err := c.Restart(ctx); err != nil {
				return err
			}
		}
		r, err := p.step(ctx, step)
		each(r)
		if err != nil && (!refused(err) || ctx.Err() != nil) {
			return err
		}
	}
	return nil
}

// refused reports whether it was one message that failed, and not the connection.
func refused(err error) bool {
	var status *wire.HTTPError
	var stream *wire.StreamError
	return errors.As(err, &status) || errors.As(err, &stream)
}

// replay is a replay that runs.
type replay struct {
	recorded, live *history.Log
	client         *client.Client
	state          history.State // of the recording, at its end
	given          given
}

func (p *replay) step(ctx context.Context, step Resend) (Replayed, error) {
	r := Replayed{Recorded: step.Seq, Method: step.Method, Name: step.Name, Verdict: Sent}
	raw, err := p.recorded.Bytes(step.Seq, 0, -1)
	if err != nil {
		return r, err
	}
	if step.Form == wire.Request {
		if raw, err = p.client.Renumber(raw); err != nil {
			return r, err
		}
		if raw, err = p.given.put(raw); err != nil {
			return r, err
		}
	}
	seq, pending, err := p.client.SendRaw(ctx, raw, wire.ByReplay, step.Seq)
	if err != nil {
		if r.Now, r.Problem = seq, err.Error(); !refused(err) || !p.wasRefused(step.Seq) {
			r.Verdict = Missing
		}
		return r, err
	}
	r.Now = seq
	if pending == nil {
		return r, nil
	}
	x, _ := p.state.Exchange(step.Seq)
	switch {
	case x.Response.Seq != 0:
	case x.Status == history.Cancelled:
		r.Problem = "was cancelled in the recording"
		return r, nil
	case x.Method == "subscriptions/listen": // answered when it ends
		r.Problem = "was open at the end of the recording"
		return r, nil
	}
	answer, err := pending.Wait(ctx)
	if answer.Response.Seq == 0 {
		return unanswered(r, x, err)
	}
	return p.compared(r, x, answer)
}

// wasRefused reports whether the POST of a frame of the recording had a response that
// refused it.
func (p *replay) wasRefused(seq uint64) bool {
	for _, n := range p.recorded.HTTP(seq) {
		r, ok := p.recorded.Record(n)
		if !ok || r.Kind != wire.HTTP || r.Dir != wire.In {
			continue
		}
		head, err := p.recorded.Bytes(n, 0, len("HTTP/1.1 4"))
		if _, status, ok := strings.Cut(string(head), " "); err == nil && ok && (status == "4" || status == "5") {
			return true
		}
	}
	return false
}

// unanswered is a request without an answer: the same if there was none then.
func unanswered(r Replayed, then history.Exchange, err error) (Replayed, error) {
	r.Problem = err.Error()
	var timeout *client.TimeoutError
	late := errors.As(err, &timeout)
	if then.Response.Seq != 0 {
		r.Verdict = Missing
		if late {
			return r, nil
		}
		return r, err
	}
	r.Verdict = Same
	var ended *wire.ExitError
	if late || then.Status == history.Lost && errors.As(err, &ended) {
		return r, nil // it did not answer then either
	}
	return r, err
}

func (p *replay) compared(r Replayed, x history.Exchange, answer client.Answer) (Replayed, error) {
	now, err := p.live.Bytes(answer.Response.Seq, 0, -1)
	if err != nil {
		return r, err
	}
	if x.Response.Seq == 0 {
		r.Verdict, r.Problem = Missing, "answered now, but not in the recording"
		return r, nil
	}
	then, err := p.recorded.Bytes(x.Response.Seq, 0, -1)
	if err != nil {
		return r, err
	}
	p.given.learn(then, now)
	r.Differences = p.given.apart(history.Compare(then, now))
	r.Verdict = Same
	if len(r.Differences) > 0 {
		r.Verdict = Differs
	}
	return r, nil
}

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
