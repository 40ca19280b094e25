package e2e

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// bridge serves a command that speaks over its standard streams over another
// transport: each connection has a process of its own.
type bridge struct {
	command []string
	env     []string
	running sync.WaitGroup
}

// start runs the command between in and out until in ends.
func (b *bridge) start(ctx context.Context, in io.Reader, out io.Writer) error {
	cmd := exec.CommandContext(ctx, b.command[0], b.command[1:]...)
	cmd.Env = append(os.Environ(), b.env...)
	cmd.Stdin, cmd.Stdout = in, out
	cmd.WaitDelay = time.Second
	return cmd.Run()
}

// listen serves line by line on a TCP or unix socket and gives its URL.
func (b *bridge) listen(t *testing.T, network string) string {
	t.Helper()
	address, scheme := "127.0.0.1:0", "tcp://"
	if network == "unix" {
		dir, err := os.MkdirTemp("", "parley") // the name of a socket has to be short
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		address, scheme = filepath.Join(dir, "s"), "unix://"
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = l.Close()
		b.running.Wait()
	})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			b.running.Go(func() {
				_ = b.start(t.Context(), conn, conn)
				_ = conn.Close()
			})
		}
	}()
	return scheme + l.Addr().String()
}

// webSocket serves over WebSocket, a message a line, and gives its URL.
func (b *bridge) webSocket(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"mcp"}})
		if err != nil {
			return
		}
		conn.SetReadLimit(-1)
		b.running.Add(1)
		defer b.running.Done()
		b.relay(r.Context(), conn)
	}))
	t.Cleanup(func() {
		s.Close()
		b.running.Wait()
	})
	return strings.Replace(s.URL, "http://", "ws://", 1) + "/mcp"
}

func (b *bridge) relay(ctx context.Context, conn *websocket.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	fromPeer, toServer := io.Pipe()
	fromServer, toPeer := io.Pipe()
	go func() {
		defer func() { _ = toServer.Close() }()
		for {
			_, message, err := conn.Read(ctx)
			if err != nil {
				return
			}
			if _, err := toServer.Write(append(message, '\n')); err != nil {
				return
			}
		}
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		lines := bufio.NewReader(fromServer)
		for {
			line, err := lines.ReadString('\n')
			if line = strings.TrimSuffix(line, "\n"); line != "" {
				if conn.Write(ctx, websocket.MessageText, []byte(line)) != nil {
					cancel()
				}
			}
			if err != nil {
				return
			}
		}
	}()
	_ = b.start(ctx, fromPeer, toPeer)
	_ = fromPeer.Close()
	_ = toPeer.Close()
	<-done
	_ = conn.Close(websocket.StatusNormalClosure, "")
}
