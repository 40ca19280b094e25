package wire

import (
	"strings"
	"testing"
)

func TestExitHints(t *testing.T) {
	for _, c := range []struct {
		err  ExitError
		want string
	}{
		{ExitError{Code: 1, Stderr: []string{"node:internal/modules/cjs/loader:1228", "Error: Cannot find module '/srv/server.js'"}}, "find /srv/server.js: check the path"},
		{ExitError{Code: 1, Stderr: []string{"Error: Cannot find module 'express'"}}, "find express: install"},
		{ExitError{Code: 1, Stderr: []string{"Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/a.js"}}, "the package zod:"},
		{ExitError{Code: 1, Stderr: []string{"Traceback", "ModuleNotFoundError: No module named 'mcp.server'"}}, "lacks mcp.server"},
		{ExitError{Code: 1, Stderr: []string{"/usr/bin/python3: No module named weather"}}, "lacks weather"},
		{ExitError{Code: 2, Stderr: []string{"python3: can't open file '/srv/x.py': [Errno 2] No such file or directory"}}, "does not find /srv/x.py"},
		{ExitError{Code: 127, Stderr: []string{"env: ‘node’: No such file or directory"}}, "asks for node, which is not in PATH: is Node.js installed?"},
		{ExitError{Code: 127, Stderr: []string{`env: 'python3\r': No such file or directory`}}, "python3 is not found: convert them to LF"},
		{ExitError{Code: 127, Stderr: []string{"sh: 1: uvx: not found"}}, "does not find uvx: is uv installed?"},
		{ExitError{Code: 127, Stderr: []string{"bash: line 1: frob: command not found"}}, "does not find frob"},
		{ExitError{Code: 127}, "was not found"},
		{ExitError{Code: 126}, "not executable"},
		{ExitError{Code: 1, Stderr: []string{"Error: listen EADDRINUSE: address already in use :::3000"}}, "uses the port"},
		{ExitError{Code: 1, Stderr: []string{"npm error code E404", "npm error 404 Not Found"}}, "npm has no package"},
		{ExitError{Code: 1, Stderr: []string{"npm error code EAI_AGAIN"}}, "network"},
		{ExitError{Code: 1, Stderr: []string{"GITHUB_TOKEN environment variable is required"}}, "-e GITHUB_TOKEN=…"},
		{ExitError{Code: 1, Stderr: []string{"Please set BRAVE_API_KEY"}}, "-e BRAVE_API_KEY=…"},
		{ExitError{Code: 1, Stderr: []string{"Usage: server [stdio|http]"}}, "stdio"},
		{ExitError{Code: 1, Stderr: []string{"PermissionError: [Errno 13] Permission denied: '/etc/x'"}}, "permission"},
		{ExitError{Code: 1, Stderr: []string{"./server: /lib/libc.so.6: version `GLIBC_2.38' not found"}}, "newer C library"},
		{ExitError{Code: 127, Stderr: []string{"./s: error while loading shared libraries: libssl.so.3: cannot open shared object file"}}, "library libssl.so.3 is"},
		{ExitError{Code: 1, Stderr: []string{"Error: Cannot find module 'unterminated"}}, "unterminated"},
		{ExitError{Code: 1, Stderr: []string{"something"}}, "standard error"},
		{ExitError{Code: 1}, "wrote nothing"},
		{ExitError{}, "without being asked"},
		{ExitError{Signal: "SIGKILL"}, "memory"},
		{ExitError{Signal: "SIGSEGV"}, "crashed"},
		{ExitError{Signal: "SIGTERM"}, "something else"},
	} {
		if got := c.err.Hint(); !strings.Contains(got, c.want) || strings.Contains(got, "%") {
			t.Errorf("%+v: hint %q, want %q in it", c.err, got, c.want)
		}
	}
}

func TestLongCommandsAreShortened(t *testing.T) {
	e := &ExitError{Command: []string{"node", strings.Repeat("é", 200)}, Code: 1}
	if got := []rune(e.Error()); len(got) != maxCommand+len(" exited 1") || !strings.HasPrefix(e.Error(), "node ééé") {
		t.Errorf("%q", e.Error())
	}
	if got := (&ExitError{Code: 1}).Error(); got != "the server exited 1" {
		t.Errorf("%q", got)
	}
}
