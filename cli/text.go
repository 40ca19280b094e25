package cli

import (
	"fmt"
	"strings"

	"parley/ui/theme"
)

// visible makes the server's text harmless on a terminal; its lines stay lines.
func visible(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = string(theme.Safe(strings.ReplaceAll(strings.TrimSuffix(l, "\r"), "\t", "    ")))
	}
	return strings.Join(lines, "\n")
}

// shown is the server's text for standard output: exact when that is a file or
// a pipe, harmless when it is a terminal.
func (a *app) shown(s string) string {
	if a.io.OutTTY {
		return visible(s)
	}
	return s
}

// first is the first line of a text, for lists.
func first(s string) string {
	s = strings.TrimSpace(s)
	line, _, more := strings.Cut(s, "\n")
	if more {
		line = strings.TrimSpace(line)
	}
	return string(theme.Safe(line))
}

// size tells bytes for people.
func size(n int64) string { return theme.Size(n) }

// columns prints rows of two columns, the first as wide as its widest cell up to
// limit.
func (a *app) columns(limit int, rows [][2]string) {
	w := 0
	for _, r := range rows {
		if n := theme.Width(theme.Text(r[0])); n <= limit {
			w = max(w, n)
		}
	}
	var all strings.Builder
	for _, r := range rows {
		pad := max(0, w-theme.Width(theme.Text(r[0])))
		all.WriteString(strings.TrimRight(r[0]+strings.Repeat(" ", pad+2)+r[1], " "))
		all.WriteByte('\n')
	}
	fmt.Fprint(a.io.Out, all.String())
}
