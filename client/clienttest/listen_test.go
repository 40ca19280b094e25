package clienttest_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"parley/client/clienttest"
	"parley/client/wire"
)

// socketScripts behave the same over every kind of socket. Standard error leads
// nowhere there; want is what comes, a line a message, and how it ends.
var socketScripts = []struct {
	name, script string
	send         []string
	want         string
}{
	{"an exchange", "> tools/list\nanswer {\"tools\":[]}\nstderr x\n> {\"id\":\"a\", ...}\nfail {\"code\":1}\nexit 0", []string{list, list},
		`{"jsonrpc":"2.0","id":"a","result":{"tools":[]}}` + "\n" + `{"jsonrpc":"2.0","id":"a","error":{"code":1}}` + "\n"},
	{"lines and bytes", "stray a\nstray \nflood 1\n<! \"\\xff\\n\"\nsleep 1ms\nexit 0", nil,
		"a\n\n" + `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}` + "\n\xff\n"},
	{"answers on the side", "on ping {}\n> tools/list\nexit 0", []string{`{"id":5,"method":"ping"}`, list}, `{"jsonrpc":"2.0","id":5,"result":{}}` + "\n"},
	{"an unfinished message", "stray a\n<! b\nsignal KILL", nil, "a\nb\n"},
	{"a long line", "> tools/list\nline 100000\nexit 0", []string{list},
		`{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"` + strings.Repeat("x", 100_000-75) + "\"}]}}\n"},
}

// dialed is a connection to a URL of this package.
type dialed interface {
	Send(raw []byte, by wire.Origin, of uint64) (uint64, error)
	Close(ctx context.Context) error
	Done() <-chan struct{}
}

func dial(t *testing.T, url string, log *clienttest.Log) dialed {
	t.Helper()
	var conn dialed
	var err error
	if strings.HasPrefix(url, "ws:") {
		conn, err = wire.DialWebSocket(t.Context(), url, wire.WebSocketOptions{}, log)
	} else {
		network, address, wrong := wire.StreamAddress(url)
		if wrong != nil {
			t.Fatal(wrong)
		}
		conn, err = wire.DialStream(t.Context(), network, address, wire.StreamOptions{}, log)
	}
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestScriptsBehindSockets(t *testing.T) {
	for name, listen := range map[string]func(testing.TB, string) string{
		"tcp": clienttest.ListenTCP, "unix": clienttest.ListenUnix, "ws": clienttest.ListenWebSocket,
	} {
		for _, c := range socketScripts {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				url := listen(t, c.script)
				if !strings.HasPrefix(url, name+"://") {
					t.Errorf("URL %s", url)
				}
				for range 2 { // each connection has a run of its own
					log := &clienttest.Log{}
					conn := dial(t, url, log)
					for _, raw := range c.send {
						if _, err := conn.Send([]byte(raw), wire.ByScript, 0); err != nil {
							t.Fatal(err)
						}
					}
					<-conn.Done()
					var b strings.Builder
					for _, f := range log.Frames() {
						if f.Dir == wire.In && f.Kind != wire.HTTP {
							fmt.Fprintf(&b, "%s\n", f.Raw)
						}
					}
					if b.String() != c.want {
						t.Errorf("got  %.300q\nwant %.300q", b.String(), c.want)
					}
				}
			})
		}
	}
}

func TestExitsOfAScriptBehindAWebSocket(t *testing.T) {
	for script, want := range map[string]string{"exit 0": "1000", "exit 3": `1011 (internal error), "exit 3"`, "signal TERM": "1006"} {
		log := &clienttest.Log{}
		conn := dial(t, clienttest.ListenWebSocket(t, script), log)
		<-conn.Done()
		frames := log.Frames()
		if e, err := wire.ParseEvent(frames[len(frames)-1].Raw); err != nil || !strings.Contains(e.Text, want) {
			t.Errorf("%s: %+v", script, e)
		}
	}
}

func TestHalvesOfASocket(t *testing.T) {
	log := &clienttest.Log{}
	conn := dial(t, clienttest.ListenTCP(t, "> {\"a\":1}\nclose stdout\nhang"), log)
	if _, err := conn.Send([]byte(`{"a":1}`), wire.ByScript, 0); err != nil {
		t.Fatal(err)
	}
	<-conn.Done() // although the server hangs
}

// A server that hangs is ended by the end of its test.
func TestTheEndOfATestEndsItsServers(t *testing.T) {
	var urls []string
	t.Run("a test", func(t *testing.T) {
		for _, script := range []string{"hang", "sleep 1h", "", "echo"} {
			for _, listen := range []func(testing.TB, string) string{clienttest.ListenTCP, clienttest.ListenWebSocket} {
				url := listen(t, script)
				urls = append(urls, url)
				dial(t, url, &clienttest.Log{})
			}
		}
	})
	for _, url := range urls {
		address := strings.TrimSuffix(url[strings.Index(url, "//")+2:], "/mcp")
		if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			_ = conn.Close()
			t.Errorf("%s is still listened on", url)
		}
	}
}

// failing is a test that notes what it is told instead of failing.
type failing struct {
	testing.TB
	cleanups []func()
	errors   []string
}

func (f *failing) Cleanup(do func()) { f.cleanups = append(f.cleanups, do) }
func (f *failing) Error(args ...any) { f.errors = append(f.errors, fmt.Sprint(args...)) }

func TestAClientThatDoesSomethingElseFailsTheTest(t *testing.T) {
	for name, listen := range map[string]func(testing.TB, string) string{"tcp": clienttest.ListenTCP, "ws": clienttest.ListenWebSocket} {
		f := &failing{TB: t}
		log := &clienttest.Log{}
		conn := dial(t, listen(f, "> tools/call"), log)
		if _, err := conn.Send([]byte(list), wire.ByScript, 0); err != nil {
			t.Fatal(err)
		}
		<-conn.Done()
		for i := len(f.cleanups) - 1; i >= 0; i-- {
			f.cleanups[i]()
		}
		if len(f.errors) != 1 || !strings.Contains(f.errors[0], "script:1: > tools/call: expected tools/call") {
			t.Errorf("%s: the test was told %q", name, f.errors)
		}
	}
}

func TestListenWebSocketSpeaksMCP(t *testing.T) {
	url := clienttest.ListenWebSocket(t, "> {\"a\":1}\n<crlf b\nexit 0")
	conn, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{Subprotocols: []string{"mcp"}})
	if err != nil {
		t.Fatal(err)
	}
	if conn.Subprotocol() != "mcp" {
		t.Errorf("subprotocol %q", conn.Subprotocol())
	}
	if err := conn.Write(t.Context(), websocket.MessageBinary, []byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	kind, raw, err := conn.Read(t.Context())
	if err != nil || kind != websocket.MessageText || string(raw) != "b" {
		t.Errorf("%v %q, %v", kind, raw, err)
	}
	var closed websocket.CloseError
	if _, _, err = conn.Read(t.Context()); !errors.As(err, &closed) || closed.Code != websocket.StatusNormalClosure {
		t.Errorf("error %v", err)
	}
}
