package history

import (
	"fmt"
	"slices"
	"testing"

	"parley/client/wire"
)

// of makes a frame replace another.
func of(f wire.Frame, seq uint64, by wire.Origin) wire.Frame {
	f.Of, f.By = seq, by
	return f
}

func TestRoundsAreOneExchange(t *testing.T) {
	ask := `ok {"resultType":"input_required","requestState":"s"}`
	frames := talk(
		`> 1 tools/call {"name":"f","_meta":{"progressToken":1}}`,
		`< notifications/progress {"progressToken":1,"progress":1}`,
		"< 1 "+ask,
		`> 2 tools/call {"name":"f","_meta":{"progressToken":2}}`, // of 1
		`< notifications/progress {"progressToken":2,"progress":1}`,
		"< 2 "+ask,
		"> 3 tools/call", // of 4
		"< 3 err",
		"> 4 tools/call", // of 7: sent again
		`< 4 ok {"isError":true}`,
		"> 5 tools/call", // of 10, which is no request
	)
	for at, seq := range map[int]uint64{3: 1, 6: 4, 8: 7, 10: 10} {
		frames[at] = of(frames[at], seq, wire.ByAuto)
	}
	l, _ := record(t, frames...)
	at := func(limit uint64) (*State, Exchange) {
		var s State
		s.Fold(l, limit, nil)
		x, _ := s.Exchange(1)
		return &s, x
	}
	for limit, want := range map[uint64]struct {
		status Status
		final  uint64
		rounds int
	}{1: {Pending, 0, 0}, 3: {InputRequired, 3, 0}, 4: {Pending, 0, 1}, 6: {InputRequired, 6, 1}, 7: {Pending, 0, 2}, 8: {RPCError, 8, 2}, 9: {Pending, 0, 3}, 10: {ToolError, 10, 3}} {
		_, x := at(limit)
		if x.Status != want.status || x.Final.Seq != want.final || len(x.Rounds) != want.rounds || x.Answered.IsZero() != (want.final == 0) {
			t.Errorf("after %d: %+v", limit, x)
		}
	}
	s, x := at(11)
	if x.Response.Seq != 3 || x.Progress != 2 || x.First.Seq != 0 || !slices.Equal(x.Rounds, []wire.Ref{{Seq: 4}, {Seq: 7}, {Seq: 9}}) {
		t.Errorf("%+v", x)
	}
	if !slices.Equal(s.Progress(1, 9), []uint64{2, 5}) || !slices.Equal(s.Progress(1, 1), []uint64{5}) {
		t.Error(s.Progress(1, 9))
	}
	for seq, partner := range map[uint64]uint64{1: 10, 3: 1, 4: 10, 6: 4, 9: 10, 10: 9, 11: 0} {
		if got := s.Partner(seq); got != partner {
			t.Errorf("partner of %d: %d, want %d", seq, got, partner)
		}
	}
	if round, _ := s.Exchange(7); round.First.Seq != 1 || round.Request.Seq != 7 || round.Response.Seq != 8 {
		t.Errorf("%+v", round)
	}
	if other, _ := s.Exchange(11); other.First.Seq != 0 || other.Status != Pending {
		t.Errorf("%+v", other)
	}
}

// A replayed frame names a frame of the recorded session, an edited one what it took
// the place of: neither is a round.
func TestWhatIsNoRound(t *testing.T) {
	for _, c := range []struct {
		answer string
		by     wire.Origin
		rounds int
	}{
		{`< 1 ok {"resultType":"input_required"}`, wire.ByForm, 1},
		{`< 1 ok {"resultType":"input_required"}`, wire.ByReplay, 0},
		{"< 1 ok", wire.ByAuto, 0},
		{"< 1 err", wire.ByAuto, 0},
		{`* {"event":"expired","seq":1}`, wire.ByAuto, 0},
	} {
		frames := talk("> 1 tools/call", c.answer, "> 2 tools/call")
		frames[2] = of(frames[2], 1, c.by)
		l, _ := record(t, frames...)
		var s State
		s.CatchUp(l)
		if x, _ := s.Exchange(1); len(x.Rounds) != c.rounds {
			t.Errorf("%s by %v: %+v", c.answer, c.by, x)
		}
	}
}

func TestListens(t *testing.T) {
	meta := `"_meta":{"io.modelcontextprotocol/subscriptionId":%s}`
	about := func(id string) string {
		return fmt.Sprintf(`notifications/resources/updated {"uri":"u",`+meta+`}`, id)
	}
	ack := func(id string) string {
		return fmt.Sprintf(`notifications/subscriptions/acknowledged {"notifications":{"resourceSubscriptions":["b","a"],"toolsListChanged":true},`+meta+`}`, id)
	}
	lines := []string{"> 0 server/discover", "< 0 ok", `> 1 subscriptions/listen`, `> "1" subscriptions/listen`, // 4
		"< " + ack("1"), "< " + about("1"), "< " + about(`"1"`), "< " + about("1"), "< " + about("7")}
	s := fold(t, lines...)
	want := []Listen{{Request: wire.Ref{Seq: 3}, ID: wire.Int(1), Acknowledged: 5, Events: 2}, {Request: wire.Ref{Seq: 4}, ID: wire.Str("1"), Events: 1}}
	if !slices.Equal(s.Listens(), want) || len(s.Pending()) != 0 {
		t.Errorf("%+v, pending %v", s.Listens(), s.Pending())
	}
	l, _ := record(t, talk(append([]string{`> 1 subscriptions/listen {"notifications":{"toolsListChanged":true,"promptsListChanged":true}}`}, "< "+ack("1"))...)...)
	var alone State
	alone.CatchUp(l)
	asked, granted := l.Filters(alone.Listens()[0])
	if !asked.Tools || !asked.Prompts || granted.Prompts || !slices.Equal(granted.URIs, []string{"b", "a"}) {
		t.Errorf("asked %+v, granted %+v", asked, granted)
	}
	if _, granted = l.Filters(Listen{Request: wire.Ref{Seq: 1}}); !granted.IsZero() {
		t.Errorf("granted %+v before", granted)
	}
	if x, _ := s.Exchange(3); x.Status != Listening {
		t.Error(x.Status)
	}
	for end, status := range map[string]Status{
		"< 1 ok": OK, "< 1 err": RPCError, `< notifications/cancelled {"requestId":1}`: Cancelled, `> notifications/cancelled {"requestId":1}`: Cancelled,
		`* {"event":"abandoned","seq":3}`: Cancelled, `* {"event":"lost","seq":3}`: Lost,
	} {
		s := fold(t, append(slices.Clone(lines), end)...)
		if x, _ := s.Exchange(3); x.Status != status || len(s.Listens()) != 1 {
			t.Errorf("%s: %v, %+v", end, x.Status, s.Listens())
		}
	}
	for _, end := range []string{`* {"event":"exited","code":0}`, `* {"event":"closed"}`, `* {"event":"connected","epoch":2}`} {
		if s := fold(t, append(slices.Clone(lines), end)...); len(s.Listens()) != 0 {
			t.Errorf("%s: %+v", end, s.Listens())
		}
	}
	if s := fold(t, `> 1 subscriptions/listen`, "< "+ack("1")); !s.Modern() {
		t.Error("an acknowledged listen is modern")
	}
}

func TestTasksReportProgressAfterTheirAnswer(t *testing.T) {
	for kind, want := range map[string]int{"task": 2, "complete": 1} {
		s := fold(t, `> 1 tools/call {"_meta":{"progressToken":"p"}}`, `< notifications/progress {"progressToken":"p","progress":1}`,
			`< 1 ok {"resultType":"`+kind+`"}`, `< notifications/progress {"progressToken":"p","progress":2}`)
		if x, _ := s.Exchange(1); x.Progress != want || x.Status != OK {
			t.Errorf("%s: %+v", kind, x)
		}
	}
}
