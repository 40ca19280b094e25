package ui

import (
	"strings"
	"testing"
	"time"

	"parley/client/wire"
	"parley/ui/uitest"
)

func TestTrafficHasTwoViews(t *testing.T) {
	remoteFile(t, legacyHTTP).story(t, func(s *screen) {
		s.press("4", "Z")
		s.want("4 traffic 8 · JSON-RPC", "14 HTTP lines hidden", "over http  http://127.0.0.1:8080/mcp")
		s.wantNot("text/event-stream", "keep-alive")

		s.press("k", "k") // the answer to tools/list is selected, and stays
		row := s.selectedLine()
		s.press("h")
		s.want("4 traffic 22 · HTTP", "h messages only", "POST 1    POST /mcp", "200 OK  text/event-stream", "GET 3     comment  : keep-alive", "202 Accepted")
		if now := s.selectedLine(); !strings.Contains(now, "result  tools/list") || !strings.Contains(row, "result  tools/list") {
			t.Errorf("selected was %s\nis %s", row, now)
		}

		s.press("H") // to the event that carried it
		if now := s.selectedLine(); !strings.Contains(now, "POST 4    event") {
			t.Errorf("H went to %s", now)
		}
		s.press("H")
		if now := s.selectedLine(); !strings.Contains(now, "result  tools/list") {
			t.Errorf("H went back to %s", now)
		}
		s.press("k", "k") // the head of the response
		s.press("p")
		if now := s.selectedLine(); !strings.Contains(now, "POST 4    POST /mcp") {
			t.Errorf("p went to %s", now)
		}
		s.press("h") // where it is hidden: its message is selected
		if now := s.selectedLine(); !strings.Contains(now, "→      1  tools/list") {
			t.Errorf("selected is %s", now)
		}
	})
}

func TestFollowingGoesOnInTheOtherView(t *testing.T) {
	remoteFile(t, legacyHTTP).story(t, func(s *screen) {
		s.press("4", "h")
		if !s.m.traffic.list.Following() {
			t.Error("the view of HTTP does not follow")
		}
		s.press("h")
		if !s.m.traffic.list.Following() {
			t.Error("the view of JSON-RPC does not follow any more")
		}
		s.want("▌09:38:50")
	})
}

func TestAFilterHoldsInBothViews(t *testing.T) {
	remoteFile(t, legacyHTTP).story(t, func(s *screen) {
		s.press("4", "/")
		s.write("post 4")
		s.press("enter")
		s.want("4 traffic 2 · JSON-RPC · /post 4")
		s.press("h")
		s.want("4 traffic 5 · HTTP · /post 4", "POST 4    event")
		s.press("esc", "h")
		s.want("4 traffic 8 · JSON-RPC")
	})
}

func TestHeadsAreLaidOutAndDecoded(t *testing.T) {
	u := remoteFile(t, modernHTTP, calledInRounds)
	u.w, u.h = 110, 34
	u.story(t, func(s *screen) {
		s.press("4", "/")
		s.write("5 tools/call")
		s.press("enter", "g", "enter")
		s.want("→ 5 tools/call book · POST 5")
		s.press("H")
		s.want("→ POST /mcp · POST 5", "Mcp-Name        =?base64?5aSp5rCU?=  is  天气", "Mcp-Session-Id  …7TN2", "Mcp-Method      tools/call")
		s.press("b")
		s.want("Mcp-Name: =?base64?5aSp5rCU?=", "exact")
		s.wantNot("is  天气")
		s.press("b", "p")
		s.want("← 200 OK text/event-stream · POST 5")
		s.press("H")
		s.want("result · POST 5")
		s.press("e", "H", "H", "y") // what is offered for a line of HTTP is of its message
	})
}

func TestALineOfHTTPIsNotCopiedAsJSON(t *testing.T) {
	remoteFile(t, legacyHTTP, lostCall).story(t, func(s *screen) {
		s.press("4", "h", "g", "j", "j", "y")
		s.want("copy from frame", "exact bytes")
		s.wantNot("indented JSON")
	})
}

func TestWhereThereIsNoHTTPItIsSaid(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("4", "h")
		s.want("there are no HTTP lines: this is a connection over stdio")
		s.press("H")
		s.want("no HTTP carried this")
		s.wantNot("JSON-RPC")
	})
}

func TestRoundsAreOneExchange(t *testing.T) {
	remoteFile(t, modernHTTP, calledInRounds).story(t, func(s *screen) {
		s.want("2026-07-28", "   http   ")
		s.open("book")
		s.press("tab")
		s.want("result · ok · 3 rounds · ", "Booked for Monday.", "the answer took 3 rounds",
			"← elicitation/create  day  Which day?", `→ {"action":"accept","content":{"day":"Monday"}}`, "class  Which class?", `→ {"action":"decline"}`)
		s.wantNot("call 1 of")
		s.press("p")
		s.want("← 7 result") // the answer that counts
	})
}

func TestAQuestionThatNobodyAnsweredIsShown(t *testing.T) {
	remoteFile(t, modernHTTP, func(p *tape) {
		p.answered("POST 5", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"book"}}`,
			`{"jsonrpc":"2.0","id":5,"result":{"resultType":"input_required","inputRequests":{"day":{"method":"elicitation/create","params":{"message":"Which day?"}}}}}`, 0)
	}).story(t, func(s *screen) {
		s.open("book")
		s.press("tab")
		s.want("result · input required", "the server asks before it answers", "Which day?")
	})
}

// calledAsTask is a call that became a task; more is what came of it.
func calledAsTask(more string) func(p *tape) {
	return func(p *tape) {
		p.answered("POST 5", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"book",`+modernMeta+`}}`,
			`{"jsonrpc":"2.0","id":5,"result":{"resultType":"task","taskId":"t-1","status":"working","statusMessage":"looking for seats"}}`, 0)
		if more != "" {
			p.answered("POST 6", `{"jsonrpc":"2.0","id":6,"method":"tasks/get","params":{"taskId":"t-1",`+modernMeta+`}}`,
				`{"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","taskId":"t-1",`+more+`}}`, 0)
		}
	}
}

func TestATaskTellsHowFarItIs(t *testing.T) {
	for _, tt := range []struct {
		more string
		want []string
	}{
		{"", []string{"result · task working · not asked any more", "task t-1 · working", "looking for seats"}},
		{`"status":"working","statusMessage":"two seats left"`, []string{"task working · asked 1 time · not asked any more", "two seats left"}},
		{`"status":"completed","result":{"content":[{"type":"text","text":"Seat 12."}]}`, []string{"ok · task completed · asked 1 time", "Seat 12.", "task t-1 · completed"}},
		{`"status":"failed","error":{"code":-32603,"message":"no seats"}`, []string{"✗ task failed", "no seats"}},
	} {
		remoteFile(t, modernHTTP, calledAsTask(tt.more)).story(t, func(s *screen) {
			s.open("book")
			s.press("tab")
			s.want(tt.want...)
		})
	}
}

func TestACancelledTaskIsNotSaidToWork(t *testing.T) {
	for _, tt := range []struct{ name, called, cancelled, want string }{
		{
			"2025-11-25", `{"jsonrpc":"2.0","id":5,"result":{"task":{"taskId":"t-1","status":"working"}}}`,
			`{"jsonrpc":"2.0","id":6,"result":{"taskId":"t-1","status":"cancelled"}}`, "result · ✗ task cancelled",
		},
		{
			"the extension", `{"jsonrpc":"2.0","id":5,"result":{"resultType":"task","taskId":"t-1","status":"working"}}`,
			`{"jsonrpc":"2.0","id":6,"result":{"resultType":"complete"}}`, "result · task working · told to stop",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			remoteFile(t, modernHTTP, func(p *tape) {
				p.answered("POST 5", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"book","task":{}}}`, tt.called, 0)
				p.answered("POST 6", `{"jsonrpc":"2.0","id":6,"method":"tasks/cancel","params":{"taskId":"t-1"}}`, tt.cancelled, 0)
			}).story(t, func(s *screen) {
				s.open("book")
				s.press("tab")
				s.want(tt.want)
				s.wantNot("x cancels")
			})
		})
	}
}

func TestALostCallSaysWhatHappened(t *testing.T) {
	remoteFile(t, legacyHTTP, lostCall).story(t, func(s *screen) {
		s.open("book")
		s.press("tab")
		s.want("✗ no answer: it was lost", "ended the stream of POST 6 before the answer to", "the server may have done what was asked all the same")
		s.press("4", "Z")
		s.want("✗ lost", "reconnecting: GET 3 ended, opened again after 250 ms", "info  back")
		s.press("h")
		s.want("GET 7     GET /mcp  after event 41", "event  id 42")
	})
}

func TestARefusedCallNamesTheStatus(t *testing.T) {
	remoteFile(t, legacyHTTP, func(p *tape) {
		seq := p.out("POST 6", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"book"}}`, 0)
		p.head("POST 6", wire.In, "HTTP/1.1 500 Internal Server Error", "Content-Type: text/html")
		p.put(wire.Frame{Dir: wire.In, Kind: wire.HTTP, Via: "POST 6"}, "<html><h1>Oops</h1></html>")
		p.event(wire.ConnEvent{Event: wire.EventLost, Seq: seq, Text: "http://127.0.0.1:8080/mcp answered 500 Internal Server Error: Oops"})
	}).story(t, func(s *screen) {
		s.open("book")
		s.press("tab")
		s.want("✗ no answer: HTTP 500 Internal Server Error", "answered 500 Internal Server Error: Oops")
		s.press("4", "h")
		s.want("✗ 500 Internal Server Error  text/", "body  <html><h1>Oops</h1></html>")
	})
}

func TestExcludedToolsAreStruckOut(t *testing.T) {
	u := remoteFile(t, modernHTTP)
	u.w, u.h = 110, 34
	u.story(t, func(s *screen) {
		s.want("✗ mirrored")
		s.find("mirrored")
		s.want("─ mirrored · ✗ excluded", "✗ excluded: must not be called over HTTP")
		if !strings.Contains(s.m.View().Content, "\x1b[9m") {
			t.Error("nothing is struck out")
		}
	})
	remoteFile(t, legacyHTTP).story(t, func(s *screen) {
		s.wantNot("✗ mirrored") // where nothing is repeated in header fields it can be called
	})
}

func TestTheServerPaneTellsOfStreams(t *testing.T) {
	remoteFile(t, legacyHTTP).story(t, func(s *screen) {
		s.press("6")
		s.want("6 server and streams", "2025-06-18 · legacy · the server's answer to 2025-11-25", "Streamable HTTP", "yes, …7TN2", "streams · 1 open", "GET 3")
		s.wantNot("stderr ·")
	})
	u := remoteFile(t, modernHTTP)
	u.w, u.h = 110, 34
	u.story(t, func(s *screen) {
		s.press("6")
		s.want("2026-07-28 · modern · server/discover lists 2026-07-28, 2025-11-25", "2026-07-28 has no sessions",
			"answers \"l\" subscriptions/listen", "list of tools, weather://today · 0 told")
		s.press("esc", "2")
		s.want("● today", "subscribed")
	})
}

func TestAnUncheckedCertificateIsAlwaysSaid(t *testing.T) {
	for _, w := range []int{80, 110} {
		u := remoteFile(t, modernHTTP)
		u.w, u.h = w, 24
		u.story(t, func(s *screen) {
			s.m.desk.sess.Warning = "certificate not checked"
			s.want("▲ certificate not checked", "● ready")
		})
	}
}

func TestSendingALostCallAgainIsAskedFirst(t *testing.T) {
	with(calling("hang")).story(t, func(s *screen) {
		s.ready()
		s.tellLive(wire.ConnEvent{Event: wire.EventSwitched, Transport: wire.TransportHTTP})
		s.call("print_env")
		s.until("waiting")
		var asked uint64
		for seq := s.log.Len(); asked == 0; seq-- {
			if r, _ := s.log.Record(seq); r.Method == "tools/call" {
				asked = seq
			}
		}
		s.headLive("POST 9", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
		s.tellLive(wire.ConnEvent{Event: wire.EventLost, Seq: asked, Text: "the stream broke"})
		s.want("✗ no answer: it was lost", "✗ the stream broke")
		n := len(s.sent(0))
		s.press("r")
		s.want("The answer to this call was lost", "print_env is not said to be read-only", "y send again")
		s.press("n")
		if len(s.sent(0)) != n {
			t.Fatal("it was sent")
		}
		s.press("r", "y")
		s.pass(time.Second)
		if len(s.sent(0)) != n+1 || !strings.Contains(s.last(), `"name":"print_env"`) {
			t.Errorf("sent %q", s.sent(n))
		}
	})
}

func TestAResourceIsSubscribedTo(t *testing.T) {
	with(weather+"on resources/subscribe {}\non resources/unsubscribe {}\n").story(t, func(s *screen) {
		s.ready()
		s.press("s")
		s.want("no resource is selected")
		s.press("2")
		s.want("s subscribe")
		s.press("s")
		s.pass(time.Second)
		s.want("subscribed to weather://stations", "● Weather stations")
		if !strings.Contains(s.last(), `"resources/subscribe"`) {
			t.Errorf("sent %s", s.last())
		}
		s.press("s")
		s.pass(time.Second)
		s.want("not subscribed to weather://stations any more")
		s.wantNot("● Weather stations")
	})
}

func TestRemoteScreens(t *testing.T) {
	big := func(u setup) setup { u.w, u.h = 120, 40; return u }
	for _, p := range []pictured{
		{"traffic", remoteFile(t, legacyHTTP, lostCall), func(s *screen) { s.press("4", "Z") }},
		{"traffic-http", remoteFile(t, legacyHTTP, lostCall), func(s *screen) { s.press("4", "Z", "h") }},
		{"traffic-http-120x40", big(remoteFile(t, legacyHTTP, lostCall)), func(s *screen) { s.press("4", "Z", "h") }},
		{"head", remoteFile(t, modernHTTP, calledInRounds), func(s *screen) {
			s.press("4", "/")
			s.write("5 tools/call")
			s.press("enter", "g", "enter", "H")
		}},
		{"rounds", remoteFile(t, modernHTTP, calledInRounds), func(s *screen) { s.open("book"); s.press("tab") }},
		{"rounds-120x40", big(remoteFile(t, modernHTTP, calledInRounds)), func(s *screen) { s.open("book") }},
		{"lost-120x40", big(remoteFile(t, legacyHTTP, lostCall)), func(s *screen) { s.open("book") }},
		{"excluded-120x40", big(remoteFile(t, modernHTTP)), func(s *screen) { s.press("G") }},
	} {
		p.run(t)
	}
}

// hostileHTTP is a session whose every part says the same text.
func hostileHTTP(text string) func(p *tape) {
	return func(p *tape) {
		text := text[:min(len(text), 1<<16)]
		legacyHTTP(p)
		q := quoted(text)
		p.event(wire.ConnEvent{Event: wire.EventSwitched, Transport: text, URL: text, Text: text})
		p.event(wire.ConnEvent{Event: wire.EventSwitched, Transport: wire.TransportHTTP, URL: text, Text: text})
		first := p.out("POST 6", `{"jsonrpc":"2.0","id":`+q+`,"method":"tools/call","params":{"name":"book",`+modernMeta+`}}`, 0, "Mcp-Name: "+text, text+": "+text, text)
		p.head("POST 6", wire.In, "HTTP/1.1 200 "+text, "Content-Type: "+text, text)
		p.put(wire.Frame{Dir: wire.In, Kind: wire.HTTP, Via: "POST 6"}, text)
		p.put(wire.Frame{Dir: wire.In, Kind: wire.HTTP, Via: "POST 6"}, "event: "+text+"\nid: "+text+"\ndata: "+text+"\n\n")
		p.sse("POST 6", text, `{"jsonrpc":"2.0","id":`+q+`,"result":{"resultType":"input_required","inputRequests":{`+q+`:{"method":`+q+`,"params":{"message":`+q+`}}},"requestState":`+q+`}}`)
		p.out("POST 7", `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"book","inputResponses":{`+q+`:`+q+`},`+modernMeta+`}}`, first)
		p.head("POST 7", wire.In, "HTTP/1.1 599 "+text, "Content-Type: text/html")
		lost := p.out("POST 8", `{"jsonrpc":"2.0","id":"y","method":"tools/call","params":{"name":"book"}}`, 0)
		p.event(wire.ConnEvent{Event: wire.EventLost, Seq: lost, Text: text})
		p.event(wire.ConnEvent{Event: wire.EventReconnecting, Via: text, Attempt: 1 << 40, Millis: 1 << 40, Text: text})
		p.event(wire.ConnEvent{Event: wire.EventDisconnected, Text: text})
	}
}

func TestNothingHTTPSaysBreaksTheScreen(t *testing.T) {
	for name, text := range uitest.Texts() {
		t.Run(name, func(t *testing.T) {
			remoteFile(t, hostileHTTP(text)).story(t, func(s *screen) {
				sizes := some
				if raceEnabled || len(text) > 1<<15 {
					sizes = some[:2]
				}
				look := func(keys ...string) {
					for _, k := range keys {
						s.press(k)
						s.fits(k, sizes)
					}
				}
				look("4", "h", "Z", "g", "G", "k", "k")
				for range 14 {
					look("enter", "b", "H", "p", "b", "esc", "k")
				}
				look("esc", "esc", "6", "G", "g", "esc", "1", "j", "enter", "tab", "G", "[", "G", "g", "[")
			})
		})
	}
}

func TestAnEventIsInWords(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{`{"event":"connected","epoch":2,"transport":"ws","url":"ws://h/x"}`, "connected again  over ws  ws://h/x"},
		{`{"event":"disconnected","text":"it went"}`, "✗ disconnected: it went"},
		{`{"event":"closed"}`, "closed by parley"},
		{`{"event":"lost","seq":7,"text":"gone"}`, "✗ no answer to frame 7: gone"},
		{`{"event":"abandoned","seq":7,"text":"cancelled"}`, "the answer to frame 7 is not waited for: cancelled"},
		{`{"event":"switched","transport":"sse","url":"http://h/sse","text":"405"}`, "over sse from here on  http://h/sse: 405"},
		{`{"event":"expired","text":"404"}`, "the session expired: the server does not know it any more: 404"},
		{`{"event":"notice","text":"said"}`, "said"},
		{`{"event":"strange","text":"x"}`, "strange  x"},
	} {
		if got := eventText([]byte(tt.raw)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.raw, got, tt.want)
		}
	}
}

// modernOverPipe is a server of 2026-07-28 whose answers count for a minute.
const modernOverPipe = `
on server/discover {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{},"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1.6.0"}}}
on tools/list {"resultType":"complete","tools":[{"name":"echo","inputSchema":{"type":"object"}}]}
on resources/list {"resultType":"complete","resources":[{"uri":"weather://stations","name":"stations"}]}
on resources/templates/list {"resultType":"complete","resourceTemplates":[]}
on resources/read {"resultType":"complete","ttlMs":60000,"cacheScope":"private","contents":[{"uri":"weather://stations","text":"all of them"}]}
`

func TestWhatCountsStillIsSaidAndAskedForAgain(t *testing.T) {
	u := with(modernOverPipe)
	u.client.Protocol, u.loose = "modern", true
	u.w, u.h = 110, 34
	u.story(t, func(s *screen) {
		s.ready()
		s.want("stdio   2026-07-28   modern")
		s.press("2", "enter")
		s.until("all of them")
		n := len(s.sent(0))
		s.press("esc", "enter")
		s.pass(time.Second)
		s.want("all of them", "not sent: cached until 09:39:50", "r asks again")
		if len(s.sent(0)) != n {
			t.Errorf("sent %q", s.sent(n))
		}
		s.press("tab", "r")
		s.pass(time.Second)
		s.wantNot("not sent")
		if len(s.sent(0)) != n+1 || !strings.Contains(s.last(), `"resources/read"`) || !strings.Contains(s.last(), `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`) {
			t.Errorf("sent %q", s.sent(n))
		}
	})
}

func TestRoundsAreAnsweredAndSentAgain(t *testing.T) {
	u := with(modernOverPipe + `
> tools/call
answer {"resultType":"input_required","requestState":"s1"}
> tools/call
answer {"resultType":"complete","content":[{"type":"text","text":"done at last"}]}
> tools/call
answer {"resultType":"complete","content":[{"type":"text","text":"done once more"}]}
`)
	u.client.Protocol, u.loose = "modern", true
	u.w, u.h = 110, 34
	u.story(t, func(s *screen) {
		s.ready()
		s.call("echo")
		s.until("done at last")
		s.want("ok · 2 rounds", "asks nothing: it wants to be asked again")
		s.press("tab", "r")
		s.until("done once more")
		s.want("call 2 of 2")
		if strings.Contains(s.last(), "requestState") {
			t.Errorf("sent %s", s.last())
		}
	})
}
