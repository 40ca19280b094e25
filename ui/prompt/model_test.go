package prompt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/script"
	"parley/ui/theme"
	"parley/ui/uitest"
)

// desk is a prompt without a terminal: its keys are pressed and its frames
// looked at.
type desk struct {
	t       testing.TB
	m       *model
	printed bytes.Buffer
	kept    []string
	now     time.Time
}

func newDesk(t testing.TB, w, h int, history ...string) *desk {
	d := &desk{t: t, now: time.Unix(1, 0)}
	s := newScreen(io.Discard)
	d.m = newModel(Options{
		Label: "demo› ", History: history, Styles: theme.Plain(),
		Remember: func(l string) { d.kept = append(d.kept, l) },
		Open:     func(l string) bool { return strings.Count(l, "{") > strings.Count(l, "}") && l[0] != '{' },
		Hint: func(l string) theme.Text {
			if strings.HasPrefix(l, "call") {
				return "call a tool"
			}
			return ""
		},
		Complete: func(line string, at int) (int, int, []script.Completion) {
			from := strings.LastIndexByte(line[:at], ' ') + 1
			var list []script.Completion
			for i := range 12 {
				name := fmt.Sprintf("get_forecast_%d", i)
				if strings.HasPrefix(name, line[from:at]) {
					list = append(list, script.Completion{Text: name, Label: name, Info: "the weather of the coming days, by the hour"})
				}
			}
			for _, word := range []string{"call", "tools", "schema", "local="} {
				if from == 0 && strings.Contains(word, line[:at]) {
					list = append(list, script.Completion{Text: word, Label: word})
				}
			}
			return from, at, list
		},
	}, s)
	d.m.now = func() time.Time { return d.now }
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

func (d *desk) send(msgs ...any) {
	for _, msg := range msgs {
		if many, ok := msg.([]tea.Msg); ok {
			for _, m := range many {
				d.send(m)
			}
			continue
		}
		d.m.Update(msg)
		d.m.screen.finish()
		d.printed.Write(d.m.screen.printable())
	}
}

func (d *desk) press(names ...string) { d.send(uitest.Keys(names...)) }
func (d *desk) typed(text string)     { d.send(uitest.Type(text)) }

// next asks for the next line as the program that runs the lines does.
func (d *desk) next() *ask {
	a := &ask{reply: make(chan answer, 1)}
	d.send(askMsg{a})
	return a
}

// got is what was answered.
func (d *desk) got(a *ask) (string, error) {
	select {
	case r := <-a.reply:
		return r.line, r.err
	default:
		return "", errors.New("no answer yet")
	}
}

func (d *desk) want(a *ask, line string) {
	d.t.Helper()
	if got, err := d.got(a); got != line || err != nil {
		d.t.Errorf("the line is %q, %v, want %q", got, err, line)
	}
}

// screen is what was printed, a rule, and the frame with | for the cursor.
func (d *desk) screen() string {
	f := d.m.frame()
	rows := slices.Clone(f.rows)
	for i := range rows {
		rows[i] = ansi.Strip(rows[i])
		if i == f.y {
			before := ansi.Truncate(rows[i], f.x, "")
			rows[i] = before + theme.Spaces(f.x-ansi.StringWidth(before)) + "|" + strings.TrimPrefix(rows[i], before)
		}
	}
	return d.printed.String() + "────\n" + strings.Join(rows, "\n")
}

func TestScreens(t *testing.T) {
	for name, play := range map[string]func(d *desk){
		"empty":         func(d *desk) {},
		"hint":          func(d *desk) { d.typed("call echo text=hi"); d.press("left", "left") },
		"long":          func(d *desk) { d.typed("call echo text=" + strings.Repeat("0123456789", 12)); d.press("ctrl+left") },
		"longer":        func(d *desk) { d.typed(strings.Repeat("0123456789", 150)) },
		"wide":          func(d *desk) { d.typed("call echo text=" + strings.Repeat("天气", 20)); d.press("left") },
		"hostile":       func(d *desk) { d.send(uitest.Paste("a\x1b[2J\tb\u202e\xff")) },
		"completion":    func(d *desk) { d.typed("call g"); d.press("tab") },
		"chosen":        func(d *desk) { d.typed("call g"); d.press("tab", "tab", "tab", "shift+tab", "tab") },
		"chosen last":   func(d *desk) { d.typed("call g"); d.press("tab", "shift+tab") },
		"search":        func(d *desk) { d.typed("abc"); d.press("ctrl+r"); d.typed("ech") },
		"nothing found": func(d *desk) { d.press("ctrl+r"); d.typed("zz") },
		"pasted lines":  func(d *desk) { d.send(uitest.Paste("tools\r\ncall echo {\r\"text\": 1}\ninfo\n")) },
		"entered": func(d *desk) {
			d.next()
			d.typed("call echo text=" + strings.Repeat("x", 100))
			d.press("enter")
			d.typed("to")
		},
		"running": func(d *desk) {
			d.next()
			d.typed("call slow\n")
			d.send(jobMsg{&job{what: "call slow steps=1000000000000000000000000000000000000000000", stop: func() {}}})
			d.now = d.now.Add(2340 * time.Millisecond)
			d.typed("tools\ninfo\npi")
		},
		"question": func(d *desk) {
			d.typed("call echo")
			d.send(askMsg{&ask{label: "name (text): ", question: true, reply: make(chan answer, 1)}})
			d.typed("Ann")
		},
	} {
		for _, w := range []int{80, 40} {
			t.Run(fmt.Sprintf("%s %d", name, w), func(t *testing.T) {
				d := newDesk(t, w, 16, "tools", "call echo text=one", "call echo text=two", "info")
				play(d)
				uitest.Golden(t, d.screen())
			})
		}
	}
}

func TestLinesAreGivenInOrder(t *testing.T) {
	d := newDesk(t, 80, 24)
	d.typed("one\ntwo\n\nthree")
	d.want(d.next(), "one")
	d.want(d.next(), "two")
	a := d.next()
	if _, err := d.got(a); err == nil {
		t.Error("a line that was not entered was given")
	}
	d.press("enter")
	d.want(a, "three")
	if want := []string{"one", "two", "three"}; !slices.Equal(d.kept, want) || !slices.Equal(d.m.line.History(), want) {
		t.Errorf("remembered %q, history %q", d.kept, d.m.line.History())
	}
	if got, want := d.printed.String(), "demo› \ndemo› one\ndemo› two\ndemo› three\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestPaste(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one line stays to be changed": {"call echo\n", []string{"call echo!"}},
		"JSON over lines":              {"{\n  // why\n  \"a\": [1,\n 2.0],\n}\n", []string{`{"a":[1,2.0]}!`}},
		"lines, one by one":            {"tools\r\n\r\ninfo", []string{"tools", "info!"}},
		"raw lines":                    {"{\"a\":1}\r{\"b\": 2}\r", []string{`{"a":1}`, `{"b": 2}!`}},
		"one that goes on":             {"call x {\n\"a\":1\n}\ntools", []string{"call x {\n\"a\":1\n}", "tools!"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, 80, 24)
			d.send(uitest.Paste(c.text))
			if len(d.m.queue) != 0 {
				t.Error("a paste ran before enter was pressed")
			}
			d.typed("!\n")
			if !slices.Equal(waiting(d.m), c.want) {
				t.Errorf("lines %q, want %q", waiting(d.m), c.want)
			}
		})
	}
}

func TestALineThatGoesOn(t *testing.T) {
	d := newDesk(t, 80, 24)
	a := d.next()
	d.typed("call x {\n")
	if _, err := d.got(a); err == nil || d.m.line.Text() != "call x {\n" {
		t.Fatalf("the line is %q, %v", d.m.line.Text(), err)
	}
	d.typed("\"a\":1}\n")
	d.want(a, "call x {\n\"a\":1}")
}

func TestStop(t *testing.T) {
	d := newDesk(t, 80, 24)
	d.press("ctrl+c")
	if !strings.Contains(d.screen(), "ctrl+d leaves") {
		t.Errorf("on an empty line:\n%s", d.screen())
	}
	a := d.next()
	d.typed("call x")
	d.press("ctrl+c")
	if d.m.line.Text() != "" || d.printed.String() != "demo› call x^C\n" {
		t.Errorf("the line is %q, printed %q", d.m.line.Text(), d.printed.String())
	}
	d.typed("call slow\n")
	d.want(a, "call slow")
	ctx, cancel := context.WithCancel(t.Context())
	j := &job{what: "call slow", stop: cancel}
	d.send(jobMsg{j})
	d.typed("tools\nnew")
	d.press("ctrl+c")
	if !strings.Contains(d.screen(), "1 line was not run; ↑ brings it back") {
		t.Errorf("the line that waited is not told of:\n%s", d.screen())
	}
	if ctx.Err() == nil || len(d.m.queue) != 0 || d.m.line.Text() != "new" {
		t.Errorf("after ctrl+c: stopped %v, waiting %q, line %q", ctx.Err() != nil, waiting(d.m), d.m.line.Text())
	}
	d.send(jobDoneMsg{j})
	d.press("ctrl+c")
	if d.m.line.Text() != "" {
		t.Error("what was stopped is stopped again")
	}
}

// waiting are the lines that wait.
func waiting(m *model) (lines []string) {
	for _, q := range m.queue {
		lines = append(lines, q.line)
	}
	return lines
}

func TestAFailureEndsTheRestOfAPaste(t *testing.T) {
	d := newDesk(t, 80, 24)
	d.send(uitest.Paste("one\ntwo\nthree\n"))
	d.press("enter")
	d.want(d.next(), "one")
	d.typed("four\n")
	d.send(failedMsg{})
	if !strings.Contains(d.screen(), "2 lines were not run: one before failed; ↑ brings them back") {
		t.Errorf("the lines are not told of:\n%s", d.screen())
	}
	d.want(d.next(), "four")
	d.send(failedMsg{})
	d.typed("five\nsix\n") // one by one
	d.want(d.next(), "five")
	d.send(failedMsg{})
	d.want(d.next(), "six")
	d.press("up", "up", "up", "up")
	if got := d.m.line.Text(); got != "three" {
		t.Errorf("the history has %q", got)
	}
}

func TestLeave(t *testing.T) {
	d := newDesk(t, 80, 24)
	d.press("ctrl+d")
	if !strings.Contains(d.screen(), "something runs") {
		t.Errorf("while nobody waits for a line:\n%s", d.screen())
	}
	a := d.next()
	d.typed("ab")
	d.press("left", "ctrl+d")
	if d.m.line.Text() != "a" {
		t.Errorf("ctrl+d in a line made it %q", d.m.line.Text())
	}
	d.press("backspace", "ctrl+d")
	if _, err := d.got(a); !errors.Is(err, io.EOF) {
		t.Errorf("error %v", err)
	}
}

func TestQuestions(t *testing.T) {
	d := newDesk(t, 80, 24, "tools")
	main := d.next()
	d.typed("draft")
	first, second := &ask{label: "a: ", question: true, reply: make(chan answer, 1)}, &ask{label: "b: ", question: true, reply: make(chan answer, 1)}
	d.send(askMsg{first})
	d.typed("on")
	d.send(askMsg{second})
	d.press("up") // the history has no answers
	d.typed("two\n")
	d.want(second, "two")
	if d.m.line.Text() != "on" {
		t.Errorf("the answer being typed is %q", d.m.line.Text())
	}
	d.typed("e\n")
	d.want(first, "one")
	if d.m.line.Text() != "draft" || len(d.kept) != 0 {
		t.Errorf("the line being typed is %q, remembered %q", d.m.line.Text(), d.kept)
	}
	third := &ask{label: "c: ", question: true, reply: make(chan answer, 1)}
	d.send(askMsg{third})
	d.press("ctrl+c")
	if _, err := d.got(third); !errors.Is(err, ErrInterrupted) {
		t.Errorf("error %v", err)
	}
	fourth := &ask{label: "d: ", question: true, reply: make(chan answer, 1)}
	d.send(askMsg{fourth}, dropMsg{fourth})
	d.press("enter")
	d.want(main, "draft")
	if want := "b: two\na: one\nc: ^C\ndemo› draft\n"; d.printed.String() != want {
		t.Errorf("printed %q, want %q", d.printed.String(), want)
	}
}

func TestCompletion(t *testing.T) {
	d := newDesk(t, 80, 24)
	line := func(want string) {
		t.Helper()
		if d.m.line.Text() != want {
			t.Errorf("the line is %q, want %q", d.m.line.Text(), want)
		}
	}
	d.typed("ca") // local= has it, too, but does not begin with it
	d.press("tab")
	line("call ")
	d.press("ctrl+u")
	d.typed("oca")
	d.press("tab")
	line("local=")
	d.press("ctrl+u")
	d.typed("l")
	d.press("tab")
	line("local=")
	d.press("ctrl+u")
	d.typed("call g")
	d.press("tab")
	line("call get_forecast_")
	d.press("tab")
	line("call get_forecast_0")
	d.press("tab", "tab", "shift+tab")
	line("call get_forecast_1")
	d.press("esc")
	line("call get_forecast_")
	d.press("tab", "shift+tab")
	line("call get_forecast_11")
	d.typed(" ")
	line("call get_forecast_11 ")
	if d.m.choice != nil {
		t.Error("the list stays open when something else is typed")
	}
	d.typed("zz")
	d.press("tab")
	line("call get_forecast_11 zz")
	if d.m.notice == "" {
		t.Error("nothing says that there is nothing to complete")
	}
}

// Frames fit, whatever is typed and whatever the size of the terminal.
func TestFramesFit(t *testing.T) {
	for name, text := range uitest.Texts() {
		for _, size := range uitest.Sizes() {
			w, h := size[0], size[1]
			if w == 0 || len(text) > 1<<15 && w != 80 {
				continue
			}
			d := newDesk(t, w, h, text)
			d.send(uitest.Paste(text))
			d.press("left")
			d.send(jobMsg{&job{what: text, stop: func() {}}})
			d.now = d.now.Add(time.Second)
			f := d.m.frame()
			if len(f.rows) > max(1, h) || f.y >= len(f.rows) || f.x >= max(2, w) {
				t.Errorf("%s at %dx%d: %d rows, cursor %d %d", name, w, h, len(f.rows), f.x, f.y)
			}
			for i, row := range f.rows {
				if n := ansi.StringWidth(row); n != f.wide[i] || n > max(1, w-1) && w > 2 {
					t.Errorf("%s at %dx%d: row %d is %d cells, said %d: %q", name, w, h, i, n, f.wide[i], row)
				}
			}
		}
	}
}

func TestClearAndSuspend(t *testing.T) {
	d := newDesk(t, 80, 24)
	d.typed("ab")
	d.press("ctrl+l")
	if !d.m.screen.clear || d.m.line.Text() != "ab" {
		t.Errorf("ctrl+l: clear %v, line %q", d.m.screen.clear, d.m.line.Text())
	}
	if runtime.GOOS == "windows" {
		return
	}
	_, cmd := d.m.Update(uitest.Key("ctrl+z"))
	if cmd == nil || !d.m.screen.away {
		t.Fatal("ctrl+z does not give the terminal away")
	}
	if _, ok := cmd().(tea.SuspendMsg); !ok {
		t.Errorf("ctrl+z asks for %T", cmd())
	}
	d.send(tea.ResumeMsg{})
	if d.m.screen.away {
		t.Error("the terminal is not taken back")
	}
}

// A frame of a line that is a megabyte long costs what can be waited for.
func BenchmarkFrame(b *testing.B) {
	for _, size := range []int{20, 1000, 1 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			d := newDesk(b, 80, 24)
			d.send(uitest.Paste(strings.Repeat("call echo ", size/10)))
			for b.Loop() {
				d.m.frame()
			}
		})
	}
}
