package history

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/client/wire"
)

// overHTTP is talk for lines that begin with a via and a bar, "POST 1|> 0 initialize".
// A mark of "H> " or "H< " makes a frame of kind HTTP; in it "\n" is a line end.
func overHTTP(lines ...string) []wire.Frame {
	var frames []wire.Frame
	for _, line := range lines {
		via, rest, ok := strings.Cut(line, "|")
		if !ok {
			via, rest = "", line
		}
		var f wire.Frame
		if text, isHTTP := strings.CutPrefix(rest, "H"); isHTTP {
			raw := []byte(strings.ReplaceAll(text[2:], `\n`, "\n"))
			f = wire.Frame{Dir: wire.Out, Kind: wire.HTTP, Raw: raw, Size: int64(len(raw))}
			if text[0] == '<' {
				f.Dir = wire.In
			}
		} else {
			f = talk(rest)[0]
		}
		f.Via = via
		frames = append(frames, f)
	}
	return frames
}

func foldHTTP(t *testing.T, lines ...string) (*State, *Log) {
	t.Helper()
	l, file := record(t, overHTTP(lines...)...)
	reopened := open(t, string(file.b))
	same(t, l, reopened)
	var live, again State
	live.CatchUp(l)
	again.CatchUp(l)
	sameState(t, &live, l, reopened)
	return &again, l
}

const (
	onHTTP   = `* {"event":"connected","epoch":1,"transport":"http","url":"http://h/mcp"}`
	post     = `H> POST /mcp HTTP/1.1\nHost: h\n`
	json200  = `H< HTTP/1.1 200 OK\nContent-Type: application/json; charset=utf-8\n`
	sse200   = `H< HTTP/1.1 200 OK\ncontent-TYPE:Text/Event-Stream;charset=utf-8\n`
	accepted = `H< HTTP/1.1 202 Accepted\n`
)

func TestHTTPFramesSayWhatTheyAre(t *testing.T) {
	for _, c := range []struct {
		dir          wire.Dir
		raw          string
		method, name string
		status       int64
	}{
		{wire.Out, "POST /mcp?x=1 HTTP/1.1\r\nHost: h\r\n", "POST", "/mcp?x=1", 0},
		{wire.In, "HTTP/1.1 404 Not Found\r\nContent-Type: text/html; charset=utf-8\r\n", "", "text/html", 404},
		{wire.In, "HTTP/2.0 202 Accepted\r\n", "", "", 202},
		{wire.In, "HTTP/1.1 ok\r\n", HTTPBody, "", 0},
		{wire.In, "data: {}\n\n", HTTPEvent, "", 0},
		{wire.In, "\ufeffid: 7\r\ndata\r\n\r\n", HTTPEvent, "", 0},
		{wire.In, "data: /m?s=1\revent: endpoint\r\r", HTTPEvent, "endpoint", 0},
		{wire.In, "event:message\ndata: {}\n\n", HTTPEvent, "", 0},
		{wire.In, "foo: bar\ndata: x\n\n", HTTPEvent, "", 0},
		{wire.In, ": keep-alive\n\n", HTTPComment, "", 0},
		{wire.In, ":\r\n\r\n", HTTPComment, "", 0},
		{wire.In, "404 page not found\n", HTTPBody, "", 0},
		{wire.In, "<html>\n<script>\ndata: 1\n", HTTPBody, "", 0},
		{wire.In, `{"detail":"Not Found"}`, HTTPBody, "", 0},
		{wire.In, "error: no\n", HTTPBody, "", 0},
		{wire.In, "", "", "", 0},
	} {
		h := headOf(c.dir, wire.HTTP, nil, []byte(c.raw))
		if h.Method != c.method || h.Name != c.name || h.ID.Num != c.status || (h.ID.Type == wire.NumberID) != (c.status != 0) {
			t.Errorf("%q: %q %q %v", c.raw, h.Method, h.Name, h.ID)
		}
	}
}

// Whatever the bytes are, they are one of the five, and nothing is said twice.
func FuzzHTTPHead(f *testing.F) {
	for _, raw := range []string{"HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n", "data: x\n\n", ": c\n\n", "event: e\r\r", "<html>", "POST / HTTP/1.1"} {
		f.Add(raw, true)
	}
	f.Fuzz(func(t *testing.T, raw string, out bool) {
		dir := wire.In
		if out {
			dir = wire.Out
		}
		h := headOf(dir, wire.HTTP, nil, []byte(raw))
		status := h.ID.Type == wire.NumberID
		if (h.Method == "") != (status || raw == "") || out && status {
			t.Errorf("%q: %+v", raw, h)
		}
	})
}

func TestEventsInRecords(t *testing.T) {
	l, _ := record(t, talk(onHTTP, `* {"event":"reconnecting","via":"GET 3","attempt":2,"ms":250}`,
		`* {"event":"switched","transport":"sse","url":"http://h/sse"}`, `* {"event":"lost","seq":4,"text":"x"}`)...)
	for seq, want := range map[uint64]Record{
		1: {Method: "connected", Name: "http", ID: wire.Int(1)},
		2: {Method: "reconnecting", Via: "GET 3", ID: wire.Int(2)},
		3: {Method: "switched", Name: "sse"},
		4: {Method: "lost", Token: wire.Int(4)},
	} {
		r, _ := l.Record(seq)
		if r.Method != want.Method || r.Name != want.Name || r.Via != want.Via || r.ID != want.ID || r.Token != want.Token {
			t.Errorf("%+v", r)
		}
	}
}

func TestPhasesOfBothEras(t *testing.T) {
	connected := `* {"event":"connected","epoch":1,"transport":"http"}`
	for _, c := range []struct {
		lines  []string
		want   Phase
		modern bool
		server uint64
	}{
		{[]string{connected, "> 0 server/discover"}, Handshaking, true, 0},
		{[]string{connected, "> 0 server/discover", "< 0 ok"}, Ready, true, 3},
		{[]string{connected, "> 0 server/discover", "< 0 err"}, Connected, true, 0},
		{[]string{connected, "> 0 server/discover", "< 0 err", "> 1 initialize"}, Handshaking, false, 0},
		{[]string{connected, "> 0 server/discover", "< 0 err", "> 1 initialize", "< 1 ok"}, Ready, false, 5},
		{[]string{connected, "> 0 server/discover", "> 1 initialize", "< 0 err"}, Handshaking, false, 0},
		{[]string{connected, "> 0 server/discover", "> 1 initialize", "< 0 ok"}, Handshaking, false, 0},
		{[]string{connected, "> 0 server/discover", "> 1 initialize", "< 1 ok", "< 0 ok"}, Ready, false, 4},
		{[]string{connected, "> 0 initialize", "< 0 ok", "> 1 server/discover", "< 1 ok"}, Ready, false, 3},
		{[]string{connected, "> 0 server/discover", "< 0 ok", "> 1 server/discover", "< 1 ok"}, Ready, true, 5},
		{[]string{connected, "> 0 server/discover", "< 0 ok", "> 1 initialize", "< 1 err"}, Ready, true, 3},
		{[]string{connected, "> 0 server/discover", "< 0 ok", "> 1 initialize", "< 1 ok"}, Ready, false, 5},
		{[]string{connected, "> 0 server/discover", "< 0 ok", `* {"event":"connected","epoch":2}`}, Connected, false, 3},
		{[]string{connected, "> 0 initialize", "< 0 ok", `* {"event":"expired","seq":9}`}, Connected, false, 3},
		{[]string{connected, "> 0 initialize", "< 0 ok", `* {"event":"expired"}`, "> 5 initialize"}, Handshaking, false, 3},
		{[]string{connected, "> 0 initialize", "< 0 ok", `* {"event":"expired"}`, "> 5 initialize", "< 5 ok"}, Ready, false, 6},
		{[]string{connected, `* {"event":"disconnected","text":"reset"}`}, Disconnected, false, 0},
		{[]string{connected, `* {"event":"disconnected"}`, `* {"event":"closed"}`}, Disconnected, false, 0},
		{[]string{connected, `* {"event":"closed"}`, `* {"event":"disconnected"}`}, Closed, false, 0},
		{[]string{connected, `* {"event":"disconnected"}`, connected}, Connected, false, 0},
	} {
		s := fold(t, c.lines...)
		if s.Phase() != c.want || s.Modern() != c.modern || s.ServerInfo() != c.server || s.Epoch() == 0 {
			t.Errorf("%q: %v, modern %v, server %d; want %v, %v, %d", c.lines, s.Phase(), s.Modern(), s.ServerInfo(), c.want, c.modern, c.server)
		}
	}
	if s := fold(t, connected, `* {"event":"disconnected"}`); s.phase.String() != "disconnected" {
		t.Error(s.phase)
	} else if _, _, seq := s.Exited(); seq != 2 {
		t.Error(seq)
	}
}

func TestTransport(t *testing.T) {
	for want, lines := range map[string][]string{
		"stdio": {`* {"event":"connected","epoch":1}`},
		"http":  {onHTTP},
		"sse":   {onHTTP, `* {"event":"switched","transport":"sse"}`},
		"tcp":   {onHTTP, `* {"event":"switched","transport":"sse"}`, `* {"event":"connected","epoch":2,"transport":"tcp"}`},
	} {
		if s := fold(t, lines...); s.Transport() != want {
			t.Errorf("%q: %s", lines, s.Transport())
		}
	}
}

func TestStatusesOverHTTP(t *testing.T) {
	for _, c := range []struct {
		lines   []string
		want    Status
		pending int
	}{
		{[]string{"> 1 tools/call", `* {"event":"lost","seq":1,"text":"x"}`}, Lost, 0},
		{[]string{"> 1 tools/call", `* {"event":"lost","seq":1}`, "< 1 ok"}, OK, 0},
		{[]string{"> 1 tools/call", `* {"event":"lost","seq":7}`}, Pending, 1},
		{[]string{"> 1 tools/call", `* {"event":"abandoned","seq":1}`}, Cancelled, 0},
		{[]string{"> 1 tools/call", `* {"event":"abandoned","seq":1}`, `* {"event":"lost","seq":1}`}, Cancelled, 0},
		{[]string{"> 1 tools/call", "< 1 ok", `* {"event":"lost","seq":1}`}, OK, 0},
		{[]string{"> 1 tools/call", `* {"event":"expired","seq":1}`}, Lost, 0},
		{[]string{"> 1 tools/call", `* {"event":"expired"}`}, Pending, 1},
		{[]string{"> 1 tools/call", `* {"event":"disconnected"}`}, Lost, 0},
		{[]string{"> 1 tools/call", `< 1 ok {"resultType":"task"}`}, OK, 0},
		{[]string{"> 1 tools/call", `< 1 ok {"resultType":"input_required"}`}, InputRequired, 0},
		{[]string{"> 1 tools/call", `< 1 ok {"resultType":"complete"}`}, OK, 0},
	} {
		s := fold(t, c.lines...)
		if x, _ := s.Exchange(1); x.Status != c.want || len(s.Pending()) != c.pending {
			t.Errorf("%q: %v, pending %v", c.lines, x.Status, s.Pending())
		}
	}
	s := fold(t, `> [{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}]`, "< 1 ok", `* {"event":"lost","seq":1}`)
	for i, want := range []Status{OK, Lost} {
		if x, _ := s.ExchangeOf(wire.Ref{Seq: 1, Member: int32(i + 1)}); x.Status != want {
			t.Errorf("member %d: %v", i+1, x.Status)
		}
	}
}

func TestExpiredSessionMakesListsStale(t *testing.T) {
	lines := []string{onHTTP, "> 0 initialize", "< 0 ok", "> 1 tools/list", "< 1 ok", `> 2 resources/subscribe {"uri":"u"}`, "< 2 ok"}
	if s := fold(t, lines...); s.Stale("tools/list") || len(s.Subscriptions()) != 1 {
		t.Error("before")
	}
	lines = append(lines, `* {"event":"expired"}`)
	if s := fold(t, lines...); !s.Stale("tools/list") || len(s.Subscriptions()) != 0 || s.ServerInfo() != 3 {
		t.Error("after it")
	}
	lines = append(lines, "> 3 initialize", "< 3 ok", "> 4 tools/list", "< 4 ok")
	if s := fold(t, lines...); s.Stale("tools/list") || s.Phase() != Ready {
		t.Error("listed anew")
	}
}

func TestStreams(t *testing.T) {
	lines := []string{onHTTP,
		"POST 1|> 0 initialize", "POST 1|" + post, "POST 1|" + json200, "POST 1|< 0 ok", // 5
		"POST 2|> notifications/initialized", "POST 2|" + post, "POST 2|" + accepted, // 8
		`GET 3|H> GET /mcp HTTP/1.1\n`, "GET 3|" + sse200, `GET 3|H< : hello\n\n`, `GET 3|H< data: {}\n\n`, // 12
		"POST 4|> 1 tools/call", "POST 4|" + post, "POST 4|" + sse200, `POST 4|H< id: 1\ndata\n\n`, // 16
	}
	show := func(s *State) string {
		var words []string
		for _, st := range s.Streams() {
			words = append(words, fmt.Sprintf("%s of %d at %d events %d open %v", st.Via, st.Request, st.Seq, st.Events, st.Open))
			if st.Opened.IsZero() {
				t.Error("no time")
			}
		}
		return strings.Join(words, "; ")
	}
	for _, c := range []struct {
		more []string
		want string
	}{
		{nil, "GET 3 of 0 at 10 events 1 open true; POST 4 of 13 at 15 events 1 open true"},
		{[]string{"POST 4|< 1 ok"}, "GET 3 of 0 at 10 events 1 open true"},
		{[]string{`* {"event":"lost","seq":13}`}, "GET 3 of 0 at 10 events 1 open true"},
		{[]string{`* {"event":"abandoned","seq":13}`}, "GET 3 of 0 at 10 events 1 open true"},
		{[]string{`* {"event":"reconnecting","via":"GET 3","attempt":1}`}, "GET 3 of 0 at 10 events 1 open false; POST 4 of 13 at 15 events 1 open true"},
		{[]string{`* {"event":"reconnecting","via":"POST 4","attempt":1}`, `GET 5|H> GET /mcp HTTP/1.1\n`, "GET 5|" + sse200},
			"GET 3 of 0 at 10 events 1 open true; GET 5 of 0 at 19 events 0 open true"},
		{[]string{`* {"event":"reconnecting","via":"POST 4","attempt":1}`, `GET 5|H> GET /mcp HTTP/1.1\n`, "GET 5|" + sse200, `GET 5|H< data: {}\n\n`, "GET 5|< 1 ok"},
			"GET 3 of 0 at 10 events 1 open true; GET 5 of 0 at 19 events 1 open false"},
		{[]string{`GET 5|H> GET /mcp HTTP/1.1\n`, `GET 5|H< HTTP/1.1 405 Method Not Allowed\n`}, "GET 3 of 0 at 10 events 1 open true; POST 4 of 13 at 15 events 1 open true"},
		{[]string{`* {"event":"expired"}`}, ""},
		{[]string{`* {"event":"closed"}`}, ""},
	} {
		s, _ := foldHTTP(t, append(slices.Clone(lines), c.more...)...)
		if got := show(s); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.more, got, c.want)
		}
	}
	batch := []string{onHTTP, `POST 1|> [{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}]`, "POST 1|" + sse200, "POST 1|< 1 ok"}
	if s, _ := foldHTTP(t, batch...); show(s) != "POST 1 of 2 at 3 events 0 open true" {
		t.Error(show(s))
	}
	if s, _ := foldHTTP(t, append(batch, "POST 1|< 2 ok")...); show(s) != "" {
		t.Error(show(s))
	}
	many := []string{onHTTP}
	for i := range 3 * maxClosed {
		many = append(many, fmt.Sprintf("GET %d|%s", i, sse200), fmt.Sprintf(`* {"event":"reconnecting","via":"GET %d","attempt":1}`, i))
	}
	if s, _ := foldHTTP(t, many...); len(s.Streams()) != maxClosed || s.Streams()[0].Via != fmt.Sprintf("GET %d", 2*maxClosed) {
		t.Errorf("%d streams kept", len(s.Streams()))
	}
}

func TestHTTPOfAFrame(t *testing.T) {
	s, l := foldHTTP(t, onHTTP,
		"POST 1|> 0 initialize", "POST 1|"+post, // 3
		"POST 2|> 1 ping", "POST 1|"+sse200, "POST 2|"+post, `POST 1|H< data: {}\n\n`, "POST 1|< 0 ok", // 8
		`* {"event":"reconnecting","via":"POST 1","attempt":1}`, "! x", // 10
		`* {"event":"connected","epoch":2,"transport":"http"}`, "POST 1|> 0 initialize", // 12
		`* {"event":"connected","epoch":3,"transport":"ws"}`, `ws|H> GET /ws HTTP/1.1\n`, `ws|H< HTTP/1.1 101 Switching Protocols\n`, "ws|> 0 ping", "ws|< 0 ok", // 17
		`* {"event":"connected","epoch":4}`, "stdio|> 0 ping")
	for seq, want := range map[uint64][]uint64{
		1: nil, 2: {2, 3, 5, 7, 8, 9}, 8: {2, 3, 5, 7, 8, 9}, 9: {2, 3, 5, 7, 8, 9}, 4: {4, 6}, 10: nil, 12: {12}, 14: {14, 15}, 17: {14, 15}, 19: nil, 99: nil,
	} {
		if got := s.HTTP(seq); !slices.Equal(got, want) {
			t.Errorf("of %d: %v, want %v", seq, got, want)
		}
		if got := l.HTTP(seq); !slices.Equal(got, want) {
			t.Errorf("log, of %d: %v, want %v", seq, got, want)
		}
	}
	var then State
	then.Fold(l, 5, nil)
	if got := then.HTTP(2); !slices.Equal(got, []uint64{2, 3, 5}) {
		t.Errorf("as it was: %v", got)
	}
}

// A session over HTTP stays within what a frame may cost, also with rounds.
func TestMemoryOfAnHTTPSession(t *testing.T) {
	const exchanges = 10_000
	var frames []wire.Frame
	for i := range exchanges {
		via := fmt.Sprintf("POST %d|", i+1)
		text := []string{via + fmt.Sprintf(`> %d tools/call {"name":"f"}`, i), via + post, via + json200, via + fmt.Sprintf("< %d ok", i)}
		switch i % 3 {
		case 1:
			text = append(text[:2], via+sse200, via+`H< data: {}\n\n`, text[3])
		case 2:
			text[3] = via + fmt.Sprintf(`< %d ok {"resultType":"input_required"}`, i)
		}
		more := overHTTP(text...)
		if i%3 == 0 && i > 0 {
			more[0].Of = uint64(len(frames)) - 3
		}
		frames = append(frames, more...)
	}
	before := heap()
	l, err := Create(Options{Spool: true})
	if err != nil {
		t.Fatal(err)
	}
	for some := range slices.Chunk(frames, 100) {
		l.Append(some)
	}
	var s State
	s.CatchUp(l)
	l.buf, l.placed, s.buf = nil, nil, nil
	per := float64(heap()-before) / float64(l.Len())
	runtime.KeepAlive(frames)
	t.Logf("%d frames, %.1f bytes each", l.Len(), per)
	if per > 80 {
		t.Errorf("%.1f bytes a frame", per)
	}
	if x, _ := s.Exchange(l.Len()); x.Response.Seq == 0 || len(s.exchanges.before) == 0 || len(s.streams) != 0 {
		t.Errorf("%+v, %d rounds, %d streams", x, len(s.exchanges.before), len(s.streams))
	}
	_ = l.Close()
}
