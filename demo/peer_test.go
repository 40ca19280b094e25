package demo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// peer is a client of a server in memory that sees every line.
type peer struct {
	t      *testing.T
	in     *io.PipeWriter
	lines  chan string
	ended  chan error
	stderr *safeBuffer
}

// start runs a server until the end of the test.
func start(t *testing.T, opt Options) *peer {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, in: inW, lines: make(chan string, 10000), ended: make(chan error, 1), stderr: &safeBuffer{}}
	go func() {
		err := Serve(context.Background(), inR, outW, p.stderr, opt)
		_ = inR.Close()
		_ = outW.Close()
		p.ended <- err
	}()
	go func() {
		defer close(p.lines)
		for r := bufio.NewReader(outR); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			p.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		for range p.lines { // what is left may be waited for
		}
	})
	return p
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(p.in, l+"\n"); err != nil {
			p.t.Fatalf("sending %s: %v", l, err)
		}
	}
}

// next returns the next line of the server.
func (p *peer) next() string {
	p.t.Helper()
	line, ok := <-p.lines
	if !ok {
		p.t.Fatal("the server ended instead of saying something")
	}
	return line
}

func (p *peer) expect(want ...string) {
	p.t.Helper()
	for _, w := range want {
		if got := p.next(); got != w {
			p.t.Fatalf("the server said\n%s\nwant\n%s", got, w)
		}
	}
}

// ask sends a line and returns the next one of the server.
func (p *peer) ask(line string) string {
	p.t.Helper()
	p.send(line)
	return p.next()
}

// end closes the input and returns what Serve returned and what it still said.
func (p *peer) end() (rest []string, err error) {
	_ = p.in.Close()
	for l := range p.lines {
		rest = append(rest, l)
	}
	return rest, <-p.ended
}

const handshake = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"sampling":{},"roots":{}},"clientInfo":{"name":"test","version":"1"}}}`

// shake does the handshake.
func (p *peer) shake() {
	p.t.Helper()
	if got := p.ask(handshake); !strings.Contains(got, `"id":0,"result"`) {
		p.t.Fatalf("initialize: %s", got)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func fixedTime() time.Time { return time.Date(2025, 11, 25, 9, 38, 50, 0, time.UTC) }

// serveAs makes the test binary the server of that world instead.
const serveAs = "PARLEY_TEST_SERVE_AS"

func TestMain(m *testing.M) {
	as := os.Getenv(serveAs)
	if as == "" {
		os.Exit(m.Run())
	}
	err := Serve(context.Background(), os.Stdin, os.Stdout, os.Stderr, Options{As: as})
	var exit *Exit
	if errors.As(err, &exit) {
		exit.End()
	}
	if err != nil {
		os.Exit(1)
	}
}

// process is this test binary as a server.
func process(t *testing.T, as string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), serveAs+"="+as, "GORACE=atexit_sleep_ms=0")
	return c
}
