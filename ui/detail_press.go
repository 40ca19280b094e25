package ui

import (
	"bytes"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/client"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/ui/keys"
)

func (x *detail) press(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	switch x.context() {
	case keys.InField:
		return x.pressField(m, msg)
	case keys.InForm:
		return x.pressForm(m, msg)
	case keys.InResult:
		return x.pressResult(m, msg)
	}
	return x.pressAbout(m, msg)
}

// pressField takes the keys while letters are letters.
func (x *detail) pressField(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := x.desk.keys.Field
	fresh := x.fresh
	x.fresh = false
	switch {
	case fresh && key.Matches(msg, k.Enter):
		return true, nil // who opens a field that is open already means this one
	case key.Matches(msg, k.Send):
		if fresh { // nothing was typed: letters are commands again
			x.form.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
		}
		return true, x.send(m)
	case key.Matches(msg, k.Editor):
		return true, x.editArguments(m)
	case key.Matches(msg, k.Earlier):
		x.recall(m)
		return true, nil
	case key.Matches(msg, k.Leave):
		defer x.remember()
	}
	return x.form.Update(msg), nil
}

func (x *detail) pressForm(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := x.desk.keys.Form
	switch {
	case key.Matches(msg, k.Send):
		return true, x.send(m)
	case key.Matches(msg, k.Editor):
		return true, x.editArguments(m)
	case key.Matches(msg, k.Earlier):
		x.recall(m)
	case key.Matches(msg, k.Repeat):
		return true, x.again(m)
	case key.Matches(msg, k.Copy):
		args, _ := x.form.JSON()
		m.copyText("the arguments", args)
	case key.Matches(msg, k.PrevCall):
		x.pick(m, -1)
	case key.Matches(msg, k.NextCall):
		x.pick(m, 1)
	default:
		return x.form.Update(msg), nil
	}
	return true, nil
}

// pressAbout takes the keys of a subject without a form: a resource.
func (x *detail) pressAbout(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := x.desk.keys.Detail
	switch {
	case x.viewer.Pending():
		return x.viewer.Update(msg), nil
	case key.Matches(msg, k.Open):
		return true, x.send(m)
	case key.Matches(msg, k.Subscribe):
		return true, m.subscribe()
	case key.Matches(msg, k.Search):
		m.openFilter(onDetail)
	case key.Matches(msg, k.Copy):
		m.copyItem()
	case key.Matches(msg, k.Editor):
		return true, m.view("item.json", x.sub.raw)
	case key.Matches(msg, k.PrevCall):
		x.pick(m, -1)
	case key.Matches(msg, k.NextCall):
		x.pick(m, 1)
	default:
		return x.viewer.Update(msg), nil
	}
	return true, nil
}

func (x *detail) pressResult(m *Model, msg tea.KeyPressMsg) (bool, tea.Cmd) {
	k := x.desk.keys.Result
	switch {
	case x.result.Pending():
		return x.result.Update(msg), nil
	case key.Matches(msg, k.Repeat):
		return true, x.again(m)
	case key.Matches(msg, k.Send):
		return true, x.send(m)
	case key.Matches(msg, k.Open):
		return true, x.follow(m)
	case key.Matches(msg, k.Search):
		m.openFilter(onDetail)
	case key.Matches(msg, k.Hit):
		m.nextHit(x.result, x.query, 1)
	case key.Matches(msg, k.HitUp):
		m.nextHit(x.result, x.query, -1)
	case key.Matches(msg, k.Partner):
		x.openFrames(m)
	case key.Matches(msg, k.Copy):
		x.copyResult(m)
	case key.Matches(msg, k.Editor):
		return true, m.view("result.json", x.resultBytes())
	case key.Matches(msg, k.PrevCall):
		x.pick(m, -1)
	case key.Matches(msg, k.NextCall):
		x.pick(m, 1)
	default:
		return x.result.Update(msg), nil
	}
	return true, nil
}

// send sends what the form says. Arguments that the schema refuses are held
// back once; sent again unchanged, they go out: this is a debugger.
func (x *detail) send(m *Model) tea.Cmd {
	if why := m.live(); why != "" {
		m.say(why)
		return nil
	}
	if !x.has {
		m.say("nothing is selected")
		return nil
	}
	if x.sub.problem != "" {
		m.say("✗ " + x.sub.problem)
		return nil
	}
	args, ok := x.arguments(m)
	if !ok {
		return nil
	}
	x.warned = nil
	op, params, err := x.sub.operation(args)
	if err != nil {
		m.fail(err)
		return nil
	}
	return m.request(op, params, client.CallOptions{By: wire.ByForm, Progress: op.method == "tools/call"})
}

// arguments are those of the form, if they may go out.
func (x *detail) arguments(m *Model) (args []byte, ok bool) {
	if x.form == nil {
		return nil, true
	}
	x.remember()
	fine := x.form.Check() && x.sub.item.excluded == ""
	args, err := x.form.JSON()
	if err != nil {
		m.fail(err)
		return nil, false
	}
	if fine || bytes.Equal(args, x.warned) {
		return args, true
	}
	x.warned = append([]byte(nil), args...)
	why := "the schema does not take these arguments"
	if p := x.form.Problems(); len(p) > 0 {
		why = p[0].String()
	} else if x.sub.item.excluded != "" {
		why = "excluded: this tool must not be called over HTTP"
	}
	m.say("✗ " + why + " · ctrl+s again sends it all the same")
	m.noticeError = true
	return nil, false
}

// again sends the request of the shown call as it was, with a new id.
func (x *detail) again(m *Model) tea.Cmd {
	seq := x.seq()
	if seq == 0 {
		m.say("there is no call to send again; ctrl+s sends the form")
		return nil
	}
	return m.onceMore(seq, func(m *Model) tea.Cmd {
		if !m.desk.modern() && !m.desk.overHTTP() {
			delete(x.picked, x.sub.item.key) // the new call shows
			return m.repeat(seq)
		}
		return x.askAgain(m, seq)
	})
}

// askAgain sends a call again that went over HTTP or to a modern server, whatever is cached. It is made
// anew, with what each request has to say of itself, so that questions in the answer
// are answered as those of the first were.
func (x *detail) askAgain(m *Model, seq uint64) tea.Cmd {
	op, ok := x.op()
	if why := m.live(); why != "" || !ok {
		m.say(firstOf(why, "there is no call to send again"))
		return nil
	}
	head, err := x.desk.sess.Log.Head(seq)
	if err != nil {
		m.fail(err)
		return nil
	}
	params := append([]byte(nil), x.desk.span(seq, head.Params)...)
	for _, key := range []string{"progressToken", mcp.MetaVersion, mcp.MetaClientInfo, mcp.MetaCapabilities, mcp.MetaLogLevel} {
		if _, has := rawjson.Get(params, "_meta", key); !has {
			continue
		}
		if params, err = rawjson.Delete(params, "/_meta/"+strings.ReplaceAll(key, "/", "~1")); err != nil {
			m.fail(err)
			return nil
		}
	}
	return m.request(op, params, client.CallOptions{By: wire.ByReplay, Of: seq, Fresh: true, Progress: op.method == "tools/call"})
}

// pick shows the previous or the next call.
func (x *detail) pick(m *Model, by int) {
	all := x.calls()
	i, found := slices.BinarySearch(all, x.seq())
	switch {
	case !found:
		m.say("no calls were made of this")
	case i+by < 0:
		m.say("this is the first call")
	case i+by >= len(all):
		m.say("this is the newest call")
	default:
		x.picked[x.sub.item.key] = all[i+by]
		x.refresh()
	}
}

// recall fills the form with the arguments of the call before the one it was
// filled from last; behind the oldest comes what was typed.
func (x *detail) recall(m *Model) {
	all := x.calls()
	if len(all) == 0 {
		m.say("no earlier calls of this")
		return
	}
	if x.recalled == 0 {
		x.draft = x.form.Snapshot()
	}
	x.recalled++
	if x.recalled > len(all) {
		x.recalled = 0
		x.form.Restore(x.draft)
		m.say("what was typed")
		return
	}
	seq := all[len(all)-x.recalled]
	head, err := x.desk.sess.Log.Head(seq)
	if err != nil {
		m.fail(err)
		return
	}
	args, ok := rawjson.Get(x.desk.span(seq, head.Params), "arguments")
	if !ok {
		args = []byte("{}")
	}
	if err := x.form.SetJSON(append([]byte(nil), args...)); err != nil {
		m.fail(err)
		return
	}
	m.say("arguments of call " + itoa(int64(len(all)-x.recalled+1)) + " of " + itoa(int64(len(all))))
}

// editArguments opens the exact JSON of the arguments in the editor.
func (x *detail) editArguments(m *Model) tea.Cmd {
	args, err := x.form.JSON()
	if err != nil {
		args = []byte("{}")
	}
	pretty, _ := rawjson.Indent(nil, args)
	f := x.form
	return m.edit("arguments.json", append(pretty, '\n'), func(m *Model, text []byte) tea.Cmd {
		compact, err := rawjson.CompactLoose(nil, text)
		if err == nil {
			err = f.SetJSON(compact)
		}
		if err != nil {
			m.fail(err)
			return nil
		}
		x.remember()
		m.say("the form was filled from the editor; ctrl+s sends")
		return nil
	})
}

// follow reads the resource that the line of a result links to.
func (x *detail) follow(m *Model) tea.Cmd {
	if x.answer == nil {
		return nil
	}
	from, to, _ := x.result.Window()
	for i := from; i < to; i++ {
		if uri := x.answer.linkAt(i); uri != "" {
			if why := m.live(); why != "" {
				m.say(why)
				return nil
			}
			return m.request(operation{"resources/read", uri}, client.ReadParams(uri), client.CallOptions{By: wire.ByForm})
		}
	}
	m.say("no link is in view; p opens the frame")
	return nil
}

// openFrames opens the frame of the answer, or of the request if none came.
func (x *detail) openFrames(m *Model) {
	e, ok := x.exchange()
	if !ok {
		return
	}
	seq := finalOf(e).Seq
	if seq == 0 {
		seq = e.Request.Seq
	}
	m.traffic.list.Select(seq)
	m.openFrame(seq, onDetail)
}

// resultBytes is the exact result, or error, of the shown call.
func (x *detail) resultBytes() []byte {
	e, ok := x.exchange()
	if !ok || finalOf(e).Seq == 0 {
		return nil
	}
	if v, ok := x.desk.task(e); ok && v.result != nil {
		return bytes.Clone(v.result)
	}
	answer := finalOf(e).Seq
	head, err := x.desk.sess.Log.Head(answer)
	if err != nil {
		return nil
	}
	span := head.Result
	if span.Len == 0 {
		span = head.Error
	}
	return append([]byte(nil), x.desk.span(answer, span)...)
}
