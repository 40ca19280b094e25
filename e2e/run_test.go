package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The test binary started again plays a role named by envRole.
const (
	envRole  = "PARLEY_E2E_ROLE"
	envAlone = "PARLEY_E2E_ALONE"

	roleKeeper = "keeper" // runs the program and watches what it leaves
	roleNone   = "none"   // tells that it could be started
)

func play(role string) int {
	switch role {
	case roleKeeper:
		return keep(os.Args[1:])
	case roleNone:
		return 0
	case rolePerfServer:
		return perfServer(os.Args[1:])
	case rolePerfPipe:
		return perfPipe(os.Args[1:])
	case rolePerfLockstep:
		return perfLockstep(os.Args[1:])
	case rolePerfWeb:
		return perfWeb(os.Args[1:])
	}
	fmt.Fprintf(os.Stderr, "no role %q\n", role)
	return 2
}

// kept is what the keeper saw.
type kept struct {
	Code    int           // exit code, -1 when a signal ended it
	Wall    time.Duration // from start to exit
	Peak    int64         // most memory resident, in bytes
	Left    []string      // processes still there afterwards
	Problem string        // why there is no result
}

// outcome is one run of the program.
type outcome struct {
	kept
	Args           []string
	Stdout, Stderr []byte
}

func (o outcome) String() string {
	return fmt.Sprintf("parley %s\nexit %d after %s\nstdout: %s\nstderr: %s",
		strings.Join(o.Args, " "), o.Code, o.Wall.Round(time.Millisecond), clip(o.Stdout), clip(o.Stderr))
}

func clip(b []byte) string {
	const most = 2000
	if len(b) > most {
		return fmt.Sprintf("%s … %d bytes in all", b[:most], len(b))
	}
	return string(b)
}

// place is where a run happens: a home, a state directory and a working
// directory of its own.
type place struct {
	home, state, work string
	env               []string      // added to the short environment
	stdin             string        // standard input; empty is none
	network           bool          // do not take the network away
	patience          time.Duration // how long a run may take; 0 is a minute
}

func newPlace(t testing.TB) *place {
	t.Helper()
	dir := t.TempDir()
	p := &place{home: filepath.Join(dir, "home"), state: filepath.Join(dir, "state"), work: filepath.Join(dir, "work")}
	for _, d := range []string{p.home, p.state, p.work} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// environ is the short environment of a run, plus what the place adds.
func (p *place) environ() []string {
	env := []string{
		"HOME=" + p.home, "XDG_STATE_HOME=" + p.state, "XDG_CONFIG_HOME=" + filepath.Join(p.home, ".config"),
		"LANG=C.UTF-8", "TZ=UTC", "TMPDIR=" + os.TempDir(),
	}
	for _, name := range []string{"PATH", "SYSTEMROOT", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "TEMP", "TMP"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	if raceEnabled {
		env = append(env, "GORACE=atexit_sleep_ms=0") // races are reported all the same
	}
	return append(env, p.env...)
}

// two bounds how many runs happen at once: servers are processes that need a
// core, and their times are measured.
var two = make(chan struct{}, 2)

// run runs the program to its end. A run that had to be stopped, or that left
// a process behind, is a failure of the test.
func (p *place) run(t testing.TB, args ...string) outcome {
	t.Helper()
	bin := parley(t)
	two <- struct{}{}
	defer func() { <-two }()
	o := p.start(t, append([]string{bin}, args...))
	o.Args = args
	switch {
	case o.Problem != "":
		t.Fatalf("%s\n%v\nstill there: %s", o.Problem, o, strings.Join(o.Left, "\n"))
	case len(o.Left) > 0:
		t.Errorf("left behind: %s\n%v", strings.Join(o.Left, "\n"), o)
	}
	return o
}

// want runs the program and checks its exit code.
func (p *place) want(t testing.TB, code int, args ...string) outcome {
	t.Helper()
	o := p.run(t, args...)
	if o.Code != code {
		t.Fatalf("exit %d, want %d\n%v", o.Code, code, o)
	}
	return o
}

func (p *place) start(t testing.TB, argv []string) outcome {
	t.Helper()
	patience := p.patience
	if patience == 0 {
		patience = time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if keeping {
		return p.kept(ctx, t, argv)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	o := p.prepare(cmd)
	start := time.Now()
	err := cmd.Run()
	k := kept{Wall: time.Since(start), Code: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		k.Problem = "it took too long"
	case err != nil && !errors.As(err, &exit):
		k.Problem = err.Error()
	}
	return o.with(k)
}

type streams struct{ out, err bytes.Buffer }

func (s *streams) with(k kept) outcome {
	return outcome{kept: k, Stdout: s.out.Bytes(), Stderr: s.err.Bytes()}
}

func (p *place) prepare(cmd *exec.Cmd) *streams {
	s := new(streams)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.work, p.environ(), &s.out, &s.err
	if p.stdin != "" {
		cmd.Stdin = strings.NewReader(p.stdin)
	}
	cmd.WaitDelay = 5 * time.Second
	return s
}

// kept runs a command below a keeper.
func (p *place) kept(ctx context.Context, t testing.TB, argv []string) outcome {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	cmd := exec.CommandContext(ctx, self, argv...)
	s := p.prepare(cmd)
	cmd.Env = append(cmd.Env, envRole+"="+roleKeeper)
	cmd.ExtraFiles = []*os.File{w}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if attr := isolation(); attr != nil && !p.network {
		cmd.SysProcAttr = attr
		cmd.Env = append(cmd.Env, envAlone+"=1")
	}
	err = cmd.Start()
	_ = w.Close()
	if err != nil {
		t.Fatal(err)
	}
	var k kept
	told := json.NewDecoder(r).Decode(&k)
	if err := cmd.Wait(); told != nil {
		t.Fatalf("the keeper of %v said nothing: %v, %v\n%s", argv, told, err, s.err.Bytes())
	}
	return s.with(k)
}

// isolation is how to start a process without a network, or nil when this
// machine has no way.
var isolation = sync.OnceValue(func() *syscall.SysProcAttr {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	for _, attr := range apart() {
		cmd := exec.Command(self)
		cmd.Env = []string{envRole + "=" + roleNone}
		cmd.SysProcAttr = attr
		if cmd.Run() == nil {
			return attr
		}
	}
	return nil
})

// without returns env without the named variables.
func without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, name)
	})
}
