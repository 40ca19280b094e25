package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/client"
	"parley/client/wire"
)

// Messages of what happens outside the screen. Those of a session carry it, so
// that what belongs to one that is gone is dropped.
type (
	feedMsg struct {
		sess   *Session
		rested bool // nothing came for a while before
	}
	connectedMsg struct {
		sess *Session
		err  error
	}
	closedMsg struct{ sess *Session }
	listedMsg struct {
		sess   *Session
		method string
		err    error
	}
	startedMsg struct {
		sess    *Session
		op      operation
		pending *client.Pending
		err     error
	}
	answeredMsg struct {
		sess   *Session
		seq    uint64
		cached time.Time // not zero: nothing was sent, an answer that counts until then was at hand
		err    error
	}
	sentMsg struct {
		sess    *Session
		job     *job // the line of the console, nil for none
		seq     uint64
		pending *client.Pending
		err     error
	}
	tickMsg   struct{}
	openedMsg struct {
		sess *Session
		err  error
	}
	editedMsg struct {
		text []byte
		err  error
		done func(*Model, []byte) tea.Cmd
	}
)

// The pace of the feed: what comes after a rest is shown at once, what goes on
// coming ten times a second, which is what a reader can follow and what a slow
// line to the terminal can carry.
const (
	quickFeed  = 16 * time.Millisecond
	slowFeed   = 100 * time.Millisecond
	restTime   = 50 * time.Millisecond // without a frame, and the next is shown at once
	quickLooks = 10                    // so many in a row are quick

	// mostFrames is how many frames one look takes in. In a flood the rest is
	// for the next look, right after, so that a key need not wait for it.
	mostFrames = 20_000
)

// pace counts the quick looks in a row.
type pace struct{ quick int }

// next returns how long the next look waits after a frame came.
func (p *pace) next(rested bool) time.Duration {
	if rested {
		p.quick = 0
	}
	if p.quick++; p.quick <= quickLooks {
		return quickFeed
	}
	return slowFeed
}

// feed waits until the log grew, and a little longer, so that much at once is
// one message.
func (m *Model) feed(pause time.Duration) tea.Cmd {
	s := m.desk.sess
	if s == nil || !s.Live() {
		return nil
	}
	ctx, seen, log := m.ctx, m.desk.state.Seq(), s.Log
	return func() tea.Msg {
		changed, start := log.Changed(), time.Now()
		if log.Len() == seen {
			select {
			case <-changed:
			case <-ctx.Done():
				return nil
			}
		}
		rested := time.Since(start) >= restTime
		if rested {
			pause = quickFeed
		}
		if pause > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
		}
		return feedMsg{s, rested}
	}
}

// connect starts the server and shakes hands.
func (m *Model) connect() tea.Cmd {
	s := m.desk.sess
	ctx, cancel := context.WithCancel(m.ctx)
	m.connecting, m.stopConnecting = true, cancel
	m.desk.problem = nil
	return func() tea.Msg { return connectedMsg{s, s.Client.Connect(ctx)} }
}

// restart ends the server and starts it again; the log goes on.
func (m *Model) restart() tea.Cmd {
	s := m.desk.sess
	ctx, cancel := context.WithCancel(m.ctx)
	m.connecting, m.stopConnecting = true, cancel
	m.desk.problem = nil
	return func() tea.Msg { return connectedMsg{s, s.Client.Restart(ctx)} }
}

// disconnect ends the server; the log stays, and R starts it again.
func (m *Model) disconnect() tea.Cmd {
	s, ctx := m.desk.sess, m.ctx
	return func() tea.Msg {
		_ = s.Client.Close(ctx) // how it ended is in the log
		return closedMsg{s}
	}
}

// list asks for all pages of a list, of which those that still count are not asked for
// again.
func (m *Model) list(method string) tea.Cmd { return m.listWith(method, false) }

// listFresh is list whatever the server said of how long its answers count.
func (m *Model) listFresh(method string) tea.Cmd { return m.listWith(method, true) }

func (m *Model) listWith(method string, fresh bool) tea.Cmd {
	if m.desk.busy[method] || m.desk.sess == nil || !m.desk.sess.Live() {
		return nil
	}
	m.desk.busy[method] = true
	s, ctx := m.desk.sess, m.ctx
	return func() tea.Msg {
		_, err := s.Client.List(ctx, method, client.CallOptions{By: wire.ByAuto, Force: true, Fresh: fresh})
		return listedMsg{s, method, err}
	}
}

// listAll asks for every list that the server declared.
func (m *Model) listAll() tea.Cmd {
	var cmds []tea.Cmd
	for _, method := range m.desk.sess.Client.Declared() {
		cmds = append(cmds, m.list(method))
	}
	return tea.Batch(cmds...)
}

// relist asks again for the lists that the server says have changed.
func (m *Model) relist() tea.Cmd {
	s := m.desk.sess
	if s == nil || !s.Live() || s.Client.HandsOff() || m.connecting {
		return nil
	}
	var cmds []tea.Cmd
	for _, method := range client.ListMethods {
		if len(m.desk.state.Pages(method)) > 0 && s.Client.Changed(method) {
			cmds = append(cmds, m.list(method))
		}
	}
	return tea.Batch(cmds...)
}

// request sends a request of the user's.
func (m *Model) request(op operation, params []byte, opt client.CallOptions) tea.Cmd {
	s, ctx := m.desk.sess, m.ctx
	opt.Force = true
	if opt.By != wire.ByAuto {
		m.console.began(m)
	}
	return func() tea.Msg {
		p, err := s.Client.Start(ctx, op.method, params, opt)
		return startedMsg{s, op, p, err}
	}
}

// wait tells when a request has its answer, or has been given up.
func (m *Model) wait(s *Session, p *client.Pending) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		a, err := p.Wait(ctx)
		return answeredMsg{s, p.Seq(), a.Cached, err}
	}
}

// sendRaw sends a line exactly as it is.
func (m *Model) sendRaw(raw []byte, by wire.Origin, of uint64) tea.Cmd {
	s, ctx := m.desk.sess, m.ctx
	m.console.began(m)
	return func() tea.Msg {
		seq, p, err := s.Client.SendRaw(ctx, raw, by, of)
		return sentMsg{s, nil, seq, p, err}
	}
}

// tick asks for another look while something is awaited, so that the screen
// says how long.
func (m *Model) tick() tea.Cmd {
	if m.ticking || !m.awaiting() {
		return nil
	}
	m.ticking = true
	return tea.Tick(100*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{} })
}

// awaiting reports whether a call or the handshake is in flight.
func (m *Model) awaiting() bool {
	return m.connecting || m.console.running != nil || (m.desk.sess != nil && m.desk.sess.Live() && len(m.desk.state.Pending()) > 0)
}

// words puts an error into a line for the notice bar.
func words(err error) string {
	if errors.Is(err, context.Canceled) {
		return "stopped"
	}
	text := err.Error()
	var h interface{ Hint() string }
	if errors.As(err, &h) && h.Hint() != "" {
		text += " · " + h.Hint()
	}
	return text
}
