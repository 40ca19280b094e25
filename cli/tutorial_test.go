package cli_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
func conversation(t *testing.T, path string) (world string, lines []string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(raw)) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case strings.HasPrefix(l, "@ "):
			world = l[2:]
		case strings.HasPrefix(l, "> "), strings.HasPrefix(l, "< "):
			lines = append(lines, l)
		}
	}
	if world == "" || len(lines) == 0 {
		t.Fatalf("%s has no conversation", path)
	}
	return world, lines
}

// The tutorials' conversations, a line typed at a time, through raw.
func TestTutorialsLineByLine(t *testing.T) {
	files, err := filepath.Glob("../demo/testdata/tutorial-*.txt")
	if err != nil || len(files) < 3 {
		t.Fatalf("conversations: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			world, lines := conversation(t, file)
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
func TestTutorialsThroughAPipe(t *testing.T) {
	files, _ := filepath.Glob("../demo/testdata/tutorial-*.txt")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			world, lines := conversation(t, file)
			var in, want strings.Builder
			for _, l := range lines {
				if l[0] == '>' {
					in.WriteString(l[2:] + "\n")
				} else {
					want.WriteString(l[2:] + "\n")
				}
			}
			cmd := exec.CommandContext(t.Context(), "parley", "raw", "parley", "demo", "--stdio", "--as", world)
			cmd.Env, cmd.Stdin = environment(t.TempDir()), strings.NewReader(in.String())
			if out, err := cmd.Output(); string(out) != want.String() || err != nil {
				t.Errorf("got %s, %v\nwant %s", out, err, want.String())
			}
		})
	}
}
