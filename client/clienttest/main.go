package clienttest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/client/wire"
)

// EnvServer is the environment variable that makes [Main] a server: the name
// of a script's file, or a script itself if it has a newline in it.
const EnvServer = "PARLEY_TEST_SERVER"

// envReady tells a grandchild to close file 3 when it is what it should be.
const envReady = "PARLEY_TEST_READY"

// Main makes the program a scripted server if [EnvServer] is set, and then does
// not return. A test binary calls it first thing in TestMain.
func Main() {
	name := os.Getenv(EnvServer)
	if name == "" {
		return
	}
	script, err := load(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	h := system{}
	exit, err := script.run(h, os.Stdin, os.Stdout, os.Stderr)
	var miss *mismatch
	if err != nil && !errors.As(err, &miss) {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(exit.Code)
}

func load(name string) (*Script, error) {
	if strings.Contains(name, "\n") {
		return ParseScript("script", []byte(name))
	}
	return LoadScript(name)
}

// Command is the command that runs a script, given as its text, as a process:
// the running test binary, whose TestMain calls [Main].
func Command(t testing.TB, script string) wire.Command {
	t.Helper()
	if _, err := ParseScript("script", []byte(script)); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return wire.Command{Args: []string{self}, Env: []string{
		EnvServer + "=" + script + "\n",
		"GORACE=atexit_sleep_ms=0", // with the race detector every exit would take a second
	}}
}

// system is the host of a script that runs as a process.
type system struct{}

func (system) sleep(d time.Duration) error {
	time.Sleep(d)
	return nil
}

func (system) hang() error {
	for {
		time.Sleep(time.Hour)
	}
}

// signal lets a shell in our place send it: in a Go program most signals do
// not have their usual effect.
func (system) signal(name string) error {
	name = strings.TrimPrefix(strings.TrimSpace(name), "SIG")
	if runtime.GOOS == "windows" {
		return errors.New("signal: Windows has none")
	}
	return syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -" + name + " $$; sleep 5"}, os.Environ())
}

func (system) ignoreTerm() { signal.Ignore(syscall.SIGTERM) }

// grandchild starts ourselves again and waits until that one is ready, so that
// what follows finds it there.
func (system) grandchild(ignoreTerm bool) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ready, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	script := "pid grandchild\nhang\n"
	if ignoreTerm {
		script = "ignore-term\n" + script
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), EnvServer+"="+script, envReady+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{theirs}
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = theirs.Close()
	_, err = io.Copy(io.Discard, ready)
	return err
}

func (system) closeStream(name string) error {
	switch name {
	case "stdin":
		return os.Stdin.Close()
	case "stdout":
		return os.Stdout.Close()
	default:
		return os.Stderr.Close()
	}
}

func (system) pid() int { return os.Getpid() }

func (system) ready() error {
	if os.Getenv(envReady) == "" {
		return nil
	}
	return os.NewFile(3, "ready").Close()
}
