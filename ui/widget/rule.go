package widget

import (
	"strconv"

	"charm.land/bubbles/v2/key"

	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/theme"
)

// Part is a piece of a rule's title.
type Part struct {
	Text  theme.Text
	Style theme.Style
}

// Rule is the row that divides panes: a line that carries the title of the
// pane below it, what can be said about it, and a text at its right end.
type Rule struct {
	Title   theme.Text
	Focused bool   // the pane has the keys
	Count   int    // shown after the title unless negative
	State   []Part // then, separated by dots
	Right   []Part // left out when there is no room
	Joint   int    // the column at which a divider ends from above; 0 without
}

// View draws the rule w cells wide.
func (r *Rule) View(w int, st *theme.Styles) string {
	row := theme.NewRow(w, theme.Style{})
	r.line(row, st, 1)
	if r.Title != "" || len(r.State) > 0 {
		row.Gap(1)
		r.title(row, st)
		row.Gap(1)
	}
	right := 0
	for _, p := range r.Right {
		right += theme.Width(p.Text) + 3
	}
	if right > 0 && right+2 <= row.Rest() { // " a · b ─"
		r.line(row, st, w-right)
		row.Gap(1)
		parts(row, st, r.Right, false)
		row.Gap(1)
	}
	r.line(row, st, w)
	return row.String()
}

func (r *Rule) title(row *theme.Row, st *theme.Styles) {
	style := st.Text
	if r.Focused {
		style = st.Focus
	}
	row.Add(style, r.Title)
	if r.Count >= 0 {
		row.Gap(1)
		row.Add(st.Muted, theme.Text(strconv.Itoa(r.Count)))
	}
	parts(row, st, r.State, r.Title != "")
}

// parts puts pieces with dots between them, and one before if dot is set.
func parts(row *theme.Row, st *theme.Styles, pieces []Part, dot bool) {
	for _, p := range pieces {
		if dot {
			row.Add(st.Muted, " · ")
		}
		row.Add(p.Style, p.Text)
		dot = true
	}
}

// line draws the rule up to column x.
func (r *Rule) line(row *theme.Row, st *theme.Styles, x int) {
	x = min(x, row.X()+row.Rest())
	if j := r.Joint; j > 0 && j >= row.X() && j < x {
		row.Add(st.Border, dashes(j-row.X()))
		row.Add(st.Border, "┴")
	}
	row.Add(st.Border, dashes(x-row.X()))
}

const rule theme.Text = "────────────────────────────────────────────────────────────────"

func dashes(n int) (t theme.Text) {
	const size = len("─")
	for ; n > len(rule)/size; n -= len(rule) / size {
		t += rule
	}
	return t + rule[:max(0, n)*size]
}

// Divider draws the vertical rule of a layout.
func Divider(l *layout.Layout, st *theme.Styles) string {
	var c canvas
	c.start(l.Divider.W, l.Divider.H)
	for y := range l.Divider.H {
		t := theme.Text("│")
		if y == 0 {
			t = "┬"
		}
		for _, tee := range l.Tees {
			if y == tee {
				t = "├"
			}
		}
		c.next(theme.Style{}).Add(st.Border, t)
		c.end()
	}
	return c.finish()
}

// Footer draws the keys that matter now, in w cells. The last binding is put at
// the right end and stays when others have to go.
func Footer(bindings []key.Binding, w int, st *theme.Styles) string {
	row := theme.NewRow(w, theme.Style{})
	var shown []key.Binding
	for _, b := range bindings {
		if b.Enabled() {
			shown = append(shown, b)
		}
	}
	if len(shown) == 0 {
		return row.String()
	}
	last := shown[len(shown)-1]
	room := w - bindingWidth(last) - 1
	for i, b := range shown[:len(shown)-1] {
		gap := min(1+2*i, 3)
		if row.X()+gap+bindingWidth(b)+3 > room {
			break
		}
		row.Gap(gap)
		addBinding(row, b, st)
	}
	row.To(room)
	addBinding(row, last, st)
	return row.String()
}

func bindingWidth(b key.Binding) int {
	return theme.Width(theme.Text(b.Help().Key)) + 1 + theme.Width(theme.Text(b.Help().Desc))
}

func addBinding(row *theme.Row, b key.Binding, st *theme.Styles) {
	row.Add(st.Key, theme.Text(b.Help().Key))
	row.Gap(1)
	row.Add(st.Muted, theme.Text(b.Help().Desc))
}

// Help makes the lines of a help page from tables of keys.
func Help(tables []keys.Table, st *theme.Styles) Static {
	var lines Static
	for i, t := range tables {
		if i > 0 {
			lines = append(lines, theme.Line{})
		}
		var head theme.Line
		head.Add(st.Focus, theme.Text(t.Name))
		head.Add(st.Muted, theme.Text("  "+t.About))
		lines = append(lines, head)
		for _, b := range t.Bindings {
			var l theme.Line
			l.Add(st.Key, theme.Pad(theme.Text("  "+b.Help().Key), 16))
			l.Add(st.Text, theme.Text(b.Help().Desc))
			lines = append(lines, l)
		}
	}
	return lines
}
