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
	t.Chdir(t.TempDir())           // some keys save
	const front keys.Context = 255 // something in front of the panes
	places := map[string]struct {
		path []string
		in   keys.Context
	}{
		"list":     {[]string{"1"}, keys.InList},
		"filter":   {[]string{"1", "/", "e"}, keys.InFilter},
		"form":     {[]string{"1", "g", "j", "enter", "esc"}, keys.InForm},
		"field":    {[]string{"1", "g", "j", "enter", "x"}, keys.InField},
		"choice":   {[]string{"1", "g", "j", "j", "j", "enter", "esc", "j", "j", "enter"}, keys.InField},
		"result":   {[]string{"1", "g", "j", "enter", "ctrl+s", "ctrl+s"}, keys.InResult},
		"resource": {[]string{"2", "g", "enter", "shift+tab"}, keys.InDetail},
		"traffic":  {[]string{"4", "G"}, keys.InTraffic},
		"frame":    {[]string{"4", "G", "enter"}, keys.InFrame},
		"text":     {[]string{"4", "G", "enter", "j", "enter"}, keys.InFrame},
		"search":   {[]string{"4", "G", "enter", "/", "e"}, keys.InFilter},
		"info":     {[]string{"6"}, keys.InInfo},
		"console":  {[]string{"5", "ctrl+u", "{"}, keys.InConsole},
		"offers":   {[]string{"5", "ctrl+u", "t"}, keys.InChoice},
		"recall":   {[]string{"5", "ctrl+u", "e", "c", "h", "o", "enter", "ctrl+r"}, keys.InRecall},
		"document": {[]string{"5", "ctrl+u", "h", "e", "l", "p", "enter", "shift+tab", "shift+tab"}, keys.InInfo},
		"palette":  {[]string{":"}, front},
		"command":  {[]string{":", "c", "a", "l", "l", "space"}, front},
		"question": {[]string{"q"}, front},
		"menu":     {[]string{"4", "G", "y"}, front},
		"help":     {[]string{"?"}, front},
		"zoomed":   {[]string{"1", "Z"}, keys.InList},
	}
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			setup{loose: true}.story(t, func(s *screen) {
				s.runs = false
				s.ready()
				last := ""
				for _, key := range everyKey() {
					for range 6 { // back to the list
						s.press("esc")
					}
					s.press(place.path...)
					s.pass(20 * time.Millisecond)
					if in := s.m.context(); in != place.in && (place.in != front || s.m.overlay == nil) {
						s.t.Fatalf("%q lead to context %d after %q:\n%s", place.path, in, last, s.view())
					}
					s.press(key)
					s.well(key)
					s.press("n", "ctrl+u") // no to a question, nothing in a field
					s.m.quitting, last = false, key
					if s.shows("● connecting") {
						s.ready()
					}
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
