package script

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
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
	method := "resources/" + o.Verb
	for _, uri := range uris {
		if err := in.request(ctx, o, method, client.ReadParams(uri), in.callOptions(step)); err != nil {
			return of(method, err)
		}
	}
	return nil
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
	raw, err := json.Marshal(filter)
	if err != nil {
		return err
	}
	params := append(append([]byte(`{"notifications":`), raw...), '}')
	return of("subscriptions/listen", in.request(ctx, o, "subscriptions/listen", params, in.callOptions(step)))
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
	params := append(rawjson.Quote([]byte(`{"level":`), in.settings.LogLevel), '}')
	_, err := in.link.Client.Request(ctx, "logging/setLevel", params, in.callOptions(nil))
	return of("logging/setLevel", err)
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
