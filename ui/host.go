package ui

import (
	"context"
	"io"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"parley/script"
)

// host is the screen as the program that the console's lines run in. A step
// runs in a goroutine of its own and only leaves here what it has to tell; the
// screen takes it in its own time.
type host struct {
	open func(ctx context.Context, words []string, settings *script.Settings) (*Session, error)

	mu     sync.Mutex
	sess   *Session
	made   []*Session // that were opened from here
	events []any
	news   chan struct{}
	stop   context.CancelFunc // of the step that runs
}

// What a host tells, in order: an outcome, a note, and these.
type (
	hostNote       struct{ level, text string }
	sessionOpening struct { // it takes the place of the one that shows
		sess *Session
		stop context.CancelFunc
	}
	sessionOpened struct {
		sess *Session
		err  error
	}
)

func newHost(open func(context.Context, []string, *script.Settings) (*Session, error), s *Session) *host {
	return &host{open: open, sess: s, news: make(chan struct{}, 1)}
}

func (h *host) begin(stop context.CancelFunc) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stop = stop
}

// session is the one that lines run on now.
func (h *host) session() *Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sess
}

// end ends every session that was opened from here, shown or not.
func (h *host) end(ctx context.Context) {
	h.mu.Lock()
	made := h.made
	h.mu.Unlock()
	for _, s := range made {
		s.End(ctx)
	}
}

// tell leaves something for the screen.
func (h *host) tell(event any) {
	h.mu.Lock()
	h.events = append(h.events, event)
	h.mu.Unlock()
	select {
	case h.news <- struct{}{}:
	default:
	}
}

// take gives what was left.
func (h *host) take() []any {
	h.mu.Lock()
	defer h.mu.Unlock()
	events := h.events
	h.events = nil
	return events
}

// listen waits for something to take, until the step is over.
func (h *host) listen(over <-chan struct{}) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-h.news:
			return hostMsg{h}
		case <-over:
			return nil
		}
	}
}

// Connect implements [script.Host]: another server's session takes the place of
// the one that shows.
func (h *host) Connect(ctx context.Context, words []string, settings *script.Settings) (*script.Link, error) {
	if len(words) == 0 {
		return h.again(ctx)
	}
	if h.open == nil {
		return nil, errNoOther
	}
	s, err := h.open(ctx, words, settings)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	h.sess, h.made = s, append(h.made, s)
	stop := h.stop
	h.mu.Unlock()
	h.tell(sessionOpening{s, stop})
	err = s.Client.Connect(ctx)
	h.tell(sessionOpened{s, err})
	if err != nil {
		return nil, err
	}
	return &script.Link{Client: s.Client, Log: s.Log}, nil
}

// again connects the session that shows once more.
func (h *host) again(ctx context.Context) (*script.Link, error) {
	s := h.session()
	switch {
	case s == nil:
		return nil, errNoTarget
	case !s.Live():
		return nil, errRecorded
	}
	if err := s.Client.Restart(ctx); err != nil {
		return nil, err
	}
	return &script.Link{Client: s.Client, Log: s.Log}, nil
}

// Show implements [script.Host].
func (h *host) Show(o *script.Outcome) error {
	h.tell(o)
	return nil
}

// Note implements [script.Host].
func (h *host) Note(level, text string) { h.tell(hostNote{level, text}) }

// Stdin implements [script.Host]: there is nothing to read.
func (h *host) Stdin() io.Reader { return strings.NewReader("") }

// hostError is what a line cannot do here.
type hostError struct{ text, hint string }

func (e *hostError) Error() string { return e.text }
func (e *hostError) Hint() string  { return e.hint }
func (e *hostError) Word() string  { return "usage" }

var (
	errNoOther  = &hostError{"no other server can be reached from here", "leave, and begin with parley TARGET"}
	errNoTarget = &hostError{"there is no session yet", "connect NAME goes to a configured server, connect COMMAND … starts one"}
	errRecorded = &hostError{"this is a recorded session: nothing can be sent", "connect NAME goes to a configured server"}
)
