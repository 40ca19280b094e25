package ui

import (
	"strings"
	"time"

	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// header tells the truth about the connection, always.
func (m *Model) header() string {
	d, row := m.desk, theme.NewRow(m.w, theme.Style{})
	st := d.st
	row.Add(st.Focus, " parley")
	info := d.info()
	name := strings.TrimSpace(firstOf(info.ServerName, d.sess.Name) + " " + info.ServerVersion)
	warning, short := "", shortName
	if d.sess.Warning != "" { // which is never left out
		warning, short = "▲ "+d.sess.Warning, shortName/2
	}
	needed := 0 // by how it is connected, which is not left out for a long name
	for _, text := range []string{warning, d.transport(), d.version()} {
		if w := theme.Width(theme.Safe(text)); w > 0 {
			needed += w + 3
		}
	}
	right := m.headerRight(m.handshakeTook())
	if row.X()+theme.Width(theme.Safe(name))+3+needed+2+right.width() > m.w {
		right = m.headerRight("") // how long the handshake took matters least
	}
	room := max(0, m.w-row.X()-right.width()-2)
	put := func(style theme.Style, text string) {
		if w := theme.Width(theme.Safe(text)); text != "" && w+3 <= room {
			row.Add(style, "   "+theme.Safe(text))
			room -= w + 3
		}
	}
	if most := max(min(room, short), room-needed); theme.Width(theme.Safe(name))+3 > most {
		name = string(theme.Cut(theme.Safe(name), max(0, most-3)))
	}
	put(st.Text, name)
	put(st.Warn.Bold(), warning)
	put(st.Muted, d.transport())
	put(st.Muted, d.version())
	put(st.Muted, d.era())
	row.To(m.w - right.width())
	for _, p := range right {
		row.Add(p.style, p.text)
	}
	return row.String()
}

// shortName is the room that a server's name has in any case, with what is before it.
const shortName = 24

// styled is text with its look, for rows put together from the right.
type styled struct {
	style theme.Style
	text  theme.Text
}

type pieces []styled

func (p pieces) width() (w int) {
	for _, s := range p {
		w += theme.Width(s.text)
	}
	return w
}

// headerRight is the state, with how long its handshake took, what is recorded, and the
// key that helps most.
func (m *Model) headerRight(took string) pieces {
	d := m.desk
	style, state := m.state()
	if state == ready {
		state += took
	}
	p := pieces{{style, theme.Safe(state)}}
	if asks := len(d.state.Asks()); asks > 0 {
		p = append(p, styled{d.st.Warn, theme.Text("   " + count(asks, "question waits", "questions wait"))})
	}
	if m.w >= 60 {
		what := "rec "
		switch {
		case !d.sess.Live():
			what = "frames "
		case !d.sess.Recording:
			what = "not recorded "
		}
		p = append(p, styled{d.st.Muted, theme.Text("   " + what + itoa(int64(d.state.Seq())))})
	}
	hint := theme.Text("   ? help ")
	if d.sess.Live() && (d.ended() != "" || d.links.cut || d.problem != nil) && !m.connecting {
		key := "R "
		if m.typing() {
			key = "esc, R "
		}
		hint = theme.Text("   " + key + d.restartWord() + " ")
	}
	return append(p, styled{d.st.Muted, hint})
}

const ready = "● ready"

// state is the connection's state, in the words that are always used.
func (m *Model) state() (theme.Style, string) {
	d := m.desk
	if d.sess.Log.Err() != nil && d.sess.Recording {
		return d.st.Error, "✗ recording stopped: " + d.sess.Log.Err().Error()
	}
	if m.connecting {
		return d.st.Accent, "● connecting"
	}
	switch phase := d.state.Phase(); {
	case phase != history.Ready && phase != history.Connected || !d.sess.Live():
	case d.awaitsStream():
		return d.st.Warn, "● reconnecting " + itoa(d.record(d.links.broken).ID.Num) + "/" + itoa(int64(d.sess.reconnects()))
	case d.links.cut:
		return d.st.Error, "✗ disconnected"
	}
	if d.problem != nil && d.remote() && d.ended() != "" {
		return d.st.Error, "✗ not connected"
	}
	switch d.state.Phase() {
	case history.Exited, history.Disconnected:
		return d.st.Error, "✗ " + d.ended() + m.after()
	case history.Closed:
		return d.st.Muted, "○ closed"
	case history.Ready:
		return d.st.OK, ready
	case history.Connected, history.Handshaking:
		if !d.sess.Live() {
			return d.st.Muted, "○ closed"
		}
		return d.st.OK, "● connected"
	}
	if m.desk.problem != nil {
		if d.remote() {
			return d.st.Error, "✗ not connected"
		}
		return d.st.Error, "✗ not started"
	}
	return d.st.Muted, "○ closed"
}

// longPause is how long a stream has to be away to be worth a word: servers may close
// theirs after each event.
const longPause = time.Second

// awaitsStream reports whether a stream that broke is not there again at once.
func (d *desk) awaitsStream() bool {
	r := d.record(d.links.broken)
	if d.links.broken == 0 || r.ID.Num > 1 {
		return d.links.broken != 0
	}
	raw, err := d.sess.Log.Bytes(r.Seq, 0, -1)
	if err != nil {
		return true
	}
	e, err := wire.ParseEvent(raw)
	return err != nil || time.Duration(e.Millis)*time.Millisecond >= longPause
}

// after tells how long a server ran that is gone.
func (m *Model) after() string {
	d := m.desk
	_, _, seq := d.state.Exited()
	if d.connected == 0 || seq == 0 {
		return ""
	}
	return " after " + took(d.record(seq).Time.Sub(d.record(d.connected).Time))
}

// handshakeTook is how long the last handshake took, after a space; empty where there
// was none.
func (m *Model) handshakeTook() string {
	d, from := m.desk, m.desk.connected
	info := d.shaken
	if d.links.expired > from { // since, there was another handshake on the same connection
		from = d.state.Partner(info)
	}
	if r := d.record(info); r.Seq != 0 && from != 0 && r.Time.After(d.record(from).Time) {
		return " " + took(r.Time.Sub(d.record(from).Time))
	}
	return ""
}
