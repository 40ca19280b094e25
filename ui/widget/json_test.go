package widget

import (
	"fmt"
	"strings"
	"testing"

	"parley/client/rawjson"
	"parley/ui/theme"
	"parley/ui/uitest"
)

const document = `{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"Today:\nfine"},{"type":"text","text":"x"}],"odd key":[],"isError":false}}`

func indented(t testing.TB, src string) []byte {
	t.Helper()
	out, ok := rawjson.Indent(nil, []byte(src))
	if !ok {
		t.Fatalf("%s is not JSON", src)
	}
	return out
}

func TestJSONLine(t *testing.T) {
	st := theme.New(true)
	tests := []struct {
		raw  string
		want string
	}{
		{`  "text": "a\u001b",`, "  " + st.Key.Render(`"text"`) + st.Muted.Render(`:`) + " " +
			st.String.Render(`"a\u001b"`) + st.Muted.Render(`,`)},
		{`12.50`, st.Number.Render("12.50")},
		{`nope`, st.Error.Render("nope")},
		{"\"a\x1b[31m\u202e\"", st.String.Render("\"a␛[31m⟨U+202E⟩\"")},
		{"", ""},
	}
	for _, tt := range tests {
		l := JSONLine([]byte(tt.raw), st)
		row := theme.NewRow(theme.Width(l.Text), theme.Style{})
		row.AddLine(&l, 0)
		if got := row.String(); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.raw, got, tt.want)
		}
	}
}

func TestJSONPath(t *testing.T) {
	j := NewJSON(indented(t, document), theme.Plain())
	want := []string{
		".", ".jsonrpc", ".id", ".result", ".result.content",
		".result.content[0]", ".result.content[0].type", ".result.content[0].text", ".result.content[0]",
		".result.content[1]", ".result.content[1].type", ".result.content[1].text", ".result.content[1]",
		".result.content", `.result["odd key"]`, ".result.isError", ".result", ".",
	}
	if j.Lines() != len(want) {
		t.Fatalf("%d lines", j.Lines())
	}
	for i, path := range want {
		steps, shown := j.Path(i)
		if string(shown) != path {
			t.Errorf("line %d %s: %s, want %s", i, j.Raw(i), shown, path)
		}
		raw, ok := rawjson.Get([]byte(document), steps...)
		if !ok || !strings.Contains(string(j.Raw(i)), string(raw[:1])) && !closes(j.Raw(i)) {
			t.Errorf("line %d: %q leads to %s", i, steps, raw)
		}
	}
	if _, shown := NewJSON([]byte("[\n  1,\n  2\n]"), theme.Plain()).Path(2); shown != ".[1]" {
		t.Errorf("in an array: %s", shown)
	}
	if steps, shown := j.Path(99); steps != nil || shown != "" {
		t.Errorf("past the end: %q %s", steps, shown)
	}
	if _, shown := NewJSON([]byte(`    "cut": 1`), theme.Plain()).Path(0); shown != ".cut" {
		t.Errorf("in a text that was cut: %s", shown)
	}
}

func newFoldViewer(t testing.TB, src string) (*Viewer, *Fold) {
	f := NewFold(NewJSON(indented(t, src), theme.Plain()), theme.Plain())
	v := newViewer(f, 60, 30)
	v.Select = true
	return v, f
}

func foldedText(f *Fold) string {
	var lines []string
	for i := range f.Lines() {
		n, mark := f.Number(i)
		lines = append(lines, fmt.Sprintf("%d%s%s", n, mark, f.Line(i).Text))
	}
	return strings.Join(lines, "\n")
}

func TestFold(t *testing.T) {
	v, f := newFoldViewer(t, document)
	all := foldedText(f)

	press(t, v, "j", "j", "j", "j", "space")
	want := `1▾{
2  "jsonrpc": "2.0",
3  "id": 4,
4▾  "result": {
5▸    "content": [ … 8 lines ],
15    "odd key": [],
16    "isError": false
17  }
18}`
	if got := foldedText(f); got != want {
		t.Errorf("closed:\n%s\nwant\n%s", got, want)
	}
	press(t, v, "j", "space") // a line that opens nothing closes what it is in
	if got, want := foldedText(f), "1▾{\n2  \"jsonrpc\": \"2.0\",\n3  \"id\": 4,\n4▸  \"result\": { … 12 lines }\n18}"; got != want || v.Current() != 3 {
		t.Errorf("closed from inside, at line %d:\n%s\nwant\n%s", v.Current(), got, want)
	}
	press(t, v, "space")
	if got := foldedText(f); got != want {
		t.Errorf("opened, what is inside stays closed:\n%s\nwant\n%s", got, want)
	}
	press(t, v, "j", "space")
	if got := foldedText(f); got != all {
		t.Errorf("all opened:\n%s", got)
	}
	press(t, v, "G", "space") // a closing line closes its own part
	if got, want := foldedText(f), "1▸{ … 16 lines }"; got != want || v.Current() != 0 {
		t.Errorf("the root closed, at line %d:\n%s", v.Current(), got)
	}
}

func TestFoldLevels(t *testing.T) {
	v, f := newFoldViewer(t, document)
	all := foldedText(f)
	tests := []struct {
		keys string
		want string
	}{
		{"z 1", "1▾{\n2  \"jsonrpc\": \"2.0\",\n3  \"id\": 4,\n4▸  \"result\": { … 12 lines }\n18}"},
		{"g j j j space", "1▾{\n2  \"jsonrpc\": \"2.0\",\n3  \"id\": 4,\n4▾  \"result\": {\n5▸    \"content\": [ … 8 lines ],\n15    \"odd key\": [],\n16    \"isError\": false\n17  }\n18}"},
		{"z 9", all},
		{"z 3", strings.NewReplacer(
			"6▾      {\n7        \"type\": \"text\",\n8        \"text\": \"Today:\\nfine\"\n9      },", "6▸      { … 2 lines },",
			"10▾      {\n11        \"type\": \"text\",\n12        \"text\": \"x\"\n13      }", "10▸      { … 2 lines }").Replace(all)},
	}
	for _, tt := range tests {
		press(t, v, strings.Fields(tt.keys)...)
		if got := foldedText(f); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.keys, got, tt.want)
		}
	}
}

func TestFoldLevelKeyIsTakenWhole(t *testing.T) {
	v, f := newFoldViewer(t, document)
	press(t, v, "z")
	if !v.Pending() {
		t.Error("the level is not waited for")
	}
	if v.Update(uitest.Key("x")) || v.Pending() {
		t.Error("a key that is no level was swallowed")
	}
	press(t, v, "z", "2")
	if v.Pending() || f.Lines() == 18 {
		t.Error("the level was not taken")
	}
}

func TestFoldKeepsTheLine(t *testing.T) {
	v, f := newFoldViewer(t, document)
	for line := range 18 {
		press(t, v, "z", "9")
		v.SetCurrent(line)
		press(t, v, "z", "1")
		at := v.Current()
		first, _ := f.Number(at)
		if first-1 > line || at+1 < f.Lines() && f.Real(at+1) <= line {
			t.Errorf("from line %d to %d, which shows %d", line, at, first-1)
		}
		if got := f.Real(f.Show(line)); got != line {
			t.Errorf("showing line %d shows %d", line, got)
		}
	}
}

func TestSearchOpensWhatHidesTheHit(t *testing.T) {
	v, f := newFoldViewer(t, document)
	press(t, v, "z", "1")
	if !v.Search("today") {
		t.Fatal("no hit")
	}
	if got := f.Line(v.Current()).Text; !strings.Contains(string(got), "Today") {
		t.Errorf("went to %s", got)
	}
	press(t, v, "z", "1", "G")
	if !v.Update(uitest.Key("N")) || !strings.Contains(string(f.Line(v.Current()).Text), "Today") {
		t.Errorf("backwards, went to line %d", v.Current())
	}
}

func TestFoldTextThatWasCut(t *testing.T) {
	src := indented(t, document)
	for n := range src {
		f := NewFold(NewJSON(src[:n], theme.Plain()), theme.Plain())
		for level := range 4 {
			f.Level(level+1, 0)
		}
		for i := 0; i < f.Lines(); i++ {
			f.Toggle(i)
			f.Line(min(i, f.Lines()-1))
		}
	}
	f := NewFold(NewJSON(nil, theme.Plain()), theme.Plain())
	if f.Level(1, 0) != 0 || f.Lines() != 0 {
		t.Error("nothing was folded")
	}
	if _, ok := f.Toggle(0); ok {
		t.Error("a line of nothing was folded")
	}
}

func TestFoldClick(t *testing.T) {
	v, f := newFoldViewer(t, document)
	if !v.Update(uitest.Click(1, 3)) || f.Lines() != 5 {
		t.Errorf("a click on the mark leaves %d lines", f.Lines())
	}
}

func TestFoldInvariants(t *testing.T) {
	uitest.Invariants(t, func(text string) func(w, h int) string {
		src := `{"a":[{"b":` + string(rawjson.Quote(nil, text)) + `},[1,2,{}]],"c":{"d":[[]]}}`
		v, f := newFoldViewer(t, src)
		v.SetStyles(theme.New(true))
		v.Numbers = true
		f.Toggle(1)
		return func(w, h int) string {
			v.SetSize(w, h)
			return v.View()
		}
	})
}

// bigDocument has 100,000 lines when indented.
func bigDocument() []byte {
	one := `{"name":"get_forecast","size":[1,2]}`
	src := "[" + strings.Repeat(one+",", 100_000/7) + one + "]"
	out, _ := rawjson.Indent(nil, []byte(src))
	return out
}

func BenchmarkJSONView(b *testing.B) {
	st := theme.New(true)
	f := NewFold(NewJSON(bigDocument(), st), st)
	v := NewViewer(f, viewerKeys(), st)
	v.Select, v.Numbers = true, true
	v.SetSize(200, 58)
	f.Level(2, 0)
	f.Toggle(5)
	v.Refresh()
	b.ReportAllocs()
	for b.Loop() {
		v.Refresh()
		v.View()
	}
}

func BenchmarkFoldLevel(b *testing.B) {
	st := theme.New(true)
	f := NewFold(NewJSON(bigDocument(), st), st)
	for b.Loop() {
		f.Level(2, 0)
	}
}
