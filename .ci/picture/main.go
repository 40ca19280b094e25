// Command picture turns what `tmux capture-pane -e -p` prints into an SVG, so
// that the pictures in the documentation are the running program's own screen.
//
//	tmux capture-pane -e -p | go run ./.ci/picture > docs/screen.svg
package main

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The cell size in pixels, and the colours of a dark terminal.
const (
	cellW, cellH = 8.4, 18
	foreground   = "#d4d4d4"
	background   = "#16181a"
)

var palette = [16]string{
	"#1d1f21", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d4d4d4",
	"#7f848e", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#ffffff",
}

// pen is how the next cells look.
type pen struct {
	fg, bg             string
	bold, dim, reverse bool
}

func main() {
	if err := draw(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func draw(in io.Reader, out io.Writer) error {
	raw, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
	width := 0
	for _, l := range lines {
		width = max(width, ansi.StringWidth(l))
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace" font-size="14">`+"\n",
		float64(width)*cellW+16, len(lines)*cellH+16)
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", background)
	for y, l := range lines {
		line(w, l, y)
	}
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}

// line draws one row, a text element for each run of cells of one look.
func line(w io.Writer, text string, y int) {
	var p pen
	x, state := 0, byte(0)
	for text != "" {
		seq, width, n, next := ansi.DecodeSequence(text, state, nil)
		if width == 0 {
			p = p.apply(seq)
		} else {
			cell(w, p, seq, x, y, width)
			x += width
		}
		state, text = next, text[n:]
	}
}

func cell(w io.Writer, p pen, text string, x, y, width int) {
	fg, bg := p.fg, p.bg
	if fg == "" {
		fg = foreground
	}
	if p.reverse {
		if bg == "" {
			bg = background
		}
		fg, bg = bg, fg
	}
	left, top := float64(x)*cellW+8, y*cellH+8
	if bg != "" {
		fmt.Fprintf(w, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`, left, top, float64(width)*cellW+0.5, cellH, bg)
	}
	if text == " " {
		return
	}
	look := ""
	if p.bold {
		look += ` font-weight="bold"`
	}
	if p.dim {
		look += ` opacity="0.65"`
	}
	fmt.Fprintf(w, `<text x="%.1f" y="%d" fill="%s"%s>%s</text>`+"\n", left, top+13, fg, look, html.EscapeString(text))
}

// apply takes one SGR sequence; other sequences change nothing.
func (p pen) apply(seq string) pen {
	body, ok := strings.CutPrefix(seq, "\x1b[")
	body, sgr := strings.CutSuffix(body, "m")
	if !ok || !sgr {
		return p
	}
	for _, f := range strings.Split(body, ";") {
		n, _ := strconv.Atoi(f)
		switch {
		case n == 0:
			p = pen{}
		case n == 1:
			p.bold = true
		case n == 2:
			p.dim = true
		case n == 7:
			p.reverse = true
		case n == 22:
			p.bold, p.dim = false, false
		case n == 27:
			p.reverse = false
		case n >= 30 && n <= 37:
			p.fg = palette[n-30]
		case n >= 90 && n <= 97:
			p.fg = palette[n-90+8]
		case n == 39:
			p.fg = ""
		case n >= 40 && n <= 47:
			p.bg = palette[n-40]
		case n == 49:
			p.bg = ""
		}
	}
	return p
}
