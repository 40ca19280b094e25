package ui

import (
	"os"
	"strings"
	"testing"
	"time"

	"parley/ui/layout"
)

func TestTabGoesRoundThePanes(t *testing.T) {
	setup{w: 110, h: 34}.story(t, func(s *screen) {
		s.ready()
		s.call("echo")
		s.pass(time.Second)
		s.press("esc", "1")
		want := []layout.Pane{layout.Detail, layout.Result, layout.Traffic, layout.Console, layout.List}
		for _, p := range want {
			if s.press("tab"); s.m.pane() != p {
				t.Fatalf("tab leads to %v, not %v", s.m.pane(), p)
			}
		}
		for i := len(want) - 2; i >= 0; i-- {
			if s.press("shift+tab"); s.m.pane() != want[i] {
				t.Fatalf("shift+tab leads to %v, not %v", s.m.pane(), want[i])
			}
		}
	})
}

func TestNumbersLeadToPanes(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {110, 34}, {60, 20}, {40, 12}} {
		setup{w: size[0], h: size[1]}.story(t, func(s *screen) {
			s.ready()
			for _, tt := range []struct {
				key, shows string
			}{
				{"1", "get_alerts"}, {"2", "today"}, {"3", "small_talk"}, {"4", "─ 4 traffic"}, {"6", "─ 6 server"},
				{"4", "─ 4 traffic"}, {"1", "get_alerts"}, {"5", "─ 5 console"},
			} {
				s.press(tt.key)
				s.want(tt.shows)
			}
		})
	}
}

func TestZoomShowsOnePaneAndComesBack(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		before := s.view()
		s.press("Z")
		s.want("null_schema")
		s.wantNot("4 traffic 12")
		s.press("esc")
		if after := s.view(); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
		s.press("4", "Z")
		s.want("connected")
		s.wantNot("1 tools")
		s.press("Z", "esc")
		if after := s.view(); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
	})
}

func TestThePartnerIsTheOtherHalf(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("4", "p")
		s.want("▌09:38:50.120  →      4  prompts/list")
		s.press("p")
		s.want("▌09:38:50.120  ←      4  result")
		s.press("enter", "p")
		s.want("frame 11 · → 4 prompts/list")
		s.press("esc", "g", "p")
		s.want("this frame has no partner")
		s.press("/")
		s.write("result")
		s.press("enter", "G", "p")
		s.want("frame 11 is filtered away; esc drops the filter")
	})
}

func TestAFrameIsReadInEveryForm(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.call("echo")
		s.pass(time.Second)
		s.press("p")
		s.want("frame 14 · ← 5 result", `  2      "jsonrpc": "2.0",`)
		s.press("b")
		s.want("· exact", `{"jsonrpc":"2.0","id":5,"result":{"content"`)
		s.press("b", "/")
		s.write("Temperature")
		s.press("enter")
		s.want(".result.content[0].text")
		s.press("enter")
		s.want("text of .result.content[0]", "2  Temperature: 64°F")
		s.press("enter")
		s.want("esc goes back to the frame")
		s.press("y", "p")
		if s.clip != ".result.content[0].text" {
			t.Errorf("copied %q", s.clip)
		}
		s.press("esc")
		s.want("frame 14", `"isError": false`)
		s.press("z", "1")
		s.want(`"result": { … `)
		s.press("n")
		s.press("/", "ctrl+u")
		s.write("nowhere")
		s.press("enter", "n")
		s.want("not found: nowhere")
		s.press("esc", "esc", "esc")
		s.want("enter open   / filter")
	})
}

func TestJSONInsideAStringIsOpenedIndented(t *testing.T) {
	story(t, func(s *screen) {
		s.ready()
		s.press("2", "enter")
		s.pass(time.Second)
		s.press("p", "/")
		s.write("KNYC")
		s.press("enter", "enter")
		s.want("JSON in .result.contents[0]", `"id": "KNYC",`)
	})
}

func TestALinkInAResultIsFollowed(t *testing.T) {
	with(calling(`answer {"content":[{"type":"resource_link","uri":"weather://stations","name":"stations"}]}`)).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.pass(time.Second)
		s.press("enter")
		s.pass(time.Second)
		if !strings.Contains(s.last(), `"method":"resources/read","params":{"uri":"weather://stations"}`) {
			t.Errorf("sent %s", s.last())
		}
		s.want("KNYC")
	})
}

func TestKeysThatDoNothingSayWhy(t *testing.T) {
	tests := []struct {
		keys []string
		says string
	}{
		{[]string{"x"}, "no call is in flight"},
		{[]string{"G", "enter", "r"}, "there is no call to send again; ctrl+s sends the form"},
		{[]string{"enter", "esc", "["}, "no calls were made of this"},
		{[]string{"enter", "ctrl+p"}, "no earlier calls of this"},
		{[]string{"4", "n"}, "n and N go through what a search found; / filters here"},
		{[]string{"4", "g", "r"}, "only what we sent can be sent again"},
		{[]string{"4", "enter", "n"}, "/ searches"},
		{[]string{"4", "enter", "enter"}, "enter opens a string as text; space folds"},
		{[]string{"2", "/", "x", "y", "z", "enter", "enter"}, "nothing is selected"},
		{[]string{"2", "/", "x", "y", "z", "enter", "y"}, "nothing is selected"},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.keys, " "), func(t *testing.T) {
			story(t, func(s *screen) {
				s.ready()
				s.press(tt.keys...)
				s.want(tt.says)
				if s.press("f1", "esc"); s.m.notice != "" {
					t.Errorf("%q stays after the next key", s.m.notice)
				}
			})
		})
	}
}

func TestCopyOffersWhatThereIs(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo","arguments":{"message":"it's"},"_meta":{"progressToken":5}}}`
	tests := []struct {
		keys []string
		want string
	}{
		{[]string{"y", "v"}, "Today:\nTemperature: 64°F\nWind: 2 to 18 mph S\nForecast: Mostly sunny. High near 64, with temperatures falling to around 62 in the afternoon."},
		{[]string{"y", "c"}, `parley call echo 'message=it'\''s' -- node weather.js`},
		{[]string{"y", "l"}, "call echo message=it's"},
		{[]string{"4", "k", "y", "b"}, call},
		{[]string{"4", "k", "y", "c"}, `parley call echo 'message=it'\''s' -- node weather.js`},
		{[]string{"4", "y", "l"}, "call echo message=it's"}, // the line that led to the response
		{[]string{"4", "k", "enter", "j", "y", "p"}, ".jsonrpc"},
		{[]string{"4", "k", "enter", "j", "j", "j", "y", "v"}, `"tools/call"`},
		{[]string{"esc", "y", "n"}, "echo"},
		{[]string{"6", "y", "v"}, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"logging":{}},"serverInfo":{"name":"weather","version":"1.6.0"},"instructions":"Ask for a forecast before you book.\nTemperatures are in °F unless units says metric."}`},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.keys, " "), func(t *testing.T) {
			story(t, func(s *screen) {
				s.ready()
				s.echo("it's")
				s.press("ctrl+s")
				s.pass(time.Second)
				s.press(tt.keys...)
				if s.clip != tt.want {
					t.Errorf("copied %s\nwant %s\n%s", s.clip, tt.want, s.view())
				}
				s.want(" copied, ")
			})
		})
	}
}

func TestSavingNeverWritesOverAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	story(t, func(s *screen) {
		s.ready()
		s.press("4", "y", "s")
		s.want("310 B saved as frame-12.json")
		s.press("y", "s")
		s.want("310 B saved as frame-12-1.json")
		for _, name := range []string{"frame-12.json", "frame-12-1.json"} {
			raw, err := os.ReadFile(name)
			if err != nil || !strings.HasPrefix(string(raw), `{"jsonrpc":"2.0","id":4,"result":{"prompts"`) {
				t.Errorf("%s: %.60q, %v", name, raw, err)
			}
		}
	})
}

func TestAnImageIsSavedAsItsBytes(t *testing.T) {
	t.Chdir(t.TempDir())
	with(calling(`answer {"content":[{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}]}`)).story(t, func(s *screen) {
		s.ready()
		s.call("print_env")
		s.pass(time.Second)
		s.want("image image/png 8 B  ·  y saves it")
		s.press("y", "1")
		s.want("8 B saved as parley.png")
		if raw, err := os.ReadFile("parley.png"); err != nil || string(raw) != "\x89PNG\r\n\x1a\n" {
			t.Errorf("%q, %v", raw, err)
		}
	})
}
