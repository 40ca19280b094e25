package script

import (
	"bytes"
	"context"
	"strings"
	"time"

	"parley/client"
	"parley/client/wire"
	"parley/history"
)

// doRaw is a raw line. A request is waited for; an answer that is an error is an
// answer like any other.
func (in *Interp) doRaw(ctx context.Context, step *Step, o *Outcome) error {
	l, err := in.online(ctx)
	if err != nil {
		return err
	}
	o.Link = l
	seq, pending, err := l.Client.SendRaw(ctx, step.Raw, in.opt.By, 0)
	if err != nil {
		return err
	}
	if pending == nil {
		posted(ctx, o, seq)
		return nil
	}
	if sent, _ := l.Log.Record(seq); sent.Method == listenMethod {
		return of("a raw line", rpcAside(in.listened(ctx, o, pending)))
	}
	answer, err := pending.Wait(ctx)
	if answer.Response.Seq != 0 {
		o.Answers = append(o.Answers, answer)
		return nil
	}
	return of("a raw line", err)
}

// maxPosted is how long the body of a response is waited for that nothing asked for.
const maxPosted = 250 * time.Millisecond

// posted takes what came back for a line that is no request: over HTTP each has a
// response of its own, often with an error in it.
func posted(ctx context.Context, o *Outcome, seq uint64) {
	log := o.Link.Log
	sent, ok := log.Record(seq)
	if !ok || !strings.HasPrefix(sent.Via, "POST ") {
		return
	}
	clock := time.NewTimer(maxPosted)
	defer clock.Stop()
	for from := seq + 1; ; {
		changed, last := log.Changed(), log.Len()
		over := false
		log.Records(from, last, func(r *history.Record) bool {
			if r.Via == sent.Via && r.Dir == wire.In && !r.Open {
				over = o.response(&sent, r)
			}
			return !over
		})
		if over {
			return
		}
		from = last + 1
		select {
		case <-changed:
		case <-clock.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// response takes a frame that belongs to the response to a line that was sent. It
// reports whether none is to be waited for.
func (o *Outcome) response(sent, r *history.Record) (over bool) {
	switch {
	case r.Kind == wire.Message:
		head, err := o.Link.Log.Head(r.Seq)
		if err == nil {
			o.Answers = append(o.Answers, client.Answer{Request: wire.Ref{Seq: sent.Seq}, Response: wire.Ref{Seq: r.Seq}, Head: head, Sent: sent.Time, Got: r.Time})
		}
		return true
	case r.Kind != wire.HTTP:
		return true
	}
	text, _ := o.Link.Log.Bytes(r.Seq, 0, len("HTTP/1.1 202"))
	_, status, _ := bytes.Cut(text, []byte{' '})
	return bytes.HasPrefix(text, []byte("HTTP/")) && (string(status) == "202" || string(status) == "204")
}
