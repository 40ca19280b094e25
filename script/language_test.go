package script_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"parley/client"
	"parley/client/clienttest"
	"parley/client/mcp"
	"parley/client/rawjson"
	"parley/client/wire"
	"parley/history"
	"parley/script"
)

// The files in testdata/language are the command language, one topic each. A file
// begins with its title, a line that begins with #, and what there is to say about
// the topic as a whole. Then follow cases. A case begins with its sentence, which is
// a fact about the language, written for those who use it:
//
//	-- `tools` lists the tools of the server, of all pages. --
//	the script that shows it
//
// The parts that follow say what the script meets and what has to come of it. All
// but server and wire have to be exactly what happened; a part that is left out is
// empty:
//
//	server     what the server does after the handshake, as in clienttest. The next
//	           connections have server 2, server 3 …; handshake says what it does from
//	           the first byte. Without any of them it is the server of standard.txt
//	stdout     what is printed
//	notes      what is said on the side, warnings with ▲
//	error      the error that ends the script, with its place; then "word: " and its
//	           word, and "hint: " and its hint, each only if it matters
//	wire       the lines that are sent after the handshake, exactly
//	initialize the params of the handshake
//	steps      how each step came out, with keep-going as the first line to keep going
//	vars       variables that are there from the beginning, a JSON object
//	env        the environment, NAME=value a line
//	stdin      standard input
//	file NAME  a file beside the script
//
// Time is that of a testing/synctest bubble: sleeping costs nothing.
func TestLanguage(t *testing.T) {
	files, err := filepath.Glob("testdata/language/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	t.Cleanup(func() func() {
		local := time.Local
		time.Local = time.UTC
		return func() { time.Local = local }
	}())
	standard, err := os.ReadFile("testdata/language/standard.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		topic := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if !strings.HasPrefix(string(archive.Comment), "# ") {
			t.Errorf("%s begins without a title", file)
		}
		t.Run(topic, func(t *testing.T) {
			for _, c := range casesOf(archive) {
				t.Run(c.sentence, func(t *testing.T) { c.run(t, string(standard)) })
			}
		})
	}
}

// languageCase is a case of testdata/language.
type languageCase struct {
	sentence string
	script   string
	parts    map[string]string
}

var partNames = map[string]bool{
	"server": true, "handshake": true, "stdout": true, "notes": true, "error": true, "wire": true, "initialize": true,
	"steps": true, "vars": true, "env": true, "stdin": true,
}

// casesOf takes an archive apart.
func casesOf(a *txtar.Archive) (cases []*languageCase) {
	for _, f := range a.Files {
		name, _, _ := strings.Cut(f.Name, " ")
		if !partNames[f.Name] && (name != "file" && name != "server" || strings.HasSuffix(f.Name, ".")) {
			cases = append(cases, &languageCase{f.Name, string(f.Data), map[string]string{}})
			continue
		}
		cases[len(cases)-1].parts[f.Name] = string(f.Data)
	}
	return cases
}

func (c *languageCase) run(t *testing.T, standard string) {
	for name := range c.parts {
		if rest, ok := strings.CutPrefix(name, "file "); ok {
			c.write(t, rest, c.parts[name])
		}
	}
	if !strings.HasSuffix(c.sentence, ".") {
		t.Errorf("neither a sentence nor a part that the runner knows: %q", c.sentence)
	}
	synctest.Test(t, func(t *testing.T) {
		h := &testHost{t: t, parts: c.parts, standard: standard}
		defer h.close()
		err := c.execute(t, h)
		synctest.Wait() // for what is noted by others
		c.compare(t, "stdout", h.out.String())
		c.compare(t, "notes", h.notes.String())
		c.compareError(t, err)
		if _, ok := c.parts["wire"]; ok {
			c.compare(t, "wire", h.sent(false))
		}
		if _, ok := c.parts["initialize"]; ok {
			c.compare(t, "initialize", h.sent(true))
		}
		if _, ok := c.parts["steps"]; ok {
			c.compare(t, "steps", h.steps.String())
		}
	})
}

// write puts a file beside the script. The cases' own folder is the working folder.
func (c *languageCase) write(t *testing.T, name, content string) {
	t.Helper()
	if c.parts["in folder"] == "" {
		t.Chdir(t.TempDir())
		c.parts["in folder"] = "yes"
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (c *languageCase) execute(t *testing.T, h *testHost) error {
	s, err := script.Parse("script", []byte(c.script))
	if err != nil {
		return err
	}
	vars := map[string]json.RawMessage{}
	if text := c.parts["vars"]; text != "" {
		err := rawjson.Each([]byte(text), func(name string, _, raw []byte) bool {
			vars[name] = raw
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	deps := script.AnswerDeps{Note: func(text string) { h.Note("", text) }}
	in := script.New(script.Options{Host: h, Vars: vars, Env: c.environment, Answers: &deps})
	keepGoing := strings.HasPrefix(c.parts["steps"], "keep-going\n")
	if keepGoing {
		h.steps.WriteString("keep-going\n")
	}
	err = in.Run(t.Context(), s, script.RunOptions{KeepGoing: keepGoing, Finished: func(r script.Result) {
		fmt.Fprintf(&h.steps, "%s %s\n", r.Status, r.Step.Source)
	}})
	if closing := in.Close(t.Context()); closing != nil {
		t.Errorf("closing: %v", closing)
	}
	return err
}

func (c *languageCase) environment(name string) (string, bool) {
	for line := range strings.Lines(c.parts["env"]) {
		if key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok && key == name {
			return value, true
		}
	}
	return "", false
}

func (c *languageCase) compare(t *testing.T, part, got string) {
	t.Helper()
	if want := c.parts[part]; got != want {
		t.Errorf("%s of %s\ngot:\n%s\nwant:\n%s", part, c.sentence, got, want)
	}
}

// compareError compares the error, and its word and hint if they are in the case.
func (c *languageCase) compareError(t *testing.T, err error) {
	t.Helper()
	var got, want strings.Builder
	wanted := c.parts["error"]
	if err != nil {
		fmt.Fprintln(&got, err)
		var word interface{ Word() string }
		var hint interface{ Hint() string }
		if errors.As(err, &word) && strings.Contains(wanted, "\nword: ") {
			fmt.Fprintf(&got, "word: %s\n", word.Word())
		}
		if errors.As(err, &hint) && strings.Contains(wanted, "\nhint: ") {
			fmt.Fprintf(&got, "hint: %s\n", hint.Hint())
		}
	}
	want.WriteString(wanted)
	if got.String() != want.String() {
		t.Errorf("error of %s\ngot:\n%s\nwant:\n%s", c.sentence, got.String(), want.String())
	}
}

// testHost is the program that a case runs in.
type testHost struct {
	t        *testing.T
	parts    map[string]string
	standard string
	out      strings.Builder
	notes    strings.Builder
	steps    strings.Builder
	logs     []*history.Log

	mu sync.Mutex // guards notes, which come from any goroutine
}

const (
	shakes   = "> initialize\nanswer {\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},\"prompts\":{},\"resources\":{}},\"serverInfo\":{\"name\":\"test\",\"version\":\"1\"}}\n> notifications/initialized\n"
	shakesIn = "handshake"
)

// server is what the nth connection meets.
func (h *testHost) server(n int) string {
	name := "server"
	if n > 1 {
		name = fmt.Sprintf("server %d", n)
	}
	if text, ok := h.parts[shakesIn]; ok && n == 1 {
		return text
	}
	if text, ok := h.parts[name]; ok {
		return shakes + text
	}
	return shakes + h.standard
}

// Connect implements script.Host.
func (h *testHost) Connect(ctx context.Context, words []string, settings *script.Settings) (*script.Link, error) {
	if len(words) > 0 {
		h.Note("", "the target is "+strings.Join(words, " | "))
	}
	if len(words) > 0 && words[0] == "nowhere" {
		return nil, errors.New("nowhere cannot be started")
	}
	if names := headerNames(settings); len(names) > 0 {
		h.Note("", "headers: "+strings.Join(names, ", "))
	}
	log, err := history.Create(history.Options{Spool: true})
	if err != nil {
		return nil, err
	}
	h.logs = append(h.logs, log)
	opt := client.Options{Name: "parley", Version: "1", Notice: func(text string) { h.Note("", text) }}
	settings.Apply(&opt)
	before := len(h.logs) - 1
	c := client.New(log, func(sink wire.Sink, epoch int) (client.Conn, error) {
		s, err := clienttest.ParseScript("server", []byte(h.server(before+epoch)))
		if err != nil {
			return nil, err
		}
		return s.Pipe(sink, epoch), nil
	}, opt)
	if err := c.Connect(ctx); err != nil {
		return nil, err
	}
	return &script.Link{Client: c, Log: log, Close: func(ctx context.Context) error {
		_ = c.Close(ctx) // a server may end as it likes
		return nil
	}}, nil
}

// headerNames are the headers that a connection over HTTP would have.
func headerNames(s *script.Settings) []string {
	h := http.Header{}
	s.ApplyHeader(h)
	return slices.Sorted(maps.Keys(h))
}

// Show implements script.Host: it prints texts as they are, and otherwise the bytes
// that a variable would get.
func (h *testHost) Show(o *script.Outcome) error {
	raw, err := o.Bytes()
	if err != nil {
		return err
	}
	switch text, isText := rawjson.Unquote(raw); {
	case o.Sent != nil:
		fmt.Fprintf(&h.out, "%s\n", o.Sent)
	case o.Verb == "echo" || o.Verb == "help":
		fmt.Fprintln(&h.out, o.Text)
	case o.Verb == "ping":
		fmt.Fprintf(&h.out, "answered in %s\n", o.Took)
	case o.Verb == "value" && isText:
		fmt.Fprintln(&h.out, text)
	case o.Verb == "call":
		for _, c := range mcp.DecodeCall(raw).Content {
			fmt.Fprintln(&h.out, c.Text)
		}
	case o.Verb == "tools" || o.Verb == "resources" || o.Verb == "templates" || o.Verb == "prompts":
		pages, err := o.Pages()
		if err != nil {
			return err
		}
		for _, p := range pages {
			fmt.Fprintf(&h.out, "%s\n", p)
		}
	default:
		fmt.Fprintf(&h.out, "%s\n", raw)
	}
	return nil
}

// Note implements script.Host.
func (h *testHost) Note(level, text string) {
	if level == "warning" {
		text = "▲ " + text
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes.WriteString(text + "\n")
}

// Stdin implements script.Host.
func (h *testHost) Stdin() io.Reader { return strings.NewReader(h.parts["stdin"]) }

// sent gives the lines that were sent: the params of initialize, or all others.
func (h *testHost) sent(handshake bool) string {
	var b strings.Builder
	for _, log := range h.logs {
		log.Records(1, log.Len(), func(r *history.Record) bool {
			if r.Dir != wire.Out || r.Method == "notifications/initialized" || handshake != (r.Method == "initialize") {
				return true
			}
			raw, err := log.Bytes(r.Seq, 0, -1)
			if err != nil {
				h.t.Fatal(err)
			}
			if handshake {
				raw, _ = rawjson.Get(raw, "params")
			}
			fmt.Fprintf(&b, "%s\n", raw)
			return true
		})
	}
	return b.String()
}

// end closes the logs. In a bubble close waits for what still runs, too.
func (h *testHost) end() {
	for _, log := range h.logs {
		_ = log.Close()
	}
}

func (h *testHost) close() {
	h.end()
	synctest.Wait()
}
