package ui

import (
	"encoding/json"
	"testing"
	"time"

	"parley/client/wire"
)

// tellLive adds frames to a live session as its connection would.
func (s *screen) tellLive(e wire.ConnEvent) {
	s.t.Helper()
	raw, err := json.Marshal(e)
	if err != nil {
		s.t.Fatal(err)
	}
	s.log.Append([]wire.Frame{{Time: time.Now(), Kind: wire.Event, Raw: raw, Size: int64(len(raw))}})
	s.pass(200 * time.Millisecond)
}

func (s *screen) headLive(via, text string) {
	s.t.Helper()
	s.log.Append([]wire.Frame{{Time: time.Now(), Dir: wire.In, Kind: wire.HTTP, Via: via, Raw: []byte(text), Size: int64(len(text))}})
	s.pass(200 * time.Millisecond)
}

func TestTheHeaderTellsOfReconnects(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.tellLive(wire.ConnEvent{Event: wire.EventSwitched, Transport: wire.TransportHTTP, URL: "http://127.0.0.1/mcp"})
		s.want("   http   2025-11-25", "● ready")
		s.tellLive(wire.ConnEvent{Event: wire.EventReconnecting, Via: "GET 3", Attempt: 2, Millis: 500})
		s.want("● reconnecting 2/5")
		s.headLive("GET 4", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
		s.want("● ready")
		s.tellLive(wire.ConnEvent{Event: wire.EventReconnecting, Via: "GET 4", Attempt: 5, Millis: 500})
		s.tellLive(wire.ConnEvent{Event: wire.EventNotice, Via: "GET", Text: "no GET stream: connection refused"})
		s.want("✗ disconnected", "R reconnect")
		s.headLive("POST 9", "HTTP/1.1 202 Accepted\r\n")
		s.want("● ready")
		s.tellLive(wire.ConnEvent{Event: wire.EventDisconnected, Text: "the server closed the connection"})
		s.want("✗ disconnected after", "R reconnect")
		s.press("1", "g", "enter", "ctrl+s")
		s.press("ctrl+s")
		s.want("the server is gone (disconnected): R connects again")
	})
}

func TestAStreamThatServersCloseAfterEachEventIsNoTrouble(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.tellLive(wire.ConnEvent{Event: wire.EventSwitched, Transport: wire.TransportHTTP, URL: "http://127.0.0.1/mcp"})
		s.tellLive(wire.ConnEvent{Event: wire.EventReconnecting, Via: "GET 3", Attempt: 1, Millis: 200})
		s.want("● ready")
		s.headLive("GET 4", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
		s.tellLive(wire.ConnEvent{Event: wire.EventReconnecting, Via: "GET 4", Attempt: 1, Millis: 30000})
		s.want("● reconnecting 1/5")
	})
}

func TestANoticeIsNotTheEndOfAStream(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.tellLive(wire.ConnEvent{Event: wire.EventSwitched, Transport: wire.TransportHTTP, URL: "http://127.0.0.1/mcp"})
		s.tellLive(wire.ConnEvent{Event: wire.EventReconnecting, Via: "GET 3", Attempt: 2, Millis: 500})
		s.tellLive(wire.ConnEvent{Event: wire.EventNotice, Text: "the call runs as the task \"t-1\""})
		s.want("● reconnecting 2/5")
	})
}

func TestALostCallSaysWhatHelpsNow(t *testing.T) {
	with(calling("hang")).story(t, func(s *screen) {
		s.ready()
		s.tellLive(wire.ConnEvent{Event: wire.EventSwitched, Transport: wire.TransportHTTP, URL: "http://127.0.0.1/mcp"})
		s.call("get_forecast")
		s.tellLive(wire.ConnEvent{Event: wire.EventLost, Seq: s.m.detail.seq(), Text: "the stream ended before the answer"})
		s.want("✗ no answer", "R reconnect · then ctrl+s sends the same call again")
		s.headLive("POST 9", "HTTP/1.1 202 Accepted\r\n")
		s.want(" ctrl+s sends the same call again")
		s.wantNot("then ctrl+s")
		s.tellLive(wire.ConnEvent{Event: wire.EventReconnecting, Via: "GET 4", Attempt: 5, Millis: 500})
		s.tellLive(wire.ConnEvent{Event: wire.EventNotice, Via: "GET", Text: "no GET stream: connection refused"})
		s.want("✗ disconnected", "R reconnect · then ctrl+s sends the same call again")
	})
}

func TestATypedRequestThatWasLostSaysSo(t *testing.T) {
	with(calling("hang")).wide().story(t, func(s *screen) {
		s.ready()
		s.line5(`{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"print_env"}}`)
		s.want("no answer yet")
		s.tellLive(wire.ConnEvent{Event: wire.EventLost, Seq: s.log.Len(), Text: "http://127.0.0.1/mcp answered 400 bad request"})
		s.want("✗ no answer: http://127.0.0.1/mcp answered 400 bad request")
		s.wantNot("no answer yet")
	})
}

func TestAskingTheServerAgainIsNoHandshake(t *testing.T) {
	header := func(more ...func(p *tape)) (state string) {
		u := remoteFile(t, append([]func(p *tape){modernHTTP}, more...)...)
		u.w, u.h = 110, 34
		u.story(t, func(s *screen) { state = s.m.handshakeTook() })
		return state
	}
	once := header()
	again := header(func(p *tape) {
		p.answered("POST 9", `{"jsonrpc":"2.0","id":9,"method":"server/discover","params":{`+modernMeta+`}}`,
			`{"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"weather","version":"2"}}}`, 0)
	})
	if once == "" || again != once {
		t.Errorf("the handshake took%s, and when the server was asked again%s", once, again)
	}
}
