package script

import (
	"bytes"
	"slices"
	"strings"

	"parley/client/near"
)

// let reads x = STEP, x = $expr and x := json. What fails gives a value too: the
// error object, or the result with isError.
func (p *parser) let(step *Step) *SyntaxError {
	name, wrong := p.variable("let x = …")
	if wrong != nil {
		return wrong
	}
	step.Let = name
	p.skipBlanks()
	switch {
	case p.peek(0) == ':' && p.peek(1) == '=':
		p.at += 2
		p.skipBlanks()
		return p.letJSON(step)
	case p.peek(0) != '=':
		return p.expected("= or :=")
	}
	p.at++
	if p.skipBlanks(); p.done() {
		return p.expected("a step or an expression such as $x.path")
	}
	if isJSONWord(p.found()) {
		wrong := p.expected("a step or an expression such as $x.path")
		wrong.Advice = "JSON stands behind :=, as in let " + name + " := " + p.found()
		return wrong
	}
	read := p.body
	if step.Want == Success { // let x = ! STEP is ! let x = STEP
		read = p.prefixed
	}
	at := p.at
	if wrong := read(step, true); wrong != nil {
		return wrong
	}
	if !step.Verb.Value {
		p.at = at
		wrong := p.expected("a step with a value")
		wrong.Advice = step.Verb.Name + " has none"
		return wrong
	}
	return nil
}

// isJSONWord reports whether a word is meant as JSON and not as a command.
func isJSONWord(word string) bool {
	c := (strings.TrimPrefix(word, "-") + " ")[0]
	return c == '"' || c == '\'' || c-'0' <= 9 || word == "true" || word == "false" || word == "null"
}

// letJSON reads the JSON behind :=, which may have values in it.
func (p *parser) letJSON(step *Step) *SyntaxError {
	step.Verb = valueCommand
	if p.done() {
		return p.expected("JSON")
	}
	if p.isExpression() {
		return p.expressionTo(step, p.patternOf(step))
	}
	l := &wordLexer{source: &p.source}
	start := p.at
	w := Word{Pos: p.pos(start), at: start}
	var wrong *SyntaxError
	switch p.peek(0) {
	case '{', '[', '"':
		wrong = l.json()
	case '\'':
		wrong = l.quoted()
	default:
		_, wrong = l.bare(false)
	}
	if wrong != nil {
		return wrong
	}
	l.flush()
	w.Parts, w.Source = l.parts, string(p.text[start:p.at])
	if len(w.Parts) == 0 {
		w.Parts = []Part{{}}
	}
	step.Words = []Word{w}
	return checkJSON(&p.source, w, 0, "a text is written in \"…\"")
}

// variable reads the name of a variable that gets a value.
func (p *parser) variable(form string) (string, *SyntaxError) {
	at := p.at
	name := p.name()
	switch {
	case isReserved(name):
		return "", p.expectedAt(at, "a variable of one's own", "$"+name)
	case name == "" || !p.wordOver() && p.peek(0) != '=' && p.peek(0) != ':':
		p.at = at
		wrong := p.expected("a variable's name")
		wrong.Advice = "letters, digits and _, without a $, as in " + form
		return "", wrong
	}
	return name, nil
}

// IsVariable reports whether a variable may have that name.
func IsVariable(name string) bool {
	return plainKey.MatchString(name) && !isReserved(name)
}

// isReserved reports whether a name is that of a variable which is there already, or
// is in jq.
func isReserved(name string) bool { return name == "env" || name == "ENV" || name == "__loc__" }

// maxNesting is how many for may stand in each other.
const maxNesting = 32

// each reads x in $list : STEP.
func (p *parser) each(step *Step) *SyntaxError {
	if step.Want != Success || step.Let != "" {
		return &SyntaxError{Pos: step.Pos, Expected: "for without !, - or let", Found: "it behind one",
			Advice: "they stand before the step that is done for each: for x in $list : ! call …"}
	}
	if p.depth++; p.depth > maxNesting {
		return p.expected("fewer loops in loops")
	}
	defer func() { p.depth-- }()
	name, wrong := p.variable("for x in $list : …")
	if wrong != nil {
		return wrong
	}
	step.Each = name
	p.skipBlanks()
	if !p.keyword("in") {
		return p.expected("in")
	}
	p.skipBlanks()
	if p.done() {
		return p.expected("a list, such as $list.tools")
	}
	at := p.at
	if wrong := p.expressionTo(step, func() bool { return p.peek(0) == ':' }); wrong != nil {
		if p.at = at; isNameStart(p.peek(0)) {
			wrong.Advice = "a variable has a $: did you mean $" + p.name() + "?"
		}
		return wrong
	}
	if p.peek(0) != ':' {
		wrong := p.expected("a : and a step")
		wrong.Advice = "it is written for x in $list : STEP"
		return wrong
	}
	p.at++
	if p.skipBlanks(); p.done() {
		return p.expected("a step")
	}
	inner, wrong := p.statement(true)
	if wrong == nil {
		step.Body = []*Step{inner}
	}
	return wrong
}

// operators are those of expect that are words; a byte that is none of a name
// begins the others.
var operators = []Op{Equal, NotEqual, LessEqual, GreaterEqual, Less, Greater, Contains, Matches, StartsWith, EndsWith, Exists, IsEmpty}

var operatorsAndCount = append(slices.Clone(operators), "count")

// operator finds the operator of expect that stands here, or that count does.
func (p *parser) operator() (op Op, ok bool) {
	behind := p.at == 0 || isBlank(p.text[p.at-1])
	for _, op := range operatorsAndCount {
		if op[0] != p.peek(0) || !bytes.HasPrefix(p.rest(), []byte(op)) {
			continue
		}
		if !isNameStart(op[0]) {
			return op, true
		}
		if next := p.peek(len(op)); behind && (next == 0 || isBlank(next) || next == '\n' || op == "count" && bytes.IndexByte([]byte("=!<>"), next) >= 0) {
			return op, true
		}
	}
	return "", false
}

// expect reads [not] VALUE [count] [OP VALUE].
func (p *parser) expect(step *Step) *SyntaxError {
	t := &Test{}
	step.Test = t
	if p.keyword("not") {
		t.Not = true
		p.skipBlanks()
	}
	if p.done() {
		return p.expected("a value, such as $x.path")
	}
	var wrong *SyntaxError
	pattern := p.patternOf(step)
	if t.Left, wrong = p.operand(false, pattern); wrong != nil {
		return wrong
	}
	p.skipBlanks()
	op, ok := p.operator()
	if op == "count" {
		t.Count = true
		p.at += len(op)
		p.skipBlanks()
		op, ok = p.operator()
	}
	switch {
	case !ok && (p.done() || pattern()) && !t.Count:
		return nil
	case !ok || op == "count":
		return p.badOperator(t.Count)
	}
	t.Op = op
	p.at += len(op)
	p.skipBlanks()
	if op == Exists || op == IsEmpty {
		return nil
	}
	if p.done() {
		return p.expected("what to compare with")
	}
	if t.Right, wrong = p.operand(op == Matches, pattern); wrong != nil {
		return wrong
	}
	p.skipBlanks()
	if !p.done() && !pattern() {
		if p.found() == "count" {
			return p.expected("the end of the line").advised("count stands before the operator; on its right side it is ($list | length)")
		}
		return p.expected("the end of the line").advised(twoTests)
	}
	return nil
}

const twoTests = "write two expect lines, or one jq expression in parentheses: expect ($x.a == 1 and $x.b == 2)"

func (p *parser) badOperator(count bool) *SyntaxError {
	wrong := p.expected("an operator or the end of the line")
	if count {
		return p.expected("a comparison").advised("it is written expect $list count == 3")
	}
	switch wrong.Near = nearOperator(wrong.Found); {
	case wrong.Found == "and" || wrong.Found == "or":
		wrong.Near, wrong.Advice = "", twoTests
	case wrong.Found == "=":
		wrong.Near = "=="
	case wrong.Near == "":
		wrong.Advice = "the operators are == != < <= > >= contains matches startsWith endsWith exists isEmpty, and count before one"
	}
	return wrong
}

// nearOperator is the operator that a word was probably meant to be.
func nearOperator(word string) string {
	var names []string
	for _, op := range operators {
		if isNameStart(op[0]) {
			names = append(names, string(op))
		}
	}
	return near.Best(word, names)
}
