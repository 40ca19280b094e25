package rawjson

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// SyntaxError says where bytes stop being JSON, and what was expected there.
type SyntaxError struct {
	Offset int // in bytes
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON at byte %d: %s", e.Offset, e.Reason)
}

// Valid reports whether src is one JSON value, with whitespace around it or
// not; if it is none, where it stops being one and why. Bytes in strings need
// not be UTF-8. Nesting has no limit.
func Valid(src []byte) (offset int, reason string, ok bool) {
	p := parser{src: src}
	for {
		switch p.next() {
		case lexEnd:
			return 0, "", true
		case lexBad:
			return p.at, p.reason, false
		}
	}
}

// lexeme is what a parser finds next.
type lexeme uint8

const (
	lexBad lexeme = iota
	lexEnd        // of the input, after one whole value
	lexKey
	lexScalar
	lexOpen  // of an object or an array
	lexClose // of one
	lexColon
	lexComma
)

// want is what may come next.
type want uint8

const (
	wantValue    want = iota
	wantFirst         // a value or the end of an array
	wantElement       // a value after a comma
	wantFirstKey      // a key or the end of an object
	wantKey           // a key after a comma
	wantColon
	wantComma // or the end of the container
	wantEnd
)

// parser takes one JSON value apart and checks it. What next found last is
// src[start:at].
type parser struct {
	src       []byte
	start, at int
	want      want
	loose     bool // comments and trailing commas are whitespace
	nest      nest
	reason    string // of lexBad
}

// next finds the next lexeme. After lexBad and lexEnd it must not be called.
func (p *parser) next() lexeme {
	if !p.skipSpace() {
		return lexBad
	}
	if p.at == len(p.src) {
		if p.want == wantEnd {
			return lexEnd
		}
		return p.bad(p.at)
	}
	p.start = p.at
	c := p.src[p.at]
	switch p.want {
	case wantColon:
		if c == ':' {
			return p.punct(lexColon, wantValue)
		}
		return p.bad(p.at)
	case wantComma:
		return p.commaOrEnd(c)
	case wantFirstKey, wantKey:
		switch {
		case c == '"':
			return p.text(lexKey, wantColon)
		case c == '}' && (p.want == wantFirstKey || p.loose):
			return p.leave()
		}
		return p.bad(p.at)
	case wantEnd:
		return p.bad(p.at)
	}
	switch c {
	case '"':
		return p.text(lexScalar, p.after())
	case '{':
		p.nest.push(true)
		return p.punct(lexOpen, wantFirstKey)
	case '[':
		p.nest.push(false)
		return p.punct(lexOpen, wantFirst)
	case ']':
		if p.want == wantFirst || p.want == wantElement && p.loose {
			return p.leave()
		}
	case 't', 'f', 'n':
		return p.word()
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.number()
	}
	return p.bad(p.at)
}

func (p *parser) commaOrEnd(c byte) lexeme {
	object := p.nest.inObject()
	switch {
	case c == ',' && object:
		return p.punct(lexComma, wantKey)
	case c == ',':
		return p.punct(lexComma, wantElement)
	case c == '}' && object, c == ']' && !object:
		return p.leave()
	}
	return p.bad(p.at)
}

func (p *parser) punct(l lexeme, then want) lexeme {
	p.at++
	p.want = then
	return l
}

func (p *parser) leave() lexeme {
	p.nest.depth--
	return p.punct(lexClose, p.after())
}

// after says what may follow a value in the container at hand.
func (p *parser) after() want {
	if p.nest.depth == 0 {
		return wantEnd
	}
	return wantComma
}

// skipValue goes behind the value that begins with the lexeme l, which next
// gave. It reports false at bytes that are not JSON.
func (p *parser) skipValue(l lexeme) bool {
	if l != lexOpen {
		return l == lexScalar
	}
	for depth := p.nest.depth; p.nest.depth >= depth; {
		if p.next() == lexBad {
			return false
		}
	}
	return true
}

func (p *parser) err() error { return &SyntaxError{p.at, p.reason} }

// bad notes that the byte at i is not what was wanted.
func (p *parser) bad(i int) lexeme {
	expected := "a value"
	switch p.want {
	case wantFirst:
		expected = "a value or ]"
	case wantFirstKey:
		expected = "a key or }"
	case wantKey:
		expected = "a key"
	case wantColon:
		expected = "a colon"
	case wantComma:
		expected = "a comma or ]"
		if p.nest.inObject() {
			expected = "a comma or }"
		}
	case wantEnd:
		expected = "nothing more"
	}
	return p.badAt(i, "expected "+expected+", found "+describe(p.src, i))
}

func (p *parser) badAt(i int, reason string) lexeme {
	p.at, p.reason = i, reason
	return lexBad
}

// describe names what stands at i for people.
func describe(src []byte, i int) string {
	if i >= len(src) {
		return "the end"
	}
	r, n := utf8.DecodeRune(src[i:])
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf("byte 0x%02x", src[i])
	case r == '\'':
		return "a single quote"
	case strconv.IsPrint(r):
		return string(r)
	}
	return fmt.Sprintf("%U", r)
}

// skipSpace goes to the next byte that is no whitespace, nor in a comment where
// those are allowed.
func (p *parser) skipSpace() bool {
	i := p.at
	for {
		for i < len(p.src) && isSpace(p.src[i]) {
			i++
		}
		p.at = i
		if !p.loose || i == len(p.src) || p.src[i] != '/' {
			return true
		}
		n := commentLen(p.src[i:])
		if n == 0 {
			p.badAt(i, "expected a comment after /")
			return false
		}
		if n < 0 {
			p.badAt(i, "a comment is not closed")
			return false
		}
		i += n
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// text reads a string, whose opening quote is at p.at.
func (p *parser) text(l lexeme, then want) lexeme {
	i := p.at + 1
	for {
		i = skipPlain(p.src, i)
		switch {
		case i == len(p.src):
			return p.badAt(i, "a string is not closed")
		case p.src[i] == '"':
			p.at, p.want = i+1, then
			return l
		case p.src[i] != '\\':
			return p.badAt(i, fmt.Sprintf("control character %U in a string", p.src[i]))
		}
		n := escapeLen(p.src[i:])
		switch {
		case n > 0:
			i += n
		case i-n == len(p.src):
			return p.badAt(i-n, "a string is not closed")
		default:
			return p.badAt(i-n, "no escape in a string has "+describe(p.src, i-n)+" here")
		}
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// skipPlain gives the offset from i on of the first byte that does not stand
// for itself in a string: a quote, a backslash or a control character.
func skipPlain(src []byte, i int) int {
	for i+8 <= len(src) {
		x := binary.LittleEndian.Uint64(src[i:])
		// Per byte: below 0x20 or a quote (0x22^2 is 0x20), or a backslash. The
		// lowest mark is exact.
		y, z := x^(2*ones), x^('\\'*ones)
		if stop := ((y-0x21*ones)&^x | (z-ones)&^z) & highs; stop != 0 {
			return i + bits.TrailingZeros64(stop)>>3
		}
		i += 8
	}
	for i < len(src) && src[i] >= ' ' && src[i] != '"' && src[i] != '\\' {
		i++
	}
	return i
}

// escapeLen gives the length of the escape that b begins with, or minus the
// offset of the byte that makes it none.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return -len(b)
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		for i := 2; i < 6; i++ {
			if i == len(b) || hexValue(b[i]) < 0 {
				return -i
			}
		}
		return 6
	}
	return -1
}

func (p *parser) word() lexeme {
	word := "null"
	switch p.src[p.at] {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	}
	for k := range len(word) {
		if i := p.at + k; i == len(p.src) || p.src[i] != word[k] {
			return p.badAt(i, "expected "+word+", found "+describe(p.src, i))
		}
	}
	p.at += len(word)
	p.want = p.after()
	return lexScalar
}

func (p *parser) number() lexeme {
	end, ok := skipNumber(p.src, p.at)
	if !ok {
		return p.badAt(end, "expected a digit, found "+describe(p.src, end))
	}
	p.at, p.want = end, p.after()
	return lexScalar
}

// skipNumber gives the end of the number that begins at i, or where a digit is
// missing.
func skipNumber(src []byte, i int) (end int, ok bool) {
	if src[i] == '-' {
		i++
	}
	switch {
	case i == len(src) || src[i]-'0' > 9:
		return i, false
	case src[i] == '0':
		i++
	default:
		i = skipDigits(src, i)
	}
	if i < len(src) && src[i] == '.' {
		k := skipDigits(src, i+1)
		if k == i+1 {
			return k, false
		}
		i = k
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		k := skipDigits(src, i)
		if k == i {
			return k, false
		}
		i = k
	}
	return i, true
}

func skipDigits(src []byte, i int) int {
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i
}

// nest remembers for each open container, in one bit, whether it is an object.
type nest struct {
	depth int
	bits  []uint64
}

func (n *nest) push(object bool) {
	word, bit := n.depth>>6, uint64(1)<<(n.depth&63)
	if word == len(n.bits) {
		n.bits = append(n.bits, 0)
	}
	n.bits[word] &^= bit
	if object {
		n.bits[word] |= bit
	}
	n.depth++
}

func (n *nest) inObject() bool {
	k := n.depth - 1
	return n.bits[k>>6]>>(k&63)&1 != 0
}
