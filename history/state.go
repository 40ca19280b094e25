package history

import (
	"cmp"
	"hash/maphash"
	"slices"

	"parley/client/wire"
)

// Phase says where a connection stands.
type Phase uint8

// The phases.
const (
	Idle         Phase = iota // nothing was connected yet
	Connected                 // connected; nothing more is needed when there is no handshake
	Handshaking               // initialize or server/discover was sent
	Ready                     // it was answered
	Closed                    // we ended the connection
	Exited                    // the server ended
	Disconnected              // the other side, or the network, ended the connection
)

var phaseNames = [...]string{"idle", "connected", "handshaking", "ready", "closed", "exited", "disconnected"}

// String gives the phase for people.
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "unknown"
}

// Counts says how much there was of each sort.
type Counts struct {
	Out, In                            int // frames that are messages
	BytesOut, BytesIn                  int64
	Requests, Responses, Notifications int // members of batches too
	Errors                             int // responses with an error, or a result that says isError
	Stray, Stderr, HTTP, Events        int
}

// State is the fold over a log: what the frames so far mean together. Its zero
// value is ready; it belongs to one goroutine.
//
// It keeps less than 30 bytes of a frame that belongs to an exchange and nothing
// of most others: what it is asked for is looked up in the log.
type State struct {
	index      *index // of the records applied
	cursor     cursor
	buf        []folded
	phase      Phase
	epoch      int
	began      uint64 // the frame that opened the epoch, or ended an HTTP session in it
	transport  string // of the epoch; empty means stdio
	hand       place  // the newest initialize or server/discover
	modern     bool
	exit       exit
	counts     Counts
	matcher    wire.Matcher
	exchanges  exchanges
	named      [2]map[uint64]place // requests not answered yet, by id, by direction
	tokens     [2]map[uint64]place // the same by progress token
	wants      map[place]want
	server     wire.Ref // the result of initialize or server/discover
	discovered bool     // it is that of server/discover
	lists      [len(listMethods)]listing
	uris       map[string]bool // subscribed
	listens    []listen        // open
	streams    map[string]stream
}

// exit is how the server of this epoch ended.
type exit struct {
	seq    uint64
	code   *int
	signal string
}

// CatchUp applies what the log got since the last time and reports whether
// there was anything. A frame in parts is applied when its end has come.
func (s *State) CatchUp(l *Log) bool {
	return s.Fold(l, l.Len(), nil)
}

// Fold is CatchUp, but no further than to the number limit, so that the state
// is what it was then. Each record is given to visit, if that is not nil, after
// it was applied; it is valid during the call.
func (s *State) Fold(l *Log, limit uint64, visit func(r *Record, members []wire.Head)) bool {
	before := s.cursor
	if s.buf == nil {
		s.buf = make([]folded, feedLen)
	}
	for {
		n := l.index.feed(&s.cursor, limit, s.buf)
		for i := range s.buf[:n] {
			f := &s.buf[i]
			s.apply(&f.rec, f.members)
			if visit != nil {
				visit(&f.rec, f.members)
			}
		}
		if n < len(s.buf) {
			return s.cursor != before
		}
	}
}

const feedLen = 128

// Apply applies one record. members are the heads of a batch. Who uses it
// instead of CatchUp keeps to the order of the log.
func (s *State) Apply(r *Record, members []wire.Head) {
	s.cursor.seq = max(s.cursor.seq, r.Seq)
	s.apply(r, members)
}

func (s *State) apply(r *Record, members []wire.Head) {
	if r.index != nil {
		s.index = r.index
	}
	if r.Open || r.Cut {
		return
	}
	s.count(r)
	switch r.Kind {
	case wire.Event:
		s.event(r)
	case wire.Message:
		ref := wire.Ref{Seq: r.Seq}
		if r.Form != wire.Batch {
			h := r.head()
			s.message(ref, r, &h)
			return
		}
		for i := range members {
			ref.Member = int32(i + 1)
			s.message(ref, r, &members[i])
		}
	case wire.HTTP:
		s.http(r)
	}
}

func (s *State) count(r *Record) {
	switch r.Kind {
	case wire.Stray:
		s.counts.Stray++
	case wire.Stderr:
		s.counts.Stderr++
	case wire.HTTP:
		s.counts.HTTP++
	case wire.Event:
		s.counts.Events++
	case wire.Message:
		if r.Dir == wire.Out {
			s.counts.Out++
			s.counts.BytesOut += r.Size
		} else {
			s.counts.In++
			s.counts.BytesIn += r.Size
		}
	}
}

// message applies one message: the frame r, or a member of it.
func (s *State) message(ref wire.Ref, r *Record, h *wire.Head) {
	dir := r.Dir
	if dir == wire.None {
		return
	}
	m := s.matcher.Apply(ref, dir, h)
	p := placeOf(ref)
	switch {
	case h.Form == wire.Request:
		s.counts.Requests++
		s.exchanges.add(p, dir)
		remember(&s.named[dir-wire.Out], h.ID, p)
		if h.Token.Type != wire.NoID {
			remember(&s.tokens[dir-wire.Out], h.Token, p)
		}
		if dir == wire.Out {
			s.asked(p, h)
			s.follow(p, r)
			s.posted(r)
		}
	case h.Form.IsResponse():
		s.counts.Responses++
		if h.Form == wire.Failure || h.IsError {
			s.counts.Errors++
		}
		s.answer(p, h, m, r.Via)
	case h.Form == wire.Notification:
		s.counts.Notifications++
		s.notification(p, dir, h)
	}
}

func (s *State) answer(p place, h *wire.Head, m wire.Match, via string) {
	if m.Request.Seq == 0 {
		return
	}
	request := placeOf(m.Request)
	s.exchanges.link(p, request)
	e := s.exchanges.get(request)
	if m.Pairing != wire.Answered || e == nil {
		return
	}
	e.response = p
	s.resumed(request, via)
	status := OK
	switch {
	case h.Form == wire.Failure:
		status = RPCError
	case h.Type == wire.ResultInput:
		status = InputRequired
	case h.IsError:
		status = ToolError
	}
	s.end(e, status)
	s.forget(e, h)
	s.got(e, h)
}

func (s *State) notification(p place, dir wire.Dir, h *wire.Head) {
	switch h.Method {
	case "notifications/cancelled":
		request, ok := s.named[dir-wire.Out][key(h.Token)]
		if e := s.exchanges.get(request); ok && e != nil && e.status == Pending {
			s.end(e, Cancelled)
		}
		if dir == wire.In {
			s.unlistened(h.Token)
		}
	case "notifications/progress":
		request, ok := s.tokens[wire.In-dir][key(h.Token)]
		if e := s.exchanges.get(request); ok && e != nil {
			s.exchanges.addProgress(e, p.seq())
		}
	default:
		if dir == wire.In {
			s.listChanged(h.Method, p.seq())
			s.heard(p, h)
		}
	}
}

// end gives an exchange its status, and ends with it what lasts as long as it does.
func (s *State) end(e *exchange, status Status) {
	if e.status == Pending && e.dir == wire.Out {
		s.listens = slices.DeleteFunc(s.listens, func(l listen) bool { return l.request == e.request })
		s.delivered(e.request)
	}
	s.exchanges.end(e, status)
}

var keySeed = maphash.MakeSeed()

// key makes an id small: whole numbers as they are, others hashed.
func key(id wire.ID) uint64 {
	if id.Type == wire.NumberID && id.Text == "" {
		return uint64(id.Num)
	}
	return maphash.Comparable(keySeed, id)
}

func remember(m *map[uint64]place, id wire.ID, p place) {
	if *m == nil {
		*m = make(map[uint64]place)
	}
	(*m)[key(id)] = p
}

// forget drops what was kept to find an exchange while it was open. A task goes on
// to report progress after the request that began it was answered.
func (s *State) forget(e *exchange, answer *wire.Head) {
	d := e.dir - wire.Out
	if k := key(answer.ID); s.named[d][k] == e.request {
		delete(s.named[d], k)
	}
	if len(s.tokens[d]) == 0 || s.index == nil || answer.Type == wire.ResultTask {
		return
	}
	s.index.mu.RLock()
	r, ok := s.index.message(e.request.ref())
	s.index.mu.RUnlock()
	if ok && r.Token.Type != wire.NoID && s.tokens[d][key(r.Token)] == e.request {
		delete(s.tokens[d], key(r.Token))
	}
}

// Seq returns the number up to which the log was applied.
func (s *State) Seq() uint64 { return s.cursor.seq }

// Phase returns where the connection stands.
func (s *State) Phase() Phase { return s.phase }

// Epoch returns the number of the connection in the session: 1, 2, 3 … and 0
// before the first.
func (s *State) Epoch() int { return s.epoch }

// Counts returns how many frames there were.
func (s *State) Counts() Counts { return s.counts }

// Modern reports whether the connection speaks 2026-07-28 or later: its newest
// handshake is server/discover, and not initialize. Nothing that is sent by hand
// after a handshake changes that, but an initialize that succeeds.
func (s *State) Modern() bool { return s.modern }

// Transport returns the name of the transport of this epoch, one of the names in
// package wire.
func (s *State) Transport() string { return cmp.Or(s.transport, stdio) }

// Exited says how the server of this epoch ended: with a code, or killed by a
// signal, and the number of the event that says so; 0 while it runs. Of a connection
// that was no process it gives the number of the event disconnected.
func (s *State) Exited() (code *int, signal string, seq uint64) {
	return s.exit.code, s.exit.signal, s.exit.seq
}

// Logs returns the numbers of the server's log messages among the frames from
// and to and those between them.
func (s *State) Logs(from, to uint64) []uint64 {
	if s.index == nil {
		return nil
	}
	// A server may send nothing but these, so they are not kept.
	var logs []uint64
	s.index.each(from, min(to, s.cursor.seq), func(r *Record) bool {
		if r.Kind == wire.Message && r.Dir == wire.In && !r.Open && !r.Cut && s.hasLog(r) {
			logs = append(logs, r.Seq)
		}
		return true
	})
	return logs
}

// hasLog reports whether a message is a log message, or a batch with one.
func (s *State) hasLog(r *Record) bool {
	isLog := func(h wire.Head) bool { return h.Form == wire.Notification && h.Method == "notifications/message" }
	if r.Form != wire.Batch {
		return isLog(r.head())
	}
	s.index.mu.RLock()
	defer s.index.mu.RUnlock()
	return slices.ContainsFunc(s.index.heads(s.index.extra[r.Seq]), isLog)
}
