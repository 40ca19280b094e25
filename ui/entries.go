package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/history"
	"parley/script"
	"parley/ui/keys"
)

// entry is something that the palette offers: an action that has a key, or a
// command of the language.
type entry struct {
	label  string
	about  string
	key    string
	away   bool   // it is done in another pane
	insert string // of a command that takes words: what to put into the line
	why    func(m *Model) string
	do     func(m *Model) tea.Cmd
}

// entries lists what can be done, where the keys are first, then everywhere,
// then the commands, then what can be done in other panes.
func (m *Model) entries() []entry {
	k := &m.desk.keys
	here := m.context()
	steps := movements(k)
	var out, moves []entry
	for _, t := range k.Active(here) {
		for _, b := range t.Bindings {
			if m.opens(b) {
				continue
			}
			e := m.action(here, t, b)
			if among(steps, b) {
				moves = append(moves, e)
				continue
			}
			out = append(out, e)
		}
	}
	if m.typing() {
		out = append(out, m.beside()...)
	}
	for _, c := range script.Commands() {
		out = append(out, command(c))
	}
	for _, c := range places {
		if c != here && m.desk.sess != nil {
			out = append(out, m.elsewhere(c, steps)...)
		}
	}
	return append(out, moves...)
}

// opens reports whether a binding opens the palette, which is open.
func (m *Model) opens(b key.Binding) bool {
	p := m.desk.keys
	return same(b, p.Always.Palette) || same(b, p.Global.Palette)
}

func same(a, b key.Binding) bool { return a.Help() == b.Help() && slices.Equal(a.Keys(), b.Keys()) }

func among(list []key.Binding, b key.Binding) bool {
	return slices.ContainsFunc(list, func(x key.Binding) bool { return same(b, x) })
}

// movements are the bindings that only move, or edit a line: nobody looks for
// those, but a terminal may keep their keys.
func movements(k *keys.Map) []key.Binding {
	sets := struct {
		keys.Move
		keys.Edit
		Frame keys.Read
		Rows  keys.Rows
	}{k.List.Move, k.Console.Edit, k.Frame.Read, k.Form.Rows}
	sets.Frame.Wrap, sets.Frame.Search = key.Binding{}, key.Binding{}
	sets.Rows.Edit, sets.Rows.Unset, sets.Rows.Null = key.Binding{}, key.Binding{}, key.Binding{}
	return keys.Bindings(sets)
}

// action is what a key does in a context.
func (m *Model) action(c keys.Context, t keys.Table, b key.Binding) entry {
	h := b.Help()
	return entry{
		label: h.Desc, about: strings.ToLower(t.Name), key: h.Key,
		why: func(m *Model) string { return m.whyNot(c, b) },
		do:  func(m *Model) tea.Cmd { return m.invoke(b) },
	}
}

// invoke does what a binding does, by pressing its first key.
func (m *Model) invoke(b key.Binding) tea.Cmd {
	msg, ok := keys.First(b)
	if !ok {
		return nil
	}
	return m.pressOne(msg)
}

// beside lists what can be done in all panes while a field has the keys: there
// its letters are letters.
func (m *Model) beside() (out []entry) {
	t := m.desk.keys.Active(keys.InList)[1]
	for _, b := range t.Bindings {
		if m.opens(b) || b.Help().Key == "esc" || same(b, m.desk.keys.Global.Help) {
			continue
		}
		e := m.action(keys.InList, t, b)
		e.do = func(m *Model) tea.Cmd {
			if msg, ok := keys.First(b); ok {
				return m.pressGlobal(msg)
			}
			return nil
		}
		out = append(out, e)
	}
	return out
}

// places are the contexts that one can go to from anywhere.
var places = []keys.Context{keys.InForm, keys.InDetail, keys.InResult, keys.InList, keys.InTraffic, keys.InConsole, keys.InInfo}

// elsewhere lists what can be done in another context. What is done everywhere,
// and what only moves, is left out.
func (m *Model) elsewhere(c keys.Context, steps []key.Binding) (out []entry) {
	t := m.desk.keys.Active(c)[0]
	for _, b := range t.Bindings {
		if among(steps, b) || m.opens(b) || b.Help().Key == "esc" {
			continue
		}
		e := m.action(c, t, b)
		e.label = strings.ToLower(t.Name) + ": " + e.label
		e.about, e.away = "", true
		why, do := e.why, e.do
		e.why = func(m *Model) string { return firstOf(m.whyNotGo(c), why(m)) }
		e.do = func(m *Model) tea.Cmd { m.goTo(c); return do(m) }
		out = append(out, e)
	}
	return out
}

// whyNotGo says why the keys cannot go to a context.
func (m *Model) whyNotGo(c keys.Context) string {
	switch c {
	case keys.InForm:
		if !m.detail.has || m.detail.form == nil {
			return "what is selected takes no arguments"
		}
	case keys.InDetail:
		if !m.detail.has || m.detail.form != nil {
			return "no resource is selected"
		}
	case keys.InResult:
		if !m.detail.hasResult() {
			return "no call was made of this yet"
		}
	}
	return ""
}

// goTo gives the keys to a context that whyNotGo has nothing against.
func (m *Model) goTo(c keys.Context) {
	switch c {
	case keys.InForm, keys.InDetail:
		m.detail.into(keys.InForm)
		m.setFocus(onDetail)
		if m.detail.context() == keys.InField {
			m.detail.form.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
		}
	case keys.InResult:
		m.detail.into(keys.InResult)
		m.setFocus(onDetail)
	case keys.InList:
		m.setFocus(onList)
	case keys.InTraffic:
		m.setFocus(onTraffic)
	case keys.InConsole:
		m.setFocus(onConsole)
	case keys.InInfo:
		m.openWide(m.info)
	}
}

// command is a row of the statement table: run as it is if it takes no words,
// else begun.
func command(c *script.Command) entry {
	e := entry{label: firstOf(append(c.Forms, c.Name)...), about: c.Short}
	alone := c.Name != "raw" && !slices.ContainsFunc(c.Words, func(s script.Slot) bool { return !s.Optional })
	e.why = func(m *Model) string {
		switch {
		case m.desk.sess == nil && c.Name != "connect":
			return "there is no session yet: connect NAME"
		case c.Online && !m.connecting && m.desk.sess != nil:
			return m.live()
		}
		return ""
	}
	if !alone || len(c.Words) > 0 {
		e.insert = c.Name + " "
		return e
	}
	e.do = func(m *Model) tea.Cmd {
		_, cmd := (&palette{}).run(m, c.Name)
		return cmd
	}
	return e
}

// whyNot says why a key has nothing to do now, or nothing if it has.
func (m *Model) whyNot(c keys.Context, b key.Binding) string {
	k := &m.desk.keys
	if m.desk.sess == nil {
		if c != keys.InStart && !same(b, k.Always.Help) && !same(b, k.Always.Quit) {
			return "there is no session yet"
		}
		if g := k.Global; among(keys.Bindings(g), b) && !among([]key.Binding{g.Back, g.Close, g.Help}, b) {
			return "there is no session yet"
		}
		return ""
	}
	switch {
	case same(b, k.Global.Cancel):
		if m.console.running == nil && !m.connecting && len(m.desk.state.Pending()) == 0 && m.detail.runningTask() == 0 {
			return "no call is in flight"
		}
	case same(b, k.List.Subscribe) && (c == keys.InList || c == keys.InDetail):
		_, why := m.subscribable()
		return why
	case same(b, k.Global.Restart):
		if !m.desk.sess.Live() {
			return m.live()
		}
	case same(b, k.List.Reload) && c == keys.InList, same(b, k.Form.Send) && (c == keys.InForm || c == keys.InField),
		same(b, k.Detail.Open) && c == keys.InDetail, same(b, k.Result.Send) && c == keys.InResult:
		return m.live()
	}
	return m.whyNotThere(c, b)
}

// whyNotThere is whyNot for what one pane shows.
func (m *Model) whyNotThere(c keys.Context, b key.Binding) string {
	k := &m.desk.keys
	switch c {
	case keys.InTraffic:
		seq := m.traffic.selected()
		switch {
		case seq == 0 && !same(b, k.Traffic.Filter):
			if among(keys.Bindings(k.Traffic), b) {
				return "nothing is selected"
			}
		case same(b, k.Traffic.Partner) && m.desk.partner(seq) == 0:
			return "this frame has no partner"
		case same(b, k.Traffic.HTTP) && m.traffic.lines == 0:
			return "there are no HTTP lines: " + m.noHTTP()
		case same(b, k.Traffic.Carrier) && m.desk.otherView(seq) == 0:
			return "this frame has no other side in HTTP"
		case same(b, k.Traffic.Repeat):
			_, why := m.sendable(seq)
			return why
		}
	case keys.InForm, keys.InField, keys.InResult, keys.InDetail:
		return m.whyNotDetail(b)
	case keys.InConsole:
		switch {
		case same(b, k.Console.Send) && m.console.line.Text() == "":
			return "nothing was typed"
		case same(b, k.Console.Search) && len(m.console.line.History()) == 0:
			return "no line was typed here yet"
		}
	}
	return ""
}

func (m *Model) whyNotDetail(b key.Binding) string {
	k, x := &m.desk.keys, m.detail
	all := x.calls()
	i, found := slices.BinarySearch(all, x.seq())
	switch {
	case same(b, k.Form.Repeat):
		if x.seq() == 0 {
			return "there is no call to send again"
		}
		return m.live()
	case same(b, k.Form.Earlier) && len(all) == 0:
		return "no earlier calls of this"
	case same(b, k.Form.PrevCall) && (!found || i == 0), same(b, k.Form.NextCall) && (!found || i == len(all)-1):
		return "there is no other call there"
	case same(b, k.Result.Copy) && x.context() == keys.InResult:
		if e, ok := x.exchange(); !ok || e.Status == history.Pending {
			return "there is no answer yet"
		}
	}
	return ""
}
