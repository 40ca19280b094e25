package cli

import (
	"strings"

	"parley/ui/theme"
)

// table lays rows of three columns out for a terminal: a name, which is never
// cut, a summary, and a description, which takes what is left of the width.
type table struct {
	width, height int // of the terminal; 0 where unknown
	looks         looks
	rows          []tableRow
}

// looks are the styles of what is printed for people; the zero value is plain.
type looks struct{ name, muted, problem, struck theme.Style }

// looks are those for standard output.
func (a *app) looks() looks {
	if !a.io.Color {
		return looks{}
	}
	s := theme.New(true) // what is taken of it is the same on a light background
	return looks{s.Text.Bold(), s.Muted, s.Warn, s.Muted.Strike()}
}

type tableRow struct {
	name, summary theme.Text
	// text is the description, lines of it as they are; it begins with a problem
	// where there is one.
	text    string
	problem bool
	struck  bool // the name is struck out
}

// How a table uses its width, in cells.
const (
	usualWidth  = 80
	columnGap   = 2
	leastText   = 16 // a description column narrower than that is none
	namePercent = 40
)

// String draws the table. Descriptions are wrapped if all of it then fits on the
// screen, else each row is a line, cut.
func (t *table) String() string {
	if t.width <= 0 {
		t.width = usualWidth
	}
	names, summaries := t.columns()
	var wrapped strings.Builder
	lines := 0
	for i := range t.rows {
		lines += t.row(&wrapped, &t.rows[i], names, summaries, true)
	}
	if lines < t.height {
		return wrapped.String()
	}
	if t.width-names-summaries-2*columnGap < leastText { // there is no room for all of it
		summaries = 0
	}
	var cut strings.Builder
	for i := range t.rows {
		t.row(&cut, &t.rows[i], names, summaries, false)
	}
	return cut.String()
}

// columns decides how wide the first two columns are.
func (t *table) columns() (names, summaries int) {
	limit := max(leastText, t.width*namePercent/100)
	widest, described := 0, false
	for i := range t.rows {
		r := &t.rows[i]
		if n := theme.Width(r.name); n <= limit {
			names = max(names, n)
		}
		widest = max(widest, theme.Width(r.summary))
		described = described || r.text != ""
	}
	if widest == 0 {
		return names, 0
	}
	rest := t.width - names - columnGap
	if !described {
		return names, min(widest, rest)
	}
	return names, max(1, min(widest, (rest-columnGap)/2))
}

// row draws one row and returns how many lines it took. What does not fit beside
// a long name begins under it.
func (t *table) row(b *strings.Builder, r *tableRow, names, summaries int, wrap bool) int {
	at := names + columnGap
	text := t.width - at
	if summaries > 0 {
		text -= summaries + columnGap
	}
	summary, description := []theme.Text{theme.Cut(r.summary, summaries)}, []theme.Text{theme.Cut(theme.Text(first(r.text)), text)}
	if wrap {
		summary, description = wrapText(r.summary, summaries), wrapText(theme.Safe(paragraph(r.text)), text)
	}
	textStyle := theme.Style{}
	if r.problem {
		textStyle = t.looks.problem
	}
	line := t.looks.name.Render(r.name)
	if r.struck {
		line = t.looks.struck.Render(r.name)
	}
	used, lines := theme.Width(r.name), 0
	empty := r.summary == "" && r.text == ""
	if !empty && used > names && used+columnGap+rowWidth(summary, description, summaries) > t.width {
		b.WriteString(line + "\n")
		line, used, lines = "", 0, 1
	}
	for i := range max(1, len(summary), len(description)) {
		s, d := lineAt(summary, i), lineAt(description, i)
		gap := max(columnGap, at-used)
		if s != "" || d != "" {
			line += theme.Spaces(gap) + t.looks.muted.Render(s)
		}
		if d != "" {
			if summaries > 0 {
				line += theme.Spaces(summaries - theme.Width(s) + columnGap)
			}
			line += textStyle.Render(d)
		}
		b.WriteString(line + "\n")
		line, used = "", 0
		lines++
	}
	return lines
}

// rowWidth is the width of the first line behind the name.
func rowWidth(summary, description []theme.Text, summaries int) int {
	d := lineAt(description, 0)
	if d == "" || summaries == 0 {
		return theme.Width(lineAt(summary, 0)) + theme.Width(d)
	}
	return summaries + columnGap + theme.Width(d)
}

func lineAt(lines []theme.Text, i int) theme.Text {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// paragraph is the first paragraph of a text, in one line.
func paragraph(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "\r\n", "\n")
	s, _, _ = strings.Cut(s, "\n\n")
	return strings.Join(strings.Fields(s), " ")
}

// wrapText breaks a text into lines of at most w cells, between words where it can.
func wrapText(t theme.Text, w int) []theme.Text {
	var lines []theme.Text
	for t != "" && w > 0 {
		n, _ := theme.Fit(t, w)
		if n < len(t) && t[n] != ' ' {
			if space := strings.LastIndexByte(string(t[:n]), ' '); space > 0 {
				n = space
			}
		}
		lines = append(lines, theme.Text(strings.TrimRight(string(t[:n]), " ")))
		t = theme.Text(strings.TrimLeft(string(t[n:]), " "))
	}
	return lines
}
