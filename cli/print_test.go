package cli_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli"
)

// sized runs parley as if on a terminal of that size.
func sized(t *testing.T, columns, rows int, color bool, args ...string) outcome {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, dir)
	}
	var out, err bytes.Buffer
	code := cli.Main(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &err, InTTY: true, OutTTY: true, ErrTTY: true,
		Color: color, Size: func() (int, int) { return columns, rows }})
	return outcome{out.String(), err.String(), code}
}

func rich(t *testing.T) []string {
	t.Helper()
	path, err := filepath.Abs("testdata/server/rich.txt")
	if err != nil {
		t.Fatal(err)
	}
	return []string{"fakeserver", path}
}

// A list on a terminal is a table of its width: cut when the screen is full,
// wrapped where there is room.
func TestListsUseTheWidthOfTheTerminal(t *testing.T) {
	for _, c := range []struct {
		columns, rows int
		want          string
	}{
		{100, 3, `
forecast  latitude* number, days integer, units metri…  Tell the weather.
chart                                                   Draw
odd
`},
		{100, 40, `
forecast  latitude* number, days integer, units         Tell the weather.
          metric|imperial, place object, when
          date|null
chart                                                   Draw
odd
`},
		{60, 3, `
forecast  latitude* number, days …  Tell the weather.
chart                               Draw
odd
`},
		{0, 0, `
forecast  latitude* number, days integer, u…  Tell the weather.
chart                                         Draw
odd
`},
	} {
		o := sized(t, c.columns, c.rows, false, append([]string{"tools"}, rich(t)...)...)
		if want := strings.TrimPrefix(c.want, "\n"); o.out != want || o.code != 0 {
			t.Errorf("%d×%d prints\n%swant\n%s%s", c.columns, c.rows, o.out, want, o.err)
		}
	}
}

// No line is wider than the terminal but a name that is.
func TestTablesFitTheTerminal(t *testing.T) {
	for columns := 20; columns < 200; columns += 7 {
		for _, rows := range []int{3, 100} {
			for _, list := range []string{"tools", "resources", "prompts"} {
				o := sized(t, columns, rows, false, append([]string{list}, rich(t)...)...)
				for line := range strings.Lines(o.out) {
					if n := cells(strings.TrimSuffix(line, "\n")); n > columns {
						t.Errorf("%s at %d×%d: a line of %d cells: %q", list, columns, rows, n, line)
					}
				}
			}
		}
	}
}

func TestResourcesAndPromptsOnATerminal(t *testing.T) {
	for list, want := range map[string]string{
		"resources": "file:///1  text/plain 1.2 kB  one\n",
		"prompts":   "review  code*, style  Review code\n",
	} {
		if o := sized(t, 80, 24, false, append([]string{list}, rich(t)...)...); o.out != want {
			t.Errorf("%s prints %q, want %q", list, o.out, want)
		}
	}
}

// Colour is only an addition: without it the text is the same.
func TestColourTellsNothingAlone(t *testing.T) {
	args := append([]string{"tools"}, rich(t)...)
	plain, colored := sized(t, 90, 24, false, args...), sized(t, 90, 24, true, args...)
	if !strings.Contains(colored.out, "\x1b[") {
		t.Errorf("there is no colour: %q", colored.out)
	}
	if got := withoutStyles(colored.out); got != plain.out {
		t.Errorf("without its colours the list is\n%swant\n%s", got, plain.out)
	}
}

func withoutStyles(s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			break
		}
		_, s, _ = strings.Cut(rest, "m")
	}
	return b.String()
}

// What a result has is a line each on a terminal, never the bytes of a blob.
func TestResultsOnATerminal(t *testing.T) {
	o := sized(t, 80, 24, false, append([]string{"call", "chart", "--"}, rich(t)...)...)
	if !strings.HasPrefix(o.out, "Here you are:\n[image image/png 8 B]\n[audio audio/wav 4 B]\na note\n") || o.code != 0 {
		t.Errorf("%+v", o)
	}
	harmless(t, "read", sized(t, 80, 24, false, append([]string{"read", "a", "--"}, rich(t)...)...).out)
	for _, flags := range [][]string{{"--json"}, {"--jq", ".content[0].text"}} {
		args := append(append([]string{"call", "t\x1b[1m\n2", "a:=1", "--force"}, flags...), "--", "fakeserver", hostile(t))
		harmless(t, flags[0], sized(t, 80, 24, false, args...).out)
	}
}

func TestHelpOfAToolOnATerminal(t *testing.T) {
	o := sized(t, 60, 24, false, append([]string{"call", "forecast", "--help", "--"}, rich(t)...)...)
	for line := range strings.Lines(o.out) {
		if n := cells(strings.TrimSuffix(line, "\n")); n > 60 && !strings.HasPrefix(line, "  parley call") {
			t.Errorf("a line of %d cells: %q", n, line)
		}
	}
	if !strings.Contains(o.out, "latitude=number") || o.code != 0 {
		t.Errorf("%+v", o)
	}
}
