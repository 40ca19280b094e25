package rawjson

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

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
