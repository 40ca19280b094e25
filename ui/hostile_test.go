package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/uitest"
)

// quoted is text as a JSON string that keeps every byte it may keep, whether
// that is UTF-8 or not.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// hostile is a server that says text wherever a server can say something.
func hostile(text string) string {
	q := quoted(text)
	line := strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
	content := `{"type":"text","text":Q},{"type":"resource_link","uri":Q,"name":Q,"title":Q,"description":Q,"mimeType":Q},{"type":"resource","resource":{"uri":Q,"mimeType":Q,"text":Q}},{"type":"image","mimeType":Q,"data":"AAAA"},{"type":Q}`
	script := `
> initialize
answer {"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{},Q:{}},"serverInfo":{"name":Q,"version":Q,"title":Q},"instructions":Q}
> notifications/initialized
on tools/list {"tools":[{"name":Q,"title":Q,"description":Q,"inputSchema":{"type":"object","title":Q,"properties":{Q:{"type":"string","title":Q,"description":Q,"default":Q,"format":Q,"pattern":P},"e":{"enum":[Q,"b"],"title":Q},"n":{"type":"number","description":Q},"j":{"type":"array","description":Q}},"required":[Q]}},{"name":Q,"inputSchema":{"type":Q}},{"name":"call","description":Q,"inputSchema":{"type":"object"}}]}
on resources/list {"resources":[{"uri":Q,"name":Q,"title":Q,"description":Q,"mimeType":Q},{"uri":"x:read","name":Q}]}
on resources/templates/list {"resourceTemplates":[{"uriTemplate":Q,"name":Q,"title":Q,"description":Q,"mimeType":Q},{"uriTemplate":"x:/{id}","name":Q}]}
on prompts/list {"prompts":[{"name":Q,"title":Q,"description":Q,"arguments":[{"name":Q,"title":Q,"description":Q,"required":true}]}]}
on resources/read {"contents":[{"uri":Q,"mimeType":Q,"text":Q}]}
on prompts/get {"description":Q,"messages":[{"role":Q,"content":{"type":"text","text":Q}}]}
on ping {Q:Q}
> tools/call
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":1,"total":2,"message":Q}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":Q,"logger":Q,"data":Q}}
< {"jsonrpc":"2.0","method":Q,"params":{Q:Q}}
< {"jsonrpc":"2.0","id":Q,"method":Q}
> {"error":*,...}
< {"jsonrpc":"2.0","id":Q,"result":Q}
< [{"jsonrpc":"2.0","id":Q,"result":Q},{"jsonrpc":"2.0","method":Q}]
stray L
stderr L
sleep 50ms
answer {"content":[` + content + `],"structuredContent":{Q:Q}}
> tools/call
fail {"code":-32602,"message":Q,"data":{Q:Q}}
> tools/call
stderr L
exit 7
`
	pattern := quoted(text[:min(len(text), 200)]) // a long one takes the square of its length
	return strings.NewReplacer("Q", q, "P", pattern, "L", line).Replace(script)
}

// nulls is a server that says null, or something of another type, everywhere.
const nulls = `
> initialize
answer {"protocolVersion":"2025-11-25","capabilities":{"tools":null,"resources":7,"prompts":[]},"serverInfo":null,"instructions":{"a":null}}
> notifications/initialized
on tools/list {"tools":[null,7,"x",[],{},{"name":null,"description":null,"inputSchema":null},{"name":7,"inputSchema":"x"},{"name":"","inputSchema":{"type":"object","properties":{"":{},"a":null,"b":7},"required":[null]}},{"name":"call","inputSchema":{"type":"object","properties":[]}},{"name":"call","inputSchema":{"type":"object"}}],"nextCursor":null}
on resources/list {"resources":[null,{"uri":null,"name":null,"size":"big"},{"uri":""}],"nextCursor":7}
on resources/templates/list {"resourceTemplates":{"uriTemplate":"x:{"}}
on prompts/list {"prompts":[null,{"name":null,"arguments":null},{"name":"p","arguments":[null,{"name":null},7]}]}
on resources/read {"contents":null}
on prompts/get {"messages":[null,{"role":null,"content":null},{"content":[null,7]}]}
> tools/call
< null
< 7
< {"jsonrpc":"2.0","id":null,"result":null}
< {"jsonrpc":"2.0","id":null,"error":null}
< {"jsonrpc":"2.0","id":{},"method":null}
< {"jsonrpc":"2.0","method":"notifications/progress","params":null}
< {"jsonrpc":"2.0","method":"notifications/message","params":[null]}
< []
< [null]
answer {"content":[null,7,{"type":null},{"type":"text","text":null},{"type":"image","data":null},{"type":"resource","resource":null}],"structuredContent":null,"isError":null}
> tools/call
fail null
> tools/call
exit 7
`

// many is a server with 5,000 tools on a page each of 1,000.
func many() string {
	var b strings.Builder
	b.WriteString(`
> initialize
answer {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"many","version":"1"}}
> notifications/initialized
`)
	for page := range 5 {
		b.WriteString("> tools/list\nanswer {\"tools\":[")
		for i := range 1000 {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"name":"tool_%d_%d","description":"tool number %d","inputSchema":{"type":"object"}}`, page, i, i)
		}
		b.WriteString("]")
		if page < 4 {
			fmt.Fprintf(&b, `,"nextCursor":"%d"`, page+1)
		}
		b.WriteString("}\n")
	}
	b.WriteString("on tools/call {\"content\":[]}\n")
	return b.String()
}

// some are the sizes at which every state is looked at; the first state is at
// all of them.
var some = [][2]int{{80, 24}, {40, 12}, {110, 34}, {60, 20}, {200, 60}, {39, 60}, {100, 12}, {1, 1}}

// tour goes through the states of a screen and lets look at each.
func tour(s *screen, text string, look func(state string)) {
	s.pass(time.Second)
	look("list")
	for _, keys := range []string{
		"4", "Z", "enter", "b", "Z", "esc", "esc", "g", "4", "G", "k", "k", "k", "enter", "j", "j", "y", "esc", "esc",
		"2", "enter", "G", "enter", "esc", "3", "enter", "enter", "ctrl+s", "esc", "6", "G", "esc", "1", "r", "?", "esc",
	} {
		s.press(keys)
		look(keys)
	}
	s.pass(100 * time.Millisecond)
	look("answered")
	s.press("1", "g", "enter")
	s.send(paste(text))
	look("pasted into a field")
	s.press("esc", "esc", "5")
	s.send(paste(text))
	look("pasted into the console")
	s.press("esc", "esc", "1", "/")
	s.send(paste(text))
	look("pasted into the filter")
	s.press("esc")
	for _, result := range []string{"ok", "✗ error", "no answer"} {
		s.press("1", "G", "enter", "ctrl+s")
		if s.shows("not sent") {
			look("refused")
			s.press("ctrl+s")
		}
		s.pass(30 * time.Millisecond)
		look("called")
		s.pass(time.Second)
		s.want(result)
		for _, keys := range []string{"g", "pgdown", "G", "y", "esc", "p", "j", "j", "j", "enter", "b", "G", "esc", "esc", "esc"} {
			s.press(keys)
			look(result + " " + keys)
		}
	}
	s.press("4", "Z", "g")
	for range 6 {
		look("the traffic")
		s.press("pgdown")
	}
	s.press("esc", "6", "g")
	look("the server")
	s.press("esc", "esc", "q")
	look("leaving")
}

// fits fails if the screen is not exactly as large as it should be, or shows
// what a terminal acts on.
func (s *screen) fits(state string, sizes [][2]int) {
	s.t.Helper()
	for _, size := range sizes {
		s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		v := s.m.View()
		if size[0] > 0 && size[1] > 0 {
			if err := uitest.Check(v.Content, size[0], size[1]); err != nil {
				s.t.Fatalf("%s at %dx%d: %v", state, size[0], size[1], err)
			}
		}
		if c := v.Cursor; c != nil && (c.X < 0 || c.Y < 0 || c.X >= size[0] || c.Y >= size[1]) {
			s.t.Fatalf("%s at %dx%d: the cursor is at %d, %d", state, size[0], size[1], c.X, c.Y)
		}
		if err := uitest.Check(v.WindowTitle, len(v.WindowTitle), 1); err != nil && !strings.Contains(err.Error(), "cells wide") {
			s.t.Fatalf("%s: the window's title: %v", state, err)
		}
	}
	s.send(tea.WindowSizeMsg{Width: sizes[0][0], Height: sizes[0][1]})
}

func TestNothingAServerSaysBreaksTheScreen(t *testing.T) {
	for name, text := range uitest.Texts() {
		t.Run(name, func(t *testing.T) {
			sizes, all := some, uitest.Sizes()
			if raceEnabled { // everything costs ten times as much
				sizes, all, text = some[:3], some, text[:min(len(text), 1<<17)]
			}
			if len(text) > 1<<16 {
				sizes, all = some[:1], some[:3]
			}
			with(hostile(text)).story(t, func(s *screen) {
				tour(s, text, func(state string) {
					if state == "list" {
						s.fits(state, append(sizes[:1:1], all...))
						return
					}
					s.fits(state, sizes)
				})
			})
		})
	}
}

func TestNullsEverywhereBreakNothing(t *testing.T) {
	with(nulls).story(t, func(s *screen) {
		tour(s, "null", func(state string) { s.fits(state, some) })
	})
}

func TestFiveThousandToolsAreAList(t *testing.T) {
	with(many()).story(t, func(s *screen) {
		s.until("1 tools 5000")
		s.press("G")
		s.want("▌  tool_4_999")
		s.fits("the last tool", some)
		s.press("/")
		s.write("4_99")
		s.want("1 tools 11/5000")
		s.press("enter", "enter", "ctrl+s")
		s.pass(time.Second)
		s.want("(no content)")
	})
}
