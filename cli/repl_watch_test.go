package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/client/wire"
	"parley/history"
	"parley/ui/theme"
)

// heard is a watch on a log that is filled by hand.
type heard struct {
	*watch
	log   *history.Log
	clock time.Time
	said  []string
}

func newHeard(t *testing.T) *heard {
	log, err := history.Create(history.Options{Spool: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	h := &heard{log: log, clock: time.Unix(1000, 0)}
	h.watch = newWatch(func(text theme.Text) { h.said = append(h.said, string(text)) })
	h.watch.log, h.watch.lists, h.watch.now = log, func() {}, func() time.Time { return h.clock }
	return h
}

func (h *heard) comes(lines ...string) {
	var frames []wire.Frame
	for _, l := range lines {
		f := wire.Frame{Dir: wire.In, Kind: wire.Message, Raw: []byte(l), Size: int64(len(l)), Head: wire.Scan([]byte(l))}
		if !f.Head.Form.IsMessage() {
			f.Kind = wire.Stray
		}
		frames = append(frames, f)
	}
	h.log.Append(frames)
}

func TestWordsOfTheServer(t *testing.T) {
	note := func(method, params string) string {
		return `{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`
	}
	for want, line := range map[string]string{
		"← log info: db: ready":               note("notifications/message", `{"level":"info","logger":"db","data":"ready"}`),
		`← log error: {"a":1.0}`:              note("notifications/message", `{"level":"error","data":{"a":1.0}}`),
		`← message {"level":"loud","data":1}`: note("notifications/message", `{"level":"loud","data":1}`),
		"← progress 1.0/3 half":               note("notifications/progress", `{"progressToken":1,"progress":1.0,"total":3,"message":"half"}`),
		"← progress 2":                        note("notifications/progress", `{"progressToken":1,"progress":2}`),
		"← tools/list_changed":                `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`← resources/updated {"uri":"a://b"}`: note("notifications/resources/updated", `{"uri":"a://b"}`),
		"← my/own ␛[2J":                       `{"jsonrpc":"2.0","method":"my/own \u001b[2J","params":{}}`,
		"← ▲ not a message: DEBUG ⟨U+202E⟩":   "DEBUG \u202e",
		"": `{"jsonrpc":"2.0","id":1,"result":{}}`,
	} {
		h := newHeard(t)
		h.comes(line)
		h.catchUp()
		if got := strings.Join(h.said, "\n"); got != want {
			t.Errorf("%s is told as %q, want %q", line, got, want)
		}
	}
}

// A flood is counted; when it is over words are said again.
func TestAFloodIsCounted(t *testing.T) {
	h := newHeard(t)
	flood := func(n int) {
		for i := range n {
			h.comes(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`, i))
		}
		h.look(false)
	}
	flood(1000)
	if n := len(h.said); n != wordsAtOnce {
		t.Fatalf("%d words of a flood, want %d", n, wordsAtOnce)
	}
	h.comes(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	h.clock = h.clock.Add(countEvery / 2)
	h.look(false)
	if n := len(h.said); n != wordsAtOnce {
		t.Errorf("what was left out is counted too early: %q", h.said[wordsAtOnce:])
	}
	h.clock = h.clock.Add(countEvery / 2)
	h.look(false)
	want := fmt.Sprintf("← … not shown: %d notifications/message, 1 notifications/tools/list_changed", 1000-wordsAtOnce)
	if got := h.said[wordsAtOnce:]; len(got) != 1 || got[0] != want {
		t.Errorf("said %q, want %q", got, want)
	}
	h.said = nil
	h.clock = h.clock.Add(time.Minute)
	flood(3)
	if len(h.said) != 3 {
		t.Errorf("after the flood: %q", h.said)
	}
	flood(100)
	h.catchUp() // before a result is shown
	if last := h.said[len(h.said)-1]; !strings.HasPrefix(last, "← … not shown: ") {
		t.Errorf("what was left out is not counted at the end: %q", last)
	}
}

func TestTheTrafficIsNotToldTwice(t *testing.T) {
	h := newHeard(t)
	h.mute = true
	h.comes(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`, "stray")
	h.catchUp()
	if len(h.said) != 0 {
		t.Errorf("told beside the traffic: %q", h.said)
	}
}

// An end is told once: by the step that fails with it, or by itself.
func TestEndsAreToldOnce(t *testing.T) {
	one, two := &wire.ExitError{Code: 7}, &wire.ExitError{Code: 8}
	var e ends
	if e.untold(nil) != nil || e.untold(errors.New("closed by us")) != nil {
		t.Error("what is no end is told")
	}
	if err := e.untold(one); !errors.Is(err, one) || e.tell(one) || e.untold(one) != nil || !e.tell(one) {
		t.Error("an end between two lines")
	}
	_ = e.running(true)
	if e.untold(two) != nil {
		t.Error("an end is told though a step runs, which may tell it")
	}
	if late := e.running(false); !errors.Is(late, two) {
		t.Errorf("after the step: %v", late)
	}
	three := &wire.ExitError{Code: 9}
	_ = e.running(true)
	_ = e.untold(three)
	if e.tell(three); e.running(false) != nil {
		t.Error("an end is told again that the step has told")
	}
	e.close()
	if e.untold(&wire.ExitError{}) != nil {
		t.Error("the end that was wanted is told")
	}
}
