package ui

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestALargeFrameIsReadInWindows(t *testing.T) {
	with(calling("line 5000000")).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.until("ok · ", "5.0 MB", "xxxxxxxx")
		s.press("p")
		s.pass(time.Second)
		s.want("frame 14 · ← 5 result", "5.0 MB", `"jsonrpc": "2.0",`, `"type": "text",`, `"text": "xxxx`)
		s.well("indented")
		s.press("G")
		s.want("}")
		s.press("b")
		s.want("exact", `{"jsonrpc":"2.0","id":5,"result"`)
		s.well("exact")
		s.press("G")
		s.want(`"}]}}`)
		s.press("b", "y", "b")
		s.want("too much for the clipboard of a terminal: s saves it")
	})
}

func TestAnAnswerTooLongToBeLaidOutSaysWhereItIs(t *testing.T) {
	if raceEnabled {
		t.Skip("17 MB take too long with the race detector")
	}
	with(calling("line 17000000")).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.until("the answer is 17.0 MB long: p opens its frame")
		s.press("p")
		s.pass(time.Second)
		s.want(`"type": "text",`, `"text": "xxxx`)
	})
}

func TestALongAnswerIsNotReadForTheConsole(t *testing.T) {
	if raceEnabled {
		t.Skip("60 MB take too long with the race detector")
	}
	with(calling("line 60000000")).wide().story(t, func(s *screen) {
		s.ready()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s.line5("call print_env")
		s.until("the answer is 60.0 MB long: p opens its frame", "ok · 0.0 ms · 60.0 MB")
		runtime.ReadMemStats(&after)
		if grown := int64(after.TotalAlloc - before.TotalAlloc); grown > 100_000_000 {
			t.Errorf("%d bytes were allocated for an answer that is not shown; the server itself takes 60 MB", grown)
		}
	})
}

func TestAFrameThatIsStillComingIsShown(t *testing.T) {
	part := strings.Repeat("x", 2_000_000)
	with(calling(`<! "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"text\":\"`+part+`"`, "sleep 1s", `<! "\"}}\n"`, `answer {"content":[]}`)).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.pass(500 * time.Millisecond)
		s.press("4", "Z")
		s.want("receiving, ")
		s.pass(time.Second)
		s.want("notifications/x")
		s.wantNot("receiving, ")
	})
}
