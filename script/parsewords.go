package script

import (
	"fmt"
	"regexp"
	"strings"

	"parley/client/near"
)

// words reads the words and flags of a statement and checks them against its row.
func (p *parser) words(step *Step) *SyntaxError {
	for p.skipBlanks(); !p.done(); p.skipBlanks() {
		if p.patternOf(step)() {
			break
		}
		at := p.at
		w, wrong := p.word(takesValues(step.Verb))
		if wrong != nil {
			return wrong
		}
		if isFlag(step.Verb, w) {
			if wrong := p.flag(step, w, at); wrong != nil {
				return wrong
			}
			continue
		}
		if _, ok := slotOf(step.Verb, len(step.Words)); !ok {
			return p.tooMuch(step, at)
		}
		step.Words = append(step.Words, w)
	}
	if slot, missing := missingSlot(step.Verb, len(step.Words)); missing {
		wrong := p.expected(slotName(slot))
		wrong.Advice = "it is written " + step.Verb.Forms[0]
		return wrong
	}
	return checkWords(&p.source, step)
}

// patternOf gives what reports whether the ~ /pattern/ of a step begins here.
func (p *parser) patternOf(step *Step) func() bool {
	return func() bool {
		if step.Want != Failure || p.peek(0) != '~' || p.at > 0 && !isBlank(p.text[p.at-1]) {
			return false
		}
		i := 1
		for isBlank(p.peek(i)) {
			i++
		}
		return i > 1 && p.peek(i) == '/'
	}
}

// pattern reads ~ /pattern/.
func (p *parser) pattern(step *Step) *SyntaxError {
	p.at++
	p.skipBlanks()
	re, wrong := p.regexp()
	step.Pattern = re
	return wrong
}

// regexp reads /pattern/ with the letters i, m and s behind it.
func (p *parser) regexp() (*regexp.Regexp, *SyntaxError) {
	start := p.at
	var b strings.Builder
	for p.at++; p.peek(0) != '/'; p.at++ {
		if p.lineOver() {
			return nil, p.expectedAt(start, "a closing /", "the end of the line")
		}
		if p.peek(0) == '\\' && !(p.at+1 == len(p.text) || p.peek(1) == '\n') {
			if p.peek(1) != '/' {
				b.WriteByte('\\')
			}
			p.at++
		}
		b.WriteByte(p.peek(0))
	}
	p.at++
	flags := p.verb()
	if bad := strings.Trim(flags, "ims"); bad != "" {
		return nil, p.expectedAt(p.at-len(flags), "i, m or s, or a blank", shown(flags))
	}
	if !p.wordOver() {
		return nil, p.expected("a blank behind the closing /")
	}
	return compileRegexp(b.String(), flags, p.pos(start))
}

func compileRegexp(pattern, flags string, pos Pos) (*regexp.Regexp, *SyntaxError) {
	if flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, &SyntaxError{Pos: pos, Err: fmt.Errorf("pattern %s: %w", shown(pattern), err),
			Advice: "patterns are those of RE2: https://github.com/google/re2/wiki/Syntax"}
	}
	return re, nil
}

// takesValues reports whether words of a command may be key=value.
func takesValues(c *Command) bool {
	for _, s := range c.Words {
		if s.Kind == ArgumentWord {
			return true
		}
	}
	return false
}

// isFlag reports whether a word is a flag. The words of a target keep theirs.
func isFlag(c *Command, w Word) bool {
	if w.Quoted && !strings.Contains(w.Source, "=") || len(w.Parts) == 0 || !strings.HasPrefix(w.Source, "--") {
		return false
	}
	return len(c.Words) == 0 || c.Words[0].Kind != TargetWord
}

// flag reads the value of a flag whose word stands at an offset.
func (p *parser) flag(step *Step, w Word, at int) *SyntaxError {
	name, value, inline := splitFlag(w)
	f, wrong := findFlag(step.Verb, name, p.pos(at))
	if wrong != nil {
		return wrong
	}
	if _, twice := step.Flags[f.Name]; twice {
		return p.expectedAt(at, f.Name+" once", "it again")
	}
	switch {
	case f.Value == "" && inline:
		return p.expectedAt(at, f.Name+" without a value", shown(w.Source))
	case f.Value != "" && !inline:
		if p.skipBlanks(); p.done() {
			return p.expected("what " + f.Name + " takes, " + f.Value)
		}
		if value, wrong = p.word(false); wrong != nil {
			return wrong
		}
	}
	if f.Name == flagJQ.Name {
		if wrong := checkQuery(&p.source, value); wrong != nil {
			return wrong
		}
	}
	if f.Kind == DurationWord {
		if wrong := checkDuration(&p.source, value); wrong != nil {
			return wrong
		}
	}
	if step.Flags == nil {
		step.Flags = map[string]Word{}
	}
	step.Flags[f.Name] = value
	return nil
}

// splitFlag takes --name=value apart.
func splitFlag(w Word) (name string, value Word, inline bool) {
	name, _, inline = strings.Cut(w.Parts[0].Text, "=")
	if !inline {
		return name, Word{}, false
	}
	return name, w.behind(len(name) + 1), true
}

func findFlag(c *Command, name string, pos Pos) (Flag, *SyntaxError) {
	var names []string
	for _, f := range c.Flags {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	wrong := &SyntaxError{Pos: pos, Expected: "a flag of " + c.Name, Found: shown(name), Near: near.Best(name, names)}
	switch {
	case wrong.Near != "":
	case len(names) == 0:
		wrong.Advice = c.Name + " has no flags"
	default:
		wrong.Advice = "its flags are " + strings.Join(names, ", ")
		if takesValues(c) {
			wrong.Advice += "; an argument has no -- before its name"
		}
	}
	return Flag{}, wrong
}

// tooMuch is the error of a word that there is no slot for.
func (p *parser) tooMuch(step *Step, at int) *SyntaxError {
	p.at = at
	wrong := p.expected("the end of the line")
	wrong.Advice = "it is written " + strings.Join(step.Verb.Forms, ", or ")
	if n := len(step.Words); n > 0 {
		if slot, _ := slotOf(step.Verb, n-1); slot.Kind != DurationWord && slot.Kind != JSONWord {
			wrong.Advice += "; a word with blanks stands in quotes"
		}
	}
	return wrong
}

// slotOf is the slot of the word with a number.
func slotOf(c *Command, n int) (Slot, bool) {
	switch k := len(c.Words); {
	case n < k:
		return c.Words[n], true
	case k > 0 && c.Words[k-1].Repeats:
		return c.Words[k-1], true
	}
	return Slot{}, false
}

// missingSlot is the slot that n words leave empty and that needs one.
func missingSlot(c *Command, n int) (Slot, bool) {
	if n < len(c.Words) && !c.Words[n].Optional {
		return c.Words[n], true
	}
	return Slot{}, false
}

// slotName says what a slot takes.
func slotName(s Slot) string {
	what, ok := map[SlotKind]string{
		ToolName: "a tool's name", ArgumentWord: "key=value", ResourceURI: "a resource's URI", SubscribedURI: "a resource's URI", PromptName: "a prompt's name",
		Reference: "a prompt's name or a resource template", ArgumentName: "an argument's name", MethodName: "a method",
		JSONWord: "params as JSON", SettingName: "a setting's name", SettingValue: "a value", FileName: "a file's name",
		DurationWord: "a duration such as 200ms", CommandName: "a command's name", TargetWord: "a target",
	}[s.Kind]
	if !ok {
		return s.Name
	}
	return what
}

// restOfLine reads the rest of the line as one word: blanks as they are, values,
// and, if quotes says so, without the quotes around what stands in them.
func (p *parser) restOfLine(step *Step, quotes bool) *SyntaxError {
	if p.done() {
		return nil
	}
	if p.patternOf(step)() {
		return nil
	}
	l := &wordLexer{source: &p.source}
	start := p.at
	w := Word{Pos: p.pos(start), at: start}
	for {
		switch c := p.peek(0); {
		case (c == '\'' || c == '"') && quotes:
			w.Quoted = true
			if wrong := l.quoted(); wrong != nil {
				return wrong
			}
		case (c == '{' || c == '[') && l.closes():
			if wrong := l.json(); wrong != nil {
				return wrong
			}
		default:
			if _, wrong := l.bare(false); wrong != nil {
				return wrong
			}
		}
		end := p.at
		p.skipBlanks()
		if p.done() || p.patternOf(step)() {
			w.Source = string(p.text[start:end])
			break
		}
		l.text = append(l.text, p.text[end:p.at]...)
	}
	l.flush()
	if w.Parts = l.parts; len(w.Parts) == 0 {
		w.Parts = []Part{{}}
	}
	step.Words = append(step.Words, w)
	return nil
}
