package rawjson

// TokenKind is what a part of a line is.
type TokenKind uint8

// The kinds of tokens.
const (
	TokenSpace TokenKind = iota
	TokenPunct
	TokenKey
	TokenString
	TokenNumber
	TokenLiteral // true, false or null
	TokenBad     // nothing that JSON knows
)

// Token is a part of a line.
type Token struct {
	Kind     TokenKind
	Off, Len int // in bytes
}

// ScanLine appends the tokens of one line of indented JSON: all of its bytes,
// in order. It needs no other line, since no string goes over a line's end. A
// string with a colon behind it is a key; one without a closing quote, because
// the line was cut, goes to the end.
func ScanLine(line []byte, dst []Token) []Token {
	for i := 0; i < len(line); {
		kind, end := scanToken(line, i)
		if k := len(dst) - 1; kind == TokenBad && k >= 0 && dst[k].Kind == TokenBad && dst[k].Off+dst[k].Len == i {
			dst[k].Len += end - i
		} else {
			dst = append(dst, Token{kind, i, end - i})
		}
		i = end
	}
	return dst
}

// scanToken gives the kind and the end of the token at i.
func scanToken(line []byte, i int) (TokenKind, int) {
	switch c := line[i]; {
	case isSpace(c):
		end := i + 1
		for end < len(line) && isSpace(line[end]) {
			end++
		}
		return TokenSpace, end
	case c == '"':
		return scanString(line, i)
	case c == '-' || c-'0' <= 9:
		if end := wordEnd(line, i); numberIs(line[i:end]) {
			return TokenNumber, end
		}
	case lineClass[c] == punctByte:
		return TokenPunct, i + 1
	}
	end := wordEnd(line, i)
	switch string(line[i:end]) {
	case "true", "false", "null":
		return TokenLiteral, end
	}
	return TokenBad, end
}

// The classes of bytes in a line: those that may be in a word or number, and
// those that end one.
const (
	wordByte = iota
	punctByte
	otherByte // whitespace and quotes
)

var lineClass = [256]uint8{
	'{': punctByte, '}': punctByte, '[': punctByte, ']': punctByte, ',': punctByte, ':': punctByte,
	' ': otherByte, '\t': otherByte, '\r': otherByte, '\n': otherByte, '"': otherByte,
}

func numberIs(b []byte) bool {
	end, ok := skipNumber(b, 0)
	return ok && end == len(b)
}

// wordEnd gives the end of the run from i that no JSON token could interrupt.
func wordEnd(line []byte, i int) int {
	for i++; i < len(line); i++ {
		if lineClass[line[i]] != wordByte {
			break
		}
	}
	return i
}

// scanString tells keys from other strings and finds their end.
func scanString(line []byte, i int) (TokenKind, int) {
	for i++; ; {
		i = skipPlain(line, i)
		switch {
		case i >= len(line):
			return TokenString, len(line)
		case line[i] == '"':
			i++
			for k := i; k < len(line); k++ {
				if line[k] == ':' {
					return TokenKey, i
				}
				if !isSpace(line[k]) {
					break
				}
			}
			return TokenString, i
		case line[i] == '\\':
			i++
		}
		i++
	}
}
