package check

import (
	"fmt"
	"slices"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// listening is an open subscriptions/listen.
type listening struct {
	request wire.Ref
	id      wire.ID
	via     string
	asked   mcp.Filter
	granted mcp.Filter
	acked   bool
	blind   bool // what was asked could not be read
}

// maxEnded bounds how many subscriptions that are over are remembered: what was on its
// way when one ended breaks no rule.
const maxEnded = 64

func (c *Checker) listen(m *message) {
	l := &listening{request: m.ref, id: m.ID, via: m.via, blind: m.size > maxRead}
	if !l.blind {
		l.asked = filterIn(m)
	}
	c.listens = append(c.listens, l)
}

func filterIn(m *message) (f mcp.Filter) {
	if raw, ok := rawjson.Get(m.raw(), "params", "notifications"); ok {
		f, _ = mcp.DecodeFilter(raw)
	}
	return f
}

// unlisten ends the subscription that a request opened.
func (c *Checker) unlisten(request wire.Ref) {
	c.endListen(func(l *listening) bool { return l.request == request })
}

func (c *Checker) endListen(is func(*listening) bool) {
	i := slices.IndexFunc(c.listens, is)
	if i < 0 {
		return
	}
	c.ended = append(c.ended, c.listens[i].id)
	c.ended = c.ended[max(0, len(c.ended)-maxEnded):]
	c.listens = slices.Delete(c.listens, i, i+1)
}

// onListen reports whether a message of the server came on the stream of a subscription.
func (c *Checker) onListen(m *message) bool {
	return c.transport == wire.TransportHTTP && m.dir == wire.In &&
		slices.ContainsFunc(c.listens, func(l *listening) bool { return l.via == m.via })
}

// notification checks what a notification says.
func (c *Checker) notification(m *message) []Finding {
	switch m.Method {
	case "notifications/progress":
		return c.progress(m)
	case "notifications/cancelled":
		c.endListen(func(l *listening) bool { return l.id == m.Token })
		return nil
	}
	if m.dir != wire.In {
		return nil
	}
	if m.Method == "notifications/message" {
		return c.logged(m)
	}
	if c.era == modern && c.confirmed {
		return c.subscribed(m)
	}
	return nil
}

// subscribed checks a notification that only a subscription may bring.
func (c *Checker) subscribed(m *message) []Finding {
	lets, ok := filtered[m.Method]
	if !ok {
		return nil
	}
	if m.Token.Type == wire.NoID {
		return []Finding{found(SubscriptionID, m.ref, m.Method+" has no subscription id")}
	}
	i := slices.IndexFunc(c.listens, func(l *listening) bool { return l.id == m.Token })
	if i < 0 {
		if slices.Contains(c.ended, m.Token) {
			return nil
		}
		return []Finding{found(SubscriptionID, m.ref, fmt.Sprintf("%s is for %s, which is no open subscription", m.Method, m.Token))}
	}
	l := c.listens[i]
	switch {
	case m.Method == acknowledged:
		return l.acknowledge(m)
	case !l.acked:
		return []Finding{found(ListenBeforeAck, m.ref, m.Method+" comes before the acknowledgement")}
	case !lets(l.granted):
		return []Finding{found(ListenUnasked, m.ref, m.Method+" was not granted to subscription "+l.id.String())}
	}
	return nil
}

const acknowledged = "notifications/subscriptions/acknowledged"

// filtered says for the notifications of subscriptions which filter lets them through.
var filtered = map[string]func(mcp.Filter) bool{
	acknowledged:                           func(mcp.Filter) bool { return true },
	"notifications/tools/list_changed":     func(f mcp.Filter) bool { return f.Tools },
	"notifications/prompts/list_changed":   func(f mcp.Filter) bool { return f.Prompts },
	"notifications/resources/list_changed": func(f mcp.Filter) bool { return f.Resources },
	// What is updated may be a part of what was subscribed to.
	"notifications/resources/updated": func(f mcp.Filter) bool { return len(f.URIs) > 0 },
	"notifications/tasks":             func(f mcp.Filter) bool { return len(f.TaskIDs) > 0 },
}

func (l *listening) acknowledge(m *message) []Finding {
	l.acked = true
	if m.size > maxRead {
		l.granted = l.asked
		return nil
	}
	l.granted = filterIn(m)
	if more := l.granted.Without(l.asked); !more.IsZero() && !l.blind {
		return []Finding{found(ListenUnasked, m.ref, "granted, but not asked for: "+more.String())}
	}
	return nil
}
