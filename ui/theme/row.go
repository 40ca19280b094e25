package theme

import "bytes"

// Row builds one row of the screen that is exactly as wide as it was asked to
// be: what does not fit is cut with …, what is missing is filled with spaces.
// The zero value has no width; [Row.Reset] gives it one.
type Row struct {
	out  bytes.Buffer
	base Style
	w, x int
}

// NewRow returns an empty row of w cells in style base.
func NewRow(w int, base Style) *Row {
	r := new(Row)
	r.Reset(w, base)
	return r
}

// Reset empties the row and gives it a width and a style that lies under
// everything put on it.
func (r *Row) Reset(w int, base Style) {
	r.out.Reset()
	r.base, r.w, r.x = base, max(0, w), 0
}

// Rest is the number of cells still free.
func (r *Row) Rest() int { return r.w - r.x }

// X is the cell at which the next text begins.
func (r *Row) X() int { return r.x }

// Add puts t at the end of what is there.
func (r *Row) Add(st Style, t Text) {
	t = Cut(t, r.Rest())
	r.put(st, t, Width(t))
}

// AddCol puts t into a column of exactly w cells, text to the left.
func (r *Row) AddCol(st Style, t Text, w int) {
	w = min(w, r.Rest())
	end := r.x + w
	t = Cut(t, w)
	r.put(st, t, Width(t))
	r.To(end)
}

// AddRight puts t into a column of exactly w cells, text to the right, as
// numbers stand.
func (r *Row) AddRight(st Style, t Text, w int) {
	w = min(w, r.Rest())
	t = Cut(t, w)
	n := Width(t)
	r.Gap(w - n)
	r.put(st, t, n)
}

// AddEnd puts t at the right end of the row with gap cells before it. If it
// does not fit into what is free, nothing is put: the left part came first
// because it matters more.
func (r *Row) AddEnd(st Style, t Text, gap int) {
	if n := Width(t); n+gap <= r.Rest() {
		r.To(r.w - n)
		r.put(st, t, n)
	}
}

// AddLine puts the cells of l from cell from on, cut without a mark at the end
// of the row. Every span keeps its style, on top of the row's.
func (r *Row) AddLine(l *Line, from int) {
	start, end, lead := Clip(l.Text, from, r.Rest())
	r.Gap(lead)
	r.AddBytes(l, start, end)
}

// AddBytes puts bytes start to end of the line's text, which are borders of
// glyphs.
func (r *Row) AddBytes(l *Line, start, end int) {
	at := start
	for _, s := range l.Spans {
		if s.End <= at {
			continue
		}
		stop := min(s.End, end)
		r.Add(s.Style, l.Text[at:stop])
		if at = stop; at == end {
			return
		}
	}
	r.Add(Style{}, l.Text[at:end])
}

// Gap puts n spaces.
func (r *Row) Gap(n int) { r.To(r.x + n) }

// To fills with spaces up to cell x.
func (r *Row) To(x int) {
	if n := min(x, r.w) - r.x; n > 0 {
		r.put(Style{}, Text(Spaces(n)), n)
	}
}

// put writes t, which takes n cells and fits.
func (r *Row) put(st Style, t Text, n int) {
	if t == "" {
		return
	}
	if r.base.open == "" && st.open == "" {
		r.out.WriteString(string(t))
	} else {
		r.out.Write(st.On(r.base).appendTo(r.out.AvailableBuffer(), t))
	}
	r.x += n
}

// String returns the row, filled up to its width.
func (r *Row) String() string {
	r.To(r.w)
	return r.out.String()
}

// AppendTo appends the row, filled up to its width, to dst.
func (r *Row) AppendTo(dst []byte) []byte {
	r.To(r.w)
	return append(dst, r.out.Bytes()...)
}
