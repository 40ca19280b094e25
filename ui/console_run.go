package ui

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/client/wire"
	"parley/script"
	"parley/ui/keys"
)

// jobState says how far a line is.
type jobState uint8

const (
	jobWaiting jobState = iota
	jobRunning
	jobDone
)

// job is a line that was entered.
type job struct {
	line  string
	step  *script.Step
	raw   []byte    // of a plain raw line: what goes out, at once
	form  wire.Form // what raw is
	batch int       // the paste that it came with; 0 for none
	loud  bool      // it came from the palette: its outcome is shown wherever the keys are

	state  jobState
	since  time.Time
	cancel context.CancelFunc
	over   <-chan struct{}
	sess   *Session // that it was sent on
	seq    uint64   // of a raw line: its frame
	shown  bool     // what it asked for shows as the answer to its form
	awaits bool     // it runs until the connection is open or closed
	said   []said
	passed int // rows that were said before those, and dropped
}

// Messages of what runs in the console.
type (
	ranMsg struct {
		job *job
		err error
	}
	hostMsg struct{ host *host }
)

// read makes jobs of a typed line, or says why it cannot run.
func (c *console) read(m *Model, line string) (jobs []*job, why string) {
	if raw, ok := rawLine(line); ok {
		return []*job{{line: line, raw: raw}}, m.live()
	}
	step, err := script.ParseLine(line)
	if err != nil {
		return nil, words(err)
	}
	if step == nil {
		return nil, "there is nothing to run in this line"
	}
	j := &job{line: line, step: step}
	return []*job{j}, c.whyNot(m, step)
}

// whyNot says why a step cannot run now. Connecting is waited for.
func (c *console) whyNot(m *Model, step *script.Step) string {
	if m.connecting && m.desk.sess.Live() || !step.Verb.Online {
		return ""
	}
	return m.live()
}

// plain reports whether a step is nothing but a verb: no let, no ! and no -.
func (j *job) plain(verb string) bool {
	s := j.step
	return s != nil && s.Verb.Name == verb && s.Let == "" && s.Want == script.Success
}

// submit runs jobs: raw lines at once, others when those before them are done.
// A paste keeps its order.
func (c *console) submit(m *Model, jobs ...*job) tea.Cmd {
	var cmds []tea.Cmd
	for _, j := range jobs {
		c.remember(j)
		if j.raw != nil && j.batch == 0 {
			cmds = append(cmds, c.sendRaw(m, j))
			continue
		}
		c.queue = append(c.queue, j)
	}
	return tea.Batch(tea.Sequence(cmds...), c.next(m))
}

// sendRaw sends a line exactly as it is; nothing waits for its answer.
func (c *console) sendRaw(m *Model, j *job) tea.Cmd {
	j.state, j.sess, j.form = jobDone, c.desk.sess, wire.Scan(j.raw).Form
	send := m.sendRaw(j.raw, wire.ByConsole, 0)
	return func() tea.Msg {
		msg := send()
		if sent, ok := msg.(sentMsg); ok {
			sent.job = j
			return sent
		}
		return msg
	}
}

// next starts what waits, if nothing runs.
func (c *console) next(m *Model) tea.Cmd {
	var cmds []tea.Cmd
	_, asked := m.overlay.(*question) // what the next line does may depend on the answer
	for c.running == nil && len(c.queue) > 0 && !m.connecting && !asked {
		j := c.queue[0]
		c.queue = c.queue[1:]
		cmds = append(cmds, c.start(m, j))
		_, asked = m.overlay.(*question)
	}
	return tea.Batch(tea.Sequence(cmds...), m.tick())
}

// start runs a job. What the keys do too is done as they do it.
func (c *console) start(m *Model, j *job) tea.Cmd {
	if j.raw != nil {
		return c.sendRaw(m, j)
	}
	j.state, j.since = jobDone, c.desk.now()
	again := j.plain("connect") && len(j.step.Words) == 0 && c.desk.sess != nil
	switch {
	case again && c.desk.sess.Live() && c.desk.ended() == "":
		j.fail(c.desk, "connected already · restart ends the connection and begins it anew")
	case again, j.plain("restart"):
		return c.orDrop(m, j, m.askRestart(j))
	case j.plain("disconnect"):
		return c.orDrop(m, j, m.askDisconnect(j))
	case j.plain("exit"):
		return m.askQuit()
	case j.plain("connect") && m.inFlight() > 0:
		m.overlay = &question{title: "connect", yes: "connect",
			lines: []string{count(m.inFlight(), "call is", "calls are") + " in flight and will get no answer."},
			then:  func(m *Model) tea.Cmd { return c.run(m, j) },
			stay:  func(m *Model) tea.Cmd { return c.notDone(m, j) }}
		return nil
	default:
		if why := c.whyNot(m, j.step); why != "" {
			j.fail(c.desk, why)
			break
		}
		return c.run(m, j)
	}
	return c.dropBatch(m, j)
}

// orDrop gives up the rest of a paste if the line could not be begun.
func (c *console) orDrop(m *Model, j *job, cmd tea.Cmd) tea.Cmd {
	if c.toldOf(j) {
		return tea.Batch(cmd, c.dropBatch(m, j))
	}
	return cmd
}

// notDone is a line that a question was answered no to.
func (c *console) notDone(m *Model, j *job) tea.Cmd {
	if j == nil {
		return nil
	}
	j.say(c.desk.st.Warn, "not done")
	return c.dropBatch(m, j)
}

// awaits keeps the queue waiting until the connection is as a line wants it.
func (c *console) awaits(m *Model, j *job) {
	ctx, cancel := context.WithCancel(m.ctx)
	stop := m.stopConnecting
	j.state, j.since, j.over = jobRunning, c.desk.now(), ctx.Done()
	j.cancel = func() {
		cancel()
		if stop != nil {
			stop()
		}
	}
	j.awaits, c.running = true, j
}

// settled is called when the connection is open or closed.
func (c *console) settled(m *Model, err error) tea.Cmd {
	j := c.running
	if j == nil || !j.awaits {
		return nil
	}
	j.cancel()
	j.state, c.running = jobDone, nil
	switch {
	case errors.Is(err, context.Canceled):
		j.say(c.desk.st.Warn, "stopped")
	case err != nil:
		c.failed(m, j, words(err))
	default:
		j.say(c.desk.st.OK, "ok · "+took(c.desk.now().Sub(j.since)))
		return c.next(m)
	}
	return c.dropBatch(m, j)
}

// began takes note of what the user does without the interpreter: a wait counts
// from there.
func (c *console) began(m *Model) {
	if s := m.desk.sess; s != nil {
		c.since = s.Log.Len() + 1
	}
}

// run runs a step where it does not hold up the screen.
func (c *console) run(m *Model, j *job) tea.Cmd {
	c.prepare(m)
	if c.since > 0 {
		c.interp.Began(c.since)
		c.since = 0
	}
	ctx, cancel := context.WithCancel(m.ctx)
	j.state, j.since, j.cancel, j.over = jobRunning, c.desk.now(), cancel, ctx.Done()
	c.running = j
	in, h := c.interp, c.host
	h.begin(cancel)
	return tea.Batch(m.tick(), h.listen(j.over), func() tea.Msg {
		_, err := in.Do(ctx, j.step)
		return ranMsg{j, err}
	})
}

// prepare makes the interpreter on the session that shows; variables of the one
// before go on.
func (c *console) prepare(m *Model) {
	s := c.desk.sess
	if c.interp != nil && c.host.session() == s {
		return
	}
	opt := script.Options{By: wire.ByConsole, Vars: map[string]json.RawMessage{}}
	if c.interp != nil {
		for _, name := range c.interp.Vars() {
			if raw, ok := c.interp.Value(name); ok {
				opt.Vars[name] = raw
			}
		}
		opt.Settings = c.interp.Settings()
	}
	c.host = newHost(m.opt.Connect, s)
	opt.Host = c.host
	if s != nil && s.Live() {
		opt.Link = &script.Link{Client: s.Client, Log: s.Log}
	}
	opt.Answers = &script.AnswerDeps{Note: func(text string) { c.host.Note("", text) }}
	if c.desk.servers != nil {
		opt.Servers = c.desk.servers()
	}
	c.interp = script.New(opt)
}

// ran takes in that a step is over.
func (c *console) ran(m *Model, msg ranMsg) tea.Cmd {
	j := msg.job
	cmd := c.told(m, c.host) // what it showed before it ended
	if c.running != j {
		return cmd
	}
	m.refresh() // while it is known who asked
	j.cancel()
	j.state, c.running = jobDone, nil
	switch {
	case errors.Is(msg.err, context.Canceled):
		j.say(c.desk.st.Warn, "stopped")
	case msg.err != nil && !c.toldOf(j):
		c.failed(m, j, words(msg.err))
	case msg.err == nil && len(j.said) == 0:
		text := "ok · " + took(c.desk.now().Sub(j.since))
		if raw, ok := c.interp.Value(j.step.Let); ok && j.step.Let != "" {
			text += " · $" + j.step.Let + " is " + size(int64(len(raw)))
		}
		j.say(c.desk.st.OK, text)
	}
	if msg.err != nil {
		if j.loud && m.focus != onConsole {
			m.fail(msg.err)
		}
		return tea.Batch(cmd, c.dropBatch(m, j))
	}
	if j.loud && m.focus != onConsole && m.context() != keys.InResult && m.notice == "" && len(j.said) > 0 {
		m.say(j.said[len(j.said)-1].text)
	}
	return tea.Batch(cmd, c.next(m))
}

// failed says why a line failed; what there is no room for, as a document.
func (c *console) failed(m *Model, j *job, why string) {
	j.fail(c.desk, why)
	w, h := m.talkSize()
	if last := &j.said[len(j.said)-1]; m.focus == onConsole && !j.shown && len(last.lines(w)) >= h {
		text := &doc{st: c.desk.st}
		text.text(c.desk.st.Error, "✗ "+why, 0)
		m.paper.lay(j.line, text, []byte(why))
		m.openPaper(m.paper, j)
	}
}

// toldOf reports whether a job's failure was said already.
func (c *console) toldOf(j *job) bool {
	for _, s := range j.said {
		if s.style == c.desk.st.Error {
			return true
		}
	}
	return false
}

// dropBatch gives up the rest of the paste that a failed job came with.
func (c *console) dropBatch(m *Model, j *job) tea.Cmd {
	left := c.queue[:0]
	dropped := 0
	for _, q := range c.queue {
		if j.batch != 0 && q.batch == j.batch {
			q.state = jobDone
			q.say(c.desk.st.Warn, "not run: a line before it failed")
			dropped++
			continue
		}
		left = append(left, q)
	}
	c.queue = left
	if dropped > 0 {
		m.say(count(dropped, "line was", "lines were") + " not run: one before failed; ↑ brings them back")
	}
	return c.next(m)
}

// stop ends what runs, and gives up what waits. It reports whether there was
// something.
func (c *console) stop(m *Model) bool {
	if c.running == nil {
		return false
	}
	for _, q := range c.queue {
		q.state = jobDone
		q.say(c.desk.st.Warn, "not run")
	}
	if n := len(c.queue); n > 0 {
		m.say(count(n, "line that waited was", "lines that waited were") + " not run; ↑ brings them back")
	}
	c.queue = nil
	c.running.cancel()
	return true
}

// inFlight is how many calls have no answer yet, on a connection that is open.
func (m *Model) inFlight() int {
	if m.desk.sess == nil || !m.desk.sess.Live() || m.desk.ended() != "" {
		return 0
	}
	return len(m.desk.state.Pending())
}
