package ui

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/uitest"
)

// everyKey is every key of the key table, once.
func everyKey() []string {
	var all []string
	m := keys.New()
	for _, table := range m.Tables() {
		for _, b := range table.Bindings {
			all = append(all, b.Keys()...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// well fails if the screen, as large as it is, is not as it should be.
func (s *screen) well(after string) {
	s.t.Helper()
	s.fits(after, [][2]int{{s.m.w, s.m.h}})
}

func TestEveryKeyInEveryContextLeavesTheScreenWell(t *testing.T) {
	t.Chdir(t.TempDir()) // some keys save
	places := map[string][]string{
		"list":     {"1"},
		"filter":   {"1", "/", "e"},
		"form":     {"1", "g", "j", "enter"},
		"field":    {"1", "g", "j", "enter", "enter", "x"},
		"choice":   {"1", "g", "j", "j", "j", "enter", "j", "j", "enter"},
		"result":   {"1", "g", "j", "enter", "ctrl+s", "ctrl+s"},
		"resource": {"2", "g", "enter"},
		"traffic":  {"4", "G"},
		"frame":    {"4", "G", "enter"},
		"text":     {"4", "G", "enter", "j", "enter"},
		"search":   {"4", "G", "enter", "/", "e"},
		"info":     {"6"},
		"console":  {"5", "{"},
		"question": {"q"},
		"menu":     {"4", "G", "y"},
		"help":     {"?"},
		"zoomed":   {"1", "Z"},
	}
	for name, path := range places {
		t.Run(name, func(t *testing.T) {
			setup{loose: true}.story(t, func(s *screen) {
				s.runs = false
				s.ready()
				for _, key := range everyKey() {
					for range 6 { // back to the list
						s.press("esc")
					}
					s.press(path...)
					s.pass(20 * time.Millisecond)
					s.press(key)
					s.well(key)
					s.press("n", "ctrl+u") // no to a question, nothing in a field
					s.m.quitting = false
				}
			})
		})
	}
}

// monkey makes random events.
type monkey struct {
	*rand.Rand
	keys []string
}

func (m *monkey) text() string {
	texts := uitest.Texts()
	names := []string{"empty", "ascii", "cjk", "emoji", "marks", "rtl", "tabs", "escapes", "lines", "invalid"}
	more := []string{`{"message":"x","a":1.0}`, "{\n  // two\n  \"a\": 2,\n}", `{"jsonrpc":"2.0","id":"m","method":"ping"}`, "raw x", "[", "a\nb\nc"}
	if i := m.IntN(len(names) + len(more)); i < len(names) {
		return texts[names[i]]
	} else {
		return more[i-len(names)]
	}
}

func (m *monkey) event(w, h int) tea.Msg {
	x, y := m.IntN(w+2)-1, m.IntN(h+2)-1
	switch n := m.IntN(100); {
	case n < 50:
		return uitest.Key(m.keys[m.IntN(len(m.keys))])
	case n < 62: // what leads somewhere, and the letters of menus and questions
		often := []string{"enter", "enter", "ctrl+s", "1", "4", "5", "j", "esc", "s", "v", "c", "l", "y", "R", "x"}
		return uitest.Key(often[m.IntN(len(often))])
	case n < 75:
		r := []rune("abcxyz019 {}[]\":,.-天é")
		c := r[m.IntN(len(r))]
		return tea.KeyPressMsg{Code: c, Text: string(c)}
	case n < 83:
		return uitest.Click(x, y)
	case n < 89:
		return uitest.Wheel(x, y, m.IntN(2)*2-1)
	case n < 93:
		return uitest.Paste(m.text())
	case n < 94:
		return tea.BackgroundColorMsg{}
	}
	sizes := uitest.Sizes()
	size := sizes[m.IntN(len(sizes))]
	if m.IntN(2) == 0 {
		size = [2]int{80, 24}
	}
	return tea.WindowSizeMsg{Width: size[0], Height: size[1]}
}

func TestRandomEventsLeaveTheScreenWell(t *testing.T) {
	events := 400 // a session
	if raceEnabled {
		events = 100
	}
	file, _ := recorded(t)
	t.Chdir(t.TempDir())
	sessions := map[string]setup{
		"weather": {},
		"crashes": {servers: []string{weather, calling("exit 7"), calling("sleep 1s", "signal SEGV"), ""}},
		"slow":    with("delay 300ms\n" + weather),
		"hostile": with(hostile(uitest.Texts()["escapes"])),
		"nulls":   with(nulls),
		"file":    {file: file},
		"start":   {start: choices()},
	}
	for name, u := range sessions {
		t.Run(name, func(t *testing.T) {
			u.loose = true
			if u.start != nil {
				u.start.Open = func(string) (*Session, error) { return opened(t, file), nil }
				u.start.Demo = func(context.Context) (*Session, error) { return opened(t, file), nil }
				u.start.Connect = func(context.Context, string) (*Session, error) { return nil, errors.New("no such server") }
			}
			u.story(t, func(s *screen) {
				m := &monkey{rand.New(rand.NewPCG(1, uint64(len(name)))), everyKey()}
				s.runs = false
				s.pass(time.Second)
				var last []string
				fine := false
				defer func() {
					if !fine {
						t.Logf("the last events: %s", strings.Join(last, " · "))
					}
				}()
				for range events {
					msg := m.event(s.m.w, s.m.h)
					last = append(last[max(0, len(last)-20):], describe(msg))
					s.edit = m.text()
					s.send(msg)
					s.well(describe(msg))
					if m.IntN(4) == 0 {
						s.pass(time.Duration(m.IntN(200)) * time.Millisecond)
					}
				}
				fine = true
			})
		})
	}
}

func describe(msg tea.Msg) string {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return msg.String()
	case tea.PasteMsg:
		return "paste"
	case tea.WindowSizeMsg:
		return "resize"
	}
	return "mouse"
}
