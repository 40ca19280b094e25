package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/client/mcp"
	"parley/client/wire"
	"parley/history"
)

// subscribedMsg tells what came of subscribing to a resource, or of ending that.
type subscribedMsg struct {
	sess *Session
	uri  string
	on   bool
	err  error
}

// subscribe has the server tell when the selected resource changes, or not any more.
func (m *Model) subscribe() tea.Cmd {
	uri, why := m.subscribable()
	if why != "" {
		m.say(why)
		return nil
	}
	on := !slices.Contains(m.desk.subscribed(), uri)
	s, ctx := m.desk.sess, m.ctx
	return func() tea.Msg {
		do := s.Client.Subscribe
		if !on {
			do = s.Client.Unsubscribe
		}
		return subscribedMsg{s, uri, on, do(ctx, []string{uri})}
	}
}

// subscribable is the selected resource, or why nothing can be subscribed to.
func (m *Model) subscribable() (uri, why string) {
	x, ok := m.cat.selected()
	if !ok || m.cat.tab != tabResources {
		return "", "no resource is selected: 2 goes to them"
	}
	if x.key.kind == templateItem {
		if uri = m.detail.fetched[x.key]; uri == "" {
			return "", "this is a template: read one of its resources, then s subscribes to it"
		}
		return uri, m.live()
	}
	return x.key.name, m.live()
}

func (m *Model) subscribed(msg subscribedMsg) tea.Cmd {
	if msg.sess != m.desk.sess {
		return nil
	}
	m.refresh()
	switch {
	case msg.err != nil:
		m.fail(msg.err)
	case msg.on:
		m.say("subscribed to " + msg.uri + ": what changes is told here · s ends it")
	default:
		m.say("not subscribed to " + msg.uri + " any more")
	}
	return m.tick()
}

// subscribed are the resources whose changes the server tells: those of
// resources/subscribe, and those that subscriptions of 2026-07-28 were granted.
func (d *desk) subscribed() []string {
	uris := d.state.Subscriptions()
	for _, x := range d.state.Listens() {
		uris = append(uris, d.granted(x).URIs...)
	}
	return uris
}

// granted is what a subscription of 2026-07-28 brings, read once.
func (d *desk) granted(x history.Listen) mcp.Filter {
	if x.Acknowledged == 0 {
		return mcp.Filter{}
	}
	if f, ok := d.filters[x.Acknowledged]; ok {
		return f
	}
	_, f := d.sess.Log.Filters(x)
	put(&d.filters, x.Acknowledged, f)
	return f
}

// tell says that a resource changed which is subscribed to and does not show. One
// that shows is read again.
func (m *Model) tell(r *history.Record) {
	if r.Method == "notifications/resources/updated" && r.Dir == wire.In && !m.detail.reads(r.Name) && (m.notice == "" || !m.noticeError) {
		m.say(r.Name + " changed · " + r.Time.Local().Format("15:04:05"))
	}
}
