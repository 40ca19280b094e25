package clienttest

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"parley/client/wire"
)

// ListenTCP serves a script over TCP on the loopback interface, until the end of the
// test, and returns the URL, "tcp://127.0.0.1:PORT". Every connection gets a run of
// its own. The test fails if the script is wrong or a client does not do what it says.
//
// Over a connection, the standard streams of a script are its two directions: eof is
// the client's end; exit, whatever its status, and signal end the connection. close stdout and close stdin shut down one direction. Standard error
// leads nowhere, and there are no grandchildren.
func ListenTCP(t testing.TB, script string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, script, l)
	return "tcp://" + l.Addr().String()
}

// ListenUnix is [ListenTCP] over a unix socket; the URL is "unix:///PATH".
func ListenUnix(t testing.TB, script string) (url string) {
	t.Helper()
	// The folders of tests have names that are too long for a socket.
	dir, err := os.MkdirTemp("", "parley")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, script, l)
	return "unix://" + filepath.ToSlash(path)
}

// serve runs the script on every connection that the listener accepts.
func serve(t testing.TB, text string, l net.Listener) {
	s := newServed(t, text, l)
	s.running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if !s.keep(conn) {
				return
			}
			go func() {
				defer s.drop(conn)
				_, err := s.script.run(&socket{conn: conn, over: s.over}, conn, conn, io.Discard)
				s.report(err)
			}()
		}
	})
}

// served is a script behind a listener.
type served struct {
	t       testing.TB
	script  *Script
	over    chan struct{} // the test is at its end
	running sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // nil at the end
	wrong []error
}

func newServed(t testing.TB, text string, l net.Listener) *served {
	t.Helper()
	script, err := ParseScript("script", []byte(text))
	if err != nil {
		_ = l.Close()
		t.Fatal(err)
	}
	s := &served{t: t, script: script, over: make(chan struct{}), conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		_ = l.Close()
		close(s.over)
		s.mu.Lock()
		for conn := range s.conns {
			_ = conn.Close()
		}
		s.conns = nil
		s.mu.Unlock()
		s.running.Wait()
		for _, err := range s.wrong {
			t.Error(err)
		}
	})
	return s
}

// keep notes a connection that the end of the test closes, and waits for; false if that
// has come. What is kept is to be dropped.
func (s *served) keep(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns == nil {
		_ = conn.Close()
		return false
	}
	s.conns[conn] = true
	s.running.Add(1)
	return true
}

func (s *served) drop(conn net.Conn) {
	defer s.running.Done()
	_ = conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
}

// report keeps what a client did wrong for the end of the test.
func (s *served) report(err error) {
	var m *mismatch
	if errors.As(err, &m) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.wrong = append(s.wrong, err)
	}
}

// socket is the host of a script behind a connection.
type socket struct {
	conn net.Conn
	over <-chan struct{}
}

func (s *socket) sleep(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-s.over:
		return errKilled
	}
}

func (s *socket) hang() error {
	<-s.over
	return errKilled
}

// signal ends the connection as that of a program that was killed.
func (s *socket) signal(name string) error {
	_ = s.conn.Close()
	return &ending{wire.Exit{Signal: "SIG" + name}}
}

func (s *socket) closeStream(name string) error {
	half, ok := s.conn.(interface {
		CloseRead() error
		CloseWrite() error
	})
	switch {
	case name == "stderr":
		return nil
	case !ok:
		return errors.New("close: this kind of connection has no halves")
	case name == "stdin":
		return half.CloseRead()
	}
	return half.CloseWrite()
}

func (*socket) grandchild(bool) error {
	return errors.New("fork-grandchild: a connection has no processes")
}

func (*socket) ignoreTerm()  {}
func (*socket) pid() int     { return 0 }
func (*socket) ready() error { return nil }
