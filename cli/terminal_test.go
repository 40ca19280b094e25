package cli_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"parley/cli"
)

// outcome is what a command printed, and its exit code.
type outcome struct {
	out, err string
	code     int
}

// onTerminal runs parley in this process, as if on a terminal.
func onTerminal(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	dir := t.TempDir()
	for name, value := range map[string]string{"HOME": dir, "XDG_STATE_HOME": filepath.Join(dir, "state"), "XDG_CONFIG_HOME": filepath.Join(dir, "config"), "TZ": "UTC"} {
		t.Setenv(name, value)
	}
	return run(t, stdin, args...)
}

// run is onTerminal with what an earlier command of the test left.
func run(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	code := cli.Main(t.Context(), args, cli.Streams{In: strings.NewReader(stdin), Out: &out, Err: &err, InTTY: true, OutTTY: true, ErrTTY: true})
	return outcome{out.String(), err.String(), code}
}

// harmless fails if a text could do more to a terminal than fill lines.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range text {
		switch {
		case r == '\n':
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == 0x200b, r == 0xfffd:
			t.Errorf("%s has %U at %d: %q", what, r, i, text)
			return
		}
	}
}

func hostile(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("testdata/server/hostile.txt")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Whatever a server says, nothing but text gets to the terminal.
func TestHostileServerOnATerminal(t *testing.T) {
	server := []string{"fakeserver", hostile(t)}
	for _, args := range [][]string{
		{"tools"}, {"resources"}, {"templates"}, {"prompts"}, {"info"}, {"ping"}, {"tools", "-v"},
		{"call", "t\x1b[1m\n2", "--"}, {"call", "nosuch", "--"}, {"call", "u\tv", "b=1", "--"}, {"call", "t\x1b[1m\n2", "a\x1b[1m=x", "--"},
		{"read", "x", "--"}, {"get", "p", "--"}, {"request", "ping", "--"}, {"request", "prompts/get", "--"},
	} {
		o := onTerminal(t, "", append(args, server...)...)
		harmless(t, strings.Join(args, " ")+": standard output", o.out)
		harmless(t, strings.Join(args, " ")+": standard error", o.err)
		if o.out+o.err == "" {
			t.Errorf("%q printed nothing", args)
		}
		shown := run(t, "", "show", "last")
		harmless(t, "show", shown.out)
		harmless(t, "show", run(t, "", "show", "-p", "last").out)
		harmless(t, "show 3", run(t, "", "show", "last", "3").out)
		if shown.code != 0 || shown.out == "" {
			t.Errorf("show: %+v", shown)
		}
	}
}

// The errors of a hostile server, too.
func TestHostileErrorsOnATerminal(t *testing.T) {
	dir := t.TempDir()
	for name, script := range map[string]string{
		"an error":       "> initialize\nfail {\"code\":-1,\"message\":\"m\\u001b[2J\\u202e\",\"data\":{\"x\\u001b\":\"\\u009b\\n\"}}\n",
		"a version":      "> initialize\nanswer {\"protocolVersion\":\"\\u001b[2J\\u202e\"}\n",
		"last words":     "stderr \x1b[31mfatal\u202e\t\x07\nstray \x1b]0;title\x07\u200b\nexit 3\n",
		"nothing usable": "> initialize\nanswer \"\\u001b[2J\"\n",
		"silence":        "stderr \x1b[31m\u202e\nstray \x1b[31m\u202e\n> initialize\n< {\"jsonrpc\":\"2.0\",\"id\":\"\\u001b[2J\\u202e\",\"result\":{}}\nhang\n",
	} {
		path := filepath.Join(dir, name)
		writeFile(t, path, script)
		o := onTerminal(t, "", "tools", "--timeout", "1s", "fakeserver", path)
		harmless(t, name, o.out)
		harmless(t, name, o.err)
		if o.code != 4 || o.err == "" {
			t.Errorf("%s: %+v", name, o)
		}
	}
	o := onTerminal(t, "", "tools", "no\x1b[2Jsuch\u202e", "x")
	harmless(t, "an unknown program", o.err)
}

// In a pipe the text is exact.
func TestTextIsExactInAPipe(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	var out, err bytes.Buffer
	cli.Main(t.Context(), []string{"call", "x", "--force", "--", "fakeserver", hostile(t)}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &err})
	if want := "a\x1b[31mb\u009b\u202e\r\n\tc\x00\x07\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("printed %q, want %q first", out.String(), want)
	}
}

// Binary contents are named on a terminal, not written to it.
func TestBinaryOnATerminal(t *testing.T) {
	o := onTerminal(t, "", "read", "x", "--", "fakeserver", hostile(t))
	if !strings.Contains(o.out, "[␛[2J 4 B]") || !strings.Contains(o.err, "--save FILE keeps them") {
		t.Errorf("%+v", o)
	}
}

// A result without structured content has no line for it.
func TestNothingIsPrintedForStructuredContentThatIsNotThere(t *testing.T) {
	server, err := filepath.Abs("testdata/server/tools.txt")
	if err != nil {
		t.Fatal(err)
	}
	if o := onTerminal(t, "", "call", "add", "a=1", "--", "fakeserver", server); o.out != "done\n" {
		t.Errorf("%+v", o)
	}
}

// cells counts terminal cells of plain and of East Asian wide text.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n++
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0xff01 && r <= 0xff60 {
			n++
		}
	}
	return n
}

// The second column of a list begins in the same cell, whatever the first has.
func TestListsAreAlignedWithWideText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "server.txt")
	writeFile(t, path, `> initialize
answer {"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"p","version":"1"}}
> notifications/initialized
on tools/list {"tools":[{"name":"北京天气","description":"│","inputSchema":{"type":"object"}},{"name":"a","description":"│","inputSchema":{"type":"object"}},{"name":"ｆｕｌｌ","description":"│","inputSchema":{"type":"object"}},{"name":"한국어","description":"│","inputSchema":{"type":"object"}},{"name":"cafe\u0301s","description":"│","inputSchema":{"type":"object"}},{"name":"a-name-that-is-longer-than-the-first-column-may-be","description":"│","inputSchema":{"type":"object"}}]}
`)
	o := onTerminal(t, "", "tools", "fakeserver", path)
	lines := strings.Split(strings.TrimSpace(o.out), "\n")
	if len(lines) != 6 {
		t.Fatalf("%+v", o)
	}
	for i, l := range lines[:5] {
		before, _, ok := strings.Cut(strings.ReplaceAll(l, "\u0301", ""), "│")
		if got := cells(before); !ok || got != 10 {
			t.Errorf("line %d: the second column begins in cell %d, want 10: %q", i+1, got, l)
		}
	}
	if !strings.HasSuffix(lines[5], "may-be  │") {
		t.Errorf("a long name: %q", lines[5])
	}
}

// A question is asked on a terminal, and only yes is yes.
func TestReplayAsksOnATerminal(t *testing.T) {
	dir := t.TempDir()
	session, server := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "server.txt")
	writeFile(t, session, `{"parley":"session/1","started":"2026-11-20T09:38:50.339Z","target":{"command":["x"]}}
{"n":1,"t":"2026-11-20T09:38:50.356Z","d":">","raw":"{\"jsonrpc\":\"2.0\",\"id\":71,\"method\":\"tools/call\",\"params\":{\"name\":\"wipe\\u001b[2J\"}}"}
`)
	writeFile(t, server, "on tools/call {}\n")
	for stdin, sent := range map[string]bool{"y\n": true, "YES\n": true, "yes \n": true, "n\n": false, "\n": false, "": false, "yep\n": false} {
		o := onTerminal(t, stdin, "replay", session, "fakeserver", server)
		if !strings.HasPrefix(o.err, "parley: this calls wipe␛[2J again, which may change things. Go on? [y/N] ") {
			t.Errorf("%q: asked %q", stdin, o.err)
		}
		if called := strings.Contains(o.out, "tools/call"); called != sent || !sent && (o.code != 1 || !strings.Contains(o.err, "nothing was sent")) {
			t.Errorf("%q: called %v, want %v: %+v", stdin, called, sent, o)
		}
		harmless(t, "question", o.err)
	}
}
