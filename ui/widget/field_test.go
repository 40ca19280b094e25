package widget

import (
	"fmt"
	"strings"
	"testing"

	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/uitest"
)

func newField(w int) *Field {
	f := NewField(keys.New().Field.Edit, theme.Plain())
	f.SetFocused(true)
	f.SetSize(w, 1)
	return f
}

// withCursor is the text with | where the cursor stands.
func withCursor(f *Field) string {
	b := &f.buffer
	return string(b.text[:b.at]) + "|" + string(b.text[b.at:])
}

func TestFieldEdits(t *testing.T) {
	tests := []struct {
		text, keys, want string
	}{
		{"", "a B space ?", "aB ?|"},
		{"abc", "left left x", "ax|bc"},
		{"abc", "ctrl+a x ctrl+e y", "xabcy|"},
		{"abc", "home delete end backspace", "b|"},
		{"abc", "left ctrl+u", "|c"},
		{"abc", "left left ctrl+k", "a|"},
		{"get foo_bar", "ctrl+w", "get |"},
		{"get foo_bar", "ctrl+w ctrl+w ctrl+w", "|"},
		{`{"id":1}`, "ctrl+w", `{"id":|`},
		{"one two", "alt+b alt+b", "|one two"},
		{"one two", "ctrl+a alt+f", "one| two"},
		{"one  two", "ctrl+a alt+f alt+f", "one  two|"},
		{"天气", "left backspace", "|气"},
		{"e\u0301x", "left backspace", "|x"},
		{"e\u0301x", "home right right", "e\u0301x|"},
		{"a\xffb", "left backspace", "a|b"},
		{"", "left right backspace delete ctrl+u ctrl+k ctrl+w", "|"},
		{"a", "ctrl+d", "a|"},
	}
	for _, tt := range tests {
		f := newField(20)
		f.SetText(tt.text)
		press(t, f, strings.Fields(tt.keys)...)
		if got := withCursor(f); got != tt.want {
			t.Errorf("%q, %s: got %q, want %q", tt.text, tt.keys, got, tt.want)
		}
	}
	f := newField(20)
	for _, k := range []string{"enter", "tab", "esc", "ctrl+s", "alt+x", "f1", "up"} {
		if f.Update(uitest.Key(k)) {
			t.Errorf("%s was taken", k)
		}
	}
}

func TestFieldKeepsEveryByte(t *testing.T) {
	for name, text := range uitest.Texts() {
		f := newField(20)
		f.SetText(text)
		if f.Text() != text {
			t.Errorf("%s: the text was changed", name)
		}
		f.SetText("")
		f.Update(uitest.Paste(text))
		if got := f.Text(); got != strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n") {
			t.Errorf("%s: the paste is not complete", name)
		}
	}
	f := newField(20)
	f.Update(uitest.Paste("a\tb\x1b[31m\r{\rc"))
	if got, want := f.Text(), "a\tb\x1b[31m\n{\nc"; got != want {
		t.Errorf("pasted %q, want %q", got, want)
	}
}

func TestFieldScrolls(t *testing.T) {
	f := newField(10)
	f.Prompt = "› "
	f.Hint = "type here, and more than fits"
	shows := func(keys, want string, x int) {
		t.Helper()
		press(t, f, strings.Fields(keys)...)
		if got := f.View(); got != want {
			t.Errorf("%s: shows %q, want %q", keys, got, want)
		}
		if got := f.Cursor().X; got != x {
			t.Errorf("%s: cursor at %d, want %d", keys, got, x)
		}
	}
	shows("", "› type he…", 2)
	shows("a b c d e f g", "› abcdefg ", 9)
	shows("h", "› bcdefgh ", 9)
	shows("left left left", "› bcdefgh ", 6)
	shows("home", "› abcdefgh", 2)
	shows("end", "› bcdefgh ", 9)
	shows("backspace", "› abcdefg ", 9)
	shows("ctrl+u 天 气 天 气", "› 气天气  ", 8)
	shows("left", "› 气天气  ", 6)
	f.SetFocused(false)
	if f.Cursor() != nil {
		t.Error("a field without the keys has a cursor")
	}
}

func TestFieldShowsControls(t *testing.T) {
	f := newField(20)
	f.SetText("a\tb\x1b\n\u202e\xff")
	if got, want := f.View(), "a⇥b␛␊⟨U+202E⟩⟨ff⟩   "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	press(t, f, "left", "left")
	if got := f.Cursor().X; got != 5 {
		t.Errorf("cursor at %d, want 5", got)
	}
}

func TestFieldClick(t *testing.T) {
	f := newField(20)
	f.Prompt = "› "
	f.SetText("a天b")
	for x, want := range map[int]string{0: "|a天b", 2: "|a天b", 3: "a|天b", 4: "a|天b", 5: "a天|b", 15: "a天b|"} {
		f.Update(uitest.Click(x, 0))
		if got := withCursor(f); got != want {
			t.Errorf("click at %d: %q, want %q", x, got, want)
		}
	}
}

func TestFieldInvariants(t *testing.T) {
	uitest.Invariants(t, func(text string) func(w, h int) string {
		f := newField(10)
		f.SetStyles(theme.New(true))
		f.Update(uitest.Paste(text))
		return func(w, h int) string {
			f.SetSize(w, h)
			f.Update(uitest.Key("left"))
			if c := f.Cursor(); c != nil && (c.X < 0 || c.X >= max(1, w) || c.Y != 0) {
				t.Errorf("%dx%d: cursor at %v", w, h, c.Position)
			}
			return f.View()
		}
	})
}

func TestRawLineHistory(t *testing.T) {
	l := NewRawLine(keys.New().Console, theme.Plain())
	l.SetFocused(true)
	l.SetSize(40, 1)
	l.SetHistory([]string{"one", "two"})
	is := func(keys, want string) {
		t.Helper()
		press(t, l, strings.Fields(keys)...)
		if got := l.Text(); got != want {
			t.Errorf("%s: %q, want %q", keys, got, want)
		}
	}
	is("d r a f t", "draft")
	is("up", "two")
	is("up up up", "one")
	is("x", "onex")
	is("down down", "draft")
	is("down", "draft")
	is("up", "two")
	if got := l.Enter(); got != "two" || l.Text() != "" {
		t.Errorf("entered %q, left %q", got, l.Text())
	}
	is("n e w", "new")
	l.Enter()
	is("up up up", "one")
	if got := fmt.Sprint(l.History()); got != "[one two new]" {
		t.Errorf("history %s", got)
	}
	l.SetText("")
	if got := l.Enter(); got != "" || len(l.History()) != 3 {
		t.Errorf("an empty line became history: %q", l.History())
	}
	if got := uitest.Plain(l.View()); got != "›" {
		t.Errorf("shows %q", got)
	}
}

func BenchmarkFieldInsertInto1MB(b *testing.B) {
	f := newField(80)
	f.SetText(strings.Repeat("0123456789abcdef", 1<<16))
	b.ReportAllocs()
	for b.Loop() {
		f.Update(uitest.Key("x"))
		f.View()
		f.Update(uitest.Key("backspace"))
	}
}
