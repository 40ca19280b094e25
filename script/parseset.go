package script

import (
	"bytes"
	"io/fs"
	"regexp"
)

// set reads a setting and its value, the rest of the line.
func (p *parser) set(step *Step) *SyntaxError {
	if p.done() {
		return p.expected("a setting's name")
	}
	w, wrong := p.word(false)
	if wrong != nil {
		return wrong
	}
	step.Words = []Word{w}
	if p.skipBlanks(); p.done() {
		return p.expected("a value for " + shown(w.Source))
	}
	switch c := p.peek(0); {
	case c == '\'' || c == '"':
		if w, wrong = p.word(false); wrong == nil {
			step.Words = append(step.Words, w)
		}
	case p.quotedText():
		if w, wrong = p.textValue(); wrong == nil {
			step.Words = append(step.Words, w)
		}
	default:
		wrong = p.restOfLine(step, false)
	}
	if wrong != nil {
		return wrong
	}
	if name, _ := step.Words[0].literal(); name == settingHeader {
		if wrong := p.hide(step); wrong != nil {
			return wrong
		}
	}
	return checkWords(&p.source, step)
}

// secret is a piece of the script that is not shown, and what is shown for it.
type secret struct {
	from, to int
	shown    string
}

// hide keeps the value of a header that is set out of what is shown of the script.
func (p *parser) hide(step *Step) *SyntaxError {
	w := step.Words[1]
	if value, ok := w.literal(); ok {
		p.secret = append(p.secret, secret{w.at, w.at + len(w.Source), "'" + maskedHeader(value) + "'"})
	}
	if p.skipBlanks(); !p.done() && !p.patternOf(step)() { // which may be the secret
		return p.expectedAt(p.at, "the end of the line", "more behind the closing quote").advised("the whole header stands in quotes, 'Name: value'")
	}
	return nil
}

// WithoutSecrets is a line that was typed as it may be kept: the value of a header
// that it sets is left out, unless it comes from a variable.
func WithoutSecrets(line string) string {
	p := newParser("", []byte(line), func(string) ([]byte, error) { return nil, fs.ErrNotExist })
	p.typed = true
	p.script()
	if len(p.secret) > 0 {
		p.at = len(p.text)
		return p.shownSource(0)
	}
	if at := settingOfHeader.FindStringIndex(line); at != nil && len(p.wrong) > 0 { // not even half of a secret
		return line[:at[1]] + "…"
	}
	return line
}

// settingOfHeader finds the setting of a header in a line that does not parse.
var settingOfHeader = regexp.MustCompile(`\bset\s+` + settingHeader + `\s`)

// shownSource is the script from an offset to here without its secrets.
func (p *parser) shownSource(start int) string {
	var b []byte
	for _, s := range p.secret {
		if s.from >= start {
			b = append(append(b, p.text[start:s.from]...), s.shown...)
			start = s.to
		}
	}
	return string(append(b, p.text[start:p.at]...))
}

// textPolicy is what the text of a message begins with in set sample.
const textPolicy = "text:"

// quotedText reports whether text:"…" begins here. Elsewhere in the value of a
// setting quotes belong to it, as in exec:CMD.
func (p *parser) quotedText() bool {
	c := p.peek(len(textPolicy))
	return bytes.HasPrefix(p.rest(), []byte(textPolicy)) && (c == '"' || c == '\'')
}

func (p *parser) textValue() (Word, *SyntaxError) {
	l := &wordLexer{source: &p.source}
	w := Word{Pos: p.pos(p.at), at: p.at, Quoted: true}
	l.take(len(textPolicy))
	wrong := l.quoted()
	l.flush()
	w.Parts, w.Source = l.parts, string(p.text[w.at:p.at])
	return w, wrong
}
