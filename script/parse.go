package script

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/client/near"
)

// ParseFile reads and parses a script.
func ParseFile(path string) (*Script, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return Parse(path, src)
}

// Parse parses a script. file is its name for messages, and what the files that it
// includes are relative to. The error is a *[SyntaxError], or [SyntaxErrors] if
// there are several: nothing of a script that has one may run.
func Parse(file string, src []byte) (*Script, error) {
	p := newParser(file, src, os.ReadFile)
	steps := p.script()
	if err := p.wrong.err(); err != nil {
		return nil, err
	}
	return &Script{File: file, Steps: steps}, nil
}

// ParseLine parses one statement as it was typed. Without one, of an empty line or
// a comment, it returns nil and no error. A {…} that is no raw line may go over
// several lines; the error of one that is not closed yet has Open set.
func ParseLine(line string) (*Step, error) {
	p := newParser("", []byte(line), os.ReadFile)
	p.typed = true
	steps := p.script()
	switch {
	case len(p.wrong) > 0:
		return nil, p.wrong[0]
	case len(steps) == 0:
		return nil, nil
	case len(steps) > 1:
		return nil, &SyntaxError{Pos: steps[1].Pos, Expected: "one line", Found: "another"}
	}
	return steps[0], nil
}

// parser reads statements.
type parser struct {
	source
	typed bool // help and exit are known
	read  func(path string) ([]byte, error)
	// The files that are being included, the outermost first.
	within []string
	wrong  SyntaxErrors
	depth  int // of for in for
	secret []secret
}

func newParser(file string, src []byte, read func(string) ([]byte, error)) *parser {
	p := &parser{source: newSource(file, src), read: read}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		p.at = len("\ufeff") // as editors put it there
	}
	return p
}

// MaxErrors is how many errors of a script are told at most.
const MaxErrors = 20

// script reads all statements. What is wrong in one does not hide what is wrong in
// the others.
func (p *parser) script() (steps []*Step) {
	if wrong := p.otherEncoding(); wrong != nil {
		p.wrong = append(p.wrong, wrong)
		return nil
	}
	for p.at < len(p.text) && len(p.wrong) < MaxErrors {
		start := p.at
		step, wrong := p.line()
		if wrong == nil && step != nil {
			wrong = p.notUTF8(start, step)
		}
		switch {
		case wrong != nil:
			p.wrong = append(p.wrong, wrong)
			if wrong.Open {
				return steps
			}
		case step != nil:
			steps = append(steps, step)
		}
		if p.at < len(p.text) && p.text[p.at] == '\n' {
			p.at++
			continue
		}
		_, p.at = p.lineEnd()
	}
	return steps
}

// line reads the statement of a line, if there is any, up to the line's end.
func (p *parser) line() (*Step, *SyntaxError) {
	if c := p.peek(0); c == '{' || c == '[' {
		return p.statement(true)
	}
	p.skipBlanks()
	if p.done() {
		return nil, nil
	}
	return p.statement(false)
}

// statement reads a statement to its end. Behind a prefix, and at the beginning of
// a line, a bracket begins a raw line.
func (p *parser) statement(raw bool) (*Step, *SyntaxError) {
	step := &Step{Pos: p.pos(p.at)}
	start := p.at
	if wrong := p.prefixed(step, raw); wrong != nil {
		return nil, wrong
	}
	if step.Raw != nil {
		step.Source = string(p.text[start:p.at])
		return step, nil
	}
	step.Source = strings.TrimRight(p.shownSource(start), " \t\r\n")
	p.skipBlanks()
	if !p.done() {
		return nil, p.expectedAt(p.at, "the end of the line", p.found())
	}
	return step, nil
}

// prefixed reads ! and -, and what is behind them.
func (p *parser) prefixed(step *Step, raw bool) *SyntaxError {
	switch c := p.peek(0); {
	case c == '!':
		step.Want = Failure
		p.at++
	case c == '-' && (p.at+1 == len(p.text) || isBlank(p.peek(1)) || p.peek(1) == '\n'):
		step.Want = Any
		p.at++
	default:
		return p.body(step, raw)
	}
	p.skipBlanks()
	if p.done() {
		return p.expected("a step")
	}
	if c := p.peek(0); c == '!' || c == '-' {
		return p.expected("a step").advised("! and - stand once before a step")
	}
	if wrong := p.body(step, true); wrong != nil || step.Raw != nil {
		return wrong
	}
	if p.skipBlanks(); p.patternOf(step)() {
		return p.pattern(step)
	}
	return nil
}

// body reads a statement without what may stand before it.
func (p *parser) body(step *Step, raw bool) *SyntaxError {
	switch c := p.peek(0); {
	case (c == '{' || c == '[') && raw:
		return p.rawLine(step)
	case c == '{' || c == '[':
		wrong := p.expected("a command")
		wrong.Advice = "a raw line begins at the first column, or with raw"
		return wrong
	case p.isExpression():
		step.Verb = valueCommand
		return p.expressionTo(step, p.patternOf(step))
	}
	at := p.at
	word := p.verb()
	c, ok := typedCommand(word)
	switch {
	case !ok || !p.wordOver():
		p.at = at
		return p.unknown()
	case c.Typed && !p.typed:
		p.at = at
		wrong := p.expected("a command")
		wrong.Advice = word + " is only for lines that somebody types"
		return wrong
	}
	step.Verb = c
	return p.behind(step)
}

// behind reads what is behind a verb.
func (p *parser) behind(step *Step) *SyntaxError {
	if step.Verb.Name == "raw" {
		if isBlank(p.peek(0)) && p.peek(0) != '\r' {
			p.at++
		}
		return p.rawLine(step)
	}
	p.skipBlanks()
	switch step.Verb.Name {
	case "let":
		return p.let(step)
	case "for":
		return p.each(step)
	case "expect":
		return p.expect(step)
	case "include":
		return p.include(step)
	case "echo":
		return p.restOfLine(step, true)
	case "set":
		return p.set(step)
	}
	return p.words(step)
}

// verb reads the letters that a statement begins with.
func (p *parser) verb() string {
	start := p.at
	for p.at < len(p.text) && isNameByte(p.text[p.at]) {
		p.at++
	}
	return string(p.text[start:p.at])
}

// unknown is the error of a statement that begins with no command.
func (p *parser) unknown() *SyntaxError {
	wrong := p.expected("a command")
	wrong.Near = near.Best(wrong.Found, commandNames(p.typed))
	if wrong.Near == "" {
		wrong.Advice = "the commands are " + strings.Join(commandNames(p.typed), ", ")
	}
	return wrong
}

// rawLine takes the exact bytes to the end of the line.
func (p *parser) rawLine(step *Step) *SyntaxError {
	end, _ := p.lineEnd()
	end = max(end, p.at) // the blank behind raw may be the carriage return's neighbour
	step.Verb, step.Raw = byName["raw"], slices.Clone(p.text[p.at:end])
	if step.Raw == nil {
		step.Raw = []byte{}
	}
	p.at = end
	return nil
}

// isExpression reports whether an expression begins here and not a word.
func (p *parser) isExpression() bool {
	return p.peek(0) == '$' && !p.braced() || p.peek(0) == '(' || bytes.HasPrefix(p.rest(), []byte("duration("))
}

// expressionTo reads an expression to where stop says, or to the end of the line.
func (p *parser) expressionTo(step *Step, stop func() bool) *SyntaxError {
	e, wrong := p.expr(stop)
	step.Expr = e
	return wrong
}

// expr reads an expression to where stop says outside of brackets and strings, or
// to the end of the line.
func (p *parser) expr(stop func() bool) (*Expr, *SyntaxError) {
	start := p.at
	wrong := p.expression(func() bool { return p.comment() || stop != nil && stop() })
	if wrong != nil {
		return nil, wrong
	}
	src := strings.TrimRight(string(p.text[start:p.at]), " \t\r")
	if src == "" {
		return nil, p.expectedAt(start, "an expression such as $x.path", p.found())
	}
	return newExpr(src, p.pos(start))
}

// include parses another file in the place of its statement.
func (p *parser) include(step *Step) *SyntaxError {
	if step.Want != Success {
		return &SyntaxError{Pos: step.Pos, Expected: "include without ! or -", Found: "it behind one", Advice: "they stand before the steps of that file"}
	}
	at := p.at
	if wrong := p.words(step); wrong != nil {
		return wrong
	}
	word := step.Words[0]
	if len(word.Parts) != 1 || word.Parts[0].Expr != nil {
		return &SyntaxError{Pos: word.Pos, Expected: "a file's name", Found: shown(word.Source),
			Advice: "files are included before the script runs: their names cannot come from variables"}
	}
	path := word.Parts[0].Text
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(p.file), path)
	}
	within := append(slices.Clone(p.within), filepath.Clean(p.file))
	if slices.Contains(within, path) {
		return &SyntaxError{Pos: p.pos(at), Expected: "a file that does not include this one", Found: shown(path),
			Advice: "the chain is " + strings.Join(append(within, path), " → ")}
	}
	src, err := p.read(path)
	if err != nil {
		return &SyntaxError{Pos: p.pos(at), Err: unreadable(path, err)}
	}
	inner := newParser(path, src, p.read)
	inner.within = within
	step.Body = inner.script()
	if len(inner.wrong) > 0 {
		p.wrong = append(p.wrong, inner.wrong[1:]...)
		first := *inner.wrong[0]
		first.Open = false
		return &first
	}
	return nil
}
