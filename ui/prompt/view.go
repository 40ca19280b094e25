package prompt

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/theme"
)

const (
	// quietFor is how long something runs before the frame says so.
	quietFor = 300 * time.Millisecond
	// exactFor is how long tenths of a second are told.
	exactFor = 10 * time.Second
	// mostChoices is how many completions show at a time.
	mostChoices = 8
	// leastHint is how many cells a hint needs to be of use.
	leastHint = 12
)

// View implements [tea.Model]. What it returns is for tests: the screen draws
// the same frame by itself.
func (m *model) View() tea.View {
	f := m.frame()
	v := tea.NewView(strings.Join(f.rows, "\n"))
	v.Cursor = tea.NewCursor(f.x, f.y)
	return v
}

// frame draws the line being typed and what is to be said about it. No row is
// as wide as the terminal: the cursor never stands behind its edge.
func (m *model) frame() frame {
	if m.w == 0 || m.ended {
		return frame{}
	}
	w, most := max(1, m.w-1), max(1, m.h-1)
	f := m.typed(w, max(1, min(most, m.h/2)))
	var rest []*row
	switch {
	case m.search != nil:
		rest = m.searchRows(w)
	case m.choice != nil:
		rest = m.choiceRows(w, min(mostChoices, most-len(f.rows)))
	}
	if m.notice != "" {
		rest = append(rest, m.said(w, m.notice))
	}
	if text := m.running(); text != "" {
		rest = append(rest, m.said(w, text))
	}
	for _, r := range rest {
		if len(f.rows) == most {
			break
		}
		f.put(r)
	}
	return f
}

func (f *frame) put(r *row) {
	f.rows = append(f.rows, r.text.String())
	f.wide = append(f.wide, r.x)
}

func (m *model) said(w int, text theme.Text) *row {
	r := &row{w: w}
	r.add(m.st.Muted, text)
	return r
}

// more stands before the further rows of a line that has several.
func more(label theme.Text) theme.Text {
	n := max(2, theme.Width(label))
	return theme.Text(theme.Spaces(n-2)) + "… "
}

// piece is a part of the line that takes one row.
type piece struct {
	label, text theme.Text
	cursor      int // the cell of the cursor; -1 if it is elsewhere
}

// typed draws the line, folded at the edge, in at most so many rows around the
// cursor.
func (m *model) typed(w, most int) (f frame) {
	label := m.opt.Label
	if q := m.question(); q != nil {
		label = q.label
	}
	pieces := fold(label, m.line.Text(), m.line.At(), w)
	at := 0
	for i := range pieces {
		if pieces[i].cursor >= 0 {
			at = i
		}
	}
	first := max(0, min(at-most+1, len(pieces)-most))
	if at < first {
		first = at
	}
	last := min(len(pieces), first+most)
	for i, p := range pieces[first:last] {
		r := &row{w: w}
		r.add(m.st.Accent, p.label)
		r.add(m.st.Text, p.text)
		if first+i == len(pieces)-1 {
			m.addHint(r)
		}
		f.put(r)
	}
	f.x, f.y = min(pieces[at].cursor, w), at-first
	return f
}

// addHint puts a word about the line behind it, if there is room for one.
func (m *model) addHint(r *row) {
	text := m.line.Text()
	if m.opt.Hint == nil || m.question() != nil || m.search != nil || text == "" || r.w-r.x < leastHint {
		return
	}
	if lines, open := m.split(text); !open && len(lines) > 1 {
		m.hint = hint{text, theme.Text(strconv.Itoa(len(lines))) + " lines: enter runs them one by one"}
	} else if open {
		m.hint = hint{text, "goes on in the next line"}
	} else if m.hint.line != text {
		m.hint = hint{text, m.opt.Hint(text)}
	}
	if m.hint.text != "" {
		r.add(m.st.Muted, "  "+m.hint.text)
	}
}

// fold parts a line into rows of w cells.
func fold(label theme.Text, text string, at, w int) (pieces []piece) {
	start := 0
	for i, l := range strings.Split(text, "\n") {
		head := theme.Cut(label, w/2)
		if i > 0 {
			head = theme.Cut(more(label), w/2)
		}
		cursor := -1 // in bytes of what shows
		safe := theme.Safe(l)
		if at >= start && at <= start+len(l) {
			cursor = min(len(safe), len(theme.Safe(l[:at-start])))
		}
		pieces = foldLine(pieces, head, safe, cursor, w)
		start += len(l) + 1
	}
	return pieces
}

func foldLine(pieces []piece, head, text theme.Text, cursor, w int) []piece {
	for {
		p := piece{label: head, cursor: -1}
		n, _ := theme.Fit(text, max(1, w-theme.Width(head)))
		p.text = text[:n]
		end := n == len(text)
		if cursor >= 0 && (cursor < n || end) {
			p.cursor = theme.Width(head) + theme.Width(text[:cursor])
		}
		pieces = append(pieces, p)
		if end {
			return pieces
		}
		if cursor >= 0 && p.cursor < 0 {
			cursor -= n
		} else {
			cursor = -1
		}
		text, head = text[n:], ""
	}
}

// running says what runs, once it takes a while.
func (m *model) running() theme.Text {
	if m.job == nil || m.question() != nil {
		return ""
	}
	took := m.now().Sub(m.job.began)
	if took < quietFor {
		return ""
	}
	text := theme.SafeCut(m.job.what, max(10, m.w/3)) + theme.Text(fmt.Sprintf(" · %.0f s", took.Seconds()))
	if took < exactFor {
		text = theme.SafeCut(m.job.what, max(10, m.w/3)) + theme.Text(fmt.Sprintf(" · %.1f s", took.Seconds()))
	}
	if m.job.stopped {
		text += " · stopping"
	} else {
		text += " · ctrl+c stops it"
	}
	switch n := len(m.queue); {
	case n == 1:
		text += " · 1 line waits"
	case n > 1:
		text += theme.Text(fmt.Sprintf(" · %d lines wait", n))
	}
	return text
}

// searchRows say what is looked for.
func (m *model) searchRows(w int) []*row {
	r := &row{w: w}
	r.add(m.st.Muted, "search: ")
	r.add(m.st.Text, theme.Safe(m.search.query))
	r.add(m.st.Muted, "  ctrl+r older · enter runs · tab takes · esc back")
	return []*row{r}
}

// choiceRows list what the word may be.
func (m *model) choiceRows(w, most int) (rows []*row) {
	c := m.choice
	if most < 1 {
		return nil
	}
	first, over := 0, len(c.list) > most
	if over {
		most = max(1, most-1) // for the count
		first = max(0, min(c.at-most/2, len(c.list)-most))
	}
	col := 0
	last := min(len(c.list), first+most)
	for _, l := range c.list[first:last] {
		col = max(col, min(theme.Width(theme.Safe(l.Label)), w/2))
	}
	for i, l := range c.list[first:last] {
		r := &row{w: w}
		mark, st := theme.Text("  "), m.st.Text
		if first+i == c.at {
			mark, st = "▌ ", m.st.Selection
		}
		r.add(m.st.Accent, mark)
		r.add(st, theme.Pad(theme.SafeCut(l.Label, col), col))
		if l.Info != "" {
			r.add(m.st.Muted, "  "+theme.SafeCut(l.Info, w))
		}
		rows = append(rows, r)
	}
	if over {
		rows = append(rows, m.said(w, theme.Text(fmt.Sprintf("  %d–%d of %d", first+1, last, len(c.list)))))
	}
	return rows
}
