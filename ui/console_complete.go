package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/client/mcp"
	"parley/client/schema"
	"parley/script"
	"parley/ui/layout"
	"parley/ui/theme"
	"parley/ui/widget"
)

// offers are what may stand in the place of a part of the line.
type offers struct {
	typed    string // the line before one was put into it
	at       int    // where the cursor was
	from, to int    // the part of typed that they replace
	list     []script.Completion
}

// completes finds what may stand at the cursor of a line; nil for nothing, and
// for the one word that stands there already.
func completes(line string, at int, src script.Source) *offers {
	from, to, list := script.Complete(line, at, src)
	if len(list) == 0 || from < 0 || from > to || to > len(line) {
		return nil
	}
	if len(list) == 1 && strings.TrimRight(list[0].Text, " ") == line[from:to] {
		return nil
	}
	return &offers{line, at, from, to, list}
}

// show puts the offers into a picker.
func (o *offers) show(p *widget.Picker) {
	p.Title = "tab completes"
	p.Set(len(o.list), -1, func(i int) widget.Option {
		x := o.list[i]
		return widget.Option{Label: theme.SafeCut(firstOf(x.Label, x.Text), maxTitle), Info: theme.SafeCut(firstLine(x.Info), maxTitle)}
	})
}

// with is the line with an offer in it, and where the cursor stands then.
func (o *offers) with(i int) (line string, at int) {
	x := o.list[i].Text
	return o.typed[:o.from] + x + o.typed[o.to:], o.from + len(x)
}

// common is what all offers begin with.
func (o *offers) common() string {
	all := o.list[0].Text
	for i := range o.list[1:] {
		x := o.list[i+1].Text
		n := 0
		for n < len(all) && n < len(x) && all[n] == x[n] {
			n++
		}
		all = all[:n]
	}
	return strings.ToValidUTF8(all, "")
}

// complete lists what completes the line. Asked for by its key, it puts in what
// is certain. It reports whether there is something.
func (c *console) complete(asked bool) bool {
	c.closeOffers()
	line, at := c.line.Text(), c.line.At()
	if line == "" || c.desk.sess == nil {
		return false
	}
	o := completes(line, at, c.source())
	if o == nil {
		return false
	}
	if asked && c.takeCommon(o) {
		return true
	}
	c.offers = o
	o.show(c.picker)
	return true
}

// takeCommon puts in what all offers have more than what was typed; the only
// one there is, whole.
func (c *console) takeCommon(o *offers) bool {
	more := o.common()
	if len(more) <= o.at-o.from || !strings.HasPrefix(more, o.typed[o.from:o.at]) {
		if len(o.list) > 1 {
			return false
		}
		more = o.list[0].Text
	}
	if len(o.list) == 1 && o.to == len(o.typed) && ends(more) {
		more += " "
	}
	c.line.SetText(o.typed)
	c.line.Splice(o.from, o.to, more)
	c.complete(false)
	return true
}

// ends reports whether a word is over when it is completed: behind a value comes
// a blank, behind = the value.
func ends(word string) bool {
	return word != "" && word[0] != '$' && !strings.ContainsRune("=:/.@[{(\"' ", rune(word[len(word)-1]))
}

func (c *console) closeOffers() { c.offers = nil; c.picker.Set(0, -1, nil) }

// pressOffers takes the keys of the list; what it does not take goes to the
// line.
func (c *console) pressOffers(msg tea.KeyPressMsg) bool {
	k, o := c.desk.keys.Choice, c.offers
	switch {
	case key.Matches(msg, k.Take):
		if c.picker.At() < 0 && c.takeCommon(o) {
			return true
		}
		c.choose(1)
	case key.Matches(msg, k.Prev), key.Matches(msg, k.Up):
		c.choose(-1)
	case key.Matches(msg, k.Down):
		c.choose(1)
	case key.Matches(msg, k.Close):
		if c.picker.At() >= 0 {
			c.put(o.typed, o.at)
		}
		c.closeOffers()
	default:
		return false
	}
	return true
}

// choose puts the next offer, or the one before, into the line.
func (c *console) choose(by int) {
	c.picker.Step(by)
	line, at := c.offers.with(c.picker.At())
	c.put(line, at)
}

// put replaces the line, with the cursor at a byte of it.
func (c *console) put(line string, at int) {
	c.line.SetText(line)
	c.line.SetAt(at)
}

// maxOffers is how many completions show at once.
const maxOffers = 8

// place draws the list, right above the line that is typed into.
func (c *console) place(m *Model) (rows []string, at layout.Rect) {
	r := m.at.Rect(layout.Console)
	y := r.Y + r.H - 1
	rows = c.picker.Rows(m.w, min(maxOffers+1, y-1))
	return rows, layout.Rect{X: 0, Y: y - len(rows), W: m.w, H: len(rows)}
}

// source is what completion knows: the catalogue as the screen has it, and the
// variables of the console.
func (c *console) source() script.Source { return source{c} }

type source struct{ c *console }

func (s source) Tools() []mcp.Tool {
	d := s.c.desk
	return d.cat.Tools(d.sess.Log, &d.state)
}

func (s source) Resources() []mcp.Resource {
	d := s.c.desk
	return d.cat.Resources(d.sess.Log, &d.state)
}

func (s source) Templates() []mcp.Template {
	d := s.c.desk
	return d.cat.Templates(d.sess.Log, &d.state)
}

func (s source) Prompts() []mcp.Prompt {
	d := s.c.desk
	return d.cat.Prompts(d.sess.Log, &d.state)
}

func (s source) Servers() []string {
	if s.c.desk.servers == nil {
		return nil
	}
	return s.c.desk.servers()
}

func (s source) Variables() []string {
	if s.c.interp == nil {
		return nil
	}
	return s.c.interp.Vars()
}

func (s source) Value(name string) []byte {
	if s.c.interp == nil {
		return nil
	}
	raw, _ := s.c.interp.Value(name)
	return raw
}

// ghost says behind an argument without a value what it takes.
func (c *console) ghost() theme.Text {
	line := c.line.Text()
	if c.line.At() != len(line) || c.desk.sess == nil {
		return ""
	}
	words := strings.Fields(line)
	if len(words) < 3 || !strings.HasSuffix(line, "=") {
		return ""
	}
	for len(words) > 3 && words[0] != "call" { // behind let x =, ! and -
		words = words[1:]
	}
	if words[0] != "call" {
		return ""
	}
	name := strings.TrimSuffix(strings.TrimSuffix(words[len(words)-1], "="), ":")
	for _, t := range (source{c}).Tools() {
		if t.Name == words[1] {
			return argumentWords(t, name)
		}
	}
	return ""
}

// argumentWords says what an argument of a tool is: its type, whether it has to
// be there, and what it is for.
func argumentWords(t mcp.Tool, name string) theme.Text {
	form, err := schema.Parse(t.InputSchema)
	if err != nil || form == nil {
		return ""
	}
	f, ok := form.Field(name)
	if !ok {
		return theme.SafeCut("  "+t.Name+" has no argument "+name, maxTitle)
	}
	text := "  " + f.Type.String()
	if f.Required {
		text += " *"
	}
	if about := firstOf(firstLine(f.Description), f.Title); about != "" {
		text += "  " + about
	}
	return theme.SafeCut(text, maxGhost)
}

// maxGhost bounds what is said behind an argument, in cells.
const maxGhost = 60
