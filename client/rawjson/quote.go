package rawjson

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// Quote appends s as the shortest valid JSON string: only the quote, the
// backslash and control characters are escaped. Bytes that are not UTF-8 become
// \ufffd, which is what every decoder makes of them.
func Quote(dst []byte, s string) []byte {
	dst = append(dst, '"')
	kept := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[kept:i]...), `\ufffd`...)
				kept = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[kept:i]...)
		if short := shortEscape(c); short != 0 {
			dst = append(dst, '\\', short)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		kept = i
	}
	return append(append(dst, s[kept:]...), '"')
}

// shortEscape gives the letter after the backslash, or 0 if there is none.
func shortEscape(c byte) byte {
	switch c {
	case '"', '\\':
		return c
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}

// Unquote decodes one JSON string, with whitespace around it or not. It is
// lenient inside the quotes, see [Unescape]; ok is false only if raw does not
// begin and end with a quote.
func Unquote(raw []byte) (s string, ok bool) {
	raw = bytes.Trim(raw, " \t\r\n")
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), true
	}
	return string(Unescape(make([]byte, 0, len(raw)), raw)), true
}

// Unescape appends the decoded inside of a JSON string. Half a surrogate pair
// becomes U+FFFD, as in encoding/json. What is no escape at all, and bytes that
// are not UTF-8, are kept as they are.
func Unescape(dst, inside []byte) []byte {
	for len(inside) > 0 {
		k := bytes.IndexByte(inside, '\\')
		if k < 0 {
			break
		}
		dst = append(dst, inside[:k]...)
		inside = inside[k:]
		r, n := decodeEscape(inside)
		if n == 0 {
			dst = append(dst, '\\')
			inside = inside[1:]
			continue
		}
		dst = utf8.AppendRune(dst, r)
		inside = inside[n:]
	}
	return append(dst, inside...)
}

// decodeEscape reads the escape that b begins with: its character and its
// length, 0 if it is none.
func decodeEscape(b []byte) (rune, int) {
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case '"', '\\', '/':
		return rune(b[1]), 2
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
	}
	r, ok := decodeHex(b)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := decodeHex(b[6:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, 12
		}
	}
	return utf8.RuneError, 6
}

// decodeHex reads \uXXXX.
func decodeHex(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		d := hexValue(c)
		if d < 0 {
			return 0, false
		}
		r = r<<4 | d
	}
	return r, true
}

func hexValue(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}
