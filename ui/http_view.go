package ui

import (
	"slices"

	"parley/client/wire"
	"parley/history"
)

// setHTTP goes over to the view of HTTP, or to that of JSON-RPC. Who follows goes
// on following, and what is selected stays; a line that the other view does not
// have gives way to the message that it belongs to.
func (t *traffic) setHTTP(on bool) {
	if t.http == on {
		return
	}
	seq, following := t.selected(), t.list.Following()
	t.http = on
	if t.holds != "" {
		t.filter(t.holds)
	}
	t.sayEmpty()
	if _, there := t.Index(seq); seq != 0 && !there && !following {
		if to := t.desk.otherView(seq); to != 0 {
			t.list.Select(to)
		}
	}
	t.list.Refresh()
}

// toggleHTTP shows the lines of HTTP among the messages, or hides them.
func (m *Model) toggleHTTP() {
	if m.traffic.lines == 0 {
		m.say("there are no HTTP lines: " + m.noHTTP())
		return
	}
	m.traffic.setHTTP(!m.traffic.http)
}

// noHTTP says why there are no lines of HTTP.
func (m *Model) noHTTP() string {
	switch t := m.desk.state.Transport(); {
	case m.desk.state.Epoch() == 0:
		return "nothing was connected yet"
	case t == wire.TransportHTTP, t == wire.TransportSSE:
		return "nothing was sent yet"
	case t == "":
		return "this is a connection over " + wire.TransportStdio
	default:
		return "this is a connection over " + t
	}
}

// goHTTP goes from a message to the line of HTTP that carried it, and from such a
// line to the message.
func (m *Model) goHTTP(seq uint64) {
	if seq == 0 {
		m.say("nothing is selected")
		return
	}
	to := m.desk.otherView(seq)
	if to == 0 {
		why := "no HTTP carried this: " + m.noHTTP()
		switch r := m.desk.record(seq); {
		case r.Kind == wire.HTTP:
			why = "this line carried no message"
		case r.Kind == wire.Event:
			why = "this is an event of the connection: no HTTP carried it"
		case m.traffic.lines > 0:
			why = "no HTTP line of this message was recorded"
		}
		m.say(why)
		return
	}
	m.goFrame(to)
}

// goFrame selects a frame in the traffic, in the view that has it, and opens it if
// a frame is open.
func (m *Model) goFrame(seq uint64) {
	if m.desk.record(seq).Kind == wire.HTTP {
		m.traffic.setHTTP(true)
	}
	if !m.traffic.list.Select(seq) {
		m.say("frame " + itoa(int64(seq)) + " is filtered away; esc drops the filter")
	}
	if m.wide == m.frame {
		m.frame.show(seq)
	}
}

// otherView is the line of HTTP that carried a message, or the message that a line
// carried; 0 if there is none. What we sent stands before its request's head, what
// came follows the head or the event that brought it.
func (d *desk) otherView(seq uint64) uint64 {
	r := d.record(seq)
	if r.Seq == 0 || r.Kind == wire.Event {
		return 0
	}
	lines := d.state.HTTP(seq)
	at := slices.Index(lines, seq)
	if at < 0 {
		return 0
	}
	isHTTP := r.Kind == wire.HTTP
	step := 1
	if (isHTTP && isRequestHead(&r)) || (!isHTTP && r.Dir != wire.Out) {
		step = -1
	}
	first := d.look(lines, at, step, isHTTP)
	if first == 0 && isHTTP { // a line without a message of its own is of the request's
		first = d.look(lines, at, -step, isHTTP)
	}
	return first
}

// look finds the next frame of an exchange of HTTP from one on that is a message, or
// that is none.
func (d *desk) look(lines []uint64, at, step int, message bool) uint64 {
	for i := at + step; i >= 0 && i < len(lines); i += step {
		r := d.record(lines[i])
		if r.Kind != wire.Event && (r.Kind != wire.HTTP) == message {
			return r.Seq
		}
	}
	return 0
}

// isRequestHead reports whether a line of HTTP is the head of a request.
func isRequestHead(r *history.Record) bool {
	return r.Kind == wire.HTTP && r.Dir == wire.Out
}

// isResponseHead reports whether a line of HTTP is the head of a response.
func isResponseHead(r *history.Record) bool {
	return r.Kind == wire.HTTP && r.Dir == wire.In && r.ID.Type == wire.NumberID
}

// isHead reports whether a frame is a head of HTTP.
func isHead(r *history.Record) bool { return isRequestHead(r) || isResponseHead(r) }

// partner is the other half of what a frame belongs to: of the head of a request
// that of its response, of a message the message that answers it, of an event the
// frame that it is about.
func (d *desk) partner(seq uint64) uint64 {
	r := d.record(seq)
	if n := concerned(&r); n != 0 {
		return n
	}
	if !isHead(&r) {
		return d.state.Partner(seq)
	}
	for _, n := range d.state.HTTP(seq) {
		if other := d.record(n); isHead(&other) && other.Dir != r.Dir {
			return n
		}
	}
	return 0
}

// concerned is the frame that an event is about, 0 if there is none.
func concerned(r *history.Record) uint64 {
	if r.Kind != wire.Event || r.Token.Type != wire.NumberID {
		return 0
	}
	return uint64(r.Token.Num)
}

// messageOf is the frame itself, or of a line of HTTP the message that was sent with
// its request, of an event the frame that it is about.
func (d *desk) messageOf(seq uint64) uint64 {
	r := d.record(seq)
	if n := concerned(&r); n != 0 {
		return n
	}
	if r.Kind != wire.HTTP {
		return seq
	}
	for _, n := range d.state.HTTP(seq) {
		if r := d.record(n); r.Kind != wire.HTTP && r.Kind != wire.Event && r.Dir == wire.Out {
			return n
		}
	}
	return seq
}
