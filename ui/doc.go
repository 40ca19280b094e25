package ui

import (
	"bytes"
	"strings"

	"parley/client/rawjson"
	"parley/ui/theme"
)

// doc is a text of lines for a viewer, put together from pieces. Lines are
// kept as they came and made safe and coloured only when they are shown.
type doc struct {
	lines []docLine
}

// docLine is text of the server's, a line of indented JSON, or a line of ours.
type docLine struct {
	raw    string
	json   bool
	style  theme.Style
	styled *theme.Line
	link   string // what enter opens: a URI
	indent int
}

// Len is the number of lines.
func (d *doc) Len() int { return len(d.lines) }

// add puts a line of ours.
func (d *doc) add(st theme.Style, text theme.Text) {
	l := theme.Styled(st, text)
	d.lines = append(d.lines, docLine{styled: &l})
}

// line puts a line of ours made of several pieces.
func (d *doc) line(l theme.Line) { d.lines = append(d.lines, docLine{styled: &l}) }

// blank puts an empty line, unless there is one already or none at all.
func (d *doc) blank() {
	if n := len(d.lines); n > 0 && (d.lines[n-1].raw != "" || d.lines[n-1].styled != nil) {
		d.lines = append(d.lines, docLine{})
	}
}

// text puts the server's text, a line a line.
func (d *doc) text(st theme.Style, s string, indent int) {
	s = strings.TrimSuffix(s, "\n")
	for l := range strings.SplitSeq(s, "\n") {
		d.lines = append(d.lines, docLine{raw: strings.TrimSuffix(l, "\r"), style: st, indent: indent})
	}
}

// link puts a line that enter follows.
func (d *doc) link(st theme.Style, uri, label string) {
	l := theme.Styled(st, theme.Safe(uri))
	if label != "" {
		l.Add(theme.Style{}, "  "+theme.Safe(label))
	}
	d.lines = append(d.lines, docLine{styled: &l, link: uri})
}

// json puts a JSON value, indented; what is no JSON is put as text.
func (d *doc) json(raw []byte) {
	pretty, ok := rawjson.Indent(nil, raw)
	if !ok {
		d.text(theme.Style{}, string(raw), 0)
		return
	}
	for l := range bytes.SplitSeq(pretty, []byte("\n")) {
		d.lines = append(d.lines, docLine{raw: string(l), json: true})
	}
}
