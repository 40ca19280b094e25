package ui

import (
	"parley/ui/layout"
	"parley/ui/theme"
	"parley/ui/widget"
)

// rule draws the row that divides panes: the title of the pane below it, and at
// its right end what there is to say about it.
func (m *Model) rule(r layout.Rule) string {
	rule := m.title(r.Pane)
	rule.Joint = r.Joint
	rule.Focused = m.pane() == r.Pane
	return rule.View(r.W, m.desk.st)
}

// title is what a pane's rule says.
func (m *Model) title(p layout.Pane) widget.Rule {
	switch p {
	case layout.List:
		return m.listTitle()
	case layout.Detail:
		return m.detail.title()
	case layout.Result:
		return m.detail.resultTitle()
	case layout.Traffic:
		return m.trafficTitle()
	case layout.Console:
		return widget.Rule{Title: "5 console", Count: -1}
	}
	return m.wide.title()
}

// trafficTitle says which view of the traffic shows and what it leaves out.
func (m *Model) trafficTitle() widget.Rule {
	d, t := m.desk, m.traffic
	rule := widget.Rule{Title: "4 traffic", Count: t.list.Len()}
	switch {
	case t.http && t.lines > 0:
		rule.State = append(rule.State, widget.Part{Text: "HTTP", Style: d.st.Accent})
		rule.Right = append(rule.Right, widget.Part{Text: "h messages only", Style: d.st.Muted})
	case t.lines > 0:
		rule.State = append(rule.State, widget.Part{Text: "JSON-RPC", Style: d.st.Muted})
		rule.Right = append(rule.Right, widget.Part{Text: theme.Text(count(t.lines, "HTTP line", "HTTP lines") + " hidden · h"), Style: d.st.Muted})
	}
	if t.holds != "" {
		rule.State = append(rule.State, widget.Part{Text: theme.SafeCut("/"+t.holds, maxTitle), Style: d.st.Accent})
	}
	if n := len(d.findings); n > 0 {
		rule.Right = append(rule.Right, widget.Part{Text: theme.Text("▲ " + count(n, "finding", "findings")), Style: d.st.Warn})
	}
	if !t.list.Following() && t.list.Len() > 0 {
		rule.Right = append(rule.Right, widget.Part{Text: "G follows", Style: d.st.Muted})
	}
	return rule
}

// listTitle names the three lists with their numbers, the one that shows in a
// style of its own.
func (m *Model) listTitle() widget.Rule {
	st := m.desk.st
	rule := widget.Rule{Count: -1}
	for t := range tabs {
		style := st.Muted
		switch {
		case t == m.cat.tab && m.focus == onList:
			style = st.Focus
		case t == m.cat.tab:
			style = st.Text
		}
		text := itoa(int64(t+1)) + " " + tabNames[t]
		if n := len(m.cat.items[t]); n > 0 || m.cat.listed(t) {
			text += " "
			if m.cat.filter[t] != "" {
				text += itoa(int64(m.cat.lists[t].Len())) + "/"
			}
			text += itoa(int64(n))
		}
		rule.State = append(rule.State, widget.Part{Text: theme.Text(text), Style: style})
	}
	if f := m.cat.filter[m.cat.tab]; f != "" {
		rule.Right = append(rule.Right, widget.Part{Text: theme.SafeCut("/"+f, maxTitle), Style: st.Accent})
	}
	return rule
}
