package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/client"
	"parley/client/mcp"
	"parley/client/wire"
	"parley/script"
)

// bare is an app without a configuration.
func bare(t *testing.T) *app {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	var out, err strings.Builder
	return &app{io: Streams{Out: &out, Err: &err}, ctx: t.Context(), timeout: client.DefaultTimeout}
}

func TestTargetIsTheCommandUntouched(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{
		{self}, {self, "--flag", "-v"}, {"nosuch", "a b", "", "$HOME", "*"}, {"./x"}, {"npx", "-y", "pkg", "--", "--stdio"},
	} {
		a := bare(t)
		a.env, a.cleanEnv, a.cwd = []string{"K=V=W"}, true, "somewhere"
		got, err := a.target(words, false)
		if err != nil || !slices.Equal(got.command.Args, words) || !slices.Equal(got.command.Env, a.env) || !got.command.CleanEnv || got.command.Dir != "somewhere" {
			t.Errorf("%q is %+v, %v", words, got, err)
		}
	}
}

func TestTargetErrors(t *testing.T) {
	for _, c := range []struct {
		words       []string
		forced      bool
		server, url string
		code        int
	}{
		{nil, false, "", "", 2},
		{[]string{"x"}, false, "y", "", 2},
		{[]string{"x"}, true, "y", "", 2},
		{[]string{"x", "z"}, false, "", "http://y", 2},
		{nil, false, "y", "http://y", 2},
		{[]string{"-s", "x"}, false, "", "", 2},
		{[]string{"http://x:y"}, false, "", "", 2},
		{[]string{"WSS://"}, false, "", "", 2},
		{[]string{"no-such-program"}, false, "", "", 4},
		{nil, false, "unknown", "", 2},
	} {
		a := bare(t)
		a.server, a.url = c.server, c.url
		if _, err := a.target(c.words, c.forced); exitCode(err) != c.code || hint(err) == "" {
			t.Errorf("%q, -s %q, --url %q: %v, exit %d, hint %q, want exit %d", c.words, c.server, c.url, err, exitCode(err), hint(err), c.code)
		}
	}
	a := bare(t)
	for _, words := range [][]string{{"-x"}, {"http://x"}, {"no-such-program"}} {
		if got, err := a.target(words, true); err != nil || !slices.Equal(got.command.Args, words) {
			t.Errorf("-- %q is %+v, %v: -- forces a command", words, got, err)
		}
	}
}

func TestConfiguredTarget(t *testing.T) {
	a := bare(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SELF", self)
	t.Setenv("SECRET", "hidden")
	config := `{"mcpServers": {"one": {"command": "${SELF}", "args": ["--key", "${SECRET}"], "env": {"B": "${SECRET}", "A": "1"}, "cwd": "` + filepath.ToSlash(t.TempDir()) + `"}}}`
	if err := os.WriteFile(".mcp.json", []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	a.env = []string{"C=3"}
	for _, words := range [][]string{{"one"}, nil} {
		if words == nil {
			a.server = "one"
		}
		got, err := a.target(words, false)
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{self, "--key", "hidden"}; !slices.Equal(got.command.Args, want) {
			t.Errorf("the command is %q, want %q", got.command.Args, want)
		}
		if want := []string{"A=1", "B=hidden", "C=3"}; !slices.Equal(got.command.Env, want) {
			t.Errorf("the environment is %q, want %q", got.command.Env, want)
		}
		if got.name != "one" || got.String() != "${SELF} --key ${SECRET}" {
			t.Errorf("it is called %q and shown as %q", got.name, got)
		}
	}
	a.cwd = "."
	if got, _ := a.target(nil, false); got.command.Dir != "." {
		t.Errorf("--cwd gives %q", got.command.Dir)
	}
}

func TestCommandName(t *testing.T) {
	for words, want := range map[string]string{
		"node server.js":                    "server",
		"npx -y @scope/server-x":            "server-x",
		"/usr/bin/python3 -m pkg":           "pkg",
		"uv run --x app.py":                 "app",
		"java -jar server.jar --spring.x=y": "server",
		"env A=1 node x.mjs":                "x",
		"./bin/server.exe":                  "server",
		"npx":                               "npx",
		"sh -c x":                           "x",
		"docker run -i image":               "docker",
		"node":                              "node",
		"my-server node":                    "my-server",
		"npx -y tsx index.ts":               "tsx",
		"bash run.sh":                       "run",
		"server":                            "server",
	} {
		if got := commandName(strings.Fields(words)); got != want {
			t.Errorf("%q is called %q, want %q", words, got, want)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		word string
	}{
		{nil, 0, ""},
		{silent(0), 0, ""},
		{silent(7), 7, ""},
		{errors.New("x"), 1, "error"},
		{usage("h", "m"), 2, "usage"},
		{&client.GateError{}, 2, "gate"},
		{&failure{word: "arguments"}, 2, "arguments"},
		{&failure{word: "auth"}, 3, "auth"},
		{&wire.StartError{}, 4, "unreachable"},
		{&wire.ExitError{Code: 1}, 4, "exited"},
		{&wire.ExitError{Signal: "SIGSEGV"}, 4, "killed"},
		{client.ErrClosed, 4, "closed"},
		{client.ErrNotConnected, 4, "closed"},
		{&client.TimeoutError{}, 4, "timeout"},
		{context.DeadlineExceeded, 4, "timeout"},
		{&client.VersionError{}, 4, "version"},
		{&wire.HTTPError{Status: 401}, 3, "auth"},
		{&wire.HTTPError{Status: 403}, 3, "auth"},
		{&wire.HTTPError{Status: 405}, 4, "unreachable"},
		{&wire.HTTPError{Status: 500}, 4, "http"},
		{&wire.SessionError{HTTP: &wire.HTTPError{Status: 404}}, 4, "session"},
		{&wire.StreamError{}, 4, "lost"},
		{&wire.NetError{Err: io.EOF}, 4, "unreachable"},
		{&wire.DisconnectedError{}, 4, "disconnected"},
		{&wire.EndpointError{Err: io.EOF}, 4, "unreachable"},
		{&wire.RedirectError{}, 4, "http"},
		{&wire.UpgradeError{HTTP: &wire.HTTPError{Status: 401}}, 3, "auth"},
		{&wire.AddressError{}, 2, "usage"},
		{&wire.FileError{Err: io.EOF}, 2, "usage"},
		{&client.HandshakeError{Err: mcp.RPCError{Code: 1}}, 4, "handshake"},
		{mcp.RPCError{}, 5, "rpc"},
		{&script.ToolError{}, 5, "tool"},
		{&client.CursorError{}, 5, "cursor"},
		{context.Canceled, 1, "interrupted"},
		{silent(exitFindings), 6, ""},
	} {
		for _, err := range []error{c.err, client.About("x", c.err), &advised{c.err, "h"}, &evidence{err: c.err}} {
			if c.err == nil {
				err = nil
			}
			if got := exitCode(err); got != c.code {
				t.Errorf("%v: exit code %d, want %d", err, got, c.code)
			}
			if got := word(err); c.word != "" && got != c.word {
				t.Errorf("%v: word %q, want %q", err, got, c.word)
			}
		}
	}
}

func TestQuoted(t *testing.T) {
	for want, words := range map[string][]string{
		`node server.js --x=1`:  {"node", "server.js", "--x=1"},
		`'a b' '' '$HOME'`:      {"a b", "", "$HOME"},
		`'it'\''s' '{"a":1}'`:   {"it's", `{"a":1}`},
		`'北京' @file /tmp/x-1_2`: {"北京", "@file", "/tmp/x-1_2"},
	} {
		if got := quoted(words); got != want {
			t.Errorf("%q is quoted as %s, want %s", words, got, want)
		}
	}
}

func TestNotListed(t *testing.T) {
	many := make([]string, 20)
	for i := range many {
		many[i] = string(rune('a'+i)) + "-tool"
	}
	for _, c := range []struct {
		name  string
		names []string
		want  string
	}{
		{"x", nil, "it lists no tools at all"},
		{"get_wether", []string{"get_weather", "other"}, "did you mean get_weather?"},
		{"zzzzzz", []string{"one", "two"}, "it lists: one, two"},
		{"zzzzzz", many, "l-tool, …"},
	} {
		if got := hint(notListed("tool", c.name, c.names, nil)); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 1234: "1.2 kB", 999_949: "999.9 kB", 999_950: "1.0 MB", 20_000_000: "20.0 MB", 3_000_000_000: "3.0 GB"} {
		if got := size(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{"": "", "one": "one", "  one  \n two": "one", "\n\nfirst\r\nsecond": "first", "a\x1bb": "a␛b", "tab\there": "tab⇥here"} {
		if got := first(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}

func TestVisibleKeepsLines(t *testing.T) {
	if got, want := visible("a\tb\r\n\x1b[31mc\n"), "a    b\n␛[31mc\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
