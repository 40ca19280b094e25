package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// peer is a server on the loopback interface that does everything right but for what its
// handlers do. It keeps what it sent.
type peer struct {
	t testing.TB
	// on are the handlers, by JSON-RPC method, or by "GET" and "DELETE"; that of ""
	// takes what has none.
	on      map[string]func(v *visit)
	modern  bool   // it speaks 2026-07-28 only
	session string // the id of its sessions; empty: it has none
	over    chan struct{}

	mu       sync.Mutex
	sent     [][]byte // the bodies, each whole
	requests []seen
	server   *httptest.Server
}

// seen is a request that a peer got.
type seen struct {
	key    string
	header http.Header
}

// visit is a request to a peer.
type visit struct {
	http.ResponseWriter
	*http.Request
	peer *peer
	msg  struct {
		ID     json.RawMessage
		Method string
	}
	key  string
	n    int // it is the nth with this key
	body int // the index of what it is answered, in peer.sent
}

// listen starts a peer and returns the URL of its endpoint.
func (p *peer) listen() string {
	p.server = httptest.NewUnstartedServer(p)
	p.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	p.server.Start()
	p.t.Cleanup(p.end)
	return p.server.URL + "/mcp"
}

// end ends the peer and all its connections.
func (p *peer) end() {
	p.mu.Lock()
	select {
	case <-p.over:
	default:
		close(p.over)
	}
	p.mu.Unlock()
	if p.server != nil {
		p.server.CloseClientConnections()
		p.server.Close()
	}
}

// forget has the peer know another session alone.
func (p *peer) forget(other string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session = other
}

func (p *peer) sessionID() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session
}

// restart has the peer forget its connections, while it listens on.
func (p *peer) restart() { p.server.CloseClientConnections() }

func (p *peer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &visit{ResponseWriter: w, Request: r, peer: p, body: -1}
	raw, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(raw, &v.msg)
	if v.key = v.msg.Method; r.Method != http.MethodPost {
		v.key = r.Method
	}
	p.mu.Lock()
	v.n = 1
	for _, s := range p.requests {
		if s.key == v.key {
			v.n++
		}
	}
	p.requests = append(p.requests, seen{v.key, r.Header.Clone()})
	p.mu.Unlock()
	for _, key := range []string{v.key, ""} {
		if f := p.on[key]; f != nil {
			f(v)
			return
		}
	}
	v.well()
}

// got gives the headers of the requests with a key.
func (p *peer) got(key string) (headers []http.Header) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.requests {
		if s.key == key {
			headers = append(headers, s.header)
		}
	}
	return headers
}

// bodies are what was sent until now.
func (p *peer) bodies() [][]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all [][]byte
	for _, b := range p.sent {
		if len(b) > 0 {
			all = append(all, bytes.Clone(b))
		}
	}
	return all
}

// keep notes that more of the answer's body was sent.
func (v *visit) keep(text string) {
	v.peer.mu.Lock()
	defer v.peer.mu.Unlock()
	if v.body < 0 {
		v.body = len(v.peer.sent)
		v.peer.sent = append(v.peer.sent, nil)
	}
	v.peer.sent[v.body] = append(v.peer.sent[v.body], text...)
}

const (
	listed = `"tools":[{"name":"add","description":"Adds.","inputSchema":{"type":"object"}}]`
	done   = `"content":[{"type":"text","text":"done"}]`
)

// well answers as it should be done.
func (v *visit) well() {
	if v.peer.modern {
		v.wellModern()
		return
	}
	session := v.peer.sessionID()
	if id := session; id != "" && v.key != "initialize" && v.key != "server/discover" && v.Header().Get("Mcp-Session-Id") == "" &&
		v.Request.Header.Get("Mcp-Session-Id") != id {
		v.answer(404, "text/plain", "session not found\n")
		return
	}
	switch v.key {
	case "initialize":
		if id := session; id != "" {
			v.Header().Set("Mcp-Session-Id", id)
		}
		v.result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`)
	case "tools/list":
		v.result("{" + listed + "}")
	case "tools/call":
		v.result("{" + done + "}")
	case "ping":
		v.result("{}")
	case "GET":
		v.answer(405, "", "", "Allow", "POST, DELETE")
	case "DELETE":
		v.WriteHeader(http.StatusNoContent)
	case "server/discover":
		v.fail(400, -32600, "not initialized")
	default:
		v.WriteHeader(http.StatusAccepted)
	}
}

func (v *visit) wellModern() {
	const complete = `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}},`
	switch v.key {
	case "server/discover":
		v.result(`{` + complete + `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`)
	case "tools/list":
		v.result("{" + complete + `"ttlMs":0,"cacheScope":"private",` + listed + "}")
	case "tools/call":
		v.result("{" + complete + done + "}")
	case "GET", "DELETE":
		v.answer(405, "", "", "Allow", "POST")
	default:
		v.fail(404, -32601, "method not found")
	}
}

// Header is that of the response.
func (v *visit) Header() http.Header { return v.ResponseWriter.Header() }

// Write writes of the response what is not kept as it is.
func (v *visit) Write(p []byte) (int, error) { return v.ResponseWriter.Write(p) }

// answer is a status with a body. header are further fields, names and values.
func (v *visit) answer(status int, kind, body string, header ...string) {
	for i := 0; i+1 < len(header); i += 2 {
		v.Header().Add(header[i], header[i+1])
	}
	if kind != "" {
		v.Header().Set("Content-Type", kind)
	}
	v.WriteHeader(status)
	v.say(body)
}

func (v *visit) message(text string) { v.answer(200, "application/json", text) }
func (v *visit) result(raw string)   { v.message(v.resultOf(raw)) }
func (v *visit) resultOf(raw string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, v.msg.ID, raw)
}

func (v *visit) fail(status, code int, message string) {
	v.answer(status, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, v.msg.ID, code, message))
}

// called is the answer to a tool call.
func (v *visit) called() string { return v.resultOf("{" + done + "}") }

// stream begins an event stream with the first events.
func (v *visit) stream(text string) { v.answer(200, "text/event-stream", text) }

// say sends more of the body at once.
func (v *visit) say(text string) {
	if text == "" {
		_ = http.NewResponseController(v.ResponseWriter).Flush()
		return
	}
	v.keep(text)
	_, _ = io.WriteString(v.ResponseWriter, text)
	_ = http.NewResponseController(v.ResponseWriter).Flush()
}

// hang waits for the client to go away, or the end of the peer.
func (v *visit) hang() {
	select {
	case <-v.Context().Done():
	case <-v.peer.over:
	}
}

// pause waits for so long; faults of time are made of it.
func (v *visit) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-v.Context().Done():
	case <-v.peer.over:
	}
}

// cut ends the connection in the middle of the body.
func (v *visit) cut() { panic(http.ErrAbortHandler) }

// wire gives the connection itself.
func (v *visit) wire() net.Conn {
	conn, _, err := http.NewResponseController(v.ResponseWriter).Hijack()
	if err != nil {
		v.peer.t.Error(err)
		v.cut()
	}
	return conn
}

// raw answers with these bytes and ends the connection. body is what of them is the
// body, as it is after decoding.
func (v *visit) raw(bytes, body string) {
	v.keep(body)
	conn := v.wire()
	_, _ = io.WriteString(conn, bytes)
	_ = conn.Close()
}

// reset ends a connection by an RST.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// event makes an event of a message.
func event(text string) string { return "event: message\ndata: " + text + "\n\n" }

// always is a server that answers everything alike.
func always(status int, kind, body string, header ...string) func(*peer) string {
	return func(p *peer) string {
		p.on[""] = func(v *visit) { v.answer(status, kind, body, header...) }
		return p.listen()
	}
}

// calls is a server that does tool calls its own way.
func calls(f func(v *visit)) func(*peer) string { return does("tools/call", f) }

// does is a server that does one thing its own way.
func does(key string, f func(v *visit)) func(*peer) string {
	return func(p *peer) string {
		p.on[key] = f
		return p.listen()
	}
}

// inSessions has a server have sessions.
func inSessions(next func(*peer) string) func(*peer) string {
	return func(p *peer) string {
		p.session = "hunter2hunter2hunter2"
		return next(p)
	}
}

// inModern has a server speak 2026-07-28.
func inModern(next func(*peer) string) func(*peer) string {
	return func(p *peer) string {
		p.modern = true
		return next(p)
	}
}

// lineServer accepts connections and has f do something with each. It gives the address.
func lineServer(p *peer, network, address string, f func(conn net.Conn)) string {
	l, err := net.Listen(network, address)
	if err != nil {
		p.t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer func() { _ = conn.Close() }()
				f(conn)
			})
		}
	})
	p.t.Cleanup(func() {
		_ = l.Close()
		p.end()
		running.Wait()
	})
	return l.Addr().String()
}
