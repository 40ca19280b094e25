package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/script"
	"parley/ui/layout"
	"parley/ui/theme"
	"parley/ui/widget"
)

// palette is a line at the foot with every action and every command above it,
// found by a few letters. A line of the command language runs as it is typed.
type palette struct {
	field   *widget.Field
	picker  *widget.Picker
	entries []entry
	hits    []paletteHit
	offers  *offers // of a line that has begun with a command
	moved   bool    // an entry was chosen, not only found
	step    *script.Step
}

type paletteHit struct {
	entry int
	score int
	hits  []int
}

// openPalette begins with what can be done where the keys are.
func (m *Model) openPalette() {
	p := &palette{
		field:  widget.NewField(m.desk.keys.Palette.Edit, m.desk.st),
		picker: widget.NewPicker(m.desk.st), entries: m.entries(),
	}
	p.field.Prompt = " : "
	p.field.Hint = "letters of an action, or a command"
	if m.paletteDraft != "" {
		p.field.Hint = theme.SafeCut("↑ "+m.paletteDraft, maxTitle)
	}
	p.field.SetFocused(true)
	m.overlay = p
	p.find(m)
}

// find lists what fits what was typed: behind a command and a blank, what
// completes the line; before that, actions and commands.
func (p *palette) find(m *Model) {
	text := p.field.Text()
	p.moved, p.offers = false, nil
	p.step, _ = script.ParseLine(text)
	if word, _, more := strings.Cut(strings.TrimLeft(text, " "), " "); more && m.desk.sess != nil {
		if _, ok := script.Lookup(word); ok || strings.ContainsAny(word[:min(1, len(word))], "!-$") {
			p.offers = completes(text, p.field.At(), m.console.source())
			p.hits = nil
			p.picker.Set(0, -1, nil)
			if p.offers != nil {
				p.offers.show(p.picker)
			}
			return
		}
	}
	p.match(m, text)
}

// match puts the entries that have the letters in order, the best first.
func (p *palette) match(m *Model, text string) {
	p.hits = p.hits[:0]
	for i := range p.entries {
		e := &p.entries[i]
		score, hits, ok := fuzzy(text, e.label)
		if alone := strings.TrimSpace(text); alone != "" && e.key != "" && slices.Contains(strings.Fields(e.key), alone) {
			score, ok = score+hitKey, true
		}
		if !ok {
			if _, _, ok = fuzzy(text, e.label+" "+e.about); !ok {
				continue
			}
			score, hits = aboutOnly, nil
		}
		if text == "" {
			score = 0 // the order of the table
		}
		if e.away {
			score += awayScore
		}
		if e.why(m) != "" {
			score += offScore
		}
		p.hits = append(p.hits, paletteHit{i, score, hits})
	}
	slices.SortStableFunc(p.hits, func(a, b paletteHit) int { return b.score - a.score })
	p.picker.Title = "palette"
	at := 0
	if len(p.hits) == 0 {
		at = -1
	}
	p.picker.Set(len(p.hits), at, func(i int) widget.Option { return p.option(m, i) })
}

// What a match counts that is not one of the label's letters.
const (
	hitKey    = 100
	aboutOnly = -1000
	awayScore = -10
	offScore  = -20
)

func (p *palette) option(m *Model, i int) widget.Option {
	hit := p.hits[i]
	e := &p.entries[hit.entry]
	o := widget.Option{Label: theme.Safe(e.label), Hits: hit.hits, Info: theme.Safe(e.about), Right: theme.Safe(e.key)}
	if why := e.why(m); why != "" {
		o.Off, o.Info = true, theme.SafeCut(why, maxTitle)
	}
	return o
}

func (p *palette) press(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := m.desk.keys.Palette
	switch {
	case key.Matches(msg, k.Take):
		return p.take(m)
	case key.Matches(msg, k.Close):
		m.paletteDraft = p.field.Text()
		return true, nil
	case key.Matches(msg, m.desk.keys.Always.Help):
		m.overlay = newHelp(m)
	case key.Matches(msg, k.Complete):
		p.complete(m)
	case key.Matches(msg, k.Up):
		if p.field.Text() == "" && !p.moved && m.paletteDraft != "" {
			p.set(m, m.paletteDraft)
			return false, nil
		}
		p.choose(-1)
	case key.Matches(msg, k.Down):
		p.choose(1)
	case key.Matches(msg, k.PageUp):
		p.moved = true
		p.picker.Page(-1)
	case key.Matches(msg, k.PageDown):
		p.moved = true
		p.picker.Page(1)
	default:
		p.edit(m, msg)
	}
	return false, nil
}

// edit changes the line.
func (p *palette) edit(m *Model, msg tea.Msg) {
	if p.field.Update(msg) {
		p.find(m)
	}
}

func (p *palette) set(m *Model, text string) {
	p.field.SetText(text)
	p.find(m)
}

// choose goes to the next entry, or puts the next completion into the line.
func (p *palette) choose(by int) {
	p.moved = true
	p.picker.Step(by)
	if p.offers == nil {
		return
	}
	line, at := p.offers.with(p.picker.At())
	p.field.SetText(line)
	p.field.SetAt(at)
	p.step, _ = script.ParseLine(line)
}

// complete puts what was found into the line.
func (p *palette) complete(m *Model) {
	switch at := p.picker.At(); {
	case p.offers != nil:
		if more := p.offers.common(); at < 0 && len(more) > p.offers.at-p.offers.from {
			p.field.SetText(p.offers.typed)
			p.field.Splice(p.offers.from, p.offers.to, more)
			p.find(m)
			return
		}
		p.choose(1)
	case at >= 0 && p.entries[p.hits[at].entry].insert != "":
		p.set(m, p.entries[p.hits[at].entry].insert)
	case at >= 0:
		m.say("enter does it; tab completes commands")
	}
}

// runs reports whether enter runs the line as it was typed.
func (p *palette) runs() bool {
	if p.offers != nil || len(p.hits) == 0 {
		return true
	}
	return p.step != nil && !p.moved
}

// take runs the line if it is one of the command language, else what was found.
func (p *palette) take(m *Model) (bool, tea.Cmd) {
	text := p.field.Text()
	if p.runs() {
		return p.run(m, text)
	}
	e := &p.entries[p.hits[max(0, p.picker.At())].entry]
	if why := e.why(m); why != "" {
		m.say(why)
		return false, nil
	}
	if e.insert != "" {
		p.set(m, e.insert)
		return false, nil
	}
	m.overlay, m.paletteDraft = nil, ""
	return true, e.do(m)
}

// run runs a line as the console does.
func (p *palette) run(m *Model, text string) (bool, tea.Cmd) {
	jobs, why := m.console.read(m, text)
	if why != "" {
		m.say("✗ " + why)
		m.noticeError = true
		return false, nil
	}
	m.overlay, m.paletteDraft = nil, ""
	m.console.keep(text)
	for _, j := range jobs {
		j.loud = true
	}
	return true, m.console.submit(m, jobs...)
}

// place is the foot of the screen, as high as what was found needs.
func (p *palette) place(m *Model) (rows []string, at layout.Rect) {
	most := max(2, min(m.h/2, maxPalette))
	rows = p.picker.Rows(m.w, most+1)
	row := theme.NewRow(m.w, theme.Style{})
	note := theme.Text("enter runs it ")
	switch {
	case p.field.Text() == "":
		note = "tab completes   esc closes "
	case len(p.hits) == 0 && p.offers == nil && p.step == nil:
		note = "nothing has these letters "
	case p.runs():
		note = "enter runs the line "
	}
	p.field.SetSize(max(1, m.w-theme.Width(note)-2), 1)
	p.field.Draw(row)
	row.AddEnd(m.desk.st.Muted, note, 1)
	rows = append(rows, row.String())
	return rows, layout.Rect{X: 0, Y: m.h - len(rows), W: m.w, H: len(rows)}
}

// maxPalette is how many matches show at most.
const maxPalette = 12

// draw implements overlay; the palette has a place of its own.
func (p *palette) draw(*Model, int, int) []string { return nil }

func (p *palette) cursor(m *Model) *tea.Cursor { return moved(p.field.Cursor(), 0, m.h-1) }
