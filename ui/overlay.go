package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/widget"
)

// overlay stands over the screen and takes all keys until it is done.
type overlay interface {
	press(m *Model, msg tea.KeyPressMsg) (done bool, cmd tea.Cmd)
	// draw gives the rows of a box that is at most w by h cells.
	draw(m *Model, w, h int) []string
}

// boxed puts a border with a title around rows of exactly w cells.
func boxed(st *theme.Styles, title string, rows []string, w int) []string {
	head := theme.SafeCut(title, max(0, w-2))
	fill := w - theme.Width(head) - 1
	out := []string{st.Border.Render("┌─ ") + st.Focus.Render(head) + st.Border.Render(theme.Text(" "+strings.Repeat("─", max(0, fill))+"┐"))}
	side := st.Border.Render("│")
	for _, r := range rows {
		out = append(out, side+" "+r+" "+side)
	}
	return append(out, st.Border.Render(theme.Text("└"+strings.Repeat("─", w+2)+"┘")))
}

// question asks for yes or no.
type question struct {
	title string
	lines []string
	yes   string // what y does, for the box
	then  func(m *Model) tea.Cmd
	stay  func(m *Model) tea.Cmd // on n; may be nil
}

func (q *question) press(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	switch msg.String() {
	case "y", "Y", "enter":
		return true, q.then(m)
	case "n", "N", "esc", "q":
		if q.stay != nil {
			return true, q.stay(m)
		}
		return true, nil
	}
	return false, nil
}

func (q *question) draw(m *Model, w, _ int) []string {
	w = min(w-4, 70)
	var rows []string
	add := func(st theme.Style, s string) {
		r := theme.NewRow(w, theme.Style{})
		r.Add(st, theme.SafeCut(s, w))
		rows = append(rows, r.String())
	}
	for _, l := range q.lines {
		add(m.desk.st.Text, l)
	}
	add(m.desk.st.Text, "")
	add(m.desk.st.Key, "y "+q.yes+"   n stay")
	return boxed(m.desk.st, q.title, rows, w)
}

// card tells something that is too long for the notice line.
type card struct {
	title string
	text  string
}

func (c *card) press(*Model, tea.KeyPressMsg) (bool, tea.Cmd) { return true, nil }

func (c *card) draw(m *Model, w, h int) []string {
	w = min(w-4, 76)
	var rows []string
	for _, line := range theme.SafeLines(c.text) {
		for {
			n, _ := theme.Fit(line, w)
			if cut := strings.LastIndexByte(string(line[:n]), ' '); n < len(line) && cut > w/2 {
				n = cut + 1
			}
			row := theme.NewRow(w, theme.Style{})
			row.Add(m.desk.st.Text, line[:n])
			rows = append(rows, row.String())
			if line = line[n:]; line == "" || len(rows) >= h-3 {
				break
			}
		}
	}
	return boxed(m.desk.st, c.title, rows, w)
}

// menu offers a few things, each under a letter; it opens at once and any
// letter chooses.
type menu struct {
	title   string
	entries []menuEntry
	at      int
}

type menuEntry struct {
	letter string
	text   string
	why    string // why it cannot be done now
	do     func(m *Model) tea.Cmd
}

func (x *menu) press(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	move := m.desk.keys.List.Move
	switch {
	case msg.String() == "esc" || msg.String() == "q":
		return true, nil
	case msg.String() == "enter":
		return x.choose(m, x.at)
	}
	for i, e := range x.entries {
		if msg.String() == e.letter {
			return x.choose(m, i)
		}
	}
	switch {
	case key.Matches(msg, move.Up):
		x.at = max(0, x.at-1)
	case key.Matches(msg, move.Down):
		x.at = min(len(x.entries)-1, x.at+1)
	}
	return false, nil
}

func (x *menu) choose(m *Model, i int) (bool, tea.Cmd) {
	if i >= len(x.entries) {
		return true, nil
	}
	if e := x.entries[i]; e.why != "" {
		m.say(e.why)
		return true, nil
	}
	return true, x.entries[i].do(m)
}

func (x *menu) draw(m *Model, w, _ int) []string {
	st := m.desk.st
	w = min(w-4, 56)
	var rows []string
	for i, e := range x.entries {
		r := theme.NewRow(w, theme.Style{})
		if i == x.at {
			r.Add(st.Accent, "▌")
		} else {
			r.Gap(1)
		}
		style := st.Text
		if e.why != "" {
			style = st.Faint
		}
		r.AddCol(st.Key, theme.Text(e.letter), 3)
		r.Add(style, theme.SafeCut(e.text, w))
		if e.why != "" {
			r.Add(st.Faint, theme.SafeCut("  "+e.why, w))
		}
		rows = append(rows, r.String())
	}
	return boxed(st, x.title, rows, w)
}

// help shows the key table.
type help struct {
	view *widget.Viewer
}

func newHelp(m *Model) *help {
	st := m.desk.st
	tables := m.desk.keys.Active(m.context())
	for _, t := range m.desk.keys.Tables() {
		if !slices.ContainsFunc(tables, func(o keys.Table) bool { return o.Name == t.Name }) {
			tables = append(tables, t)
		}
	}
	text := widget.Help(tables, st)
	k := m.desk.keys.Result
	v := widget.NewViewer(text, widget.ViewerKeys{Move: k.Move, Read: k.Read}, st)
	return &help{view: v}
}

func (x *help) press(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	switch msg.String() {
	case "esc", "q", "?", "f1", "enter":
		return true, nil
	}
	x.view.Update(msg)
	return false, nil
}

func (x *help) draw(m *Model, w, h int) []string {
	w, h = min(w-4, 64), max(1, h-4)
	x.view.SetSize(w, h)
	rows := strings.Split(x.view.View(), "\n")
	from, to, total := x.view.Window()
	title := "keys"
	if to-from < total {
		title = "keys · j k move · esc back"
	}
	return boxed(m.desk.st, title, rows, w)
}
