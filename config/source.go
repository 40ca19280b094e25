package config

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError says where a configuration file is not what it should be.
type SyntaxError struct {
	File      string
	Line, Col int    // from 1; Col counts characters
	Key       string // the value concerned, "mcpServers.weather.args"; empty for broken JSON
	Expected  string // in words, "an array of strings"
	Found     string
}

func (e *SyntaxError) Error() string {
	at := fmt.Sprintf("%s:%d:%d: ", e.File, e.Line, e.Col)
	if e.Key != "" {
		at += e.Key + ": "
	}
	return fmt.Sprintf("%sexpected %s, found %s", at, e.Expected, e.Found)
}

// Word is the word for errors of this sort in machine-readable output.
func (e *SyntaxError) Word() string { return "usage" }

// Hint says what is to be done about a file that cannot be read at all.
func (e *SyntaxError) Hint() string {
	if e.Key == "" {
		return "correct the file there; --config FILE reads another one instead"
	}
	return ""
}

// source is a file while it is read.
type source struct {
	path    string
	content []byte
}

func (s *source) position(at spot) (line, col int) {
	if at.line > 0 {
		return at.line, max(at.col, 1)
	}
	before := s.content[:at.offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}

func (s *source) errorAt(at spot, key, expected, found string) *SyntaxError {
	line, col := s.position(at)
	return &SyntaxError{File: s.path, Line: line, Col: col, Key: key, Expected: expected, Found: found}
}

// wrongAt is an error of the syntax, which concerns no key.
func (s *source) wrongAt(offset int, expected, found string) *SyntaxError {
	return s.errorAt(spot{offset: offset}, "", expected, found)
}

// syntaxError turns hujson's error, which has its position only as text, into
// one that says what was expected.
func (s *source) syntaxError(err error) error {
	var line, col int
	if _, e := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &col); e != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	offset := s.offset(line, col)
	message := err.Error()
	is := func(part string) bool { return strings.Contains(message, part) }
	expected := "a value"
	switch {
	case is("object name") || is("object after name"):
		expected = `":" after the key`
		if is("at start of object name") {
			expected = "a key in double quotes"
		}
	case is("object value") || is("object after value"):
		expected = `"," or "}"`
	case is("array value") || is("array after value"):
		expected = `"," or "]"`
	case is("after top-level value"):
		expected = "the end of the file"
	case is("parsing string"):
		expected = `a closing quote`
	case is("comment"):
		expected = `a comment that ends with "*/"`
	case is("invalid literal") && s.content[offset] == '"':
		return s.stringError(offset)
	case s.atKey(offset):
		expected = "a key in double quotes"
	}
	return s.wrongAt(s.visible(offset), expected, s.found(offset))
}

func (s *source) offset(line, col int) int {
	offset := 0
	for ; line > 1; line-- {
		offset += bytes.IndexByte(s.content[offset:], '\n') + 1
	}
	return min(offset+col-1, len(s.content))
}

// atKey reports whether what is at offset stands where a key should: after a
// brace, or before a colon.
func (s *source) atKey(offset int) bool {
	before := bytes.TrimRight(s.content[:offset], " \t\r\n")
	rest := s.content[offset:]
	word := bytes.TrimLeftFunc(rest, func(r rune) bool {
		return r == '\'' || r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
	})
	return bytes.HasSuffix(before, []byte("{")) ||
		len(word) < len(rest) && bytes.HasPrefix(bytes.TrimLeft(word, " \t"), []byte(":"))
}

// stringError says why the string that begins at offset is none.
func (s *source) stringError(offset int) error {
	for i := offset + 1; i < len(s.content); i++ {
		switch c := s.content[i]; {
		case c == '\n' || c == '\r':
			return s.wrongAt(i, "a closing quote", "the end of the line")
		case c < ' ':
			return s.wrongAt(i, fmt.Sprintf(`\u%04x`, c), "a control character in a string")
		case c == '"':
			return s.wrongAt(offset, "a string", "bytes that are not valid UTF-8")
		case c == '\\':
			if !s.escape(i) {
				return s.wrongAt(i, `an escape like \\ or \n`, s.excerpt(i, 2))
			}
			i++
		}
	}
	return s.wrongAt(offset, "a string", "the end of the file")
}

// escape reports whether a valid escape begins at offset.
func (s *source) escape(offset int) bool {
	rest := s.content[offset+1:]
	if len(rest) > 4 && rest[0] == 'u' {
		for _, c := range rest[1:5] {
			if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
				return false
			}
		}
		return true
	}
	return len(rest) > 0 && strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0
}

// visible moves an offset at the end of the file to the end of its last line
// with text, where a person can see it.
func (s *source) visible(offset int) int {
	if offset < len(s.content) {
		return offset
	}
	return len(bytes.TrimRight(s.content, " \t\r\n"))
}

// found says in words what is at offset.
func (s *source) found(offset int) string {
	if offset >= len(s.content) {
		return "the end of the file"
	}
	rest := s.content[offset:]
	switch c := rest[0]; {
	case c == '"':
		return "a string"
	case c == '-' || c >= '0' && c <= '9':
		return "a number"
	}
	word := 0
	for word < len(rest) && (rest[word]|' ' >= 'a' && rest[word]|' ' <= 'z') {
		word++
	}
	if word > 0 {
		return s.excerpt(offset, min(word, 30))
	}
	_, n := utf8.DecodeRune(rest)
	return s.excerpt(offset, n)
}

func (s *source) excerpt(offset, n int) string {
	return strings.ToValidUTF8(string(s.content[offset:min(offset+n, len(s.content))]), "\ufffd")
}
