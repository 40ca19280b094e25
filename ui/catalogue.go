package ui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/client/mcp"
	"parley/ui/theme"
	"parley/ui/widget"
)

// tab is one list of the catalogue pane.
type tab uint8

const (
	tabTools tab = iota
	tabResources
	tabPrompts
	tabs
)

// itemKind says what an item of the catalogue is.
type itemKind uint8

const (
	toolItem itemKind = iota
	resourceItem
	templateItem
	promptItem
)

// itemKey tells items apart; names may occur twice in a list.
type itemKey struct {
	kind  itemKind
	name  string // tool or prompt name, URI, URI template
	twice int    // how often the name occurred before
}

// item is a row of the catalogue.
type item struct {
	key       itemKey
	label     string // what else it is called
	about     string
	malformed string
	excluded  string // why a tool must not be called over this connection
	index     int    // in its list of the catalogue
}

// methods of the lists, by tab.
var tabMethods = [tabs][]string{
	tabTools:     {"tools/list"},
	tabResources: {"resources/list", "resources/templates/list"},
	tabPrompts:   {"prompts/list"},
}

var tabNames = [tabs]string{"tools", "resources", "prompts"}

// catalogue lists tools, resources with templates, and prompts, one at a time.
type catalogue struct {
	desk   *desk
	tab    tab
	items  [tabs][]item
	lists  [tabs]*widget.List[itemKey]
	pages  [tabs][]uint64 // the pages that the items were made from
	column [tabs]int      // the width of the names
	filter [tabs]string
	told   []string // resources that are subscribed to
}

func newCatalogue(d *desk) *catalogue {
	c := &catalogue{desk: d}
	c.reset()
	return c
}

func (c *catalogue) reset() {
	for t := range tabs {
		c.items[t], c.pages[t], c.filter[t] = nil, nil, ""
		c.lists[t] = widget.NewList[itemKey](&catalogueRecords{c, t}, c.desk.keys.List.Move, c.desk.st)
	}
	c.tab = tabTools
}

// list is the list that shows.
func (c *catalogue) list() *widget.List[itemKey] { return c.lists[c.tab] }

// refresh takes in lists that were answered since.
func (c *catalogue) refresh() {
	c.told = c.desk.subscribed()
	for t := range tabs {
		var pages []uint64
		for _, m := range tabMethods[t] {
			pages = append(pages, c.desk.state.Pages(m)...)
			pages = append(pages, 0)
		}
		if slices.Equal(pages, c.pages[t]) {
			continue
		}
		c.pages[t] = pages
		c.items[t] = c.read(t)
		c.column[t] = column(c.items[t])
		c.apply(t)
	}
	c.sayEmpty()
}

// read makes the rows of a tab.
func (c *catalogue) read(t tab) []item {
	var out []item
	seen := map[itemKey]int{}
	add := func(kind itemKind, i int, name, label, about, malformed string) {
		k := itemKey{kind: kind, name: name}
		seen[k]++
		k.twice = seen[k] - 1
		out = append(out, item{key: k, label: label, about: firstLine(about), malformed: malformed, index: i})
	}
	log, state := c.desk.sess.Log, &c.desk.state
	switch t {
	case tabTools:
		// Over HTTP, 2026-07-28 has arguments repeated in header fields, and tools left
		// out whose schema says that in a wrong way.
		mirrors := c.desk.modern() && c.desk.overHTTP()
		for i, x := range c.desk.cat.Tools(log, state) {
			add(toolItem, i, x.Name, x.Title, firstOf(x.Description, x.Title), x.Malformed)
			if mirrors {
				_, out[len(out)-1].excluded = mcp.HeaderParams(x.InputSchema)
			}
		}
	case tabResources:
		for i, x := range c.desk.cat.Resources(log, state) {
			add(resourceItem, i, x.URI, firstOf(x.Title, x.Name), x.Description, x.Malformed)
		}
		for i, x := range c.desk.cat.Templates(log, state) {
			add(templateItem, i, x.URITemplate, firstOf(x.Title, x.Name), x.Description, x.Malformed)
		}
	case tabPrompts:
		for i, x := range c.desk.cat.Prompts(log, state) {
			add(promptItem, i, x.Name, x.Title, firstOf(x.Description, x.Title), x.Malformed)
		}
	}
	return out
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(s)
}

// setFilter narrows the list that shows.
func (c *catalogue) setFilter(filter string) {
	c.filter[c.tab] = filter
	c.apply(c.tab)
	c.sayEmpty()
}

// apply puts a tab's filter to its items.
func (c *catalogue) apply(t tab) {
	words := strings.Fields(strings.ToLower(c.filter[t]))
	if len(words) == 0 {
		c.lists[t].ClearFilter()
		return
	}
	hits := []int{}
	for i := range c.items[t] {
		x := &c.items[t][i]
		hay := strings.ToLower(x.key.name + "\n" + x.label + "\n" + x.about)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(hay, w) }) {
			hits = append(hits, i)
		}
	}
	c.lists[t].SetFilter(hits)
}

// sayEmpty tells why a list is empty and which key helps.
func (c *catalogue) sayEmpty() {
	for t := range tabs {
		c.lists[t].Empty = c.emptyWords(t)
	}
}

func (c *catalogue) emptyWords(t tab) []theme.Text {
	d := c.desk
	name := theme.Text(tabNames[t])
	switch {
	case c.filter[t] != "" && len(c.items[t]) > 0:
		return []theme.Text{"no " + name + " match " + theme.Safe(strconv.Quote(c.filter[t])), "esc drops the filter"}
	case d.sess == nil:
		return nil
	case len(d.state.Pages(tabMethods[t][0])) > 0:
		return []theme.Text{"the server lists no " + name, "r lists again"}
	case d.busy[tabMethods[t][0]]:
		return []theme.Text{"listing …"}
	case !d.sess.Live():
		return []theme.Text{"not listed in this session"}
	case d.problem != nil:
		return []theme.Text{"not connected", "R tries again"}
	case d.ended() != "":
		return []theme.Text{"the server is gone", theme.Text(d.restarts())}
	case c.failed(t) != "":
		return []theme.Text{theme.Safe(c.failed(t)), "r asks again"}
	case d.sess.Client.HandsOff():
		return []theme.Text{"nothing was sent: 5 talks to the server", "r asks for this list"}
	case d.version() == "":
		return []theme.Text{"connecting …"}
	}
	return []theme.Text{"the server did not declare " + name, "r asks all the same"}
}

// failed says why a list was answered with an error.
func (c *catalogue) failed(t tab) string {
	method := tabMethods[t][0]
	asked := c.desk.calls[operation{method: method}]
	if len(asked) == 0 {
		return ""
	}
	x, ok := c.desk.state.Exchange(asked[len(asked)-1])
	if !ok || x.Response.Seq == 0 {
		return ""
	}
	if r := c.desk.record(x.Response.Seq); r.Code != 0 {
		return "✗ " + method + ": error " + itoa(r.Code) + " " + mcp.CodeName(r.Code)
	}
	return ""
}

// selected is the item that is selected.
func (c *catalogue) selected() (item, bool) {
	_, i, ok := c.list().Selected()
	if !ok || i >= len(c.items[c.tab]) {
		return item{}, false
	}
	return c.items[c.tab][i], true
}

// selectTemplate selects the first template, if none is selected.
func (c *catalogue) selectTemplate() {
	if x, ok := c.selected(); ok && x.key.kind == templateItem {
		return
	}
	for _, x := range c.items[tabResources] {
		if x.key.kind == templateItem && c.lists[tabResources].Select(x.key) {
			return
		}
	}
}

// index is where an item stands in a tab, filtered or not; -1 if it does not.
func (c *catalogue) index(t tab, k itemKey) int {
	return slices.IndexFunc(c.items[t], func(x item) bool { return x.key == k })
}

func (c *catalogue) update(msg tea.Msg) bool { return c.list().Update(msg) }

func (c *catalogue) setSize(w, h int) {
	for _, l := range c.lists {
		l.SetSize(w, h)
	}
}

func (c *catalogue) focus(on bool) {
	for _, l := range c.lists {
		l.SetFocused(on)
	}
}

// catalogueRecords are the rows of one tab.
type catalogueRecords struct {
	c *catalogue
	t tab
}

func (r *catalogueRecords) Len() int          { return len(r.c.items[r.t]) }
func (r *catalogueRecords) Key(i int) itemKey { return r.c.items[r.t][i].key }

// nameWidth is how wide a name may be without being cut.
const nameWidth = 32

// Draw implements widget.Records: the name, and what it is for where there is
// room.
func (r *catalogueRecords) Draw(row *theme.Row, i int, s widget.RowState) {
	st, x := r.c.desk.st, &r.c.items[r.t][i]
	mark := theme.Text("  ")
	switch {
	case x.malformed != "":
		mark = "▲ "
	case x.excluded != "":
		mark = "✗ "
	case x.key.kind == resourceItem && slices.Contains(r.c.told, x.key.name):
		mark = "● "
	}
	row.Add(st.Warn, mark)
	name := x.shownName()
	style := st.Text
	if x.excluded != "" {
		style = st.Text.Strike()
	}
	if x.key.kind == templateItem {
		style = st.Accent
	}
	start := row.X()
	row.Add(style, theme.SafeCut(name, max(nameWidth, row.Rest()/2)))
	about := x.about
	switch {
	case x.malformed != "":
		about = "malformed: " + x.malformed
	case x.excluded != "":
		about = "excluded: " + x.excluded
	case mark == "● ":
		about = "subscribed  " + x.key.name
	case x.key.kind == resourceItem || x.key.kind == templateItem:
		about = x.key.name
	}
	row.To(start + r.c.column[r.t])
	if about != "" && row.Rest() > minAbout {
		row.Gap(2)
		row.Add(st.Muted, theme.SafeCut(about, row.Rest()))
	}
}

// minAbout is the room under which what an item is for is left out.
const minAbout = 10

// shownName is what an item is listed under.
func (x *item) shownName() string {
	if x.key.kind == resourceItem || x.key.kind == templateItem {
		return firstOf(x.label, x.key.name, "(no name)")
	}
	return firstOf(x.key.name, "(no name)")
}

// column is the width of the names of a list: of the widest that is not cut.
func column(items []item) (w int) {
	for i := range items {
		if n := theme.Width(theme.SafeCut(items[i].shownName(), nameWidth)); n <= nameWidth {
			w = max(w, n)
		}
	}
	return w
}

// listed reports whether the server answered a tab's list.
func (c *catalogue) listed(t tab) bool {
	return c.desk.sess != nil && len(c.desk.state.Pages(tabMethods[t][0])) > 0
}
