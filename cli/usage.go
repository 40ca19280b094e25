package cli

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/ui/theme"
)

// The widths of help, in cells: what is no terminal gets the usual one, and lines
// that are longer than the widest are hard to read.
const (
	narrowHelp = 40
	widestHelp = 100
)

func (a *app) helpWidth() int {
	width, _ := a.io.size()
	if width <= 0 || !a.io.OutTTY {
		return usualWidth
	}
	return min(max(width, narrowHelp), widestHelp)
}

// usage prints what stands below a command's text in its help: its form, the
// commands below it and its flags, wrapped.
func (a *app) usage(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", form(c))
	if c.HasAvailableSubCommands() {
		if c.HasParent() {
			if !strings.Contains(c.Use, "SHELL") {
				fmt.Fprintf(&b, "  %s COMMAND …\n", c.CommandPath())
			}
			fmt.Fprintf(&b, "\nCommands:\n%s", a.helpTable(commandRows(c.Commands())))
		} else {
			b.WriteString("  parley [flags] COMMAND …\n")
			for _, g := range c.Groups() {
				fmt.Fprintf(&b, "\n%s\n%s", g.Title, a.helpTable(commandRows(grouped(c, g.ID))))
			}
		}
	}
	own, common := flagRows(c.LocalNonPersistentFlags()), flagRows(c.InheritedFlags())
	if c.HasParent() {
		own = append(flagRows(c.PersistentFlags()), own...)
	} else {
		own = append(flagRows(c.PersistentFlags()), tableRow{name: "  -h, --help", text: helpFlag}, tableRow{name: "      --version", text: "print parley's version"})
	}
	for _, part := range []struct {
		title string
		rows  []tableRow
	}{{"Flags", own}, {"Flags of all commands", common}} {
		if len(part.rows) > 0 {
			fmt.Fprintf(&b, "\n%s:\n%s", part.title, a.helpTable(part.rows))
		}
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help tells more about a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// form is how a command is written, with its flags where they may stand.
func form(c *cobra.Command) string {
	return strings.TrimSpace(strings.TrimSuffix(c.CommandPath(), c.Name()) + c.Use)
}

// withFlags says in the forms of commands where their flags stand: behind the name,
// if they do not say it themselves.
func withFlags(commands []*cobra.Command) {
	for _, c := range commands {
		name, words, _ := strings.Cut(c.Use, " ")
		if !strings.Contains(words, "[flags]") {
			c.Use = strings.TrimSpace(name + " [flags] " + words)
		}
		withFlags(c.Commands())
	}
}

func commandRows(commands []*cobra.Command) (rows []tableRow) {
	for _, c := range commands {
		if c.IsAvailableCommand() || c.Name() == "help" {
			rows = append(rows, tableRow{name: theme.Safe(fmt.Sprintf("  %-10s", c.Name())), text: c.Short})
		}
	}
	return rows
}

const helpFlag = "print this help"

// flagRows are a row for each flag that is not hidden.
func flagRows(flags *pflag.FlagSet) (rows []tableRow) {
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		left := "      --" + f.Name
		if f.Shorthand != "" {
			left = "  -" + f.Shorthand + ", --" + f.Name
		}
		switch {
		case value != "" && f.NoOptDefVal != "":
			left += "[=" + value + "]"
		case value != "":
			left += " " + value
		}
		switch f.DefValue {
		case "", "false", "[]":
		default:
			usage += " (default " + strings.TrimSuffix(f.DefValue, "0s") + ")"
		}
		if f.Name == "help" {
			usage = helpFlag
		}
		rows = append(rows, tableRow{name: theme.Safe(left), text: usage})
	})
	return rows
}

// helpTable lays rows out for the width of help.
func (a *app) helpTable(rows []tableRow) string {
	t := table{width: a.helpWidth(), height: math.MaxInt, rows: rows}
	return t.String()
}

// printHelp prints the help of a command.
func (a *app) printHelp(c *cobra.Command, _ []string) {
	_, _ = io.WriteString(c.OutOrStdout(), reflow(or(c.Long, c.Short), a.helpWidth())+"\n"+c.UsageString())
}

// reflow fits a text of help into a width: paragraphs are filled; of indented lines
// that are too long the last column, which two spaces or more part from the first,
// is wrapped.
func reflow(text string, width int) string {
	var b strings.Builder
	var words []string
	flush := func() {
		for _, line := range wrapText(theme.Text(strings.Join(words, " ")), width) {
			b.WriteString(string(line) + "\n")
		}
		words = nil
	}
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		line = strings.TrimRight(line, "\n")
		if line != "" && line[0] != ' ' {
			words = append(words, line)
			continue
		}
		flush()
		b.WriteString(wrapColumn(line, width) + "\n")
	}
	flush()
	return b.String()
}

// wrapColumn wraps the last column of a line.
func wrapColumn(line string, width int) string {
	at := strings.LastIndex(line, "  ") + 2
	if theme.Width(theme.Text(line)) <= width || at <= 2 || at > 2*width/3 {
		return line
	}
	left := line[:at]
	indent := theme.Width(theme.Text(left))
	var rows []string
	for _, piece := range wrapText(theme.Text(line[at:]), width-indent) {
		rows = append(rows, left+string(piece))
		left = strings.Repeat(" ", indent)
	}
	return strings.Join(rows, "\n")
}
