package ui

import (
	"strings"

	"parley/client/rawjson"
	"parley/ui/theme"
	"parley/ui/widget"
)

// doc is a text for a viewer, put together from pieces: lines of ours, text of
// the server's, JSON that folds. Lines are made safe and coloured only when
// they are shown.
type doc struct {
	st     *theme.Styles
	pieces []widget.Source
}

// plain is a piece of single lines.
type plain struct{ lines []docLine }

// docLine is a line of ours, already styled, or one of the server's as it came.
type docLine struct {
	raw    string
	style  theme.Style
	styled *theme.Line
	link   string // what enter opens: a URI
	indent int
}

func (p *plain) Lines() int { return len(p.lines) }

func (p *plain) Line(i int) theme.Line {
	l := &p.lines[i]
	if l.styled != nil {
		return *l.styled
	}
	return theme.Styled(l.style, theme.Text(theme.Spaces(l.indent))+theme.Safe(strings.ReplaceAll(l.raw, "\t", "    ")))
}

// last is the piece that single lines go to.
func (d *doc) last() *plain {
	if n := len(d.pieces); n > 0 {
		if p, ok := d.pieces[n-1].(*plain); ok {
			return p
		}
	}
	p := new(plain)
	d.pieces = append(d.pieces, p)
	return p
}

func (d *doc) put(l docLine) { p := d.last(); p.lines = append(p.lines, l) }

// add puts a line of ours.
func (d *doc) add(st theme.Style, text theme.Text) {
	l := theme.Styled(st, text)
	d.put(docLine{styled: &l})
}

// line puts a line of ours made of several pieces.
func (d *doc) line(l theme.Line) { d.put(docLine{styled: &l}) }

// blank puts an empty line between what is there and what follows.
func (d *doc) blank() {
	if len(d.pieces) > 0 {
		d.put(docLine{})
	}
}

// text puts the server's text, a line a line.
func (d *doc) text(st theme.Style, s string, indent int) {
	for l := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		d.put(docLine{raw: strings.TrimSuffix(l, "\r"), style: st, indent: indent})
	}
}

// link puts a line that enter follows.
func (d *doc) link(st theme.Style, uri, label string) {
	l := theme.Styled(st, theme.Safe(uri))
	if label != "" {
		l.Add(theme.Style{}, "  "+theme.Safe(label))
	}
	d.put(docLine{styled: &l, link: uri})
}

// json puts a JSON value, indented, whose parts fold; what is no JSON is put as
// text.
func (d *doc) json(raw []byte) {
	pretty, ok := rawjson.Indent(nil, raw)
	if !ok {
		d.text(theme.Style{}, string(raw), 0)
		return
	}
	d.pieces = append(d.pieces, widget.NewFold(widget.NewJSON(pretty, d.st), d.st))
}

// flat is a doc without parts that fold: it needs no margin for their marks.
type flat struct{ d *doc }

func (f flat) Lines() int            { return f.d.Lines() }
func (f flat) Line(i int) theme.Line { return f.d.Line(i) }

// source is the doc for a viewer.
func (d *doc) source() widget.Source {
	for _, p := range d.pieces {
		if _, folds := p.(*widget.Fold); folds {
			return d
		}
	}
	return flat{d}
}

// find returns the piece that line i is in, and its number there.
func (d *doc) find(i int) (piece widget.Source, at int) {
	for _, p := range d.pieces {
		n := p.Lines()
		if i < n {
			return p, i
		}
		i -= n
	}
	return nil, 0
}

// Lines implements widget.Source.
func (d *doc) Lines() int {
	n := 0
	for _, p := range d.pieces {
		n += p.Lines()
	}
	return n
}

// Line implements widget.Source.
func (d *doc) Line(i int) theme.Line {
	p, at := d.find(i)
	if p == nil {
		return theme.Line{}
	}
	return p.Line(at)
}

// Number implements widget.Numberer: marks show what folds.
func (d *doc) Number(i int) (int, theme.Text) {
	p, at := d.find(i)
	if f, ok := p.(*widget.Fold); ok {
		_, mark := f.Number(at)
		return i + 1, mark
	}
	return i + 1, ""
}

// Toggle implements widget.Folder.
func (d *doc) Toggle(i int) (int, bool) {
	p, at := d.find(i)
	if f, ok := p.(*widget.Fold); ok {
		to, ok := f.Toggle(at)
		return i - at + to, ok
	}
	return i, false
}

// Level implements widget.Folder: it holds for every piece.
func (d *doc) Level(n, i int) int {
	p, at := d.find(i)
	before := 0
	found := i
	for _, q := range d.pieces {
		f, folds := q.(*widget.Fold)
		switch {
		case q == p && folds:
			found = before + f.Level(n, at)
		case q == p:
			found = before + at
		case folds:
			f.Level(n, 0)
		}
		before += q.Lines()
	}
	return found
}

// linkAt is what enter opens on line i, empty for nothing.
func (d *doc) linkAt(i int) string {
	p, at := d.find(i)
	if lines, ok := p.(*plain); ok && at < len(lines.lines) {
		return lines.lines[at].link
	}
	return ""
}
