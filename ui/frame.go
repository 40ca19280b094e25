package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
	"parley/ui/keys"
	"parley/ui/theme"
	"parley/ui/widget"
)

// framePane shows one frame: pretty, with parts that fold, or its exact bytes.
type framePane struct {
	desk   *desk
	viewer *widget.Viewer
	seq    uint64
	size   int64 // bytes of the frame when it was laid out
	from   focus // where esc goes back to
	exact  bool
	json   *widget.JSON // of a pretty frame that fits
	fold   *widget.Fold
	inner  string // what is open inside the frame, for the title; empty for the frame itself
	opened []byte // that string as it is in the frame
	path   theme.Text
	query  string
	wanted tea.Cmd // work that laying a long frame out needs, for the root to start
}

// maxWhole is up to which size a frame is laid out as one text that folds.
// Longer ones are read in windows.
const maxWhole = 4 << 20

func newFramePane(d *desk) *framePane {
	k := d.keys.Frame
	f := &framePane{desk: d}
	f.viewer = widget.NewViewer(nil, widget.ViewerKeys{Move: k.Move, Read: k.Read, Fold: k.Fold}, d.st)
	f.viewer.Select, f.viewer.Numbers = true, true
	return f
}

func (f *framePane) reset() { f.seq, f.inner = 0, "" }

// openFrame shows a frame over the upper panes.
func (m *Model) openFrame(seq uint64, from focus) {
	if seq == 0 {
		m.say("nothing is selected")
		return
	}
	m.frame.from = from
	m.frame.show(seq)
	m.openWide(m.frame)
}

// show lays a frame out, from its start.
func (f *framePane) show(seq uint64) {
	if seq == 0 {
		return
	}
	f.seq, f.inner = seq, ""
	f.lay()
}

// refresh takes in that an open frame grew.
func (f *framePane) refresh() {
	if r := f.desk.record(f.seq); f.seq != 0 && r.Size != f.size && f.inner == "" {
		f.lay()
	}
}

// lay makes the text of the frame.
func (f *framePane) lay() {
	r := f.desk.record(f.seq)
	f.size, f.json, f.fold = r.Size, nil, nil
	f.viewer.Empty = []theme.Text{"an empty frame"}
	log := f.desk.sess.Log
	if r.Size > maxWhole {
		f.viewer.SetWrap(f.exact)
		f.viewer.SetSource(f.large(&r))
		return
	}
	raw, err := log.Bytes(f.seq, 0, -1)
	if err != nil {
		f.viewer.SetSource(widget.Static{theme.Styled(f.desk.st.Error, theme.Safe("✗ "+err.Error()))})
		return
	}
	f.viewer.SetWrap(f.exact || !looksLikeJSON(raw))
	if page := f.desk.httpDoc(&r, raw); r.Kind == wire.HTTP && !f.exact && page != nil {
		f.viewer.SetSource(page.source())
		return
	}
	if !f.exact && looksLikeJSON(raw) {
		if pretty, ok := rawjson.Indent(nil, raw); ok {
			f.json = widget.NewJSON(pretty, f.desk.st)
			f.fold = widget.NewFold(f.json, f.desk.st)
			f.viewer.SetSource(f.fold)
			return
		}
	}
	f.viewer.SetSource(widget.NewBytes(append([]byte(nil), raw...)))
}

func looksLikeJSON(raw []byte) bool {
	s := strings.TrimLeft(string(raw[:min(len(raw), 64)]), " \t\r\n")
	return s != "" && (s[0] == '{' || s[0] == '[')
}

func (f *framePane) focus(on bool)         { f.viewer.SetFocused(on) }
func (f *framePane) context() keys.Context { return keys.InFrame }

func (f *framePane) search(text string) bool {
	f.query = text
	return f.viewer.Search(text)
}

// view draws the frame, with what it breaks and what to do about it on top.
func (f *framePane) view(w, h int) string {
	above := f.findingRows(w, h/3)
	f.viewer.SetSize(w, h-len(above))
	if len(above) == 0 {
		return f.viewer.View()
	}
	return strings.Join(append(above, f.viewer.View()), "\n")
}

func (f *framePane) findingRows(w, most int) (rows []string) {
	st := f.desk.st
	for _, found := range f.desk.findings[f.seq] {
		if len(rows)+2 > most {
			break
		}
		row := theme.NewRow(w, theme.Style{})
		row.Add(st.Warn, theme.SafeCut(" ▲ "+found.Message, w))
		row.AddEnd(st.Faint, theme.Safe(found.Rule+" "), 2)
		rows = append(rows, row.String())
		row.Reset(w, theme.Style{})
		row.Add(st.Muted, theme.SafeCut("   "+found.Hint, w))
		row.AddEnd(st.Faint, theme.Safe(found.Reference+" "), 2)
		rows = append(rows, row.String())
	}
	return rows
}

func (f *framePane) title() widget.Rule {
	rule := widget.Rule{Count: -1}
	r := f.desk.record(f.seq)
	parts := []string{"frame " + itoa(int64(f.seq)), f.what(&r)}
	if r.Kind == wire.Message {
		if via := strings.TrimPrefix(viaSuffix(&r), " · "); via != "" {
			parts = append(parts, via)
		}
	}
	if x, ok := f.desk.state.Exchange(f.seq); ok && x.Response.Seq == f.seq {
		parts = append(parts, took(x.Answered.Sub(x.Sent))+" after "+itoa(int64(x.Request.Seq)))
	}
	parts = append(parts, size(r.Size))
	if f.exact {
		parts = append(parts, "exact")
	}
	if f.inner != "" {
		parts = append(parts, f.inner)
	}
	if f.json != nil && f.inner == "" {
		_, path := f.json.Path(f.fold.Real(f.viewer.Current()))
		rule.Right = []widget.Part{{Text: path, Style: f.desk.st.Muted}}
	}
	rule.Title = theme.SafeCut(strings.Join(parts, " · "), maxTitle)
	return rule
}

// what a frame is, in a few words.
func (f *framePane) what(r *history.Record) string {
	arrow := "←"
	if r.Dir == wire.Out {
		arrow = "→"
	}
	switch {
	case r.Kind == wire.HTTP:
		return httpWhat(r, arrow)
	case r.Kind == wire.Event:
		return "event"
	case r.Kind == wire.Stderr:
		return "stderr"
	case r.Kind == wire.Stray:
		if r.Via != "" && r.Via != wire.TransportStdio {
			return arrow + " stray: no JSON-RPC message" + viaSuffix(r)
		}
		return arrow + " stray line on stdout"
	case r.Form == wire.Failure:
		return strings.Join([]string{arrow, r.ID.String(), "error", itoa(r.Code), mcp.CodeName(r.Code)}, " ")
	case r.Form == wire.Result:
		return arrow + " " + r.ID.String() + " result"
	case r.Form == wire.Batch:
		return arrow + " batch"
	}
	return strings.Join(strings.Fields(arrow+" "+r.ID.String()+" "+r.Method+" "+r.Name), " ")
}

func (f *framePane) update(m *Model, msg tea.Msg) (bool, tea.Cmd) {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok || f.viewer.Pending() {
		return f.viewer.Update(msg), nil
	}
	k := f.desk.keys.Frame
	switch {
	case key.Matches(press, m.desk.keys.Global.Back) && f.inner != "":
		f.inner = ""
		f.lay()
	case key.Matches(press, k.Bytes):
		f.exact, f.inner = !f.exact, ""
		f.lay()
	case key.Matches(press, k.Search):
		m.openFilter(onWide)
	case key.Matches(press, k.Carrier):
		m.goHTTP(f.seq)
	case key.Matches(press, k.Partner):
		m.goPartner(f.seq)
	case key.Matches(press, k.Repeat):
		return true, m.repeat(f.seq)
	case key.Matches(press, k.Copy):
		m.copyFrame(f.seq)
	case key.Matches(press, k.Editor):
		return true, m.editFrame(f.seq)
	case key.Matches(press, k.Open):
		f.openText(m)
	case key.Matches(press, k.Hit):
		m.nextHit(f.viewer, f.query, 1)
	case key.Matches(press, k.HitUp):
		m.nextHit(f.viewer, f.query, -1)
	default:
		return f.viewer.Update(msg), nil
	}
	return true, nil
}

// value is the JSON value on the line of the cursor, if the line holds all of
// it; of an opened string, that string.
func (f *framePane) value() (raw []byte, path theme.Text) {
	if f.inner != "" {
		return f.opened, f.path
	}
	if f.json == nil {
		return nil, ""
	}
	steps, path := f.json.Path(f.fold.Real(f.viewer.Current()))
	whole, err := f.desk.sess.Log.Bytes(f.seq, 0, -1)
	if err != nil {
		return nil, ""
	}
	raw, _ = rawjson.Get(whole, steps...)
	return raw, path
}

// openText shows the string under the cursor as text.
func (f *framePane) openText(m *Model) {
	if f.inner != "" {
		m.say("esc goes back to the frame")
		return
	}
	raw, path := f.value()
	text, ok := "", false
	if len(raw) > 0 && raw[0] == '"' {
		text, ok = rawjson.Unquote(raw)
	}
	if !ok {
		m.say("enter opens a string as text; space folds")
		return
	}
	f.opened, f.path = raw, path
	if pretty, isJSON := rawjson.Indent(nil, []byte(text)); isJSON && looksLikeJSON([]byte(text)) {
		f.viewer.SetSource(widget.NewFold(widget.NewJSON(pretty, f.desk.st), f.desk.st))
		f.inner = "JSON in " + string(path)
	} else {
		d := &doc{st: f.desk.st}
		d.text(theme.Style{}, text, 0)
		f.viewer.SetSource(d.source())
		f.inner = "text of " + string(path)
	}
	f.viewer.SetWrap(true)
}
