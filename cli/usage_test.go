package cli

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/ui/theme"
)

// helpOn is what a command line prints on a terminal of a width, or, with 0, into a
// pipe.
func helpOn(t *testing.T, columns int, args ...string) string {
	t.Helper()
	var out strings.Builder
	io := Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard, OutTTY: columns > 0, Size: func() (int, int) { return columns, 24 }}
	if code := Main(t.Context(), args, io); code != 0 {
		t.Errorf("%q exits %d", args, code)
	}
	return out.String()
}

// everyHelp gives the command lines that print help.
func everyHelp(t *testing.T) (lines [][]string) {
	t.Helper()
	for _, name := range topicNames() {
		lines = append(lines, []string{"help", name})
	}
	a := &app{ctx: context.Background(), io: Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		lines = append(lines, append(strings.Fields(c.CommandPath())[1:], "--help"))
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(a.root())
	if len(lines) < 30 {
		t.Errorf("only %d", len(lines))
	}
	return lines
}

func TestHelpFitsTheTerminal(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	t.Setenv("XDG_STATE_HOME", "")
	for _, args := range everyHelp(t) {
		for columns, most := range map[int]int{0: 80, 80: 80, 250: widestHelp, 60: 60} {
			text := helpOn(t, columns, args...)
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, "\n")
				example := strings.HasPrefix(strings.TrimSpace(line), "parley ") || strings.HasPrefix(line, "  printf ") || strings.HasPrefix(line, "  echo ") ||
					strings.HasPrefix(line, "  {") || columns == 60 && strings.HasPrefix(line, " ")
				if theme.Width(theme.Safe(line)) > most && (!example || columns != 60) {
					t.Errorf("%q on %d columns: %d in %q", args, columns, theme.Width(theme.Safe(line)), line)
				}
			}
		}
	}
}

func TestHelpOfEveryCommandHasItsFormAndAnExample(t *testing.T) {
	for _, args := range everyHelp(t) {
		if args[0] == "help" && len(args) == 2 && args[1] != "--help" {
			continue // a topic
		}
		text := helpOn(t, 0, args...)
		words := strings.Join(args[:len(args)-1], " ")
		before, after, ok := strings.Cut(text, "\nUsage:\n  parley")
		if !ok || !strings.Contains(after, "[flags]") || strings.Contains(after, "TARGET [flags]") {
			t.Errorf("%q has no form, or one that is not true:\n%s", args, text)
		}
		if !strings.Contains(before, "\n  ") {
			t.Errorf("%q has no example", args)
		}
		if words != "" && strings.Contains(before, "  parley ") && !strings.Contains(before, "parley "+words) && !strings.Contains(before, "| parley ") {
			t.Errorf("%q has examples of other commands only", args)
		}
	}
}

// TestFlagsOfHelpAreThere reads the flags of each command's help by that command.
func TestFlagsOfHelpAreThere(t *testing.T) {
	a := &app{ctx: context.Background(), io: Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}}
	text := helpOn(t, 0, "tools", "--help")
	if !strings.Contains(text, "      --page[=CURSOR]  ") || strings.Contains(text, "\x00") {
		t.Errorf("--page is not told:\n%s", text)
	}
	text = helpOn(t, 0, "call", "--help")
	a.root().PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !strings.Contains(text, "--"+f.Name) {
			t.Errorf("--%s is not told", f.Name)
		}
	})
}

func TestReflow(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"filled", "one two\nthree four five six", "one two three four\nfive six\n"},
		{"indented", "words\n\n  parley tools a-very-long --line of words\n\nmore", "words\n\n  parley tools a-very-long --line of words\n\nmore\n"},
		{"columns", "  -s    a long text of it", "  -s    a long text\n        of it\n"},
		{"a first column that leaves no room", "  --a-long-flag-name  text of it", "  --a-long-flag-name  text of it\n"},
		{"empty", "", "\n"},
	} {
		if got := reflow(c.in, 20); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
