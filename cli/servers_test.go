package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machine is a home directory of its own with parley's list of servers.
func machine(t *testing.T, list string) (own string) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "USERPROFILE": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "XDG_STATE_HOME": filepath.Join(home, "state"),
		"APPDATA": filepath.Join(home, "config"), "LOCALAPPDATA": filepath.Join(home, "config"),
	} {
		t.Setenv(name, value)
	}
	t.Chdir(home)
	own = filepath.Join(home, "config", "parley", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, own, list)
	return own
}

// What a configuration asks for is asked on a terminal, by name or by number.
func TestInputsAreAskedOnATerminal(t *testing.T) {
	servers, err := filepath.Abs("testdata/server")
	if err != nil {
		t.Fatal(err)
	}
	machine(t, `{"inputs": [{"id": "which", "type": "pickString", "description": "Which\u001b[2J file?", "options": ["none.txt", "tools.txt"]}],
		"servers": {"s": {"command": "fakeserver", "args": ["`+filepath.ToSlash(servers)+`/${input:which}"]}}}`)
	for _, answer := range []string{"tools.txt\n", "2\n", "2"} {
		o := run(t, answer, "tools", "-s", "s")
		if o.code != 0 || !strings.Contains(o.out, "add") {
			t.Errorf("%q: %+v", answer, o)
		}
		if want := "Which␛[2J file?\n  1  none.txt\n  2  tools.txt\nwhich: "; !strings.HasPrefix(o.err, want) {
			t.Errorf("asked %q, want %q", o.err, want)
		}
	}
	for answer, why := range map[string]string{"": "the input which was not given: EOF", "3\n": `"3" is none of none.txt, tools.txt`} {
		if o := run(t, answer, "tools", "-s", "s"); o.code != 2 || !strings.Contains(o.err, why) || !strings.Contains(o.err, "set WHICH in the environment") {
			t.Errorf("%q: %+v", answer, o)
		}
	}
	t.Setenv("WHICH", "tools.txt")
	if o := run(t, "", "tools", "-s", "s"); o.code != 0 || strings.Contains(o.err, "which") {
		t.Errorf("asked although it is known: %+v", o)
	}
}

// What cannot be brought back is asked for before it is removed.
func TestRemovalAsksOnATerminal(t *testing.T) {
	list := `{"mcpServers": {"a": {"command": "x", "env": {"K": "secret"}}}}`
	own := machine(t, list)
	for _, answer := range []string{"n\n", "\n", ""} {
		o := run(t, answer, "servers", "rm", "a")
		content, _ := os.ReadFile(own)
		if o.code == 0 || string(content) != list {
			t.Errorf("%q: %+v, %s", answer, o, content)
		}
	}
	o := run(t, "y\n", "servers", "rm", "a")
	content, _ := os.ReadFile(own)
	if o.code != 0 || strings.Contains(string(content), "secret") || !strings.Contains(o.out, "parley servers add a -e ") || !strings.Contains(o.out, "K=…") {
		t.Errorf("%+v, %s", o, content)
	}
}

// A check shows how far it is, and takes that away again; names are harmless.
func TestCheckOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	machine(t, `{"mcpServers": {"evil\u001b[2J": {"command": "no-such-program", "args": ["\u001b]0;x\u0007"]}, "b": {"command": "no-such-program"}}}`)
	o := run(t, "", "servers", "--check")
	if o.code != 6 {
		t.Errorf("%+v", o)
	}
	harmless(t, "list", o.out)
	before, after, ok := strings.Cut(o.err, "parley: ")
	if !ok || !strings.Contains(before, "\r\x1b[K2 of 2 checked") || !strings.HasSuffix(before, "\r\x1b[K") {
		t.Errorf("progress %q", before)
	}
	harmless(t, "progress", strings.NewReplacer("\r\x1b[K", "").Replace(before))
	if !strings.HasPrefix(after, "2 of 2 servers did not answer as they should\n") {
		t.Errorf("verdict %q", after)
	}
	if o := run(t, "", "servers", "--check", "-q"); strings.Contains(o.err, "checked") {
		t.Errorf("not quiet: %+v", o)
	}
}
