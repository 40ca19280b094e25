package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// maxCluster bounds the bytes looked at for one grapheme cluster: some scripts
// let a cluster grow without end, and one cell must not cost a whole frame.
const maxCluster = 128

// next returns the bytes and the cells of the first cluster of t, which is not
// empty.
func next(t Text) (n, cells int) {
	if t[0] < 0x80 && (len(t) == 1 || t[1] < 0x80) {
		return 1, 1
	}
	s := string(t)
	if len(s) > maxCluster {
		s = s[:runeStart(s, maxCluster)]
	}
	cluster, cells := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(cluster), cells
}

// ascii returns how many leading bytes of t are one cell each for certain: the
// last ASCII byte before other text may carry a mark and is not counted.
func ascii(t Text) int {
	for i := 0; i < len(t); i++ {
		if t[i] >= 0x80 {
			return max(0, i-1)
		}
	}
	return len(t)
}

// Width is the number of cells that t takes.
func Width(t Text) int {
	n := ascii(t)
	w := n
	for t = t[n:]; t != ""; t = t[n:] {
		var c int
		n, c = next(t)
		w += c
	}
	return w
}

// fit returns the longest prefix of t, in bytes and cells, that takes at most
// w cells. It looks at no more of t than that.
func fit(t Text, w int) (n, cells int) {
	for n < len(t) {
		for cells < w && n < len(t) && t[n] < 0x80 && (n+1 == len(t) || t[n+1] < 0x80) {
			n, cells = n+1, cells+1
		}
		if n == len(t) {
			break
		}
		size, c := next(t[n:])
		if cells+c > w {
			break
		}
		n, cells = n+size, cells+c
	}
	return n, cells
}

// Cut returns t if it takes at most w cells, otherwise its start with … at the
// end, in at most w cells.
func Cut(t Text, w int) Text {
	if w <= 0 {
		return ""
	}
	if len(t) <= w && ascii(t) == len(t) {
		return t
	}
	if n, _ := fit(t, w); n == len(t) {
		return t
	}
	n, _ := fit(t, w-1)
	return t[:n] + ellipsis
}

// CutLeft returns t if it takes at most w cells, otherwise its end with … in
// front, in at most w cells. It is for names whose end tells them apart.
func CutLeft(t Text, w int) Text {
	if w <= 0 {
		return ""
	}
	total := Width(t)
	if total <= w {
		return t
	}
	// Skip whole clusters until the rest leaves a cell for the ellipsis.
	rest := total
	for t != "" && rest > w-1 {
		n, c := next(t)
		t, rest = t[n:], rest-c
	}
	return ellipsis + t
}

// Pad returns t in exactly w cells: cut, or filled up with spaces.
func Pad(t Text, w int) Text {
	t = Cut(t, w)
	return t + Text(Spaces(w-Width(t)))
}

// PadLeft is [Pad] with the spaces in front, for numbers.
func PadLeft(t Text, w int) Text {
	t = Cut(t, w)
	return Text(Spaces(w-Width(t))) + t
}

// Clip returns which bytes of t show in w cells from cell from on, and how many
// of these cells stay empty in front because a wide glyph stands across the
// left edge. A wide glyph across the right edge does not show.
func Clip(t Text, from, w int) (start, end, lead int) {
	start, cells := fit(t, from)
	if cells < from && start < len(t) {
		n, c := next(t[start:])
		start, lead = start+n, cells+c-from
	}
	n, _ := fit(t[start:], w-lead)
	return start, start + n, max(0, min(lead, w))
}

// Window returns what shows of t in w cells from cell from on, see [Clip].
func Window(t Text, from, w int) Text {
	start, end, lead := Clip(t, from, w)
	return Text(Spaces(lead)) + t[start:end]
}

// Fit returns how many bytes of t show in w cells, and the cells they take.
// At least one cluster is taken from text that is not empty, so that whoever
// splits text into rows always gets on.
func Fit(t Text, w int) (n, cells int) {
	n, cells = fit(t, w)
	if n == 0 && t != "" {
		return next(t)
	}
	return n, cells
}

const blanks = "                                                                                                                                "

// Spaces returns n spaces; none when n is negative.
func Spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}
