package history

import (
	"slices"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
)

// Listen is a subscriptions/listen that is open: a request that is answered when the
// subscription ends (spec: 2026-07-28, basic/patterns, subscriptions).
type Listen struct {
	Request      wire.Ref
	ID           wire.ID
	Acknowledged uint64 // the frame in which the server says what it granted; 0 before
	Events       int    // notifications for it after that
}

// listen is a Listen as the fold keeps it.
type listen struct {
	request place
	id      wire.ID
	ack     uint64
	events  int
}

// listening begins a subscription.
func (s *State) listening(p place, id wire.ID) {
	s.listens = append(s.listens, listen{request: p, id: id})
}

// heard notes a notification that says for which subscription it is.
func (s *State) heard(p place, h *wire.Head) {
	if h.Token.Type == wire.NoID {
		return
	}
	// Of two with one id the newest counts.
	for i := len(s.listens) - 1; i >= 0; i-- {
		l := &s.listens[i]
		if l.id != h.Token {
			continue
		}
		if h.Method == "notifications/subscriptions/acknowledged" {
			l.ack = p.seq()
			if s.phase != Ready {
				s.modern = true
			}
		} else {
			l.events++
		}
		return
	}
}

// unlistened ends the subscription that the server says is over.
func (s *State) unlistened(id wire.ID) {
	i := slices.IndexFunc(s.listens, func(l listen) bool { return l.id == id })
	if i < 0 {
		return
	}
	if e := s.exchanges.get(s.listens[i].request); e != nil && e.status == Pending {
		s.end(e, Cancelled)
	}
}

// Listens returns the subscriptions of 2026-07-28 that are open, oldest first.
func (s *State) Listens() []Listen {
	var list []Listen
	for _, l := range s.listens {
		list = append(list, Listen{Request: l.request.ref(), ID: l.id, Acknowledged: l.ack, Events: l.events})
	}
	return list
}

// Filters reads what a subscription asked for and what the server granted; nothing is
// granted before it was acknowledged.
func (l *Log) Filters(x Listen) (asked, granted mcp.Filter) {
	asked = l.filter(x.Request)
	if x.Acknowledged != 0 {
		granted = l.filter(wire.Ref{Seq: x.Acknowledged})
	}
	return asked, granted
}

func (l *Log) filter(ref wire.Ref) (f mcp.Filter) {
	params, err := l.within(ref, func(h *wire.Head) wire.Span { return h.Params })
	if err != nil {
		return f
	}
	if raw, ok := rawjson.Get(params, "notifications"); ok {
		f, _ = mcp.DecodeFilter(raw)
	}
	return f
}

func (s *State) isListen(p place) bool {
	return slices.ContainsFunc(s.listens, func(l listen) bool { return l.request == p })
}
