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

// traffic lists the frames in the order observed, in one of two views: messages
// and what the connection did, or with all that HTTP carried them in. Standard
// error has a pane of its own and is left out.
type traffic struct {
	desk   *desk
	list   *widget.List[uint64]
	talk   seqs   // frames of the view of JSON-RPC
	all    seqs   // those of the view of HTTP, once there is a line of HTTP
	http   bool   // the view of HTTP shows
	lines  int    // of HTTP
	hits   []int  // of the view that shows, those that the filter lets through
	upTo   uint64 // up to which frame the views go
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
	t.talk, t.all, t.http, t.lines = seqs{}, seqs{}, false, 0
	t.hits, t.upTo, t.holds, t.words = nil, 0, "", map[uint64]theme.Text{}
	t.list = widget.NewList[uint64](t, t.desk.keys.Traffic.Move, t.desk.st)
	t.sayEmpty()
	t.list.SetFollow(true)
}

// shown are the frames of the view that shows.
func (t *traffic) shown() *seqs {
	if t.http && t.lines > 0 {
		return &t.all
	}
	return &t.talk
}

// Len implements widget.Records.
func (t *traffic) Len() int { return t.shown().len() }

// Key implements widget.Records.
func (t *traffic) Key(i int) uint64 { return t.shown().at(i) }

// Index implements widget.Finder.
func (t *traffic) Index(seq uint64) (int, bool) { return t.shown().find(seq) }

// refresh takes in the frames that came, under the filter that holds.
func (t *traffic) refresh() {
	last := t.desk.state.Seq()
	if last == t.upTo {
		return
	}
	t.desk.sess.Log.Records(t.upTo+1, last, func(r *history.Record) bool {
		if !t.add(r) {
			return true
		}
		if t.holds != "" && t.lets(r) {
			t.hits = append(t.hits, t.shown().len()-1)
		}
		return true
	})
	t.upTo = last
	if t.holds != "" {
		t.list.SetFilter(t.hits)
		return
	}
	t.list.Refresh()
}

// add puts a frame into the views it belongs to, and reports whether it is in the
// one that shows.
func (t *traffic) add(r *history.Record) bool {
	if r.Kind == wire.Stderr {
		return false
	}
	if r.Kind == wire.HTTP {
		if t.lines == 0 { // a session without HTTP has one list
			for i := range t.talk.len() {
				t.all.add(t.talk.at(i))
			}
		}
		t.lines++
		t.all.add(r.Seq)
		return t.http
	}
	t.talk.add(r.Seq)
	if t.lines > 0 {
		t.all.add(r.Seq)
	}
	return true
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
	i, n := 0, t.Len()
	if n == 0 {
		return
	}
	t.desk.sess.Log.Records(t.Key(0), t.upTo, func(r *history.Record) bool {
		if i < n && r.Seq == t.Key(i) {
			if t.lets(r) {
				t.hits = append(t.hits, i)
			}
			i++
		}
		return i < n
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
			!has(r.ID.String(), w) && !has(r.Via, w) && !t.hasMore(r, w) {
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
	if (r.Kind == wire.Stray || r.Kind == wire.Event || r.Kind == wire.HTTP) && has(string(t.text(r)), w) {
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
