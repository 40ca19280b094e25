package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"parley/client"
	"parley/client/near"
	"parley/config"
	"parley/history"
	"parley/script"
	"parley/ui"
)

// maxRecent bounds the sessions of the start screen, maxNotes the notes that it has
// not shown yet.
const (
	maxRecent = 50
	maxNotes  = 32
)

// tui opens the screen on a target, or on the start screen.
func (a *app) tui(words []string, forced bool) error {
	if meant := a.misspelt(words, forced); meant != "" {
		return &failure{word: "unreachable", message: fmt.Sprintf("%s is neither a command of parley nor a program", words[0]),
			hint: "did you mean parley " + meant + "?"}
	}
	if !a.io.OutTTY || !a.io.InTTY {
		return usage("a pipe or a script wants a command: parley tools TARGET, parley call …, parley raw TARGET; parley --help lists them",
			"the screen needs a terminal")
	}
	opt := ui.Options{Version: version(), Memory: a.openMemory()}
	if a.given(words) {
		s, err := a.screenSession(words, forced)
		if err != nil {
			return err
		}
		opt.Session = s
	} else {
		opt.Start = a.start()
	}
	return a.screen(opt)
}

// misspelt gives the command that was probably meant by a first word that is
// neither a program nor a configured server.
func (a *app) misspelt(words []string, forced bool) string {
	if forced || len(words) == 0 || strings.ContainsAny(words[0], `/\.:`) {
		return ""
	}
	meant := near.Best(words[0], commandNames(a.root()))
	if meant == "" {
		return ""
	}
	if _, err := exec.LookPath(words[0]); err == nil {
		return ""
	}
	if file, err := a.findConfig(); err == nil && len(words) == 1 && len(file.Nearest(words[0])) > 0 {
		return ""
	}
	return meant
}

// screen runs the program and says where the session was kept.
func (a *app) screen(opt ui.Options) error {
	opt.Connect, opt.Servers = a.connectOther, sync.OnceValue(a.configuredNames)
	notes := make(chan string, maxNotes)
	a.onScreen, a.notices, opt.Notes = true, notes, notes
	last, err := ui.Run(a.ctx, opt)
	after := *a // a may still be used by what the screen began
	after.notices = nil
	for unread := true; unread; {
		select {
		case text := <-notes:
			after.note("%s", text)
		default:
			unread = false
		}
	}
	if last != nil {
		if last.Recording && last.Log.Len() > 0 {
			after.note("session kept in %s", last.Log.Path())
		}
		if cause := last.Log.Err(); cause != nil {
			after.note("the session file is not complete: %v", cause)
		}
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (a *app) openMemory() *ui.Memory {
	dir, err := config.StateDir()
	if err != nil {
		return nil
	}
	m, err := ui.OpenMemory(filepath.Join(dir, "memory.json"))
	if err != nil {
		a.note("remembered arguments cannot be read: %v", err)
	}
	return m
}

// screenSession prepares a session for the screen: nothing is started yet, so
// that a command that cannot be started shows on the screen, where R tries again.
func (a *app) screenSession(words []string, forced bool) (*ui.Session, error) {
	t, err := a.target(words, forced)
	if err != nil {
		return nil, err
	}
	return a.liveSession(t)
}

func (a *app) liveSession(t target) (*ui.Session, error) {
	opt, err := a.optionsFor(&t)
	if err != nil {
		return nil, err
	}
	return a.sessionWith(t, opt, nil)
}

// sessionWith is liveSession with a client that was shaped otherwise.
func (a *app) sessionWith(t target, opt client.Options, settings *script.Settings) (*ui.Session, error) {
	if t.remote != nil { // what is wrong with a command shows on the screen, where R tries again
		if err := t.ready(); err != nil {
			return nil, err
		}
	}
	log, err := a.newLog(t)
	if err != nil {
		return nil, err
	}
	opt.Listen = true
	c := client.New(log, a.dialer(t, screenGrace, settings), opt)
	var once sync.Once
	reconnects := 0
	if t.remote != nil {
		reconnects = t.remote.reconnects
	}
	return &ui.Session{
		Reconnects: reconnects,
		Log:        log, Client: c, Name: t.name, Target: t.String(), Transport: t.transport(), Warning: t.warning(),
		Recording: !a.noRecord && log.Path() != "", Again: a.again(t),
		End: func(ctx context.Context) {
			once.Do(func() {
				a.learn(&t, &opt, c.Era())
				_ = c.Close(ctx)
				_ = log.Close()
			})
		},
	}, nil
}

// again are the words that name a target again behind a command: those of a command
// itself, or the flags.
func (a *app) again(t target) (words []string) {
	flag := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				words = append(words, name, v)
			}
		}
	}
	flag("--cwd", a.cwd)
	flag("-e", a.env...)
	if a.cleanEnv {
		words = append(words, "--clean-env")
	}
	flag("--protocol", a.protocol)
	flag("--ca", a.ca)
	flag("--cert", a.cert)
	flag("--key", a.key)
	if a.insecure {
		words = append(words, "--insecure")
	}
	flag("--transport", a.transport)
	flag("--reconnects", a.reconnects.String())
	flag("--log-level", a.logLevel)
	flag("--extension", a.extensions...)
	if a.anonymous {
		words = append(words, "--no-client-info")
	}
	flag("--elicit", a.elicit)
	flag("--sample", a.sample)
	flag("--root", a.roots...)
	switch {
	case t.configured != "":
		flag("--config", a.config)
		flag("-s", t.configured)
	case t.remote != nil:
		words = append(words, t.remote.typed...)
	case len(words) == 0:
		return t.command.Args
	default:
		words = append(append(words, "--"), t.command.Args...)
	}
	return words
}

// screenGrace is how long each step of ending a server may take on the screen.
const screenGrace = 2 * time.Second

// fileSession opens a recorded session for the screen.
func fileSession(log *history.Log) *ui.Session {
	h := log.Header()
	again := h.Target.Command
	if h.Target.URL != "" {
		again = []string{"--url", h.Target.URL}
	}
	if dir, err := os.Getwd(); err == nil && h.Target.Cwd != "" && h.Target.Cwd != dir {
		again = append([]string{"--cwd", h.Target.Cwd, "--"}, again...)
	}
	return &ui.Session{
		Log: log, Name: or(h.Target.Name, h.Target.String()), Target: h.Target.String(), Transport: "file", Again: again,
		End: func(context.Context) { _ = log.Close() },
	}
}

func (a *app) openCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "open FILE",
		Short: "look through a recorded session on the screen",
		Long: `Look through a recorded session on the screen, as it was live; nothing can be
sent. FILE is a path, or the name of a session as parley sessions lists it; "last"
is the newest one.

  parley open last`,
		Args: oneFile, ValidArgsFunction: completeSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			if !a.io.OutTTY || !a.io.InTTY {
				return usage("parley show "+args[0]+" prints it", "the screen needs a terminal")
			}
			log, err := a.openSession(args[0])
			if err != nil {
				return err
			}
			return a.screen(ui.Options{Session: fileSession(log), Version: version(), Memory: a.openMemory()})
		},
	}
}

// start gathers what the start screen offers.
func (a *app) start() *ui.Start {
	s := &ui.Start{
		Connect: func(_ context.Context, name string) (*ui.Session, error) {
			t, err := a.configured(name)
			if err != nil {
				return nil, err
			}
			return a.liveSession(t)
		},
		Open: func(path string) (*ui.Session, error) {
			log, err := history.Open(path)
			if err != nil {
				return nil, err
			}
			return fileSession(log), nil
		},
		Demo: func(context.Context) (*ui.Session, error) {
			t, err := demoTarget("")
			if err != nil {
				return nil, err
			}
			return a.liveSession(t)
		},
	}
	if found, err := a.findConfig(); err != nil {
		s.Problem = err.Error()
	} else {
		s.Servers, s.Problem = a.startServers(found)
	}
	_, s.Sessions, _ = recorded(maxRecent)
	return s
}

// startServers checks each configured server: can it be started, or why not.
// They are in the order of their files; of several of one name only the first is
// there, as it is the one that its name would connect to. The problem is that of
// the files which could not be read.
func (a *app) startServers(found *config.Set) (rows []ui.Server, problem string) {
	for _, name := range found.Names() {
		s, _ := found.Lookup(name)
		shown := s.Masked()
		row := ui.Server{Name: name, Command: strings.Join(append([]string{shown.Command}, shown.Args...), " "), File: shortPath(s.File)}
		if s.Program != "" {
			row.File += "  (" + s.Program + ")"
		}
		if s.URL != "" {
			row.Command = shown.URL
		}
		if p := s.Check(a.look); !p.OK {
			row.Problem, row.Hint = brief(p.Message, name), p.Hint
		}
		rows = append(rows, row)
	}
	var problems []string
	for _, f := range found.Broken() {
		problems = append(problems, f.Err.Error())
	}
	return rows, strings.Join(problems, "; ")
}

// brief leaves out where a server is configured: its row says enough.
func brief(message, name string) string {
	if _, rest, ok := strings.Cut(message, "server "+name+": "); ok {
		return rest
	}
	return message
}

// demoTarget is this program as a demo server.
func demoTarget(as string) (target, error) {
	self, err := os.Executable()
	if err != nil {
		return target{}, err
	}
	args := []string{self, "demo", "--stdio"}
	if as != "" {
		args = append(args, "--as", as)
	}
	t := target{name: "demo"}
	t.command.Args = args
	return t, nil
}
