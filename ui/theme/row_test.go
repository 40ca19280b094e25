package theme

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestRow(t *testing.T) {
	st := New(true)
	tests := []struct {
		name  string
		w     int
		build func(*Row)
		want  string
	}{
		{"empty", 3, func(*Row) {}, "   "},
		{"no width", 0, func(r *Row) { r.Add(st.Text, "abc") }, ""},
		{"filled up", 5, func(r *Row) { r.Add(st.Key, "ab") }, "ab   "},
		{"cut once", 5, func(r *Row) { r.Add(st.Key, "abc"); r.Add(st.Text, "defgh"); r.Add(st.Text, "x") }, "abcd…"},
		{"columns", 14, func(r *Row) {
			r.AddCol(st.Text, "天气x", 6)
			r.AddRight(st.Muted, "42", 4)
			r.AddRight(st.Muted, "123456", 4)
		}, "天气x   42123…"},
		{"end", 8, func(r *Row) { r.Add(st.Text, "ab"); r.AddEnd(st.Muted, "xyz", 1) }, "ab   xyz"},
		{"end that does not fit", 5, func(r *Row) { r.Add(st.Text, "ab"); r.AddEnd(st.Muted, "xyz", 1) }, "ab   "},
		{"to", 6, func(r *Row) { r.Add(st.Text, "ab"); r.To(4); r.Add(st.Text, "c") }, "ab  c "},
		{"gap past the end", 3, func(r *Row) { r.Gap(9); r.Gap(-4) }, "   "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := NewRow(tt.w, st.Selection)
			tt.build(r)
			if got := ansi.Strip(r.String()); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRowLine(t *testing.T) {
	st := New(true)
	var l Line
	l.Add(st.Key, `"天气"`)
	l.Add(Style{}, ": ")
	l.Add(st.Number, "12345")
	tests := []struct {
		w, from int
		want    string
	}{
		{20, 0, `"天气": 12345       `},
		{6, 0, `"天气"`},
		{3, 0, `"天`},
		{4, 0, `"天 `},
		{6, 2, ` 气": `},
		{6, 9, `2345  `},
		{3, 99, `   `},
	}
	for _, tt := range tests {
		r := NewRow(tt.w, Style{})
		r.AddLine(&l, tt.from)
		if got := ansi.Strip(r.String()); got != tt.want {
			t.Errorf("width %d from %d: got %q, want %q", tt.w, tt.from, got, tt.want)
		}
	}
	r := NewRow(9, Style{})
	r.AddLine(&l, 6)
	if got, want := r.String(), ": "+st.Number.Render("12345")+"  "; got != want {
		t.Errorf("styles: got %q, want %q", got, want)
	}
}

func TestLineSlice(t *testing.T) {
	st := New(true)
	var l Line
	l.Add(st.Key, "abc")
	l.Add(st.Number, "def")
	l.Text += "ghi"
	for start := range len(l.Text) {
		for end := start; end <= len(l.Text); end++ {
			part := l.Slice(start, end)
			got, want := NewRow(end-start, Style{}), NewRow(end-start, Style{})
			got.AddLine(&part, 0)
			want.AddBytes(&l, start, end)
			if got.String() != want.String() {
				t.Errorf("%d to %d: got %q, want %q", start, end, got, want)
			}
		}
	}
}

func TestStylesComeApart(t *testing.T) {
	st := New(false)
	if got := st.Error.Render("no"); !strings.HasPrefix(got, "\x1b[31m") || !strings.HasSuffix(got, reset) {
		t.Errorf("got %q", got)
	}
	if got := st.Error.Render(""); got != "" {
		t.Errorf("empty text gives %q", got)
	}
	if got := st.Text.Render("x"); got != "x" {
		t.Errorf("the terminal's own look gives %q", got)
	}
	if got := st.Error.On(st.Selection).Render("x"); got != "\x1b[1m\x1b[31mx"+reset {
		t.Errorf("a style on another gives %q", got)
	}
	if *Plain() != (Styles{}) {
		t.Error("plain styles have a look")
	}
}
