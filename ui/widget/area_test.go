package widget

import (
	"math/rand/v2"
	"strings"
	"testing"

	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/uitest"
)

func newArea(w, h int) *Area {
	k := keys.New()
	a := NewArea(k.Field.Edit, k.Field.Fields, theme.Plain())
	a.SetFocused(true)
	a.SetSize(w, h)
	return a
}

// areaWithCursor is the text with | where the cursor stands.
func areaWithCursor(a *Area) string {
	var lines []string
	for i, l := range a.lines {
		s := string(l.text)
		if i == a.line {
			s = s[:a.at] + "|" + s[a.at:]
		}
		lines = append(lines, s)
	}
	return strings.Join(lines, "\n")
}

func TestAreaEdits(t *testing.T) {
	tests := []struct {
		text, keys, want string
	}{
		{"", "a enter b", "a\nb|"},
		{"ab", "left enter", "a\n|b"},
		{"a\nb", "home backspace", "a|b"},
		{"a\nb", "up end delete", "a|b"},
		{"a\nb", "home left", "a|\nb"},
		{"a\nb", "up right", "a\n|b"},
		{"one\ntwo", "ctrl+a", "one\n|two"},
		{"one\ntwo", "up ctrl+k", "one|\ntwo"},
		{"one\ntwo", "ctrl+u", "one\n|"},
		{"one\ntwo", "ctrl+u up ctrl+u", "|one\n"},
		{"long line\nx\nlong line", "up up", "long line|\nx\nlong line"},
		{"a\n\nb", "up backspace", "a|\nb"},
		{"0123456789abc", "up x", "012x|3456789abc"},
		{"0123456789abc", "home down x", "0123456789x|abc"},
	}
	for _, tt := range tests {
		a := newArea(11, 5)
		a.SetText(tt.text)
		press(t, a, strings.Fields(tt.keys)...)
		if got := areaWithCursor(a); got != tt.want {
			t.Errorf("%q, %s: got %q, want %q", tt.text, tt.keys, got, tt.want)
		}
	}
	a := newArea(11, 5)
	for _, k := range []string{"up", "down", "tab", "esc", "ctrl+s", "backspace", "delete"} {
		if a.Update(uitest.Key(k)) && k != "delete" && k != "backspace" {
			t.Errorf("%s was taken though there is nothing for it to do", k)
		}
	}
}

func TestAreaKeepsEveryByte(t *testing.T) {
	for name, text := range uitest.Texts() {
		a := newArea(20, 5)
		if a.SetText(text); a.Text() != text {
			t.Errorf("%s: the text was changed", name)
		}
	}
	a := newArea(20, 5)
	a.SetText("<>")
	press(t, a, "left")
	a.Update(uitest.Paste("one\rtwo\r\nthree"))
	press(t, a, "!")
	if got, want := areaWithCursor(a), "<one\ntwo\nthree!|>"; got != want {
		t.Errorf("pasted %q, want %q", got, want)
	}
}

func TestAreaWrapsAndScrolls(t *testing.T) {
	a := newArea(6, 3)
	a.Hint = "hint"
	if got := uitest.Plain(a.View()); got != "hint\n\n" {
		t.Errorf("empty: %q", got)
	}
	a.SetText("0123456789\n天气预报\nend")
	shows := func(keys, want string, x, y int) {
		t.Helper()
		press(t, a, strings.Fields(keys)...)
		if got := strings.ReplaceAll(uitest.Plain(a.View()), "\n", "|"); got != want {
			t.Errorf("%s: shows %s, want %s", keys, got, want)
		}
		if c := a.Cursor(); c.X != x || c.Y != y {
			t.Errorf("%s: cursor at %d,%d, want %d,%d", keys, c.X, c.Y, x, y)
		}
	}
	shows("", "天气|预报|end", 3, 2)
	shows("up", "天气|预报|end", 2, 1)
	shows("up up", "56789|天气|预报", 3, 0)
	shows("home", "01234|56789|天气", 0, 0)
	shows("down down down", "56789|天气|预报", 0, 2)
	if got := a.Rows(100); got != 5 {
		t.Errorf("%d rows", got)
	}
	a.Update(uitest.Click(3, 0))
	if got := areaWithCursor(a); !strings.HasPrefix(got, "01234567|89") {
		t.Errorf("clicked %q", got)
	}
	a.Update(uitest.Wheel(0, 0, 1))
	shows("", "天气|预报|end", 3, 2)
	a.SetSize(30, 3)
	shows("", "0123456789|天气预报|end", 3, 2)
}

func TestAreaAgainstPlainText(t *testing.T) {
	names := []string{"a", "天", "space", "enter", "left", "right", "up", "down", "backspace", "delete", "home", "end", "ctrl+w", "ctrl+k", "alt+b", "alt+f"}
	rnd := rand.New(rand.NewPCG(1, 2))
	a := newArea(9, 4)
	for range 20_000 {
		name := names[rnd.IntN(len(names))]
		before := areaWithCursor(a)
		a.Update(uitest.Key(name))
		after := areaWithCursor(a)
		switch at := strings.IndexByte(before, '|'); name {
		case "a", "天", "space", "enter":
			typed := map[string]string{"space": " ", "enter": "\n"}[name]
			if typed == "" {
				typed = name
			}
			if want := before[:at] + typed + before[at:]; after != want {
				t.Fatalf("%s: %q became %q", name, before, after)
			}
		case "left", "right", "up", "down", "home", "end", "alt+b", "alt+f":
			if strings.Replace(after, "|", "", 1) != strings.Replace(before, "|", "", 1) {
				t.Fatalf("%s changed %q to %q", name, before, after)
			}
		default:
			if len(after) > len(before) {
				t.Fatalf("%s lengthened %q to %q", name, before, after)
			}
		}
		c := a.Cursor()
		if err := uitest.Check(a.View(), 9, 4); err != nil || c.X < 0 || c.X > 8 || c.Y < 0 || c.Y > 3 {
			t.Fatalf("after %s in %q: cursor %v, %v", name, after, c.Position, err)
		}
		if len(after) > 120 {
			a.SetText("")
		}
	}
}

func TestAreaInvariants(t *testing.T) {
	uitest.Invariants(t, func(text string) func(w, h int) string {
		a := newArea(10, 5)
		a.SetStyles(theme.New(true))
		a.Update(uitest.Paste(text + "\n" + text))
		return func(w, h int) string {
			a.SetSize(w, h)
			a.Update(uitest.Key("up"))
			if c := a.Cursor(); c != nil && (c.X < 0 || c.X >= max(1, w) || c.Y < 0 || c.Y >= max(1, h)) {
				t.Errorf("%dx%d: cursor at %v", w, h, c.Position)
			}
			return a.View()
		}
	})
}

func BenchmarkAreaType(b *testing.B) {
	a := newArea(80, 20)
	a.SetText(strings.Repeat("a line of some length, as people write them\n", 20_000))
	b.ReportAllocs()
	for b.Loop() {
		a.Update(uitest.Key("x"))
		a.View()
		a.Update(uitest.Key("backspace"))
	}
}
