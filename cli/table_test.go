package cli

import (
	"slices"
	"strings"
	"testing"

	"parley/client/schema"
	"parley/ui/theme"
)

func TestWrapText(t *testing.T) {
	for _, c := range []struct {
		text  theme.Text
		width int
		want  []theme.Text
	}{
		{"", 5, nil},
		{"one two three", 7, []theme.Text{"one two", "three"}},
		{"one two three", 8, []theme.Text{"one two", "three"}},
		{"one two", 3, []theme.Text{"one", "two"}},
		{"unbreakable", 4, []theme.Text{"unbr", "eaka", "ble"}},
		{"北京天气", 5, []theme.Text{"北京", "天气"}},
		{"北", 1, []theme.Text{"北"}},
		{"a", 0, nil},
	} {
		if got := wrapText(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d cells is %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// A name is never cut: what does not fit beside it begins under it.
func TestALongNameIsNotCut(t *testing.T) {
	long := strings.Repeat("n", 30)
	out := table{width: 40, rows: []tableRow{
		{name: "short", summary: "a* number", text: "What it does"},
		{name: theme.Text(long), summary: "b", text: "What the other does"},
		{name: theme.Text(long)},
	}}
	const want = `short  a* number  What it does
NAME
       b          What the other does
NAME
`
	if got := out.String(); got != strings.ReplaceAll(want, "NAME", long) {
		t.Errorf("got\n%s", got)
	}
}

// On a narrow terminal a long list has names and what they are, and no arguments.
func TestALongListOnANarrowTerminal(t *testing.T) {
	out := table{width: 40, height: 3}
	for _, name := range []theme.Text{"tool_number_1", "tool_number_2", "tool_number_3"} {
		out.rows = append(out.rows, tableRow{name: name, summary: "a* integer, b string", text: "Does the thing with this number"})
	}
	const want = "tool_number_1  Does the thing with this…\n"
	if got := out.String(); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 3 {
		t.Errorf("got\n%s", got)
	}
	out.width = 80
	if got := out.String(); !strings.HasPrefix(got, "tool_number_1  a* integer, b string  Does the thing with this number\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestNumbered(t *testing.T) {
	for _, c := range []struct {
		file string
		n    int
		want []string
	}{
		{"a.png", 1, []string{"a.png"}},
		{"a.png", 2, []string{"a-1.png", "a-2.png"}},
		{"dir.d/a", 2, []string{"dir.d/a-1", "dir.d/a-2"}},
	} {
		if got := numbered(c.file, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d of %s are %q, want %q", c.n, c.file, got, c.want)
		}
	}
}

// Colours are for terminals that take them, where nobody said otherwise.
func TestColorful(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"TERM": "xterm-256color"}, true},
		{map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		{map[string]string{"TERM": "dumb"}, false},
		{map[string]string{}, false},
		{map[string]string{"WT_SESSION": "1"}, true},
	} {
		if got := colorful(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}

// What an argument takes is told in a word or two, and what else its schema says
// in the help of its tool.
func TestArgumentsInWords(t *testing.T) {
	for property, want := range map[string][2]string{
		`{"type":"string"}`: {"string", ""},
		`{"type":"string","format":"uri","minLength":3}`:       {"uri", "(at least 3 characters)"},
		`{"type":["integer","null"],"maximum":10}`:             {"integer|null", "(at most 10)"},
		`{"type":"number","exclusiveMinimum":0,"maximum":1.0}`: {"number", "(more than 0 to 1.0)"},
		`{"type":"number","exclusiveMaximum":5}`:               {"number", "(less than 5)"},
		`{"enum":["a","b",3],"description":"Which"}`:           {"a|b|3", "Which"},
		`{"enum":["a","b","c","d","e","f"],"default":"a"}`:     {"a|b|c|d|e|…", "(one of a, b, c, d, e, f; default a)"},
		`{"const":7}`:                                   {"7", ""},
		`{"type":"boolean","default":false}`:            {"boolean", "(default false)"},
		`{"type":"string","default":"","pattern":"^x"}`: {"string", `(matches ^x; default "")`},
		`{}`: {"any", ""},
		`{"type":"array","items":{"type":"string"},"title":"Labels"}`: {"array of strings", "Labels (array of strings)"},
	} {
		form, err := schema.Parse([]byte(`{"type":"object","properties":{"x":` + property + `}}`))
		if err != nil || len(form.Fields) != 1 {
			t.Fatalf("%s: %v", property, err)
		}
		if got := [2]string{typeOf(form.Fields[0]), about(form.Fields[0])}; got != want {
			t.Errorf("%s is %q, want %q", property, got, want)
		}
	}
}
