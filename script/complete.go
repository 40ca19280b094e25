package script

import (
	"slices"
	"strings"

	"parley/client/mcp"
)

// Source is what completion knows of the world. Everything may be nil.
type Source interface {
	Tools() []mcp.Tool
	Resources() []mcp.Resource
	Templates() []mcp.Template
	Prompts() []mcp.Prompt
	Servers() []string   // configured names
	Variables() []string // without $
	// Value gives the JSON of a variable, which is not changed; nil if there is none.
	Value(name string) []byte
}

// Completion is one thing that could stand there.
type Completion struct {
	Text  string // what to put there
	Label string // what to show for it
	Info  string // more, in a few words: "string, required"
}

// Complete gives what could stand at a byte offset of a typed line, best first:
// Text goes in the place of line[from:to]. src may be nil. Directories are read to
// complete names of files, and nothing else is done.
func Complete(line string, at int, src Source) (from, to int, list []Completion) {
	at = min(max(at, 0), len(line))
	c := completer{line: line, at: at, to: at, src: src}
	c.from = c.at
	if !c.rawLine() {
		c.statement(c.split())
	}
	return c.from, c.to, c.list
}

// completer collects completions for one place.
type completer struct {
	line     string
	at       int
	from, to int
	src      Source
	list     []Completion
	inside   []Completion // those that have what was typed further inside
}

// fragment is a word of an unfinished line: line[from:to].
type fragment struct {
	text string
	from int
}

// rawLine reports whether the line is sent as it is.
func (c *completer) rawLine() bool {
	return c.line != "" && (c.line[0] == '{' || c.line[0] == '[') || strings.HasPrefix(strings.TrimLeft(c.line, " \t!-"), "raw ")
}

// split takes the line before the cursor apart; the last fragment is the one at the
// cursor, empty behind a blank. Quotes and brackets keep blanks.
func (c *completer) split() (words []fragment) {
	start, depth := -1, 0
	var quote byte
	for i := 0; i < c.at; i++ {
		b := c.line[i]
		switch {
		case quote != 0:
			if b == quote {
				quote = 0
			} else if b == '\\' && quote == '"' {
				i++
			}
			continue
		case (b == '"' || b == '\'') && (start < 0 || depth > 0 && b == '"' || c.line[i-1] == '='):
			quote = b
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			depth = max(depth-1, 0)
		case b == '#' && start < 0:
			return nil // a comment has nothing to complete
		case isBlank(b) && depth == 0:
			if start >= 0 {
				words = append(words, fragment{c.line[start:i], start})
			}
			start = -1
			continue
		}
		if start < 0 {
			start = i
		}
	}
	if start < 0 {
		start = c.at
	}
	return append(words, fragment{c.line[start:c.at], start})
}

// statement completes the last of the words of a statement.
func (c *completer) statement(words []fragment) {
	if len(words) == 0 {
		return
	}
	if first := words[0].text; len(words) > 1 {
		switch first {
		case "!", "-":
			c.statement(words[1:])
			return
		case "let":
			c.let(words[1:])
			return
		case "for":
			c.each(words[1:])
			return
		}
	} else if rest, ok := strings.CutPrefix(first, "!"); ok {
		words[0] = fragment{rest, words[0].from + 1}
	}
	last := words[len(words)-1]
	c.from = last.from
	c.to = c.at + strings.IndexAny(c.line[c.at:]+" ", " \t\r\n")
	switch {
	case c.variable(last):
	case len(words) == 1:
		c.commands(last.text)
	default:
		if cmd, ok := typedCommand(words[0].text); ok {
			c.words(cmd, words[1:])
		}
	}
	c.list = append(c.list, c.inside...)
}

// let completes what is behind let.
func (c *completer) let(words []fragment) {
	for i, w := range words[:len(words)-1] {
		if w.text == "=" || i == 0 && strings.HasSuffix(w.text, "=") && !strings.HasSuffix(w.text, ":=") {
			c.statement(words[i+1:])
			return
		}
		if w.text == ":=" {
			c.statement(append([]fragment{{"expect", 0}}, words[i+1:]...))
			return
		}
	}
}

// each completes what is behind for.
func (c *completer) each(words []fragment) {
	for i, w := range words[:len(words)-1] {
		if w.text == ":" || i > 1 && strings.HasSuffix(w.text, ":") {
			c.statement(words[i+1:])
			return
		}
	}
	switch {
	case len(words) > 2:
		c.statement(append([]fragment{{"expect", 0}}, words[len(words)-1]))
	case len(words) == 2:
		c.from = words[1].from
		c.offer(words[1].text, "in", "in", "")
	}
}

// offer adds a completion if it has what was typed, whatever the case: at its
// beginning, or further inside and then behind the others.
func (c *completer) offer(typed, text, label, info string) {
	if n := len(typed); n == 0 || len(label) >= n && strings.EqualFold(label[:n], typed) {
		c.list = append(c.list, Completion{text, label, info})
	} else if n > 1 && strings.Contains(strings.ToLower(label), strings.ToLower(typed)) {
		c.inside = append(c.inside, Completion{text, label, info})
	}
}

// word offers a text as a word, in quotes if it needs them.
func (c *completer) word(typed, text, info string) {
	if quoted, ok := quoteText(text); ok {
		c.offer(strings.TrimLeft(typed, `'"`), quoted, text, info)
	}
}

func (c *completer) commands(typed string) {
	for _, cmd := range commands {
		c.offer(typed, cmd.Name, cmd.Name, cmd.Short)
	}
}

// variable completes the name of a variable, if one is being typed: $na, k=$na or
// ${na; and the path behind it. It reports whether one is.
func (c *completer) variable(w fragment) bool {
	k := strings.LastIndexByte(w.text, '$')
	if k < 0 || strings.HasPrefix(w.text, "'") || strings.Contains(w.text, "='") {
		return false
	}
	braced := strings.HasPrefix(w.text[k+1:], "{")
	name := strings.TrimPrefix(w.text[k+1:], "{")
	if end := strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 || !isNameByte(byte(r)) }); end >= 0 {
		c.path(w, k, name[:end])
		return true
	}
	names := []string{"env"}
	if c.src != nil {
		names = append(c.src.Variables(), names...)
	}
	c.from, c.to = w.from+k, c.at
	for _, n := range slices.Compact(names) {
		text := "$" + n
		if braced {
			text = "${" + n + "}"
		}
		if strings.HasPrefix(n, name) {
			c.list = append(c.list, Completion{Text: text, Label: "$" + n})
		}
	}
	return true
}

// words completes the last word behind a command.
func (c *completer) words(cmd *Command, words []fragment) {
	last := words[len(words)-1]
	given := map[string]bool{}
	var plain []fragment // without flags, and what they take
	for i := 0; i < len(words)-1; i++ {
		w := words[i]
		name, _, inline := strings.Cut(w.text, "=")
		f, wrong := findFlag(cmd, name, Pos{})
		if wrong != nil {
			plain = append(plain, w)
			continue
		}
		given[f.Name] = true
		if f.Value == "" || inline {
			continue
		}
		if i++; i == len(words)-1 {
			c.slot(cmd, f.Kind, nil, last)
			return
		}
	}
	if strings.HasPrefix(last.text, "--") {
		c.flags(cmd, last, given)
		return
	}
	if cmd.Name == "expect" {
		if len(plain) > 0 {
			for _, op := range operatorsAndCount {
				c.offer(last.text, string(op), string(op), "")
			}
		}
		return
	}
	if slot, ok := slotOf(cmd, len(plain)); ok {
		c.slot(cmd, slot.Kind, plain, last)
	}
	if last.text == "" {
		c.flags(cmd, last, given)
	}
}

// flags completes a flag, or behind --name= what that takes.
func (c *completer) flags(cmd *Command, w fragment, given map[string]bool) {
	if name, value, ok := strings.Cut(w.text, "="); ok {
		if f, wrong := findFlag(cmd, name, Pos{}); wrong == nil && f.Value != "" {
			c.from = w.from + len(name) + 1
			c.slot(cmd, f.Kind, nil, fragment{value, c.from})
		}
		return
	}
	for _, f := range cmd.Flags {
		if !given[f.Name] {
			c.offer(w.text, f.Name, f.Name, f.Short)
		}
	}
}
