package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	defaultGrace = 2 * time.Second
	// killTime is how long a killed process may take to be gone.
	killTime = 5 * time.Second
	// sweepPoll is the time after which is looked whether the rest of a group is
	// gone; it doubles up to ten times as much.
	sweepPoll = 5 * time.Millisecond
	// exitTime is how long a failed write waits for the exit that explains it.
	exitTime = 250 * time.Millisecond
)

// StdioOptions adjust a connection to a process. The zero value is usable.
type StdioOptions struct {
	Epoch int // the number of the connection in its session, for the event connected
	// Grace is how long a server may take to end after its input was closed,
	// and again after it was asked by SIGTERM. 0 means 2 s.
	Grace time.Duration
	Now   func() time.Time // the clock that stamps frames; nil means time.Now
}

// Stdio is a connection to a server over its standard streams
// (spec: basic/transports, stdio). Its methods may be called from several
// goroutines.
//
// Its first frame is the event connected, its last one the event exited. Ending
// it with Close or Kill before the server ends by itself is the event closed.
type Stdio struct {
	proc    Process
	command Command
	grace   time.Duration
	out     *sender
	stderr  tail

	asked     atomic.Bool // we closed its input, or more
	signalled atomic.Bool // we sent a signal
	told      atomic.Bool // the event closed was appended
	closing   sync.Once
	killing   sync.Once

	killed chan struct{} // Kill was called
	left   chan struct{} // the process has ended
	done   chan struct{} // and the event exited was appended
	gone   chan struct{} // and what it started has ended too
	stuck  chan struct{} // it does not end, whatever we do
	err    error         // set before done is closed
}

// StartStdio starts the command and connects to it. The server's process gets
// a session and process group of its own. Errors are of type [*StartError];
// nothing is appended then.
func StartStdio(cmd Command, sink Sink, opt StdioOptions) (*Stdio, error) {
	p, err := start(cmd)
	if err != nil {
		return nil, err
	}
	return Attach(p, cmd, sink, opt), nil
}

// Attach connects to a process that runs already. The command is what errors
// call it.
func Attach(p Process, cmd Command, sink Sink, opt StdioOptions) *Stdio {
	rec := newRecorder(sink, opt.Now)
	stdin, stdout, stderr := p.Pipes()
	s := &Stdio{
		proc: p, command: cmd, grace: opt.Grace, out: newSender(rec, stdin),
		killed: make(chan struct{}), left: make(chan struct{}), done: make(chan struct{}),
		gone: make(chan struct{}), stuck: make(chan struct{}),
	}
	if s.grace == 0 {
		s.grace = defaultGrace
	}
	s.out.event(ConnEvent{Event: EventConnected, Epoch: opt.Epoch, PID: p.PID()})
	streams := []*drain{{r: stdout}, {r: stderr}}
	readers := []*lineReader{
		{sink: sink, now: rec.now, kind: Message},
		{sink: sink, now: rec.now, kind: Stderr, tail: &s.stderr},
	}
	var reading sync.WaitGroup
	for i, r := range readers {
		reading.Go(func() {
			if err := r.run(streams[i]); err != nil && !errors.Is(err, io.ErrClosedPipe) && !s.over() {
				s.out.event(ConnEvent{Event: EventNotice, Text: "reading from the server: " + err.Error()})
			}
			_ = streams[i].r.Close()
		})
	}
	go s.watch(streams, &reading)
	return s
}

// watch waits for the process, then for its output, then for what it started.
func (s *Stdio) watch(streams []*drain, reading *sync.WaitGroup) {
	exit := s.proc.Wait()
	asked, signalled := s.asked.Load(), s.signalled.Load()
	close(s.left)
	for _, d := range streams {
		d.end()
	}
	reading.Wait()
	rest := s.proc.Alive()
	if rest {
		s.proc.Terminate()
	}
	e := ConnEvent{Event: EventExited, Signal: exit.Signal, Stderr: s.stderr.strings()}
	if exit.Signal == "" {
		e.Code = &exit.Code
	}
	if !asked || !signalled && exit != (Exit{}) {
		s.err = &ExitError{
			Command: s.command.told(), Code: exit.Code, Signal: exit.Signal, Stderr: e.Stderr,
			clean: s.command.CleanEnv,
		}
	}
	s.out.end(e)
	close(s.done)
	if rest {
		s.sweep()
	}
	s.proc.Release()
	close(s.gone)
}

// sweep ends what the process left behind and was asked to end.
func (s *Stdio) sweep() {
	s.poll(s.grace, s.killed)
	s.proc.Kill()
	s.poll(s.grace, nil)
}

// poll waits until nothing is left of the group, at most d, or until stop.
func (s *Stdio) poll(d time.Duration, stop <-chan struct{}) {
	limit := time.NewTimer(d)
	defer limit.Stop()
	for pause := sweepPoll; s.proc.Alive(); pause = min(2*pause, 10*sweepPoll) {
		select {
		case <-time.After(pause):
		case <-stop:
			return
		case <-limit.C:
			return
		}
	}
}

func (s *Stdio) over() bool { return isClosed(s.left) }

// Send appends the frame, then writes raw and a newline to the server's input.
// Raw may be any bytes; what is no JSON-RPC message is of kind Stray, as it is
// in the other direction. Frames go out whole and in the order of their
// numbers. While the server does not read, Send blocks, until Close or Kill.
//
// A write that fails is the event write-failed and an error: the [*ExitError]
// if that is why, else a [*SendError]. seq is the frame's number, 0 if the
// connection had ended before and nothing was appended.
func (s *Stdio) Send(raw []byte, by Origin, of uint64) (seq uint64, err error) {
	seq, err = s.out.send(raw, "", by, of)
	if err == nil {
		return seq, nil
	}
	if !errors.Is(err, ErrClosed) || !s.asked.Load() {
		moment := time.NewTimer(exitTime)
		defer moment.Stop()
		select {
		case <-s.done:
			if s.err != nil {
				return seq, s.err
			}
		case <-moment.C:
		}
	}
	if s.asked.Load() {
		return seq, ErrClosed
	}
	return seq, &SendError{Command: s.command.told(), Seq: seq, Err: err}
}

// CloseSend closes the server's input, which asks it to end; its output is
// read on. A frame that is being written is finished first, but not waited for.
func (s *Stdio) CloseSend() error {
	s.asked.Store(true)
	return s.out.closeSend()
}

// Close ends the connection in order: it closes the server's input, after the
// grace it sends SIGTERM to the server's process group, after another grace
// SIGKILL. When the server has ended, what it started and left behind is ended
// the same way. If ctx ends the whole group is killed at once.
//
// Close returns when all are gone and all output was appended; the error is not
// nil only if the server could not be ended. How the server ended is told by
// Err. Calling Close again waits for the same end.
func (s *Stdio) Close(ctx context.Context) error {
	s.closing.Do(func() {
		s.ask()
		go s.shutdown()
	})
	select {
	case <-s.gone:
		return nil
	case <-s.stuck:
	case <-ctx.Done():
		s.Kill()
		select {
		case <-s.gone:
			return nil
		case <-s.stuck:
		}
	}
	return fmt.Errorf("process %d does not end, not even when killed", s.PID())
}

// Kill ends the server and what it started at once. It does not wait.
func (s *Stdio) Kill() {
	s.killing.Do(func() {
		s.ask()
		s.signalled.Store(true)
		close(s.killed)
		s.proc.Kill()
		s.out.abort()
	})
}

// ask notes that the connection is ended by us.
func (s *Stdio) ask() {
	if !s.over() && !s.told.Swap(true) {
		s.out.event(ConnEvent{Event: EventClosed})
	}
	s.asked.Store(true)
}

// shutdown goes from asking to force.
func (s *Stdio) shutdown() {
	_ = s.out.closeSend()
	if !s.await(s.grace, s.killed) {
		s.signalled.Store(true)
		s.proc.Terminate()
		s.out.abort()
		if !s.await(s.grace, s.killed) {
			s.Kill()
		}
	}
	// Whoever kills gives the system time to do it.
	if !s.over() && !s.await(killTime, nil) {
		close(s.stuck)
	}
}

// await waits until the process has ended, at most d, or until stop, and
// reports whether shutdown is done with: the process has ended or was killed.
func (s *Stdio) await(d time.Duration, stop <-chan struct{}) bool {
	limit := time.NewTimer(d)
	defer limit.Stop()
	select {
	case <-s.left:
	case <-stop:
	case <-limit.C:
		return false
	}
	return true
}

// Done is closed after the event exited was appended.
func (s *Stdio) Done() <-chan struct{} { return s.done }

// Err says, after Done, how the server ended: nil if we asked it to end and it
// exited 0 or by our signal, otherwise an [*ExitError].
func (s *Stdio) Err() error {
	if !isClosed(s.done) {
		return nil
	}
	return s.err
}

// PID is the number of the server's process, 0 if it has none.
func (s *Stdio) PID() int { return s.proc.PID() }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
