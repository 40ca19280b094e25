package wire

import (
	"hash/maphash"
	"strconv"
)

// Ref names a message: a frame, or the i-th member (from 1) of a batch frame.
type Ref struct {
	Seq    uint64
	Member int32 // 0: the frame itself
}

// Pairing says how a message relates to the requests before it.
type Pairing uint8

// The pairings.
const (
	Unpaired  Pairing = iota // no response, or nothing to say
	Opened                   // a request, now open
	Reopened                 // a request whose id was in flight already; it gets the answer
	Answered                 // the response to an open request
	Second                   // a response to a request that has its answer
	OtherType                // a response whose id equals an open request's but for its JSON type
	Orphan                   // a response to nothing
)

// Match is what [Matcher.Apply] finds.
type Match struct {
	Pairing Pairing
	// Request is the request concerned: for Opened the message itself, for
	// Reopened the one that was in flight already. It is zero for Unpaired and
	// Orphan.
	Request Ref
}

// Matcher pairs responses with requests by id, value and JSON type, within one
// epoch. Requests toward the server and from it are told apart. Of requests in
// flight with one id the newest gets the first answer. Its zero value is ready;
// it is not safe for concurrent use.
//
// A request that was answered costs some 10 bytes if its id is one of a series
// of whole numbers, and up to some hundreds otherwise.
type Matcher struct {
	asked [2]requests // by direction of the request: Out, In
}

// Reset forgets all requests: a new epoch begins.
func (m *Matcher) Reset() { *m = Matcher{} }

// Apply takes the next message of the epoch: a frame that is no batch, or a
// member of one.
func (m *Matcher) Apply(ref Ref, dir Dir, h *Head) Match {
	switch {
	case dir == None || !h.Form.IsMessage():
	case h.Form == Request:
		return m.asked[dir-Out].ask(ref, h.ID)
	case h.Form.IsResponse():
		return m.asked[In-dir].answer(h.ID)
	}
	return Match{}
}

// requests are those of one direction.
type requests struct {
	open    map[ID]place   // the newest of each id
	older   map[ID][]place // the others, oldest first
	numbers map[int64]page // answered, with whole-number ids, by number / pageSize
	others  map[uint64]place
}

func (r *requests) ask(ref Ref, id ID) Match {
	if r.open == nil {
		r.open = map[ID]place{}
	}
	earlier, again := r.open[id]
	r.open[id] = placeOf(ref)
	if !again {
		return Match{Opened, ref}
	}
	if r.older == nil {
		r.older = map[ID][]place{}
	}
	r.older[id] = append(r.older[id], earlier)
	return Match{Reopened, earlier.ref()}
}

func (r *requests) answer(id ID) Match {
	if p, ok := r.open[id]; ok {
		r.close(id)
		r.remember(id, p)
		return Match{Answered, p.ref()}
	}
	if p, ok := r.recall(id); ok {
		return Match{Second, p.ref()}
	}
	if other, ok := otherType(id); ok {
		if p, ok := r.open[other]; ok {
			return Match{OtherType, p.ref()}
		}
	}
	return Match{Pairing: Orphan}
}

// close takes the newest request with the id from the open ones.
func (r *requests) close(id ID) {
	older := r.older[id]
	if len(older) == 0 {
		delete(r.open, id)
		return
	}
	last := len(older) - 1
	r.open[id] = older[last]
	if r.older[id] = older[:last]; last == 0 {
		delete(r.older, id)
	}
}

// otherType gives the id that looks the same and has the other JSON type.
func otherType(id ID) (ID, bool) {
	switch {
	case id.Type == NumberID && id.Text == "":
		return Str(strconv.FormatInt(id.Num, 10)), true
	case id.Type == NumberID:
		return Str(id.Text), true
	case id.Type == StringID:
		n, err := strconv.ParseInt(id.Text, 10, 64)
		if err != nil {
			return ID{Type: NumberID, Text: id.Text}, true
		}
		return Int(n), true
	}
	return ID{}, false
}

// place is a Ref in 8 bytes: a batch has fewer members than 1<<16.
type place uint64

func placeOf(ref Ref) place { return place(ref.Seq<<16 | uint64(ref.Member)) }
func (p place) ref() Ref    { return Ref{uint64(p) >> 16, int32(p & 0xffff)} }

// pageSize is how many numbers share a page. It bounds what numbers cost that
// lie far apart.
const (
	pageBits = 5
	pageSize = 1 << pageBits
)

// page holds the requests of neighbouring ids, from the first that occurred to
// the last; those that did not occur are 0.
type page struct {
	first uint8
	at    []place
}

var hashSeed = maphash.MakeSeed()

// remember keeps the request as answered. Of two with one id the newer counts.
func (r *requests) remember(id ID, p place) {
	if id.Type != NumberID || id.Text != "" {
		if r.others == nil {
			r.others = map[uint64]place{}
		}
		r.others[maphash.Comparable(hashSeed, id)] = p
		return
	}
	if r.numbers == nil {
		r.numbers = map[int64]page{}
	}
	key, k := id.Num>>pageBits, uint8(id.Num&(pageSize-1))
	pg := r.numbers[key]
	switch {
	case len(pg.at) == 0:
		pg.first = k
	case k < pg.first:
		pg.at = append(make([]place, pg.first-k), pg.at...)
		pg.first = k
	}
	for int(k-pg.first) >= len(pg.at) {
		pg.at = append(pg.at, 0)
	}
	pg.at[k-pg.first] = p
	r.numbers[key] = pg
}

// recall finds the answered request with the id.
func (r *requests) recall(id ID) (p place, ok bool) {
	if id.Type != NumberID || id.Text != "" {
		p, ok = r.others[maphash.Comparable(hashSeed, id)]
		return p, ok
	}
	pg := r.numbers[id.Num>>pageBits]
	k := uint8(id.Num & (pageSize - 1))
	if k < pg.first || int(k-pg.first) >= len(pg.at) {
		return 0, false
	}
	p = pg.at[k-pg.first]
	return p, p != 0
}
