// Package e2e tests the built program from outside: its command line against
// real servers, and its screen in a real terminal.
//
// Nothing here is needed by plain go test: what a test lacks (tmux, node, the
// servers) makes it skip and say so. The gate sets
//
//	PARLEY_REQUIRE=1   what is missing is a failure
//	PARLEY_BIN=FILE    the program to test; built when unset
//	PARLEY_ZOO=DIR     where .ci/servers.sh installed the servers
package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// Environment variables of the tests.
const (
	envRequire = "PARLEY_REQUIRE"
	envBin     = "PARLEY_BIN"
	envZoo     = "PARLEY_ZOO"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(envRole); mode != "" {
		os.Exit(play(mode))
	}
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// built is the program under test, built at most once.
var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// parley returns the path of the program under test.
func parley(t testing.TB) string {
	t.Helper()
	built.once.Do(func() { built.path, built.err = build() })
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

func build() (string, error) {
	if path := os.Getenv(envBin); path != "" {
		_, err := os.Stat(path)
		return path, err
	}
	dir, err := os.MkdirTemp("", "parley-e2e-")
	if err != nil {
		return "", err
	}
	built.dir = dir
	path := filepath.Join(dir, "parley")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	args := []string{"build", "-o", path}
	if raceEnabled {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building parley: %w\n%s", err, out)
	}
	return path, nil
}

// need skips the test when something it needs is missing, or fails where the
// gate promised everything.
func need(t testing.TB, have bool, reason string) {
	t.Helper()
	switch {
	case have:
	case os.Getenv(envRequire) != "":
		t.Fatalf("%s is set, but %s", envRequire, reason)
	default:
		t.Skip(reason)
	}
}

// needProgram finds a program on the PATH.
func needProgram(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	need(t, err == nil, name+" is not installed")
	return path
}

// zoo returns the folder with the installed servers.
func zoo(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(envZoo)
	need(t, dir != "", envZoo+" is not set; bash .ci/servers.sh installs the servers and prints the folder")
	_, err := os.Stat(filepath.Join(dir, "node_modules", ".bin"))
	need(t, err == nil, dir+" holds no installed servers")
	needProgram(t, "node")
	return dir
}

// testdata returns the absolute path of a file of the repository's testdata.
func testdata(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
