package prompt

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// tty is as much of a terminal as the screen makes use of: it folds long lines,
// scrolls, moves the cursor and erases.
type tty struct {
	t    testing.TB
	w, h int
	rows [][]string // cells, from the first line that was ever printed
	top  int        // the row at the top of the screen
	x, y int        // y counts from the first row
	hide bool
}

func newTTY(t testing.TB, w, h int) *tty {
	return &tty{t: t, w: w, h: h, rows: make([][]string, h)}
}

func (v *tty) Write(p []byte) (int, error) {
	for s := string(p); s != ""; {
		s = s[v.one(s):]
	}
	return len(p), nil
}

// one does what s begins with and returns its length.
func (v *tty) one(s string) int {
	switch s[0] {
	case '\x1b':
		end := strings.IndexFunc(s[2:], func(r rune) bool { return r >= '@' && r <= '~' }) + 3
		v.escape(s[2:end-1], s[end-1])
		return end
	case '\r':
		v.x = 0
		return 1
	case '\n':
		v.down()
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	cells := ansi.StringWidth(s[:n])
	if v.x+cells > v.w {
		v.x = 0
		v.down()
	}
	for range max(1, cells) {
		v.set(v.x, "")
		v.x++
	}
	v.rows[v.y][v.x-cells] = s[:n]
	return n
}

func (v *tty) set(x int, cell string) {
	for len(v.rows[v.y]) <= x {
		v.rows[v.y] = append(v.rows[v.y], " ")
	}
	v.rows[v.y][x] = cell
}

func (v *tty) down() {
	v.y++
	if v.y == v.top+v.h {
		v.top++
		v.rows = append(v.rows, nil)
	}
}

func (v *tty) escape(arg string, what byte) {
	n, _ := strconv.Atoi(arg)
	switch what {
	case 'A':
		v.y = max(v.top, v.y-max(1, n))
		v.x = min(v.x, v.w-1)
	case 'C':
		v.x = min(v.w-1, v.x+max(1, n))
	case 'K':
		if v.x >= v.w {
			v.t.Error("a row is erased behind the edge: terminals differ in what that does")
		}
		v.rows[v.y] = v.rows[v.y][:min(v.x, len(v.rows[v.y]))]
	case 'J':
		if n == 2 {
			for y := v.top; y < v.top+v.h; y++ {
				v.rows[y] = nil
			}
			return
		}
		v.escape("", 'K')
		for y := v.y + 1; y < v.top+v.h; y++ {
			v.rows[y] = nil
		}
	case 'H':
		v.x, v.y = 0, v.top
	case 'h', 'l':
		if arg == "?25" {
			v.hide = what == 'l'
		}
	case 'm':
	default:
		v.t.Errorf("the terminal does not know ESC[%s%c", arg, what)
	}
}

// lines is everything that was printed and what is on the screen.
func (v *tty) lines() []string {
	var out []string
	for _, row := range v.rows {
		out = append(out, strings.TrimRight(strings.Join(row, ""), " "))
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}
