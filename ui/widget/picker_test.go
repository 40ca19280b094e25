package widget_test

import (
	"strconv"
	"strings"
	"testing"

	"parley/ui/theme"
	"parley/ui/uitest"
	"parley/ui/widget"
)

func numbered(n int) *widget.Picker {
	p := widget.NewPicker(theme.Plain())
	p.Title = "numbers"
	p.Set(n, -1, func(i int) widget.Option {
		return widget.Option{Label: theme.Text("number " + strconv.Itoa(i)), Info: "a number", Right: "key"}
	})
	return p
}

func TestThePickerShowsWhatIsChosen(t *testing.T) {
	p := numbered(30)
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() { p.Step(1) }, "number 0"},
		{func() { p.Step(-1) }, "number 29"},
		{func() { p.Step(1) }, "number 0"},
		{func() { p.Page(1) }, "number 4"},
		{func() { p.Page(9) }, "number 29"},
		{func() { p.Page(-1) }, "number 25"},
	} {
		c.do()
		rows := p.Rows(40, 6)
		if len(rows) != 6 {
			t.Fatalf("%d rows", len(rows))
		}
		if got := strings.Join(rows, "\n"); !strings.Contains(got, " ▌"+c.want+" ") {
			t.Errorf("%q is not shown as chosen:\n%s", c.want, got)
		}
	}
}

func TestAPickerWithoutOptionsShowsNothing(t *testing.T) {
	p := numbered(0)
	p.Step(1)
	p.Page(1)
	if rows := p.Rows(40, 6); rows != nil || p.At() != -1 {
		t.Errorf("%q, %d", rows, p.At())
	}
}

func TestThePickersRowsFit(t *testing.T) {
	uitest.Invariants(t, func(text string) func(w, h int) string {
		p := widget.NewPicker(theme.New(true))
		p.Set(5, 2, func(int) widget.Option {
			label := theme.SafeCut(text, 400)
			return widget.Option{Label: label, Hits: []int{0, 1, len(label) / 2}, Info: label, Right: "ctrl+s"}
		})
		return func(w, h int) string {
			rows := p.Rows(w, h)
			for len(rows) < h {
				rows = append(rows, theme.Spaces(w))
			}
			return strings.Join(rows, "\n")
		}
	})
}
