package script

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// request sends a request and waits for its answer.
func (in *Interp) request(ctx context.Context, o *Outcome, method string, params json.RawMessage, opt client.CallOptions) error {
	l, err := in.online(ctx)
	if err != nil {
		return err
	}
	o.Link = l
	if method == listenMethod && in.opt.By != wire.ByForm { // one step alone may wait for ever
		p, err := l.Client.Start(ctx, method, params, opt)
		if err != nil {
			return err
		}
		return in.listened(ctx, o, p)
	}
	answer, err := l.Client.Request(ctx, method, params, opt)
	if answer.Response.Seq != 0 {
		o.Answers = append(o.Answers, answer)
	}
	return err
}

// operate sends the request of a step or, if it says --offline, only makes it.
func (in *Interp) operate(ctx context.Context, o *Outcome, method string, params json.RawMessage) error {
	opt, err := in.optionsOf(o, method)
	if err != nil {
		return err
	}
	if !has(o.Step, "--offline") {
		return in.request(ctx, o, method, params, opt)
	}
	o.Sent = in.previewing().Preview(method, params, opt)
	return nil
}

// previewing is the client of the connection, or one as it will be.
func (in *Interp) previewing() *client.Client {
	if in.link != nil {
		return in.link.Client
	}
	var opt client.Options
	if in.opt.Shape != nil {
		opt = in.opt.Shape()
	}
	in.settings.Apply(&opt)
	return client.New(nil, nil, opt)
}

// optionsOf shape the request of a step.
func (in *Interp) optionsOf(o *Outcome, method string) (client.CallOptions, error) {
	opt := in.callOptions(o.Step)
	opt.Progress = method == "tools/call"
	opt.Task = has(o.Step, flagTask.Name)
	if method == "tools/call" && (opt.Task || in.excluded(o.Name)) {
		opt.Force = in.forced(o.Step) // these are rules for the client, not what a server may answer to
	}
	if text := o.Flags[flagTTL.Name]; text != "" {
		ttl, err := ParseDuration(text)
		if err != nil {
			return opt, err
		}
		opt.TTL = ttl
	}
	return opt, nil
}

// excluded reports whether a tool may not be called over the present connection.
func (in *Interp) excluded(tool string) bool {
	if in.link == nil {
		return false
	}
	_, ok := in.link.Client.Excluded(tool)
	return ok
}

// noteCached says that an answer is one of before, and until when it counts.
func (in *Interp) noteCached(o *Outcome) {
	var until time.Time
	for _, a := range o.Answers {
		if !a.Cached.IsZero() && (until.IsZero() || a.Cached.Before(until)) {
			until = a.Cached
		}
	}
	if !until.IsZero() {
		in.opt.Host.Note("", "cached until "+until.Format(time.TimeOnly)+" · --fresh asks again")
	}
}

// noteTask says that a call did not run as a task although that was wanted.
func (in *Interp) noteTask(o *Outcome) {
	if !has(o.Step, flagTask.Name) {
		return
	}
	for _, a := range o.Answers {
		switch {
		case in.ranAsTask(o, a):
		case o.Link.Client.Era() == client.Modern:
			in.opt.Host.Note("warning", "2026-07-28 has no --task: the server makes a task of a call itself, where the extension "+mcp.TasksExtension+" is declared")
		case in.forced(o.Step): // else the client said why
			in.opt.Host.Note("warning", "the server made no task of it and answered at once")
		}
	}
}

// ranAsTask reports whether an answer is what a task came to.
func (in *Interp) ranAsTask(o *Outcome, a client.Answer) bool {
	return slices.ContainsFunc(a.Rounds, func(round client.Answer) bool {
		raw, err := o.Link.Client.Result(round)
		return err == nil && mcp.DecodeTask(raw).ID != ""
	})
}

// doRead is the step read.
func (in *Interp) doRead(ctx context.Context, step *Step, o *Outcome) (err error) {
	if o.Name, err = step.Words[0].Text(in.evaluator(ctx)); err != nil {
		return err
	}
	return of("resources/read", in.operate(ctx, o, "resources/read", client.ReadParams(o.Name)))
}

// doGet is the step get. Arguments of prompts are texts.
func (in *Interp) doGet(ctx context.Context, step *Step, o *Outcome) (err error) {
	eval := in.evaluator(ctx)
	if o.Name, err = step.Words[0].Text(eval); err != nil {
		return err
	}
	args, err := PromptArguments(ctx, step.Words[1:], eval, in.opt.Host.Stdin())
	if err != nil {
		return err
	}
	return of("prompts/get "+o.Name, in.operate(ctx, o, "prompts/get", client.PromptParams(o.Name, args)))
}

// doComplete is the step complete.
func (in *Interp) doComplete(ctx context.Context, step *Step, o *Outcome) error {
	known := min(3, len(step.Words))
	words, err := in.texts(ctx, step.Words[:known])
	if err != nil {
		return err
	}
	given, err := PromptArguments(ctx, step.Words[known:], in.evaluator(ctx), in.opt.Host.Stdin())
	if err != nil {
		return err
	}
	words = append(words, "")
	o.Name = words[0]
	return of("completion/complete "+o.Name, in.operate(ctx, o, "completion/complete", completeParams(words[0], words[1], words[2], given)))
}

// completeParams are the params of completion/complete (spec:
// server/utilities/completion). A reference that looks like a URI, or like a
// template of one, is a resource template; any other is a prompt. given are the
// arguments that have values already, nil for none.
func completeParams(ref, argument, value string, given json.RawMessage) json.RawMessage {
	b := []byte(`{"ref":{"type":"ref/prompt","name":`)
	if strings.ContainsAny(ref, ":{") {
		b = []byte(`{"ref":{"type":"ref/resource","uri":`)
	}
	b = append(rawjson.Quote(b, ref), `},"argument":{"name":`...)
	b = append(rawjson.Quote(b, argument), `,"value":`...)
	b = append(rawjson.Quote(b, value), '}')
	if len(given) > 0 {
		b = append(append(append(b, `,"context":{"arguments":`...), given...), '}')
	}
	return append(b, '}')
}

// doRequest is the step request.
func (in *Interp) doRequest(ctx context.Context, step *Step, o *Outcome) error {
	params, err := in.messageWords(ctx, step, o)
	if err != nil {
		return err
	}
	err = of(o.Name, in.operate(ctx, o, o.Name, params))
	version := ""
	if o.Link != nil {
		info, _ := o.Link.Client.Server()
		version = info.ProtocolVersion
	}
	return unknownMethod(o.Name, version, err)
}

// messageWords reads the method and the params of request and notify.
func (in *Interp) messageWords(ctx context.Context, step *Step, o *Outcome) (params json.RawMessage, err error) {
	eval := in.evaluator(ctx)
	if o.Name, err = step.Words[0].Text(eval); err != nil || len(step.Words) == 1 {
		return nil, err
	}
	return step.Words[1].JSON(eval)
}

// unknownMethod adds the method that was probably meant, or the version that has it, to
// the server's answer that there is no such one.
func unknownMethod(method, version string, err error) error {
	var rpc mcp.RPCError
	h := mcp.MethodHint(method)
	if h == "" && mcp.KnownVersion(version) {
		h = mcp.VersionHint(method, version)
	}
	if h != "" && errors.As(err, &rpc) && rpc.Code == mcp.CodeMethodNotFound {
		return &advisedError{err, h}
	}
	return err
}

// doNotify is the step notify.
func (in *Interp) doNotify(ctx context.Context, step *Step, o *Outcome) error {
	params, err := in.messageWords(ctx, step, o)
	if err != nil {
		return err
	}
	if has(step, "--offline") {
		o.Sent = client.PreviewNotification(o.Name, params)
		return nil
	}
	l, err := in.online(ctx)
	if err != nil {
		return err
	}
	o.Link = l
	_, err = l.Client.Notify(ctx, o.Name, params, in.opt.By)
	return of(o.Name, err)
}

// doInfo is the step info: what the server said in the handshake.
func (in *Interp) doInfo(ctx context.Context, o *Outcome) error {
	l, err := in.online(ctx)
	if err != nil {
		return err
	}
	o.Link = l
	info, ok := l.Client.Server()
	if !ok {
		return &usageError{"without a handshake a server says nothing of itself", "leave --no-handshake away"}
	}
	o.Value = info.Raw
	return nil
}
