package keys

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// Context names a place in which a set of bindings holds.
type Context uint8

// The contexts that can have the keys.
const (
	InList Context = iota
	InDetail
	InForm
	InField
	InResult
	InInfo
	InTraffic
	InFrame
	InConsole
	InChoice  // the console, with a list of what may be meant
	InRecall  // the console, looking for an earlier line
	InPalette // the palette over whatever has the keys
	InStart
	InAsk      // a question, a row of its form chosen
	InAskField // a question, typing into its form
	InFilter
	contexts
)

// Table is what the keys of one context do.
type Table struct {
	Name     string // "Traffic"
	About    string // where it holds
	Bindings []key.Binding
}

// Tables returns every context of the screen once, in the order in which help
// shows them.
func (m *Map) Tables() []Table {
	return []Table{
		table("Everywhere", "also while typing", m.Always),
		table("Panes", "while no field has the keys", m.Global),
		table("List", "tools, resources, prompts", m.List),
		table("Detail", "a resource", m.Detail),
		table("Form", "the arguments of a call", m.Form),
		table("Field", "typing into a form; letters are letters", m.Field),
		table("Result", "the answer to a call", m.Result),
		table("Server", "what the server says of itself, and its standard error", m.Info),
		table("Traffic", "every frame in the order observed", m.Traffic),
		table("Frame", "one frame, opened", m.Frame),
		table("Console", aboutConsole, m.Console),
		table("Completion", aboutChoice, m.Choice),
		table("Earlier lines", aboutRecall, m.Recall),
		table("Palette", aboutPalette, m.Palette),
		table("Start", "without a target", m.Start),
		table("Question", "the server asks", m.Ask),
		table("Filter", "typing a filter or a search", m.Filter),
	}
}

// Repl is what the keys of parley repl do on a terminal.
func (m *Map) Repl() Table {
	return table("Prompt", "the line of `parley repl` on a terminal; earlier lines are looked for there as in the console", m.Prompt)
}

// Where the tables of a typed line hold.
const (
	aboutConsole = "a line of the command language; { and [ begin one that goes out as typed"
	aboutChoice  = "the console, while it lists what may be meant"
	aboutRecall  = "the console, looking for an earlier line"
	aboutPalette = "every action and command, found by a few letters"
)

// Active returns the tables that hold in a context, the most particular first.
// A message is matched against them in this order.
func (m *Map) Active(c Context) []Table {
	always := table("Everywhere", "also while typing", m.Always)
	global := table("Panes", "while no field has the keys", m.Global)
	switch c {
	case InField:
		return []Table{table("Field", "typing into a form", m.Field), always}
	case InConsole:
		return []Table{table("Console", aboutConsole, m.Console), always}
	case InChoice:
		return []Table{table("Completion", aboutChoice, m.Choice), always}
	case InRecall:
		return []Table{table("Earlier lines", aboutRecall, m.Recall), always}
	case InPalette:
		return []Table{table("Palette", aboutPalette, m.Palette), always}
	case InFilter:
		return []Table{table("Filter", "typing a filter or a search", m.Filter), always}
	case InAsk:
		return []Table{table("Question", "the server asks", m.Ask), table("Form", "its fields", m.Form.Rows), always}
	case InAskField:
		return []Table{
			table("Question", "the server asks", m.Ask),
			table("Field", "typing", struct {
				Fields
				Edit
			}{m.Field.Fields, m.Field.Edit}),
			always,
		}
	}
	local := map[Context]Table{
		InList:    table("List", "tools, resources, prompts", m.List),
		InDetail:  table("Detail", "a resource", m.Detail),
		InForm:    table("Form", "the arguments of a call", m.Form),
		InResult:  table("Result", "the answer to a call", m.Result),
		InInfo:    table("Server", "what the server says of itself, and its standard error", m.Info),
		InTraffic: table("Traffic", "every frame in the order observed", m.Traffic),
		InFrame:   table("Frame", "one frame, opened", m.Frame),
		InStart:   table("Start", "without a target", m.Start),
	}
	return []Table{local[c], global, always}
}

// Footer returns the bindings that matter most in a context, in order, in few
// words. The last one is help, except in a question, whose answers need the room.
func (m *Map) Footer(c Context) []key.Binding {
	g := &m.Global
	help, back := m.Always.Help, brief(g.Back, "back")
	if m.letters(c) {
		help = g.Help
	}
	switch c {
	case InList:
		return []key.Binding{brief(m.List.Open, "open"), brief(m.List.Filter, "filter"), brief(g.Next, "next pane"), brief(g.Traffic, "traffic"), brief(g.Console, "console"), help}
	case InDetail:
		d := &m.Detail
		return []key.Binding{brief(d.Open, "read"), brief(d.Subscribe, "subscribe"), brief(d.Search, "search"), brief(d.Copy, "copy …"), back, help}
	case InForm:
		f := &m.Form
		return []key.Binding{brief(f.Send, "send"), brief(f.Edit, "edit"), brief(f.Editor, "edit as JSON"), brief(f.Unset, "absent"), back, help}
	case InField:
		f := &m.Field
		return []key.Binding{brief(f.Send, "send"), brief(f.Editor, "as JSON"), brief(f.Earlier, "earlier"), brief(f.NextField, "next"), brief(f.Leave, "leave"), help}
	case InInfo:
		return []key.Binding{brief(m.Info.Search, "search"), brief(m.Info.Toggle, "fold"), brief(m.Info.Copy, "copy …"), back, help}
	case InResult:
		r := &m.Result
		return []key.Binding{brief(r.Repeat, "send again"), brief(r.Search, "search"), brief(r.Toggle, "fold"), brief(r.Copy, "copy …"), back, help}
	case InTraffic:
		t := &m.Traffic
		return []key.Binding{t.Open, brief(t.Filter, "filter"), brief(t.Partner, "partner"), brief(t.Repeat, "send again"), back, help}
	case InFrame:
		f := &m.Frame
		return []key.Binding{brief(f.Toggle, "fold"), brief(f.Search, "search"), brief(f.Bytes, "bytes"), brief(f.Partner, "partner"), brief(f.Copy, "copy …"), back, help}
	case InConsole:
		c := &m.Console
		return []key.Binding{brief(c.Send, "run"), brief(c.Earlier, "earlier"), brief(c.Search, "search"), brief(c.Copy, "copy …"), brief(c.Leave, "leave"), help}
	case InChoice:
		return []key.Binding{m.Choice.Send, m.Choice.Take, m.Choice.Close, help}
	case InRecall:
		return []key.Binding{m.Recall.Run, brief(m.Recall.Take, "take it"), m.Recall.Older, brief(m.Recall.Close, "back"), help}
	case InPalette:
		return []key.Binding{m.Palette.Take, m.Palette.Complete, m.Palette.Close, help}
	case InStart:
		return []key.Binding{m.Start.Open, m.Start.Filter, g.Close, help}
	case InAsk:
		return []key.Binding{m.Ask.Accept, m.Ask.Refuse, m.Ask.Cancel, brief(m.Form.Edit, "edit"), m.Ask.Hide}
	case InAskField:
		return []key.Binding{m.Ask.Accept, m.Ask.Refuse, m.Ask.Cancel, m.Ask.Editor, m.Ask.Hide}
	case InFilter:
		return []key.Binding{brief(m.Filter.Accept, "keep"), m.Filter.Clear, help}
	}
	return nil
}

// FooterHTTP is Footer where there are lines of HTTP to go to.
func (m *Map) FooterHTTP(c Context) []key.Binding {
	bindings := m.Footer(c)
	switch c {
	case InTraffic:
		t := &m.Traffic
		bindings[0] = brief(t.Open, "open")
		bindings = slices.Replace(bindings, 3, 4) // sending again gives way
		bindings = slices.Insert(bindings, 2, brief(t.HTTP, "HTTP"), brief(t.Carrier, "its line"))
	case InFrame:
		bindings[0] = brief(m.Frame.Carrier, "HTTP line")
	}
	return bindings
}

// FooterResources is Footer for the list of resources.
func (m *Map) FooterResources() []key.Binding {
	bindings := m.Footer(InList)
	bindings[2] = brief(m.List.Subscribe, "subscribe")
	return bindings
}

// letters reports whether the keys of the panes hold in a context.
func (m *Map) letters(c Context) bool {
	switch c {
	case InField, InConsole, InChoice, InRecall, InPalette, InAsk, InAskField, InFilter:
		return false
	}
	return true
}

// brief is a binding with fewer words.
func brief(b key.Binding, does string) key.Binding {
	b.SetHelp(b.Help().Key, does)
	return b
}

// Markdown writes every table for the documentation.
func (m *Map) Markdown() string {
	var b strings.Builder
	for i, t := range append(m.Tables(), m.Repl()) {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "### %s\n\n%s.\n\n| key | does |\n|---|---|\n", t.Name, capital(t.About))
		for _, k := range t.Bindings {
			h := k.Help()
			fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(h.Key, " ", "` `"), h.Desc)
		}
	}
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// table lists the enabled bindings of a struct in the order of its fields, so
// that a binding cannot be forgotten.
func table(name, about string, of any) Table {
	return Table{name, about, collect(nil, reflect.ValueOf(of))}
}

// Bindings lists the enabled bindings of a struct of them.
func Bindings(of any) []key.Binding { return collect(nil, reflect.ValueOf(of)) }

func collect(to []key.Binding, v reflect.Value) []key.Binding {
	for i := range v.NumField() {
		f := v.Field(i)
		if b, ok := f.Interface().(key.Binding); ok {
			if b.Enabled() {
				to = append(to, b)
			}
			continue
		}
		to = collect(to, f)
	}
	return to
}
