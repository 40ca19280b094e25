package wire

import (
	"math"
	"sync"
)

// Scan gives the head of one frame. Only the envelope and the few fields that
// [Head] names are decoded; everything is checked to be JSON. It is safe for
// concurrent use and does not keep raw.
func Scan(raw []byte) Head {
	s := scanners.Get().(*Scanner)
	s.Write(raw)
	h := s.Head()
	s.Reset() // lets go of the members of a batch
	scanners.Put(s)
	return h
}

var scanners = sync.Pool{New: func() any { return new(Scanner) }}

// Scanner finds the head of a frame that arrives in pieces. Its zero value is
// ready. How the bytes are split makes no difference. Beyond a few kilobytes of
// names it needs one bit of memory for each level of nesting.
type Scanner struct {
	n    int64 // bytes of the writes before this one
	row  row   // what may come next, or after the token in hand
	tail row   // what may come after a value in the container at hand
	token
	nest
	capture
	focus
	failed bool
	at     int64 // of the failure
}

// Reset makes the scanner ready for another frame. Heads that it gave stay valid.
func (s *Scanner) Reset() {
	s.n, s.row, s.tail = 0, rowValue, rowEnd
	s.token.reset()
	s.nest.reset()
	s.capture.reset()
	s.focus.reset()
	s.failed, s.at = false, 0
}

// Write takes the next bytes of the frame. It does not keep p.
func (s *Scanner) Write(p []byte) {
	if s.n == 0 && s.tail == 0 {
		s.Reset() // the zero value
	}
	if !s.failed {
		if i, ok := s.resume(p); ok {
			s.scan(p, i)
		}
		s.hold(p)
	}
	s.n += int64(len(p))
}

// scan reads p from i, where a token or whitespace begins. It returns at the
// end of p, with a token that is cut there in hand, or at the first byte that
// is no JSON.
func (s *Scanner) scan(p []byte, i int) {
	row, ok := s.row, false
	for i < len(p) {
		c := p[i]
		act := rows[row&15][c]
		if act < firstAction { // whitespace, colon, comma
			row = act
			i++
			continue
		}
		switch act {
		case actKey:
			s.row = rowColon
			if i, ok = s.readKey(p, i); !ok {
				return
			}
			row = rowColon
		case actText, actNumber, actWord:
			s.row = s.tail
			if i, ok = s.readScalar(p, i, act); !ok {
				return
			}
			row = s.tail
		case actObject, actArray:
			row = s.open(p, i, act)
			i++
		case actClose:
			i++
			row = s.close(p, i)
		default:
			s.fail(i)
			return
		}
	}
	s.row = row
}

// readKey reads the key whose opening quote is at i.
func (s *Scanner) readKey(p []byte, i int) (int, bool) {
	s.startText()
	wanted := s.where != nowhere
	if wanted {
		s.from(i + 1)
	}
	i, ok := s.text(p, i+1)
	if ok && wanted {
		s.key(p, i)
	}
	return i, ok
}

// readScalar reads the string, number, true, false or null at i.
func (s *Scanner) readScalar(p []byte, i int, act row) (int, bool) {
	if s.slot != noSlot {
		s.begin(p, i)
	}
	ok := false
	switch act {
	case actText:
		s.startText()
		i, ok = s.text(p, i+1)
	case actNumber:
		s.number = numStart
		i, ok = s.digits(p, i)
	default:
		s.startWord(p[i])
		i, ok = s.word(p, i+1)
	}
	if ok && s.slot != noSlot {
		s.end(p, i)
	}
	return i, ok
}

// resume goes on with the token that the end of the last write cut, if any.
func (s *Scanner) resume(p []byte) (i int, ok bool) {
	switch s.cut {
	case notCut:
		return 0, true
	case inText:
		i, ok = s.text(p, 0)
		if ok && s.row == rowColon {
			if s.where != nowhere {
				s.key(p, i)
			}
			return i, true
		}
	case inNumber:
		i, ok = s.digits(p, 0)
	case inWord:
		i, ok = s.word(p, 0)
	}
	if ok && s.slot != noSlot {
		s.end(p, i)
	}
	return i, ok
}

// open enters the object or array that begins at i.
func (s *Scanner) open(p []byte, i int, act row) row {
	object := act == actObject
	s.push(object)
	if s.where != nowhere {
		s.enter(p, i)
	}
	if object {
		s.tail = rowMember
		return rowFirstKey
	}
	s.tail = rowElement
	return rowFirst
}

// close leaves the container whose last byte is before i.
func (s *Scanner) close(p []byte, i int) row {
	s.tail = s.pop()
	if s.depth < s.floor {
		s.leave(p, i)
	}
	return s.tail
}

// fail notes that the frame stops being JSON at p[i].
func (s *Scanner) fail(i int) {
	s.failed = true
	s.at = s.n + int64(i)
}

// Head gives the head of what was written, taken as the whole frame. More may
// be written afterwards.
func (s *Scanner) Head() Head {
	switch {
	case s.failed:
		return Head{Form: Garbage, At: s.at}
	case s.cut == inNumber && s.depth == 0 && s.number.whole():
		return Head{Form: Value, Span: Span{s.start, s.n - s.start}}
	case s.cut != notCut || s.row != rowEnd:
		return Head{Form: Garbage, At: s.n}
	}
	return s.head
}

// Partial gives what is known while bytes are still missing: the form that the
// keys so far make certain or likely, and the fields found. The form is NoForm
// as long as nothing speaks for a message. Flaws that more bytes may cure are
// not told.
func (s *Scanner) Partial() Head {
	if h := s.Head(); h.Form != Garbage || s.failed {
		return h
	}
	if s.message {
		return Head{Form: Batch, Members: s.members[:len(s.members):len(s.members)]}
	}
	if s.levels == 0 || s.level[0].first != '{' {
		return Head{}
	}
	h := Head{}
	s.envelope.fill(&h)
	if h.Form == Value || h.Flaws&FlawNoResult != 0 {
		h.Form = NoForm
	}
	h.Flaws &^= FlawNoVersion | FlawNoID | FlawNoResult | FlawErrorShape
	return h
}

// nest remembers for each open container whether it is an object: one bit each,
// 64 in a word, equal words counted.
type nest struct {
	depth int64
	bits  uint64 // of the innermost levels; the lowest bit is the innermost
	outer []bitRun
}

type bitRun struct {
	bits  uint64
	times int64
}

func (n *nest) reset() {
	n.depth, n.bits = 0, 0
	if cap(n.outer) > 1024 {
		n.outer = nil
	}
	n.outer = n.outer[:0]
}

func (n *nest) push(object bool) {
	if n.depth&63 == 0 && n.depth > 0 {
		n.spill()
	}
	n.bits <<= 1
	if object {
		n.bits |= 1
	}
	n.depth++
}

// pop leaves the innermost container and gives the row that follows in the one
// around it.
func (n *nest) pop() row {
	n.depth--
	if n.depth == 0 {
		return rowEnd
	}
	n.bits >>= 1
	if n.depth&63 == 0 {
		n.refill()
	}
	if n.bits&1 != 0 {
		return rowMember
	}
	return rowElement
}

func (n *nest) spill() {
	if k := len(n.outer) - 1; k >= 0 && n.outer[k].bits == n.bits && n.outer[k].times < math.MaxInt64 {
		n.outer[k].times++
	} else {
		n.outer = append(n.outer, bitRun{n.bits, 1})
	}
	n.bits = 0
}

func (n *nest) refill() {
	k := len(n.outer) - 1
	n.bits = n.outer[k].bits
	if n.outer[k].times--; n.outer[k].times == 0 {
		n.outer = n.outer[:k]
	}
}
