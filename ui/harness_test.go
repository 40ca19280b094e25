package ui

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/wire"
	"parley/history"
	"parley/script"
	"parley/ui/uitest"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "edit-as" { // the editor of a test
		if err := os.WriteFile(os.Args[3], []byte(os.Args[2]), 0o600); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	time.Local = time.UTC                        // screens show local times
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // or the editors would take a second each
	os.Exit(m.Run())
}

// began is when every story begins.
var began = time.Date(2026, 11, 20, 9, 38, 50, 0, time.UTC)

// setup says what a story is about. The zero value is the weather server at
// 80x24.
type setup struct {
	w, h    int
	servers []string // a script of the server for each epoch; the last one stays
	client  client.Options
	memory  *Memory
	start   *Start // begin on the start screen
	file    string // or look through this session
	dir     string // where the session is recorded; one that goes away if empty
	loose   bool   // the server may be asked for anything
	// open makes what connect NAME calls.
	open func(t *testing.T) func(context.Context, []string, *script.Settings) (*Session, error)
}

// screen drives a Model in a bubble as a program would: a message is applied,
// the commands that it returned are run, and what they bring is applied, until
// everything waits for time to pass.
type screen struct {
	t     *testing.T
	m     *Model
	log   *history.Log // nil without a session
	clip  string       // what was copied last
	edit  string       // what the editor saves; empty: it changes nothing
	quit  bool
	took  int           // messages that the model was given
	notes chan<- string // what is said on the side
	runs  bool          // the editor is run; otherwise the file is written without one

	mu   sync.Mutex
	late []tea.Msg
}

// story tells one story of the weather server on a screen of 80x24.
func story(t *testing.T, fn func(s *screen)) {
	t.Helper()
	setup{}.story(t, fn)
}

// with is the story of another server.
func with(script string) setup { return setup{servers: []string{script}} }

// wide is the same setup where list and detail stand side by side.
func (u setup) wide() setup { u.w, u.h = 110, 34; return u }

// limited is the same setup with a shorter time for requests.
func (u setup) limited(d time.Duration) setup { u.client.Timeout = d; return u }

// story runs fn in a bubble, where time stands still unless the story lets it
// pass, and ends the session in order afterwards.
func (u setup) story(t *testing.T, fn func(s *screen)) {
	t.Helper()
	dir := u.dir
	if dir == "" {
		dir = t.TempDir()
	}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(began))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		opt := Options{Start: u.start, Version: "0.1.0", Memory: u.memory}
		if u.open != nil {
			opt.Connect = u.open(t)
		}
		notes := make(chan string, 4)
		opt.Notes = notes
		s := &screen{t: t, runs: true, notes: notes}
		opt.Editor = s.editor
		switch {
		case u.file != "":
			opt.Session = opened(t, u.file)
		case u.start == nil:
			opt.Session = u.session(t, dir)
		}
		if opt.Session != nil {
			s.log = opt.Session.Log
		}
		s.m = New(ctx, opt)
		s.run(s.m.Init())
		if u.w == 0 {
			u.w, u.h = 80, 24
		}
		s.send(tea.WindowSizeMsg{Width: u.w, Height: u.h})
		defer func() {
			cancel()
			if sess := s.m.desk.sess; sess != nil {
				sess.End(context.Background())
			}
			time.Sleep(time.Second) // timers that were set end
		}()
		fn(s)
	})
}

// session is a live one with the scripted server, recorded in dir.
func (u setup) session(t *testing.T, dir string) *Session {
	servers := u.servers
	if servers == nil {
		servers = []string{weather}
	}
	log := record(t, dir)
	opt := u.client
	opt.Name, opt.Version = "parley", "0.1.0"
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		script := servers[min(epoch, len(servers))-1]
		if script == "" {
			return wire.StartStdio(wire.Command{Args: []string{"weatehr"}, Env: []string{"PATH=/nowhere"}}, sink, wire.StdioOptions{})
		}
		if u.loose {
			s, err := clienttest.ParseScript("script", []byte(script))
			if err != nil {
				return nil, err
			}
			return s.Pipe(sink, epoch), nil
		}
		return clienttest.Connect(t, script, sink, epoch), nil
	}, opt)
	var once sync.Once
	return &Session{
		Log: log, Client: c, Name: "weather", Target: "node weather.js", Transport: "stdio", Recording: true,
		End: func(ctx context.Context) {
			once.Do(func() { _ = c.Close(ctx); _ = log.Close() })
		},
	}
}

// record begins a session file whose name is the same on every machine.
func record(t testing.TB, dir string) *history.Log {
	t.Helper()
	back, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chdir(back) }()
	log, err := history.Create(history.Options{Path: "weather.jsonl", Header: history.Header{
		Started: began, Target: history.Target{Command: []string{"node", "weather.js"}, Name: "weather"}, Client: "parley 0.1.0",
	}})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// writeFile makes a file.
func writeFile(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// opened is a recorded session.
func opened(t testing.TB, file string) *Session {
	t.Helper()
	log, err := history.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return &Session{Log: log, Name: "weather", Target: "node weather.js", Transport: "file",
		End: func(context.Context) { _ = log.Close() }}
}

// editor is this program, which writes what it is told.
func (s *screen) editor(file string) (string, []string) {
	text := s.edit
	if text == "" {
		raw, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		text = string(raw)
	}
	self, err := os.Executable()
	if err == nil && !s.runs {
		err = os.WriteFile(file, []byte(text), 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return self, []string{"edit-as", text, file}
}

// send applies messages and all that follows from them.
func (s *screen) send(msgs ...tea.Msg) {
	s.t.Helper()
	for _, msg := range msgs {
		s.apply(msg)
		s.settle()
	}
}

// press applies keys by name.
func (s *screen) press(names ...string) { s.t.Helper(); s.send(uitest.Keys(names...)...) }

// write types text.
func (s *screen) write(text string) { s.t.Helper(); s.send(uitest.Type(text)...) }

// paste is a bracketed paste.
func paste(text string) tea.Msg { return uitest.Paste(text) }

// settle applies what commands bring until everything waits.
func (s *screen) settle() {
	s.t.Helper()
	for n := 0; ; n++ {
		synctest.Wait()
		s.mu.Lock()
		if len(s.late) == 0 {
			s.mu.Unlock()
			return
		}
		msg := s.late[0]
		s.late = s.late[1:]
		s.mu.Unlock()
		if n > 10_000 {
			s.t.Fatalf("10,000 messages and no end; the last is a %T", msg)
		}
		s.apply(msg)
	}
}

// pass lets time pass.
func (s *screen) pass(d time.Duration) {
	s.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(10*time.Millisecond, time.Until(end)))
		s.settle()
	}
}

// until lets time pass until the screen shows all texts, at most a minute.
func (s *screen) until(texts ...string) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !s.shows(texts...); {
		if time.Now().After(end) {
			s.t.Fatalf("%q did not come:\n%s", texts, s.view())
		}
		s.pass(10 * time.Millisecond)
	}
}

// ready connects and lists.
func (s *screen) ready() {
	s.t.Helper()
	s.until("● ready")
	s.pass(100 * time.Millisecond)
}

// apply applies one message as the program's loop does.
func (s *screen) apply(msg tea.Msg) {
	v := reflect.ValueOf(msg)
	switch msg := msg.(type) {
	case nil:
		return
	case tea.QuitMsg:
		s.quit = true
		return
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.run(cmd)
		}
		return
	}
	switch {
	case v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd](): // a sequence
		for i := range v.Len() {
			s.run(v.Index(i).Interface().(tea.Cmd))
		}
		return
	case v.Type().Name() == "setClipboardMsg":
		s.clip = v.String()
	case v.Type().Name() == "execMsg":
		s.exec(v)
		return
	}
	s.took++
	_, cmd := s.m.Update(msg)
	s.run(cmd)
}

// run runs a command until it waits or is done, so that the order of what
// commands do is always the same.
func (s *screen) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		if msg := cmd(); msg != nil {
			s.mu.Lock()
			s.late = append(s.late, msg)
			s.mu.Unlock()
		}
	}()
	synctest.Wait()
}

// exec runs what takes the terminal: the message's fields are not exported.
func (s *screen) exec(msg reflect.Value) {
	v := reflect.New(msg.Type()).Elem()
	v.Set(msg)
	field := func(name string) any {
		f := v.FieldByName(name)
		return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Interface()
	}
	var err error
	if s.runs {
		err = field("cmd").(tea.ExecCommand).Run()
	}
	s.run(func() tea.Msg { return field("fn").(tea.ExecCallback)(err) })
}

// view is the screen as text.
func (s *screen) view() string { return uitest.Plain(s.m.View().Content) }

// shows reports whether the screen has all texts.
func (s *screen) shows(texts ...string) bool {
	view := s.view()
	for _, text := range texts {
		if !strings.Contains(view, text) {
			return false
		}
	}
	return true
}

// want fails unless the screen has all texts.
func (s *screen) want(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !s.shows(text) {
			s.t.Fatalf("%q is not on the screen:\n%s", text, s.view())
		}
	}
}

// wantNot fails if the screen has one of the texts.
func (s *screen) wantNot(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if s.shows(text) {
			s.t.Fatalf("%q is on the screen:\n%s", text, s.view())
		}
	}
}

// sent are the messages that went out, without their answers, from the n-th on.
func (s *screen) sent(n int) []string {
	var out []string
	for seq := uint64(1); seq <= s.log.Len(); seq++ {
		if r, ok := s.log.Record(seq); ok && r.Dir == wire.Out {
			raw, err := s.log.Bytes(seq, 0, -1)
			if err != nil {
				s.t.Fatal(err)
			}
			out = append(out, string(raw))
		}
	}
	return out[min(n, len(out)):]
}

// last is what went out last.
func (s *screen) last() string {
	s.t.Helper()
	all := s.sent(0)
	if len(all) == 0 {
		s.t.Fatal("nothing was sent")
	}
	return all[len(all)-1]
}

// at finds text on the screen and returns its cell.
func (s *screen) at(text string) (x, y int) {
	s.t.Helper()
	for y, line := range strings.Split(s.view(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return ansi.StringWidth(before), y
		}
	}
	s.t.Fatalf("%q is not on the screen:\n%s", text, s.view())
	return 0, 0
}

// selectedLine is the row that is selected where the keys are.
func (s *screen) selectedLine() string {
	s.t.Helper()
	_, y := s.at("▌")
	return strings.Split(s.view(), "\n")[y]
}
