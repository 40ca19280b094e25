package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"parley/cli"
	"parley/client/clienttest"
)

// TestMain makes the test binary the programs of the scripts: parley, as main
// runs it, and fakeserver SCRIPTFILE, the server that a script describes.
func TestMain(m *testing.M) {
	clienttest.Main()
	testscript.Main(m, map[string]func(){
		"parley": func() {
			ctx, stop := signal.NotifyContext(context.Background(), cli.Signals...)
			code := cli.Main(ctx, os.Args[1:], cli.Standard())
			stop()
			os.Exit(code)
		},
		"fakeserver": func() {
			if len(os.Args) < 2 {
				fmt.Fprintln(os.Stderr, "usage: fakeserver SCRIPTFILE")
				os.Exit(2)
			}
			if err := os.Setenv(clienttest.EnvServer, os.Args[1]); err != nil {
				panic(err)
			}
			clienttest.Main()
		},
	})
}

// TestScripts runs testdata/script. Beside testscript's own there are the
// commands
//
//	exits N PROGRAM ARGS    run a program that ends with exit code N
//	error KEY=VALUE …       the last line on stderr is the JSON error with these members
//	write FILE "quoted"     write bytes, given as a Go string
//	fill FILE N             write N letters x
//	bytes FILE "quoted"     a file, stdout or stderr has exactly these bytes
//	count FILE N TEXT       a file, stdout or stderr has N lines with TEXT
//	mode FILE 0600          a file has this mode
//	webserver NAME VAR      start a server; the variable is its URL (webserver_test.go)
//	conversation NAME       NAME.in and NAME.out are the two sides of a tutorial
//	session VAR             the variable is the path of the newest session
//	sessions N              so many sessions are recorded
//
// $SERVERS is the folder with the servers that several scripts use.
func TestScripts(t *testing.T) {
	servers, err := filepath.Abs("testdata/server")
	if err != nil {
		t.Fatal(err)
	}
	talks, err := filepath.Abs("../demo/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("testdata", "script"),
		RequireUniqueNames: true,
		UpdateScripts:      os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, ".home")
			for name, value := range map[string]string{
				"HOME": home, "USERPROFILE": home, "TZ": "UTC", "SERVERS": servers, "GORACE": "atexit_sleep_ms=0",
				"XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config"),
				"LOCALAPPDATA": filepath.Join(home, "state"), "APPDATA": filepath.Join(home, "config"),
			} {
				e.Setenv(name, value)
			}
			return os.Mkdir(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "error": errorLine, "write": write, "fill": fill, "bytes": sameBytes,
			"count": count, "mode": mode, "session": session, "sessions": sessions,
			"conversation": splitConversation(talks), "webserver": webserver(t),
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N PROGRAM ARGS")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

func errorLine(ts *testscript.TestScript, neg bool, args []string) {
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stderr"), "\n"), "\n")
	var line map[string]map[string]json.RawMessage
	last := lines[len(lines)-1]
	if err := json.Unmarshal([]byte(last), &line); err != nil || line["error"] == nil || len(line) != 1 {
		ts.Fatalf("no error line: %s", last)
	}
	for _, arg := range args {
		key, want, ok := strings.Cut(arg, "=")
		raw, has := line["error"][key]
		got := string(raw)
		var text string
		if json.Unmarshal(raw, &text) == nil {
			got = text
		}
		switch {
		case !ok && has == neg:
			ts.Fatalf("%s: there is %v, unwanted %v", key, has, neg)
		case ok && !neg && strings.HasPrefix(want, "~") && strings.Contains(got, want[1:]):
		case ok && (got != want) != neg:
			ts.Fatalf("%s is %s, want %s", key, got, want)
		}
	}
}

func write(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: write FILE QUOTED")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

func fill(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: fill FILE N")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte("x"), n), 0o666))
}

func sameBytes(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: bytes FILE QUOTED")
	}
	want, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	if got := ts.ReadFile(args[0]); (got == want) == neg {
		ts.Fatalf("%s is %q", args[0], got)
	}
}

func count(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: count FILE N TEXT")
	}
	n := 0
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if strings.Contains(line, args[2]) {
			n++
		}
	}
	if strconv.Itoa(n) != args[1] {
		ts.Fatalf("%d lines with %q, want %s", n, args[2], args[1])
	}
}

func mode(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: mode FILE MODE")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[1] && runtime.GOOS != "windows" {
		ts.Fatalf("%s has mode %s, want %s", args[0], got, args[1])
	}
}

// recorded lists the session files below a state directory, the oldest first.
func recorded(state string) []string {
	files, _ := filepath.Glob(filepath.Join(state, "parley", "sessions", "*.jsonl"))
	return files
}

func session(ts *testscript.TestScript, _ bool, args []string) {
	files := recorded(ts.Getenv("XDG_STATE_HOME"))
	if len(args) != 1 || len(files) == 0 {
		ts.Fatalf("usage: session VAR, with a session recorded")
	}
	newest := files[0]
	for _, f := range files {
		if started(ts, f) > started(ts, newest) {
			newest = f
		}
	}
	ts.Setenv(args[0], newest)
}

// started is when a session began, as its header says.
func started(ts *testscript.TestScript, file string) string {
	var h struct{ Started string }
	raw, err := os.ReadFile(file)
	ts.Check(err)
	line, _, _ := bytes.Cut(raw, []byte("\n"))
	ts.Check(json.Unmarshal(line, &h))
	return h.Started
}

func sessions(ts *testscript.TestScript, _ bool, args []string) {
	if n := len(recorded(ts.Getenv("XDG_STATE_HOME"))); len(args) != 1 || args[0] != strconv.Itoa(n) {
		ts.Fatalf("%d sessions are recorded, want %v", n, args)
	}
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
