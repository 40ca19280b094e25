package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError is a place in a script that cannot be understood.
type SyntaxError struct {
	Pos      Pos // the zero Pos for words of a shell
	Found    string
	Expected string
	Near     string // what was probably meant: "did you mean call?"
	Advice   string // how it is written
	Open     bool   // it ends too early: another line could complete it
	Err      error  // what a part of the line gave: of a file, a pattern, an expression
}

func (e *SyntaxError) Error() string {
	var b strings.Builder
	if e.Pos.Line > 0 {
		b.WriteString(e.Pos.String() + ": ")
	}
	switch {
	case e.Expected != "" && e.Found != "":
		fmt.Fprintf(&b, "expected %s, found %s", e.Expected, e.Found)
	case e.Err != nil:
		b.WriteString(e.Err.Error())
	case e.Expected != "":
		b.WriteString("expected " + e.Expected)
	default:
		b.WriteString(e.Found)
	}
	return b.String()
}

// Unwrap gives what a part of the line gave.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Hint names what was probably meant, or says how it is written.
func (e *SyntaxError) Hint() string {
	if e.Near != "" {
		return "did you mean " + e.Near + "?"
	}
	var hinted interface{ Hint() string }
	switch {
	case e.Advice != "":
		return e.Advice
	case errors.As(e.Err, &hinted):
		return hinted.Hint()
	case e.Pos.File != "":
		return "parley help scripts says what the lines of a file may be"
	}
	return ""
}

// Word names the error for machines.
func (e *SyntaxError) Word() string { return "usage" }

// SyntaxErrors are all that a script has wrong, in their order: two at least.
type SyntaxErrors []*SyntaxError

func (e SyntaxErrors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// err is nil for none, and the error itself for one.
func (e SyntaxErrors) err() error {
	switch len(e) {
	case 0:
		return nil
	case 1:
		return e[0]
	}
	return e
}

// Unwrap gives each of them.
func (e SyntaxErrors) Unwrap() []error {
	all := make([]error, len(e))
	for i, one := range e {
		all[i] = one
	}
	return all
}

// Hint is that of the first one that has any.
func (e SyntaxErrors) Hint() string {
	for _, one := range e {
		if h := one.Hint(); h != "" {
			return h
		}
	}
	return ""
}

// Word names the errors for machines.
func (e SyntaxErrors) Word() string { return "usage" }

// otherEncoding is the error of a script in UTF-16.
func (p *parser) otherEncoding() *SyntaxError {
	if !bytes.HasPrefix(p.text, []byte("\xff\xfe")) && !bytes.HasPrefix(p.text, []byte("\xfe\xff")) {
		return nil
	}
	return p.expectedAt(0, "UTF-8 text", "UTF-16").advised("save the file as UTF-8")
}

// notUTF8 is the error of a byte that is no text in the statement since start: JSON
// has no place for it. A raw line, the end of its statement, may have any.
func (p *parser) notUTF8(start int, step *Step) *SyntaxError {
	end := p.at
	for step.Verb.Name == "for" {
		step = step.Body[0]
	}
	if step.Raw != nil {
		end -= len(step.Raw)
	}
	text := p.text[start:end]
	if utf8.Valid(text) {
		return nil
	}
	at := start
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			break
		}
		at, text = at+n, text[n:]
	}
	return p.expectedAt(at, "UTF-8 text", fmt.Sprintf("the byte 0x%02x", p.text[at])).
		advised("JSON has only text; raw sends any bytes")
}
