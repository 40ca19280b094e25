package history

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/client/wire"
)

// talk makes frames of lines: "> " sent, "< " received, "! " standard error,
// "* " an event. Short forms of messages are spelled out by expand.
func talk(lines ...string) []wire.Frame {
	var frames []wire.Frame
	for _, line := range lines {
		switch raw := expand(line[2:]); line[:2] {
		case "> ":
			frames = append(frames, sent(raw))
		case "< ":
			frames = append(frames, received(raw))
		case "! ":
			frames = append(frames, stderrLine(raw))
		case "* ":
			frames = append(frames, event(raw))
		default:
			panic(line)
		}
	}
	return frames
}

// expand spells out "id method {params}", "method {params}", "id ok {result}",
// "id err"; what begins with { or [ is as it stands.
func expand(s string) string {
	if strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
		return s
	}
	words := append(strings.SplitN(s, " ", 3), "", "")
	isID := strings.ContainsAny(words[0][:1], `"0123456789`)
	body := func(key, text string) string {
		if text == "" {
			return ""
		}
		return fmt.Sprintf(`,%q:%s`, key, text)
	}
	switch {
	case isID && words[1] == "ok":
		if words[2] == "" {
			words[2] = "{}"
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s%s}`, words[0], body("result", words[2]))
	case isID && words[1] == "err":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, words[0])
	case isID:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, words[0], words[1], body("params", words[2]))
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q%s}`, words[0], body("params", strings.TrimSpace(words[1]+" "+words[2])))
}

// fold records the lines and returns the state after them.
func fold(t *testing.T, lines ...string) *State {
	t.Helper()
	l, _ := record(t, talk(lines...)...)
	var s State
	s.CatchUp(l)
	return &s
}

func TestPhases(t *testing.T) {
	connected := `* {"event":"connected","epoch":1}`
	for _, c := range []struct {
		lines []string
		want  Phase
		epoch int
	}{
		{nil, Idle, 0},
		{[]string{connected}, Connected, 1},
		{[]string{connected, "> 0 ping", "< 0 ok"}, Connected, 1},
		{[]string{connected, "> 0 initialize"}, Handshaking, 1},
		{[]string{connected, "> 0 initialize", "< 0 ok"}, Ready, 1},
		{[]string{connected, "> 0 initialize", "< 0 err"}, Connected, 1},
		{[]string{connected, "> 0 initialize", `< "0" ok`}, Handshaking, 1},
		{[]string{connected, "> 0 initialize", "< 0 ok", "> 1 initialize"}, Ready, 1},
		{[]string{connected, `* {"event":"exited","code":7}`}, Exited, 1},
		{[]string{connected, `* {"event":"closed"}`, `* {"event":"exited","signal":"SIGTERM"}`}, Closed, 1},
		{[]string{connected, `* {"event":"exited","code":0}`, `* {"event":"closed"}`}, Exited, 1},
		{[]string{connected, `* {"event":"exited","code":0}`, `* {"event":"connected","epoch":2}`}, Connected, 2},
		{[]string{`* {"event":"connected"}`, `* {"event":"connected"}`, `* {"event":"notice","text":"x"}`}, Connected, 2},
	} {
		s := fold(t, c.lines...)
		if s.Phase() != c.want || s.Epoch() != c.epoch {
			t.Errorf("%q: %v in epoch %d, want %v in %d", c.lines, s.Phase(), s.Epoch(), c.want, c.epoch)
		}
	}
}

func TestExited(t *testing.T) {
	s := fold(t, `* {"event":"connected","epoch":1}`, `* {"event":"exited","code":0}`)
	if code, signal, seq := s.Exited(); code == nil || *code != 0 || signal != "" || seq != 2 {
		t.Error(code, signal, seq)
	}
	s = fold(t, `* {"event":"connected","epoch":1}`, `* {"event":"exited","signal":"SIGSEGV"}`)
	if code, signal, seq := s.Exited(); code != nil || signal != "SIGSEGV" || seq != 2 {
		t.Error(code, signal, seq)
	}
	s = fold(t, `* {"event":"exited","code":1}`, `* {"event":"connected","epoch":2}`)
	if code, signal, seq := s.Exited(); code != nil || signal != "" || seq != 0 {
		t.Error(code, signal, seq)
	}
}

func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		lines   []string
		want    Status
		answer  uint64
		pending int
	}{
		{[]string{"> 1 tools/call"}, Pending, 0, 1},
		{[]string{"> 1 tools/call", "< 1 ok"}, OK, 2, 0},
		{[]string{"> 1 tools/call", `< 1 ok {"isError":true}`}, ToolError, 2, 0},
		{[]string{"> 1 tools/call", "< 1 err"}, RPCError, 2, 0},
		{[]string{"> 1 tools/call", `< "1" ok`}, Pending, 0, 1},
		{[]string{"> 1 tools/call", "> 1 ok"}, Pending, 0, 1},
		{[]string{"> 1 tools/call", `> notifications/cancelled {"requestId":1}`}, Cancelled, 0, 0},
		{[]string{"> 1 tools/call", `< notifications/cancelled {"requestId":1}`}, Pending, 0, 1},
		{[]string{"> 1 tools/call", `> notifications/cancelled {"requestId":"1"}`}, Pending, 0, 1},
		{[]string{"> 1 tools/call", `> notifications/cancelled {"requestId":1}`, "< 1 ok"}, OK, 3, 0},
		{[]string{"> 1 tools/call", "< 1 ok", `> notifications/cancelled {"requestId":1}`}, OK, 2, 0},
		{[]string{"> 1 tools/call", `* {"event":"exited","code":1}`}, Lost, 0, 0},
		{[]string{"> 1 tools/call", `* {"event":"closed"}`}, Lost, 0, 0},
		{[]string{"> 1 tools/call", `* {"event":"closed"}`, "< 1 ok"}, OK, 3, 0},
		{[]string{"> 1 tools/call", `* {"event":"connected","epoch":2}`, "< 1 ok"}, Lost, 0, 0},
		{[]string{"> 1 tools/call", `* {"event":"connected","epoch":2}`, "> 1 ping", "< 1 ok"}, Lost, 0, 0},
		{[]string{"> 1 tools/call", `> notifications/cancelled {"requestId":1}`, `* {"event":"exited","code":1}`}, Cancelled, 0, 0},
		{[]string{"> 1 tools/call", `* {"event":"write-failed","seq":1}`}, Lost, 0, 0},
		{[]string{"> 1 tools/call", "> 1 ping", "< 1 ok"}, Pending, 0, 1}, // the newest of two gets the answer
		{[]string{"> 1 tools/call", "> 1 ping", "< 1 ok", "< 1 err"}, RPCError, 4, 0},
	} {
		s := fold(t, c.lines...)
		x, ok := s.Exchange(1)
		if !ok || x.Status != c.want || x.Response.Seq != c.answer || len(s.Pending()) != c.pending {
			t.Errorf("%q: %+v, pending %v", c.lines, x, s.Pending())
		}
		if x.Method != "tools/call" || x.ID != wire.Int(1) || x.Dir != wire.Out || x.Sent.IsZero() || x.Answered.IsZero() != (c.answer == 0) {
			t.Errorf("%q: %+v", c.lines, x)
		}
	}
}

func TestExchangesBothWays(t *testing.T) {
	s := fold(t,
		`> 1 tools/call {"name":"f","_meta":{"progressToken":"p"}}`,
		`< 1 sampling/createMessage`,
		`< notifications/progress {"progressToken":"p","progress":1}`,
		`> 1 ok`,
		`< notifications/progress {"progressToken":"p","progress":2}`,
		`< notifications/progress {"progressToken":"q","progress":2}`,
		`> notifications/progress {"progressToken":"p","progress":3}`,
		`< 1 ok`,
		`< notifications/progress {"progressToken":"p","progress":4}`,
		`< 1 ok`,
		`< 2 roots/list`,
		`< 9 ok`,
	)
	ours, _ := s.Exchange(8)
	if ours.Request.Seq != 1 || ours.Name != "f" || ours.Progress != 2 {
		t.Errorf("%+v", ours)
	}
	if !slices.Equal(s.Progress(1, 9), []uint64{3, 5}) || !slices.Equal(s.Progress(1, 1), []uint64{5}) || len(s.Progress(1, 0)) != 0 {
		t.Errorf("progress %v", s.Progress(1, 9))
	}
	theirs, _ := s.Exchange(2)
	if theirs.Response.Seq != 4 || theirs.Dir != wire.In || theirs.Method != "sampling/createMessage" {
		t.Errorf("%+v", theirs)
	}
	for seq, partner := range map[uint64]uint64{1: 8, 8: 1, 2: 4, 4: 2, 10: 1, 3: 0, 11: 0, 12: 0, 99: 0} {
		if got := s.Partner(seq); got != partner {
			t.Errorf("partner of %d: %d, want %d", seq, got, partner)
		}
	}
	if got := s.Asks(); len(got) != 1 || got[0].Seq != 11 {
		t.Errorf("asks %v", got)
	}
	if _, ok := s.Exchange(12); ok {
		t.Error("an answer to nothing has an exchange")
	}
}

func TestBatchesHaveExchanges(t *testing.T) {
	s := fold(t,
		`> [{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":2,"method":"b"}]`,
		`< [{"jsonrpc":"2.0","id":2,"result":{}},7,{"jsonrpc":"2.0","id":1,"result":{}}]`,
		`> [{"jsonrpc":"2.0","id":3,"method":"c"},{"jsonrpc":"2.0","id":4,"method":"d"}]`,
	)
	x, ok := s.ExchangeOf(wire.Ref{Seq: 1, Member: 3})
	if !ok || x.Method != "b" || x.ID != wire.Int(2) || x.Response != (wire.Ref{Seq: 2, Member: 1}) {
		t.Errorf("%+v", x)
	}
	x, ok = s.ExchangeOf(wire.Ref{Seq: 2, Member: 3})
	if !ok || x.Method != "a" || x.Request != (wire.Ref{Seq: 1, Member: 1}) {
		t.Errorf("%+v", x)
	}
	if _, ok := s.ExchangeOf(wire.Ref{Seq: 1, Member: 2}); ok {
		t.Error("a notification has an exchange")
	}
	if x, _ = s.Exchange(1); x.Method != "a" || s.Partner(1) != 2 || s.Partner(2) != 1 {
		t.Errorf("%+v", x)
	}
	if got := s.Pending(); !slices.Equal(got, []uint64{3}) {
		t.Errorf("pending %v", got)
	}
	if c := s.Counts(); c.Requests != 4 || c.Responses != 2 || c.Notifications != 1 || c.Out != 2 || c.In != 1 {
		t.Errorf("%+v", c)
	}
}

func TestPages(t *testing.T) {
	first := []string{
		`* {"event":"connected","epoch":1}`, // 1
		"> 1 tools/list",                    // 2
		`< 1 ok {"tools":[],"nextCursor":"a"}`,
		`> 2 tools/list {"cursor":"a"}`,
		`< 2 ok {"tools":[]}`, // 5
	}
	for _, c := range []struct {
		more  []string
		want  []uint64
		stale bool
	}{
		{nil, []uint64{3, 5}, false},
		{[]string{"> 3 tools/list"}, []uint64{3, 5}, false},
		{[]string{"> 3 tools/list", "< 3 err"}, []uint64{3, 5}, false},
		{[]string{"> 3 tools/list", "< 3 ok"}, []uint64{7}, false},
		{[]string{"> 3 tools/list", `< 3 ok {"nextCursor":"b"}`, `> 4 tools/list {"cursor":"b"}`, "< 4 ok"}, []uint64{7, 9}, false},
		{[]string{"> 3 resources/list", "< 3 ok"}, []uint64{3, 5}, false},
		{[]string{"< notifications/tools/list_changed"}, []uint64{3, 5}, true},
		{[]string{"< notifications/resources/list_changed"}, []uint64{3, 5}, false},
		{[]string{"> notifications/tools/list_changed"}, []uint64{3, 5}, false},
		{[]string{"< notifications/tools/list_changed", "> 3 tools/list"}, []uint64{3, 5}, true},
		{[]string{"< notifications/tools/list_changed", "> 3 tools/list", "< 3 ok"}, []uint64{8}, false},
		{[]string{"> 3 tools/list", "< notifications/tools/list_changed", "< 3 ok"}, []uint64{8}, true},
		{[]string{`* {"event":"exited","code":0}`}, []uint64{3, 5}, false},
		{[]string{`* {"event":"connected","epoch":2}`}, []uint64{3, 5}, true},
		{[]string{`* {"event":"connected","epoch":2}`, "> 1 tools/list", "< 1 ok"}, []uint64{8}, false},
		{[]string{"> 3 tools/list", "> 4 tools/list", "< 3 ok", "< 4 ok"}, []uint64{9}, false},
		{[]string{`> [{"jsonrpc":"2.0","id":3,"method":"tools/list"}]`, `< [{"jsonrpc":"2.0","id":3,"result":{}}]`}, []uint64{7}, false},
	} {
		s := fold(t, append(slices.Clone(first), c.more...)...)
		if got := s.Pages("tools/list"); !slices.Equal(got, c.want) || s.Stale("tools/list") != c.stale {
			t.Errorf("%q: %v stale %v, want %v stale %v", c.more, got, s.Stale("tools/list"), c.want, c.stale)
		}
	}
	s := fold(t, "> 1 resources/templates/list", "< 1 ok", "< notifications/resources/list_changed")
	if len(s.Pages("resources/list")) != 0 || s.Stale("resources/list") || !s.Stale("resources/templates/list") || s.Pages("x/list") != nil {
		t.Error("resources")
	}
}

func TestLogsAndSubscriptions(t *testing.T) {
	s := fold(t,
		`> 1 resources/subscribe {"uri":"b"}`, `> 2 resources/subscribe {"uri":"a"}`, `> 3 resources/subscribe {"uri":"c"}`,
		"< 1 ok", "< 2 ok", "< 3 err", // 6
		`< notifications/message {"level":"info"}`, `! x`, `< notifications/message {"level":"info"}`, // 9
		`> 4 resources/unsubscribe {"uri":"b"}`, "< 4 ok",
	)
	if got := s.Subscriptions(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%v", got)
	}
	if got := s.Logs(8, 20); !slices.Equal(got, []uint64{9}) {
		t.Errorf("%v", got)
	}
	if got := s.Logs(0, 20); len(got) != 2 || s.Logs(20, 0) != nil {
		t.Errorf("%v", got)
	}
}

// A frame in parts counts when its end came, live as well as reopened.
func TestFramesInPartsAreAppliedAtTheirEnd(t *testing.T) {
	l, file := record(t, talk("> 1 a")...)
	var live State
	parts := inParts(received(expand(`1 ok {"x":"yyyyyyyyyyyyyyyyyyy"}`)), 30)
	seq := l.Append(parts[:1])
	l.Append(talk(`> notifications/cancelled {"requestId":1}`))
	live.CatchUp(l)
	if x, _ := live.Exchange(1); x.Status != Cancelled {
		t.Errorf("before the end: %+v", x)
	}
	parts[1].Seq = seq
	l.Append(parts[1:])
	if !live.CatchUp(l) {
		t.Error("nothing new")
	}
	l.Append(talk("< 1 err", "> 2 b"))
	live.CatchUp(l)
	if x, _ := live.Exchange(1); x.Status != OK || x.Response.Seq != 2 {
		t.Errorf("%+v", x)
	}
	if live.CatchUp(l) {
		t.Error("something new")
	}
	sameState(t, &live, l, open(t, string(file.b)))
}

// sameState folds the reopened log, at once and in steps, and compares.
func sameState(t *testing.T, live *State, l, reopened *Log) {
	t.Helper()
	var once, steps State
	once.CatchUp(reopened)
	for limit := uint64(0); limit <= reopened.Len(); limit += 3 {
		steps.Fold(reopened, limit, nil)
	}
	steps.CatchUp(reopened)
	live.CatchUp(l)
	for _, s := range []*State{live, &once, &steps} {
		s.index, s.buf = nil, nil
	}
	if !reflect.DeepEqual(*live, once) {
		t.Errorf("live\n%+v\nreopened\n%+v", *live, once)
	}
	if !reflect.DeepEqual(steps, once) {
		t.Errorf("in steps\n%+v\nat once\n%+v", steps, once)
	}
}

// randomFrames is a conversation of a mad client with a mad server.
func randomFrames(r *rand.Rand, n int) []wire.Frame {
	ids := []string{"1", "2", "3", `"1"`, `"x"`, "1.5", "null"}
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	var frames []wire.Frame
	for len(frames) < n {
		if fresh := len(frames) + 10; r.IntN(12) == 0 { // a round
			ask := fmt.Sprintf(`< %d ok {"resultType":"input_required"}`, fresh)
			frames = append(frames, overHTTP(fmt.Sprintf("POST %d|> %d tools/call", fresh, fresh), ask, fmt.Sprintf("> %d tools/call", fresh+1), fmt.Sprintf("< %d ok", fresh+1))...)
			frames[len(frames)-2].Of = uint64(len(frames) - 3)
		}
		dir, id := pick("> ", "< "), pick(ids...)
		var line string
		switch r.IntN(16) {
		case 0, 1, 2:
			line = dir + id + " " + pick("initialize", "server/discover", "subscriptions/listen", "tools/list", `tools/list {"cursor":"c"}`, "resources/list", `tools/call {"name":"f","_meta":{"progressToken":1}}`,
				`resources/subscribe {"uri":"u"}`, `resources/unsubscribe {"uri":"u"}`, "ping")
		case 3, 4, 5:
			line = dir + id + " " + pick("ok", "err", `ok {"isError":true}`, `ok {"nextCursor":"c"}`, `ok {"resultType":"input_required"}`, `ok {"resultType":"input_required"}`)
		case 6, 7:
			line = dir + pick(`notifications/cancelled {"requestId":1}`, `notifications/cancelled {"requestId":"x"}`, `notifications/progress {"progressToken":1}`,
				"notifications/message", "notifications/tools/list_changed", "x",
				`notifications/subscriptions/acknowledged {"_meta":{"io.modelcontextprotocol/subscriptionId":1}}`,
				`notifications/resources/updated {"uri":"u","_meta":{"io.modelcontextprotocol/subscriptionId":"x"}}`)
		case 8:
			line = dir + fmt.Sprintf("[%s,%s,3]", expand(id+" tools/list"), expand(id+" ok"))
		case 9:
			line = "! line\xff"
		case 10:
			line = dir + pick("{}", "{nonsense", "[]")
		case 11, 12, 13:
			line = pick("H> POST /mcp HTTP/1.1\\n", "H< HTTP/1.1 200 OK\\nContent-Type: text/event-stream\\n", "H< HTTP/1.1 404 No\\n",
				`H< data: {}\n\n`, `H< : hi\n\n`, "H< no such page")
		default:
			at := r.IntN(len(frames) + 1)
			line = "* " + pick(`{"event":"connected","epoch":2,"transport":"http"}`, `{"event":"exited","code":1}`, `{"event":"closed"}`, `{"event":"notice"}`,
				fmt.Sprintf(`{"event":%q,"seq":%d}`, pick("write-failed", "lost", "abandoned", "expired"), at), `{"event":"disconnected","text":"x"}`,
				fmt.Sprintf(`{"event":"reconnecting","via":%q,"attempt":1}`, pick("POST 1", "GET 2")), `{"event":"switched","transport":"sse"}`)
		}
		f := overHTTP(pick("", "", "POST 1|", "POST 3|", "GET 2|") + line)[0]
		if f.Dir == wire.Out && r.IntN(3) == 0 {
			f.Of = uint64(r.IntN(len(frames) + 1))
		}
		frames = append(frames, f)
	}
	return frames
}

func TestLiveStateIsThatOfTheFile(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 1))
		l, file := record(t)
		var live State
		var waiting []wire.Frame // continuations of one frame
		for _, f := range randomFrames(r, 60) {
			if len(f.Raw) > 10 && f.Kind == wire.Message && waiting == nil && r.IntN(4) == 0 {
				parts := inParts(f, 1+r.IntN(8), 1+r.IntN(8))
				seq := l.Append(parts[:1])
				waiting = parts[1:]
				for i := range waiting {
					waiting[i].Seq = seq
				}
				continue
			}
			batch := []wire.Frame{f}
			if len(waiting) > 0 && r.IntN(2) == 0 {
				batch = append(batch, waiting[0])
				if waiting = waiting[1:]; len(waiting) == 0 {
					waiting = nil
				}
			}
			l.Append(batch)
			if r.IntN(3) == 0 {
				live.CatchUp(l)
			}
		}
		_ = l.Close()
		reopened := open(t, string(file.b))
		sameState(t, &live, l, reopened)
		same(t, l, reopened)
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, file.b)
		}
	}
}

// Applying records one by one is the same as catching up.
func TestApplyRecords(t *testing.T) {
	l, _ := record(t, randomFrames(rand.New(rand.NewPCG(1, 2)), 200)...)
	var a, b State
	b.CatchUp(l)
	for seq := uint64(1); seq <= l.Len(); seq++ {
		r, _ := l.Record(seq)
		a.Apply(&r, l.Members(seq))
	}
	for seq := uint64(1); seq <= l.Len(); seq++ {
		x, ok1 := a.Exchange(seq)
		y, ok2 := b.Exchange(seq)
		if ok1 != ok2 || !reflect.DeepEqual(x, y) {
			t.Errorf("frame %d: %+v, %+v", seq, x, y)
		}
	}
	if a.Counts() != b.Counts() || a.Seq() != b.Seq() || !reflect.DeepEqual(a.Streams(), b.Streams()) || !slices.Equal(a.Listens(), b.Listens()) {
		t.Error("counts")
	}
}
