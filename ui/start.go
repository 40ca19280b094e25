package ui

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history"
	"parley/ui/theme"
	"parley/ui/widget"
)

// choiceKind says what a row of the start screen begins.
type choiceKind uint8

const (
	headingRow choiceKind = iota // a title between the rows; nothing to open
	demoRow
	serverRow
	sessionRow
)

type choice struct {
	kind    choiceKind
	text    string
	file    bool // of a heading: it names the file of the servers below it
	server  Server
	session history.SessionInfo
}

// key tells rows apart.
func (c choice) key() string {
	return string(rune('0'+c.kind)) + c.text + c.server.Name + c.session.Path
}

// startScreen offers the configured servers, the recent sessions and the demo.
type startScreen struct {
	desk   *desk
	start  *Start
	list   *widget.List[string]
	rows   []choice
	filter string
}

func newStartScreen(d *desk, s *Start) *startScreen {
	x := &startScreen{desk: d, start: s}
	x.rows = append(x.rows, choice{kind: headingRow, text: "try it"}, choice{kind: demoRow, text: "demo"})
	x.rows = append(x.rows, choice{kind: headingRow, text: "configured servers"})
	several := len(s.Servers) > 0 && s.Servers[0].File != s.Servers[len(s.Servers)-1].File
	for i, v := range s.Servers {
		if several && (i == 0 || s.Servers[i-1].File != v.File) {
			x.rows = append(x.rows, choice{kind: headingRow, text: "  " + v.File, file: true})
		}
		x.rows = append(x.rows, choice{kind: serverRow, server: v})
	}
	x.rows = append(x.rows, choice{kind: headingRow, text: "recent sessions"})
	for _, v := range s.Sessions {
		x.rows = append(x.rows, choice{kind: sessionRow, session: v})
	}
	x.list = widget.NewList[string](x, d.keys.Start.Move, d.st)
	x.list.SetFocused(true)
	x.list.Select(x.rows[1].key())
	x.list.Empty = []theme.Text{"nothing matches", "esc drops the filter"}
	return x
}

// Len implements widget.Records.
func (x *startScreen) Len() int { return len(x.rows) }

// Key implements widget.Records.
func (x *startScreen) Key(i int) string { return x.rows[i].key() }

// Draw implements widget.Records.
func (x *startScreen) Draw(row *theme.Row, i int, _ widget.RowState) {
	st, c := x.desk.st, x.rows[i]
	switch c.kind {
	case headingRow:
		if c.file {
			row.Add(st.Faint, theme.SafeCut(c.text, row.Rest()))
			return
		}
		row.Add(st.Muted, theme.Text(c.text))
		switch {
		case c.text == "configured servers" && x.start.Problem != "":
			row.Add(st.Error, theme.Safe("  ✗ "+x.start.Problem))
		case c.text == "configured servers" && len(x.start.Servers) == 0:
			row.Add(st.Faint, "  none: put an mcpServers file into .mcp.json, or run  parley COMMAND …")
		case c.text == "recent sessions" && len(x.start.Sessions) == 0:
			row.Add(st.Faint, "  none yet")
		}
	case demoRow:
		row.AddCol(st.Text, "  demo", nameWidth)
		row.Add(st.Muted, "the embedded server: every kind of tool, resource and prompt")
	case serverRow:
		mark, style := theme.Text("● "), st.OK
		about := c.server.Command
		if c.server.Problem != "" {
			mark, style, about = "✗ ", st.Error, c.server.Problem
		}
		row.Add(style, mark)
		row.AddCol(st.Text, theme.SafeCut(c.server.Name, nameWidth-3), nameWidth-2)
		row.Add(st.Muted, theme.SafeCut(about, row.Rest()))
	case sessionRow:
		s := c.session
		row.AddCol(st.Text, theme.SafeCut("  "+firstOf(s.Target.Name, s.Name), nameWidth-1), nameWidth)
		row.Add(st.Muted, theme.Text(s.Started.Local().Format("2006-01-02 15:04")))
		row.AddRight(st.Muted, theme.Text(size(s.Size)), 10)
		row.Gap(2)
		row.Add(st.Faint, theme.SafeCut(strings.TrimSuffix(filepath.Base(s.Path), ".jsonl"), row.Rest()))
	}
}

// setFilter shows only the rows that have the words.
func (x *startScreen) setFilter(filter string) {
	x.filter = filter
	words := strings.Fields(strings.ToLower(filter))
	if len(words) == 0 {
		x.list.ClearFilter()
		return
	}
	hits := []int{}
	for i, c := range x.rows {
		if c.kind == headingRow {
			continue
		}
		hay := strings.ToLower(strings.Join([]string{c.text, c.server.Name, c.server.Command, c.session.Name, c.session.Target.String()}, "\n"))
		all := true
		for _, w := range words {
			all = all && strings.Contains(hay, w)
		}
		if all {
			hits = append(hits, i)
		}
	}
	x.list.SetFilter(hits)
}

// update moves, and steps over headings.
func (x *startScreen) update(msg tea.Msg) bool {
	_, before, _ := x.list.Selected()
	if !x.list.Update(msg) {
		return false
	}
	_, now, ok := x.list.Selected()
	if ok && x.rows[now].kind == headingRow {
		step := 1
		if now < before && now > 0 {
			step = -1
		}
		for now+step > 0 && now+step < len(x.rows) && x.rows[now].kind == headingRow {
			now += step
		}
		if x.rows[now].kind == headingRow {
			now = before
		}
		x.list.Select(x.rows[now].key())
	}
	return true
}

func (x *startScreen) selected() (choice, bool) {
	_, i, ok := x.list.Selected()
	if !ok || x.rows[i].kind == headingRow {
		return choice{}, false
	}
	return x.rows[i], true
}
