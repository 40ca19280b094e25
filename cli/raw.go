package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"parley/client"
	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

func (a *app) rawCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "raw [flags] TARGET",
		Short: "relay standard input and output, byte for byte",
		Long: `Send standard input to the server line by line, exactly as it is, and print
what the server says, exactly as it is. No handshake, nothing added but a newline
after a last line that has none. Over HTTP each line is a POST of its own and each
message that comes back, in whatever way, a line.

  echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | parley raw node server.js
  parley raw -v https://example.com/mcp < messages.jsonl

When standard input ends the server's is closed too. Its output is relayed until
it exits, or until every request seen is answered and a short time has passed; a
request in flight is waited for until --timeout. The exit code is the server's
own when it exits by itself; that of a URL is 0, or that of the first request that
could not be answered.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.raw(args, cmd.ArgsLenAtDash() == 0) },
	}
	c.Flags().SetInterspersed(false)
	return c
}

// relaySink keeps every frame and passes the server's output on.
type relaySink struct {
	log      *history.Log
	out, err io.Writer

	mu      sync.Mutex
	matcher wire.Matcher
	open    map[wire.Ref]string // requests of ours without an answer, by what they are
	settled chan struct{}       // told when open may have become empty
	broken  error               // standard output cannot be written any more
	failed  error               // why the first request that has no answer has none
	tell    func(error)         // says why another has none
	ended   bool                // our input has ended
	watched *verbose            // shows what is no message; nil where that is not wanted
}

// Lost implements [wire.LossSink].
func (s *relaySink) Lost(seq uint64, err error) {
	s.unsent(seq)
	s.failure(err)
	select {
	case s.settled <- struct{}{}:
	default:
	}
}

// failure keeps the first failure and tells all of them.
func (s *relaySink) failure(err error) {
	s.mu.Lock()
	first := s.failed == nil
	if first {
		s.failed = err
	}
	s.mu.Unlock()
	if !first {
		s.tell(err)
	}
}

// Append implements [wire.Sink].
func (s *relaySink) Append(frames []wire.Frame) uint64 {
	continued := make([]bool, len(frames))
	for i := range frames {
		continued[i] = frames[i].Seq != 0
	}
	first := s.log.Append(frames)
	// What a call brings is of one stream. It is written without the lock: while
	// nobody reads our standard output, standard error goes on.
	for i := range frames {
		s.relay(&frames[i])
		if k := frames[i].Kind; s.watched != nil && (k == wire.HTTP || k == wire.Event) {
			s.watched.showFrame(&frames[i], continued[i])
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range frames {
		s.observe(&frames[i])
	}
	select {
	case s.settled <- struct{}{}:
	default:
	}
	return first
}

func (s *relaySink) relay(f *wire.Frame) {
	var w io.Writer
	switch {
	case f.Kind == wire.Stderr:
		w = s.err
	case f.Dir == wire.In && (f.Kind == wire.Message || f.Kind == wire.Stray):
		if _, broken := s.state(); broken {
			return
		}
		w = s.out
	default:
		return
	}
	line := f.Raw
	if n := len(line); !f.More && (n == 0 || line[n-1] != '\n') { // a body may have one itself
		switch f.EOL {
		case wire.EOLLF:
			line = append(append(make([]byte, 0, len(line)+1), line...), '\n')
		case wire.EOLCRLF:
			line = append(append(make([]byte, 0, len(line)+2), line...), '\r', '\n')
		case wire.EOLNone:
		}
	}
	if _, err := w.Write(line); err != nil && f.Kind != wire.Stderr {
		s.mu.Lock()
		s.broken = err
		s.mu.Unlock()
	}
}

func (s *relaySink) observe(f *wire.Frame) {
	if f.Kind != wire.Message || f.More {
		return
	}
	each := func(ref wire.Ref, h *wire.Head) {
		m := s.matcher.Apply(ref, f.Dir, h)
		switch {
		case f.Dir == wire.Out && h.Form == wire.Request:
			s.open[ref] = strings.TrimSpace(h.Method+" "+h.Name) + ", id " + h.ID.String()
		case f.Dir == wire.In && h.Form.IsResponse():
			delete(s.open, m.Request)
		}
	}
	if f.Head.Form == wire.Batch {
		for i := range f.Head.Members {
			each(wire.Ref{Seq: f.Seq, Member: int32(i + 1)}, &f.Head.Members[i])
		}
		return
	}
	each(wire.Ref{Seq: f.Seq}, &f.Head)
}

// unsent takes note that a frame could not be written.
func (s *relaySink) unsent(seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ref := range s.open {
		if ref.Seq == seq {
			delete(s.open, ref)
		}
	}
}

// waiting gives the requests without an answer, the oldest first.
func (s *relaySink) waiting() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	refs := slices.SortedFunc(maps.Keys(s.open), func(a, b wire.Ref) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Member, b.Member))
	})
	var open []string
	for _, ref := range refs {
		open = append(open, s.open[ref])
	}
	return open
}

func (s *relaySink) state() (open int, broken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open), s.broken != nil
}

// over reports whether our input has ended.
func (s *relaySink) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

func (a *app) raw(words []string, forced bool) error {
	t, err := a.target(words, forced)
	if err == nil {
		err = a.checkTimeout()
	}
	if err == nil {
		err = t.ready()
	}
	if err != nil {
		return err
	}
	a.warn(&t)
	log, err := a.newLog(t)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	sink := &relaySink{log: log, out: a.io.Out, err: a.io.Err, open: map[wire.Ref]string{}, settled: make(chan struct{}, 1)}
	sink.tell = func(err error) { a.note("%s", theme.Safe(err.Error())) }
	if a.verbose && t.remote != nil {
		sink.watched = &verbose{app: a}
	}
	conn, err := t.dial(a.ctx, sink, 1, grace)
	if err != nil {
		return withEvidence(err, log)
	}
	fed := make(chan error, 1)
	go func() { fed <- sink.feed(conn, a.io.In) }()
	why := a.relayUntilDone(conn, sink, fed)
	open, _ := sink.state()
	said := sink.over() && open == 0
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), 4*grace)
	defer cancel()
	if err := conn.Close(ctx); why == nil {
		why = err
	}
	if cause := log.Err(); cause != nil {
		a.note("the session file is not complete: %v", cause)
	}
	if why != nil {
		return why
	}
	if sink.failed != nil {
		return withEvidence(sink.failed, log)
	}
	if t.remote != nil && said {
		return nil // whoever ended it
	}
	if t.remote != nil && open > 0 && conn.Err() == nil && a.ctx.Err() == nil {
		return &failure{word: "disconnected", message: fmt.Sprintf("%s ended the connection before it answered %s", &t, sink.waiting()[0]),
			hint: "what it sent until then is above; parley show last prints all of it"}
	}
	if end := endOf(conn.Err()); end != nil && t.remote != nil {
		return &advised{conn.Err(), withoutRestart(hint(end))}
	}
	return ownExit(conn.Err())
}

// ownExit is the server's exit code as ours. Its words on standard error were
// passed on already.
func ownExit(err error) error {
	var ended *wire.ExitError
	switch {
	case !errors.As(err, &ended):
		return err
	case ended.Signal == "":
		return silent(ended.Code)
	}
	killed := *ended
	killed.Stderr = nil
	return &killed
}

// feed sends standard input line by line and closes the server's at its end. A
// server that takes no more lines ends it; one that refused a line may take others.
func (s *relaySink) feed(conn client.Conn, in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if n := len(line); n > 0 {
			if line[n-1] == '\n' {
				line = line[:n-1]
			}
			var refused *wire.SendError
			switch _, err := conn.Send(line, wire.ByConsole, 0); {
			case err == nil:
			case errors.As(err, &refused), gone(conn):
				return err
			default:
				s.failure(err)
			}
		}
		if err != nil {
			s.mu.Lock()
			s.ended = true
			s.mu.Unlock()
			return conn.CloseSend()
		}
	}
}

// gone reports whether a connection has ended.
func gone(conn client.Conn) bool {
	select {
	case <-conn.Done():
		return true
	default:
		return false
	}
}

// relayUntilDone returns when the server has exited, when everything was
// answered after the end of our input, when nobody reads our output, or with the
// reason why we stop waiting.
func (a *app) relayUntilDone(conn client.Conn, sink *relaySink, fed <-chan error) error {
	var quiet <-chan time.Time    // runs once all was answered
	var patience <-chan time.Time // runs after the end of input
	ended := false
	for {
		open, broken := sink.state()
		switch {
		case broken:
			return nil
		case ended && open == 0 && quiet == nil:
			quiet, patience = time.After(grace), nil
		}
		select {
		case <-conn.Done():
			return nil
		case <-a.ctx.Done():
			return context.Cause(a.ctx)
		case err := <-fed:
			a.unsent(sink, err)
			ended, fed = true, nil
			patience = time.After(a.timeout)
		case <-sink.settled:
		case <-quiet:
			return nil
		case <-patience:
			if err := a.noAnswer(sink); err != nil {
				return err
			}
		}
	}
}

// unsent says that the server closed its input before it had everything.
func (a *app) unsent(sink *relaySink, err error) {
	var refused *wire.SendError
	if errors.As(err, &refused) {
		sink.unsent(refused.Seq)
		a.note("%s", theme.Safe(refused.Error()))
	}
}

// noAnswer says what is still waited for; nil if the last answer has just come.
func (a *app) noAnswer(sink *relaySink) error {
	open, more := sink.waiting(), ""
	switch n := len(open); {
	case n == 0:
		return nil
	case n > 1:
		more = fmt.Sprintf(" and %d more", n-1)
	}
	return &failure{word: "timeout", message: fmt.Sprintf("no answer to %s%s after %s", open[0], more, a.timeout), hint: "--timeout waits longer"}
}
