package layout

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Block is what was drawn into a rectangle: H lines of W cells.
type Block struct {
	Rect
	View string
}

// Compose puts blocks, which do not overlap, together to a screen of w by h
// cells. What no block covers stays empty.
func Compose(w, h int, blocks ...Block) string {
	slices.SortFunc(blocks, func(a, b Block) int { return a.X - b.X })
	rest := make([]string, len(blocks)) // of each block, the lines to come
	for i, b := range blocks {
		rest[i] = b.View
	}
	var out strings.Builder
	for y := range h {
		if y > 0 {
			out.WriteByte('\n')
		}
		x := 0
		for i, b := range blocks {
			if y < b.Y || y >= b.Y+b.H || b.W <= 0 {
				continue
			}
			var line string
			line, rest[i], _ = strings.Cut(rest[i], "\n")
			writeSpaces(&out, b.X-x)
			out.WriteString(line)
			x = b.X + b.W
		}
		writeSpaces(&out, w-x)
	}
	return out.String()
}

func writeSpaces(out *strings.Builder, n int) {
	const blanks = "                                        "
	for ; n > 0; n -= len(blanks) {
		out.WriteString(blanks[:min(n, len(blanks))])
	}
}

// Overlay draws a box over a screen, whose other cells stay as they are. The
// box is inside the screen.
func Overlay(screen string, box Block) string {
	lines := strings.Split(screen, "\n")
	top := strings.Split(box.View, "\n")
	for i, over := range top {
		y := box.Y + i
		if y < 0 || y >= len(lines) {
			continue
		}
		left := ansi.Truncate(lines[y], box.X, "")
		want := ansi.StringWidth(lines[y]) - box.X - box.W
		right := ansi.TruncateLeft(lines[y], box.X+box.W, "")
		if ansi.StringWidth(right) > want { // it keeps a wide glyph across the edge
			right = ansi.TruncateLeft(lines[y], box.X+box.W+1, "")
		}
		var line strings.Builder
		line.WriteString(left)
		line.WriteString(reset)
		writeSpaces(&line, box.X-ansi.StringWidth(left))
		line.WriteString(over)
		writeSpaces(&line, want-ansi.StringWidth(right))
		line.WriteString(right)
		lines[y] = line.String()
	}
	return strings.Join(lines, "\n")
}

const reset = "\x1b[m"

// Centre returns where a box of w by h cells stands over the middle of the
// screen, made smaller if it is larger.
func Centre(screen Rect, w, h int) Rect {
	w, h = min(w, screen.W), min(h, screen.H)
	return Rect{screen.X + (screen.W-w)/2, screen.Y + (screen.H-h)/2, w, h}
}
