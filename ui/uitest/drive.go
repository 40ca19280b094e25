package uitest

import (
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const (
	// patience is how long a command may take before it counts as one that
	// waits for something, and is left running.
	patience = 100 * time.Millisecond
	// deadline is how long Until waits for the screen.
	deadline = 10 * time.Second
	// most is how many messages one Send may lead to; more are a loop.
	most = 10_000
)

// Drive gives model a size, runs its Init, and applies msgs with the commands
// they return. It returns the model as it is then.
func Drive(t testing.TB, model tea.Model, w, h int, msgs ...tea.Msg) tea.Model {
	t.Helper()
	d := New(t, model, w, h)
	d.Send(msgs)
	return d.Model
}

// Driver applies messages to a model as a program would, but one after the
// other: a message is applied, the commands it returned are run, and their
// messages are applied, until nothing is left to do. Commands of a batch run in
// order. A command that does not return soon is left running; its message
// arrives when [Driver.Until] or the next Send waits for it.
type Driver struct {
	Model tea.Model
	// Quit is set when the model asked to quit. Messages are applied all the
	// same.
	Quit bool

	t     testing.TB
	late  chan tea.Msg
	queue []tea.Msg
}

// New starts a model at a size.
func New(t testing.TB, model tea.Model, w, h int) *Driver {
	t.Helper()
	d := &Driver{Model: model, t: t, late: make(chan tea.Msg, most)}
	d.run(model.Init())
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// Send applies messages and everything that follows from them. A nested slice
// of messages, as [Keys] returns it, is applied in order.
func (d *Driver) Send(msgs ...any) {
	d.t.Helper()
	for _, msg := range msgs {
		if many, ok := msg.([]tea.Msg); ok {
			for _, m := range many {
				d.apply(m)
			}
			continue
		}
		d.apply(msg)
	}
}

// Press applies key presses by name.
func (d *Driver) Press(names ...string) {
	d.t.Helper()
	d.Send(Keys(names...))
}

// View is the screen as text, without styles and spaces at line ends.
func (d *Driver) View() string { return Plain(d.Model.View().Content) }

// Until applies what late commands bring until the screen contains text.
func (d *Driver) Until(text string) {
	d.t.Helper()
	timeout := time.After(deadline)
	for !strings.Contains(d.View(), text) {
		select {
		case msg := <-d.late:
			d.apply(msg)
		case <-timeout:
			d.t.Fatalf("%q did not come:\n%s", text, d.View())
		}
	}
}

func (d *Driver) apply(msg tea.Msg) {
	d.t.Helper()
	d.queue = append(d.queue, msg)
	for n := 0; ; n++ {
		if n == most {
			d.t.Fatalf("uitest: %d messages and no end; the last is a %T", n, d.queue[0])
		}
		select {
		case msg := <-d.late:
			d.queue = append(d.queue, msg)
		default:
		}
		if len(d.queue) == 0 {
			return
		}
		msg := d.queue[0]
		d.queue = d.queue[1:]
		d.update(msg)
	}
}

// update applies one message as the program's loop does.
func (d *Driver) update(msg tea.Msg) {
	d.t.Helper()
	switch msg := msg.(type) {
	case nil:
		return
	case tea.QuitMsg:
		d.Quit = true
		return
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
		return
	}
	// The message of a sequence has a type of its own that is not exported.
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			d.run(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	var cmd tea.Cmd
	d.Model, cmd = d.Model.Update(msg)
	d.run(cmd)
}

// run runs a command and queues its message.
func (d *Driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	select {
	case msg := <-done:
		d.queue = append(d.queue, msg)
	case <-time.After(patience):
		go func() { d.late <- <-done }()
	}
}

// Plain is a view without styles and without spaces at line ends.
func Plain(view string) string {
	lines := strings.Split(ansi.Strip(view), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
