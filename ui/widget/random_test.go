package widget

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
	"parley/ui/theme"
	"parley/ui/uitest"
)

// randomly applies messages and sizes in any order, with a fixed seed, and
// checks the view after each.
func randomly(t *testing.T, keys string, update func(tea.Msg), size func(w, h int), view func() string) {
	t.Helper()
	names := strings.Fields(keys)
	rnd := rand.New(rand.NewPCG(3, 4))
	w, h := 40, 10
	size(w, h)
	var last []string
	for range 3000 {
		step := names[rnd.IntN(len(names))]
		switch n := rnd.IntN(20); n {
		case 0:
			w, h = rnd.IntN(60), rnd.IntN(12)
			step = fmt.Sprintf("%dx%d", w, h)
			size(w, h)
		case 1:
			step = "click"
			update(uitest.Click(rnd.IntN(60), rnd.IntN(14)))
		case 2:
			step = "wheel"
			update(uitest.Wheel(0, 0, rnd.IntN(2)*2-1))
		default:
			update(uitest.Key(step))
		}
		last = append(last, step)
		if err := uitest.Check(view(), w, h); err != nil {
			t.Fatalf("after %v: %v", last[max(0, len(last)-10):], err)
		}
	}
}

const moves = "j k ctrl+d ctrl+u pgup pgdown g G "

func TestListHoldsUnderAnyKeys(t *testing.T) {
	r := numbered(30)
	l := newList(r, 40, 10)
	l.SetFollow(true)
	rnd := rand.New(rand.NewPCG(5, 6))
	randomly(t, moves, func(msg tea.Msg) {
		l.Update(msg)
		switch rnd.IntN(30) {
		case 0:
			r.all = append(r.all, fmt.Sprint("new", rnd.Int()))
		case 1:
			if n := len(r.all); n > 0 {
				i := rnd.IntN(n)
				r.all = append(r.all[:i:i], r.all[i+1:]...)
			}
		case 2:
			var filter []int
			for i := range r.all {
				if rnd.IntN(3) == 0 {
					filter = append(filter, i)
				}
			}
			l.SetFilter(filter)
			return
		default:
			return
		}
		l.ClearFilter()
		if k, i, ok := l.Selected(); ok && r.all[i] != k {
			t.Fatalf("selected %s, which is not at %d", k, i)
		}
	}, l.SetSize, l.View)
}

func TestViewerHoldsUnderAnyKeys(t *testing.T) {
	document := `{"a":[` + strings.Repeat(`{"k":"天气 with a text that is long enough to be wrapped","l":[1,2,{"m":null}]},`, 12) + `0]}`
	indented, _ := rawjson.Indent(nil, []byte(document))
	st := theme.New(true)
	f := NewFold(NewJSON(indented, st), st)
	v := NewViewer(f, viewerKeys(), st)
	v.Select, v.Numbers = true, true
	v.Search("text")
	randomly(t, moves+"h l w n N space z 1 2 3 9", func(msg tea.Msg) {
		v.Update(msg)
		if cur := v.Current(); cur < 0 || cur >= f.Lines() {
			t.Fatalf("at line %d of %d", cur, f.Lines())
		}
	}, v.SetSize, v.View)
}
