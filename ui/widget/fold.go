package widget

import (
	"bytes"
	"sort"
	"strconv"

	"parley/ui/theme"
)

// indentStep is the number of spaces of one level of indented JSON.
const indentStep = 2

// Indented is a source of indented JSON: every object and array that is not
// empty opens at the end of one line and closes at the start of a later one
// that is indented as far.
type Indented interface {
	Source
	Raw(i int) []byte
}

// Fold is indented JSON whose objects and arrays can be closed to one line.
// Where a part ends is looked up when it is closed, line by line; nothing is
// built for the document as a whole.
type Fold struct {
	src    Indented
	styles *theme.Styles

	closed []block // by start; blocks may stand inside others
	hides  []block // those that show as one line, with what is hidden before
}

// block is a part from the line that opens it to the line that closes it.
type block struct {
	start, end int
	before     int // lines hidden before start
}

// NewFold returns src with everything open.
func NewFold(src Indented, st *theme.Styles) *Fold {
	return &Fold{src: src, styles: st}
}

// Lines is the number of lines that show.
func (f *Fold) Lines() int {
	n := f.src.Lines()
	if k := len(f.hides); k > 0 {
		last := f.hides[k-1]
		n -= last.before + last.end - last.start
	}
	return n
}

// Line returns a line that shows; a closed part is its first and its last line
// with the number of those between.
func (f *Fold) Line(i int) theme.Line {
	at, closed := f.real(i)
	l := f.src.Line(at)
	if closed == nil {
		return l
	}
	l.Spans = append([]theme.Span(nil), l.Spans...) // the source may keep its line
	l.Add(f.styles.Muted, theme.Text(" … "+strconv.Itoa(closed.end-closed.start-1)+" lines "))
	l.Add(theme.Style{}, theme.SafeBytes(bytes.TrimSpace(f.src.Raw(closed.end))))
	return l
}

// Number returns the number of a line in the whole text, with a mark where it
// can be opened or closed.
func (f *Fold) Number(i int) (int, theme.Text) {
	at, closed := f.real(i)
	switch {
	case closed != nil:
		return at + 1, "▸"
	case opens(f.src.Raw(at)):
		return at + 1, "▾"
	}
	return at + 1, ""
}

// Raw returns the bytes of a line that shows; of a closed part its first line.
func (f *Fold) Raw(i int) []byte {
	at, _ := f.real(i)
	return f.src.Raw(at)
}

// Real returns the line of the whole text that line i shows.
func (f *Fold) Real(i int) int {
	at, _ := f.real(i)
	return at
}

// Show opens what hides a line of the whole text and returns where it shows.
func (f *Fold) Show(at int) int {
	kept := f.closed[:0]
	for _, b := range f.closed {
		if at <= b.start || at > b.end {
			kept = append(kept, b)
		}
	}
	f.closed = kept
	f.rebuild()
	return f.shown(at)
}

// Search finds a line with a hit, and opens what hides it.
func (f *Fold) Search(q Query, from, step int) (int, bool) {
	s, ok := f.src.(Searcher)
	if !ok || from < 0 || from >= f.Lines() {
		return 0, false
	}
	at, closed := f.real(from)
	switch {
	case step < 0 && closed != nil:
		at = closed.end
	case step > 0 && from > 0:
		above, _ := f.real(from - 1) // it may be closed, with hits inside
		at = above + 1
	}
	if at, ok = s.Search(q, at, step); !ok {
		return 0, false
	}
	return f.Show(at), true
}

// Toggle opens or closes the part that line i opens, or else the part it is in.
func (f *Fold) Toggle(i int) (at int, ok bool) {
	if i < 0 || i >= f.Lines() {
		return 0, false
	}
	line, closed := f.real(i)
	if closed != nil {
		k := sort.Search(len(f.closed), func(k int) bool { return f.closed[k].start >= line })
		f.closed = append(f.closed[:k], f.closed[k+1:]...)
		f.rebuild()
		return i, true
	}
	if !opens(f.src.Raw(line)) {
		if line, ok = f.parent(line); !ok {
			return i, false
		}
	}
	end, ok := f.close(line)
	if !ok {
		return i, false
	}
	k := sort.Search(len(f.closed), func(k int) bool { return f.closed[k].start >= line })
	f.closed = append(f.closed[:k], append([]block{{start: line, end: end}}, f.closed[k:]...)...)
	f.rebuild()
	return f.shown(line), true
}

// Level closes every part that is n levels deep or deeper and opens the rest.
func (f *Fold) Level(n, i int) (at int) {
	if f.Lines() == 0 {
		return 0
	}
	line, _ := f.real(max(0, min(i, f.Lines()-1)))
	f.closed = f.closed[:0]
	var open []int // indexes in closed of the parts that are open, by depth
	for i := range f.src.Lines() {
		raw := f.src.Raw(i)
		depth := indent(raw) / indentStep
		if k := len(open); k > 0 && depth+1 == n+k && closes(raw) {
			f.closed[open[k-1]].end = i
			open = open[:k-1]
		}
		if depth >= n && depth == n+len(open) && opens(raw) {
			open = append(open, len(f.closed))
			f.closed = append(f.closed, block{start: i})
		}
	}
	// A part without an end belongs to a text that was cut: it stays open.
	kept := f.closed[:0]
	for _, b := range f.closed {
		if b.end > b.start {
			kept = append(kept, b)
		}
	}
	f.closed = kept
	f.rebuild()
	return f.shown(line)
}

// rebuild computes what is hidden from the parts that are closed.
func (f *Fold) rebuild() {
	f.hides = f.hides[:0]
	hidden := 0
	for _, b := range f.closed {
		if k := len(f.hides); k > 0 && b.start < f.hides[k-1].end {
			continue // inside another
		}
		b.before = hidden
		f.hides = append(f.hides, b)
		hidden += b.end - b.start
	}
}

// real returns the line of the whole text that shows at i, and the part it
// stands for if that is closed.
func (f *Fold) real(i int) (at int, closed *block) {
	k := sort.Search(len(f.hides), func(k int) bool { return f.hides[k].start-f.hides[k].before > i }) - 1
	if k < 0 {
		return i, nil
	}
	b := &f.hides[k]
	if b.start-b.before == i {
		return b.start, b
	}
	return i + b.before + b.end - b.start, nil
}

// shown returns where a line of the whole text shows, or what hides it.
func (f *Fold) shown(at int) int {
	k := sort.Search(len(f.hides), func(k int) bool { return f.hides[k].start > at }) - 1
	if k < 0 {
		return at
	}
	b := f.hides[k]
	if at <= b.end {
		return b.start - b.before
	}
	return at - b.before - (b.end - b.start)
}

// parent returns the line that opens the part a line is in.
func (f *Fold) parent(line int) (int, bool) {
	depth := indent(f.src.Raw(line))
	if closes(f.src.Raw(line)) {
		depth += indentStep // its own part is the one meant
	}
	for i := line - 1; i >= 0; i-- {
		if raw := f.src.Raw(i); indent(raw) < depth && opens(raw) {
			return i, true
		}
	}
	return 0, false
}

// close returns the line that closes the part that line opens.
func (f *Fold) close(line int) (int, bool) {
	depth := indent(f.src.Raw(line))
	for i := line + 1; i < f.src.Lines(); i++ {
		if raw := f.src.Raw(i); indent(raw) == depth {
			return i, closes(raw)
		}
	}
	return 0, false
}

func indent(raw []byte) int {
	n := 0
	for n < len(raw) && raw[n] == ' ' {
		n++
	}
	return n
}

func opens(raw []byte) bool {
	return len(raw) > 0 && (raw[len(raw)-1] == '{' || raw[len(raw)-1] == '[')
}

func closes(raw []byte) bool {
	n := indent(raw)
	return n < len(raw) && (raw[n] == '}' || raw[n] == ']')
}
