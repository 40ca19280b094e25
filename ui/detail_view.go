package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/widget"
)

func (x *detail) setSize(w, h int) {
	x.w, x.h = w, h
	x.viewer.SetSize(max(0, w-1), x.aboutRows())
	if x.form != nil {
		x.form.SetSize(max(0, w-1), max(0, h-x.aboutRows()-1))
	}
}

func (x *detail) setResultSize(w, h int) { x.result.SetSize(max(0, w-1), h) }

// aboutRows is how many rows what the subject is takes above its form: all it
// needs where there is room, otherwise a quarter.
func (x *detail) aboutRows() int {
	if x.form == nil {
		return x.h
	}
	const chrome = 4 // the description of the chosen field, and the preview
	room := max(1, x.h/4, x.h-1-len(x.sub.form.Fields)-chrome)
	return max(0, min(x.aboutNeeds(), room, x.h-2))
}

// aboutNeeds is how many rows what the subject is would fill, up to a screen.
// It is looked at once for a text and a width: descriptions may be long.
func (x *detail) aboutNeeds() int {
	w := max(1, x.w-1)
	if x.needs.about == x.about && x.needs.w == w {
		return x.needs.rows
	}
	rows := 0
	for i := 0; i < x.about.Lines() && rows < maxAboutRows; i++ {
		_, cells := theme.Fit(x.about.Line(i).Text, w*maxAboutRows)
		rows += 1 + max(0, cells-1)/w
	}
	x.needs.about, x.needs.w, x.needs.rows = x.about, w, min(rows, maxAboutRows)
	return x.needs.rows
}

const (
	maxAboutRows = 200 // higher than screens are
	maxTitle     = 400 // cells of a title that nobody's screen has
)

// view draws what is selected: what it is, and the form with the exact JSON.
func (x *detail) view() string {
	if !x.has && x.desk.problem != nil {
		x.setSize(x.w, x.h)
		return indented(x.viewer.View())
	}
	if !x.has {
		row := theme.NewRow(x.w, theme.Style{})
		row.Gap(1)
		row.Add(x.desk.st.Faint, "nothing is selected")
		return filled([]string{row.String()}, x.w, x.h)
	}
	x.setSize(x.w, x.h)
	var rows []string
	if about := x.aboutRows(); about > 0 {
		rows = strings.Split(indented(x.viewer.View()), "\n")
	}
	if x.form != nil {
		rows = append(rows, theme.Spaces(x.w))
		rows = append(rows, strings.Split(indented(x.form.View()), "\n")...)
	}
	return filled(rows, x.w, x.h)
}

// indented puts a cell before every row of a view that was drawn one cell
// narrower.
func indented(view string) string {
	if view == "" {
		return view
	}
	return " " + strings.ReplaceAll(view, "\n", "\n ")
}

// filled makes rows exactly h rows of w cells.
func filled(rows []string, w, h int) string {
	for len(rows) < h {
		rows = append(rows, theme.Spaces(w))
	}
	return strings.Join(rows[:max(0, h)], "\n")
}

func (x *detail) resultView() string { return indented(x.result.View()) }

func (x *detail) cursor() *tea.Cursor {
	if x.form == nil || x.part != keys.InForm {
		return nil
	}
	return moved(x.form.Cursor(), 1, x.aboutRows()+1)
}

// title names the subject on its rule.
func (x *detail) title() widget.Rule {
	st := x.desk.st
	switch {
	case !x.has && x.desk.problem != nil:
		return widget.Rule{Title: "not connected", Count: -1}
	case !x.has:
		return widget.Rule{Title: "detail", Count: -1}
	}
	rule := widget.Rule{Title: theme.SafeCut(firstOf(x.sub.item.key.name, "(no name)"), maxTitle), Count: -1}
	if x.sub.item.malformed != "" {
		rule.State = []widget.Part{{Text: "▲ malformed", Style: st.Warn}}
	}
	if x.sub.item.excluded != "" {
		rule.State = append(rule.State, widget.Part{Text: "✗ excluded", Style: st.Error})
	}
	if x.warned != nil {
		rule.Right = []widget.Part{{Text: "✗ not sent · ctrl+s sends all the same", Style: st.Error}}
	}
	return rule
}

// resultTitle says on the result's rule how the call went.
func (x *detail) resultTitle() widget.Rule {
	rule := widget.Rule{Title: "result", Count: -1}
	e, ok := x.exchange()
	if !ok {
		return rule
	}
	style, text := x.desk.outcome(e)
	rule.State = []widget.Part{{Text: theme.SafeCut(text, maxTitle), Style: style}}
	if until, ok := x.cached[x.seq()]; ok {
		words := "not sent: cached until " + until.Local().Format("15:04:05") + " · r asks again"
		rule.State = []widget.Part{{Text: theme.Text(words), Style: x.desk.st.Warn}}
	}
	if all := x.calls(); len(all) > 1 {
		if i, found := slices.BinarySearch(all, x.seq()); found {
			rule.Right = []widget.Part{{Text: theme.Text("call " + itoa(int64(i+1)) + " of " + itoa(int64(len(all))) + " [ ]"), Style: x.desk.st.Muted}}
		}
	}
	return rule
}
