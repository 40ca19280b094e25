package theme

// Span says that a line has Style up to byte End of its text; the span before
// it, or the start of the line, says from where.
type Span struct {
	End   int
	Style Style
}

// Line is one line of safe text, however long, with its styles. Style and text
// are kept apart, so that a widget cuts and wraps text and never escape
// sequences. What no span covers has the style of the row it is drawn on.
type Line struct {
	Text  Text
	Spans []Span // by End, ascending
}

// Add appends t in style st.
func (l *Line) Add(st Style, t Text) {
	l.Text += t
	l.Spans = append(l.Spans, Span{len(l.Text), st})
}

// Styled returns t as a line of one style.
func Styled(st Style, t Text) Line {
	return Line{t, []Span{{len(t), st}}}
}

// Slice returns bytes start to end of the line, which are borders of glyphs.
func (l *Line) Slice(start, end int) Line {
	part := Line{Text: l.Text[start:end]}
	for _, s := range l.Spans {
		if s.End > start {
			part.Spans = append(part.Spans, Span{min(s.End, end) - start, s.Style})
		}
		if s.End >= end {
			break
		}
	}
	return part
}
