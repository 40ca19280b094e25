// Package theme turns untrusted text into text that a terminal can show, and
// gives it colour.
//
// Everything a server says is hostile until [Safe] made it visible: escape
// sequences, control characters, line ends, bidirectional overrides, invisible
// and zero-width runes and invalid UTF-8 all become printable forms. The result
// has its own type, [Text], and only a Text can be styled, measured or put on a
// [Row], so the compiler remembers what has been made safe and what has not.
//
// Widths are terminal cells, as counted by grapheme cluster. Printable ASCII is
// the common case and never leaves a fast path.
package theme

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is one line of text that is safe to show: no control, no bidirectional
// override, no invisible rune, valid UTF-8. String constants are Texts by
// themselves; anything that is not ours goes through [Safe].
type Text string

// The visible forms of what has no form of its own.
const (
	tabForm     = '⇥'
	deleteForm  = '␡'
	controlForm = '␀' // the first control picture; the others follow in order
	dotted      = '◌' // carries a combining mark that has no base
	maxMarks    = 4   // combining marks shown on one base; more are spelled out
)

// Safe makes s visible. Controls become control pictures (␛ ␊ ␀), a tab ⇥,
// C1 controls, bidirectional, zero-width, private and unassigned runes their
// code in brackets (⟨U+202E⟩), bytes that are not UTF-8 their value (⟨ff⟩).
//
// A combining mark without a base stands on ◌, and no base carries more than a
// few, so that text cannot draw over its surroundings. Joiners and skin tones
// of emoji are spelled out too: terminals disagree about the width of the
// joined form, and a row must have one width everywhere. For the same reason
// the variation selector that only picks the look of the emoji before it is
// left out; it is the one thing that Safe drops.
func Safe(s string) Text {
	n := printable(s)
	if n == len(s) {
		return Text(s)
	}
	p := printer{out: make([]byte, 0, len(s)+len(s)/8+16)}
	p.write(s, n)
	return Text(p.out)
}

// SafeBytes is [Safe] for bytes.
func SafeBytes(b []byte) Text { return Safe(string(b)) }

// SafeCut is Cut(Safe(s), w) at a cost that depends on w, not on the length of
// s: it looks at no more of s than the cells need.
func SafeCut(s string, w int) Text {
	if w <= 0 {
		return ""
	}
	// A cell holds one base of up to four bytes with its marks.
	if most := (w + 2) * utf8.UTFMax * (maxMarks + 1); len(s) > most {
		return Cut(Safe(s[:runeStart(s, most)])+ellipsis, w)
	}
	return Cut(Safe(s), w)
}

// SafeLines splits s at line feeds and makes every line safe. A carriage
// return before the line feed stays visible: it was sent.
func SafeLines(s string) []Text {
	lines := make([]Text, 0, strings.Count(s, "\n")+1)
	for line := range strings.SplitSeq(s, "\n") {
		lines = append(lines, Safe(line))
	}
	return lines
}

// printable returns how many leading bytes of s are printable ASCII.
func printable[T string | []byte](s T) int {
	for i := 0; i < len(s); i++ {
		if s[i]-' ' > '~'-' ' {
			return i
		}
	}
	return len(s)
}

// runeStart moves n back to the start of the rune it falls into.
func runeStart(s string, n int) int {
	for back := 0; back < utf8.UTFMax && n > 0 && n < len(s) && !utf8.RuneStart(s[n]); back++ {
		n--
	}
	return n
}

// printer appends the visible form of runes, one after the other.
type printer struct {
	out   []byte
	prev  rune // the last rune shown as itself that is no mark, or 0
	marks int  // marks on it
}

// write appends s, of which the first plain bytes are printable ASCII.
func (p *printer) write(s string, plain int) {
	for {
		if plain > 0 {
			p.out = append(p.out, s[:plain]...)
			p.prev, p.marks = rune(s[plain-1]), 0
			s = s[plain:]
		}
		if s == "" {
			return
		}
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			p.spell("⟨", uint32(s[0]), 2)
		} else {
			p.rune(r, s[size:])
		}
		s = s[size:]
		plain = printable(s)
	}
}

// rune appends the visible form of r, which is not printable ASCII and stands
// before rest.
func (p *printer) rune(r rune, rest string) {
	switch {
	case r == '\t':
		p.show(tabForm)
	case r < ' ':
		p.show(controlForm + r)
	case r == 0x7f:
		p.show(deleteForm)
	case r >= 0x3400 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3:
		p.show(r) // ideographs and Hangul need no table
	case (r == 0xfe0e || r == 0xfe0f) && p.takesSelector(rest):
		p.prev = 0 // a second selector is no longer about the look
	case invisible(r):
		p.spell("⟨U+", uint32(r), 4)
	case unicode.Is(unicode.M, r):
		p.mark(r)
	default:
		p.show(r)
	}
}

func (p *printer) show(r rune) {
	p.out = utf8.AppendRune(p.out, r)
	p.prev, p.marks = r, 0
}

func (p *printer) mark(r rune) {
	if p.marks == maxMarks {
		p.spell("⟨U+", uint32(r), 4)
		p.marks = maxMarks // the next one would join the bracket
		return
	}
	if len(p.out) == 0 {
		p.out = utf8.AppendRune(p.out, dotted)
	}
	p.out = utf8.AppendRune(p.out, r)
	p.marks++
}

// spell appends open, v in hexadecimal with at least width digits, and ⟩.
func (p *printer) spell(open string, v uint32, width int) {
	const digits = "0123456789ABCDEF"
	lower := byte(0)
	if width == 2 { // a byte, not a code point
		lower = 'a' - 'A'
	}
	p.out = append(p.out, open...)
	n := width
	for v>>(4*n) != 0 {
		n++
	}
	for n--; n >= 0; n-- {
		d := digits[v>>(4*n)&15]
		if d >= 'A' {
			d |= lower
		}
		p.out = append(p.out, d)
	}
	p.out = append(p.out, "⟩"...)
	p.prev, p.marks = 0, 0
}

// takesSelector reports whether a variation selector before rest would only
// pick between the text and the emoji look of the rune before it.
func (p *printer) takesSelector(rest string) bool {
	switch {
	case p.prev == 0 || p.marks > 0:
		return false
	case p.prev < 0x80: // 1️⃣ and the like
		return strings.HasPrefix(rest, "\u20e3")
	default:
		return p.prev == 'ℹ' || !unicode.IsLetter(p.prev)
	}
}

// invisible reports whether r has no glyph of its own, or none that every
// terminal draws in the same number of cells.
func invisible(r rune) bool {
	switch {
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		return true
	case r < 0x300:
		return r < 0xa0 || r == 0xad
	}
	return !unicode.IsGraphic(r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Variation_Selector, r)
}
