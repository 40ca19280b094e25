package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"parley/client/wire"
	"parley/history"
)

func (a *app) rawCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "raw [flags] TARGET",
		Short: "standard input to the server, the server to standard output, byte for byte",
		Long: `Send standard input to the server line by line, exactly as it is, and print
what the server says, exactly as it is. No handshake, nothing added but a newline
after a last line that has none.

  echo '{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{}}' | parley raw node server.js

When standard input ends the server's is closed too. Its output is relayed until
it exits, or until every request seen is answered and a short time has passed; a
request in flight is waited for until --timeout. The exit code is the server's
own when it exits by itself.`,
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
	open    map[wire.Ref]bool // requests of ours without an answer
	settled chan struct{}     // told when open may have become empty
	broken  error             // standard output cannot be written any more
}

// Append implements [wire.Sink].
func (s *relaySink) Append(frames []wire.Frame) uint64 {
	first := s.log.Append(frames)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range frames {
		s.relay(&frames[i])
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
		w = s.out
	default:
		return
	}
	line := f.Raw
	if !f.More {
		switch f.EOL {
		case wire.EOLLF:
			line = append(append(make([]byte, 0, len(line)+1), line...), '\n')
		case wire.EOLCRLF:
			line = append(append(make([]byte, 0, len(line)+2), line...), '\r', '\n')
		case wire.EOLNone:
		}
	}
	if _, err := w.Write(line); err != nil && f.Kind != wire.Stderr {
		s.broken = err
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
			s.open[ref] = true
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

func (s *relaySink) state() (open int, broken error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open), s.broken
}

func (a *app) raw(words []string, forced bool) error {
	t, err := a.target(words, forced)
	if err != nil {
		return err
	}
	log, err := a.newLog(t)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	sink := &relaySink{log: log, out: a.io.Out, err: a.io.Err, open: map[wire.Ref]bool{}, settled: make(chan struct{}, 1)}
	conn, err := wire.StartStdio(t.command, sink, wire.StdioOptions{Epoch: 1, Grace: grace})
	if err != nil {
		return err
	}
	fed := make(chan error, 1)
	go func() { fed <- feed(conn, a.io.In) }()
	ours := a.relayUntilDone(conn, sink, fed)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), 4*grace)
	defer cancel()
	closeErr := conn.Close(ctx)
	if ours != nil {
		return ours
	}
	if err := conn.Err(); err != nil {
		closeErr = err
	}
	var ended *wire.ExitError
	if errors.As(closeErr, &ended) && ended.Signal == "" {
		return silent(ended.Code)
	}
	return nil
}

// feed sends standard input line by line and closes the server's at its end.
func feed(conn *wire.Stdio, in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if n := len(line); n > 0 {
			if line[n-1] == '\n' {
				line = line[:n-1]
			}
			if _, err := conn.Send(line, wire.ByConsole, 0); err != nil {
				return err
			}
		}
		if err != nil {
			return conn.CloseSend()
		}
	}
}

// relayUntilDone returns when the server has exited (nil: its exit code counts),
// when everything was answered after the end of our input, or with the reason
// why we stop waiting.
func (a *app) relayUntilDone(conn *wire.Stdio, sink *relaySink, fed <-chan error) error {
	var quiet <-chan time.Time    // runs after all was answered
	var patience <-chan time.Time // runs after the end of input
	ended := false
	for {
		open, broken := sink.state()
		switch {
		case broken != nil:
			return nil // nobody reads us, as in: parley raw … | head -1
		case ended && open == 0:
			quiet = time.After(grace)
		default:
			quiet = nil
		}
		select {
		case <-conn.Done():
			return nil
		case <-a.ctx.Done():
			return context.Cause(a.ctx)
		case <-fed:
			ended, fed = true, nil
			patience = time.After(a.timeout)
		case <-sink.settled:
		case <-quiet:
			return silent(exitFine)
		case <-patience:
			return &failure{word: "timeout", message: "no answer after " + a.timeout.String() + " to a request that was sent", hint: "--timeout waits longer"}
		}
	}
}
