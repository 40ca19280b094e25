package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
)

// webLoad is the load of a server over HTTP. Of load it takes the tools, what comes
// early in the reply to tools/list, what comes in all on the GET stream (after that
// reply), and the length of a call's text, or the echo.
type webLoad struct {
	load
	events bool // replies to requests are streams of events
}

const webSession = "4b1f0a2c9d8e4c7fa0b1c2d3e4f50617"

// serve starts the server, which speaks both eras, and gives its address.
func (l webLoad) serve(b *testing.B) (url string) {
	b.Helper()
	s := &webPeer{webLoad: l, listed: make(chan struct{})}
	if !l.keep {
		s.early = asEvents(notifications(0, l.load.early))
	}
	s.total = asEvents(notifications(0, l.load.total))
	server := httptest.NewServer(s)
	b.Cleanup(server.Close)
	return server.URL + "/mcp"
}

// asEvents makes each line an event.
func asEvents(lines []byte) []byte {
	const before, after = "event: message\ndata: ", "\n\n"
	b := make([]byte, 0, len(lines)+len(lines)/8)
	for line := range bytes.Lines(lines) {
		b = append(append(append(b, before...), bytes.TrimSuffix(line, []byte("\n"))...), after...)
	}
	return b
}

type webPeer struct {
	webLoad
	early, total []byte
	mu           sync.Mutex
	listed       chan struct{} // closed when tools/list was answered
}

func (s *webPeer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		s.stream(w, r)
	case http.MethodPost:
		s.post(w, r)
	}
}

// stream sends what comes in all, when tools/list was answered, and then that the
// prompts changed. Each connection's list opens the next stream.
func (s *webPeer) stream(w http.ResponseWriter, r *http.Request) {
	if s.load.total == 0 {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	s.mu.Lock()
	listed := s.listed // before the client knows that the stream is there, and goes on
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	_ = http.NewResponseController(w).Flush()
	select {
	case <-listed:
	case <-r.Context().Done():
		return
	}
	_, _ = w.Write(s.total)
	_, _ = io.WriteString(w, "data: "+webOver+"\n\n")
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// webOver is the last message of a stream.
const webOver = `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`

func (s *webPeer) post(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if json.Unmarshal(body, &m) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if s.events {
		w.Header().Set("Content-Type", "text/event-stream")
	} else {
		w.Header().Set("Content-Type", "application/json")
	}
	result := `{}`
	switch m.Method {
	case "initialize":
		w.Header().Set("Mcp-Session-Id", webSession)
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"perf","version":"1"}}`
	case "server/discover":
		if bytes.Contains(body, []byte("2026-07-28")) {
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`
		}
	case "tools/list":
		if s.events {
			_, _ = w.Write(s.early)
		}
		result = (&perfPeer{load: s.load}).list()
		result = result[:len(result)-1] + `,"resultType":"complete","ttlMs":0,"cacheScope":"private"}`
		defer s.wasListed()
	case "tools/call":
		if !s.echo {
			s.long(w, m.ID)
			return
		}
		result = `{"content":[{"type":"text","text":"hi"}],"resultType":"complete"}`
	}
	s.reply(w, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
}

func (s *webPeer) wasListed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.listed)
	s.listed = make(chan struct{})
}

func (s *webPeer) reply(w http.ResponseWriter, message []byte) {
	if s.events {
		_, _ = io.WriteString(w, "event: message\ndata: ")
	} else {
		w.Header().Set("Content-Length", strconv.Itoa(len(message)))
	}
	_, _ = w.Write(message)
	if s.events {
		_, _ = io.WriteString(w, "\n\n")
	}
}

// long answers a call with a text of the load's length in one line.
func (s *webPeer) long(w http.ResponseWriter, id []byte) {
	out := bufio.NewWriterSize(w, 64<<10)
	if s.events {
		_, _ = out.WriteString("event: message\ndata: ")
	}
	_, _ = fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[{"type":"text","text":"beginning`, id)
	line := bytes.Repeat([]byte("0123456789abcdef"), 64)
	for n := 0; n < s.text; n += len(line) {
		_, _ = out.Write(line)
	}
	_, _ = out.WriteString(`ending"}]}}`)
	if s.events {
		_, _ = out.WriteString("\n\n")
	}
	_ = out.Flush()
}
