package theme

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestWidth(t *testing.T) {
	tests := []struct {
		in   Text
		want int
	}{
		{"", 0}, {"abc", 3}, {"天气", 4}, {"a天b", 4}, {"e\u0301x", 2}, {"שלום", 4},
		{"🌤", 1}, {"☕", 2}, {"🇩🇪", 2}, {"␛[31m", 5}, {"⟨U+202E⟩", 8}, {"👩\u200d💻", 2},
	}
	for _, tt := range tests {
		if got := Width(tt.in); got != tt.want {
			t.Errorf("Width(%q) = %d, want %d", tt.in, got, tt.want)
		}
		if got := ansi.StringWidth(string(tt.in)); got != tt.want {
			t.Errorf("the renderer takes %q for %d cells, not %d", tt.in, got, tt.want)
		}
	}
}

func TestCutting(t *testing.T) {
	tests := []struct {
		name string
		got  Text
		want Text
	}{
		{"fits", Cut("abc", 3), "abc"},
		{"cut", Cut("abcd", 3), "ab…"},
		{"cut to one", Cut("abcd", 1), "…"},
		{"cut to nothing", Cut("abcd", 0), ""},
		{"negative", Cut("abcd", -4), ""},
		{"wide fits", Cut("天气", 4), "天气"},
		{"wide cut", Cut("天气", 3), "天…"},
		{"wide cut in the middle", Cut("天气", 2), "…"},
		{"marks stay with their base", Cut("e\u0301e\u0301e\u0301", 2), "e\u0301…"},
		{"mark after the last that fits", Cut("abe\u0301", 3), "abe\u0301"},
		{"left fits", CutLeft("abc", 3), "abc"},
		{"left", CutLeft("/usr/lib/node", 5), "…node"},
		{"left wide", CutLeft("天气天气", 4), "…气"},
		{"left nothing", CutLeft("abc", 0), ""},
		{"pad", Pad("ab", 4), "ab  "},
		{"pad cuts", Pad("abcdef", 4), "abc…"},
		{"pad wide", Pad("天气", 3), "天…"},
		{"pad left", PadLeft("42", 5), "   42"},
		{"window", Window("abcdef", 2, 3), "cde"},
		{"window past the end", Window("abc", 9, 3), ""},
		{"window over a wide glyph", Window("天气", 1, 3), " 气"},
		{"window ends in a wide glyph", Window("天气", 0, 3), "天"},
		{"window in a wide glyph", Window("天", 1, 1), " "},
		{"spaces", Text(Spaces(200)), Text(strings.Repeat(" ", 200))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestFitAlwaysGetsOn(t *testing.T) {
	if n, cells := Fit("天气", 1); n != 3 || cells != 2 {
		t.Errorf("Fit takes %d bytes, %d cells of a glyph wider than the row", n, cells)
	}
	if n, _ := Fit("", 5); n != 0 {
		t.Errorf("Fit takes %d bytes of nothing", n)
	}
}

func TestHugeClusterIsBounded(t *testing.T) {
	jamo := Text(strings.Repeat("ᄀ", 1<<16)) // one cluster by the rules
	if got := Cut(jamo, 10); len(got) > 10*maxCluster {
		t.Errorf("ten cells hold %d bytes", len(got))
	}
}

func BenchmarkWidth(b *testing.B) {
	for _, bm := range []struct {
		name string
		t    Text
	}{
		{"ascii 170 B", Text(strings.Repeat("x", 170))},
		{"cjk 170 B", Text(strings.Repeat("天", 57))},
	} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				Width(bm.t)
			}
		})
		b.Run(bm.name+" by x/ansi", func(b *testing.B) {
			for b.Loop() {
				ansi.StringWidth(string(bm.t))
			}
		})
	}
}
