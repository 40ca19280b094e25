package ui

import (
	"errors"

	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"

	tea "charm.land/bubbletea/v2"
)

// lossOf is the event that says why an exchange has no answer; the zero Record if
// it is only that the connection ended.
func (d *desk) lossOf(x history.Exchange) history.Record {
	if len(x.Rounds) > 0 {
		if r := d.record(d.links.lost[x.Rounds[len(x.Rounds)-1].Seq]); r.Seq != 0 {
			return r
		}
	}
	return d.record(d.links.lost[x.Request.Seq])
}

// refusedWith is the status of HTTP with which a request was refused, 0 if it was not.
func (d *desk) refusedWith(x history.Exchange) int64 {
	r := d.record(x.Request.Seq)
	if r.Seq < d.connected { // of an epoch that is over
		return 0
	}
	return d.links.refused[r.Via]
}

// outcomeLost is outcome for a call that has no answer.
func (d *desk) outcomeLost(x history.Exchange) (theme.Style, string) {
	if why := endWords(d.endAfter(x.Request.Seq)); why != "" && d.lossOf(x).Seq == 0 {
		return d.st.Error, "✗ no answer: the server " + why + " during this call"
	}
	if code := d.refusedWith(x); code != 0 {
		return d.st.Error, "✗ no answer: HTTP " + statusWords(code)[len("✗ "):]
	}
	if d.lossOf(x).Seq != 0 {
		return d.st.Error, "✗ no answer: it was lost"
	}
	return d.st.Error, "✗ no answer: the connection ended during this call"
}

// lostLines says why no answer came and what to do about it.
func (d *desk) lostLines(out *doc, x history.Exchange) {
	loss := d.lossOf(x)
	if loss.Seq != 0 {
		raw, err := d.sess.Log.Bytes(loss.Seq, 0, 64<<10)
		if err == nil {
			if e, err := wire.ParseEvent(raw); err == nil {
				out.text(d.st.Error, "✗ "+e.Text, 0)
			}
		}
		out.text(d.st.Text, d.lossHint(x), 0)
		out.blank()
	} else {
		d.stderrLines(out, d.endAfter(x.Request.Seq).Seq, 8)
	}
	switch {
	case !d.sess.Live():
	case d.ended() != "" || d.links.cut:
		out.add(d.st.Text, theme.Text("R "+d.restartWord()+" · then ctrl+s sends the same call again"))
	default:
		out.add(d.st.Text, "ctrl+s sends the same call again")
	}
}

// lossHint says what to make of an answer that was lost: what the error advised, while
// that is known.
func (d *desk) lossHint(x history.Exchange) string {
	var h interface{ Hint() string }
	if err := d.failed[x.Request.Seq]; errors.As(err, &h) && h.Hint() != "" {
		return h.Hint()
	}
	if d.refusedWith(x) != 0 {
		return "the server, or what stands before it, refused the request of HTTP: h in the traffic shows what it said"
	}
	return "the server may have done what was asked all the same: it was not sent again"
}

// mayHaveRun reports whether sending a call again may do something twice: its answer
// was lost, and the tool is not said to only read or to be the same twice.
func (d *desk) mayHaveRun(seq uint64) bool {
	x, ok := d.state.Exchange(seq)
	if !ok || x.Dir != wire.Out || x.Status != history.Lost || x.Method != "tools/call" || d.lossOf(x).Seq == 0 || d.refusedWith(x) != 0 {
		return false
	}
	for _, t := range d.cat.Tools(d.sess.Log, &d.state) {
		if t.Name == x.Name {
			return !(t.ReadOnly != nil && *t.ReadOnly) && !(t.Idempotent != nil && *t.Idempotent)
		}
	}
	return true
}

// onceMore sends a call again, after a question if that may do something twice.
func (m *Model) onceMore(seq uint64, send func(m *Model) tea.Cmd) tea.Cmd {
	if !m.desk.mayHaveRun(seq) {
		return send(m)
	}
	name := m.desk.record(seq).Name
	if x, ok := m.desk.state.Exchange(seq); ok {
		name = x.Name
	}
	m.overlay = &question{title: "send again", yes: "send again", then: send,
		lines: []string{"The answer to this call was lost: the server may have done it.", name + " is not said to be read-only or idempotent."}}
	return nil
}
