package layout

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// drawing shows a layout as boxes.
func drawing(a Args) string {
	if a.Width <= 0 || a.Height <= 0 {
		return ""
	}
	l := New(a)
	if l.TooSmall {
		return fmt.Sprintf("too small: %dx%d needs %dx%d", a.Width, a.Height, MinWidth, MinHeight)
	}
	var blocks []Block
	fill := func(r Rect, name string, with string) {
		if r.Empty() {
			return
		}
		lines := make([]string, r.H)
		for i := range lines {
			lines[i] = strings.Repeat(with, r.W)
		}
		lines[0] = name + lines[0][len(name)*len(with):]
		blocks = append(blocks, Block{r, strings.Join(lines, "\n")})
	}
	fill(l.Header, "header", " ")
	fill(l.Footer, "footer", " ")
	for p := range panes {
		r := l.Rect(p)
		fill(r, fmt.Sprintf("%dx%d", r.W, r.H), " ")
	}
	for _, r := range l.Rules {
		line := []rune("─ " + r.Pane.String() + " " + strings.Repeat("─", r.W))[:r.W]
		if r.Joint > 0 {
			line[r.Joint] = '┴'
		}
		blocks = append(blocks, Block{r.Rect, string(line)})
	}
	if d := l.Divider; !d.Empty() {
		runes := []rune(strings.Repeat("│", d.H))
		runes[0] = '┬'
		for _, y := range l.Tees {
			runes[y] = '├'
		}
		blocks = append(blocks, Block{d, strings.Join(strings.Split(string(runes), ""), "\n")})
	}
	lines := strings.Split(Compose(a.Width, a.Height, blocks...), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func TestDrawings(t *testing.T) {
	for _, size := range [][2]int{{39, 11}, {40, 12}, {60, 20}, {80, 24}, {110, 34}, {120, 40}, {200, 60}} {
		for _, tt := range []struct {
			name string
			Args
		}{
			{"list", Args{Focus: List}},
			{"result", Args{Focus: Result, Result: true}},
			{"console", Args{Focus: Console, Console: true, Result: true}},
			{"traffic", Args{Focus: Traffic, Console: true}},
			{"frame", Args{Focus: Frame, Frame: true}},
			{"zoom", Args{Focus: Traffic, Zoom: true}},
		} {
			t.Run(fmt.Sprintf("%dx%d %s", size[0], size[1], tt.name), func(t *testing.T) {
				tt.Width, tt.Height = size[0], size[1]
				golden.RequireEqual(t, drawing(tt.Args)+"\n")
			})
		}
	}
}

// each calls f with every combination of arguments worth a look.
func each(f func(Args)) {
	for _, w := range []int{0, 39, 40, 60, 79, 80, 99, 100, 120} {
		for _, h := range []int{0, 11, 12, 13, 23, 24, 31, 32, 40} {
			for bits := range 16 {
				for focus := range panes {
					for _, share := range []int{0, 1, 50, 100} {
						f(Args{
							Width: w, Height: h, Focus: focus,
							Zoom: bits&1 != 0, Console: bits&2 != 0, Result: bits&4 != 0, Frame: bits&8 != 0,
							ListShare: share, TrafficShare: share,
						})
					}
				}
			}
		}
	}
}

func TestEveryCellBelongsToOnePlace(t *testing.T) {
	each(func(a Args) {
		l := New(a)
		if l.TooSmall {
			if a.Width >= MinWidth && a.Height >= MinHeight {
				t.Fatalf("%+v: too small", a)
			}
			return
		}
		taken := make([]int, a.Width*a.Height)
		take := func(r Rect) {
			for y := r.Y; y < r.Y+r.H; y++ {
				for x := r.X; x < r.X+r.W; x++ {
					if x < 0 || y < 0 || x >= a.Width || y >= a.Height {
						t.Fatalf("%+v: %+v is off the screen", a, r)
					}
					taken[y*a.Width+x]++
				}
			}
		}
		take(l.Header)
		take(l.Footer)
		take(l.Divider)
		for p := range panes {
			take(l.Rect(p))
		}
		for _, r := range l.Rules {
			take(r.Rect)
		}
		for i, n := range taken {
			if n != 1 {
				t.Fatalf("%+v: cell %d,%d belongs to %d places", a, i%a.Width, i/a.Width, n)
			}
		}
	})
}

func TestWhoHasTheKeysShows(t *testing.T) {
	each(func(a Args) {
		l := New(a)
		possible := (a.Focus != Result || a.Result) && (a.Focus != Frame || a.Frame) &&
			(!a.Frame || a.Focus != List && a.Focus != Detail && a.Focus != Result)
		if l.TooSmall || a.Focus == None || !possible {
			return
		}
		if r := l.Rect(a.Focus); r.W < MinWidth && r.W < minList || r.H < 1 {
			t.Fatalf("%+v: the focused pane is %+v", a, r)
		}
	})
}

func TestAtMostFiveRowsAreChrome(t *testing.T) {
	each(func(a Args) {
		if a.Width > 99 || a.Height != 24 {
			return
		}
		l := New(a)
		if n := len(l.Rules) + 2; !l.TooSmall && n > 5 {
			t.Fatalf("%+v: %d rows of chrome", a, n)
		}
	})
}

func TestLayoutDoesNotDependOnFocusWhereThereIsRoom(t *testing.T) {
	a := Args{Width: 120, Height: 40, Result: true, Console: true}
	a.Focus = List
	want := drawing(a)
	for _, p := range []Pane{Detail, Result, Traffic, Console} {
		a.Focus = p
		if got := drawing(a); got != want {
			t.Errorf("with the keys at %v the screen is\n%s", p, got)
		}
	}
}

func TestHit(t *testing.T) {
	l := New(Args{Width: 110, Height: 34, Focus: List, Result: true})
	for _, tt := range []struct {
		x, y int
		want Pane
	}{
		{0, 0, None}, {0, 1, List}, {46, 5, List}, {47, 5, None}, {48, 5, Detail}, {109, 20, Result},
		{3, 32, Traffic}, {3, 33, None}, {-1, 5, None}, {300, 5, None},
	} {
		if got := l.Hit(tt.x, tt.y); got != tt.want {
			t.Errorf("%d,%d is %v, want %v", tt.x, tt.y, got, tt.want)
		}
	}
}

func TestOverlay(t *testing.T) {
	tests := []struct {
		screen string
		box    Block
		want   string
	}{
		{"abcdef\nghijkl\nmnopqr", Block{Rect{2, 1, 2, 1}, "##"}, "abcdef\ngh##kl\nmnopqr"},
		{"\x1b[31mabcdef\x1b[m", Block{Rect{2, 0, 2, 1}, "##"}, "ab##ef"},
		{"天气天气", Block{Rect{1, 0, 4, 1}, "####"}, " #### 气"},
		{"abc", Block{Rect{0, 0, 3, 2}, "###\n###"}, "###"},
		{"abc", Block{Rect{1, -1, 2, 2}, "##\n##"}, "a##"},
	}
	for _, tt := range tests {
		if got := ansi.Strip(Overlay(tt.screen, tt.box)); got != tt.want {
			t.Errorf("%q on %q: %q, want %q", tt.box.View, tt.screen, got, tt.want)
		}
	}
	got := Overlay("\x1b[31mabcdef\x1b[m", Block{Rect{2, 0, 2, 1}, "##"})
	if _, right, _ := strings.Cut(got, "##"); !strings.Contains(right, "\x1b[31m") {
		t.Errorf("the colour right of the box is lost: %q", got)
	}
}

func TestCentre(t *testing.T) {
	screen := Rect{0, 0, 80, 24}
	if got := Centre(screen, 60, 10); got != (Rect{10, 7, 60, 10}) {
		t.Errorf("got %+v", got)
	}
	if got := Centre(screen, 100, 50); got != screen {
		t.Errorf("a box that is too large gets %+v", got)
	}
}

func BenchmarkCompose(b *testing.B) {
	l := New(Args{Width: 200, Height: 60, Focus: List, Result: true, Console: true})
	var blocks []Block
	for p := range panes {
		if r := l.Rect(p); !r.Empty() {
			line := "\x1b[31m" + strings.Repeat("x", r.W) + "\x1b[m"
			blocks = append(blocks, Block{r, strings.TrimSuffix(strings.Repeat(line+"\n", r.H), "\n")})
		}
	}
	b.Run("blocks", func(b *testing.B) {
		for b.Loop() {
			Compose(200, 60, blocks...)
		}
	})
	screen := Compose(200, 60, blocks...)
	box := Block{Rect{40, 10, 100, 30}, strings.TrimSuffix(strings.Repeat(strings.Repeat("#", 100)+"\n", 30), "\n")}
	b.Run("overlay", func(b *testing.B) {
		for b.Loop() {
			Overlay(screen, box)
		}
	})
}
