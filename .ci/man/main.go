// Command man writes the manual pages from the same tables that give --help: a
// page of section 1 for each command, one of section 7 for each topic.
//
//	go run ./.ci/man DIR VERSION UNIXTIME
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/cli"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

// manual is what all pages share.
type manual struct {
	dir, version, date string
	topics             []cli.Page
}

func write(args []string) error {
	if len(args) != 3 {
		return errors.New("usage: man DIR VERSION UNIXTIME")
	}
	seconds, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return err
	}
	// Paths are told as everybody has them.
	for name, value := range map[string]string{"HOME": "~", "XDG_STATE_HOME": "~/.local/state", "XDG_CONFIG_HOME": "~/.config"} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	root, topics, err := cli.Manual()
	if err != nil {
		return err
	}
	m := &manual{args[0], args[1], time.Unix(seconds, 0).UTC().Format(time.DateOnly), topics}
	if err := os.MkdirAll(m.dir, 0o755); err != nil {
		return err
	}
	if err := m.command(root); err != nil {
		return err
	}
	for _, topic := range topics {
		if err := m.topic(topic); err != nil {
			return err
		}
	}
	return nil
}

// command writes the page of a command and of those below it.
func (m *manual) command(c *cobra.Command) error {
	c.InitDefaultHelpFlag()
	name := pageName(c)
	p := m.page(name, "1", c.Short)
	p.section("synopsis")
	p.line(`.nf`)
	p.text(strings.TrimSpace(strings.TrimSuffix(c.CommandPath(), c.Name()) + c.Use))
	p.line(`.fi`)
	p.section("description")
	p.prose(c.Long)
	if local := c.LocalFlags(); local.HasAvailableFlags() {
		p.section("options")
		p.flags(local)
	}
	var related []string
	if c.HasParent() {
		p.line(".PP")
		p.text("The flags of all commands are those of parley(1).")
		related = append(related, pageName(c.Parent())+"(1)")
	}
	var below []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			below = append(below, sub)
		}
	}
	if len(below) > 0 {
		p.section("commands")
	}
	for _, sub := range below {
		p.item(`\fB`+escape(sub.Name())+`\fR`, sub.Short)
		related = append(related, pageName(sub)+"(1)")
	}
	if !c.HasParent() {
		for _, topic := range m.topics {
			related = append(related, "parley-"+topic.Name+"(7)")
		}
	}
	p.section("see also")
	p.text(strings.Join(related, ", "))
	if err := p.save(m.dir); err != nil {
		return err
	}
	for _, sub := range below {
		if err := m.command(sub); err != nil {
			return err
		}
	}
	return nil
}

// topic writes the page of a topic.
func (m *manual) topic(t cli.Page) error {
	p := m.page("parley-"+t.Name, "7", t.Short)
	p.section("description")
	p.prose(t.Text)
	p.section("see also")
	p.text("parley(1)")
	return p.save(m.dir)
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page is a manual page being written.
type page struct {
	bytes.Buffer
	file string
}

func (m *manual) page(name, section, short string) *page {
	p := &page{file: name + "." + section}
	p.line(fmt.Sprintf(`.TH "%s" "%s" "%s" "parley %s" "parley"`, strings.ToUpper(escape(name)), section, m.date, m.version))
	p.section("name")
	p.line(escape(name) + ` \- ` + escape(short))
	return p
}

func (p *page) save(dir string) error {
	return os.WriteFile(filepath.Join(dir, p.file), p.Bytes(), 0o644)
}

func (p *page) line(roff string) { p.WriteString(roff + "\n") }

func (p *page) section(title string) { p.line(".SH " + strings.ToUpper(title)) }

// text writes a line of text.
func (p *page) text(line string) {
	line = escape(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	p.line(line)
}

func (p *page) item(head, body string) {
	p.line(".TP")
	p.line(head)
	p.text(body)
}

// prose writes text of paragraphs; lines that are indented stay as they are.
func (p *page) prose(text string) {
	kept, gap := false, false
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
		switch {
		case strings.TrimSpace(line) == "":
			gap = true
			continue
		case indented && !kept:
			p.line(".PP\n.nf")
		case !indented && kept:
			p.line(".fi\n.PP")
		case gap && kept:
			p.line("")
		case gap:
			p.line(".PP")
		}
		kept, gap = indented, false
		p.text(strings.TrimRight(line, " "))
	}
	if kept {
		p.line(".fi")
	}
}

// flags writes the flags in the order of the help.
func (p *page) flags(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		head := `\fB` + escape("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			head = `\fB` + escape("-"+f.Shorthand) + `\fR, ` + head
		}
		switch {
		case value != "" && f.NoOptDefVal != "":
			head += `[=\fI` + escape(value) + `\fR]`
		case value != "":
			head += ` \fI` + escape(value) + `\fR`
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.Name != "client-version" {
			usage += " (default " + f.DefValue + ")"
		}
		p.item(head, usage)
	})
}

var roff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`)

func escape(text string) string { return roff.Replace(text) }
