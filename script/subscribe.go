package script

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/client"
	"parley/client/mcp"
)

// listenNames are what listen calls the changes of lists.
var listenNames = []string{"tools", "prompts", "resources"}

// doSubscribe is the steps subscribe and unsubscribe. Which request tells the server
// depends on the era.
func (in *Interp) doSubscribe(ctx context.Context, step *Step, o *Outcome) error {
	uris, err := in.texts(ctx, step.Words)
	if err != nil {
		return err
	}
	l, err := in.online(ctx)
	if err != nil {
		return err
	}
	o.Link, o.Name = l, strings.Join(uris, " ")
	begun := time.Now()
	defer func() { o.Took = time.Since(begun) }()
	change, method := l.Client.Subscribe, "resources/subscribe"
	if o.Verb == "unsubscribe" {
		change, method = l.Client.Unsubscribe, "resources/unsubscribe"
	}
	if l.Client.Era() == client.Modern {
		method = "subscriptions/listen"
	}
	return ungated(of(method, change(ctx, uris)))
}

// doListen is the step listen. The stream stays open as long as the connection.
func (in *Interp) doListen(ctx context.Context, step *Step, o *Outcome) error {
	filter, err := in.filter(ctx, step)
	if err != nil {
		return err
	}
	l, err := in.online(ctx)
	if err != nil {
		return err
	}
	o.Link, o.Name = l, filter.String()
	if info, ok := l.Client.Server(); ok && l.Client.Era() == client.Legacy {
		return &usageError{fmt.Sprintf("%s has no listen", info.ProtocolVersion),
			"subscribe URI asks for updates of a resource there, and changes of lists are told unasked"}
	}
	begun := time.Now()
	defer func() { o.Took = time.Since(begun) }()
	s, err := l.Client.Listen(ctx, filter)
	if err != nil {
		return ungated(of("subscriptions/listen", err))
	}
	o.Value, err = s.Granted.MarshalJSON() // json.Marshal spells & otherwise
	return err
}

// filter is what the words of listen ask for: all lists, without any.
func (in *Interp) filter(ctx context.Context, step *Step) (f mcp.Filter, err error) {
	words, err := in.texts(ctx, step.Words)
	if err != nil {
		return f, err
	}
	for i, text := range words {
		switch w := step.Words[i]; {
		case w.Quoted && !step.Literal || !slices.Contains(listenNames, text):
			f.URIs = append(f.URIs, text)
		case text == "tools":
			f.Tools = true
		case text == "prompts":
			f.Prompts = true
		default:
			f.Resources = true
		}
	}
	if len(words) == 0 {
		f.Tools, f.Prompts, f.Resources = true, true, true
	}
	return f, nil
}

// setLogLevel asks for log messages of a level on the present connection.
func (in *Interp) setLogLevel(ctx context.Context) error {
	if ended(in.link) != nil {
		return nil
	}
	return ungated(of("logging/setLevel", in.link.Client.SetLogLevel(ctx, in.settings.LogLevel)))
}

// ungated says how a step is sent that the server did not declare to understand: it has
// no flag for that.
func ungated(err error) error {
	if errors.As(err, new(*client.GateError)) {
		return &advisedError{err, "set force on sends it all the same"}
	}
	return err
}

// doPing is the step ping. 2026-07-28 has no ping; there every server answers who it is.
func (in *Interp) doPing(ctx context.Context, step *Step, o *Outcome) error {
	l, err := in.online(ctx)
	if err != nil {
		return err
	}
	method, opt := "ping", in.callOptions(step)
	if l.Client.Era() == client.Modern {
		method, opt.Fresh = "server/discover", true
	}
	return of(method, in.request(ctx, o, method, nil, opt))
}
