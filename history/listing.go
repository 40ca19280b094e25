package history

import (
	"slices"
	"sort"

	"parley/client/wire"
)

// listMethods are the methods whose answers make the catalogue, and
// listChanges the notifications that make them stale.
var (
	listMethods = [...]string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"}
	listChanges = [...]string{
		"notifications/tools/list_changed", "notifications/resources/list_changed",
		"notifications/resources/list_changed", "notifications/prompts/list_changed",
	}
)

// listing is what was last listed by one method, and what is being listed now.
type listing struct {
	run     int     // counts the listings begun: a request without a cursor begins one
	began   place   // the request that began the newest
	pages   []place // its responses so far
	pagesOf int     // the run that pages belong to
	shown   []place // the responses of the newest complete listing, or of the first one so far
	whole   bool    // shown is complete
	from    place   // the request that began it
	changed uint64  // the newest notification that the list changed
}

// want is what an answer will be used for.
type want struct {
	what wanted
	list int // of a list: which
	run  int // of a list: the listing it belongs to
	uri  string
}

type wanted uint8

const (
	wantServer wanted = iota
	wantDiscovery
	wantList
	wantSubscribe
	wantUnsubscribe
)

// asked notes a request of ours whose answer changes the state.
func (s *State) asked(p place, h *wire.Head) {
	var w want
	switch h.Method {
	case "initialize":
		w.what = wantServer
		s.shake(p, false)
	case "server/discover":
		if s.phase == Ready && !s.modern {
			return // asked out of curiosity
		}
		w.what = wantDiscovery
		s.shake(p, true)
	case "subscriptions/listen":
		s.listening(p, h.ID)
		return
	case "resources/subscribe":
		w.what, w.uri = wantSubscribe, h.Name
	case "resources/unsubscribe":
		w.what, w.uri = wantUnsubscribe, h.Name
	default:
		i := slices.Index(listMethods[:], h.Method)
		if i < 0 {
			return
		}
		l := &s.lists[i]
		if !h.Cursor {
			l.run++
			l.began = p
		}
		w.what, w.list, w.run = wantList, i, l.run
	}
	if s.wants == nil {
		s.wants = make(map[place]want)
	}
	s.wants[p] = w
}

// got uses the answer to such a request.
func (s *State) got(e *exchange, h *wire.Head) {
	w, ok := s.wants[e.request]
	if !ok {
		return
	}
	delete(s.wants, e.request)
	failed := h.Form == wire.Failure
	switch w.what {
	case wantServer, wantDiscovery:
		s.shaken(e, w.what == wantDiscovery, failed)
	case wantList:
		if !failed {
			s.listed(&s.lists[w.list], w.run, e.response, h.Next)
		}
	case wantSubscribe:
		if !failed {
			if s.uris == nil {
				s.uris = make(map[string]bool)
			}
			s.uris[w.uri] = true
		}
	case wantUnsubscribe:
		if !failed {
			delete(s.uris, w.uri)
		}
	}
}

// shake begins a handshake.
func (s *State) shake(p place, modern bool) {
	s.hand = p
	if s.phase == Idle || s.phase == Connected {
		s.phase = Handshaking
	}
	if s.phase != Ready {
		s.modern = modern
	}
}

// shaken ends it. A probe that failed, or whose answer came after initialize was sent,
// leaves the phase to that.
func (s *State) shaken(e *exchange, modern, failed bool) {
	newest := e.request == s.hand
	switch {
	case failed:
		if s.phase == Handshaking && newest {
			s.phase = Connected
		}
	case newest || !modern:
		s.server, s.discovered, s.modern = e.response.ref(), modern, modern
		if s.phase == Handshaking || s.phase == Connected {
			s.phase = Ready
		}
	}
}

// listed adds a page. A listing takes the place of the one before once it is
// complete, so that a first page that somebody asked for by hand does not make
// the catalogue shorter; the first one is shown as it grows.
func (s *State) listed(l *listing, run int, response place, more bool) {
	if run != l.run { // of an earlier listing
		return
	}
	if l.pagesOf != run {
		l.pages, l.pagesOf = nil, run
	}
	l.pages = append(l.pages, response)
	if !more || !l.whole {
		l.shown, l.from, l.whole = slices.Clone(l.pages), l.began, !more
	}
}

func (s *State) listChanged(method string, seq uint64) {
	for i, m := range listChanges {
		if m == method {
			s.lists[i].changed = seq
		}
	}
}

// ServerInfo returns the number of the response that says who the server is: the
// newest result of initialize or, where Modern says so, of server/discover; 0 if there
// is none.
func (s *State) ServerInfo() uint64 { return s.server.Seq }

// Pages returns the numbers of the responses that make the newest list of
// tools/list, resources/list, resources/templates/list or prompts/list: of the
// newest listing that is complete, or of one still incomplete if there is no
// other.
func (s *State) Pages(method string) []uint64 {
	var list []uint64
	for _, ref := range s.pages(method) {
		list = append(list, ref.Seq)
	}
	return list
}

func (s *State) pages(method string) []wire.Ref {
	i := slices.Index(listMethods[:], method)
	if i < 0 {
		return nil
	}
	var list []wire.Ref
	for _, p := range s.lists[i].shown {
		list = append(list, p.ref())
	}
	return list
}

// Stale reports whether what Pages gives was asked for before the server said
// that the list changed, in an earlier epoch, or in an HTTP session that expired.
func (s *State) Stale(method string) bool {
	i := slices.Index(listMethods[:], method)
	if i < 0 || s.lists[i].shown == nil {
		return false
	}
	l := &s.lists[i]
	return l.changed > l.from.seq() || s.began > l.from.seq()
}

// Subscriptions returns the URIs of resources/subscribe that are subscribed to, in
// order. For those of 2026-07-28 see Listens and Log.Filters.
func (s *State) Subscriptions() []string {
	var list []string
	for uri := range s.uris {
		list = append(list, uri)
	}
	sort.Strings(list)
	return list
}
