package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/client"
	"parley/client/wire"
	"parley/history"
)

// cancel gives up the newest call in flight, or the handshake with its
// connection.
func (m *Model) cancel() tea.Cmd {
	if m.connecting {
		m.stopConnecting()
		m.say("connecting was stopped; R tries again")
		return nil
	}
	if m.console.stop(m) {
		return nil
	}
	open := m.desk.state.Pending()
	if task := m.detail.runningTask(); task != 0 {
		open = append(open, task)
	}
	if why := m.live(); why != "" || len(open) == 0 {
		m.say(firstOf(why, "no call is in flight"))
		return nil
	}
	seq := open[len(open)-1]
	if at := m.detail.open(); at != 0 {
		seq = at
	}
	if task := m.detail.runningTask(); task != 0 {
		seq = task
	}
	if !m.desk.sess.Client.Cancel(seq) {
		m.say("this request cannot be cancelled")
	}
	return nil
}

// askRestart restarts the server, with a question when calls are in flight. j is
// the line of the console that asks for it, nil for none.
func (m *Model) askRestart(j *job) tea.Cmd {
	s := m.desk.sess
	if s == nil || !s.Live() {
		m.refuse(j, m.live())
		return nil
	}
	if m.connecting {
		m.refuse(j, "still connecting: x stops it")
		return nil
	}
	return m.askFirst(j, "restart", len(m.desk.state.Pending()) > 0 && m.desk.ended() == "",
		func(m *Model) tea.Cmd { return m.restart() })
}

// askDisconnect ends the connection, with a question when calls are in flight.
func (m *Model) askDisconnect(j *job) tea.Cmd {
	if s := m.desk.sess; s == nil || !s.Live() || m.desk.ended() != "" {
		m.refuse(j, m.live())
		return nil
	}
	return m.askFirst(j, "disconnect", m.inFlight() > 0, func(m *Model) tea.Cmd { return m.disconnect() })
}

// askFirst does what changes the connection, with a question first if calls would
// be lost. A line of the console that does it is over when it is done.
func (m *Model) askFirst(j *job, what string, ask bool, do func(m *Model) tea.Cmd) tea.Cmd {
	begin := func(m *Model) tea.Cmd {
		m.console.began(m)
		cmd := do(m)
		if j != nil {
			m.console.awaits(m, j)
		}
		return tea.Batch(cmd, m.tick())
	}
	if !ask {
		return begin(m)
	}
	m.overlay = &question{title: what, yes: what, then: begin,
		lines: []string{count(len(m.desk.state.Pending()), "call is", "calls are") + " in flight and will get no answer."},
		stay:  func(m *Model) tea.Cmd { return m.console.notDone(m, j) }}
	return nil
}

// refuse says why a key or a line does nothing.
func (m *Model) refuse(j *job, why string) {
	if j == nil {
		m.say(why)
		return
	}
	j.fail(m.desk, why)
}

// askQuit leaves; a live session with a question.
func (m *Model) askQuit() tea.Cmd {
	s := m.desk.sess
	if s == nil || !s.Live() || m.desk.ended() != "" {
		return m.quit()
	}
	m.overlay = &question{title: "leave", yes: "leave",
		lines: []string{"The server will be ended.", m.keptIn()},
		then:  func(m *Model) tea.Cmd { return m.quit() }}
	return nil
}

func (m *Model) keptIn() string {
	if m.desk.sess.Recording {
		return "The session is kept: parley open last shows it again."
	}
	return "The session is not recorded."
}

func (m *Model) quit() tea.Cmd {
	m.quitting = true
	m.detail.remember()
	if draft := m.console.line.Text(); draft != "" {
		m.desk.memory.Typed(draft)
	}
	return tea.Quit
}

// repeat sends a recorded request again, with a new id.
func (m *Model) repeat(seq uint64) tea.Cmd {
	raw, why := m.sendable(seq)
	if why != "" {
		m.say(why)
		return nil
	}
	seq = m.desk.messageOf(seq)
	return m.onceMore(seq, func(m *Model) tea.Cmd { return m.resend(raw, seq, wire.ByReplay) })
}

// sendable reads the bytes of a frame of ours, or says why it cannot be sent.
func (m *Model) sendable(seq uint64) (raw []byte, why string) {
	seq = m.desk.messageOf(seq)
	r := m.desk.record(seq)
	switch {
	case r.Seq == 0:
		return nil, "nothing is selected"
	case r.Kind == wire.HTTP:
		return nil, "this line of HTTP carried no message: nothing can be sent again"
	case r.Dir != wire.Out:
		if partner := m.desk.state.Partner(seq); partner != 0 && m.desk.record(partner).Dir == wire.Out {
			return m.sendable(partner)
		}
		return nil, "only what we sent can be sent again"
	case m.live() != "":
		return nil, m.live()
	}
	raw, err := m.desk.sess.Log.Bytes(seq, 0, -1)
	if err != nil {
		return nil, err.Error()
	}
	return append([]byte(nil), raw...), ""
}

// resend sends bytes again; a request gets an id of its own.
func (m *Model) resend(raw []byte, of uint64, by wire.Origin) tea.Cmd {
	if wire.Scan(raw).Form == wire.Request {
		again, err := m.desk.sess.Client.Renumber(raw)
		if err != nil {
			m.fail(err)
			return nil
		}
		raw = again
	}
	return m.sendRaw(raw, by, of)
}

// reread reads a shown resource again when the server says that it changed.
func (m *Model) reread() tea.Cmd {
	first, last := m.heard+1, m.desk.state.Seq()
	m.heard = last
	s := m.desk.sess
	if !s.Live() || s.Client.HandsOff() {
		return nil
	}
	reading := ""
	s.Log.Records(first, last, func(r *history.Record) bool {
		if r.Dir == wire.In && r.Form == wire.Notification {
			reading = firstOf(m.outdated(r), reading)
			m.tell(r)
		}
		return true
	})
	if reading == "" {
		return nil
	}
	return m.request(operation{"resources/read", reading}, client.ReadParams(reading), client.CallOptions{By: wire.ByAuto, Fresh: true})
}

// outdated is the shown resource, if a notification says that it changed.
func (m *Model) outdated(r *history.Record) string {
	switch r.Method {
	case "notifications/resources/updated":
		if m.detail.reads(r.Name) {
			return r.Name
		}
	case "notifications/resources/changed":
		// No version defines it, but tutorials use it: take it as a nudge.
		return m.detail.reading()
	}
	return ""
}
