package widget

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/uitest"
)

// names are records for tests; they count what is asked of them.
type names struct {
	all   []string
	drawn []int
}

func (n *names) Len() int         { return len(n.all) }
func (n *names) Key(i int) string { return n.all[i] }
func (n *names) Draw(row *theme.Row, i int, _ RowState) {
	n.drawn = append(n.drawn, i)
	row.Gap(1)
	row.Add(theme.Style{}, theme.SafeCut(n.all[i], row.Rest()))
}

func numbered(n int) *names {
	r := &names{}
	for i := range n {
		r.all = append(r.all, fmt.Sprintf("r%03d", i))
	}
	return r
}

func newList(r *names, w, h int) *List[string] {
	l := NewList(r, keys.New().List.Move, theme.Plain())
	l.SetFocused(true)
	l.SetSize(w, h)
	return l
}

func press(t *testing.T, u interface{ Update(tea.Msg) bool }, names ...string) {
	t.Helper()
	for _, name := range names {
		if !u.Update(uitest.Key(name)) {
			t.Errorf("%s was not taken", name)
		}
	}
}

func selected(l *List[string]) string {
	k, i, ok := l.Selected()
	if !ok {
		return "none"
	}
	return fmt.Sprintf("%s=%d", k, i)
}

func TestListMoves(t *testing.T) {
	tests := []struct {
		keys string
		want string // selected, top
	}{
		{"j", "r001=1 0"},
		{"j j k", "r001=1 0"},
		{"k", "r000=0 0"},
		{"G", "r099=99 90"},
		{"G j", "r099=99 90"},
		{"G k", "r098=98 90"},
		{"G g", "r000=0 0"},
		{"end home", "r000=0 0"},
		{"ctrl+d", "r005=5 5"},
		{"ctrl+d ctrl+d ctrl+u", "r005=5 5"},
		{"pgdown", "r009=9 9"},
		{"pgdown pgup", "r000=0 0"},
		{"G ctrl+u", "r094=94 85"},
		{"G pgup", "r090=90 81"},
	}
	for _, tt := range tests {
		t.Run(tt.keys, func(t *testing.T) {
			l := newList(numbered(100), 20, 10)
			press(t, l, strings.Fields(tt.keys)...)
			from, _ := l.Window()
			if got := fmt.Sprint(selected(l), " ", from); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	l := newList(numbered(3), 20, 10)
	if l.Update(uitest.Key("x")) {
		t.Error("a key without a meaning was taken")
	}
}

func TestListView(t *testing.T) {
	l := newList(numbered(5), 8, 3)
	press(t, l, "j")
	want := "  r000  \n▌ r001  \n  r002  "
	if got := l.View(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	l.SetFocused(false)
	if got := l.View(); !strings.Contains(got, "│ r001") {
		t.Errorf("the unfocused selection is not thin:\n%s", got)
	}
}

func TestListStaysStillWhileRowsAreAppended(t *testing.T) {
	r := numbered(50)
	l := newList(r, 20, 5)
	press(t, l, "ctrl+d", "ctrl+d")
	before := l.View()
	for i := range 1000 {
		r.all = append(r.all, fmt.Sprint("new ", i))
		l.Refresh()
	}
	if got := l.View(); got != before {
		t.Errorf("the view moved from\n%s\nto\n%s", before, got)
	}
}

func TestListKeepsItsSelectionWhenRecordsMove(t *testing.T) {
	r := numbered(50)
	l := newList(r, 20, 5)
	l.Select("r020")
	before := l.View()

	r.all = append([]string{"x", "y", "z"}, r.all...)
	l.Refresh()
	if got := selected(l); got != "r020=23" {
		t.Errorf("selected %s", got)
	}
	if got := l.View(); got != before {
		t.Errorf("the view moved from\n%s\nto\n%s", before, got)
	}

	r.all = slices.DeleteFunc(r.all, func(s string) bool { return s == "r020" })
	l.Refresh()
	if got := selected(l); got != "r021=23" {
		t.Errorf("after its record went, selected %s", got)
	}

	r.all = nil
	l.Refresh()
	if got := selected(l); got != "none" {
		t.Errorf("in an empty list, selected %s", got)
	}
	r.all = numbered(50).all
	l.Refresh()
	if got := selected(l); got != "r021=21" {
		t.Errorf("when the records came back, selected %s", got)
	}
}

func TestListScrolledAwayFromItsSelection(t *testing.T) {
	r := numbered(50)
	l := newList(r, 20, 5)
	for range 5 {
		l.Update(uitest.Wheel(0, 0, 1))
	}
	if from, _ := l.Window(); from != 15 || selected(l) != "r000=0" {
		t.Errorf("the wheel went to %d, selected %s", from, selected(l))
	}
	before := l.View()
	r.all = append([]string{"first"}, r.all...)
	l.Refresh()
	if got := l.View(); got != before {
		t.Errorf("the view moved from\n%s\nto\n%s", before, got)
	}
	press(t, l, "j")
	if from, _ := l.Window(); from != 2 || selected(l) != "r001=2" {
		t.Errorf("the next key shows from %d, selected %s", from, selected(l))
	}
}

func TestListFollows(t *testing.T) {
	r := numbered(3)
	l := newList(r, 20, 5)
	l.SetFollow(true)
	add := func() {
		r.all = append(r.all, fmt.Sprint("new ", len(r.all)))
		l.Refresh()
	}
	for range 10 {
		add()
	}
	if got := selected(l); got != "new 12=12" {
		t.Errorf("following, selected %s", got)
	}
	press(t, l, "k")
	add()
	if got := selected(l); got != "new 11=11" || l.Following() {
		t.Errorf("after going up, selected %s", got)
	}
	press(t, l, "G")
	add()
	if got := selected(l); got != "new 14=14" || !l.Following() {
		t.Errorf("after the last row, selected %s", got)
	}
	l.Update(uitest.Wheel(0, 0, -1))
	before := l.View()
	add()
	if got := l.View(); got != before {
		t.Errorf("the view moved though it was scrolled up")
	}

	plain := newList(numbered(3), 20, 5)
	if press(t, plain, "G"); plain.Following() {
		t.Error("a list that was not asked to follow does")
	}
}

func TestListFilter(t *testing.T) {
	r := numbered(50)
	l := newList(r, 20, 5)
	l.Select("r020")
	l.SetFilter([]int{3, 20, 40})
	if got := selected(l); got != "r020=20" || l.Len() != 3 {
		t.Errorf("%d rows, selected %s", l.Len(), got)
	}
	press(t, l, "j")
	if got := selected(l); got != "r040=40" {
		t.Errorf("the next is %s", got)
	}
	l.SetFilter([]int{3, 41})
	if got := selected(l); got != "r041=41" {
		t.Errorf("when it is filtered out, selected %s", got)
	}
	l.SetFilter(nil)
	l.Empty = []theme.Text{"no hits", "esc drops it"}
	if got, want := uitest.Plain(l.View()), " no hits\n esc drops it\n\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	l.ClearFilter()
	if got := selected(l); got != "r041=41" || l.Len() != 50 {
		t.Errorf("without a filter %d rows, selected %s", l.Len(), got)
	}
	if l.Select("nobody") {
		t.Error("a key that does not exist was selected")
	}
}

func TestListClick(t *testing.T) {
	l := newList(numbered(50), 20, 5)
	l.Update(uitest.Wheel(0, 0, 1))
	if !l.Update(Relative(uitest.Click(13, 12), 10, 10)) || selected(l) != "r005=5" {
		t.Errorf("clicked %s", selected(l))
	}
	for _, y := range []int{-1, 5, 99} {
		if l.Update(uitest.Click(0, y)) {
			t.Errorf("a click at row %d was taken", y)
		}
	}
	small := newList(numbered(2), 20, 5)
	if small.Update(uitest.Click(0, 3)) {
		t.Error("a click below the last row was taken")
	}
}

func TestListDrawsOnlyWhatShows(t *testing.T) {
	r := numbered(100_000)
	l := newList(r, 80, 20)
	press(t, l, "G")
	r.drawn = nil
	l.View()
	if len(r.drawn) != 20 || r.drawn[0] != 99_980 {
		t.Errorf("drew %d rows from %d on", len(r.drawn), r.drawn[0])
	}
}

func TestListBeforeRefresh(t *testing.T) {
	r := numbered(50)
	l := newList(r, 20, 5)
	press(t, l, "G")
	r.all = r.all[:10]
	if err := uitest.Check(l.View(), 20, 5); err != nil {
		t.Error(err)
	}
}

func TestListInvariants(t *testing.T) {
	uitest.Invariants(t, func(text string) func(w, h int) string {
		r := &names{}
		for i := range 70 {
			r.all = append(r.all, fmt.Sprint(text, i))
		}
		l := newList(r, 10, 10)
		l.SetStyles(theme.New(true))
		l.Select(r.all[30])
		return func(w, h int) string {
			l.SetSize(w, h)
			return l.View()
		}
	})
	l := newList(&names{}, 0, 0)
	l.Empty = []theme.Text{"nothing here", "press r"}
	for _, size := range uitest.Sizes() {
		l.SetSize(size[0], size[1])
		if err := uitest.Check(l.View(), size[0], size[1]); err != nil {
			t.Errorf("empty: %v", err)
		}
	}
}

// frames look like rows of the traffic.
type frames int

func (n frames) Len() int         { return int(n) }
func (n frames) Key(i int) uint64 { return uint64(i) }
func (n frames) Draw(row *theme.Row, i int, _ RowState) {
	st := theme.Style{}
	row.AddCol(st, "09:38:51.120", 14)
	row.AddCol(st, "→", 3)
	row.AddRight(st, theme.Text(fmt.Sprint(i)), 6)
	row.Gap(2)
	row.AddCol(st, "tools/call", 24)
	row.Add(st, theme.SafeCut("get_forecast 天气", row.Rest()-10))
	row.AddEnd(st, "98 B", 2)
}

func BenchmarkListView(b *testing.B) {
	l := NewList(frames(100_000), keys.New().List.Move, theme.New(true))
	l.SetFocused(true)
	l.SetSize(200, 58)
	l.Update(uitest.Key("G"))
	b.ReportAllocs()
	for b.Loop() {
		l.View()
	}
}

func BenchmarkListAppend(b *testing.B) {
	r := numbered(100_000)
	l := newList(r, 200, 58)
	l.SetFollow(true)
	b.ReportAllocs()
	for b.Loop() {
		r.all = append(r.all, "new")
		l.Refresh()
		l.View()
		r.drawn = r.drawn[:0]
	}
}
