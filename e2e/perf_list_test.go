package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkPerfList compares parley tools with a process that sends the server
// the same messages and parses and keeps nothing. BenchmarkStartup is stricter:
// there the bare pipe is no process of its own. It reports medians, what parley
// adds, and the most that it had resident.
func BenchmarkPerfList(b *testing.B) {
	flags, perf := load{tools: 20}.server(b)
	for _, s := range []struct {
		name string
		argv func(*testing.B) []string
	}{
		{"bare", func(*testing.B) []string { return perf }},
		{"demo", func(b *testing.B) []string { return []string{parley(b), "demo", "--stdio"} }},
		{"go", func(b *testing.B) []string { return []string{filepath.Join(zoo(b), "go-sdk", "everything-server")} }},
		{"node", func(b *testing.B) []string {
			return []string{filepath.Join(zoo(b), "node_modules", ".bin", "mcp-server-everything")}
		}},
	} {
		b.Run(s.name, func(b *testing.B) {
			argv := s.argv(b)
			p := newPlace(b)
			given := []string{}
			pipe := append([]string{self(b)}, argv...)
			if s.name == "bare" {
				given = flags
			}
			ours := append(append(append([]string{parley(b), "tools"}, given...), "--"), argv...)
			var with, without samples
			for b.Loop() {
				took, _ := timed(b, p, pipe, envRole+"="+rolePerfPipe)
				without = append(without, took)
				took, _ = timed(b, p, ours)
				with = append(with, took)
			}
			var peak int64
			for range 5 { // watching costs time: apart
				peak = max(peak, p.run(b, ours[1:]...).Peak)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(without.median()), "pipe-ms")
			b.ReportMetric(milliseconds(with.median()), "parley-ms")
			b.ReportMetric(milliseconds(with.median()-without.median()), "added-ms")
			b.ReportMetric(float64(with.median())/float64(without.median()), "ratio")
			b.ReportMetric(float64(peak)/1e6, "resident-MB")
		})
	}
}

// BenchmarkPerfSize says how large the program is, built as a release is.
func BenchmarkPerfSize(b *testing.B) {
	path := filepath.Join(b.TempDir(), "parley")
	for b.Loop() {
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, ".")
		cmd.Dir, cmd.Env = "..", append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(info.Size())/1e6, "MB")
}
