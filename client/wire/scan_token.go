package wire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// row names a row of the table of structure: what may come next. The values
// from firstAction on are no rows but what to do.
type row uint8

const (
	_           row = iota // a Scanner that was never used has no row
	rowValue               // a value
	rowFirst               // a value or the end of an array
	rowKey                 // a key
	rowFirstKey            // a key or the end of an object
	rowColon
	rowElement // a comma or the end of an array
	rowMember  // a comma or the end of an object
	rowEnd     // nothing but whitespace

	firstAction
	actKey row = iota - 1
	actText
	actNumber
	actWord
	actObject
	actArray
	actClose
	actFail
)

// rows says for each row and byte the next row, or the action.
var rows = makeRows()

func makeRows() (t [16][256]row) {
	for r := range t[:firstAction] {
		for c := range t[r] {
			t[r][c] = actFail
		}
		for _, c := range " \t\r\n" {
			t[r][c] = row(r)
		}
	}
	for _, r := range []row{rowValue, rowFirst} {
		for _, c := range "-0123456789" {
			t[r][c] = actNumber
		}
		for _, c := range "tfn" {
			t[r][c] = actWord
		}
		t[r]['"'], t[r]['{'], t[r]['['] = actText, actObject, actArray
	}
	t[rowKey]['"'], t[rowFirstKey]['"'] = actKey, actKey
	t[rowColon][':'] = rowValue
	t[rowElement][','], t[rowMember][','] = rowValue, rowKey
	t[rowFirst][']'], t[rowElement][']'] = actClose, actClose
	t[rowFirstKey]['}'], t[rowMember]['}'] = actClose, actClose
	return t
}

// token is the string, number or word in hand.
type token struct {
	cut     cutToken
	escape  escapeState
	escaped bool // the string has a backslash
	badText bool // some string since the flag was cleared is not UTF-8
	split   [utf8.UTFMax]byte
	splitN  int // bytes of a character that the end of a write split
	number  numberState
	rest    string // of true, false or null
}

type cutToken uint8

const (
	notCut cutToken = iota
	inText
	inNumber
	inWord
)

func (t *token) reset() { *t = token{} }

func (t *token) startText() { t.escaped = false }

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// text reads on in a string, from p[i] to behind its closing quote.
func (s *Scanner) text(p []byte, i int) (end int, ok bool) {
	s.cut = notCut
	if s.escape != noEscape {
		if i, ok = s.readEscape(p, i); !ok {
			return i, false
		}
	}
	run := i
	var seen uint64 // all bytes of the run, or-ed, perhaps more
	for {
		for i+8 <= len(p) {
			x := binary.LittleEndian.Uint64(p[i:])
			// Per byte: below 0x20 or a quote (0x22^2 is 0x20, 0x20^2 is not below
			// 0x21), or a backslash. The lowest mark is exact.
			y, z := x^(2*ones), x^('\\'*ones)
			stop := ((y-0x21*ones)&^x | (z-ones)&^z) & highs
			seen |= x
			if stop != 0 {
				i += bits.TrailingZeros64(stop) >> 3
				break
			}
			i += 8
		}
		for i < len(p) && p[i] >= ' ' && p[i] != '"' && p[i] != '\\' {
			seen |= uint64(p[i])
			i++
		}
		if seen&highs != 0 || s.splitN > 0 {
			s.checkUTF8(p[run:i], i < len(p))
			seen = 0
		}
		switch {
		case i == len(p):
			s.cut = inText
			return i, false
		case p[i] == '"':
			return i + 1, true
		case p[i] != '\\':
			s.fail(i)
			return i, false
		}
		s.escaped = true
		s.escape = afterBackslash
		if i, ok = s.readEscape(p, i+1); !ok {
			return i, false
		}
		run = i
	}
}

// escapeState is where in an escape a string is: 1 to 4 are hexadecimal digits
// still to come.
type escapeState uint8

const (
	noEscape       escapeState = 0
	fourDigits     escapeState = 4
	afterBackslash escapeState = 5
)

// readEscape reads on in an escape, from p[i] to behind it.
func (s *Scanner) readEscape(p []byte, i int) (int, bool) {
	for ; s.escape != noEscape; i++ {
		if i == len(p) {
			s.cut = inText
			return i, false
		}
		switch class := escapeClass[p[i]]; {
		case s.escape == afterBackslash && class&escapeLetter != 0:
			s.escape = noEscape
		case s.escape == afterBackslash && p[i] == 'u':
			s.escape = fourDigits
		case s.escape != afterBackslash && class&hexDigit != 0:
			s.escape--
		default:
			s.fail(i)
			return i, false
		}
	}
	return i, true
}

const (
	escapeLetter = 1 << iota
	hexDigit
)

var escapeClass = makeEscapeClass()

func makeEscapeClass() (t [256]uint8) {
	for _, c := range `"\/bfnrt` {
		t[c] |= escapeLetter
	}
	for _, c := range "0123456789abcdefABCDEF" {
		t[c] |= hexDigit
	}
	return t
}

// checkUTF8 looks at a run of a string between escapes. It ends with the run,
// or the end of the write split it.
func (t *token) checkUTF8(run []byte, ends bool) {
	for t.splitN > 0 && len(run) > 0 {
		t.split[t.splitN] = run[0]
		t.splitN++
		run = run[1:]
		if b := t.split[:t.splitN]; utf8.FullRune(b) {
			t.badText = t.badText || !utf8.Valid(b)
			t.splitN = 0
		}
	}
	if ends {
		t.badText = t.badText || t.splitN > 0
		t.splitN = 0
	} else {
		for k := 1; k < utf8.UTFMax && k <= len(run); k++ {
			if last := run[len(run)-k:]; utf8.RuneStart(last[0]) {
				if !utf8.FullRune(last) {
					t.splitN = copy(t.split[:], last)
					run = run[:len(run)-k]
				}
				break
			}
		}
	}
	t.badText = t.badText || !utf8.Valid(run)
}

// numberState is how far a number has come. From numZero on it may end, from
// numInt on any number of digits may follow.
type numberState uint8

const (
	numStart numberState = iota
	numMinus
	numPoint
	numE
	numSign // of the exponent
	numZero // a first digit that is zero
	numInt
	numFraction
	numPower // digits of the exponent
)

func (n numberState) whole() bool { return n >= numZero }

// digits reads on in a number, from p[i] to behind it.
func (s *Scanner) digits(p []byte, i int) (int, bool) {
	state := s.number
	for ; i < len(p); i++ {
		c := p[i]
		digit := c-'0' <= 9
		if digit && state >= numInt {
			continue
		}
		next := state.next(c, digit)
		if next == numStart {
			s.cut = notCut
			if !state.whole() {
				s.fail(i)
				return i, false
			}
			return i, true
		}
		state = next
	}
	s.number, s.cut = state, inNumber
	return i, false
}

// next gives the state after c, or numStart if c does not go on with the number.
func (n numberState) next(c byte, digit bool) numberState {
	switch n {
	case numStart, numMinus:
		switch {
		case c == '-' && n == numStart:
			return numMinus
		case c == '0':
			return numZero
		case digit:
			return numInt
		}
	case numZero, numInt, numFraction:
		switch {
		case c == '.' && n != numFraction:
			return numPoint
		case c|0x20 == 'e':
			return numE
		}
	case numPoint:
		if digit {
			return numFraction
		}
	case numE, numSign:
		switch {
		case digit:
			return numPower
		case n == numE && (c == '+' || c == '-'):
			return numSign
		}
	}
	return numStart
}

func (t *token) startWord(first byte) {
	switch first {
	case 't':
		t.rest = "rue"
	case 'f':
		t.rest = "alse"
	default:
		t.rest = "ull"
	}
}

// word reads on in true, false or null, from p[i] to behind it.
func (s *Scanner) word(p []byte, i int) (int, bool) {
	if n := len(s.rest); len(p)-i >= n && string(p[i:i+n]) == s.rest {
		s.cut = notCut
		return i + n, true
	}
	for ; s.rest != ""; i++ {
		if i == len(p) {
			s.cut = inWord
			return i, false
		}
		if p[i] != s.rest[0] {
			s.fail(i)
			return i, false
		}
		s.rest = s.rest[1:]
	}
	s.cut = notCut
	return i, true
}
