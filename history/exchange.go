package history

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"parley/client/wire"
)

// Status says what became of a request.
type Status uint8

// The statuses.
const (
	Pending       Status = iota // no answer yet
	OK                          // a result
	ToolError                   // a result that says isError
	RPCError                    // an error
	Cancelled                   // who asked said that no answer is wanted, and none came
	Lost                        // the answer cannot come any more, or the request could not be written
	InputRequired               // a result that asks something, and no further round answers it
	Listening                   // no answer yet, and none is expected before the subscription ends
)

var statusNames = [...]string{"pending", "ok", "tool error", "error", "cancelled", "lost", "input required", "listening"}

// String gives the status for people.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "unknown"
}

// Exchange is a request and what answered it.
//
// One that is answered with a question goes on with further rounds, requests with ids
// of their own. The exchange of the first request is that of all of them: Status,
// Answered and Progress tell of the whole. Each round has an exchange of its own too,
// with First.
type Exchange struct {
	Request  wire.Ref
	Response wire.Ref   // zero while there is none
	Rounds   []wire.Ref // the requests of further rounds, in order
	Final    wire.Ref   // the response that counts, of the last round; zero while there is none
	First    wire.Ref   // of a further round: the request that it is a round of
	Method   string
	Name     string
	ID       wire.ID
	Dir      wire.Dir // of the request
	Status   Status
	Sent     time.Time
	Answered time.Time       // of Final, zero while there is none; of one in parts, when it began
	Progress int             // how many progress notifications came
	Type     wire.ResultType // of Final
}

// place is a wire.Ref in 8 bytes, ordered as the log is.
type place uint64

const memberBits = 16 // wire.MaxMembers fits

func placeOf(ref wire.Ref) place { return place(ref.Seq<<memberBits | uint64(ref.Member)) }

func (p place) seq() uint64   { return uint64(p) >> memberBits }
func (p place) ref() wire.Ref { return wire.Ref{Seq: p.seq(), Member: int32(p & (1<<memberBits - 1))} }

// exchange is an Exchange as the fold keeps it: what else there is to say is
// in the log's index.
type exchange struct {
	request  place
	response place
	progress uint32 // 1 + index of the newest in exchanges.progress
	status   Status
	dir      wire.Dir
}

// answer ties a response to the request it answers, or would.
type answer struct{ response, request place }

// progressNode is a progress notification, the how many-th of its exchange it
// is, and, as 1 + index, the one before it.
type progressNode struct {
	seq    uint64
	nth    uint32
	before uint32
}

// exchanges holds all exchanges, found by request and by response. Both lists
// are in the order of the log: nearly always what is added goes to their ends.
type exchanges struct {
	list     []exchange
	answers  []answer
	progress []progressNode
	open     [2][]place // requests that are waited for, by direction
	before   pairs      // from a round to the request before it
	after    pairs      // from a request to the newest round after it
}

// add adds a request.
func (x *exchanges) add(p place, dir wire.Dir) {
	x.list = insert(x.list, exchange{request: p, dir: dir}, func(e exchange) place { return e.request })
	open := &x.open[dir-wire.Out]
	*open = insert(*open, p, func(p place) place { return p })
}

// insert puts v where it belongs in a list that is in order.
func insert[T any](list []T, v T, key func(T) place) []T {
	if n := len(list); n == 0 || key(list[n-1]) < key(v) {
		return append(list, v)
	}
	i := sort.Search(len(list), func(i int) bool { return key(list[i]) >= key(v) })
	return slices.Insert(list, i, v)
}

// from returns the index of the first exchange at or after a place. Those
// asked for are mostly the newest.
func (x *exchanges) from(p place) int {
	low, high := 0, len(x.list)
	for step := 1; step <= high; step *= 2 {
		if x.list[high-step].request < p {
			low = high - step + 1
			break
		}
		high -= step
	}
	return low + sort.Search(high-low, func(i int) bool { return x.list[low+i].request >= p })
}

func (x *exchanges) get(p place) *exchange {
	if i := x.from(p); i < len(x.list) && x.list[i].request == p {
		return &x.list[i]
	}
	return nil
}

// linked returns the request that the response at a place belongs to. For a
// batch without a member it is that of the first member which has one.
func (x *exchanges) linked(p place) (request place, ok bool) {
	i, _ := slices.BinarySearchFunc(x.answers, p, func(a answer, p place) int { return cmp.Compare(a.response, p) })
	if i < len(x.answers) && x.answers[i].response.within(p) {
		return x.answers[i].request, true
	}
	return 0, false
}

// within reports whether p is the place q, or a member of the frame q.
func (p place) within(q place) bool {
	return p == q || q.ref().Member == 0 && p.seq() == q.seq()
}

// find returns the exchange of a request or a response.
func (x *exchanges) find(p place) *exchange {
	if i := x.from(p); i < len(x.list) && x.list[i].request.within(p) {
		return &x.list[i]
	}
	if request, ok := x.linked(p); ok {
		return x.get(request)
	}
	return nil
}

// link notes that a response belongs to a request.
func (x *exchanges) link(response, request place) {
	x.answers = insert(x.answers, answer{response, request}, func(a answer) place { return a.response })
}

// end gives an exchange its status and takes it from those waited for.
func (x *exchanges) end(e *exchange, s Status) {
	e.status = s
	open := &x.open[e.dir-wire.Out]
	if i, ok := slices.BinarySearch(*open, e.request); ok {
		*open = slices.Delete(*open, i, i+1)
	}
}

// lose ends all exchanges that are waited for: the connection is over.
func (x *exchanges) lose() {
	for d := range x.open {
		for _, p := range x.open[d] {
			if e := x.get(p); e != nil {
				e.status = Lost
			}
		}
		x.open[d] = x.open[d][:0]
	}
}

func (x *exchanges) addProgress(e *exchange, seq uint64) {
	node := progressNode{seq: seq, nth: uint32(x.progressed(e) + 1), before: e.progress}
	x.progress = append(x.progress, node)
	e.progress = uint32(len(x.progress))
}

// progressed is how many progress notifications an exchange has.
func (x *exchanges) progressed(e *exchange) int {
	if e.progress == 0 {
		return 0
	}
	return int(x.progress[e.progress-1].nth)
}

// progressOf returns the newest n of them, in order.
func (x *exchanges) progressOf(e *exchange, n int) []uint64 {
	list := make([]uint64, min(n, x.progressed(e)))
	at := e.progress
	for i := len(list) - 1; i >= 0; i-- {
		list[i], at = x.progress[at-1].seq, x.progress[at-1].before
	}
	return list
}

// Exchange returns the exchange that a frame belongs to as a request or as a
// response; of a batch, that of its first member that belongs to one.
func (s *State) Exchange(seq uint64) (Exchange, bool) {
	return s.ExchangeOf(wire.Ref{Seq: seq})
}

// ExchangeOf is Exchange for a member of a batch.
func (s *State) ExchangeOf(ref wire.Ref) (Exchange, bool) {
	e := s.exchanges.find(placeOf(ref))
	if e == nil {
		return Exchange{}, false
	}
	x := Exchange{
		Request:  e.request.ref(),
		Response: e.response.ref(),
		Dir:      e.dir,
		Status:   e.status,
		Progress: s.exchanges.progressed(e),
	}
	s.rounds(e, &x)
	if x.Status == Pending && s.isListen(e.request) {
		x.Status = Listening
	}
	if s.index == nil {
		return x, true
	}
	s.index.mu.RLock()
	defer s.index.mu.RUnlock()
	if r, ok := s.index.message(x.Request); ok {
		x.Method, x.Name, x.ID, x.Sent = r.Method, r.Name, r.ID, r.Time
	}
	if r, ok := s.index.message(x.Final); ok {
		x.Answered, x.Type = r.Time, r.Type
	}
	return x, true
}

// Partner returns the number of the response to a request, or of the request
// to a response; 0 if there is none. From a request with further rounds it leads to
// their final answer.
func (s *State) Partner(seq uint64) uint64 {
	p := placeOf(wire.Ref{Seq: seq})
	e := s.exchanges.find(p)
	switch {
	case e == nil:
		return 0
	case e.request.seq() != seq:
		return e.request.seq()
	}
	if last := s.exchanges.last(e); last.response != 0 {
		return last.response.seq()
	}
	return e.response.seq()
}

// Progress returns the newest n progress notifications, or all if there are no
// more, of the exchange that a frame belongs to, in order.
func (s *State) Progress(seq uint64, n int) []uint64 {
	e := s.exchanges.find(placeOf(wire.Ref{Seq: seq}))
	if e == nil {
		return nil
	}
	list := s.exchanges.progressOf(e, n)
	for p := s.exchanges.after.get(e.request); p != 0; p = s.exchanges.after.get(p) {
		if next := s.exchanges.get(p); next != nil {
			list = append(list, s.exchanges.progressOf(next, n)...)
		}
	}
	return list[max(0, len(list)-n):]
}

// Pending returns the numbers of our requests that wait for their answers,
// oldest first, without the subscriptions that Listens gives.
func (s *State) Pending() []uint64 {
	var list []uint64
	for _, p := range s.exchanges.open[0] {
		if n := len(list); (n == 0 || list[n-1] != p.seq()) && !s.isListen(p) {
			list = append(list, p.seq())
		}
	}
	return list
}

// Asks returns the server's requests that wait for our answers, oldest first.
// Those with an id that no answer can have are left out.
func (s *State) Asks() []wire.Ref {
	var list []wire.Ref
	for _, p := range s.exchanges.open[1] {
		if x, ok := s.ExchangeOf(p.ref()); ok && x.ID.Type != wire.NumberID && x.ID.Type != wire.StringID {
			continue // there is no id to answer it by
		}
		list = append(list, p.ref())
	}
	return list
}
