package history

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parley/client/wire"
)

// Stream is a response of HTTP that brings events as they come.
type Stream struct {
	Via     string    // "GET 3", "POST 7"
	Request uint64    // the frame that is answered on it; 0 of a GET
	Seq     uint64    // the frame of the response's head
	Opened  time.Time // when that came
	Events  int       // events so far, without comments
	Open    bool
}

// stream is a Stream as the fold keeps it, and before its head came an HTTP request
// whose response may become one.
type stream struct {
	request uint64
	head    uint64
	events  int
	waiting int // requests in that frame that are not answered yet
	closed  bool
}

// maxClosed is how many GET streams that ended are kept: a server may close each
// after one event.
const maxClosed = 16

// posted notes a request that went over HTTP.
func (s *State) posted(r *Record) {
	if !strings.HasPrefix(r.Via, "POST ") {
		return
	}
	if s.streams == nil {
		s.streams = make(map[string]stream)
	}
	st := s.streams[r.Via]
	st.request = r.Seq
	st.waiting++
	s.streams[r.Via] = st
}

// http applies a frame of the transport.
func (s *State) http(r *Record) {
	switch {
	case r.Dir != wire.In:
	case r.Method == HTTPEvent:
		if st, ok := s.streams[r.Via]; ok {
			st.events++
			s.streams[r.Via] = st
		}
	case r.ID.Type == wire.NumberID && r.ID.Num/100 == 2 && r.Name == "text/event-stream":
		st, ok := s.streams[r.Via]
		if !ok && !strings.HasPrefix(r.Via, "GET ") {
			return // nobody waits for an answer on it
		}
		if s.streams == nil {
			s.streams = make(map[string]stream)
		}
		st.head = r.Seq
		s.streams[r.Via] = st
	}
}

// broken notes that a stream ended and is opened again. That of a POST goes on as a
// GET, under another name.
func (s *State) broken(via string) {
	st, ok := s.streams[via]
	if !ok {
		return
	}
	st.closed = true
	s.streams[via] = st
	if st.request == 0 {
		s.dropClosed()
	}
}

// dropClosed forgets the oldest of the GET streams that ended.
func (s *State) dropClosed() {
	n, oldest := 0, ""
	for via, st := range s.streams {
		if st.request != 0 || !st.closed {
			continue
		}
		n++
		if oldest == "" || st.head < s.streams[oldest].head {
			oldest = via
		}
	}
	if n > maxClosed {
		delete(s.streams, oldest)
	}
}

// resumed notes that the answer to a request came on the stream via: if that took the
// place of one that broke, it ends with the answer.
func (s *State) resumed(request place, via string) {
	if len(s.streams) == 0 || !strings.HasPrefix(via, "GET ") {
		return
	}
	if st, ok := s.streams[s.viaOf(request)]; ok && st.closed {
		s.broken(via)
	}
}

// viaOf looks up how a message went.
func (s *State) viaOf(p place) string {
	if s.index == nil {
		return ""
	}
	s.index.mu.RLock()
	defer s.index.mu.RUnlock()
	r, _ := s.index.message(p.ref())
	return r.Via
}

// delivered notes that a request is not waited for any more: with the last one of its
// frame the response stream ends.
func (s *State) delivered(request place) {
	if len(s.streams) == 0 {
		return
	}
	via := s.viaOf(request)
	st, ok := s.streams[via]
	if !ok {
		return
	}
	if st.waiting--; st.waiting <= 0 {
		delete(s.streams, via)
		return
	}
	s.streams[via] = st
}

// Streams returns the streams of this epoch in the order in which they were opened:
// those that are open, and the newest GET streams that ended.
func (s *State) Streams() []Stream {
	var list []Stream
	for via, st := range s.streams {
		if st.head == 0 || st.closed && st.request != 0 {
			continue
		}
		list = append(list, Stream{Via: via, Request: st.request, Seq: st.head, Events: st.events, Open: !st.closed})
	}
	slices.SortFunc(list, func(a, b Stream) int { return cmp.Compare(a.Seq, b.Seq) })
	if s.index != nil {
		s.index.mu.RLock()
		defer s.index.mu.RUnlock()
		for i := range list {
			if r, ok := s.index.message(wire.Ref{Seq: list[i].Seq}); ok {
				list[i].Opened = r.Time
			}
		}
	}
	return list
}

// maxHTTP bounds what HTTP returns.
const maxHTTP = 10_000

// HTTP returns the numbers of the frames that share the HTTP request of a frame, itself
// among them, in order: the request's message and head, the response's head, events
// and messages, and the event that its stream broke. There is none for frames that
// went over no HTTP; where all frames go over one connection that HTTP opened, they
// are those of its opening. If there are more than 10,000 the last ones are left out.
func (s *State) HTTP(seq uint64) []uint64 {
	if s.index == nil {
		return nil
	}
	return s.index.sharing(seq, s.cursor.seq)
}

// HTTP is State.HTTP for all that was recorded.
func (l *Log) HTTP(seq uint64) []uint64 { return l.index.sharing(seq, l.Len()) }

// sharing finds the frames up to limit with the via of the frame seq, in its epoch.
func (ix *index) sharing(seq, limit uint64) (list []uint64) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	at, ok := ix.find(seq)
	if !ok {
		return nil
	}
	connected, broke := ix.syms.find(wire.EventConnected), ix.syms.find(wire.EventReconnecting)
	// The stream that broke stands in the name; see eventHead.
	viaOf := func(e *entry) symbol {
		if e.method == broke && e.field(kindShift, kindMask) == uint32(wire.Event) {
			return e.name
		}
		return e.via
	}
	begins := func(e *entry) bool {
		return e.method == connected && e.field(kindShift, kindMask) == uint32(wire.Event)
	}
	via := viaOf(ix.at(at))
	if via == 0 {
		return nil
	}
	_, _, numbered := strings.Cut(ix.syms.text(via), " ")
	for at > 0 && !begins(ix.at(at)) {
		at--
	}
	for pos := at; pos < ix.n && len(list) < maxHTTP; pos++ {
		e := ix.at(pos)
		if pos > at && begins(e) {
			break
		}
		if viaOf(e) != via || !numbered && e.field(kindShift, kindMask) != uint32(wire.HTTP) {
			continue
		}
		n := ix.seqAt(pos)
		if n > limit {
			break
		}
		list = append(list, n)
	}
	return list
}
