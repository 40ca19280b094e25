package keys

import (
	"fmt"
	"reflect"
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

// Tables returns every context once, in the order in which help shows them.
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

// Footer returns the bindings that matter most in a context, in order. The
// last one is help, except in a question, whose answers need the room.
func (m *Map) Footer(c Context) []key.Binding {
	switch c {
	case InList:
		return []key.Binding{m.List.Open, m.List.Filter, m.Global.Next, m.Global.Traffic, m.Global.Console, m.Global.Help}
	case InDetail:
		return []key.Binding{m.Detail.Open, m.Detail.Search, m.Detail.Toggle, m.Detail.Copy, m.Global.Back, m.Global.Help}
	case InForm:
		return []key.Binding{m.Form.Send, m.Form.Edit, m.Form.Editor, m.Form.Unset, m.Global.Back, m.Global.Help}
	case InField:
		return []key.Binding{m.Field.Send, m.Field.Editor, m.Field.Earlier, m.Field.NextField, m.Field.Leave, m.Always.Help}
	case InInfo:
		return []key.Binding{m.Info.Search, m.Info.Toggle, m.Info.Copy, m.Global.Back, m.Global.Help}
	case InResult:
		return []key.Binding{m.Result.Repeat, m.Result.Search, m.Result.Toggle, m.Result.Copy, m.Global.Back, m.Global.Help}
	case InTraffic:
		return []key.Binding{m.Traffic.Open, m.Traffic.Filter, m.Traffic.Partner, m.Traffic.Repeat, m.Global.Back, m.Global.Help}
	case InFrame:
		return []key.Binding{m.Frame.Toggle, m.Frame.Search, m.Frame.Bytes, m.Frame.Partner, m.Frame.Copy, m.Global.Back, m.Global.Help}
	case InConsole:
		return []key.Binding{m.Console.Send, m.Console.Earlier, m.Console.Search, m.Console.Copy, m.Console.Leave, m.Always.Help}
	case InChoice:
		return []key.Binding{m.Choice.Send, m.Choice.Take, m.Choice.Close, m.Always.Help}
	case InRecall:
		return []key.Binding{m.Recall.Take, m.Recall.Older, m.Recall.Close, m.Always.Help}
	case InPalette:
		return []key.Binding{m.Palette.Take, m.Palette.Complete, m.Palette.Close, m.Always.Help}
	case InStart:
		return []key.Binding{m.Start.Open, m.Start.Filter, m.Global.Close, m.Global.Help}
	case InAsk:
		return []key.Binding{m.Ask.Accept, m.Ask.Refuse, m.Ask.Cancel, m.Form.Edit, m.Ask.Hide}
	case InAskField:
		return []key.Binding{m.Ask.Accept, m.Ask.Refuse, m.Ask.Cancel, m.Ask.Editor, m.Ask.Hide}
	case InFilter:
		return []key.Binding{m.Filter.Accept, m.Filter.Clear, m.Always.Help}
	}
	return nil
}

// Markdown writes every table for the documentation.
func (m *Map) Markdown() string {
	var b strings.Builder
	for i, t := range m.Tables() {
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
