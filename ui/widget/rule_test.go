package widget

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/theme"
	"parley/ui/uitest"
)

func TestRule(t *testing.T) {
	st := theme.New(true)
	state := []Part{{"ok", st.OK}, {"310 ms", st.Muted}}
	right := []Part{{".result.content[0].text", st.Muted}}
	tests := []struct {
		name string
		rule Rule
		w    int
		want string
	}{
		{"bare", Rule{Count: -1}, 8, "────────"},
		{"title", Rule{Title: "traffic", Count: 12}, 24, "─ traffic 12 ───────────"},
		{"joint", Rule{Title: "traffic", Count: -1, Joint: 14}, 24, "─ traffic ────┴─────────"},
		{"joint under the title", Rule{Title: "traffic", Count: -1, Joint: 4}, 16, "─ traffic ──────"},
		{"state", Rule{Title: "result", Count: -1, State: state}, 30, "─ result · ok · 310 ms ───────"},
		{"only parts", Rule{Count: -1, State: state}, 22, "─ ok · 310 ms ────────"},
		{"right", Rule{Title: "frame 31", Count: -1, Right: right}, 50, "─ frame 31 ───────────── .result.content[0].text ─"},
		{"no room on the right", Rule{Title: "frame 31", Count: -1, Right: right}, 30, "─ frame 31 ───────────────────"},
		{"cut", Rule{Title: "天气预报天气预报", Count: -1}, 10, "─ 天气预…"},
		{"long", Rule{Count: -1, Joint: 150}, 200, strings.Repeat("─", 150) + "┴" + strings.Repeat("─", 49)},
	}
	for _, tt := range tests {
		got := tt.rule.View(tt.w, st)
		if err := uitest.Check(got, tt.w, 1); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if plain := strings.TrimRight(ansi.Strip(got), " "); plain != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, plain, tt.want)
		}
	}
	focused := Rule{Title: "a", Focused: true, Count: -1}
	if !strings.Contains(focused.View(20, st), st.Focus.Render("a")) {
		t.Error("the focus is not on the title")
	}
	for w := range 60 {
		r := Rule{Title: "天气 result", Count: 3, State: state, Right: right, Joint: w / 2}
		if err := uitest.Check(r.View(w, st), w, 1); err != nil {
			t.Errorf("width %d: %v", w, err)
		}
	}
}

func TestDivider(t *testing.T) {
	l := layout.New(layout.Args{Width: 110, Height: 34, Focus: layout.List, Result: true})
	got := Divider(&l, theme.Plain())
	if err := uitest.Check(got, 1, l.Divider.H); err != nil {
		t.Error(err)
	}
	if want := "┬" + strings.Repeat("│", l.Tees[0]-1) + "├"; !strings.HasPrefix(strings.ReplaceAll(got, "\n", ""), want) {
		t.Errorf("got %s", got)
	}
}

func TestFooter(t *testing.T) {
	k := keys.New()
	want := " enter open   / filter   tab next pane   4 traffic   5 console           ? help "
	if got := ansi.Strip(Footer(k.Footer(keys.InList), 80, theme.New(true))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := Footer(k.Footer(keys.InList), 36, theme.Plain()), " enter open   / filter       ? help "; strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("narrow: %q", got)
	}
	for c := keys.InList; c <= keys.InFilter; c++ {
		got := ansi.Strip(Footer(k.Footer(c), 80, theme.New(true)))
		for _, b := range k.Footer(c) {
			if !strings.Contains(got, b.Help().Key+" "+b.Help().Desc) {
				t.Errorf("context %d: %q is missing in %s", c, b.Help().Desc, got)
			}
		}
		for w := range 90 {
			if err := uitest.Check(Footer(k.Footer(c), w, theme.New(true)), w, 1); err != nil {
				t.Errorf("context %d: %v", c, err)
			}
		}
	}
	k.List.Open.SetEnabled(false)
	if got := Footer(k.Footer(keys.InList), 80, theme.Plain()); strings.Contains(got, "enter") {
		t.Errorf("a disabled key is offered: %s", got)
	}
	if got := Footer(nil, 3, theme.Plain()); got != "   " {
		t.Errorf("no keys: %q", got)
	}
}

func TestHelp(t *testing.T) {
	k := keys.New()
	v := newViewer(Help(k.Active(keys.InTraffic), theme.Plain()), 60, 6)
	want := "Traffic  every frame in the order observed\n" +
		"  enter         open the frame\n" +
		"  k ↑           up\n  j ↓           down\n" +
		"  ctrl+u        half a page up\n  ctrl+d        half a page down"
	if got := uitest.Plain(v.View()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
