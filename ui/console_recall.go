package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/theme"
	"parley/ui/widget"
)

// recall looks for an earlier line while its letters are typed. The line that
// was being typed stays as it is until one is taken.
type recall struct {
	field *widget.Field
	hits  []recalled
}

// recalled is an earlier line in which the letters were found.
type recalled struct {
	line string
	hits []int
}

// openRecall begins to look, with what was typed so far as the first letters.
func (c *console) openRecall(m *Model) {
	if len(c.line.History()) == 0 {
		m.say("no line was typed here yet")
		return
	}
	c.closeOffers()
	r := &recall{field: widget.NewField(c.desk.keys.Recall.Edit, c.desk.st)}
	r.field.Hint = "letters of an earlier line"
	r.field.SetFocused(true)
	r.field.SetText(c.line.Text())
	c.recall = r
	c.look()
}

// look finds the lines that have what was typed. The newest stands at the foot,
// right above what is typed, and is chosen.
func (c *console) look() {
	r := c.recall
	q := widget.NewQuery(r.field.Text())
	r.hits = r.hits[:0]
	seen := map[string]bool{}
	all := c.line.History()
	for i := len(all) - 1; i >= 0; i-- {
		line := all[i]
		if seen[line] {
			continue
		}
		seen[line] = true
		if q.Empty() {
			r.hits = append(r.hits, recalled{line: line})
			continue
		}
		if start, end, ok := q.Find(theme.Safe(line), 0); ok {
			x := recalled{line: line}
			for i := start; i < end; i++ {
				x.hits = append(x.hits, i)
			}
			r.hits = append(r.hits, x)
		}
	}
	slices.Reverse(r.hits)
	c.picker.Title = "earlier lines"
	c.picker.Set(len(r.hits), len(r.hits)-1, func(i int) widget.Option {
		return widget.Option{Label: theme.Safe(r.hits[i].line), Hits: r.hits[i].hits}
	})
}

func (c *console) closeRecall() { c.recall = nil; c.picker.Set(0, -1, nil) }

func (c *console) pressRecall(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := c.desk.keys.Recall
	switch {
	case key.Matches(msg, k.Run):
		if c.takeRecalled(m) {
			return true, c.send(m)
		}
	case key.Matches(msg, k.Take):
		if c.takeRecalled(m) && !key.Matches(msg, c.desk.keys.Console.Complete) {
			c.line.Update(msg) // keys that move the cursor move in the line
		}
	case key.Matches(msg, k.Older):
		c.picker.Step(-1)
	case key.Matches(msg, k.Newer):
		c.picker.Step(1)
	case key.Matches(msg, k.Close):
		c.closeRecall()
	default:
		return c.editRecall(msg), nil
	}
	return true, nil
}

// takeRecalled puts the line that was found into the console.
func (c *console) takeRecalled(m *Model) bool {
	at := c.picker.At()
	if at < 0 {
		m.say("no earlier line has this")
		return false
	}
	line := c.recall.hits[at].line
	c.closeRecall()
	c.put(line, len(line))
	return true
}

func (c *console) editRecall(msg tea.Msg) bool {
	if !c.recall.field.Update(msg) {
		return false
	}
	c.look()
	return true
}
