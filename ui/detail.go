package ui

import (
	"bytes"
	"encoding/json"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
	"parley/ui/form"
	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/widget"
)

// detail shows what is selected in the catalogue: what it is, the form for its
// arguments, the exact JSON that will be sent, and the answers to the calls that
// were made of it.
type detail struct {
	desk *desk
	sub  subject
	has  bool // something is selected

	forms  map[itemKey]*form.Form // what was typed stays, whatever is selected
	form   *form.Form             // of the subject, nil if it takes nothing
	viewer *widget.Viewer         // what the subject is
	about  *doc
	needs  struct { // see aboutNeeds
		about   *doc
		w, rows int
	}
	part     keys.Context // InForm or InResult
	on       bool
	fresh    bool // typing began with opening the form, and no key came since
	w, h     int
	draft    form.Snapshot // what was typed before earlier calls were looked at
	recalled int           // how many calls back the form was filled from; 0 for none
	warned   []byte        // arguments that the schema refused when they were sent last

	result  *widget.Viewer
	answer  *doc
	shown   call               // what the result was laid out from
	picked  map[itemKey]uint64 // the call that shows; the newest if there is none
	fetched map[itemKey]string // the address that a template was expanded to last
	query   string
	cached  map[uint64]time.Time // calls that were answered from what counts still, and until when
}

// call is what a laid out result depends on.
type call struct {
	seq      uint64
	status   history.Status
	progress int
	rounds   int
	task     wire.Ref // what is known of the task that it became
	polls    int
	failed   bool // why there is no answer is known
	ended    string
	cut      bool // the server could not be reached
}

func newDetail(d *desk) *detail {
	k := d.keys
	x := &detail{desk: d, part: keys.InForm}
	x.viewer = widget.NewViewer(nil, widget.ViewerKeys{Move: k.Detail.Move, Read: k.Detail.Read, Fold: k.Detail.Fold}, d.st)
	x.viewer.SetWrap(true)
	x.result = widget.NewViewer(nil, widget.ViewerKeys{Move: k.Result.Move, Read: k.Result.Read, Fold: k.Result.Fold}, d.st)
	x.result.SetWrap(true)
	x.reset()
	return x
}

func (x *detail) reset() {
	x.forms, x.picked, x.fetched = map[itemKey]*form.Form{}, map[itemKey]uint64{}, map[itemKey]string{}
	x.cached = nil
	x.sub, x.has, x.form, x.shown = subject{}, false, nil, call{}
}

// show lets the detail be of an item; the zero item is none.
func (x *detail) show(it item) {
	if it == (item{}) {
		x.remember()
		x.sub, x.has, x.form = subject{}, false, nil
		x.showTrouble()
		return
	}
	if x.has && it.key == x.sub.item.key && bytes.Equal(x.desk.itemRaw(it), x.sub.raw) {
		return
	}
	changed := x.has && it.key == x.sub.item.key // another schema under the same name
	x.remember()
	if !changed {
		x.part = keys.InForm
	}
	x.sub, x.has, x.warned, x.recalled = x.desk.subject(it), true, nil, 0
	x.about = x.desk.about(&x.sub)
	x.viewer.SetSource(x.about.source())
	x.form = nil
	if x.sub.form != nil {
		x.form = x.formOf(it.key, changed)
	}
	x.setSize(x.w, x.h)
	x.refresh()
}

// showTrouble shows why there is no connection.
func (x *detail) showTrouble() {
	var src widget.Source
	if x.desk.problem != nil {
		src = x.desk.trouble(x.desk.problem).source()
	}
	x.viewer.SetSource(src)
	x.setSize(x.w, x.h)
}

// formOf is the form of an item with what was typed into it, today or earlier.
func (x *detail) formOf(k itemKey, changed bool) *form.Form {
	f := x.forms[k]
	if f != nil && !changed {
		return f
	}
	var typed form.Snapshot
	if f != nil {
		typed = f.Snapshot()
	} else if raw := x.desk.memory.Form(x.desk.server(), x.memoryKey()); raw != nil {
		_ = json.Unmarshal(raw, &typed)
	}
	keys := x.desk.keys
	f = form.New(x.sub.form, form.Keys{Rows: keys.Form.Rows, Fields: keys.Field.Fields, Edit: keys.Field.Edit, Leave: keys.Field.Leave}, x.desk.st)
	f.Restore(typed)
	x.forms[k] = f
	return f
}

// memoryKey is the name under which the form is remembered.
func (x *detail) memoryKey() string {
	method := map[itemKind]string{toolItem: "tools/call", promptItem: "prompts/get", resourceItem: "resources/read", templateItem: "resources/read"}
	return operation{method[x.sub.item.key.kind], x.sub.item.key.name}.String()
}

// remember keeps what was typed for another day.
func (x *detail) remember() {
	if !x.has || x.form == nil {
		return
	}
	server, key, typed := x.desk.server(), x.memoryKey(), x.form.Snapshot()
	if len(typed.Values) == 0 && typed.Other == "" && x.desk.memory.Form(server, key) == nil {
		return // only looked at
	}
	if raw, err := json.Marshal(typed); err == nil {
		x.desk.memory.Remember(server, key, raw)
	}
}

// readsAtOnce reports whether opening the subject sends something: a resource
// has nothing to fill in.
func (x *detail) readsAtOnce() bool {
	return x.has && x.sub.item.key.kind == resourceItem && x.desk.sess.Live()
}

// startTyping begins with the first field, where something can be sent.
func (x *detail) startTyping() {
	if x.form != nil && len(x.sub.form.Fields) > 0 && x.desk.sess.Live() {
		x.form.Start()
		x.fresh = true
	}
}

// calls are the requests that were made of the subject.
func (x *detail) calls() []uint64 {
	if !x.has {
		return nil
	}
	op, ok := x.op()
	if !ok {
		return nil
	}
	return x.desk.calls[op]
}

// op is what a call of the subject asked for.
func (x *detail) op() (operation, bool) {
	k := x.sub.item.key
	switch k.kind {
	case toolItem:
		return operation{"tools/call", k.name}, true
	case promptItem:
		return operation{"prompts/get", k.name}, true
	case templateItem:
		uri, ok := x.fetched[k]
		return operation{"resources/read", uri}, ok
	}
	return operation{"resources/read", k.name}, true
}

// seq is the request whose answer shows, 0 for none.
func (x *detail) seq() uint64 {
	if !x.has {
		return 0
	}
	if seq := x.picked[x.sub.item.key]; seq != 0 {
		return x.desk.links.newest(seq)
	}
	if all := x.calls(); len(all) > 0 {
		return all[len(all)-1]
	}
	return 0
}

// open is the shown call if it is in flight.
func (x *detail) open() uint64 {
	if e, ok := x.exchange(); ok && e.Status == history.Pending {
		return e.Request.Seq
	}
	return 0
}

// runningTask is the shown call if it became a task that is not over, and somebody
// waits for it.
func (x *detail) runningTask() uint64 {
	e, ok := x.exchange()
	if !ok {
		return 0
	}
	if v, ok := x.desk.task(e); ok && v.running() && v.waits {
		return e.Request.Seq
	}
	return 0
}

func (x *detail) exchange() (history.Exchange, bool) {
	seq := x.seq()
	if seq == 0 {
		return history.Exchange{}, false
	}
	return x.desk.state.Exchange(seq)
}

func (x *detail) hasResult() bool { return x.seq() != 0 }

// refresh lays the result out again when its exchange changed.
func (x *detail) refresh() {
	e, ok := x.exchange()
	if !ok {
		x.shown = call{}
		return
	}
	now := call{seq: x.seq(), status: e.Status, progress: e.Progress, rounds: len(e.Rounds), ended: x.desk.ended(), cut: x.desk.links.cut}
	_, now.failed = x.desk.failed[e.Request.Seq]
	if v, ok := x.desk.task(e); ok {
		now.task, now.polls = v.frame, v.asked+len(v.result)
	}
	if now == x.shown {
		return
	}
	same := now.seq == x.shown.seq
	x.shown = now
	x.answer = x.desk.resultDoc(e)
	at := x.result.Current()
	x.result.Empty = nil
	if e.Status == history.Pending {
		x.result.Empty = []theme.Text{"waiting for the answer"}
	}
	x.result.SetSource(x.answer.source())
	if same && at > 0 {
		x.result.SetCurrent(at)
	}
}

// started takes note of a call that was just sent.
func (x *detail) started(op operation, seq uint64) {
	if !x.has {
		return
	}
	k := x.sub.item.key
	if k.kind == templateItem && op.method == "resources/read" {
		x.fetched[k] = op.name
	}
	x.picked[k], x.recalled = seq, 0
	delete(x.cached, seq)
	x.refresh()
}

// reading is the resource that shows, with its contents; empty for none.
func (x *detail) reading() string {
	if op, ok := x.op(); x.has && ok && op.method == "resources/read" && x.hasResult() && x.open() == 0 {
		return op.name
	}
	return ""
}

// reads reports whether the contents of a resource show.
func (x *detail) reads(uri string) bool { return uri != "" && x.reading() == uri }

// step goes from the form to the result or back; it reports whether it could.
func (x *detail) step(by int) bool {
	switch {
	case by > 0 && x.part == keys.InForm && x.hasResult():
		x.into(keys.InResult)
	case by < 0 && x.part == keys.InResult:
		x.into(keys.InForm)
	default:
		return false
	}
	return true
}

// enter chooses the part that one comes to from a pane before or behind.
func (x *detail) enter(by int) {
	x.into(keys.InForm)
	if by < 0 && x.hasResult() {
		x.into(keys.InResult)
	}
}

// into gives the keys to the form or to the result.
func (x *detail) into(part keys.Context) {
	x.part = keys.InForm
	if part == keys.InResult && x.hasResult() {
		x.part = keys.InResult
	}
	x.focus(x.on)
}

func (x *detail) focus(on bool) {
	x.on = on
	x.viewer.SetFocused(on && x.form == nil && x.part == keys.InForm)
	x.result.SetFocused(on && x.part == keys.InResult)
	if x.form != nil {
		x.form.SetFocused(on && x.part == keys.InForm)
	}
}

// context says which keys hold.
func (x *detail) context() keys.Context {
	switch {
	case x.part == keys.InResult && x.hasResult():
		return keys.InResult
	case x.form == nil:
		return keys.InDetail
	case x.form.Typing():
		return keys.InField
	}
	return keys.InForm
}

func (x *detail) search(text string) bool {
	x.query = text
	if x.part == keys.InResult {
		return x.result.Search(text)
	}
	return x.viewer.Search(text)
}

// point gives a mouse message to what is under it.
func (x *detail) point(msg tea.Msg) {
	if x.form == nil || !x.formAt(msg) {
		x.viewer.Update(msg)
		return
	}
	x.form.Update(widget.Relative(msg, 1, x.aboutRows()+1))
}

func (x *detail) formAt(msg tea.Msg) bool {
	m, ok := msg.(tea.MouseMsg)
	return ok && m.Mouse().Y > x.aboutRows()
}

func (x *detail) paste(m *Model, msg tea.PasteMsg) {
	fresh := x.fresh
	x.fresh = false
	if x.part == keys.InForm && x.form != nil {
		if whole := fresh && looksLikeJSON([]byte(msg.Content)); whole || !x.form.Update(msg) {
			args, err := rawjson.CompactLoose(nil, []byte(msg.Content))
			if err != nil || x.form.SetJSON(args) != nil {
				m.say("paste goes into a field: enter opens it; a JSON object fills the form")
				return
			}
			m.say("the form was filled from the pasted JSON")
		}
	}
}
