package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/pasted"
	"parley/ui/theme"
)

// Update implements [tea.Model].
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.take(msg)
	if work := m.frame.wanted; work != nil {
		m.frame.wanted = nil
		cmd = tea.Batch(cmd, work)
	}
	if m.desk.memory.Dirty() && !m.saving && !m.quitting {
		m.saving = true
		cmd = tea.Batch(cmd, m.saveMemory())
	}
	return m, cmd
}

// savedMsg tells that what was typed is on disk, or why not.
type savedMsg struct{ err error }

// saveMemory writes what was typed, a moment after it was, so that nothing is
// lost whatever becomes of us.
func (m *Model) saveMemory() tea.Cmd {
	memory := m.desk.memory
	return tea.Tick(saveDelay, func(time.Time) tea.Msg { return savedMsg{memory.Save()} })
}

const saveDelay = 300 * time.Millisecond

func (m *Model) take(msg tea.Msg) tea.Cmd {
	m.behind = false
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.layout()
	case tea.BackgroundColorMsg:
		*m.desk.st = *theme.New(msg.IsDark()) // shared by every widget
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		return m.paste(tea.PasteMsg{Content: pasted.Text(msg)})
	case tea.MouseClickMsg, tea.MouseWheelMsg:
		return m.point(msg)
	default:
		return m.happened(msg)
	}
	return nil
}

// happened takes what commands bring.
func (m *Model) happened(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case feedMsg:
		return m.fed(msg)
	case tickMsg:
		m.ticking = false
		m.desk.ticks++
		m.detail.refresh()
		return m.tick()
	case connectedMsg:
		return m.connected(msg)
	case closedMsg:
		if msg.sess == m.desk.sess {
			m.refresh()
			return m.console.settled(m, nil)
		}
	case listedMsg:
		return m.listed(msg)
	case startedMsg:
		return m.started(msg)
	case answeredMsg:
		return m.answered(msg)
	case sentMsg:
		return m.sent(msg)
	case subscribedMsg:
		return m.subscribed(msg)
	case ranMsg:
		return m.console.ran(m, msg)
	case hostMsg:
		return m.heardFrom(msg)
	case openedMsg:
		return m.opened(msg)
	case editedMsg:
		return m.edited(msg)
	case noteMsg:
		return m.noted(string(msg))
	case savedMsg:
		m.saving = false
		if msg.err != nil && !m.saveFailed {
			m.saveFailed = true // said once
			m.fail(msg.err)
		}
	case indexedMsg:
		m.frame.indexed(msg)
	}
	return nil
}

func (m *Model) fed(msg feedMsg) tea.Cmd {
	if msg.sess != m.desk.sess {
		return nil
	}
	first, last := m.look(mostFrames)
	m.behind = last < msg.sess.Log.Len() && first > 0 && last-first+1 >= mostFrames
	pause := m.pace.next(msg.rested)
	if m.behind {
		pause = 0
	}
	return tea.Batch(m.feed(pause), m.relist(), m.reread(), m.tick())
}

func (m *Model) connected(msg connectedMsg) tea.Cmd {
	if msg.sess != m.desk.sess {
		return nil
	}
	m.connecting = false
	if m.stopConnecting != nil {
		m.stopConnecting()
	}
	m.desk.problem = msg.err
	if errors.Is(msg.err, context.Canceled) {
		m.desk.problem = errStopped
	}
	m.refresh()
	if msg.err != nil {
		if m.console.running == nil || m.focus != onConsole { // else it is told there
			m.fail(msg.err)
		}
		return m.console.settled(m, msg.err)
	}
	clear(m.desk.busy)
	return tea.Batch(m.listAll(), m.console.settled(m, nil), m.console.next(m), m.tick())
}

// errStopped is why there is no connection when the user wanted none.
var errStopped = errors.New("connecting was stopped")

// heardFrom takes in what a step of the console told while it runs.
func (m *Model) heardFrom(msg hostMsg) tea.Cmd {
	cmd := m.console.told(m, msg.host)
	if j := m.console.running; j != nil && msg.host == m.console.host {
		cmd = tea.Batch(cmd, msg.host.listen(j.over))
	}
	return cmd
}

func (m *Model) listed(msg listedMsg) tea.Cmd {
	if msg.sess != m.desk.sess {
		return nil
	}
	delete(m.desk.busy, msg.method)
	m.refresh()
	if msg.err != nil && m.desk.ended() == "" {
		m.say("✗ " + msg.method + ": " + words(msg.err))
		m.noticeError = true
		return nil
	}
	return m.relist()
}

func (m *Model) started(msg startedMsg) tea.Cmd {
	if msg.sess != m.desk.sess {
		return nil
	}
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	m.refresh()
	m.detail.started(msg.op, msg.pending.Seq())
	m.layout()
	if m.focus == onDetail && !m.at.Shows(layout.Result) {
		m.detail.into(keys.InResult) // there is room for one: what comes back
		m.layout()
	}
	return tea.Batch(m.wait(msg.sess, msg.pending), m.tick())
}

func (m *Model) answered(msg answeredMsg) tea.Cmd {
	if msg.sess != m.desk.sess {
		return nil
	}
	if !msg.cached.IsZero() {
		put(&m.detail.cached, msg.seq, msg.cached)
	}
	m.refresh()
	if msg.err != nil {
		put(&m.desk.failed, m.desk.links.newest(msg.seq), msg.err)
	}
	m.detail.refresh()
	if word(msg.err) == "timeout" {
		m.fail(msg.err)
	}
	return nil
}

func (m *Model) sent(msg sentMsg) tea.Cmd {
	if msg.sess != m.desk.sess {
		return nil
	}
	m.refresh()
	if j := msg.job; j != nil {
		j.seq = msg.seq
	}
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	m.traffic.list.SetFollow(true)
	if msg.pending == nil {
		return nil
	}
	return tea.Batch(m.wait(msg.sess, msg.pending), m.tick())
}

func (m *Model) opened(msg openedMsg) tea.Cmd {
	if msg.err != nil {
		m.fail(msg.err)
		return nil
	}
	if m.noticeError {
		m.notice = "" // of an attempt before
	}
	return m.show(msg.sess)
}
