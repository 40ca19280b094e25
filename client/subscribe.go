package client

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// subscriptions is what the client subscribed to. It belongs to Client.mu.
type subscriptions struct {
	uris   []string                  // of resources, in the order of subscribing; they outlive an epoch
	stream *Subscription             // modern: the one that hears of them
	open   map[wire.ID]*Subscription // by the id of the request that is open now
	acks   map[wire.ID]mcp.Filter    // what was granted before the sender knew its id
	turn   chan struct{}             // has one place: who changes uris
	kept   []*Subscription           // those that are opened again in the next epoch
	again  []mcp.Filter              // what those of earlier epochs asked for
}

// reset begins a new epoch, with Client.mu held.
func (s *subscriptions) reset() {
	again := s.again
	for _, kept := range s.kept {
		again = append(again, kept.asked)
	}
	*s = subscriptions{again: again, uris: s.uris, open: map[wire.ID]*Subscription{}, acks: map[wire.ID]mcp.Filter{}, turn: make(chan struct{}, 1)}
}

// forget has a subscription not opened again, with Client.mu held.
func (s *subscriptions) forget(ended *Subscription) {
	s.kept = slices.DeleteFunc(s.kept, func(kept *Subscription) bool { return kept == ended })
}

// remember has a subscription opened again in the next epoch, unless it has ended.
func (c *Client) remember(s *Subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-s.done:
	default:
		c.subscriptions.kept = append(c.subscriptions.kept, s)
	}
}

// listenAgain opens what was open when the connection before ended.
func (c *Client) listenAgain(ctx context.Context) {
	c.mu.Lock()
	again := c.subscriptions.again
	c.subscriptions.again = nil
	c.mu.Unlock()
	for _, filter := range again {
		s, err := c.listenLater(ctx, filter)
		if err == nil {
			c.remember(s)
		}
		c.tell("the subscription to "+filter.String()+" could not be made again", err)
	}
}

// Subscribed gives the URIs of the resources whose updates the server tells, in the
// order of subscribing.
func (c *Client) Subscribed() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.subscriptions.uris)
}

// Subscribe has the server tell when these resources change: a legacy server by
// resources/subscribe for each, a modern one by one subscriptions/listen for all that
// are subscribed to (spec: server/resources, subscriptions; 2026-07-28,
// basic/patterns/subscriptions). They are subscribed to again after a restart. After an
// error those before it are subscribed to.
func (c *Client) Subscribe(ctx context.Context, uris []string) error {
	return c.subscribe(ctx, "resources/subscribe", uris, func(have []string, uri string) []string {
		if slices.Contains(have, uri) {
			return have
		}
		return append(have, uri)
	})
}

// Unsubscribe has the server not tell it any more.
func (c *Client) Unsubscribe(ctx context.Context, uris []string) error {
	return c.subscribe(ctx, "resources/unsubscribe", uris, func(have []string, uri string) []string {
		return slices.DeleteFunc(have, func(other string) bool { return other == uri })
	})
}

// subscribe changes what is subscribed to; change gives the URIs with one changed.
func (c *Client) subscribe(ctx context.Context, method string, uris []string, change func([]string, string) []string) error {
	c.mu.Lock()
	turn := c.subscriptions.turn
	c.mu.Unlock()
	if turn == nil {
		return ErrNotConnected
	}
	select {
	case turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-turn }()
	have := c.Subscribed()
	if c.Era() == Modern {
		want := slices.Clone(have)
		for _, uri := range uris {
			want = change(want, uri)
		}
		if slices.Equal(want, have) {
			return nil
		}
		return c.listenTo(ctx, want)
	}
	for _, uri := range uris {
		if _, err := c.Request(ctx, method, ReadParams(uri), CallOptions{By: wire.ByForm}); err != nil {
			return err
		}
		have = change(have, uri)
		c.setURIs(have)
	}
	return nil
}

func (c *Client) setURIs(uris []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.subscriptions.uris = slices.Clone(uris)
}

// listenTo replaces the stream that hears of resources by one that hears of these. The
// old one is closed when the new one is granted, so that nothing is missed.
func (c *Client) listenTo(ctx context.Context, uris []string) error {
	var next *Subscription
	if len(uris) > 0 {
		if err := c.gateUpdates(); err != nil {
			return err
		}
		var err error
		if next, err = c.listenNow(ctx, mcp.Filter{URIs: uris}); err != nil {
			return err
		}
	}
	c.mu.Lock()
	old := c.subscriptions.stream
	c.subscriptions.stream = next
	if next != nil && next.granted != nil {
		uris = slices.DeleteFunc(uris, func(uri string) bool { return !slices.Contains(next.granted.URIs, uri) })
	}
	c.subscriptions.uris = slices.Clone(uris)
	c.mu.Unlock()
	if old != nil {
		old.Close()
	}
	return nil
}

// gateUpdates holds back a subscription to resources of a modern server that did not
// declare it.
func (c *Client) gateUpdates() error {
	info, shaken := c.Server()
	if !shaken || c.options().Force || info.Capabilities == nil || info.Has("resources.subscribe") {
		return nil
	}
	return &GateError{Method: "subscriptions/listen", Capability: "resources.subscribe"}
}

// began is called after each handshake, also after one that a lost session made
// necessary. What goes wrong is told and changes nothing else.
func (c *Client) began(ctx context.Context) {
	opt, uris := c.options(), c.Subscribed()
	var err error
	if c.Era() == Modern {
		if filter := c.listChanges(); opt.Listen && !filter.IsZero() {
			_, err = c.listenLater(ctx, filter)
			c.tell("the server could not be asked to tell of changed lists", err)
		}
		if len(uris) > 0 {
			stream, err := c.listenLater(ctx, mcp.Filter{URIs: uris})
			c.tell("the subscriptions could not be made again", err)
			c.mu.Lock()
			c.subscriptions.stream = stream
			c.mu.Unlock()
		}
		c.listenAgain(ctx)
		return
	}
	if opt.LogLevel != "" {
		_, err = c.Request(ctx, "logging/setLevel", levelParams(opt.LogLevel), CallOptions{})
		c.tell("the log level could not be set", err)
	}
	for _, uri := range uris {
		_, err = c.Request(ctx, "resources/subscribe", ReadParams(uri), CallOptions{})
		c.tell("the subscription to "+uri+" could not be made again", err)
	}
}

func (c *Client) tell(what string, err error) {
	if err != nil {
		c.Announce(fmt.Sprintf("%s: %v", what, err))
	}
}

// listChanges is the lists that the server declares to tell changes of.
func (c *Client) listChanges() mcp.Filter {
	info, _ := c.Server()
	return mcp.Filter{
		Tools:     info.Has("tools.listChanged"),
		Prompts:   info.Has("prompts.listChanged"),
		Resources: info.Has("resources.listChanged"),
	}
}

// heard looks at each notification of the server's, with Client.mu held, in the
// goroutine that reads the connection.
func (c *Client) heard(f *wire.Frame, _ wire.Ref, h *wire.Head) {
	if h.Method != "notifications/subscriptions/acknowledged" || h.Token.Type == wire.NoID || int64(len(f.Raw)) != f.Size {
		return
	}
	raw, _ := rawjson.Get(f.Raw[h.Params.Off:h.Params.Off+h.Params.Len], "notifications")
	granted, _ := mcp.DecodeFilter(json.RawMessage(raw))
	if s := c.subscriptions.open[h.Token]; s != nil {
		s.acknowledge(granted)
		return
	}
	for _, k := range c.calls { // its sender does not know its id yet
		if k.id == h.Token && k.method == "subscriptions/listen" {
			c.subscriptions.acks[h.Token] = granted
		}
	}
}

// tellGaps announces what of a filter was not granted.
func (c *Client) tellGaps(asked, granted mcp.Filter) {
	missing := asked.Without(granted)
	if missing.IsZero() {
		return
	}
	text := "the server does not tell of " + strings.TrimPrefix(missing.String(), "changes of ") + ", which was asked for"
	if granted.IsZero() {
		text += "; it tells of nothing"
	}
	c.Announce(text)
}
