package script

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// source is the text of a script and a place in it.
type source struct {
	file  string
	text  []byte
	at    int
	lines []int // where each line begins
	told  told
	open  openBrackets
}

// told is the place that was asked for last: the next one is counted from there,
// because lines may be long.
type told struct{ at, line, col int }

func newSource(file string, text []byte) source {
	s := source{file: file, text: text, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// pos is the place of an offset. It counts characters; a byte that is not UTF-8 is one.
func (s *source) pos(at int) Pos {
	at = min(max(at, 0), len(s.text))
	line := sort.SearchInts(s.lines, at+1) - 1
	from, col := s.lines[line], 1
	if s.told.line == line+1 && from < s.told.at && s.told.at <= at && (s.told.at == at || utf8.RuneStart(s.text[s.told.at])) {
		from, col = s.told.at, s.told.col
	}
	col += utf8.RuneCount(s.text[from:at])
	s.told = told{at, line + 1, col}
	return Pos{File: s.file, Line: line + 1, Col: col}
}

// peek gives the byte at an offset from here, 0 behind the end.
func (s *source) peek(n int) byte {
	if s.at+n < len(s.text) {
		return s.text[s.at+n]
	}
	return 0
}

func (s *source) rest() []byte { return s.text[s.at:] }

// lineEnd is where the line at hand ends, and where the next begins. A carriage
// return belongs to the line feed behind it.
func (s *source) lineEnd() (end, next int) {
	k := bytes.IndexByte(s.rest(), '\n')
	if k < 0 {
		return len(s.text), len(s.text)
	}
	end = s.at + k
	if k > 0 && s.text[end-1] == '\r' {
		return end - 1, end + 1
	}
	return end, end + 1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

func (s *source) skipBlanks() {
	for s.at < len(s.text) && isBlank(s.text[s.at]) {
		s.at++
	}
}

// done reports whether nothing more stands in the line: its end or a comment. It
// is asked where a word could begin.
func (s *source) done() bool { return s.lineOver() || s.text[s.at] == '#' }

func (s *source) lineOver() bool { return s.at >= len(s.text) || s.text[s.at] == '\n' }

// wordOver reports whether a word ends here.
func (s *source) wordOver() bool { return s.lineOver() || isBlank(s.text[s.at]) }

// found names what stands here for messages.
func (s *source) found() string {
	if s.done() {
		if s.at >= len(s.text) && s.file != "" {
			return "the end of the file"
		}
		return "the end of the line"
	}
	end := s.at
	for end < len(s.text) && s.text[end] != '\n' && !isBlank(s.text[end]) {
		end++
	}
	return shown(string(s.text[s.at:end]))
}

// shown puts a text into a message: short, and on one line.
func shown(text string) string {
	const most = 40
	n := 0
	for i := range text {
		if n++; n > most {
			text = text[:i] + "…"
			break
		}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == utf8.RuneError || r == 0x7f }) {
		return fmt.Sprintf("%q", text)
	}
	return text
}

// expected is the error that something else stands here.
func (s *source) expected(what string) *SyntaxError { return s.expectedAt(s.at, what, s.found()) }

func (s *source) expectedAt(at int, what, found string) *SyntaxError {
	return &SyntaxError{Pos: s.pos(at), Expected: what, Found: found}
}

func isNameStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isNameByte(c byte) bool { return isNameStart(c) || c-'0' <= 9 }

// name reads the name of a variable, "" if there is none.
func (s *source) name() string {
	start := s.at
	if s.at < len(s.text) && isNameStart(s.text[s.at]) {
		for s.at < len(s.text) && isNameByte(s.text[s.at]) {
			s.at++
		}
	}
	return string(s.text[start:s.at])
}

// keyword goes behind a word if that stands here, alone.
func (s *source) keyword(word string) bool {
	if !bytes.HasPrefix(s.rest(), []byte(word)) {
		return false
	}
	before := s.at
	s.at += len(word)
	if s.wordOver() {
		return true
	}
	s.at = before
	return false
}

// skipJQ gives the offset behind what begins at i in a jq expression: a string with
// everything in it, or one byte. ok is false for a string without an end.
func (s *source) skipJQ(i int) (end int, ok bool) {
	if s.text[i] != '"' {
		return i + 1, true
	}
	depth := 0 // of parentheses in \( … )
	for i++; i < len(s.text) && s.text[i] != '\n'; i++ {
		switch c := s.text[i]; {
		case depth > 0 && c == '(':
			depth++
		case depth > 0 && c == ')':
			depth--
		case depth > 0 && c == '"':
			if i, ok = s.skipJQ(i); !ok {
				return i, false
			}
			i--
		case depth > 0:
		case c == '"':
			return i + 1, true
		case c == '\\' && i+1 < len(s.text) && s.text[i+1] == '(':
			depth = 1
			i++
		case c == '\\':
			i++
		}
	}
	return i, false
}

// expression goes to where an expression ends: where stop says so outside of
// brackets and strings, or at the end of the line.
func (s *source) expression(stop func() bool) *SyntaxError {
	var open []int
	for !s.lineOver() {
		if len(open) == 0 && stop() {
			return nil
		}
		switch s.text[s.at] {
		case '(', '[', '{':
			open = append(open, s.at)
		case ')', ']', '}':
			if len(open) == 0 {
				return s.expected("an expression")
			}
			open = open[:len(open)-1]
		}
		end, ok := s.skipJQ(s.at)
		if !ok {
			return s.expectedAt(s.at, `a closing "`, "the end of the line")
		}
		s.at = end
	}
	if len(open) > 0 {
		last := open[len(open)-1]
		return s.expectedAt(last, "the bracket closed that "+string(s.text[last])+" opens", "the end of the line")
	}
	return nil
}

// comment reports whether a comment begins here: a # behind a blank.
func (s *source) comment() bool {
	return s.text[s.at] == '#' && (s.at == 0 || isBlank(s.text[s.at-1]) || s.text[s.at-1] == '\n')
}
