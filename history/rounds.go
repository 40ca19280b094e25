package history

import (
	"cmp"
	"slices"

	"parley/client/wire"
)

// pair leads from one request to another.
type pair struct{ from, to place }

// pairs are in the order of from, each once.
type pairs []pair

func (l pairs) search(from place) (int, bool) {
	return slices.BinarySearchFunc(l, from, func(p pair, from place) int { return cmp.Compare(p.from, from) })
}

func (l pairs) get(from place) place {
	if i, ok := l.search(from); ok {
		return l[i].to
	}
	return 0
}

func (l *pairs) set(from, to place) {
	i, ok := l.search(from)
	if ok {
		(*l)[i].to = to
		return
	}
	*l = slices.Insert(*l, i, pair{from, to})
}

// follow notes that a request is a further round of one that was answered with a
// question (spec: 2026-07-28, basic/patterns, multi round-trip requests). A replayed
// frame names a frame of another session.
func (s *State) follow(p place, r *Record) {
	if r.Of == 0 || r.By == wire.ByReplay || p.ref().Member != 0 {
		return
	}
	e := s.exchanges.get(placeOf(wire.Ref{Seq: r.Of}))
	if e == nil || e.dir != wire.Out || e.request >= p {
		return
	}
	// A round that failed for another reason and is sent again is still a round.
	before := s.exchanges.before.get(e.request)
	if e.status != InputRequired && (before == 0 || r.By != wire.ByAuto) {
		return
	}
	s.exchanges.before.set(p, e.request)
	s.exchanges.after.set(e.request, p)
}

// first returns the request whose round a request is, itself if it is none.
func (x *exchanges) first(p place) place {
	for n := x.before.get(p); n != 0; n = x.before.get(p) {
		p = n
	}
	return p
}

// last returns the newest round of a request, itself if there is none.
func (x *exchanges) last(e *exchange) *exchange {
	for p := x.after.get(e.request); p != 0; p = x.after.get(p) {
		if next := x.get(p); next != nil {
			e = next
		}
	}
	return e
}

// rounds adds to x what the rounds after its first request made of it.
func (s *State) rounds(e *exchange, x *Exchange) {
	if s.exchanges.before.get(e.request) != 0 {
		x.First = s.exchanges.first(e.request).ref()
	}
	x.Final = x.Response
	for p := s.exchanges.after.get(e.request); p != 0; p = s.exchanges.after.get(p) {
		next := s.exchanges.get(p)
		if next == nil {
			return
		}
		x.Rounds = append(x.Rounds, p.ref())
		x.Final, x.Status = next.response.ref(), next.status
		x.Progress += s.exchanges.progressed(next)
	}
}
