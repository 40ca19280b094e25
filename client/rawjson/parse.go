package rawjson

import (
	"fmt"
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
