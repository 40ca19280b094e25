package theme

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestSafe(t *testing.T) {
	tests := []struct {
		name, in string
		want     Text
	}{
		{"empty", "", ""},
		{"ascii", "get_forecast {}~", "get_forecast {}~"},
		{"escape sequence", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"clipboard write", "\x1b]52;c;eA==\a", "␛]52;c;eA==␇"},
		{"nul and delete", "a\x00b\x7fc", "a␀b␡c"},
		{"line ends", "a\r\nb\n", "a␍␊b␊"},
		{"tab", "a\tb", "a⇥b"},
		{"C1 control", "a\u009bb", "a⟨U+009B⟩b"},
		{"bidirectional override", "a\u202egnp.exe", "a⟨U+202E⟩gnp.exe"},
		{"isolates", "\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"},
		{"zero width", "a\u200bb\u2060c\ufeff", "a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩"},
		{"soft hyphen", "a\u00adb", "a⟨U+00AD⟩b"},
		{"line separators", "a\u2028b\u2029c", "a⟨U+2028⟩b⟨U+2029⟩c"},
		{"tag characters", "x\U000E0041", "x⟨U+E0041⟩"},
		{"Hangul filler", "\u3164", "⟨U+3164⟩"},
		{"private use", "\ue0b0\U0010FFFD", "⟨U+E0B0⟩⟨U+10FFFD⟩"},
		{"noncharacter", "\ufffe", "⟨U+FFFE⟩"},
		{"replacement character that was sent", "\ufffd", "\ufffd"},
		{"invalid bytes", "a\xffb\xc3", "a⟨ff⟩b⟨c3⟩"},
		{"surrogate in UTF-8", "\xed\xa0\x80", "⟨ed⟩⟨a0⟩⟨80⟩"},
		{"CJK", "天气", "天气"},
		{"right to left", "שלום مرحبا", "שלום مرحبا"},
		{"combining", "e\u0301", "e\u0301"},
		{"combining without a base", "\u0301a", "◌\u0301a"},
		{"stacked marks", "a\u0301\u0302\u0303\u0304\u0305\u0306", "a\u0301\u0302\u0303\u0304⟨U+0305⟩⟨U+0306⟩"},
		{"emoji", "🌤 ok", "🌤 ok"},
		{"emoji selector", "⚠\ufe0f 1\ufe0f\u20e3 ℹ\ufe0f", "⚠ 1\u20e3 ℹ"},
		{"selector that picks no look", "a\ufe0f1\ufe0f⚠\ufe0f\ufe0f", "a⟨U+FE0F⟩1⟨U+FE0F⟩⚠⟨U+FE0F⟩"},
		{"other selectors", "a\ufe00b\U000E0100", "a⟨U+FE00⟩b⟨U+E0100⟩"},
		{"joined emoji", "👩\u200d💻", "👩⟨U+200D⟩💻"},
		{"skin tone", "👍🏽", "👍⟨U+1F3FD⟩"},
		{"flag", "🇩🇪", "🇩🇪"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Safe(tt.in); got != tt.want {
				t.Errorf("Safe(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
			if got := SafeBytes([]byte(tt.in)); got != tt.want {
				t.Errorf("SafeBytes(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSafeWidthIsTheSameByClusterAndByRune(t *testing.T) {
	// A terminal without grapheme support counts by rune; rows must not
	// depend on which kind is used.
	for _, s := range []string{"⚠\ufe0f", "👍🏽", "👩\u200d💻", "🇩🇪", "1\ufe0f\u20e3", "天e\u0301", "שלום"} {
		text := string(Safe(s))
		if g, wc := ansi.StringWidth(text), ansi.StringWidthWc(text); g != wc {
			t.Errorf("%q: %d cells by cluster, %d by rune", s, g, wc)
		}
	}
}

func TestSafeLines(t *testing.T) {
	got := SafeLines("a\r\nb\n")
	want := []Text{"a␍", "b", ""}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: got %q, want %q", i, got[i], want[i])
		}
	}
}

func TestSafeCut(t *testing.T) {
	long := strings.Repeat("天\u0301", 1<<18)
	for _, s := range []string{"", "short", "\x1b[31m", long, strings.Repeat("a", 1<<20), strings.Repeat("ᄀ", 1000)} {
		for _, w := range []int{-1, 0, 1, 2, 7, 80} {
			got, want := SafeCut(s, w), Cut(Safe(s), w)
			if len(s) < 100 || s == long || s[0] == 'a' {
				if got != want {
					t.Errorf("SafeCut(%.10q…, %d) = %.40q, want %.40q", s, w, got, want)
				}
			}
			if Width(got) > max(0, w) {
				t.Errorf("SafeCut(%.10q…, %d) takes %d cells", s, w, Width(got))
			}
		}
	}
}

func FuzzSafe(f *testing.F) {
	for _, s := range []string{"", "a\x1b[31m", "\u202e\ufeff", "\xff\xfe", "e\u0301\u0301", "👩\u200d💻", "天\t\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := string(Safe(s))
		if !utf8.ValidString(text) {
			t.Fatalf("Safe(%q) = %q is not UTF-8", s, text)
		}
		for _, r := range text {
			if !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("Safe(%q) = %q keeps %U", s, text, r)
			}
		}
		if again := Safe(text); string(again) != text && !strings.Contains(text, string(dotted)) {
			// What is visible stays as it is, except a mark that lost its
			// neighbours, and so its place in the count.
			if !unicode.In([]rune(text)[0], unicode.M) {
				t.Fatalf("Safe twice: %q then %q", text, again)
			}
		}
		for _, w := range []int{0, 1, 2, 5, 40} {
			if got := Width(Cut(Text(text), w)); got > w {
				t.Fatalf("Cut(%q, %d) takes %d cells", text, w, got)
			}
			if got := Width(Pad(Text(text), w)); got != w {
				t.Fatalf("Pad(%q, %d) takes %d cells", text, w, got)
			}
			if got := Width(Window(Text(text), w, 7)); got > 7 {
				t.Fatalf("Window(%q, %d, 7) takes %d cells", text, w, got)
			}
		}
	})
}

func BenchmarkSafe(b *testing.B) {
	mega := strings.Repeat(`{"text":"Temperature: 64 F"} `, 1<<20/29)
	for _, bm := range []struct{ name, s string }{
		{"ascii 100 B", mega[:100]},
		{"ascii 1 MB", mega},
		{"cjk 100 B", strings.Repeat("天气", 17)[:99]},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.s)))
			b.ReportAllocs()
			for b.Loop() {
				Safe(bm.s)
			}
		})
	}
	b.Run("cut 1 MB to 40", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			SafeCut(mega, 40)
		}
	})
}
