package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// The canonical escaping of the session format: \" and \\, \b \f \n \r \t,
// other bytes below 0x20 as \u00xx with lower-case digits. Everything else,
// DEL, U+2028 and "/" too, stands as it is. Whoever searches a session file
// without decoding it relies on this.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainLen returns how many bytes at the start of s stand for themselves in a
// JSON string: up to the first quote, backslash or control character.
func plainLen(s []byte) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		quote, slash := x^(ones*'"'), x^(ones*'\\')
		// In each, the lowest byte with its high bit set is exact; a borrow can
		// only make bytes above it look set.
		hit := ((x-ones*0x20)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs
		if hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

const hexDigits = "0123456789abcdef"

// appendEscaped appends s, which must be valid UTF-8, as it stands between the
// quotes of a JSON string.
func appendEscaped(dst, s []byte) []byte {
	for {
		n := plainLen(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		dst = appendEscape(dst, s[n])
		s = s[n+1:]
		if n < sparse {
			dst, s = appendDense(dst, s)
		}
	}
}

const (
	sparse   = 32 // plain bytes in a row, and it is a text and not JSON
	denseLen = 64
)

// appendDense is for what has an escape every few bytes, as JSON has: it takes
// no branch for them. It appends the next bytes of s, denseLen at most and up to
// a control character, and returns the rest.
func appendDense(dst, s []byte) (_, rest []byte) {
	n := min(len(s), denseLen)
	dst = slices.Grow(dst, 2*n)
	buf, at := dst[len(dst):cap(dst)], 0
	for i, c := range s[:n] {
		more := backslashes[c]
		if more > 1 {
			n = i
			break
		}
		buf[at] = '\\' // stays if the byte needs one before it
		buf[at+int(more)] = c
		at += 1 + int(more)
	}
	return dst[:len(dst)+at], s[n:]
}

// backslashes says how many backslashes a byte needs before it. Control
// characters are written otherwise and have a 2.
var backslashes = [256]uint8{
	0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 8: 2, 9: 2, 10: 2, 11: 2, 12: 2, 13: 2, 14: 2, 15: 2,
	16: 2, 17: 2, 18: 2, 19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2, 25: 2, 26: 2, 27: 2, 28: 2, 29: 2, 30: 2, 31: 2,
	'"': 1, '\\': 1,
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// unescape appends to dst what s means, up to a quote or the end of s, and
// returns how many bytes of s it used. It reads every escape that JSON has,
// also those that the canonical escaping does not write; half of a surrogate
// pair becomes U+FFFD. If s is not final, an escape that may go on after s is
// left unused.
func unescape(dst, s []byte, final bool) (out []byte, used int, err error) {
	for {
		n := plainLen(s[used:])
		dst = append(dst, s[used:used+n]...)
		used += n
		if used == len(s) || s[used] == '"' {
			return dst, used, nil
		}
		if s[used] != '\\' {
			return dst, used, fmt.Errorf("control character 0x%02x in a string", s[used])
		}
		r, n := readEscape(s[used:], final)
		switch {
		case n > 0:
			dst = utf8.AppendRune(dst, r)
			used += n
		case n == 0 && !final:
			return dst, used, nil
		default:
			return dst, used, errors.New("bad escape in a string")
		}
	}
}

// readEscape reads the escape at the start of s. n is its length, 0 if s ends
// before it does, -1 if it is none. final says that nothing comes after s.
func readEscape(s []byte, final bool) (r rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case '"', '\\', '/':
		return rune(s[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return readUnicode(s, final)
	}
	return 0, -1
}

func readUnicode(s []byte, final bool) (r rune, n int) {
	r, n = readHex(s)
	if n <= 0 || !utf16.IsSurrogate(r) {
		return r, n
	}
	if r >= 0xdc00 {
		return utf8.RuneError, n
	}
	low, m := readHex(s[n:])
	switch {
	case m > 0:
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, n + m
		}
	case m == 0 && !final:
		return 0, 0
	}
	return utf8.RuneError, n
}

// readHex reads \u and four digits; n as readEscape.
func readHex(s []byte) (r rune, n int) {
	for i := range 6 {
		if i == len(s) {
			return 0, 0
		}
		c := s[i]
		switch {
		case i == 0 && c == '\\', i == 1 && c == 'u':
		case i < 2:
			return 0, -1
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, -1
		}
	}
	return r, 6
}
