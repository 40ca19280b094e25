package clienttest

import (
	"io"
	"sync"
	"sync/atomic"

	"parley/client/wire"
)

// Pipe runs server in a goroutine and returns a connection to it, which is the
// real one but for the process: r is the server's standard input, w its
// standard output. A write returns when the sink has what was written, so that
// the order of frames follows from what the server does. When server returns, it
// has exited with 0. It has to return when reading or writing fails, which
// happens when the client kills it.
func Pipe(server func(r io.Reader, w io.Writer), sink wire.Sink, epoch int) *wire.Stdio {
	p := newProcess()
	go func() {
		server(p.stdin, p.out)
		p.end(wire.Exit{})
	}()
	return p.attach(sink, epoch)
}

// process is a wire.Process that is none.
type process struct {
	stdin    *buffer
	out, err *handover

	once  sync.Once
	exit  wire.Exit
	ended chan struct{}

	ignoresTerm atomic.Bool
	child       atomic.Int32 // what holds the pipes after the end
}

const (
	noChild int32 = iota
	child
	stubbornChild
)

func newProcess() *process {
	return &process{stdin: newBuffer(), out: newHandover(), err: newHandover(), ended: make(chan struct{})}
}

func (p *process) attach(sink wire.Sink, epoch int) *wire.Stdio {
	return wire.Attach(p, wire.Command{Args: []string{"test-server"}}, sink, wire.StdioOptions{Epoch: epoch})
}

// end ends the process; only the first call counts.
func (p *process) end(exit wire.Exit) {
	p.once.Do(func() {
		p.exit = exit
		close(p.ended)
		if p.child.Load() == noChild {
			p.closePipes()
		}
	})
}

func (p *process) closePipes() {
	p.stdin.stop()
	p.out.end()
	p.err.end()
}

// endChild ends what the process left behind, if anything.
func (p *process) endChild() {
	if p.child.Swap(noChild) != noChild && !p.running() {
		p.closePipes()
	}
}

func (p *process) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

func (p *process) PID() int { return 0 }

func (p *process) Pipes() (io.WriteCloser, io.ReadCloser, io.ReadCloser) {
	return p.stdin, p.out, p.err
}

func (p *process) Wait() wire.Exit {
	<-p.ended
	return p.exit
}

func (p *process) Terminate() {
	if !p.ignoresTerm.Load() {
		p.end(wire.Exit{Signal: "SIGTERM"})
	}
	if p.child.Load() == child {
		p.endChild()
	}
}

func (p *process) Kill() {
	p.end(wire.Exit{Signal: "SIGKILL"})
	p.endChild()
}

func (p *process) Alive() bool { return p.child.Load() != noChild }
func (p *process) Release()    {}
