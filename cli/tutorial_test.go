package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// environment is that of a program which is to leave nothing outside dir.
func environment(dir string) []string {
	return append(os.Environ(), "HOME="+dir, "USERPROFILE="+dir, "TZ=UTC", "GORACE=atexit_sleep_ms=0",
		"XDG_STATE_HOME="+filepath.Join(dir, "state"), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"),
		"LOCALAPPDATA="+filepath.Join(dir, "state"), "APPDATA="+filepath.Join(dir, "config"))
}

// patience is how long a test waits for what has to happen.
const patience = 20 * time.Second

// talk is a program whose standard input and output a test has.
type talk struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startTalk(t *testing.T, args ...string) *talk {
	t.Helper()
	k := &talk{cmd: exec.CommandContext(t.Context(), "parley", args...)}
	k.cmd.Env = environment(t.TempDir())
	k.cmd.WaitDelay = patience
	var err error
	if k.in, err = k.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := k.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	k.out = bufio.NewReader(out)
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return k
}

// conversation reads a file of the demo's: the server it is with, and its lines,
// which begin with "> " or "< ".
func conversation(path string) (world string, lines []string, err error) {
	raw, err := os.ReadFile(path)
	for l := range strings.Lines(string(raw)) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case strings.HasPrefix(l, "@ "):
			world = l[2:]
		case strings.HasPrefix(l, "> "), strings.HasPrefix(l, "< "):
			lines = append(lines, l)
		}
	}
	if err == nil && (world == "" || len(lines) == 0) {
		err = fmt.Errorf("%s has no conversation", path)
	}
	return world, lines, err
}

func TestTutorialsLineByLine(t *testing.T) {
	files, err := filepath.Glob("../demo/testdata/tutorial-*.txt")
	if err != nil || len(files) < 3 {
		t.Fatalf("conversations: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			world, lines, err := conversation(file)
			if err != nil {
				t.Fatal(err)
			}
			k := startTalk(t, "raw", "parley", "demo", "--stdio", "--as", world)
			for _, l := range lines {
				if l[0] == '>' {
					if _, err := io.WriteString(k.in, l[2:]+"\n"); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if got, err := k.out.ReadString('\n'); got != l[2:]+"\n" || err != nil {
					t.Fatalf("got  %s, %v\nwant %s", got, err, l[2:])
				}
			}
			_ = k.in.Close()
			if rest, err := io.ReadAll(k.out); len(rest) > 0 || err != nil {
				t.Errorf("at the end: %q, %v", rest, err)
			}
			if err := k.cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The same conversations as a file on standard input.
// splitConversation is a command of scripts: conversation NAME writes what the
// client says in a conversation of the demo's to NAME.in, and what the server
// says to NAME.out.
func splitConversation(dir string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 1 {
			ts.Fatalf("usage: conversation NAME")
		}
		_, lines, err := conversation(filepath.Join(dir, args[0]+".txt"))
		ts.Check(err)
		var in, out strings.Builder
		for _, l := range lines {
			if l[0] == '>' {
				in.WriteString(l[2:] + "\n")
			} else {
				out.WriteString(l[2:] + "\n")
			}
		}
		ts.Check(os.WriteFile(ts.MkAbs(args[0]+".in"), []byte(in.String()), 0o600))
		ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), []byte(out.String()), 0o600))
	}
}
