package form

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/client/rawjson"
	"parley/ui/theme"
	"parley/ui/uitest"
)

func TestView(t *testing.T) {
	for _, tt := range []struct {
		name, keys string
		w, h       int
	}{
		{"untouched", "", 80, 16},
		{"typing", "enter '40.7128' tab '-74.006' esc j right k enter", 80, 16},
		{"wrong", "enter '40,7' tab '-74' tab tab '1.5' esc", 80, 16},
		{"lines", "G k k enter 'one' enter 'two' enter 'three'", 80, 16},
		{"json", "G enter '[\"a\",' enter 'true]'", 80, 16},
		{"wide", "j j enter", 120, 20},
		{"narrow", "j enter '5'", 40, 14},
		{"low", "G enter", 60, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newForm(t, forecast)
			f.SetSize(tt.w, tt.h)
			do(t, f, tt.keys)
			view := f.View()
			if err := uitest.Check(view, tt.w, tt.h); err != nil {
				t.Error(err)
			}
			cursor := "no cursor"
			if c := f.Cursor(); c != nil {
				cursor = fmt.Sprintf("cursor %d,%d", c.X, c.Y)
			}
			uitest.Golden(t, view+"\n"+cursor)
		})
	}
}

func TestTheChosenRowShows(t *testing.T) {
	var fields []string
	for i := range 40 {
		fields = append(fields, fmt.Sprintf(`"field%d":{"type":"string","description":"about %d"}`, i, i))
	}
	f := newForm(t, `{"type":"object","properties":{`+strings.Join(fields, ",")+`}}`)
	for _, h := range []int{1, 2, 3, 5, 10, 30} {
		f.SetSize(80, h)
		do(t, f, "g")
		for i := range 40 {
			if !strings.Contains(f.View(), fmt.Sprintf("field%d ", i)) {
				t.Errorf("%d rows: field %d does not show:\n%s", h, i, f.View())
			}
			do(t, f, "enter")
			if f.Cursor() == nil {
				t.Errorf("%d rows: field %d has no cursor", h, i)
			}
			do(t, f, "esc j")
		}
	}
}

func TestTheCursorOfManyLinesShows(t *testing.T) {
	f := newForm(t, forecast)
	f.SetSize(60, 4)
	do(t, f, "G k k enter")
	for i := range 12 {
		do(t, f, "'x' enter")
		if f.Cursor() == nil {
			t.Errorf("line %d: no cursor:\n%s", i, f.View())
		}
	}
}

func TestMouse(t *testing.T) {
	f := newForm(t, forecast)
	row := func(name string) int {
		for y, line := range strings.Split(uitest.Plain(f.View()), "\n") {
			if len(line) > 4 && strings.HasPrefix(strings.TrimLeft(line, "▌│ "), name) {
				return y
			}
		}
		t.Fatalf("%s does not show", name)
		return 0
	}
	_, value, _ := f.columns()

	y := row("days")
	f.Update(uitest.Click(2, y))
	if f.Current() != "days" || f.Typing() {
		t.Errorf("a click on the name chose %q, typing %v", f.Current(), f.Typing())
	}
	y = row("longitude")
	f.Update(uitest.Click(value+1, y))
	do(t, f, "'12'")
	if f.Current() != "longitude" || text(t, f) != `{"longitude":12}` {
		t.Errorf("a click on the value typed into %q: %s", f.Current(), text(t, f))
	}
	y = row("longitude")
	f.Update(uitest.Click(value+1, y))
	do(t, f, "'0'")
	if got := text(t, f); got != `{"longitude":102}` {
		t.Errorf("a click in the text put the cursor elsewhere: %s", got)
	}
	do(t, f, "esc")
	y = row("units")
	f.Update(uitest.Click(value+1, y))
	y = row("units")
	f.Update(uitest.Click(value+1, y))
	if got := text(t, f); got != `{"longitude":102,"units":"metric"}` {
		t.Errorf("two clicks on choices: %s", got)
	}
	if f.Update(uitest.Click(1, 23)) {
		t.Error("a click on the preview was taken")
	}
	f.SetSize(80, 5)
	f.Update(uitest.Key("g"))
	if !f.Update(uitest.Wheel(1, 1, 1)) || f.off != 3 {
		t.Errorf("the wheel went to %d", f.off)
	}
}

func TestInvariants(t *testing.T) {
	uitest.Invariants(t, func(text string) func(w, h int) string {
		quoted := string(rawjson.Quote(nil, text))
		name := quoted
		if len(name) > 1000 {
			name = `"long"`
		}
		src := `{"type":"object","title":` + quoted + `,"properties":{` + name + `:{"type":"string","title":` + quoted +
			`,"description":` + quoted + `},"e":{"enum":[` + quoted + `,"b"]},"j":{"type":"array","default":[` + quoted + `]},"n":{"type":"number"}}}`
		f := newForm(t, src)
		f.SetStyles(theme.New(true))
		f.Update(uitest.Key("enter"))
		f.Update(uitest.Paste(text))
		f.Goto("j")
		f.Update(uitest.Paste(quoted))
		f.Goto("n")
		f.Update(uitest.Paste(text))
		f.Check()
		i := 0
		return func(w, h int) string {
			f.SetSize(w, h)
			f.choose(i % len(f.rows))
			i++
			if c := f.Cursor(); c != nil && (c.X < 0 || c.X >= w || c.Y < 0 || c.Y >= h) {
				t.Errorf("%dx%d: cursor at %v", w, h, c.Position)
			}
			return f.View()
		}
	})
}

func BenchmarkView(b *testing.B) {
	var fields []string
	for i := range 1000 {
		fields = append(fields, fmt.Sprintf(`"field%d":{"type":"string","description":"about %d"}`, i, i))
	}
	f := newForm(b, `{"type":"object","properties":{`+strings.Join(fields, ",")+`}}`)
	f.SetStyles(theme.New(true))
	f.SetSize(120, 40)
	f.choose(500)
	b.Run("still", func(b *testing.B) {
		for b.Loop() {
			f.View()
		}
	})
	b.Run("type", func(b *testing.B) {
		f.Start()
		for b.Loop() {
			f.Update(uitest.Key("x"))
			f.View()
			f.Update(uitest.Key("backspace"))
		}
	})
}

func TestFormHoldsUnderAnyKeys(t *testing.T) {
	f := newForm(t, forecast)
	names := strings.Fields("a 1 { \" 天 space enter enter esc tab shift+tab up down left right backspace ctrl+w ctrl+k ctrl+l ctrl+n j k g G")
	rnd := rand.New(rand.NewPCG(7, 8))
	w, h := 80, 24
	for i := range 5000 {
		name := names[rnd.IntN(len(names))]
		f.Update(uitest.Key(name))
		switch rnd.IntN(40) {
		case 0:
			w, h = rnd.IntN(100), rnd.IntN(20)
			f.SetSize(w, h)
		case 1:
			f.Update(uitest.Click(rnd.IntN(100), rnd.IntN(20)))
		case 2:
			g := newForm(t, forecast)
			g.Restore(f.Snapshot())
			if text(t, g) != text(t, f) {
				t.Fatalf("step %d: restored %s, was %s", i, text(t, g), text(t, f))
			}
		case 3:
			if raw, err := f.JSON(); err == nil {
				g := newForm(t, forecast)
				if err := g.SetJSON(raw); err != nil || text(t, g) != string(raw) {
					t.Fatalf("step %d: %s became %s, %v", i, raw, text(t, g), err)
				}
			}
		}
		if err := uitest.Check(f.View(), w, h); err != nil {
			t.Fatalf("step %d, after %s: %v", i, name, err)
		}
		if raw, err := f.JSON(); err == nil {
			if at, reason, ok := rawjson.Valid(raw); !ok {
				t.Fatalf("step %d: %s is not JSON at %d: %s", i, raw, at, reason)
			}
		}
	}
}
