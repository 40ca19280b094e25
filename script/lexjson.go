package script

import "bytes"

// json reads a string or a container of JSON, with comments and values in it, over
// the ends of lines if need be. Whether it is JSON is looked at later: here only
// where it ends counts.
func (l *wordLexer) json() *SyntaxError {
	l.brackets = nil
	for {
		switch c := l.peek(0); {
		case l.at >= len(l.source.text):
			return l.unclosed()
		case c == '"':
			if wrong := l.jsonString(); wrong != nil {
				return wrong
			}
		case c == '{' || c == '[':
			l.brackets = append(l.brackets, l.at)
			l.take(1)
		case c == '}' || c == ']':
			last := len(l.brackets) - 1
			if open := l.source.text[l.brackets[last]]; open != c-2 {
				return l.expected("the bracket closed that " + string(open) + " opens")
			}
			l.brackets = l.brackets[:last]
			l.take(1)
		case c == '/':
			l.take(l.commentLen())
			continue
		case c == '$':
			if wrong := l.dollar(false); wrong != nil {
				return wrong
			}
			continue
		default:
			l.take(1)
			continue
		}
		if len(l.brackets) == 0 {
			return l.closed("JSON")
		}
	}
}

func (l *wordLexer) take(n int) {
	l.text = append(l.text, l.source.text[l.at:l.at+n]...)
	l.at += n
}

func (l *wordLexer) unclosed() *SyntaxError {
	open := l.brackets
	at := open[len(open)-1]
	closing := "}"
	if l.source.text[at] == '[' {
		closing = "]"
	}
	wrong := l.expected(closing)
	wrong.Pos = l.pos(open[0])
	wrong.Open = true
	wrong.Advice = "JSON that begins with " + string(l.source.text[open[0]]) + " goes on until that is closed; text with a bracket stands in '…'"
	return wrong
}

// jsonString reads a string with its quotes and escapes as they are.
func (l *wordLexer) jsonString() *SyntaxError {
	start := l.at
	l.take(1)
	for {
		switch {
		case l.lineOver():
			return &SyntaxError{Pos: l.pos(start), Expected: `a closing "`, Found: "the end of the line",
				Advice: `a line end in a string of JSON is written \n`}
		case l.text1() == '"':
			l.take(1)
			return nil
		case l.text1() == '\\' && l.at+1 < len(l.source.text) && l.peek(1) != '\n':
			l.take(2)
		case l.braced():
			if wrong := l.braces(); wrong != nil {
				return wrong
			}
		default:
			l.take(1)
		}
	}
}

// commentLen is the length of a comment of JSON, or 1 if none is here.
func (l *wordLexer) commentLen() int {
	rest := l.rest()
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if k := bytes.IndexByte(rest, '\n'); k >= 0 {
			return k
		}
		return len(rest)
	case bytes.HasPrefix(rest, []byte("/*")):
		if k := bytes.Index(rest[2:], []byte("*/")); k >= 0 {
			return k + 4
		}
		return len(rest)
	}
	return 1
}
