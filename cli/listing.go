package cli

import (
	"strings"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/schema"
	"parley/script"
	"parley/ui/theme"
)

// listed is an item of a list, as it is printed.
type listed struct {
	name      string
	summary   string // on a terminal: arguments, or type and size
	plain     string // elsewhere: what follows the name in its column
	text      string // the description, with a label before it
	malformed string
	excluded  string // why it may not be called over this transport; empty if it may
}

// wrong is what is to be told before the description.
func (l *listed) wrong() string {
	switch {
	case l.malformed != "":
		return "▲ malformed: " + l.malformed
	case l.excluded != "":
		return "▲ excluded: " + l.excluded
	}
	return ""
}

// nouns are what the lists have, in words.
var nouns = map[string]string{"tools": "tools", "resources": "resources", "templates": "resource templates", "prompts": "prompts"}

// list prints a list: on a terminal as a table of its width, elsewhere in two
// columns that only the names make wider, name and first line of the description,
// parted by two spaces at least. That form stays as it is.
func (p *printing) list() error {
	pages, err := p.o.Pages()
	if err != nil {
		return err
	}
	var items []listed
	for _, page := range pages {
		items = append(items, p.items(page)...)
	}
	switch {
	case len(items) == 0 && p.o.Err == nil && len(pages) > 0:
		p.note("the server lists no %s", nouns[p.o.Verb])
	case p.io.OutTTY:
		p.table(items)
	default:
		limit := 48
		if p.o.Verb == "tools" || p.o.Verb == "prompts" {
			limit = 32
		}
		rows := make([][2]string, len(items))
		for i, it := range items {
			rows[i] = row(it.name+it.plain, it.text, it.wrong())
		}
		p.columns(limit, rows)
	}
	p.nextPage()
	return nil
}

// nextPage says how to get the page after the one that was asked for.
func (p *printing) nextPage() {
	if _, ok := p.o.Flags["--page"]; !ok || len(p.o.Answers) != 1 || !p.o.Answers[0].Head.Next {
		return
	}
	raw, err := p.o.Link.Client.Result(p.o.Answers[0])
	if err != nil {
		return
	}
	cursor, _ := rawjson.Get(raw, "nextCursor")
	text, _ := rawjson.Unquote(cursor)
	if text == "" { // a cursor as good as any, of which --page makes the first page
		p.note("there is a next page, of the empty cursor: request %s '{\"cursor\":\"\"}'", p.o.Name)
		return
	}
	p.note("there is a next page: %s", theme.Safe(script.Shell("--page="+text)))
}

// items decodes a page of any of the lists.
func (p *printing) items(raw []byte) (items []listed) {
	problem := ""
	switch p.o.Verb {
	case "tools":
		page := mcp.DecodeTools(raw)
		problem = page.Problem
		for _, t := range page.Items {
			it := listed{name: t.Name, summary: p.arguments(t.InputSchema), text: or(t.Description, t.Title), malformed: t.Malformed}
			it.excluded, _ = p.o.Link.Client.Excluded(t.Name)
			items = append(items, it)
		}
	case "resources":
		page := mcp.DecodeResources(raw)
		problem = page.Problem
		for _, r := range page.Items {
			about := r.MIMEType
			if r.Size != nil {
				about = strings.TrimSpace(about + " " + size(*r.Size))
			}
			items = append(items, listed{name: r.URI, summary: about, text: join(r.Label(), r.Description), malformed: r.Malformed})
		}
	case "templates":
		page := mcp.DecodeTemplates(raw)
		problem = page.Problem
		for _, t := range page.Items {
			items = append(items, listed{name: t.URITemplate, summary: t.MIMEType, text: join(t.Label(), t.Description), malformed: t.Malformed})
		}
	case "prompts":
		page := mcp.DecodePrompts(raw)
		problem = page.Problem
		for _, t := range page.Items {
			var args []string
			for _, arg := range t.Arguments {
				args = append(args, arg.Name+mark(arg.Required))
			}
			it := listed{name: t.Name, summary: strings.Join(args, ", "), text: or(t.Description, t.Title), malformed: t.Malformed}
			if len(args) > 0 {
				it.plain = " " + strings.Join(args, " ")
			}
			items = append(items, it)
		}
	}
	p.problem(problem)
	return items
}

func mark(required bool) string {
	if required {
		return "*"
	}
	return ""
}

// arguments is a tool's arguments in a line, for a table on a terminal.
func (p *printing) arguments(raw []byte) string {
	if !p.io.OutTTY {
		return ""
	}
	form, err := schema.Parse(raw)
	if err != nil || len(form.Fields) == 0 {
		return ""
	}
	args := make([]string, len(form.Fields))
	for i, f := range form.Fields {
		args[i] = strings.TrimSpace(f.Name + mark(f.Required) + " " + typeOf(f))
	}
	return strings.Join(args, ", ")
}

// maxChoices is how many values of a choice a line names.
const maxChoices = 5

// typeOf names what an argument takes, shortly.
func typeOf(f *schema.Field) string {
	text := f.Type.String()
	switch f.Type {
	case schema.String:
		if f.Format != "" {
			text = f.Format
		}
	case schema.Enum:
		var labels []string
		for _, o := range f.Enum {
			labels = append(labels, plainValue(o.Raw))
		}
		if len(labels) > maxChoices {
			labels = append(labels[:maxChoices:maxChoices], "…")
		}
		text = strings.Join(labels, "|")
	case schema.Const:
		text = plainValue(f.Const)
	case schema.JSON:
		if text = f.Reason; f.Untyped {
			text = "any"
		}
	case schema.Number, schema.Integer, schema.Boolean:
	}
	if f.Nullable {
		text += "|null"
	}
	return text
}

// plainValue is a JSON value as it is typed after an equals sign.
func plainValue(raw []byte) string {
	if text, ok := rawjson.Unquote(raw); ok && rawjson.KindOf(raw) == rawjson.String {
		return text
	}
	return string(raw)
}

// table prints items on a terminal.
func (p *printing) table(items []listed) {
	t := table{looks: p.looks()}
	t.width, t.height = p.io.size()
	for _, it := range items {
		text, wrong := it.text, it.wrong()
		if wrong != "" {
			text = strings.TrimSpace(wrong + "  " + first(text))
		}
		t.rows = append(t.rows, tableRow{theme.Safe(or(it.name, "(no name)")), theme.Safe(it.summary), text, wrong != "", it.excluded != ""})
	}
	_, _ = p.io.Out.Write([]byte(t.String()))
}

// problem says what is wrong with a page, on standard error.
func (a *app) problem(text string) {
	if text != "" {
		a.note("▲ %s", theme.Safe(text))
	}
}

func row(name, text, wrong string) [2]string {
	if name == "" {
		name = "(no name)"
	}
	if wrong != "" {
		text = strings.TrimSpace(wrong + "  " + text)
	}
	return [2]string{string(theme.Safe(name)), first(text)}
}

func or(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func join(name, description string) string {
	description = strings.TrimSpace(description)
	switch {
	case name == "" || name == description:
		return description
	case description == "":
		return name
	}
	return name + " – " + description
}
