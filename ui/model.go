// Package ui is the screen: a Bubble Tea program whose panes are views of one
// fold over the frames of a session.
//
// The root model owns everything and is the only one that routes messages;
// panes are plain structs with methods. Input and output happens in commands,
// which never touch the model.
package ui

import (
	"context"
	"errors"
	"os"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/pasted"
	"parley/ui/widget"
)

// focus says which pane has the keys.
type focus uint8

const (
	onList focus = iota
	onDetail
	onTraffic
	onConsole
	onWide // the frame, or the server's information, over the upper panes
	onStart
)

// Model is the root of the screen.
type Model struct {
	ctx  context.Context
	opt  Options
	desk *desk

	w, h   int
	at     layout.Layout
	result bool // the layout has a place for a result
	focus  focus
	zoom   bool
	mouse  bool // the mouse is ours; M gives it back to the terminal

	start   *startScreen
	cat     *catalogue
	detail  *detail
	traffic *traffic
	console *console
	wide    wide // what covers the upper panes, nil for nothing
	info    *infoPane
	frame   *framePane
	paper   *paper     // what a line of the console printed
	retired []*Session // that another one took the place of; they are being ended

	filter  *filterLine // the line being typed into, nil for none
	overlay overlay     // what takes all keys, nil for nothing

	paletteDraft string // what was typed into the palette and not run

	notice      string
	noticeError bool

	heard          uint64 // up to which frame notifications were followed
	connecting     bool
	stopConnecting context.CancelFunc
	ticking        bool
	pace           pace
	behind         bool     // more frames came than one look took in
	painted        tea.View // what was painted last
	saving         bool     // what was typed is being written
	saveFailed     bool
	quitting       bool
}

// wide is a pane that covers the list and the detail.
type wide interface {
	update(m *Model, msg tea.Msg) (bool, tea.Cmd)
	view(w, h int) string
	title() widget.Rule
	context() keys.Context
	refresh()
	focus(on bool)
	search(text string) bool
}

// New returns the screen on a session, or on the start screen. ctx ends every
// command when the program does.
func New(ctx context.Context, opt Options) *Model {
	m := &Model{ctx: ctx, opt: opt, desk: newDesk(opt), mouse: true}
	m.cat = newCatalogue(m.desk)
	m.detail = newDetail(m.desk)
	m.traffic = newTraffic(m.desk)
	m.console = newConsole(m.desk)
	m.frame = newFramePane(m.desk)
	m.info = newInfoPane(m.desk)
	m.paper = newPaper(m.desk)
	if opt.Start != nil {
		m.start = newStartScreen(m.desk, opt.Start)
	}
	if opt.Session == nil {
		m.focus = onStart
	} else {
		m.focus = onList
		m.refresh()
	}
	m.setFocus(m.focus)
	return m
}

// Run shows the screen until the user leaves it or ctx ends, and then ends the
// session in order. It returns the session that was shown last.
func Run(ctx context.Context, opt Options) (*Session, error) { return run(ctx, opt) }

// run is Run on another terminal, if options say so.
func run(ctx context.Context, opt Options, terminal ...tea.ProgramOption) (*Session, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	m := New(inner, opt)
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFilter(mergeWheel()),
		tea.WithInput(pasted.NewReader(os.Stdin))}
	_, err := tea.NewProgram(m, append(options, terminal...)...).Run()
	cancel()
	s := m.desk.sess
	if s != nil {
		defer func() { // whatever becomes of the rest, the server is ended
			endCtx, stop := ending(ctx)
			defer stop()
			s.End(endCtx)
			for _, old := range m.retired {
				old.End(endCtx)
			}
			if h := m.console.host; h != nil {
				h.end(endCtx)
			}
		}()
		m.detail.remember()
		_ = opt.Memory.Save()
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return s, err
}

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tea.RequestBackgroundColor, m.listen()}
	if s := m.desk.sess; s != nil {
		cmds = append(cmds, m.begin())
	}
	return tea.Batch(cmds...)
}

// noteMsg is something that is said on the side.
type noteMsg string

// listen waits for what is said on the side.
func (m *Model) listen() tea.Cmd {
	if m.opt.Notes == nil {
		return nil
	}
	ctx, notes := m.ctx, m.opt.Notes
	return func() tea.Msg {
		select {
		case text := <-notes:
			return noteMsg(text)
		case <-ctx.Done():
			return nil
		}
	}
}

// noted shows what is said on the side: under the line that runs, if one does.
func (m *Model) noted(text string) tea.Cmd {
	j := m.console.running
	switch {
	case j != nil:
		j.say(m.desk.st.Muted, text)
	case m.notice != "" && !m.noticeError:
		m.say(m.notice + " · " + text)
	default:
		m.say(text)
	}
	return m.listen()
}

// begin starts what a session that was just shown needs.
func (m *Model) begin() tea.Cmd {
	if !m.desk.sess.Live() {
		return nil
	}
	return tea.Batch(m.connect(), m.feed(0), m.tick())
}

// show goes over to another session.
func (m *Model) show(s *Session) tea.Cmd {
	m.lay(s, onList)
	return m.begin()
}

// switchTo shows a session that is being connected in the place of one that is
// ended. The console keeps the keys.
func (m *Model) switchTo(s *Session, stop context.CancelFunc) tea.Cmd {
	old, to := m.desk.sess, onList
	if m.focus == onConsole {
		to = onConsole
	}
	m.lay(s, to)
	m.connecting, m.stopConnecting = true, stop
	cmds := []tea.Cmd{m.feed(0), m.tick()}
	if old != nil {
		m.retired = append(m.retired, old)
		ctx := m.ctx
		cmds = append(cmds, func() tea.Msg {
			endCtx, stop := ending(ctx)
			defer stop()
			old.End(endCtx)
			return nil
		})
	}
	return tea.Batch(cmds...)
}

// lay lays every pane out for another session.
func (m *Model) lay(s *Session, to focus) {
	m.detail.remember()
	m.desk.show(s)
	m.cat.reset()
	m.detail.reset()
	m.traffic.reset()
	m.console.reset()
	m.frame.reset()
	m.info.reset()
	m.wide, m.heard = nil, 0
	m.setFocus(to)
	m.refresh()
	m.layout()
}

// refresh folds what came and lets every pane take it in.
func (m *Model) refresh() { m.look(0) }

// look is refresh for at most so many frames, 0 for all. It returns the first
// new one (0 if there is none) and the last.
func (m *Model) look(most uint64) (first, last uint64) {
	first, last = m.desk.catchUp(most)
	if m.desk.sess == nil {
		return 0, 0
	}
	m.traffic.refresh()
	m.cat.refresh()
	m.showSelected()
	m.detail.refresh()
	if m.wide != nil {
		m.wide.refresh()
	}
	m.followConsole()
	if m.detail.hasResult() != m.result {
		m.layout()
	}
	return first, last
}

// showSelected lets the detail follow the selection of the list.
func (m *Model) showSelected() {
	if x, ok := m.cat.selected(); ok {
		m.detail.show(x)
	} else {
		m.detail.show(item{})
	}
}

// context says which keys hold now.
func (m *Model) context() keys.Context {
	if m.filter != nil {
		return keys.InFilter
	}
	switch m.focus {
	case onDetail:
		return m.detail.context()
	case onTraffic:
		return keys.InTraffic
	case onConsole:
		return m.console.context()
	case onWide:
		if m.wide != nil {
			return m.wide.context()
		}
	case onStart:
		return keys.InStart
	}
	return keys.InList
}

// typing reports whether letters are letters.
func (m *Model) typing() bool {
	switch m.context() {
	case keys.InField, keys.InConsole, keys.InChoice, keys.InRecall, keys.InFilter:
		return true
	}
	return false
}

// setFocus gives the keys to a pane.
func (m *Model) setFocus(f focus) {
	if f != onWide && f != onTraffic && f != onConsole && f != onStart {
		m.wide = nil
	}
	m.focus = f
	m.cat.focus(f == onList)
	m.detail.focus(f == onDetail)
	m.traffic.list.SetFocused(f == onTraffic)
	m.console.focus(f == onConsole)
	if m.wide != nil {
		m.wide.focus(f == onWide)
	}
	m.layout()
}

// say puts a line above the footer until the next key.
func (m *Model) say(text string) { m.notice, m.noticeError = text, false }

// fail says what went wrong.
func (m *Model) fail(err error) {
	if errors.Is(err, context.Canceled) && m.quitting {
		return
	}
	m.notice, m.noticeError = words(err), true
}

// live says why nothing can be sent, or nothing if it can.
func (m *Model) live() string {
	switch s := m.desk.sess; {
	case s == nil:
		return "there is no session"
	case !s.Live() && m.focus == onConsole && m.opt.Connect != nil:
		return "this is a recorded session: nothing can be sent; connect NAME goes to a server"
	case !s.Live():
		return "this is a recorded session: nothing can be sent"
	case m.connecting:
		return "still connecting"
	case m.desk.ended() != "":
		if m.focus == onConsole { // where R is a letter
			return "the server is gone (" + m.desk.ended() + "): the line restart " + map[bool]string{true: "connects", false: "starts it"}[m.desk.remote()] + " again"
		}
		return "the server is gone (" + m.desk.ended() + "): " + m.desk.restarts()
	}
	return ""
}
