package uitest

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestKeyNames(t *testing.T) {
	for _, name := range []string{
		"j", "G", "?", "/", "[", "天", "+", "space", "enter", "tab", "esc", "f1", "up", "pgdown", "home",
		"ctrl+s", "ctrl+c", "shift+tab", "alt+b", "ctrl+left", "alt+backspace",
	} {
		if got := Key(name).String(); got != name {
			t.Errorf("Key(%q) reads as %q", name, got)
		}
	}
	if k := Key("G"); k.Text != "G" {
		t.Errorf("a letter has text %q", k.Text)
	}
	if k := Key("ctrl+s"); k.Text != "" {
		t.Errorf("a chord has text %q", k.Text)
	}
	if k := Key("space"); k.Text != " " {
		t.Errorf("space has text %q", k.Text)
	}
}

func TestUnknownKeyPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a key that does not exist was pressed")
		}
	}()
	Key("entre")
}

type addMsg string

// recorder notes what it is told and runs commands on request.
type recorder struct {
	seen []string
	late chan tea.Msg
}

func (r *recorder) Init() tea.Cmd { return say("init") }

func (r *recorder) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case addMsg:
		r.seen = append(r.seen, string(msg))
	case tea.WindowSizeMsg:
		r.seen = append(r.seen, "size")
	case tea.KeyPressMsg:
		switch msg.String() {
		case "b":
			return r, tea.Batch(say("one"), say("two"))
		case "s":
			return r, tea.Sequence(say("three"), tea.Batch(say("four"), say("five")))
		case "w":
			return r, func() tea.Msg { return <-r.late }
		case "q":
			return r, tea.Quit
		}
	}
	return r, nil
}

func (r *recorder) View() tea.View { return tea.NewView(strings.Join(r.seen, " ")) }

func say(s string) tea.Cmd { return func() tea.Msg { return addMsg(s) } }

func TestDriverRunsCommandsInOrder(t *testing.T) {
	d := New(t, &recorder{}, 80, 24)
	d.Press("b", "s")
	if got, want := d.View(), "init size one two three four five"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if d.Press("q"); !d.Quit {
		t.Error("quitting was not noticed")
	}
}

func TestDriverLeavesWaitingCommandsRunning(t *testing.T) {
	r := &recorder{late: make(chan tea.Msg)}
	d := New(t, r, 80, 24)
	start := time.Now()
	d.Press("w")
	if took := time.Since(start); took > deadline/2 {
		t.Fatalf("a waiting command held the driver for %v", took)
	}
	go func() { r.late <- addMsg("late") }()
	d.Until("late")
}

func TestDriveReturnsTheModel(t *testing.T) {
	m := Drive(t, &recorder{}, 80, 24, Keys("b")...)
	if got := m.View().Content; got != "init size one two" {
		t.Errorf("got %q", got)
	}
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	tests := []struct {
		view string
		w, h int
		ok   bool
	}{
		{"ab\ncd", 2, 2, true},
		{"\x1b[1;31mab\x1b[m", 2, 1, true},
		{"天", 2, 1, true},
		{"", 0, 0, true},
		{"", 0, 1, true},
		{"ab\ncd", 2, 3, false},
		{"ab\nc", 2, 2, false},
		{"abc", 2, 1, false},
		{"a\x1b[2Jb", 2, 1, false},
		{"a\tb", 2, 1, false},
		{"a\u202eb", 2, 1, false},
		{"a\x1b]0;t\ab", 2, 1, false},
	}
	for _, tt := range tests {
		if err := Check(tt.view, tt.w, tt.h); (err == nil) != tt.ok {
			t.Errorf("%q at %dx%d: %v", tt.view, tt.w, tt.h, err)
		}
	}
}

func TestPlain(t *testing.T) {
	if got := Plain("\x1b[1mab\x1b[m  \n  c "); got != "ab\n  c" {
		t.Errorf("got %q", got)
	}
}
