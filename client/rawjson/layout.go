package rawjson

import "math"

// layout follows where the bytes of a JSON value stand when it is indented. It
// does not check them: what is not JSON is laid out somehow, and always in the
// same way.
type layout struct {
	pos      int64 // in the raw bytes
	line     int64 // of the indented form, from 0
	shift    int64 // pos + shift is the column in bytes, as long as the line lasts
	width    int64 // of the line that ended last
	depth    uint32
	inString bool
	escaped  bool // behind a backslash
	opened   bool // behind the start of a container, with nothing in it yet
	broken   bool // the line before the next closing bracket has ended already
}

const never = math.MaxInt64

// Classes of bytes outside of strings.
const (
	layoutPlain = iota
	layoutSpace
	layoutQuote
	layoutOpen
	layoutClose
	layoutComma
	layoutColon
)

var layoutClass = [256]uint8{
	' ': layoutSpace, '\t': layoutSpace, '\r': layoutSpace, '\n': layoutSpace,
	'"': layoutQuote, '{': layoutOpen, '[': layoutOpen, '}': layoutClose, ']': layoutClose,
	',': layoutComma, ':': layoutColon,
}

// run lays out p, up to where the line with the number stop begins, and gives
// how many bytes that were. What belongs to the line at hand is added to out,
// if there is one.
func (l *layout) run(p []byte, stop int64, out *Line) (n int) {
	i, kept := 0, 0 // p[kept:i] is still to be added to out
	for i < len(p) && l.line < stop {
		if l.inString {
			i = l.text(p, i)
			continue
		}
		class := layoutClass[p[i]]
		if l.opened && class != layoutSpace {
			l.opened = false
			if class != layoutClose {
				l.depth++
				out.add(p[kept:i], l.pos+int64(kept))
				kept = i
				l.newline(i)
				continue
			}
			l.broken = true
		}
		switch class {
		case layoutSpace:
			out.add(p[kept:i], l.pos+int64(kept))
			for i++; i < len(p) && layoutClass[p[i]] == layoutSpace; i++ {
				l.shift--
			}
			l.shift--
			kept = i
		case layoutQuote:
			i++
			l.inString = true
		case layoutOpen:
			i++
			l.opened = true
		case layoutClose:
			if !l.broken {
				l.broken = true
				l.depth = max(l.depth, 1) - 1
				out.add(p[kept:i], l.pos+int64(kept))
				kept = i
				l.newline(i)
				continue
			}
			l.broken = false
			i++
		case layoutComma:
			i++
			out.add(p[kept:i], l.pos+int64(kept))
			kept = i
			l.newline(i)
		case layoutColon:
			i++
			out.add(p[kept:i], l.pos+int64(kept))
			out.add(colonSpace, l.pos+int64(i))
			l.shift++
			kept = i
		default:
			for i++; i < len(p) && layoutClass[p[i]] == layoutPlain; i++ {
			}
		}
	}
	out.add(p[kept:i], l.pos+int64(kept))
	l.pos += int64(i)
	return i
}

var colonSpace = []byte{' '}

// text goes on in a string from p[i] and gives where it stopped.
func (l *layout) text(p []byte, i int) int {
	if l.escaped {
		l.escaped = false
		return i + 1
	}
	i = skipPlain(p, i)
	if i == len(p) {
		return i
	}
	switch p[i] {
	case '"':
		l.inString = false
	case '\\':
		l.escaped = true
	}
	return i + 1
}

// newline begins a line before p[i].
func (l *layout) newline(i int) {
	at := l.pos + int64(i)
	l.width = at + l.shift
	l.line++
	l.shift = 2*int64(l.depth) - at
}

// column is where the next byte goes in its line.
func (l *layout) column() int64 { return l.pos + l.shift }

// mark is a layout between two bytes, without its position.
type mark struct {
	line  int64
	shift int64
	depth uint32
	flags uint8
}

const (
	markInString = 1 << iota
	markEscaped
	markOpened
)

func (l *layout) mark() mark {
	m := mark{line: l.line, shift: l.shift, depth: l.depth}
	if l.inString {
		m.flags |= markInString
	}
	if l.escaped {
		m.flags |= markEscaped
	}
	if l.opened {
		m.flags |= markOpened
	}
	return m
}

func (m mark) layout(pos int64) layout {
	return layout{
		pos: pos, line: m.line, shift: m.shift, depth: m.depth,
		inString: m.flags&markInString != 0,
		escaped:  m.flags&markEscaped != 0,
		opened:   m.flags&markOpened != 0,
	}
}
