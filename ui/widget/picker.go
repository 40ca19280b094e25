package widget

import (
	"strconv"
	"unicode/utf8"

	"parley/ui/theme"
)

// Option is a row of a [Picker].
type Option struct {
	Label theme.Text // what is chosen
	Hits  []int      // of the label, the bytes that were typed, ascending
	Info  theme.Text // what it is, muted
	Right theme.Text // at the right end: its key
	Off   bool       // it cannot be chosen now; Info says why
}

// Picker is a list of options above a line that is typed into. It holds no
// options: it asks for those that show.
type Picker struct {
	// Title stands on the rule above the options.
	Title theme.Text

	styles *theme.Styles
	option func(i int) Option
	n      int
	at     int // the chosen option; -1 for none
	from   int // the first that shows
	rows   int // so many were shown last
	column int // width of the labels: it only grows, so that nothing jumps
}

// NewPicker returns an empty picker.
func NewPicker(st *theme.Styles) *Picker { return &Picker{styles: st, at: -1} }

// Set gives the picker n options and chooses one, -1 for none.
func (p *Picker) Set(n, at int, option func(i int) Option) {
	p.n, p.option, p.from, p.column = n, option, 0, 0
	p.Choose(at)
}

// Len is the number of options.
func (p *Picker) Len() int { return p.n }

// At is the chosen option, -1 for none.
func (p *Picker) At() int { return p.at }

// Choose chooses an option, -1 for none.
func (p *Picker) Choose(i int) { p.at = max(-1, min(i, p.n-1)) }

// Step goes so many options on; behind the last comes the first, before the
// first the last.
func (p *Picker) Step(by int) {
	switch {
	case p.n == 0:
	case p.at < 0 && by < 0:
		p.at = p.n - 1
	case p.at < 0:
		p.at = 0
	default:
		p.at = ((p.at+by)%p.n + p.n) % p.n
	}
}

// Page goes so many screens on, and stops at the ends.
func (p *Picker) Page(by int) {
	if p.n > 0 {
		p.at = max(0, min(max(0, p.at)+by*max(1, p.rows-1), p.n-1))
	}
}

// RowAt is the option that the row shows which is y under the rule, -1 if none
// does.
func (p *Picker) RowAt(y int) int {
	if y < 1 || y > p.rows {
		return -1
	}
	return p.from + y - 1
}

// Rows draws the rule and the options under it: at most h rows of w cells, none
// if there is no option.
func (p *Picker) Rows(w, h int) []string {
	p.rows = min(h-1, p.n)
	if p.rows <= 0 || w <= 0 {
		return nil
	}
	if p.at >= 0 {
		p.from = max(p.at-p.rows+1, min(p.from, p.at))
	}
	p.from = max(0, min(p.from, p.n-p.rows))
	out := []string{p.head(w)}
	shown := make([]Option, p.rows)
	for i := range shown {
		shown[i] = p.option(p.from + i)
		p.column = max(p.column, theme.Width(shown[i].Label))
	}
	for i := range shown {
		out = append(out, p.row(&shown[i], w, p.from+i == p.at))
	}
	return out
}

// head is the rule above the options, with what is not seen.
func (p *Picker) head(w int) string {
	rule := Rule{Title: p.Title, Count: p.n}
	if p.n > p.rows && p.at >= 0 {
		rule.Right = []Part{{Text: theme.Text(strconv.Itoa(p.at+1) + " of " + strconv.Itoa(p.n)), Style: p.styles.Muted}}
	}
	return rule.View(w, p.styles)
}

func (p *Picker) row(o *Option, w int, chosen bool) string {
	st := p.styles
	base := theme.Style{}
	if chosen {
		base = st.Selection
	}
	row := theme.NewRow(w, base)
	if chosen {
		row.Add(st.Accent, " ▌")
	} else {
		row.Gap(2)
	}
	label := theme.Line{}
	style := st.Text
	if o.Off {
		style = st.Faint
	}
	at := 0
	for _, hit := range o.Hits {
		for hit > 0 && hit < len(o.Label) && !utf8.RuneStart(o.Label[hit]) {
			hit--
		}
		if hit < at || hit >= len(o.Label) {
			continue
		}
		_, n := utf8.DecodeRuneInString(string(o.Label[hit:]))
		label.Add(style, o.Label[at:hit])
		label.Add(st.Accent, o.Label[hit:hit+n])
		at = hit + n
	}
	label.Add(style, o.Label[at:])
	right := 0
	if o.Right != "" {
		right = theme.Width(o.Right) + 3
	}
	room := max(0, row.Rest()-right)
	if width := theme.Width(label.Text); width > room { // never at the cost of the key
		cut := theme.Cut(label.Text, room)
		row.Add(style, cut)
	} else {
		row.AddLine(&label, 0)
	}
	row.To(min(2+p.column, w*3/5))
	if info := w - right - row.X() - 2; o.Info != "" && info > minInfo {
		row.Gap(2)
		info := theme.Cut(o.Info, info)
		if o.Off {
			row.Add(st.Warn, info)
		} else {
			row.Add(st.Muted, info)
		}
	}
	row.AddEnd(st.Key, o.Right+" ", 1)
	return row.String()
}

// minInfo is the room under which what an option is for is left out.
const minInfo = 8
