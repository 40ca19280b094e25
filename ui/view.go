package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/theme"
	"parley/ui/widget"
)

// pane is the layout's name for what has the keys.
func (m *Model) pane() layout.Pane {
	switch m.focus {
	case onDetail:
		if m.detail.context() == keys.InResult {
			return layout.Result
		}
		return layout.Detail
	case onTraffic:
		return layout.Traffic
	case onConsole:
		return layout.Console
	case onWide:
		return layout.Frame
	}
	return layout.List
}

// layout divides the screen anew and tells every pane its size.
func (m *Model) layout() {
	m.result = m.detail.hasResult()
	m.at = layout.New(layout.Args{
		Width: m.w, Height: m.h, Focus: m.pane(), Zoom: m.zoom,
		Console: m.w >= 100 || m.h >= 32, Result: m.result, Frame: m.wide != nil,
	})
	if m.start != nil {
		m.start.list.SetSize(max(0, m.w), max(0, m.h-4))
	}
	size := func(p layout.Pane, set func(w, h int)) {
		r := m.at.Rect(p)
		set(max(0, r.W), max(0, r.H))
	}
	size(layout.List, m.cat.setSize)
	size(layout.Detail, m.detail.setSize)
	size(layout.Result, m.detail.setResultSize)
	size(layout.Traffic, m.traffic.list.SetSize)
}

// View implements [tea.Model].
func (m *Model) View() tea.View {
	if m.behind { // the next look is a moment away
		return m.painted
	}
	v := tea.NewView(m.content())
	v.AltScreen = true
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = "parley"
	if s := m.desk.sess; s != nil {
		v.WindowTitle = "parley " + string(theme.Safe(s.Name))
	}
	v.Cursor = m.cursor()
	m.painted = v
	return v
}

func (m *Model) content() string {
	switch {
	case m.w <= 0 || m.h <= 0:
		return ""
	case m.at.TooSmall:
		return m.tooSmall()
	case m.desk.sess == nil:
		return m.finish(m.startContent())
	}
	blocks := []layout.Block{{Rect: m.at.Header, View: m.header()}, {Rect: m.at.Footer, View: m.footer()}}
	for _, r := range m.at.Rules {
		blocks = append(blocks, layout.Block{Rect: r.Rect, View: m.rule(r)})
	}
	if d := m.at.Divider; !d.Empty() {
		blocks = append(blocks, layout.Block{Rect: d, View: widget.Divider(&m.at, m.desk.st)})
	}
	for _, p := range []layout.Pane{layout.List, layout.Detail, layout.Result, layout.Traffic, layout.Console, layout.Frame} {
		if r := m.at.Rect(p); !r.Empty() {
			blocks = append(blocks, layout.Block{Rect: r, View: m.paneView(p, r)})
		}
	}
	return m.finish(layout.Compose(m.w, m.h, blocks...))
}

func (m *Model) paneView(p layout.Pane, r layout.Rect) string {
	switch p {
	case layout.List:
		return m.cat.list().View()
	case layout.Detail:
		return m.detail.view()
	case layout.Result:
		return m.detail.resultView()
	case layout.Traffic:
		return m.traffic.list.View()
	case layout.Console:
		return m.console.view(r.W, r.H)
	}
	return m.wide.view(r.W, r.H)
}

// finish puts the notice and what stands in front over the screen.
func (m *Model) finish(screen string) string {
	if m.picking() {
		if rows, at := m.console.place(m); len(rows) > 0 {
			screen = layout.Overlay(screen, layout.Block{Rect: at, View: strings.Join(rows, "\n")})
		}
	}
	foot := m.h - 1
	if p, ok := m.overlay.(*palette); ok {
		rows, at := p.place(m)
		screen = layout.Overlay(screen, layout.Block{Rect: at, View: strings.Join(rows, "\n")})
		foot = at.Y
	}
	if m.notice != "" && m.filter == nil {
		y := foot - 1
		if c := m.cursor(); c != nil && c.Y == y {
			y-- // never over the line that is typed into
		}
		rows := m.noticeRows()
		y = max(0, y-len(rows)+1)
		screen = layout.Overlay(screen, layout.Block{Rect: layout.Rect{X: 0, Y: y, W: m.w, H: len(rows)}, View: strings.Join(rows, "\n")})
	}
	if m.overlay == nil {
		return screen
	}
	box := m.overlay.draw(m, m.w, m.h-2)
	if len(box) == 0 {
		return screen
	}
	r := layout.Centre(layout.Rect{X: 0, Y: 1, W: m.w, H: m.h - 2}, lipgloss.Width(box[0]), len(box))
	return layout.Overlay(screen, layout.Block{Rect: r, View: strings.Join(box[:r.H], "\n")})
}

// picking reports whether the console lists something above its line.
func (m *Model) picking() bool {
	return m.focus == onConsole && m.desk.sess != nil && m.console.picker.Len() > 0 && m.at.Shows(layout.Console)
}

// noticeRows are the notice, one row unless it is longer than the screen is wide.
func (m *Model) noticeRows() (rows []string) {
	text, style := m.notice, theme.Style{}
	if m.noticeError {
		style = m.desk.st.Error
		if !strings.HasPrefix(text, "✗") {
			text = "✗ " + text
		}
	}
	for _, part := range widget.Wrap(theme.Safe(text), max(1, m.w-2), maxNotice) {
		row := theme.NewRow(m.w, m.desk.st.Match)
		row.Gap(1)
		row.Add(style, part)
		rows = append(rows, row.String())
	}
	return rows
}

// maxNotice is how many rows a notice may take.
const maxNotice = 3

func (m *Model) tooSmall() string {
	lines := make([]string, m.h)
	for i := range lines {
		lines[i] = theme.Spaces(m.w)
	}
	row := theme.NewRow(m.w, theme.Style{})
	row.Add(m.desk.st.Warn, theme.Text("parley needs "+itoa(layout.MinWidth)+"×"+itoa(layout.MinHeight)+" cells"))
	lines[m.h/2] = row.String()
	return strings.Join(lines, "\n")
}

// footer shows the keys that matter now, or the line that is being typed.
func (m *Model) footer() string {
	row := theme.NewRow(m.w, theme.Style{})
	st := m.desk.st
	if m.filter != nil {
		m.filter.draw(row, st)
		return row.String()
	}
	return widget.Footer(m.footerKeys(), m.w, st)
}

// footerKeys are the keys that matter now: of HTTP where there is some, and of
// resources where those are listed.
func (m *Model) footerKeys() []key.Binding {
	k, c := &m.desk.keys, m.context()
	switch {
	case m.traffic.lines > 0 && (c == keys.InTraffic || c == keys.InFrame):
		return k.FooterHTTP(c)
	case c == keys.InList && m.cat.tab == tabResources && m.desk.sess != nil && m.desk.sess.Live():
		return k.FooterResources()
	}
	return k.Footer(c)
}

// startContent is the screen without a session.
func (m *Model) startContent() string {
	row := theme.NewRow(m.w, theme.Style{})
	row.Add(m.desk.st.Focus, " parley")
	row.Add(m.desk.st.Muted, theme.Safe("   "+m.opt.Version+"   talk to any MCP server"))
	row.AddEnd(m.desk.st.Muted, "? help ", 1)
	body := layout.Rect{X: 0, Y: 2, W: m.w, H: m.h - 4}
	return layout.Compose(m.w, m.h,
		layout.Block{Rect: layout.Rect{X: 0, Y: 0, W: m.w, H: 1}, View: row.String()},
		layout.Block{Rect: layout.Rect{X: 0, Y: 1, W: m.w, H: 1}, View: m.desk.st.Border.Render(theme.Text(strings.Repeat("─", m.w)))},
		layout.Block{Rect: body, View: m.start.list.View()},
		layout.Block{Rect: layout.Rect{X: 0, Y: m.h - 1, W: m.w, H: 1}, View: m.footer()})
}
