package script_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"parley/script"
)

var update = flag.Bool("update", false, "write docs/command-language.md")

// topicsOf says in which group of the table the files of testdata/language stand, in
// which order, and which come before and behind the groups.
var topicsOf = map[string][]string{
	"before":  {"writing"},
	"list":    {"lists"},
	"call":    {"calls", "arguments", "subscriptions"},
	"line":    {"raw-lines"},
	"value":   {"variables", "expressions", "expectations"},
	"flow":    {"failures", "loops", "waiting", "files"},
	"session": {"connections", "settings"},
	"behind":  {"errors"},
}

const documentHead = `# The command language

<!-- generated from script/commands.go and script/testdata/language: go test ./script -run Document -update -->

One line, one command: the same in the console of the screen, in ` + "`parley repl TARGET`" + ` and
in the files of ` + "`parley run FILE TARGET`" + `. Each fact here is a test in
` + "`script/testdata/language`" + `, and so is the example below it. Comments in the examples tell
what comes of them: # → is what is printed, with results as JSON, # · what is said on
the side, # ✗ how the script fails. # with has the variables that are there before.

`

// TestDocumentIsTheTable holds docs/command-language.md: it is made of the statement
// table and of the cases that TestLanguage runs.
func TestDocumentIsTheTable(t *testing.T) {
	d := document{t: t, read: map[string]bool{}}
	d.WriteString(documentHead)
	d.topics("before", "##")
	for _, g := range script.Groups {
		d.group(g.Name, g.Title)
	}
	d.topics("behind", "##")
	files, err := filepath.Glob("testdata/language/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".txtar"); !d.read[name] {
			t.Errorf("%s is in no group of the document", name)
		}
	}
	const path = "../docs/command-language.md"
	want := strings.ToValidUTF8(strings.TrimRight(d.String(), "\n")+"\n", "\ufffd")
	if got, err := os.ReadFile(path); err == nil && strings.ReplaceAll(string(got), "\r\n", "\n") == want {
		return
	}
	if !*update {
		t.Fatal("docs/command-language.md is not what the table and the cases say: go test ./script -run Document -update")
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// document is docs/command-language.md as it is made.
type document struct {
	strings.Builder
	t    *testing.T
	read map[string]bool // the topics that are in it
}

func (d *document) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

// group writes the rows of a group and its topics.
func (d *document) group(name, title string) {
	d.printf("## %s\n\n| statement | what it does | example |\n|---|---|---|\n", title)
	var rows []*script.Command
	for _, c := range append(script.Commands(), script.Topics()...) {
		if c.Group != name {
			continue
		}
		rows = append(rows, c)
		var forms []string
		for _, f := range c.Forms {
			forms = append(forms, code(f))
		}
		short := c.Short
		if c.Typed {
			short += " (where somebody types)"
		}
		d.printf("| %s | %s | %s |\n", strings.Join(forms, "<br>"), cell(short), code(c.Example))
	}
	d.WriteByte('\n')
	d.flags(rows)
	if name == "session" {
		d.settings()
	}
	d.topics(name, "###")
}

// flags writes the flags of rows, each once, with those that have it.
func (d *document) flags(rows []*script.Command) {
	var flags []script.Flag
	having := map[script.Flag][]string{}
	for _, c := range rows {
		for _, f := range c.Flags {
			if having[f] == nil {
				flags = append(flags, f)
			}
			having[f] = append(having[f], code(c.Name))
		}
	}
	if len(flags) == 0 {
		return
	}
	d.WriteString("| flag | of | what it does |\n|---|---|---|\n")
	for _, f := range flags {
		d.printf("| %s | %s | %s |\n", code(strings.TrimSpace(f.Name+" "+f.Value)), strings.Join(having[f], ", "), cell(f.Short))
	}
	d.WriteByte('\n')
}

func (d *document) settings() {
	d.WriteString("| setting | what it changes | values |\n|---|---|---|\n")
	for _, s := range script.AllSettings() {
		var values []string
		for _, v := range s.Values {
			values = append(values, code(v))
		}
		d.printf("| %s | %s | %s |\n", code(s.Name+" "+s.Form), cell(s.Short), strings.Join(values, ", "))
	}
	d.WriteByte('\n')
}

// topics writes the cases of a group's files, under headings of that level.
func (d *document) topics(group, level string) {
	for _, name := range topicsOf[group] {
		archive, err := txtar.ParseFile(filepath.Join("testdata", "language", name+".txtar"))
		if err != nil {
			d.t.Error(err)
			continue
		}
		d.read[name] = true
		title, intro, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(archive.Comment)), "# "), "\n")
		if len(topicsOf[group]) > 1 || level == "##" {
			d.printf("%s %s\n\n", level, title)
		}
		if intro = strings.TrimSpace(intro); intro != "" {
			d.printf("%s\n\n", intro)
		}
		for _, c := range casesOf(archive) {
			d.printf("%s\n\n```\n%s```\n\n", c.sentence, c.example())
		}
	}
}

// example is the script of a case, with what comes of it in comments.
func (c *languageCase) example() string {
	var b strings.Builder
	remark(&b, "# with ", c.parts["vars"])
	for _, name := range slices.Sorted(maps.Keys(c.parts)) {
		if file, ok := strings.CutPrefix(name, "file "); ok {
			remark(&b, "# "+file+": ", c.parts[name])
		}
	}
	b.WriteString(strings.TrimRight(c.script, "\n") + "\n")
	remark(&b, "# → ", c.parts["stdout"])
	remark(&b, "# · ", c.parts["notes"])
	for line := range strings.Lines(c.parts["error"]) {
		if strings.HasPrefix(line, "word: ") {
			continue
		}
		remark(&b, "# ✗ ", line)
	}
	return b.String()
}

// remark writes the first lines of a text as comments.
func remark(b *strings.Builder, prefix, text string) {
	const most, wide = 5, 150
	n := 0
	for line := range strings.Lines(text) {
		if n++; n > most {
			b.WriteString(prefix + "…\n")
			return
		}
		line = strings.TrimRight(line, "\r\n")
		if r := []rune(line); len(r) > wide {
			line = string(r[:wide]) + "…"
		}
		b.WriteString(prefix + line + "\n")
	}
}

// code is a text of a table as code. GitHub takes a bar in one for the next cell.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
