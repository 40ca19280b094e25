package wire_test

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/client/clienttest"
	"parley/client/wire"
)

func TestAddressesOfStreams(t *testing.T) {
	for _, c := range []struct{ url, network, address, wrong string }{
		{"tcp://localhost:4000", "tcp", "localhost:4000", ""},
		{"TCP://localhost:4000/", "tcp", "localhost:4000", ""},
		{"tcp://[::1]:1", "tcp", "[::1]:1", ""},
		{"tcp://:65535", "tcp", ":65535", ""},
		{"unix:///tmp/a%20b.sock", "unix", "/tmp/a b.sock", ""},
		{"unix:./a%zz", "unix", "./a%zz", ""},
		{"unix:@name", "unix", "@name", ""},
		{"tcp://localhost", "", "", "it has no port"},
		{"tcp://localhost:", "", "", "it has no port"},
		{"tcp://localhost:x", "", "", `its port is "x"`},
		{"tcp://localhost:0", "", "", `its port is "0"`},
		{"tcp://localhost:70000", "", "", "from 1 to 65535"},
		{"tcp://::1:80", "", "", "brackets"},
		{"tcp://localhost:80/path", "", "", "nothing but a host and a port"},
		{"tcp://me@localhost:80", "", "", "nothing but a host and a port"},
		{"unix://", "", "", "it names no file"},
		{"udp://localhost:80", "", "", "neither tcp nor unix"},
	} {
		network, address, err := wire.StreamAddress(c.url)
		if c.wrong == "" {
			if err != nil || network != c.network || address != c.address {
				t.Errorf("%s: %s %s, %v", c.url, network, address, err)
			}
			continue
		}
		var wrong *wire.AddressError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.wrong) || wrong.Hint() == "" || wrong.Word() != "usage" {
			t.Errorf("%s: error %v, want %q in it", c.url, err, c.wrong)
		}
	}
}

// refused is the error of a connection that does not come about; nothing may have been
// appended then.
func refused(t *testing.T, url string) error {
	t.Helper()
	log := &clienttest.Log{}
	_, err := open(t.Context(), url, log)
	if err == nil {
		t.Fatalf("%s: connected", url)
	}
	if n := len(log.Frames()); n > 0 {
		t.Errorf("%s: %d frames were appended:\n%s", url, n, log)
	}
	return err
}

// nobody is the address of a port on which nobody listens any more.
func nobody(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func TestServersThatCannotBeReached(t *testing.T) {
	for _, scheme := range []string{"tcp://", "ws://", "wss://"} {
		for _, host := range []string{nobody(t), "server.invalid:80"} {
			err := refused(t, scheme+host)
			var e *wire.NetError
			if !errors.As(err, &e) || e.Word() != "unreachable" || e.URL != scheme+host {
				t.Errorf("%s%s: %T %v", scheme, host, err, err)
			}
		}
	}
	ctx, stop := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	stop(reason)
	for _, url := range []string{"tcp://" + nobody(t), "ws://" + nobody(t), "unix:" + t.TempDir() + "/s"} {
		if _, err := open(ctx, url, &clienttest.Log{}); !errors.Is(err, reason) {
			t.Errorf("%s: error %v", url, err)
		}
	}
}

func TestUnixSocketsThatCannotBeConnectedTo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other words for these errors")
	}
	dir, err := os.MkdirTemp("", "parley")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: at("left"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	datagrams, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: at("datagrams"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = datagrams.Close() })
	abstract := "no program listens on an abstract socket"
	if runtime.GOOS != "linux" {
		abstract = "abstract sockets exist on Linux only"
	}
	for _, c := range []struct{ path, want, hint string }{
		{at("missing"), "there is no such file", "start the server first"},
		{at("no/s"), "there is no folder " + at("no"), "start the server first"},
		{at("file"), "it is a regular file, not a socket", "give the path"},
		{dir, "it is a folder, not a socket", "give the path"},
		{at("left"), "nobody listens on it", "has ended"},
		{at("datagrams"), "a socket for datagrams", "stream socket"},
		{at(strings.Repeat("x", 200)), "bytes, too many for a socket", "shorter"},
		{"@parley-nobody", abstract, ""},
	} {
		err := refused(t, "unix:"+c.path)
		var e *wire.SocketError
		if !errors.As(err, &e) || !strings.Contains(e.Error(), c.want) || !strings.Contains(e.Hint(), c.hint) || e.Hint() == "" || e.Word() != "unreachable" || e.Err == nil {
			t.Errorf("%s: %T %v (%s), want %q", c.path, err, err, e.Hint(), c.want)
		}
	}
	if err := refused(t, "unix:"+at("missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if os.Geteuid() == 0 {
		return // root may connect to every socket
	}
	closed := at("closed")
	if err := os.Mkdir(closed, 0); err != nil {
		t.Fatal(err)
	}
	if err := refused(t, "unix:"+closed+"/s"); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("error %v", err)
	}
}

// serveTCP runs a function on the one connection that is made to the URL.
func serveTCP(t *testing.T, serve func(conn *net.TCPConn)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		serve(conn.(*net.TCPConn))
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return "tcp://" + l.Addr().String()
}

func TestAConnectionThatIsReset(t *testing.T) {
	c := dial(t, serveTCP(t, func(conn *net.TCPConn) {
		_, _ = bufio.NewReader(conn).ReadString('\n')
		_ = conn.SetLinger(0)
	}))
	c.send(request)
	d := c.disconnected()
	if runtime.GOOS != "windows" && (d.Err == nil || !strings.HasSuffix(d.Error(), "reset the connection")) {
		t.Errorf("error %v (%v)", d, d.Err)
	}
}

// A server that stops reading for good breaks a unix socket's writing half only.
func TestAServerThatReadsNoMore(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("sockets have other halves there")
	}
	c := dial(t, clienttest.ListenUnix(t, "> tools/list\nclose stdin\nanswer {}\nhang"))
	c.send(request)
	c.received(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	seq, err := c.Send([]byte(request), wire.ByScript, 0)
	var d *wire.DisconnectedError
	if !errors.As(err, &d) || seq == 0 || d.Err == nil {
		t.Fatalf("%d, %v", seq, err)
	}
	f, err := c.log.WaitFor(c.ctx, func(f *wire.Frame) bool { return strings.Contains(string(f.Raw), wire.EventWriteFailed) })
	if err != nil || event(t, f).Seq != seq {
		t.Errorf("%s, %v", f.Raw, err)
	}
	c.close()
}

func TestTheSendingHalfIsClosed(t *testing.T) {
	for _, tr := range transports[:2] {
		c := dial(t, tr.listen(t, "eof\nstray bye\nexit 0"))
		if err := c.CloseSend(); err != nil {
			t.Fatal(err)
		}
		frames, last := c.ended()
		if string(frames[1].Raw) != "bye" || last.Event != wire.EventDisconnected || c.Err() != nil {
			t.Errorf("%s: %v\n%s", tr.name, c.Err(), c.log)
		}
	}
}

func TestAnAbstractSocket(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("abstract sockets exist on Linux only")
	}
	l, err := net.Listen("unix", "@parley-test-"+filepath.Base(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	c := dial(t, "unix:"+l.Addr().String())
	peer, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	_ = peer.Close()
	if d := c.disconnected(); d.Cut || d.Err != nil {
		t.Errorf("error %+v", d)
	}
}

// The official SDK serves line-framed JSON over any stream.
func TestAServerOfTheOfficialSDK(t *testing.T) {
	url := serveTCP(t, func(conn *net.TCPConn) {
		server := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, nil)
		mcp.AddTool(server, &mcp.Tool{Name: "greet"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello"}}}, nil, nil
		})
		_ = server.Run(t.Context(), &mcp.IOTransport{Reader: conn, Writer: conn})
	})
	c := dial(t, url)
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	c.received(`{"jsonrpc":"2.0","id":0,"result":`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{}}}`)
	if f := c.received(`{"jsonrpc":"2.0","id":1,`); !strings.Contains(string(f.Raw), `"hello"`) {
		t.Errorf("answer %s", f.Raw)
	}
	c.close()
	if _, last := c.ended(); last.Event != wire.EventClosed || c.Err() != nil {
		t.Errorf("the end: %+v, %v", last, c.Err())
	}
}

func TestServersThatSpeakSomethingElse(t *testing.T) {
	for script, want := range map[string]string{
		"<crlf HTTP/1.1 400 Bad Request\nexit 0":         "connect with http://",
		"<! \"\\x15\\x03\\x01\\x00\\x02\\x02F\"\nexit 0": "wants TLS",
	} {
		c := dial(t, clienttest.ListenTCP(t, script))
		c.ended()
		var d *wire.DisconnectedError
		if !errors.As(c.Err(), &d) || !strings.Contains(d.Hint(), want) {
			t.Errorf("%s: %v", script, c.Err())
		}
	}
}
