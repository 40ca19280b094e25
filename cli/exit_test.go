package cli_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli"
)

// exitCases are a command line for every exit code and every word of an error.
// SERVER is a server that answers everything.
var exitCases = []struct {
	name   string
	args   []string
	server string // the script of another server, FILE; or of the language, SCRIPT
	code   int
	word   string
}{
	{"a list", []string{"tools", "SERVER"}, "", 0, ""},
	{"a call", []string{"call", "add", "a=1", "--", "SERVER"}, "", 0, ""},
	{"help", []string{"help", "call"}, "", 0, ""},
	{"the help of a tool", []string{"call", "add", "--help", "--", "SERVER"}, "", 0, ""},
	{"a list of which nobody reads more", []string{"tools", "--page", "SERVER"}, "", 0, ""},

	{"no session file", []string{"show", "SERVERFILE"}, "", 1, "error"},
	{"a folder that is not there", []string{"read", "file:///a.txt", "-o", "no/such/file", "--", "SERVER"}, "", 2, "usage"},
	{"nothing to save", []string{"call", "add", "a=1", "-o", "new", "--", "SERVER"}, "", 1, "nothing"},

	{"an expectation that fails", []string{"run", "SCRIPT", "SERVER"}, "let x = ping\nexpect $x.a == 1", 1, "expect"},
	{"a script that cannot be read", []string{"run", "SCRIPT", "SERVER"}, "pong", 2, "usage"},

	{"an unknown flag", []string{"tools", "--bogus", "SERVER"}, "", 2, "usage"},
	{"no target", []string{"tools"}, "", 2, "usage"},
	{"an argument without a value", []string{"call", "add", "a", "--", "SERVER"}, "", 2, "usage"},
	{"an argument of the wrong type", []string{"call", "add", "a=one", "--", "SERVER"}, "", 2, "usage"},
	{"what the schema refuses", []string{"call", "add", "b=1", "--", "SERVER"}, "", 2, "arguments"},
	{"a tool that is not listed", []string{"call", "ad", "--", "SERVER"}, "", 2, "usage"},
	{"an expression that cannot be read", []string{"tools", "--jq", ".tools[", "SERVER"}, "", 2, "usage"},
	{"a command without a result", []string{"ping", "--jq", ".", "SERVER"}, "", 2, "usage"},
	{"a file that exists", []string{"read", "x", "--save", "SERVERFILE", "--", "SERVER"}, "", 2, "usage"},
	{"a question that nobody can answer", []string{"replay", "SESSION", "SERVER"}, "", 2, "usage"},

	{"no such program", []string{"tools", "no-such-program", "x"}, "", 4, "unreachable"},
	{"a program that ends", []string{"tools", "FILE"}, "exit 7", 4, "exited"},
	{"a crash in a call", []string{"request", "x", "--", "FILE"}, hello + "> x\nexit 3", 4, "exited"},
	{"no answer", []string{"ping", "--timeout", "200ms", "FILE"}, hello + "hang", 4, "timeout"},
	{"a version that nobody knows", []string{"info", "FILE"}, "> initialize\nanswer {\"protocolVersion\":\"1\"}", 4, "version"},
	{"a handshake that is refused", []string{"info", "FILE"}, "> initialize\nfail {\"code\":-32602,\"message\":\"no\"}", 4, "handshake"},

	{"a JSON-RPC error", []string{"request", "x", "--", "FILE"}, hello + "> x\nfail {\"code\":-32603,\"message\":\"no\"}", 5, "rpc"},
	{"a result with isError", []string{"call", "x", "--force", "--", "FILE"}, hello + "on tools/list {\"tools\":[]}\non tools/call {\"content\":[],\"isError\":true}", 5, "tool"},
	{"cursors in a circle", []string{"tools", "FILE"}, hello + "on tools/list {\"tools\":[],\"nextCursor\":\"a\"}", 5, "cursor"},

	{"raw ends as the server does", []string{"raw", "FILE"}, "exit 7", 7, ""},

	{"answers that differ", []string{"replay", "--yes", "SESSION", "FILE"}, "on tools/call {\"x\":1}", 6, ""},
}

const hello = "> initialize\nanswer {\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"p\",\"version\":\"1\"}}\n> notifications/initialized\n"

const recordedCall = `{"parley":"session/1","started":"2026-11-20T09:38:50.339Z","target":{"command":["x"]}}
{"n":1,"t":"2026-11-20T09:38:50.352Z","d":">","raw":"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"tools/call\",\"params\":{\"name\":\"wipe\"}}"}
{"n":2,"t":"2026-11-20T09:38:50.353Z","d":"<","raw":"{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"content\":[]}}"}
`

// TestCommandLinesForEveryExitCode runs a command line for every exit code: as text it says what and
// what to do, with --json it is one line that says the same.
func TestCommandLinesForEveryExitCode(t *testing.T) {
	plain, err := filepath.Abs("testdata/server/tools.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, c := range exitCases {
		seen[c.code] = true
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
				t.Setenv(name, dir)
			}
			session, script := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "server.txt")
			writeFile(t, session, recordedCall)
			writeFile(t, script, c.server+"\n")
			var args []string
			for _, a := range c.args {
				switch a {
				case "SERVER":
					args = append(args, "fakeserver", plain)
				case "FILE":
					args = append(args, "fakeserver", script)
				case "SCRIPT":
					args = append(args, script)
				case "SERVERFILE":
					args = append(args, plain)
				case "SESSION":
					args = append(args, session)
				default:
					args = append(args, a)
				}
			}
			checkExit(t, args, c.code, c.word)
		})
	}
	// 3 has none yet: nothing that speaks over standard input and output asks for
	// authorization.
	for _, code := range []int{0, 1, 2, 4, 5, 6} {
		if !seen[code] {
			t.Errorf("no command line exits %d", code)
		}
	}
}

// checkExit runs a command line as it is and with --json before it.
func checkExit(t *testing.T, args []string, code int, word string) {
	t.Helper()
	var out, errs bytes.Buffer
	streams := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}
	if got := cli.Main(t.Context(), args, streams); got != code {
		t.Errorf("%q exits %d, want %d: %s", args, got, code, errs.String())
	}
	if failed := word != ""; failed != strings.Contains(errs.String(), "\nhint: ") || failed && !strings.Contains("\n"+errs.String(), "\nparley: ") {
		t.Errorf("%q says %q", args, errs.String())
	}
	errs.Reset()
	if got := cli.Main(t.Context(), append([]string{"--json"}, args...), streams); got != code {
		t.Errorf("with --json it exits %d, want %d: %s", got, code, errs.String())
	}
	if word == "" {
		return
	}
	lines := strings.Split(strings.TrimSuffix(errs.String(), "\n"), "\n")
	var line struct {
		Error struct{ Code, Message, Hint string }
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &line); err != nil {
		t.Fatalf("no JSON line: %v in %q", err, errs.String())
	}
	if e := line.Error; e.Code != word || e.Message == "" || e.Hint == "" {
		t.Errorf("the JSON line has %+v, want the code %q", e, word)
	}
}
