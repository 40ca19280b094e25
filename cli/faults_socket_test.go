package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// speak answers lines as it should be done, but for tool calls: called does something
// with each, on the connection.
func speak(p *peer, conn net.Conn, called func(conn *kept, id string)) {
	k := &kept{Conn: conn, peer: p}
	defer k.done()
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		var msg struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(lines.Bytes(), &msg)
		if msg.Method == "tools/call" {
			called(k, string(msg.ID))
		} else if answer := answerOf(msg.Method); answer != "" {
			k.say(fmt.Sprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", msg.ID, answer))
		}
	}
}

// answerOf is the result of a request before a tool call; empty of a notification.
func answerOf(method string) string {
	switch method {
	case "initialize":
		return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`
	case "tools/list":
		return "{" + listed + "}"
	}
	return ""
}

// kept is a connection of which is kept what is written.
type kept struct {
	net.Conn
	peer *peer
	text strings.Builder
}

func (k *kept) say(text string) {
	k.text.WriteString(text)
	_, _ = io.WriteString(k.Conn, text)
}

func (k *kept) done() {
	k.peer.mu.Lock()
	defer k.peer.mu.Unlock()
	k.peer.sent = append(k.peer.sent, []byte(k.text.String()))
}

// overTCP and overUnix serve lines.
func overTCP(called func(conn *kept, id string)) func(p *peer) string {
	return func(p *peer) string {
		return "tcp://" + lineServer(p, "tcp", "127.0.0.1:0", func(conn net.Conn) { speak(p, conn, called) })
	}
}

func overUnix(called func(conn *kept, id string)) func(p *peer) string {
	return func(p *peer) string {
		dir, err := os.MkdirTemp("", "parley-faults")
		if err != nil {
			p.t.Fatal(err)
		}
		p.t.Cleanup(func() { _ = os.RemoveAll(dir) })
		return "unix://" + filepath.ToSlash(lineServer(p, "unix", filepath.Join(dir, "server.sock"), func(conn net.Conn) { speak(p, conn, called) }))
	}
}

// overWebSocket does everything right but tool calls.
func overWebSocket(called func(v *visit, conn *websocket.Conn, id string)) func(p *peer) string {
	return websocketTo(func(p *peer) string {
		p.on[""] = func(v *visit) {
			conn, err := websocket.Accept(v.ResponseWriter, v.Request, &websocket.AcceptOptions{Subprotocols: []string{"mcp"}})
			if err != nil {
				return
			}
			defer func() { _ = conn.CloseNow() }()
			for {
				_, raw, err := conn.Read(p.t.Context())
				if err != nil {
					return
				}
				var msg struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.Unmarshal(raw, &msg)
				if msg.Method == "tools/call" {
					called(v, conn, string(msg.ID))
				} else if answer := answerOf(msg.Method); answer != "" {
					v.send(conn, websocket.MessageText, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, msg.ID, answer))
				}
			}
		}
		return p.listen()
	})
}

// send sends one message of a websocket.
func (v *visit) send(conn *websocket.Conn, kind websocket.MessageType, text string) {
	v.body = -1 // each message is one of its own
	v.keep(text)
	_ = conn.Write(v.peer.t.Context(), kind, []byte(text))
}

func closes(code websocket.StatusCode, reason string) func(*visit, *websocket.Conn, string) {
	return func(_ *visit, conn *websocket.Conn, _ string) { _ = conn.Close(code, reason) }
}

// websocketTo gives an HTTP server's URL as one of a websocket.
func websocketTo(serve func(*peer) string) func(*peer) string {
	return func(p *peer) string { return "ws" + serve(p)[len("http"):] }
}

func callOf(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{%s}}`, id, done)
}

func socketFaults(t *testing.T) faultGroup {
	t.Helper()
	dir, err := os.MkdirTemp("", "parley-faults")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	plain, stale := filepath.Join(dir, "plain.txt"), filepath.Join(dir, "stale.sock")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"}); err == nil {
		l.SetUnlinkOnClose(false)
		_ = l.Close()
	}
	return faultGroup{"Websocket, TCP and unix sockets", []fault{
		{name: "a websocket: nothing listens on the port", serve: refusing("ws", "/mcp"), code: 4},
		{name: "a websocket: the path does not exist", serve: websocketTo(always(404, "", "")), code: 4},
		{name: "a websocket: the server speaks Streamable HTTP", serve: websocketTo(func(p *peer) string { return p.listen() }), code: 4},
		{name: "a websocket: 401", serve: websocketTo(always(401, "text/plain", "who are you?")), code: 3},
		{name: "a websocket: 403, the origin is not allowed", serve: websocketTo(always(403, "text/plain", "origin not allowed")), code: 3},
		{name: "a websocket: the handshake is wrong", serve: talker("ws", "/mcp", greets("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: wrong\r\n\r\n")), code: 4},
		{name: "a websocket: the server closes it with 1008", serve: overWebSocket(closes(websocket.StatusPolicyViolation, "rate limit")), code: 4},
		{name: "a websocket: the server closes it with 1009", serve: overWebSocket(closes(websocket.StatusMessageTooBig, "read limited at 32769 bytes")), code: 4},
		{name: "a websocket: the server closes it with 1011", serve: overWebSocket(closes(websocket.StatusInternalError, "the database is gone")), code: 4},
		{name: "a websocket: the server closes it in order before it answers", serve: overWebSocket(closes(websocket.StatusNormalClosure, "")), code: 4},
		{name: "a websocket: the connection ends without a closing frame", serve: overWebSocket(func(_ *visit, conn *websocket.Conn, _ string) { _ = conn.CloseNow() }), code: 4},
		{name: "a websocket: the answer is sent as binary", serve: overWebSocket(func(v *visit, conn *websocket.Conn, id string) {
			v.send(conn, websocket.MessageBinary, callOf(id))
		})},
		{name: "a websocket: something that is no message, then the answer", serve: overWebSocket(func(v *visit, conn *websocket.Conn, id string) {
			v.send(conn, websocket.MessageText, "working")
			v.send(conn, websocket.MessageText, callOf(id))
		})},
		{name: "a websocket: an answer of 20 MB", serve: overWebSocket(func(v *visit, conn *websocket.Conn, id string) {
			v.send(conn, websocket.MessageText, strings.Replace(callOf(id), `"content"`, `"_meta":{"x":"`+large(20<<20)+`"},"content"`, 1))
		}), heavy: true},
		{name: "TCP: nothing listens on the port", serve: refusing("tcp", ""), code: 4},
		{name: "TCP: the server drops the connection at once", serve: talker("tcp", "", greets("")), code: 4},
		{name: "TCP: the server drops the connection in the middle of a call", serve: overTCP(func(conn *kept, _ string) { _ = conn.Close() }), code: 4},
		{name: "TCP: the server never answers a call", serve: overTCP(func(*kept, string) {}), flags: "--timeout 1s", code: 4},
		{name: "TCP: a line that is no message, then the answer, ended by CRLF", serve: overTCP(func(conn *kept, id string) { conn.say("working\n" + callOf(id) + "\r\n") })},
		{name: "TCP: the server resets the connection", serve: talker("tcp", "", func(conn net.Conn) {
			take(conn)
			reset(conn)
		}), code: 4},
		{name: "TCP: the connection ends in the middle of a message", serve: overTCP(func(conn *kept, id string) {
			conn.say(callOf(id)[:20])
			_ = conn.Close()
		}), code: 4},
		{name: "TCP: the server speaks HTTP", serve: func(p *peer) string { return "tcp" + p.listen()[len("http"):len(p.server.URL)] }, code: 4},
		{name: "a unix socket: the server drops the connection in the middle of a call", serve: overUnix(func(conn *kept, _ string) { _ = conn.Close() }), code: 4},
		{name: "a unix socket that is not there", serve: address("unix://" + filepath.ToSlash(filepath.Join(dir, "missing.sock"))), code: 4},
		{name: "a unix socket whose server has ended", serve: address("unix://" + filepath.ToSlash(stale)), code: 4},
		{name: "a file that is no socket", serve: address("unix://" + filepath.ToSlash(plain)), code: 4},
	}}
}
