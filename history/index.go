package history

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	"parley/client/wire"
)

// chunkLen is how many entries are allocated at a time.
const chunkLen = 8192

// index finds a frame by its number. Entries stand densely in the order of
// their numbers; where numbers are missing a new run begins. A log that is
// being recorded is one run, so finding is a subtraction.
//
// mu guards everything. It is held only to copy records in and out, never
// while a file is read or written, so that a slow disk does not stop a reader.
type index struct {
	mu     sync.RWMutex
	syms   symbols
	chunks []*[chunkLen]entry
	n      int    // entries
	last   uint64 // the highest number
	runs   []run
	extra  map[uint64]*extra
	ofs    []replaced // in the order of seq
	ends   []end
	next   chan struct{} // closed at the next change, nil if nobody waits
}

// run says that the entries from pos on have the numbers from seq on.
type run struct {
	seq uint64
	pos int
}

// replaced says which frame a frame replaces.
type replaced struct{ seq, of uint64 }

// end says that the last part of frame seq came when after was the highest
// number: a fold applies it there.
type end struct{ seq, after uint64 }

func (ix *index) at(pos int) *entry { return &ix.chunks[pos/chunkLen][pos%chunkLen] }

// add appends an entry. seq must be higher than every number so far.
func (ix *index) add(seq uint64, e entry, x *extra) {
	if len(ix.runs) == 0 || seq != ix.last+1 {
		ix.runs = append(ix.runs, run{seq: seq, pos: ix.n})
	}
	if ix.n%chunkLen == 0 {
		ix.chunks = append(ix.chunks, new([chunkLen]entry))
	}
	*ix.at(ix.n) = e
	ix.n++
	ix.last = seq
	ix.setExtra(seq, x)
}

func (ix *index) setExtra(seq uint64, x *extra) {
	if x == nil {
		return
	}
	if ix.extra == nil {
		ix.extra = make(map[uint64]*extra)
	}
	ix.extra[seq] = x
}

func (ix *index) setOf(seq, of uint64) {
	if n := len(ix.ofs); n == 0 || ix.ofs[n-1].seq < seq {
		ix.ofs = append(ix.ofs, replaced{seq, of})
		return
	}
	i, ok := ix.searchOf(seq)
	if !ok {
		ix.ofs = slices.Insert(ix.ofs, i, replaced{seq, of})
	}
}

func (ix *index) of(seq uint64) uint64 {
	if i, ok := ix.searchOf(seq); ok {
		return ix.ofs[i].of
	}
	return 0
}

func (ix *index) searchOf(seq uint64) (int, bool) {
	return slices.BinarySearchFunc(ix.ofs, seq, func(r replaced, seq uint64) int { return cmp.Compare(r.seq, seq) })
}

// find returns the position of a frame.
func (ix *index) find(seq uint64) (pos int, ok bool) {
	i := sort.Search(len(ix.runs), func(i int) bool { return ix.runs[i].seq > seq }) - 1
	if i < 0 {
		return 0, false
	}
	pos = ix.runs[i].pos + int(seq-ix.runs[i].seq)
	if pos >= ix.runEnd(i) {
		return 0, false
	}
	return pos, true
}

// runEnd returns the position after the last entry of a run.
func (ix *index) runEnd(i int) int {
	if i+1 < len(ix.runs) {
		return ix.runs[i+1].pos
	}
	return ix.n
}

// newParts makes the entry of a frame whose first part stands as p says.
func (ix *index) newParts(f *wire.Frame, h *wire.Head, p part) (entry, *extra) {
	e, x := ix.newEntry(f, h, p)
	if x == nil {
		x = new(extra)
	}
	x.size, x.parts = p.size, []part{p}
	e.set(bitExtra, true)
	e.set(bitOpen, true)
	e.set(bitParts, true)
	return e, x
}

// get returns the entry and the extras of a frame, nil if there is none.
func (ix *index) get(seq uint64) (*entry, *extra) {
	pos, ok := ix.find(seq)
	if !ok {
		return nil, nil
	}
	return ix.at(pos), ix.extra[seq]
}

// addPart adds a further part to a frame in parts. f and h are the frame as
// known at this part; who sent it when and how was said by the first.
func (ix *index) addPart(e *entry, x *extra, f *wire.Frame, h *wire.Head, p part, last bool) {
	now, more := ix.newEntry(f, h, part{off: x.parts[0].off})
	now.time, now.via = e.time, e.via
	const first = dirMask<<dirShift | byMask<<byShift | bitExtra | bitParts | bitOpen | bitOf
	now.bits = now.bits&^first | e.bits&first
	now.set(bitOpen, !last)
	*e = now
	if more != nil {
		x.code, x.token, x.count, x.members = more.code, more.token, more.count, more.members
	}
	x.parts = append(x.parts, p)
	x.size = p.raw + p.size
	if last {
		ix.ends = append(ix.ends, end{seq: f.Seq, after: ix.last})
	}
}

// cut marks a frame whose end never came.
func (e *entry) cut() {
	e.set(bitOpen, false)
	e.set(bitCut, true)
}

// where returns the parts of a frame and its size. The parts may be read
// without the lock: they are appended to, never changed.
func (ix *index) where(seq uint64) (parts []part, size int64, ok bool) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	pos, ok := ix.find(seq)
	if !ok {
		return nil, 0, false
	}
	e := ix.at(pos)
	if x := ix.extra[seq]; x != nil && x.parts != nil {
		return x.parts, x.size, true
	}
	return []part{{
		size:   int64(e.size),
		off:    int64(e.place & placeMask),
		enc:    int64(e.enc),
		base64: e.has(bitBase64),
	}}, int64(e.size), true
}

// cursor is where a fold stands: the numbers up to seq and the first `ends`
// ends are applied.
type cursor struct {
	seq  uint64
	ends int
}

// folded is a record with the heads of its members, as a fold takes it.
type folded struct {
	rec     Record
	members []wire.Head
}

// feed fills dst with what comes next in the order of application, up to the
// number limit, and moves the cursor. It returns how many it filled; less than
// len(dst) means that there is no more.
func (ix *index) feed(c *cursor, limit uint64, dst []folded) int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	n := 0
	pos := ix.from(c.seq + 1)
	for n < len(dst) {
		if c.ends < len(ix.ends) && ix.ends[c.ends].after <= c.seq {
			seq := ix.ends[c.ends].seq
			c.ends++
			if p, ok := ix.find(seq); ok {
				ix.fold(seq, p, &dst[n])
				n++
			}
			continue
		}
		if pos >= ix.n {
			break
		}
		seq := ix.seqAt(pos)
		if seq > limit {
			break
		}
		c.seq = seq
		if !ix.at(pos).has(bitParts) {
			ix.fold(seq, pos, &dst[n])
			n++
		}
		pos++
	}
	return n
}

func (ix *index) fold(seq uint64, pos int, to *folded) {
	ix.record(seq, ix.at(pos), &to.rec)
	to.members = nil
	if ix.at(pos).has(bitExtra) {
		to.members = ix.heads(ix.extra[seq])
	}
}

// from returns the position of the first frame whose number is at least seq.
func (ix *index) from(seq uint64) (pos int) {
	if pos, ok := ix.find(seq); ok {
		return pos
	}
	i := sort.Search(len(ix.runs), func(i int) bool { return ix.runs[i].seq > seq })
	if i == len(ix.runs) {
		return ix.n
	}
	return ix.runs[i].pos
}

func (ix *index) seqAt(pos int) uint64 {
	i := len(ix.runs) - 1
	if ix.runs[i].pos > pos {
		i = sort.Search(len(ix.runs), func(i int) bool { return ix.runs[i].pos > pos }) - 1
	}
	return ix.runs[i].seq + uint64(pos-ix.runs[i].pos)
}

// each visits the records of the frames from and to and those between them. The
// lock is not held while they are visited.
func (ix *index) each(from, to uint64, visit func(r *Record) bool) {
	if from > to {
		return
	}
	recs := make([]Record, min(feedLen, to-from+1))
	for {
		n := ix.copied(from, to, recs)
		for i := range recs[:n] {
			if !visit(&recs[i]) {
				return
			}
		}
		if n < len(recs) || recs[n-1].Seq == to {
			return
		}
		from = recs[n-1].Seq + 1
	}
}

// copied fills recs with the records of the first frames from and to, and says
// how many there are.
func (ix *index) copied(from, to uint64, recs []Record) (n int) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for pos := ix.from(from); n < len(recs) && pos < ix.n; pos++ {
		seq := ix.seqAt(pos)
		if seq > to {
			break
		}
		ix.record(seq, ix.at(pos), &recs[n])
		n++
	}
	return n
}

// late is an entry whose number is lower than one before it in the file.
type late struct {
	seq uint64
	e   entry
}

// merge puts entries that came out of order where their numbers say. No number
// may occur twice.
func (ix *index) merge(lates []late) {
	if len(lates) == 0 {
		return
	}
	slices.SortFunc(lates, func(a, b late) int { return cmp.Compare(a.seq, b.seq) })
	old := index{chunks: ix.chunks, n: ix.n, runs: ix.runs}
	ix.chunks, ix.n, ix.runs, ix.last = nil, 0, nil, 0
	pos := 0
	for _, l := range lates {
		for ; pos < old.n && old.seqAt(pos) < l.seq; pos++ {
			ix.add(old.seqAt(pos), *old.at(pos), nil)
		}
		ix.add(l.seq, l.e, nil)
	}
	for ; pos < old.n; pos++ {
		ix.add(old.seqAt(pos), *old.at(pos), nil)
	}
}

// changed wakes those who wait for a change.
func (ix *index) changed() {
	if ix.next != nil {
		close(ix.next)
		ix.next = nil
	}
}

// message returns the record of a message; of a batch's member, with its own
// head. The caller holds the lock.
func (ix *index) message(ref wire.Ref) (r Record, ok bool) {
	pos, ok := ix.find(ref.Seq)
	if !ok {
		return r, false
	}
	ix.record(ref.Seq, ix.at(pos), &r)
	if ref.Member == 0 {
		return r, true
	}
	x := ix.extra[ref.Seq]
	if x == nil {
		return r, false
	}
	for i := range x.members {
		if m := &x.members[i]; m.ordinal == ref.Member-1 {
			r.Token, r.Code = wire.ID{}, 0
			ix.putHead(&r, &m.e, m.code)
			return r, true
		}
	}
	return r, false
}
