package script

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"parley/client/near"
)

// Help writes the table for people: all of it for "", else the rows of a command, a
// topic or a group. The error is a *[SyntaxError] for a name that there is not.
func Help(w io.Writer, topic string) error {
	var b bytes.Buffer
	c, known := Lookup(topic)
	switch {
	case topic == "":
		for i, g := range Groups {
			if i > 0 {
				b.WriteByte('\n')
			}
			helpGroup(&b, g.Name, g.Title)
		}
		b.WriteString("\nhelp COMMAND tells more, and so does help arguments, help quoting and help value\n")
	case known:
		helpCommand(&b, c)
	default:
		for _, g := range Groups {
			if g.Name == topic {
				helpGroup(&b, g.Name, g.Title)
			}
		}
	}
	if b.Len() == 0 {
		names := commandNames(true)
		for _, t := range topics {
			names = append(names, t.Name)
		}
		return &SyntaxError{Expected: "a command or a topic", Found: shown(topic), Near: near.Best(topic, names),
			Advice: "there are " + strings.Join(names, ", ")}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// inGroup gives the rows of a group: its commands, then its topics.
func inGroup(name string) (rows []*Command) {
	for _, list := range [][]*Command{commands, topics} {
		for _, c := range list {
			if c.Group == name {
				rows = append(rows, c)
			}
		}
	}
	return rows
}

// helpGroup writes a line for each row of a group.
func helpGroup(b *bytes.Buffer, name, title string) {
	rows := inGroup(name)
	width := 0
	for _, c := range rows {
		width = max(width, utf8.RuneCountInString(c.Forms[0]))
	}
	fmt.Fprintf(b, "%s\n", title)
	for _, c := range rows {
		fmt.Fprintf(b, "  %s  %s\n", padded(c.Forms[0], width), c.Short)
	}
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(width-utf8.RuneCountInString(text), 0))
}

// helpCommand writes all that the table has about a row.
func helpCommand(b *bytes.Buffer, c *Command) {
	for _, form := range c.Forms {
		fmt.Fprintf(b, "%s\n", form)
	}
	fmt.Fprintf(b, "\n%s\n", c.Short)
	if c.Long != "" {
		fmt.Fprintf(b, "\n%s\n", c.Long)
	}
	if len(c.Flags) > 0 {
		b.WriteByte('\n')
	}
	width := 0
	for _, f := range c.Flags {
		width = max(width, utf8.RuneCountInString(f.form()))
	}
	for _, f := range c.Flags {
		fmt.Fprintf(b, "  %s  %s\n", padded(f.form(), width), f.Short)
	}
	if c.Name == "set" {
		b.WriteByte('\n')
		widest := 0
		for _, s := range AllSettings() {
			widest = max(widest, len(s.Name+" "+s.Form))
		}
		for _, s := range AllSettings() {
			fmt.Fprintf(b, "  %s  %s\n", padded(s.Name+" "+s.Form, widest), s.Short)
		}
	}
	if c.Example != "" {
		fmt.Fprintf(b, "\nexample:  %s\n", c.Example)
	}
}

// form is the flag with what it takes.
func (f Flag) form() string { return strings.TrimSpace(f.Name + " " + f.Value) }
