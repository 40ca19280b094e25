package widget

import (
	"fmt"
	"strings"
	"testing"

	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/uitest"
)

// counted is text for tests; it counts the lines asked for.
type counted struct {
	text  []string
	asked map[int]int
}

func newCounted(text ...string) *counted { return &counted{text, map[int]int{}} }

func (c *counted) Lines() int { return len(c.text) }
func (c *counted) Line(i int) theme.Line {
	c.asked[i]++
	return theme.Line{Text: theme.Safe(c.text[i])}
}

func manyLines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i)
	}
	return lines
}

func viewerKeys() ViewerKeys {
	k := keys.New()
	return ViewerKeys{k.Frame.Move, k.Frame.Read, k.Frame.Fold}
}

func newViewer(src Source, w, h int) *Viewer {
	v := NewViewer(src, viewerKeys(), theme.Plain())
	v.SetFocused(true)
	v.SetSize(w, h)
	return v
}

func window(v *Viewer) string {
	from, to, total := v.Window()
	return fmt.Sprintf("%d-%d/%d", from, to, total)
}

func TestViewerScrolls(t *testing.T) {
	tests := []struct{ keys, want string }{
		{"j", "1-11/100"},
		{"j k", "0-10/100"},
		{"k", "0-10/100"},
		{"ctrl+d", "5-15/100"},
		{"pgdown", "9-19/100"},
		{"pgdown pgup", "0-10/100"},
		{"G", "90-100/100"},
		{"G j", "90-100/100"},
		{"G ctrl+u", "85-95/100"},
		{"G g", "0-10/100"},
	}
	for _, tt := range tests {
		v := newViewer(newCounted(manyLines(100)...), 20, 10)
		press(t, v, strings.Fields(tt.keys)...)
		if got := window(v); got != tt.want {
			t.Errorf("%s: shows %s, want %s", tt.keys, got, tt.want)
		}
	}
}

func TestViewerMarksALine(t *testing.T) {
	tests := []struct {
		keys string
		cur  int
		want string
	}{
		{"j j", 2, "0-10/100"},
		{"ctrl+d", 5, "5-15/100"},
		{"pgdown j", 10, "9-19/100"},
		{"G", 99, "90-100/100"},
		{"G k k", 97, "90-100/100"},
		{"G ctrl+d", 99, "90-100/100"},
		{"G ctrl+u ctrl+u ctrl+d", 94, "85-95/100"},
		{"pgup", 0, "0-10/100"},
		{"G g", 0, "0-10/100"},
	}
	for _, tt := range tests {
		v := newViewer(newCounted(manyLines(100)...), 20, 10)
		v.Select = true
		press(t, v, strings.Fields(tt.keys)...)
		if got := window(v); got != tt.want || v.Current() != tt.cur {
			t.Errorf("%s: line %d, shows %s, want line %d, %s", tt.keys, v.Current(), got, tt.cur, tt.want)
		}
	}
}

func TestViewerView(t *testing.T) {
	src := newCounted("short", "a long line that is cut", "", "天气预报天气预报")
	v := newViewer(src, 12, 5)
	want := "short\na long line…\n\n天气预报天…\n"
	if got := uitest.Plain(v.View()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	press(t, v, "l")
	if got, want := uitest.Plain(v.View()), "\nine that is…\n\n天气预报\n"; got != want {
		t.Errorf("sideways: got\n%s\nwant\n%s", got, want)
	}
	press(t, v, "l", "l", "l", "l")
	if got, want := uitest.Plain(v.View()), "\n is cut\n\n\n"; got != want {
		t.Errorf("to the end: got\n%s\nwant\n%s", got, want)
	}
	press(t, v, "h", "h", "h", "h")
	if got := uitest.Plain(v.View()); got != want {
		t.Errorf("and back: got\n%s", got)
	}

	v.Select, v.Numbers = true, true
	v.SetSize(14, 3)
	press(t, v, "j")
	if got, want := uitest.Plain(v.View()), "   1  short\n▌  2  a long …\n   3"; got != want {
		t.Errorf("with a gutter: got\n%s\nwant\n%s", got, want)
	}
}

func TestViewerWraps(t *testing.T) {
	src := newCounted("one", "the quick brown fox jumps", "天气预报天气", "0123456789012345678901234", "end")
	v := newViewer(src, 10, 20)
	press(t, v, "w")
	want := []string{"one", "the quick", "brown fox", "jumps", "天气预报天", "气", "0123456789", "0123456789", "01234", "end"}
	got := strings.Split(strings.TrimRight(uitest.Plain(v.View()), "\n"), "\n")
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}

	other := newViewer(newCounted("ten cells! are full"), 10, 3)
	press(t, other, "w")
	if got := strings.ReplaceAll(uitest.Plain(other.View()), "\n", "|"); got != "ten cells!|are full|" {
		t.Errorf("got %q", got)
	}

	v.SetSize(10, 3)
	shows := func(keys, want string) {
		t.Helper()
		press(t, v, strings.Fields(keys)...)
		if got := strings.ReplaceAll(uitest.Plain(v.View()), "\n", "|"); got != want {
			t.Errorf("%s: got %s, want %s", keys, got, want)
		}
	}
	shows("j j", "brown fox|jumps|天气预报天")
	shows("k", "the quick|brown fox|jumps")
	shows("G", "0123456789|01234|end")
	shows("j", "0123456789|01234|end")
	shows("k k", "气|0123456789|0123456789")
	shows("g", "one|the quick|brown fox")
	shows("w", "one|the quick…|天气预报…")
}

func TestViewerGoesThroughALineLongerThanTheScreen(t *testing.T) {
	src := newCounted("a", strings.Repeat("0123456789", 10), "z")
	v := newViewer(src, 11, 3)
	v.Select = true
	v.SetWrap(true)
	seen := []string{}
	for range 12 {
		seen = append(seen, fmt.Sprint(v.Current(), v.top.row))
		press(t, v, "j")
	}
	if got := fmt.Sprint(seen); got != "[0 0 1 0 1 0 1 1 1 2 1 3 1 4 1 5 1 6 1 7 2 8 2 8]" {
		t.Errorf("went %s", got)
	}
	press(t, v, "k", "k", "k")
	if v.Current() != 1 {
		t.Errorf("back at line %d", v.Current())
	}
}

func TestViewerFollows(t *testing.T) {
	src := newCounted(manyLines(5)...)
	v := newViewer(src, 20, 3)
	v.SetFollow(true)
	add := func() {
		src.text = append(src.text, "more")
		v.Refresh()
	}
	add()
	if got := window(v); got != "3-6/6" {
		t.Errorf("following: shows %s", got)
	}
	press(t, v, "k")
	add()
	if got := window(v); got != "2-5/7" {
		t.Errorf("scrolled up: shows %s", got)
	}
	press(t, v, "G")
	add()
	if got := window(v); got != "5-8/8" {
		t.Errorf("at the end again: shows %s", got)
	}
	src.text = src.text[:1]
	v.Refresh()
	if got := window(v); got != "0-1/1" {
		t.Errorf("when text went: shows %s", got)
	}
}

func TestViewerSearches(t *testing.T) {
	src := newCounted("Alpha beta", "gamma", "alphabet ALPHA", "delta", "the end alpha")
	v := newViewer(src, 20, 2)
	at := func() string { return fmt.Sprint(v.hit.line, ":", v.hit.at) }
	if !v.Search("alpha") || at() != "0:0" {
		t.Errorf("first hit at %s", at())
	}
	var got []string
	for range 4 {
		press(t, v, "n")
		got = append(got, at())
	}
	for range 2 {
		press(t, v, "N")
		got = append(got, at())
	}
	if want := "[2:0 2:9 4:8 0:0 4:8 2:9]"; fmt.Sprint(got) != want {
		t.Errorf("went %v, want %s", got, want)
	}
	if v.Search("Alpha"); v.NextHit(1) && at() != "0:0" {
		t.Errorf("with a capital, the only hit is at %s", at())
	}
	if v.Search("nowhere") || v.Update(uitest.Key("n")) {
		t.Error("a hit where there is none")
	}
	if !v.Search("") || v.Update(uitest.Key("n")) {
		t.Error("an ended search goes on")
	}
}

func TestViewerShowsHitsSideways(t *testing.T) {
	src := newCounted(strings.Repeat("x", 500) + "needle" + strings.Repeat("y", 500))
	v := newViewer(src, 40, 2)
	v.Search("needle")
	if !strings.Contains(v.View(), "needle") {
		t.Errorf("the hit does not show:\n%s", v.View())
	}
	v.SetWrap(true)
	v.NextHit(1)
	if !strings.Contains(strings.ReplaceAll(v.View(), "\n", ""), "needle") {
		t.Errorf("the hit does not show when wrapped:\n%s", v.View())
	}
}

func TestViewerMarksHits(t *testing.T) {
	v := NewViewer(newCounted("abcabc"), viewerKeys(), theme.New(true))
	v.SetSize(10, 1)
	v.Search("bc")
	st := theme.New(true)
	want := "a" + st.Match.On(st.Accent).Render("bc") + "a" + st.Match.Render("bc") + "    "
	if got := v.View(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestViewerAsksOnlyForWhatShows(t *testing.T) {
	src := newCounted(manyLines(100_000)...)
	v := newViewer(src, 80, 20)
	v.Numbers, v.Select = true, true
	v.View()
	press(t, v, "G", "k", "k")
	v.View()
	if n := len(src.asked); n > 45 {
		t.Errorf("two screens of 20 lines asked for %d", n)
	}
	v.SetWrap(true)
	press(t, v, "g", "G")
	v.View()
	if n := len(src.asked); n > 90 {
		t.Errorf("wrapped screens of 20 lines asked for %d", n)
	}
	for i, n := range src.asked {
		if n > 4 {
			t.Errorf("line %d was asked for %d times", i, n)
		}
	}
}

func TestViewerClick(t *testing.T) {
	v := newViewer(newCounted(manyLines(50)...), 20, 5)
	if v.Update(uitest.Click(3, 3)) {
		t.Error("a viewer without a mark took a click")
	}
	v.Select = true
	v.Update(uitest.Wheel(0, 0, 1))
	if !v.Update(uitest.Click(3, 3)) || v.Current() != 6 {
		t.Errorf("clicked line %d", v.Current())
	}
	if v.Update(uitest.Click(3, 50)) {
		t.Error("a click below was taken")
	}
}

func TestViewerEmpty(t *testing.T) {
	v := newViewer(nil, 20, 3)
	v.Empty = []theme.Text{"no result yet", "ctrl+s sends"}
	for _, k := range []string{"j", "k", "G", "g", "ctrl+d", "pgup", "w", "l", "h", "n"} {
		v.Update(uitest.Key(k))
	}
	v.Update(uitest.Click(0, 0))
	if got := uitest.Plain(v.View()); got != " no result yet\n ctrl+s sends\n" {
		t.Errorf("got %q", got)
	}
	if v.Search("x") {
		t.Error("a hit in nothing")
	}
}

func TestViewerInvariants(t *testing.T) {
	for _, wrap := range []bool{false, true} {
		t.Run(fmt.Sprint("wrap=", wrap), func(t *testing.T) {
			uitest.Invariants(t, func(text string) func(w, h int) string {
				var lines []string
				for i := range 30 {
					lines = append(lines, fmt.Sprint(i, " ", text))
				}
				v := newViewer(NewBytes([]byte(strings.Join(lines, "\n"))), 10, 10)
				v.SetStyles(theme.New(true))
				v.Select, v.Numbers = true, true
				v.SetWrap(wrap)
				v.Search("e")
				return func(w, h int) string {
					v.SetSize(w, h)
					v.Update(uitest.Key("j"))
					v.Update(uitest.Key("l"))
					return v.View()
				}
			})
		})
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		text    theme.Text
		w, most int
		want    string
	}{
		{"the quick brown fox", 10, 5, `["the quick " "brown fox"]`},
		{"the quick brown fox", 10, 1, `["the quick…"]`},
		{"of ten cells that end a word", 12, 5, `["of ten cells" "that end a " "word"]`}, // not " that end a"
		{"a  b", 2, 5, `["a " "b"]`},
		{"", 10, 3, `[""]`},
		{"abc", 0, 3, `[]`},
		{"天气预报", 5, 2, `["天气" "预报"]`},
	}
	for _, tt := range tests {
		if got := fmt.Sprintf("%q", Wrap(tt.text, tt.w, tt.most)); got != tt.want {
			t.Errorf("%q in %d rows of %d: %s, want %s", tt.text, tt.most, tt.w, got, tt.want)
		}
	}
}

func TestBytes(t *testing.T) {
	tests := []struct {
		in   string
		want []theme.Text
	}{
		{"", nil},
		{"a", []theme.Text{"a"}},
		{"a\n", []theme.Text{"a"}},
		{"a\n\n", []theme.Text{"a", ""}},
		{"\na\r\nb", []theme.Text{"", "a␍", "b"}},
	}
	for _, tt := range tests {
		b := NewBytes([]byte(tt.in))
		var got []theme.Text
		for i := range b.Lines() {
			got = append(got, b.Line(i).Text)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestQuery(t *testing.T) {
	tests := []struct {
		query, text string
		from        int
		want        string
	}{
		{"beta", "Alpha BETA", 0, "6-10"},
		{"Beta", "Alpha BETA Beta", 0, "11-15"},
		{"气", "天气", 0, "3-6"},
		{"\x1b", "a␛b", 0, "1-4"},
		{"aa", "aaa", 1, "1-3"},
		{"x", "abc", 0, "none"},
		{"", "abc", 0, "none"},
		{"c", "abc", 9, "none"},
	}
	for _, tt := range tests {
		got := "none"
		if s, e, ok := NewQuery(tt.query).Find(theme.Text(tt.text), tt.from); ok {
			got = fmt.Sprintf("%d-%d", s, e)
		}
		if got != tt.want {
			t.Errorf("%q in %q from %d: %s, want %s", tt.query, tt.text, tt.from, got, tt.want)
		}
	}
}

func BenchmarkViewerView(b *testing.B) {
	line := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("quota ", 16) + `"}}`
	src := NewBytes([]byte(strings.Repeat(line+"\n", 100_000)))
	mega := NewBytes([]byte(strings.Repeat("0123456789 ", 100_000)))
	for _, bm := range []struct {
		name string
		src  Source
		wrap bool
		key  string
	}{
		{"still", src, false, ""},
		{"scroll", src, false, "j"},
		{"scroll wrapped", src, true, "j"},
		{"scroll one line of 1 MB wrapped", mega, true, "j"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			v := NewViewer(bm.src, viewerKeys(), theme.New(true))
			v.Numbers = true
			v.SetSize(200, 58)
			v.SetWrap(bm.wrap)
			b.ReportAllocs()
			for b.Loop() {
				if bm.key != "" {
					v.Update(uitest.Key(bm.key))
				}
				v.View()
			}
		})
	}
}
