package clienttest

import (
	"io"
	"sync"
	"sync/atomic"

	"parley/client/wire"
)

// pipeSize is how much a client can send that nobody reads, as with a process.
const pipeSize = 64 << 10

// Pipe runs server in a goroutine and returns a connection to it, which is the
// real one but for the process: r is the server's standard input, w its
// standard output. When server returns, it has exited with 0. It has to return
// when reading or writing fails, which happens when the client kills it.
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
	stdin          *buffer
	stdout, stderr *io.PipeReader
	out, err       *io.PipeWriter

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
	p := &process{stdin: newBuffer(), ended: make(chan struct{})}
	p.stdout, p.out = io.Pipe()
	p.stderr, p.err = io.Pipe()
	return p
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
	p.out.Close()
	p.err.Close()
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
	return p.stdin, p.stdout, p.stderr
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

// buffer is a pipe with room for pipeSize bytes. Waiting for it is durable in
// the sense of testing/synctest.
type buffer struct {
	mu      sync.Mutex
	moved   *sync.Cond
	data    []byte
	closed  bool // by the writer
	stopped bool // by the reader
}

func newBuffer() *buffer {
	b := &buffer{}
	b.moved = sync.NewCond(&b.mu)
	return b
}

func (b *buffer) Write(p []byte) (n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(p) > 0 {
		for len(b.data) == pipeSize && !b.stopped && !b.closed {
			b.moved.Wait()
		}
		if b.stopped || b.closed {
			return n, io.ErrClosedPipe
		}
		k := min(len(p), pipeSize-len(b.data))
		b.data = append(b.data, p[:k]...)
		p, n = p[k:], n+k
		b.moved.Broadcast()
	}
	return n, nil
}

func (b *buffer) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.data) == 0 && !b.stopped && !b.closed {
		b.moved.Wait()
	}
	if b.stopped {
		return 0, io.ErrClosedPipe
	}
	if len(b.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.data)
	b.data = append(b.data[:0], b.data[n:]...)
	b.moved.Broadcast()
	return n, nil
}

// Close is the writer's.
func (b *buffer) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.moved.Broadcast()
	return nil
}

// stop is the reader's close: writing fails from now on.
func (b *buffer) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
	b.moved.Broadcast()
}
