package script

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/itchyny/gojq"

	"parley/client/rawjson"
)

// operand reads one side of a test. Behind matches it is a pattern. An expression
// ends where over says so, too.
func (p *parser) operand(pattern bool, over func() bool) (o Operand, wrong *SyntaxError) {
	start := p.at
	o.Pos = p.pos(start)
	switch c := p.peek(0); {
	case p.isExpression():
		if o.Expr, wrong = p.expr(func() bool { return over() || p.operandEnds() }); wrong != nil {
			var parse *gojq.ParseError
			if errors.As(wrong.Err, &parse) {
				wrong.Near = nearOperator(parse.Token)
			}
		}
	case c == '/' && pattern:
		o.Regexp, wrong = p.regexp()
	default:
		wrong = p.literal(&o)
	}
	if wrong != nil {
		return o, wrong
	}
	o.Source = strings.TrimRight(string(p.text[start:p.at]), " \t\r")
	if pattern && o.JSON != nil {
		o.Regexp, wrong = compileRegexp(textOf(o.JSON), "", o.Pos)
		o.JSON = nil
	}
	return o, wrong
}

// operandEnds reports whether an expression ends here: at an operator, at the = of
// somebody who means ==, and at and and or, whose order people and jq see in
// different ways.
func (p *parser) operandEnds() bool {
	if _, is := p.operator(); is || p.peek(0) == '=' {
		return true
	}
	if p.at == 0 || !isBlank(p.text[p.at-1]) {
		return false
	}
	before := p.at
	ends := p.keyword("and") || p.keyword("or")
	p.at = before
	return ends
}

// literal reads JSON, a text in quotes, a duration or a word.
func (p *parser) literal(o *Operand) *SyntaxError {
	at := p.at
	var w Word
	var wrong *SyntaxError
	switch p.peek(0) {
	case '{', '[', '\'', '"':
		w, wrong = p.word(false)
	default:
		w, wrong = p.bareOperand()
	}
	if wrong != nil {
		return wrong
	}
	text, ok := w.literal()
	if !ok {
		return p.expectedAt(at, "a text without values", shown(w.Source)).advised("a value stands alone: $x.path, or in a jq expression: ($x.a + \"!\")")
	}
	raw := []byte(text)
	switch {
	case w.Quoted:
		o.JSON = rawjson.Quote(nil, text)
	case raw[0] == '{' || raw[0] == '[':
		if wrong := checkJSON(&p.source, w, 0, "text stands in '…'"); wrong != nil {
			return wrong
		}
		o.JSON, _ = rawjson.CompactLoose(nil, raw)
	default:
		o.JSON, o.Duration = bareValue(text)
	}
	return nil
}

// bareOperand reads a word up to a blank or an operator.
func (p *parser) bareOperand() (Word, *SyntaxError) {
	start := p.at
	for !p.wordOver() && !bytes.ContainsRune([]byte("=!<>"), rune(p.text[p.at])) {
		p.at++
	}
	if p.at == start {
		return Word{}, p.expected("a value, such as $x.path")
	}
	text := string(p.text[start:p.at])
	return Word{Pos: p.pos(start), at: start, Source: text, Parts: []Part{{Text: text}}}, nil
}

// bareValue is what a word of a test stands for: a number, true, false, null, a
// duration, or its own text.
func bareValue(text string) (raw []byte, d *time.Duration) {
	if _, _, ok := rawjson.Valid([]byte(text)); ok {
		return []byte(text), nil
	}
	if got, err := ParseDuration(text); err == nil && isNumberStart(text[0]) {
		return nil, &got
	}
	return rawjson.Quote(nil, text), nil
}

func isNumberStart(c byte) bool { return c-'0' <= 9 || c == '.' || c == '+' }

func (e *SyntaxError) advised(advice string) *SyntaxError {
	e.Advice = advice
	return e
}
