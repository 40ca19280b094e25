//go:build unix

package wire_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/client/clienttest"
	"parley/client/wire"
)

// files makes a directory with files: a name that ends in * is executable, one
// that ends in / is a directory.
func files(t *testing.T, content map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range content {
		path := filepath.Join(dir, strings.TrimSuffix(name, "*"))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := fs.FileMode(0o644)
		switch {
		case strings.HasSuffix(name, "/"):
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		case strings.HasSuffix(name, "*"):
			mode = 0o755
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const script = "#!/bin/sh\nexit 0\n"

func TestStartErrorsSayWhatToDo(t *testing.T) {
	dir := files(t, map[string]string{
		"bin/mcp-weather*": script, "bin/nodejs*": script, "bin/plain": "x", "bin/python3*": script,
		"own/deno*": script,
		"server.js": "", "tool.js*": script, "run*": script, "server.py": "", "data": "",
		"app/package.json": "{}", "empty/": "", "list": "",
		"crlf.sh*":    "#!/bin/sh\r\nexit 0\r\n",
		"lost.py*":    "#!/no/such/python\n",
		"bare.js*":    "console.log(1)\n",
		"bare*":       "echo 1\n",
		"nothing*":    "",
		"mac*":        "\xcf\xfa\xed\xfe\x0c\x00\x00\x01rest of a program",
		"mips*":       "\x7fELF\x01\x02\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x08rest",
		"setup.exe*":  "MZ\x90\x00rest of a program",
		"bytes*":      "\x00\x01\x02\x03",
		"noexec.js":   "#!/usr/bin/env node\n",
		"locked.bin":  "x",
		"weather.mjs": "",
	})
	if err := os.Symlink("gone", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "bin")
	t.Setenv("PATH", filepath.Join(dir, "own")+":"+bin)
	inBin := []string{"PATH=" + bin}
	for _, c := range []struct {
		name    string
		cmd     wire.Command
		is      error
		message string // in the error, @ stands for the directory
		hint    string
	}{
		{"no command", wire.Command{}, exec.ErrNotFound, "no command", "program"},
		{"a slip", wire.Command{Args: []string{"mcp-wether"}, Env: inBin}, exec.ErrNotFound, "cannot start mcp-wether: not found in PATH (@/bin)", "did you mean mcp-weather?"},
		{"nothing near", wire.Command{Args: []string{"qqqqqq"}, Env: inBin}, exec.ErrNotFound, "not found in PATH (@/bin)", ""},
		{"empty PATH", wire.Command{Args: []string{"deno"}, Env: []string{"PATH="}}, exec.ErrNotFound, "PATH is empty", "parley's own PATH"},
		{"one word", wire.Command{Args: []string{"node server.js"}, Env: inBin}, exec.ErrNotFound, "node server.js", "separate words"},
		{"the server's PATH lacks it", wire.Command{Args: []string{"deno"}, Env: inBin}, exec.ErrNotFound, "PATH (@/bin)", "parley's own PATH has it, @/own/deno"},
		{"a runtime under another name", wire.Command{Args: []string{"node"}, Env: inBin}, exec.ErrNotFound, "cannot start node", "nodejs is there"},
		{"python", wire.Command{Args: []string{"python"}, Env: inBin}, exec.ErrNotFound, "cannot start python", "python3 is there"},
		{"npx", wire.Command{Args: []string{"npx", "-y", "x"}, Env: inBin}, exec.ErrNotFound, "cannot start npx: ", "Node.js is not installed"},
		{"uvx", wire.Command{Args: []string{"uvx"}, Env: inBin}, exec.ErrNotFound, "cannot start uvx", "uv is not installed"},
		{"java", wire.Command{Args: []string{"java"}, Env: inBin}, exec.ErrNotFound, "cannot start java", "Java is not installed"},
		{"a script here", wire.Command{Args: []string{"server.js"}, Env: inBin}, exec.ErrNotFound, "not found", "did you mean node server.js?"},
		{"an executable script here", wire.Command{Args: []string{"tool.js"}, Env: inBin}, exec.ErrNotFound, "not found", "did you mean ./tool.js or node tool.js?"},
		{"a program here", wire.Command{Args: []string{"run"}, Env: inBin}, exec.ErrNotFound, "not found", "did you mean ./run?"},
		{"a file here", wire.Command{Args: []string{"data"}, Env: inBin}, exec.ErrNotFound, "not found", "chmod +x ./data"},
		{"a directory here", wire.Command{Args: []string{"app"}, Env: inBin}, exec.ErrNotFound, "not found", "package.json"},
		{"found but not executable", wire.Command{Args: []string{"plain"}, Env: inBin}, fs.ErrPermission, "@/bin/plain is not executable", "chmod +x"},
		{"no such file", wire.Command{Args: []string{"./server.jss"}}, fs.ErrNotExist, "cannot start ./server.jss: @/server.jss does not exist", "did you mean ./server.js?"},
		{"no such directory", wire.Command{Args: []string{"no/such/file"}}, fs.ErrNotExist, "does not exist", ""},
		{"tilde", wire.Command{Args: []string{"~/server"}}, fs.ErrNotExist, "does not exist", "whole path"},
		{"a dead link", wire.Command{Args: []string{"./link"}}, fs.ErrNotExist, "is a link to gone, which does not exist", ""},
		{"a directory", wire.Command{Args: []string{"./app"}}, nil, "is a directory", "package.json"},
		{"an empty directory", wire.Command{Args: []string{"./empty"}}, nil, "is a directory", "program in it"},
		{"a script that is not executable", wire.Command{Args: []string{"./noexec.js"}}, fs.ErrPermission, "is not executable", "node ./noexec.js, or chmod +x ./noexec.js"},
		{"a program that is not executable", wire.Command{Args: []string{"./locked.bin"}}, fs.ErrPermission, "is not executable", "chmod +x ./locked.bin"},
		{"a file as a directory", wire.Command{Args: []string{"./data/x"}}, nil, "cannot be used", ""},
		{"no such working directory", wire.Command{Args: []string{"run"}, Dir: "@/none"}, fs.ErrNotExist, "its working directory @/none does not exist", "--cwd"},
		{"a file as working directory", wire.Command{Args: []string{"run"}, Dir: "@/data"}, nil, "@/data is no directory", ""},
		{"CRLF", wire.Command{Args: []string{"./crlf.sh"}}, fs.ErrNotExist, "lines end in CRLF, so that /bin/sh is not found", "LF"},
		{"missing interpreter", wire.Command{Args: []string{"./lost.py"}}, fs.ErrNotExist, "a script for /no/such/python, which does not exist", "python3 ./lost.py"},
		{"a script without #!", wire.Command{Args: []string{"./bare.js"}}, nil, "without a #! line", "node ./bare.js"},
		{"a shell script without #!", wire.Command{Args: []string{"./bare"}}, nil, "without a #! line", "sh ./bare"},
		{"an empty file", wire.Command{Args: []string{"./nothing"}}, nil, "is empty", ""},
		{"a program of another system", wire.Command{Args: []string{"./mac"}}, nil, "is a program for darwin/arm64, and this is", "for this system"},
		{"a program of another processor", wire.Command{Args: []string{"./mips"}}, nil, "/mips, and this is", "for this system"},
		{"a Windows program", wire.Command{Args: []string{"./setup.exe"}}, nil, "is a program for windows", "for this system"},
		{"no program", wire.Command{Args: []string{"./bytes"}}, nil, "is not a program", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.cmd.Dir == "" {
				c.cmd.Dir = dir
			}
			at := func(s string) string { return strings.ReplaceAll(s, "@", dir) }
			c.cmd.Dir = at(c.cmd.Dir)
			_, err := wire.StartStdio(c.cmd, nil, wire.StdioOptions{})
			var start *wire.StartError
			if !errors.As(err, &start) {
				t.Fatalf("error %v", err)
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error %v is not %v", err, c.is)
			}
			if !strings.Contains(err.Error(), at(c.message)) {
				t.Errorf("error %q, want %q in it", err, at(c.message))
			}
			if h := start.Hint(); c.hint == "" && h != "" || !strings.Contains(h, at(c.hint)) {
				t.Errorf("hint %q, want %q in it", h, at(c.hint))
			}
			if start.Word() != "unreachable" {
				t.Errorf("word %q", start.Word())
			}
		})
	}
}

func TestCheckFindsWhatWouldBeStarted(t *testing.T) {
	dir := files(t, map[string]string{"bin/tool*": script, "first/tool": "", "here*": script, "sub/here*": script})
	for _, c := range []struct {
		cmd  wire.Command
		want string
	}{
		{wire.Command{Args: []string{"tool"}, Env: []string{"PATH=" + dir + "/first:" + dir + "/bin"}}, "bin/tool"},
		{wire.Command{Args: []string{"tool"}, Dir: dir, Env: []string{"PATH=bin"}}, "bin/tool"},
		{wire.Command{Args: []string{"./here"}, Dir: dir}, "here"},
		{wire.Command{Args: []string{"./here"}, Dir: filepath.Join(dir, "sub")}, "sub/here"},
		{wire.Command{Args: []string{filepath.Join(dir, "here")}, Dir: filepath.Join(dir, "sub")}, "here"},
	} {
		if got, err := c.cmd.Check(); err != nil || got != filepath.Join(dir, c.want) {
			t.Errorf("%v in %s: %s, %v", c.cmd.Args, c.cmd.Dir, got, err)
		}
	}
}

func TestErrorsTellTheCommandThatIsToBeShown(t *testing.T) {
	c := wire.Command{Args: []string{"no-such-program-s3cret"}, Shown: []string{"${PROGRAM}"}}
	_, err := c.Check()
	if err == nil || !strings.Contains(err.Error(), "cannot start ${PROGRAM}") {
		t.Errorf("%v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c = wire.Command{Args: []string{self, "-test.run=^$", "-no-such-flag", "s3cret"}, Shown: []string{"server", "${TOKEN}"}}
	conn, err := wire.StartStdio(c, new(clienttest.Log), wire.StdioOptions{Epoch: 1})
	if err != nil {
		t.Fatal(err)
	}
	<-conn.Done()
	if err := conn.Err(); err == nil || !strings.HasPrefix(err.Error(), "server ${TOKEN} exited 2") {
		t.Errorf("%v", err)
	}
}
