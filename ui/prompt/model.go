package prompt

import (
	"context"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/pasted"
	"parley/ui/theme"
	"parley/ui/widget"
)

// Messages of those who use the prompt.
type (
	askMsg     struct{ *ask }
	dropMsg    struct{ *ask } // nobody waits for the answer any more
	jobMsg     struct{ *job }
	jobDoneMsg struct{ *job }
	failedMsg  struct{} // the line that was given last did
	labelMsg   theme.Text
	tickMsg    time.Time
)

// queued is a line that waits to be asked for.
type queued struct {
	line  string
	batch int // the enter that it came with, if that was of several lines; else 0
}

// ask is somebody who waits for a line.
type ask struct {
	label    theme.Text
	question bool
	reply    chan answer // takes one without waiting
	kept     string      // what was being typed when a question came
}

type answer struct {
	line string
	err  error
}

// job is what runs, and what ctrl+c stops.
type job struct {
	what    string
	stop    context.CancelFunc
	began   time.Time
	stopped bool
}

// model is the state of the prompt. It belongs to the goroutine of Update.
type model struct {
	opt    Options
	keys   keys.Map
	st     *theme.Styles
	screen *screen
	now    func() time.Time

	w, h   int
	line   *widget.RawLine
	next   *ask     // who waits for the next line
	asks   []*ask   // the questions; the last one has the keys
	queue  []queued // lines that were entered and that nobody asked for yet
	batch  int      // enters of several lines so far
	given  int      // the batch of the line that was given last; 0 if it was alone
	job    *job
	ticks  bool       // a look is asked for
	notice theme.Text // a word about the last key
	ended  bool

	choice *choice // what the word may be completed to; nil unless shown
	search *search // nil unless searching
	hint   hint
}

// hint is what was said of a line, so that it is not found out for each frame.
type hint struct {
	line string
	text theme.Text
}

func newModel(opt Options, s *screen) *model {
	if opt.Styles == nil {
		opt.Styles = theme.Plain()
	}
	m := &model{opt: opt, keys: keys.New(), st: opt.Styles, screen: s, now: time.Now}
	m.line = widget.NewRawLine(keys.Console{Earlier: m.keys.Prompt.Earlier, Later: m.keys.Prompt.Later, Edit: m.keys.Console.Edit}, m.st)
	m.line.SetHistory(opt.History)
	return m
}

// Init implements [tea.Model].
func (m *model) Init() tea.Cmd { return nil }

// Update implements [tea.Model].
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.update(msg)
	if m.w > 0 {
		m.screen.show(m.frame())
	}
	return m, cmd
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		m.line.SetSize(m.w, 1)
		m.screen.resize(m.w)
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		m.paste(pasted.Text(msg))
	case tea.ResumeMsg:
		m.screen.enter()
	case askMsg:
		m.asked(msg.ask)
	case dropMsg:
		m.answer(msg.ask, answer{err: context.Canceled})
	case labelMsg:
		m.opt.Label = theme.Text(msg)
	case jobMsg:
		m.job = msg.job
		m.job.began = m.now()
		if !m.ticks {
			return m.tick()
		}
	case jobDoneMsg:
		if m.job == msg.job {
			m.job = nil
		}
	case failedMsg:
		m.failed()
	case tickMsg:
		return m.tick()
	}
	return nil
}

// tick asks for another look while something runs, so that the frame says for
// how long.
func (m *model) tick() tea.Cmd {
	if m.ticks = m.job != nil; !m.ticks {
		return nil
	}
	pause := 100 * time.Millisecond
	if m.now().Sub(m.job.began) > exactFor {
		pause = time.Second
	}
	return tea.Tick(pause, func(t time.Time) tea.Msg { return tickMsg(t) })
}

// asked takes note of somebody who waits for a line.
func (m *model) asked(a *ask) {
	switch {
	case a.question:
		m.closeLists()
		a.kept = m.line.Text()
		m.line.SetText("")
		m.asks = append(m.asks, a)
	case len(m.queue) > 0:
		next := m.queue[0]
		m.queue, m.given = m.queue[1:], next.batch
		m.echo(m.opt.Label, next.line, "")
		a.reply <- answer{line: next.line}
	default:
		m.next = a
	}
}

// question is the one that has the keys; nil if none has.
func (m *model) question() *ask {
	if n := len(m.asks); n > 0 {
		return m.asks[n-1]
	}
	return nil
}

// answer answers somebody who waits.
func (m *model) answer(a *ask, with answer) {
	if a == m.next {
		m.next = nil
		a.reply <- with
		return
	}
	for i, q := range m.asks {
		if q != a {
			continue
		}
		if i == len(m.asks)-1 {
			m.line.SetText(a.kept)
		} else { // one that was put later has what was being typed
			m.asks[i+1].kept = a.kept
		}
		m.asks = append(m.asks[:i:i], m.asks[i+1:]...)
		a.reply <- with
		return
	}
}

func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	k := &m.keys.Prompt
	m.notice = ""
	if m.search != nil {
		if taken := m.pressSearch(msg); taken {
			return nil
		}
	}
	if m.choice != nil {
		if taken := m.pressChoice(msg); taken {
			return nil
		}
	}
	switch {
	case key.Matches(msg, k.Send):
		m.enter()
	case key.Matches(msg, k.Stop):
		m.stop()
	case key.Matches(msg, k.Leave) && m.line.Text() == "":
		m.leave()
	case key.Matches(msg, k.Complete) && m.question() == nil:
		m.complete()
	case key.Matches(msg, k.Search) && m.question() == nil:
		m.search = &search{kept: m.line.Text(), at: len(m.line.History())}
	case key.Matches(msg, k.Clear):
		m.screen.clearScreen()
	case key.Matches(msg, k.Suspend) && runtime.GOOS != "windows": // there is no such thing there
		m.screen.leave()
		return tea.Suspend
	case m.question() != nil && (key.Matches(msg, k.Earlier) || key.Matches(msg, k.Later)):
		// the history has lines, not answers
	default:
		m.line.Update(msg)
	}
	return nil
}

// enter takes the line, or begins another row of it.
func (m *model) enter() {
	m.closeLists()
	text := m.line.Text()
	if q := m.question(); q != nil {
		m.echo(q.label, text, "")
		m.answer(q, answer{line: text})
		return
	}
	if strings.TrimSpace(text) == "" {
		m.echo(m.opt.Label, text, "")
		m.line.SetText("")
		return
	}
	lines, open := m.split(text)
	if open {
		m.line.Splice(m.line.At(), m.line.At(), "\n")
		return
	}
	batch := 0
	if len(lines) > 1 {
		m.batch++
		batch = m.batch
	}
	for _, l := range lines {
		m.line.SetText(l)
		m.line.Enter()
		m.remember(l)
		m.queue = append(m.queue, queued{l, batch})
	}
	if next := m.next; next != nil {
		m.next = nil
		m.asked(next)
	}
}

func (m *model) remember(line string) {
	if m.opt.Remember != nil {
		m.opt.Remember(line)
	}
}

// stop is ctrl+c: it gives up a question, stops what runs, or drops the line.
func (m *model) stop() {
	m.closeLists()
	switch q := m.question(); {
	case q != nil:
		m.echo(q.label, m.line.Text(), "^C")
		m.answer(q, answer{err: ErrInterrupted})
	case m.job != nil:
		m.job.stopped = true
		m.job.stop()
		m.drop("", func(queued) bool { return true })
	case m.line.Text() != "":
		m.echo(m.opt.Label, m.line.Text(), "^C")
		m.line.SetText("")
		m.line.SetHistory(m.line.History())
	default:
		m.notice = "ctrl+d leaves"
	}
}

// failed gives up the lines that were entered together with one that failed.
func (m *model) failed() {
	if m.given != 0 {
		m.drop(": one before failed", func(q queued) bool { return q.batch == m.given })
	}
}

// drop gives up lines that wait, and says so.
func (m *model) drop(why string, which func(queued) bool) {
	before := len(m.queue)
	m.queue = slices.DeleteFunc(m.queue, which)
	switch n := before - len(m.queue); {
	case n == 1:
		m.notice = theme.Text("1 line was not run" + why + "; ↑ brings it back")
	case n > 1:
		m.notice = theme.Text(strconv.Itoa(n) + " lines were not run" + why + "; ↑ brings them back")
	}
}

// leave is ctrl+d on an empty line.
func (m *model) leave() {
	switch q := m.question(); {
	case q != nil:
		m.echo(q.label, "", "^D")
		m.answer(q, answer{err: ErrInterrupted})
	case m.next != nil:
		m.ended = true
		m.answer(m.next, answer{err: io.EOF})
	default:
		m.notice = "something runs: ctrl+c stops it"
	}
}

// closeLists keeps what completion or search put into the line.
func (m *model) closeLists() { m.choice, m.search = nil, nil }

// echo prints a line that was entered, as it stood in the frame.
func (m *model) echo(label theme.Text, text, mark string) {
	var b strings.Builder
	for i, l := range strings.Split(text, "\n") {
		head := label
		if i > 0 {
			head = more(label)
			b.WriteByte('\n')
		}
		b.WriteString(m.st.Accent.Render(head))
		b.WriteString(string(theme.Safe(l)))
	}
	b.WriteString(m.st.Muted.Render(theme.Safe(mark)))
	b.WriteByte('\n')
	m.screen.print(b.String())
}
