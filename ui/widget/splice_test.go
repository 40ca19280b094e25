package widget_test

import (
	"testing"

	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/widget"
)

func TestSplice(t *testing.T) {
	for name, c := range map[string]struct {
		from, to int
		s, want  string
		at       int
	}{
		"in the middle":       {5, 8, "echo", "call echo x", 9},
		"at the end":          {10, 10, "yz", "call ech xyz", 12},
		"nothing":             {0, 5, "", "ech x", 0},
		"beyond both ends":    {-3, 99, "a", "a", 1},
		"the wrong way round": {5, 2, "!", "call !ech x", 6},
	} {
		t.Run(name, func(t *testing.T) {
			f := widget.NewField(keys.New().Console.Edit, theme.Plain())
			f.SetText("call ech x")
			if f.At() != len(f.Text()) {
				t.Errorf("the cursor is at %d", f.At())
			}
			f.Splice(c.from, c.to, c.s)
			if f.Text() != c.want || f.At() != c.at {
				t.Errorf("got %q, cursor at %d, want %q and %d", f.Text(), f.At(), c.want, c.at)
			}
		})
	}
}
