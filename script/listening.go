package script

import (
	"context"
	"errors"
	"time"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
)

const (
	listenMethod  = "subscriptions/listen"
	acknowledging = "notifications/subscriptions/acknowledged"
)

// listened is the end of a step that sent a subscriptions/listen by hand: a subscription
// is open for as long as it likes, so that what is waited for is the server's word of
// what it grants, or an answer. It stays open.
func (in *Interp) listened(ctx context.Context, o *Outcome, p *client.Pending) error {
	sent, ok := o.Link.Log.Record(p.Seq())
	if !ok {
		return nil
	}
	clock := time.NewTimer(o.Link.Client.Timeout())
	defer clock.Stop()
	for from := sent.Seq + 1; ; {
		changed, last := o.Link.Log.Changed(), o.Link.Log.Len()
		var heard history.Record
		o.Link.Log.Records(from, last, func(r *history.Record) bool {
			granted := r.Method == acknowledging && r.Token == sent.ID
			answered := r.Form.IsResponse() && r.ID == sent.ID
			if r.Dir == wire.In && !r.Open && (granted || answered) {
				heard = *r
			}
			return heard.Seq == 0
		})
		switch {
		case heard.Method == acknowledging:
			return o.granted(&sent, &heard)
		case heard.Seq != 0:
			answer, err := p.Wait(ctx)
			if answer.Response.Seq != 0 {
				o.Answers = append(o.Answers, answer)
			}
			return err
		}
		from = last + 1
		select {
		case <-changed:
			continue
		case <-o.Link.Client.Done():
			_, err := p.Wait(ctx)
			return err
		case <-clock.C:
			o.Link.Client.Cancel(sent.Seq)
			return &client.TimeoutError{Method: listenMethod, After: o.Link.Client.Timeout()}
		case <-ctx.Done():
			o.Link.Client.Cancel(sent.Seq)
			return context.Cause(ctx)
		}
	}
}

// granted takes what the server granted for the answer: of a raw line, the notification
// that says so, else the filter in it.
func (o *Outcome) granted(sent, said *history.Record) error {
	head, err := o.Link.Log.Head(said.Seq)
	if err != nil {
		return err
	}
	if o.Verb != "raw" {
		raw, err := o.Link.Log.Bytes(said.Seq, 0, -1)
		o.Value, _ = rawjson.Get(raw, "params", "notifications")
		return err
	}
	o.Answers = append(o.Answers, client.Answer{Request: wire.Ref{Seq: sent.Seq}, Response: wire.Ref{Seq: said.Seq}, Head: head, Sent: sent.Time, Got: said.Time})
	return nil
}

// rpcAside passes over an error that the server answered with: to a raw line, that is an
// answer like any other.
func rpcAside(err error) error {
	if errors.As(err, new(mcp.RPCError)) {
		return nil
	}
	return err
}
