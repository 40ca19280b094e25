package cli_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/cli"
)

// tracked is a listener whose connections can be ended so that it is known when the
// client has noticed.
type tracked struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func (l *tracked) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.mu.Lock()
		l.conns = append(l.conns, conn)
		l.mu.Unlock()
	}
	return conn, err
}

// end stops listening, says goodbye on each connection and waits until the client has
// gone, too.
func (l *tracked) end(t *testing.T) {
	t.Helper()
	_ = l.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, conn := range l.conns {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.CloseWrite()
		}
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		_, _ = io.Copy(io.Discard, conn)
		_ = conn.Close()
	}
}

// steps is a standard input whose next line comes when what is to happen before it is
// done.
type steps struct {
	lines  []string
	before func(line int)
	n      int
}

func (s *steps) Read(p []byte) (int, error) {
	if s.n == len(s.lines) {
		return 0, io.EOF
	}
	s.before(s.n)
	s.n++
	return copy(p, s.lines[s.n-1]+"\n"), nil
}

// A server that is restarted between two lines is spoken to again, on the same
// connection of parley's; one with sessions is initialized anew.
func TestServerRestartedBetweenCalls(t *testing.T) {
	for name, c := range map[string]struct {
		session, modern, stream bool
		notes                   []string
	}{
		"without sessions":  {},
		"modern":            {modern: true},
		"with sessions":     {session: true, notes: []string{"parley: the server does not know the session any more: initialize is sent again"}},
		"with a GET stream": {session: true, stream: true, notes: []string{"parley: the server does not know the session any more: initialize is sent again"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
				t.Setenv(name, dir)
			}
			var peers []*peer
			var now *tracked
			start := func(address string) {
				l, err := net.Listen("tcp", address)
				if err != nil {
					t.Fatal(err)
				}
				p := &peer{t: t, on: map[string]func(*visit){}, over: make(chan struct{}), modern: c.modern}
				if c.session {
					p.session = secret + strings.Repeat("x", len(peers))
				}
				if c.stream {
					p.on["GET"] = func(v *visit) {
						if v.Request.Header.Get("Mcp-Session-Id") != p.session {
							v.well()
							return
						}
						v.stream(": open\n\n")
						v.hang()
					}
				}
				peers = append(peers, p)
				now = &tracked{Listener: l}
				server := &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
				go func(l net.Listener) { _ = server.Serve(l) }(now)
				t.Cleanup(func() {
					p.end()
					_ = server.Close()
				})
			}
			start("127.0.0.1:0")
			address := now.Addr().String()
			in := &steps{lines: []string{"call add a=1", "call add a=2", "echo still here"}, before: func(line int) {
				if line == 1 {
					peers[0].end()
					now.end(t)
					start(address)
				}
			}}
			var out, errs bytes.Buffer
			code := cli.Main(t.Context(), []string{"repl", "--url", "http://" + address + "/mcp"}, cli.Streams{In: in, Out: &out, Err: &errs})
			if code != 0 || strings.Count(out.String(), "done") != 2 || !strings.Contains(out.String(), "still here") {
				t.Errorf("exits %d: %s%s", code, out.String(), errs.String())
			}
			var said []string
			for line := range strings.Lines(errs.String()) {
				if !strings.HasPrefix(line, "· GET") { // told if it is in time
					said = append(said, strings.TrimSpace(line))
				}
			}
			if !slices.Equal(said, c.notes) {
				t.Errorf("says %q, want %q", said, c.notes)
			}
			for i, p := range peers {
				if n := len(p.got("tools/call")); n != 1 && !(i == 1 && c.session && n == 2) {
					t.Errorf("the server was asked %d times in its life %d", n, i+1)
				}
			}
		})
	}
}
