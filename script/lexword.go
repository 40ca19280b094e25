package script

import (
	"bytes"
	"strings"

	"parley/client/rawjson"
)

// wordLexer takes one word apart.
type wordLexer struct {
	*source
	parts    []Part
	text     []byte // since the last part
	brackets []int  // of the JSON being read, those that are open
}

func (l *wordLexer) flush() {
	if len(l.text) > 0 {
		l.parts = append(l.parts, Part{Text: string(l.text)})
		l.text = nil
	}
}

// value adds an expression that begins at start.
func (l *wordLexer) value(e *Expr, start int) {
	l.flush()
	l.parts = append(l.parts, Part{Expr: e, width: l.at - start})
}

// word reads the word that begins here. In a word with values (k=…), what is
// behind its = may be quoted or JSON.
func (s *source) word(values bool) (Word, *SyntaxError) {
	l := &wordLexer{source: s}
	start := s.at
	w := Word{Pos: s.pos(start), at: start}
	values = values || bytes.HasPrefix(s.rest(), []byte("--"))
	quoted, wrong := l.begin(values)
	if wrong != nil {
		return w, wrong
	}
	l.flush()
	if len(l.parts) == 0 {
		l.parts = []Part{{}}
	}
	w.Quoted, w.Parts, w.Source = quoted, l.parts, string(s.text[start:s.at])
	return w, nil
}

func (l *wordLexer) begin(values bool) (quoted bool, wrong *SyntaxError) {
	switch l.peek(0) {
	case '\'', '"':
		return true, l.quoted()
	case '{', '[':
		return false, l.json()
	}
	return l.bare(values)
}

// bare reads to the next blank.
func (l *wordLexer) bare(values bool) (quoted bool, wrong *SyntaxError) {
	start := l.at
	if wrong := l.dollar(true); wrong != nil {
		return false, wrong
	}
	for !l.wordOver() {
		c := l.text1()
		switch {
		case c == '$':
			if wrong := l.dollar(false); wrong != nil {
				return false, wrong
			}
			continue
		case c == '=' && values && l.at > start:
			values = false
			asJSON := l.source.text[l.at-1] == ':'
			l.text = append(l.text, '=')
			l.at++
			if quoted, over, wrong := l.behindEquals(asJSON); over || wrong != nil {
				return quoted, wrong
			}
			continue
		}
		l.text = append(l.text, c)
		l.at++
	}
	return false, nil
}

func (l *wordLexer) text1() byte { return l.source.text[l.at] }

// behindEquals reads what is quoted or JSON behind k= or k:=, which ends the word,
// or a value.
func (l *wordLexer) behindEquals(asJSON bool) (quoted, over bool, wrong *SyntaxError) {
	switch c := l.peek(0); {
	case c == '"' && asJSON, (c == '{' || c == '[') && (asJSON || l.closes()):
		return false, true, l.json()
	case c == '\'' || c == '"':
		return true, true, l.quoted()
	}
	return false, false, l.dollar(true)
}

// closes reports whether the bracket here is closed in this line, with the word
// over behind it: text like [draft is none of JSON's.
func (l *wordLexer) closes() bool {
	if l.at < l.open.from || l.at >= l.open.end {
		end, _ := l.lineEnd()
		l.open = openBrackets{from: l.at, end: end, at: map[int]bool{}}
	}
	if l.open.at[l.at] || l.open.failures == maxProbes {
		return false
	}
	probe := &wordLexer{source: &source{text: l.source.text[:l.open.end], at: l.at, lines: l.lines}}
	if probe.json() == nil {
		return true
	}
	l.open.failures++
	for _, at := range probe.brackets { // what is open in it is open in itself
		l.open.at[at] = true
	}
	return false
}

// openBrackets are the brackets between two offsets, the end of their line is one,
// that are not closed there, as far as it was looked at.
type openBrackets struct {
	from     int
	end      int
	at       map[int]bool
	failures int
}

// maxProbes is how often a line is looked through for a closing bracket: what is
// behind so many that are not closed is text.
const maxProbes = 100

// dollar reads the value that a $ begins, if one does; else the $ is text. Where a
// whole value may stand, a path may go on with a pipe.
func (l *wordLexer) dollar(whole bool) *SyntaxError {
	if l.peek(0) != '$' {
		return nil
	}
	if l.braced() {
		return l.braces()
	}
	start := l.at
	l.at++
	if l.name() == "" {
		l.text = append(l.text, '$')
		return nil
	}
	if wrong := l.path(); wrong != nil {
		return wrong
	}
	if whole && l.peek(0) == '|' {
		if wrong := l.expression(func() bool { return isBlank(l.text1()) }); wrong != nil {
			return wrong
		}
	}
	return l.add(start)
}

// add makes an expression of the source since start.
func (l *wordLexer) add(start int) *SyntaxError {
	e, wrong := newExpr(string(l.source.text[start:l.at]), l.pos(start))
	if wrong == nil {
		l.value(e, start)
	}
	return wrong
}

// path goes behind the steps of a path.
func (s *source) path() *SyntaxError {
	for {
		switch next := s.peek(1); {
		case s.peek(0) == '[', s.peek(0) == '.' && next == '[':
			if s.peek(0) == '.' {
				s.at++
			}
			if wrong := s.bracket(); wrong != nil {
				return wrong
			}
		case s.peek(0) == '.' && isNameStart(next):
			s.at++
			s.name()
		case s.peek(0) == '.' && next == '"':
			end, ok := s.skipJQ(s.at + 1)
			if !ok {
				return s.expectedAt(s.at+1, `a closing "`, "the end of the line")
			}
			s.at = end
		case s.peek(0) == '?' && (next == '.' || next == '[' || next == '|' || next == 0 || isBlank(next) || next == '\n'):
			s.at++
		default:
			return nil
		}
	}
}

// bracket goes behind the bracket that closes the one here.
func (s *source) bracket() *SyntaxError {
	start, inside := s.at, false
	wrong := s.expression(func() bool {
		over := inside
		inside = true
		return over
	})
	if wrong == nil && s.at == start {
		wrong = s.expected("an expression")
	}
	return wrong
}

// braced reports whether a ${…} begins here: a name, a $ or a parenthesis follows.
func (s *source) braced() bool {
	if s.peek(0) != '$' || s.peek(1) != '{' {
		return false
	}
	i := 2
	for isBlank(s.peek(i)) {
		i++
	}
	c := s.peek(i)
	return isNameStart(c) || c == '$' || c == '('
}

// braces reads ${…}.
func (l *wordLexer) braces() *SyntaxError {
	start := l.at
	l.at++
	if wrong := l.source.bracket(); wrong != nil {
		wrong.Pos = l.pos(start)
		if wrong.Found == "the end of the line" {
			wrong.Expected = "the } that closes ${"
		}
		wrong.Advice = "a literal ${ stands in '…'"
		return wrong
	}
	inside := string(l.source.text[start+2 : l.at-1])
	trimmed := strings.TrimLeft(inside, " \t\r")
	pos := l.pos(start + 2 + len(inside) - len(trimmed))
	trimmed = strings.TrimRight(trimmed, " \t\r")
	if isNameStart(trimmed[0]) && !strings.HasPrefix(trimmed, "duration(") {
		trimmed = "$" + trimmed
		pos.Col--
	}
	e, wrong := newExpr(trimmed, pos)
	if wrong == nil {
		l.value(e, start)
	}
	return wrong
}

// quoted reads '…' or "…", which ends a word.
func (l *wordLexer) quoted() *SyntaxError {
	start, quote := l.at, l.text1()
	var inside []byte // of "…", still escaped
	unescape := func() *SyntaxError {
		if quote == '"' {
			if at, _, ok := rawjson.Valid(asString(inside)); !ok {
				at = min(at, len(inside)) - 1
				return &SyntaxError{Pos: l.pos(l.at - len(inside) + at), Expected: "an escape of JSON", Found: shown(string(inside[at : at+1])),
					Advice: `a backslash is written \\, or the text stands in '…'`}
			}
			inside = rawjson.Unescape(nil, inside)
		}
		l.text, inside = append(l.text, inside...), nil
		return nil
	}
	for l.at++; ; {
		switch {
		case l.lineOver():
			return &SyntaxError{Pos: l.pos(start), Expected: "a closing " + string(quote), Found: "the end of the line",
				Advice: "a line end in a text is written \\n inside of \"…\""}
		case l.text1() == quote:
			if wrong := unescape(); wrong != nil {
				return wrong
			}
			l.at++
			return l.closed("the closing " + string(quote))
		case quote == '"' && l.braced():
			if wrong := unescape(); wrong != nil {
				return wrong
			}
			if wrong := l.braces(); wrong != nil {
				return wrong
			}
			continue
		case quote == '"' && l.text1() == '\\' && l.at+1 < len(l.source.text) && l.peek(1) != '\n':
			inside = append(inside, '\\', l.peek(1))
			l.at += 2
			continue
		}
		inside = append(inside, l.text1())
		l.at++
	}
}

// asString puts quotes around the inside of a string, control characters replaced:
// here they are what they are.
func asString(inside []byte) []byte {
	s := append([]byte{'"'}, inside...)
	for i, c := range s {
		if c < ' ' {
			s[i] = ' '
		}
	}
	return append(s, '"')
}

// closed says that a word goes on where it cannot.
func (l *wordLexer) closed(behind string) *SyntaxError {
	if l.wordOver() {
		return nil
	}
	return l.expected("a blank behind " + behind)
}
