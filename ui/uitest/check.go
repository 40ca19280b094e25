package uitest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// Texts are what a server may say: harmless, wide, joined, hostile and huge.
func Texts() map[string]string {
	return map[string]string{
		"empty":   "",
		"ascii":   "get_forecast",
		"cjk":     strings.Repeat("天气预报 ", 30),
		"emoji":   "👩\u200d💻 👍🏽 🇩🇪 ⚠\ufe0f 1\ufe0f\u20e3",
		"marks":   "\u0301e\u0301" + strings.Repeat("\u0300", 50),
		"rtl":     "שלום \u202eمرحبا",
		"tabs":    "a\tb\t\tc",
		"escapes": "\x1b[31mred\x1b[2J\x1b]52;c;eA==\a\x9b1m",
		"lines":   "a\r\nb\nc\rd\u2028e",
		"invalid": "a\xff\xfe\xed\xa0\x80b",
		"1 MB":    strings.Repeat("0123456789abcdef", 1<<16),
	}
}

// Sizes are the sizes at which views are checked, from nothing to a wall.
func Sizes() [][2]int {
	var sizes [][2]int
	for _, w := range []int{0, 1, 2, 3, 7, 20, 39, 40, 79, 80, 100, 120, 200} {
		for _, h := range []int{0, 1, 2, 5, 11, 12, 23, 24, 40, 60} {
			sizes = append(sizes, [2]int{w, h})
		}
	}
	return sizes
}

// Invariants checks what must hold of every widget and pane, over [Sizes] and
// [Texts]: view returns exactly h lines, each exactly w cells wide, and nothing
// that a terminal would act on except colours. build makes the view of a widget
// that shows text.
func Invariants(t *testing.T, build func(text string) (view func(w, h int) string)) {
	t.Helper()
	for name, text := range Texts() {
		t.Run(name, func(t *testing.T) {
			view := build(text)
			for _, size := range Sizes() {
				if err := Check(view(size[0], size[1]), size[0], size[1]); err != nil {
					t.Errorf("%dx%d: %v", size[0], size[1], err)
				}
			}
		})
	}
}

// Check reports what is wrong with a view of w by h cells.
func Check(view string, w, h int) error {
	lines := strings.Split(view, "\n")
	if view == "" && h == 0 {
		return nil
	}
	if len(lines) != h {
		return fmt.Errorf("%d lines, not %d", len(lines), h)
	}
	for y, line := range lines {
		if n := ansi.StringWidth(line); n != w {
			return fmt.Errorf("line %d is %d cells wide, not %d: %.200q", y, n, w, line)
		}
		if err := onlyColours(line); err != nil {
			return fmt.Errorf("line %d: %w", y, err)
		}
	}
	return nil
}

// onlyColours reports the first control in a line that is not part of an SGR
// sequence.
func onlyColours(line string) error {
	for i := 0; i < len(line); i++ {
		if line[i] == '\x1b' {
			rest := strings.TrimLeft(line[i+1:], "[0123456789;:")
			if !strings.HasPrefix(line[i+1:], "[") || !strings.HasPrefix(rest, "m") {
				return fmt.Errorf("an escape sequence that is no colour: %.20q", line[i:])
			}
			i = len(line) - len(rest)
		} else if line[i] < ' ' || line[i] == 0x7f {
			return fmt.Errorf("control %q", line[i])
		}
	}
	for _, r := range line {
		if r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return fmt.Errorf("control %U", r)
		}
	}
	return nil
}

// Golden compares a view, without its styles, with the test's golden file.
// go test -update writes the file anew.
func Golden(t testing.TB, view string) {
	t.Helper()
	golden.RequireEqual(t, Plain(view)+"\n")
}
