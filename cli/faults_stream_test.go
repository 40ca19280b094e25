package cli_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// message20MB is the answer to a tool call with a text of 20 MB.
func message20MB(v *visit) string {
	return v.resultOf(`{"content":[{"type":"text","text":"done"}],"_meta":{"x":"` + large(20<<20) + `"}}`)
}

const logged = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"working"}}`

var streamFaults = faultGroup{"Event streams", []fault{
	{name: "a stream that never sends", serve: calls(func(v *visit) {
		v.stream("")
		v.hang()
	}), flags: "--timeout 1s", code: 4},
	{name: "a stream that sends comments alone", serve: calls(func(v *visit) {
		v.stream(": keep-alive\n\n: keep-alive\n\n")
		v.hang()
	}), flags: "--timeout 1s", code: 4},
	{name: "an event cut in half", serve: calls(func(v *visit) { v.stream("event: message\ndata: " + v.called()[:30]) }), code: 4},
	{name: "an event without the empty line at its end", serve: calls(func(v *visit) { v.stream("data: " + v.called() + "\n") }), code: 4},
	{name: "an event whose data is no JSON", serve: calls(func(v *visit) { v.stream(event("working") + event(v.called())) })},
	{name: "an event of another type", serve: calls(func(v *visit) { v.stream("event: result\ndata: " + v.called() + "\n\n") }), code: 4},
	{name: "an event of 20 MB", serve: calls(func(v *visit) { v.stream(event(message20MB(v))) }), heavy: true},
	{name: "lines that end with CR, and a byte order mark", serve: calls(func(v *visit) {
		v.stream("\ufeff" + strings.ReplaceAll(": hello\n"+event(v.called()), "\n", "\r"))
	})},
	{name: "lines that end with CRLF, the message on several of them", serve: calls(func(v *visit) {
		v.stream("id: 1\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata: \"id\":" + string(v.msg.ID) + ",\r\ndata:\"result\":{" + done + "}}\r\n\r\n")
	})},
	{name: "a Content-Type with odd parameters", serve: calls(func(v *visit) { v.answer(200, "Text/Event-Stream ;charset", event(v.called())) })},
	{name: "two answers on one stream", serve: calls(func(v *visit) { v.stream(event(v.called()) + event(v.called())) })},
	{name: "the answer to another request on the stream", serve: calls(func(v *visit) {
		v.stream(event(`{"jsonrpc":"2.0","id":"other","result":{}}`) + event(v.called()))
	})},
	{name: "the stream stays open after the answer", serve: calls(func(v *visit) {
		v.stream(event(v.called()))
		v.hang()
	})},
	{name: "the answer comes on the GET stream", serve: func(p *peer) string {
		late := make(chan string, 1)
		p.on["GET"] = func(v *visit) {
			v.stream(": open\n\n")
			select {
			case text := <-late:
				v.say(event(text))
				v.hang()
			case <-v.Context().Done():
			case <-p.over:
			}
		}
		p.on["tools/call"] = func(v *visit) {
			late <- v.called()
			v.WriteHeader(http.StatusAccepted)
		}
		return p.listen()
	}},
	{name: "the GET stream never sends", serve: does("GET", func(v *visit) {
		v.stream("")
		v.hang()
	})},
	{name: "the GET stream answers 404, or fails", serve: does("GET", func(v *visit) { v.answer(404+96*(v.n%2), "text/plain", "no") }), endless: true},
	{name: "the GET stream is a page", serve: does("GET", func(v *visit) { v.answer(200, "text/html", "<h1>Hello</h1>") }), endless: true},
	{name: "the GET stream sends requests without end", serve: func(p *peer) string {
		p.on["GET"] = func(v *visit) {
			v.stream("")
			for n := 0; v.Context().Err() == nil; n++ {
				v.say(event(fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"ping"}`, n)))
				v.pause(time.Millisecond)
			}
		}
		return p.listen()
	}, endless: true},
	{name: "the server asks for what parley did not declare, and waits", serve: calls(func(v *visit) {
		v.stream(event(`{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`))
		v.pause(20 * time.Millisecond)
		v.say(event(v.called()))
	})},
}}

var cutFaults = faultGroup{"Streams and servers that end", []fault{
	{name: "the stream ends in the middle of a tool call, without ids", serve: calls(func(v *visit) { v.stream(event(logged)) }), code: 4, after: once},
	{name: "the stream breaks in the middle of a tool call, without ids", serve: calls(func(v *visit) {
		v.stream(event(logged))
		v.cut()
	}), code: 4, after: once},
	{name: "the stream breaks in the middle of a tool call and is resumed", serve: resumed(func(v *visit, answer string) { v.stream("id: 2\n" + event(answer)) }), after: once},
	{name: "the server closes the stream after each event, and wants to be asked again", serve: resumed(func(v *visit, answer string) {
		if v.n < 5 {
			v.stream(fmt.Sprintf("id: %d\n%s", v.n+1, event(logged)))
			return
		}
		v.stream("id: 9\n" + event(answer))
	}), after: once},
	{name: "the server asks to come back in an hour", serve: func(p *peer) string {
		p.on["tools/call"] = func(v *visit) { v.stream("id: 1\nretry: 3600000\ndata:\n\n") }
		return p.listen()
	}, flags: "--timeout 1s", code: 4, after: once},
	{name: "the stream cannot be resumed: 400", serve: resumed(func(v *visit, _ string) { v.answer(400, "text/plain", "unknown event id") }), code: 4, after: once},
	{name: "the stream cannot be resumed: it ends again and again", serve: resumed(func(v *visit, _ string) { v.stream("") }), code: 4, after: once},
	{name: "the stream breaks, with `--reconnects 0`", serve: resumed(nil), flags: "--reconnects 0", code: 4, after: once},
	{name: "the server is restarted in the middle of a tool call", serve: calls(func(v *visit) {
		v.peer.restart()
		v.hang()
	}), code: 4, after: once},
	{name: "the server is restarted in the middle of a tool call, with sessions", serve: inSessions(calls(func(v *visit) {
		v.peer.restart()
		v.hang()
	})), code: 4, after: once},
	{name: "the server is restarted in the middle of a streamed tool call", serve: calls(func(v *visit) {
		v.stream(event(logged))
		v.peer.restart()
		v.hang()
	}), code: 4, after: once},
	{name: "the server ends in the middle of a tool call, for good", serve: calls(func(v *visit) {
		go v.peer.end()
		v.hang()
		v.cut()
	}), code: 4},
	{name: "the server closes the connection after each answer", serve: does("", func(v *visit) {
		v.Header().Set("Connection", "close")
		v.well()
	})},
	{name: "a modern server: the stream ends in the middle of a tool call", serve: inModern(calls(func(v *visit) { v.stream("id: 1\n" + event(logged)) })), code: 4, after: once},
}}

// resumed is a server that breaks off the stream of a tool call; next answers when the
// client asks for the rest.
func resumed(next func(v *visit, answer string)) func(*peer) string {
	return func(p *peer) string {
		var answer string
		p.on["tools/call"] = func(v *visit) {
			p.mu.Lock()
			answer = v.called()
			p.mu.Unlock()
			v.stream("id: 1\nretry: 10\ndata:\n\n")
			v.cut()
		}
		p.on["GET"] = func(v *visit) {
			if v.Request.Header.Get("Last-Event-Id") == "" {
				v.answer(405, "", "")
				return
			}
			p.mu.Lock()
			text := answer
			p.mu.Unlock()
			next(v, text)
		}
		return p.listen()
	}
}

// once looks whether the tool was called once only, though the answer was lost.
func once(r *tried) {
	if n := len(r.peer.got("tools/call")); n != 1 {
		r.Errorf("%s: the tool was called %d times", r.how, n)
	}
}

var sessionFaults = faultGroup{"Sessions", []fault{
	{name: "the session has expired: 404", serve: inSessions(calls(func(v *visit) {
		if v.n == 1 {
			v.answer(404, "application/json", `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`)
			return
		}
		v.well()
	})), after: again},
	{name: "the server has forgotten the session, and has others", serve: inSessions(calls(func(v *visit) {
		if v.n == 1 {
			v.peer.forget("hunter2hunter2hunter3")
		}
		v.well()
	}))},
	{name: "the session expires with every call", serve: inSessions(calls(func(v *visit) { v.answer(404, "text/plain", "session not found\n") })), code: 4},
	{name: "no new session can be had", serve: func(p *peer) string {
		p.session = "hunter2hunter2hunter2"
		p.on["tools/call"] = func(v *visit) { v.answer(404, "text/plain", "session not found\n") }
		p.on["initialize"] = func(v *visit) {
			if v.n > 1 {
				v.answer(503, "text/plain", "starting")
				return
			}
			v.well()
		}
		return p.listen()
	}, code: 4},
	{name: "a session id with characters that no header may have", serve: func(p *peer) string {
		p.on["initialize"] = func(v *visit) {
			v.Header().Set("Mcp-Session-Id", "hunter2 hünter2 hunter2")
			v.well()
		}
		return p.listen()
	}},
	{name: "a session id that the server then misses", serve: func(p *peer) string {
		p.on["initialize"] = func(v *visit) {
			v.Header().Set("Mcp-Session-Id", "hunter2 hunter2")
			v.well()
		}
		p.on["tools/call"] = func(v *visit) { v.answer(400, "text/plain", "Mcp-Session-Id header is required") }
		return p.listen()
	}, code: 4},
	{name: "another session id with every answer", serve: func(p *peer) string {
		p.session = "hunter2hunter2hunter2"
		p.on["tools/list"] = func(v *visit) {
			v.Header().Set("Mcp-Session-Id", "hunter2hunter2hunter4")
			v.result("{" + listed + "}")
		}
		return p.listen()
	}},
}}

// again looks whether the server was initialized anew, once.
func again(r *tried) {
	if n := len(r.peer.got("initialize")); n != 2 {
		r.Errorf("%s: initialize was sent %d times", r.how, n)
	}
}

// elsewhere starts another peer, which is another origin.
func elsewhere(p *peer) (*peer, string) {
	other := &peer{t: p.t, on: map[string]func(*visit){}, over: make(chan struct{})}
	url := other.listen()
	return other, url
}

var redirectFaults = faultGroup{"Redirects", []fault{
	{name: "307 and 308 of a POST, to the same origin", serve: func(p *peer) string {
		p.on[""] = func(v *visit) {
			if v.URL.Path == "/mcp" {
				v.answer(307+len(v.key)%2, "", "", "Location", "/mcp/")
				return
			}
			v.well()
		}
		return p.listen()
	}},
	{name: "307 of a POST, to another origin: credentials stay behind", serve: func(p *peer) string {
		other, url := elsewhere(p)
		p.on[""] = func(v *visit) { v.answer(307, "", "", "Location", url) }
		other.on[""] = func(v *visit) {
			if carries(v.Request.Header) {
				p.t.Error("credentials went to another origin")
			}
			v.answer(401, "text/plain", "who are you?")
		}
		return p.listen()
	}, code: 3},
	{name: "302 of a POST", serve: func(p *peer) string { return always(302, "", "", "Location", "/login?token=hunter2hunter2hunter2")(p) }, code: 4},
	{name: "a redirect loop", serve: func(p *peer) string {
		p.on[""] = func(v *visit) {
			v.answer(308, "", "", "Location", map[string]string{"/mcp": "/mcp/", "/mcp/": "/mcp"}[v.URL.Path])
		}
		return p.listen()
	}, code: 4},
	{name: "redirects without end", serve: func(p *peer) string {
		p.on[""] = func(v *visit) { v.answer(307, "", "", "Location", v.URL.Path+"/x") }
		return p.listen()
	}, code: 4},
	{name: "a redirect without a Location", serve: always(307, "", ""), code: 4},
	{name: "a redirect to what is no URL", serve: always(307, "", "", "Location", "http://[::1"), code: 4},
	{name: "a redirect to what is no web address", serve: always(307, "", "", "Location", "file:///etc/passwd"), code: 4},
}}
