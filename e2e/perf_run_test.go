package e2e

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// The benchmarks called BenchmarkPerf… start the program itself and measure the
// budgets of docs/performance.md, always beside what they are compared with, in
// turn and in one run. They report and judge nothing: a busy machine is no
// failure.
//
// Where a benchmark takes long or much space it needs PARLEY_PERF=all.
const envPerf = "PARLEY_PERF"

// big skips what not everybody wants to wait for.
func big(b *testing.B) {
	b.Helper()
	if os.Getenv(envPerf) != "all" {
		b.Skip(envPerf + "=all is not set: this takes minutes and gigabytes")
	}
}

// self is this test binary, to be started in a role.
func self(b *testing.B) string {
	b.Helper()
	path, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	return path
}

// server is the command line of the server of the benchmarks, and what parley
// has to put before its target for it.
func (l load) server(b *testing.B) (flags, argv []string) {
	b.Helper()
	return []string{"-e", envRole + "=" + rolePerfServer}, append([]string{self(b)}, l.args()...)
}

// samples are measurements of one thing.
type samples []time.Duration

// at gives the value below which the share q of the samples lies.
func (s samples) at(q float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func (s samples) median() time.Duration { return s.at(0.5) }

// timed runs a command to its end and returns how long that took.
func timed(b *testing.B, p *place, argv []string, env ...string) (time.Duration, string) {
	b.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	s := p.prepare(cmd)
	cmd.Env = append(cmd.Env, env...)
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		b.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, clip(s.err.Bytes()))
	}
	return took, s.out.String()
}
