package ui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/check"
	"parley/client/mcp"
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
	"parley/ui/widget"
)

// traffic lists the frames in the order observed. Standard error has a pane of
// its own and is left out.
type traffic struct {
	desk   *desk
	list   *widget.List[uint64]
	shown  seqs   // the frames listed
	hits   []int  // of them, those that the filter lets through
	upTo   uint64 // up to which frame shown goes
	words  map[uint64]theme.Text
	holds  string   // the filter
	wanted []string // its words, in lower case
}

func newTraffic(d *desk) *traffic {
	t := &traffic{desk: d}
	t.reset()
	return t
}

// reset begins with another session.
func (t *traffic) reset() {
	t.shown, t.hits, t.upTo, t.holds, t.words = seqs{}, nil, 0, "", map[uint64]theme.Text{}
	t.list = widget.NewList[uint64](t, t.desk.keys.Traffic.Move, t.desk.st)
	t.sayEmpty()
	t.list.SetFollow(true)
}

// Len implements widget.Records.
func (t *traffic) Len() int { return t.shown.len() }

// Key implements widget.Records.
func (t *traffic) Key(i int) uint64 { return t.shown.at(i) }

// Index implements widget.Finder.
func (t *traffic) Index(seq uint64) (int, bool) { return t.shown.find(seq) }

// refresh takes in the frames that came, under the filter that holds.
func (t *traffic) refresh() {
	filter := t.holds
	last := t.desk.state.Seq()
	if last == t.upTo {
		return
	}
	t.desk.sess.Log.Records(t.upTo+1, last, func(r *history.Record) bool {
		if r.Kind == wire.Stderr {
			return true
		}
		t.shown.add(r.Seq)
		if filter != "" && t.lets(r) {
			t.hits = append(t.hits, t.shown.len()-1)
		}
		return true
	})
	t.upTo = last
	if filter != "" {
		t.list.SetFilter(t.hits)
		return
	}
	t.list.Refresh()
}

// filter shows only what lets through; an empty filter shows everything.
func (t *traffic) filter(filter string) {
	t.holds, t.hits, t.wanted = filter, nil, strings.Fields(strings.ToLower(filter))
	t.sayEmpty()
	if filter == "" {
		t.list.ClearFilter()
		return
	}
	defer func() { t.list.SetFilter(t.hits) }()
	if t.upTo == 0 {
		return
	}
	i := 0
	t.desk.sess.Log.Records(1, t.upTo, func(r *history.Record) bool {
		if r.Kind == wire.Stderr {
			return true
		}
		if t.lets(r) {
			t.hits = append(t.hits, i)
		}
		i++
		return true
	})
}

// sayEmpty tells why the list is empty and what to do.
func (t *traffic) sayEmpty() {
	t.list.Empty = []theme.Text{"nothing has gone over the wire yet"}
	if t.holds != "" {
		t.list.Empty = []theme.Text{"no frames match " + theme.Safe(strconv.Quote(t.holds)), "esc drops the filter"}
	}
}

// lets reports whether a frame's head has the filter's words, each of them, in
// any case. No word has a space, so the parts are looked at one by one.
func (t *traffic) lets(r *history.Record) bool {
	method, name := t.names(r)
	for _, w := range t.wanted {
		if !has(method, w) && !has(name, w) && !has(answerWords(r), w) && !strings.Contains(r.Dir.String(), w) &&
			!has(r.ID.String(), w) && !t.hasMore(r, w) {
			return false
		}
	}
	return true
}

// anyFinding is what a frame with any finding can be filtered by.
const anyFinding = "finding"

// hasMore is for what few frames have.
func (t *traffic) hasMore(r *history.Record, w string) bool {
	if r.Kind != wire.Message && has(r.Kind.String(), w) { // which every other frame is
		return true
	}
	if (r.Kind == wire.Stray || r.Kind == wire.Event) && has(string(t.text(r)), w) {
		return true
	}
	found := t.desk.findings[r.Seq]
	return len(found) > 0 && (strings.Contains(anyFinding, w) ||
		slices.ContainsFunc(found, func(f check.Finding) bool { return strings.Contains(f.Rule, w) }))
}

func has(text, word string) bool { return strings.Contains(strings.ToLower(text), word) }

// answerWords are what a frame's row says of an answer.
func answerWords(r *history.Record) string {
	switch {
	case r.Form == wire.Failure:
		return "error " + itoa(r.Code) + " " + mcp.CodeName(r.Code)
	case r.IsError:
		return "result error isError"
	case r.Form == wire.Result:
		return "result"
	case r.Form == wire.Batch:
		return "batch"
	}
	return ""
}

// names are the method and name of a message; of a response, its request's.
func (t *traffic) names(r *history.Record) (method, name string) {
	if r.Form.IsResponse() {
		if x, ok := t.desk.state.Exchange(r.Seq); ok {
			return x.Method, x.Name
		}
	}
	return r.Method, r.Name
}

// widths of the columns that stand at fixed places.
const (
	timeWidth = 12
	idWidth   = 5
	tookWidth = 9
	sizeWidth = 10
)

// Draw implements widget.Records.
func (t *traffic) Draw(row *theme.Row, i int, s widget.RowState) {
	st := t.desk.st
	r := t.desk.record(t.shown.at(i))
	if row.Rest() > 60 {
		row.Add(st.Muted, theme.Text(r.Time.Local().Format("15:04:05.000")))
		row.Gap(2)
	}
	t.drawArrow(row, &r)
	partner := t.partnerOfSelected(r.Seq)
	idStyle := st.Muted
	if partner {
		idStyle = st.Focus
	}
	id := theme.Safe(r.ID.String())
	if r.Kind == wire.Event {
		id = ""
	}
	row.AddRight(idStyle, id, idWidth)
	row.Gap(2)
	t.drawWhat(row, &r)
	t.drawNumbers(row, &r)
}

// partnerOfSelected reports whether seq is the other half of the exchange that
// is selected.
func (t *traffic) partnerOfSelected(seq uint64) bool {
	sel, _, ok := t.list.Selected()
	return ok && sel != seq && t.desk.state.Partner(sel) == seq
}

func (t *traffic) drawArrow(row *theme.Row, r *history.Record) {
	st := t.desk.st
	switch {
	case r.Kind == wire.Event:
		row.Add(st.Muted, "·")
	case r.Dir == wire.Out:
		row.Add(st.Out, "→")
	default:
		row.Add(st.In, "←")
	}
	mark := theme.Text("  ")
	if len(t.desk.findings[r.Seq]) > 0 {
		mark = " ▲"
	}
	row.Add(st.Warn, mark)
}

// drawWhat says what the frame is, leaving room for the numbers.
func (t *traffic) drawWhat(row *theme.Row, r *history.Record) {
	st := t.desk.st
	end := row.X() + max(0, row.Rest()-sizeWidth-tookWidth)
	put := func(style theme.Style, text theme.Text) {
		left := end - row.X()
		if tooLittle := left < 4 && theme.Width(text) > left; text != "" && left > 0 && !tooLittle {
			row.Add(style, theme.Cut(text, left))
			if row.X() < end {
				row.Gap(min(2, end-row.X()))
			}
		}
	}
	method, name := t.names(r)
	switch {
	case r.Kind == wire.Event, r.Kind == wire.Stray:
		put(st.Text, t.text(r))
		if f := t.desk.findings[r.Seq]; len(f) > 0 {
			put(st.Warn, theme.SafeCut(f[0].Message, maxTitle))
		}
		return
	case r.Form == wire.Batch:
		put(st.Text, theme.Text("batch of "+itoa(int64(len(t.desk.sess.Log.Members(r.Seq))))))
	case r.Open:
		put(st.Muted, theme.Text("receiving, "+size(r.Size)))
	case r.Form == wire.Failure:
		put(st.Error, theme.Safe("✗ error "+itoa(r.Code)+" "+mcp.CodeName(r.Code)))
		put(st.Muted, theme.SafeCut(method+" "+name, maxTitle))
	case r.IsError:
		put(st.Error, "✗ isError")
		put(st.Muted, theme.SafeCut(method+" "+name, maxTitle))
	case r.Form == wire.Result:
		put(st.Text, "result")
		put(st.Muted, theme.SafeCut(strings.TrimSpace(method+"  "+name), maxTitle))
	default:
		put(st.Text, theme.SafeCut(method, maxTitle))
		put(st.Muted, theme.SafeCut(name, maxTitle))
		if method == "notifications/message" || method == "notifications/progress" {
			put(st.Muted, t.text(r))
		}
	}
	if f := t.desk.findings[r.Seq]; len(f) > 0 {
		put(st.Warn, theme.SafeCut(strings.TrimPrefix(f[0].Message, method+": "), maxTitle))
	}
}

func (t *traffic) drawNumbers(row *theme.Row, r *history.Record) {
	st := t.desk.st
	row.To(row.X() + max(0, row.Rest()-sizeWidth-tookWidth))
	if row.Rest() < sizeWidth {
		return
	}
	latency, style := theme.Text(""), st.Muted
	if x, ok := t.desk.state.Exchange(r.Seq); ok {
		switch {
		case x.Response.Seq == r.Seq:
			latency = theme.Text(took(x.Answered.Sub(x.Sent)))
		case x.Request.Seq == r.Seq && x.Status == history.Pending:
			latency, style = "…", st.Accent
		case x.Status == history.Lost:
			latency, style = "✗ lost", st.Error
		case x.Status == history.Cancelled:
			latency, style = "cancelled", st.Warn
		}
	}
	row.AddRight(style, latency, tookWidth)
	if r.Kind != wire.Event {
		row.AddRight(st.Muted, theme.Text(size(r.Size)), min(sizeWidth, row.Rest()))
	}
}

// maxWords bounds the texts kept for rows.
const maxWords = 2048

// text is what an event, a stray line, a log message or a progress says, in a
// line. It reads bytes, so it is kept.
func (t *traffic) text(r *history.Record) theme.Text {
	if s, ok := t.words[r.Seq]; ok {
		return s
	}
	s := t.describe(r)
	if len(t.words) >= maxWords {
		clear(t.words)
	}
	t.words[r.Seq] = s
	return s
}

func (t *traffic) describe(r *history.Record) theme.Text {
	log := t.desk.sess.Log
	const most = 400 // cells nobody has
	if r.Kind == wire.Stray {
		raw, _ := log.Bytes(r.Seq, 0, most)
		return theme.SafeCut(string(raw), most)
	}
	raw, err := log.Bytes(r.Seq, 0, 64<<10)
	if err != nil || int64(len(raw)) < r.Size {
		return ""
	}
	switch {
	case r.Kind == wire.Event:
		return theme.SafeCut(eventText(raw), most)
	case r.Method == "notifications/message":
		m := mcp.DecodeLog(params(raw))
		return theme.SafeCut(strings.TrimSpace(m.Level+"  "+m.Text()), most)
	case r.Method == "notifications/progress":
		p := mcp.DecodeProgress(params(raw))
		text := p.ProgressSpelled
		if p.TotalSpelled != "" {
			text += " of " + p.TotalSpelled
		}
		return theme.SafeCut(text+"  "+p.Message, most)
	}
	return ""
}

func params(raw []byte) []byte {
	s := wire.Scan(raw).Params
	return raw[s.Off : s.Off+s.Len]
}

// eventText puts an event into words.
func eventText(raw []byte) string {
	e, err := wire.ParseEvent(raw)
	if err != nil {
		return string(raw)
	}
	switch e.Event {
	case wire.EventConnected:
		text := "connected"
		if e.Epoch > 1 {
			text = "connected again"
		}
		if e.PID != 0 {
			text += "  pid " + itoa(int64(e.PID))
		}
		return text
	case wire.EventExited:
		switch {
		case e.Signal != "":
			return "✗ killed by " + e.Signal
		case e.Code != nil && *e.Code == 0:
			return "exited 0"
		case e.Code != nil:
			return "✗ exited " + itoa(int64(*e.Code))
		}
		return "exited"
	case wire.EventWriteFailed:
		return "✗ frame " + itoa(int64(e.Seq)) + " could not be written: " + e.Text
	}
	return strings.TrimSpace(e.Event + "  " + e.Text)
}

// update moves in the list.
func (t *traffic) update(msg tea.Msg) bool { return t.list.Update(msg) }

// selected is the frame that is selected, 0 if there is none.
func (t *traffic) selected() uint64 {
	seq, _, ok := t.list.Selected()
	if !ok {
		return 0
	}
	return seq
}
