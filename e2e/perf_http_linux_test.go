package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// web is the command line of the smallest client.
func web(b *testing.B, url, version string, calls int, name string) []string {
	return []string{self(b), url, version, strconv.Itoa(calls), name}
}

const webRole = envRole + "=" + rolePerfWeb

// webEras are a version of each era, and that auto finds the newer one.
var webEras = []struct{ protocol, version string }{
	{"2025-11-25", "2025-11-25"}, {"2026-07-28", "2026-07-28"}, {"auto", "2026-07-28"},
}

// BenchmarkPerfWebList compares parley tools URL with a program that does the same HTTP
// requests, handshake, list and, in the older era, GET and DELETE; medians of whole
// processes in turn, and the most that parley had resident.
func BenchmarkPerfWebList(b *testing.B) {
	for _, era := range webEras {
		b.Run(era.protocol, func(b *testing.B) {
			url := webLoad{load: load{tools: 20}}.serve(b)
			p := newPlace(b)
			p.network = true
			ours := []string{parley(b), "tools", "--protocol", era.protocol, url}
			var with, without samples
			for b.Loop() {
				took, _ := timed(b, p, web(b, url, era.version, 0, ""), webRole)
				without = append(without, took)
				took, _ = timed(b, p, ours)
				with = append(with, took)
			}
			var peak int64
			for range 5 { // watching costs time: apart
				peak = max(peak, p.run(b, ours[1:]...).Peak)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(without.median()), "bare-ms")
			b.ReportMetric(milliseconds(with.median()), "parley-ms")
			b.ReportMetric(milliseconds(with.median()-without.median()), "added-ms")
			b.ReportMetric(float64(peak)/1e6, "resident-MB")
		})
	}
}

// BenchmarkPerfWebScript compares a script of 10,000 calls in a loop with the smallest
// client that posts the same messages one after the other; medians of whole processes
// in turn.
func BenchmarkPerfWebScript(b *testing.B) {
	const steps = 10_000
	for _, era := range webEras[:2] {
		for _, events := range []bool{false, true} {
			b.Run(era.protocol+"/"+replies(events), func(b *testing.B) {
				url := webLoad{load: load{echo: true}, events: events}.serve(b)
				p := newPlace(b)
				file := filepath.Join(p.work, "calls.mcp")
				if err := os.WriteFile(file, fmt.Appendf(nil, "for i in %s : call echo text=hi\n", numbers(steps)), 0o600); err != nil {
					b.Fatal(err)
				}
				script := []string{parley(b), "run", "-q", "--protocol", era.protocol, file, url}
				var bare, ours samples
				for b.Loop() {
					took, _ := timed(b, p, web(b, url, era.version, steps, "echo"), webRole)
					bare = append(bare, took)
					took, out := timed(b, p, script)
					ours = append(ours, took)
					if n := strings.Count(out, "\n"); n != steps {
						b.Fatalf("%d lines were printed, want %d", n, steps)
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(milliseconds(bare.median()), "smallest-ms")
				b.ReportMetric(milliseconds(ours.median()), "parley-ms")
				b.ReportMetric(float64(ours.median())/float64(bare.median()), "ratio")
				b.ReportMetric(float64((ours.median()-bare.median())/steps)/float64(time.Microsecond), "added-µs/step")
			})
		}
	}
}

func replies(events bool) string {
	if events {
		return "sse"
	}
	return "json"
}

// numbers is a JSON list of as many numbers.
func numbers(n int) []byte {
	b := []byte{'['}
	for i := range n {
		b = append(strconv.AppendInt(b, int64(i), 10), ',')
	}
	b[len(b)-1] = ']'
	return b
}

// BenchmarkPerfWebStream lets a server send 100,000 notifications in one stream, that of
// a reply or the GET stream, and measures how long parley takes for them beside the
// smallest reader of events, and its memory beside that for a tenth of them. What both
// take without them is left out of the ratio. All must be in the session file, in order.
func BenchmarkPerfWebStream(b *testing.B) {
	const n = 100_000
	for _, stream := range []string{"reply", "get"} {
		b.Run(stream, func(b *testing.B) {
			sized := func(n int) (url string, name string, argv []string) {
				l, name := webLoad{load: load{early: n}, events: true}, ""
				args := []string{"tools", "-q"}
				if stream == "get" {
					l, name = webLoad{load: load{total: max(n, 1)}}, "-"
					file := filepath.Join(b.TempDir(), "wait.mcp")
					if err := os.WriteFile(file, []byte("tools\nwait notifications/prompts/list_changed\n"), 0o600); err != nil {
						b.Fatal(err)
					}
					args = []string{"run", "-q"}
					url = l.serve(b)
					return url, name, append(append([]string{parley(b)}, args...), "--protocol", "2025-11-25", file, url)
				}
				url = l.serve(b)
				return url, name, append(append([]string{parley(b)}, args...), "--protocol", "2025-11-25", url)
			}
			var ours, bare, oursNone, bareNone samples
			all, name, argv := sized(n)
			none, _, argvNone := sized(0)
			_, _, argvTenth := sized(n / 10)
			for b.Loop() {
				p := newPlace(b)
				took, out := timed(b, p, web(b, all, "2025-11-25", 0, name), webRole)
				bare = append(bare, took)
				if got, err := strconv.Atoi(strings.TrimSpace(out)); err != nil || got < n+2 {
					b.Fatalf("%q messages came to the reader, want %d", out, n+2)
				}
				took, _ = timed(b, p, web(b, none, "2025-11-25", 0, name), webRole)
				bareNone = append(bareNone, took)
				took, _ = timed(b, p, argv)
				ours = append(ours, took)
				p.complete(b, n)
				took, _ = timed(b, p, argvNone)
				oursNone = append(oursNone, took)
			}
			p := newPlace(b)
			p.network = true
			full, tenth := p.run(b, argv[1:]...).Peak, p.run(b, argvTenth[1:]...).Peak
			took, read := ours.median()-oursNone.median(), bare.median()-bareNone.median()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(read), "bare-ms")
			b.ReportMetric(milliseconds(took), "parley-ms")
			b.ReportMetric(float64(took)/float64(read), "ratio")
			b.ReportMetric(float64(full)/1e6, "peak-MB")
			b.ReportMetric(float64(tenth)/1e6, "peak-MB-of-a-tenth")
		})
	}
}

// BenchmarkPerfWebLine is BenchmarkPerfLineCall over HTTP: a result of 20 MB and of
// 100 MB as a JSON body and as one event, printed by parley call --json, beside the
// smallest client that reads the same and keeps nothing.
func BenchmarkPerfWebLine(b *testing.B) {
	for _, size := range []int{20e6, 100e6} {
		for _, events := range []bool{false, true} {
			b.Run(strconv.Itoa(size/1e6)+"MB/"+replies(events), func(b *testing.B) {
				url := webLoad{load: load{text: size}, events: events}.serve(b)
				quiet := []string{"sh", "-c", `exec "$@" >/dev/null`, "sh"}
				ours := slices.Concat(quiet, []string{parley(b), "call", "--json", "--protocol", "2025-11-25", "tool_000", "--", url})
				p := newPlace(b)
				p.network = true
				var with, without samples
				var peak int64
				for b.Loop() {
					took, _ := timed(b, p, web(b, url, "2025-11-25", 1, "tool_000"), webRole)
					without = append(without, took)
					o := p.start(b, ours)
					if o.Code != 0 || o.Problem != "" || bytes.Contains(o.Stderr, []byte("error")) {
						b.Fatal(o.Problem, o)
					}
					with, peak = append(with, o.Wall), max(peak, o.Peak)
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(without.median().Seconds(), "bare-s")
				b.ReportMetric(with.median().Seconds(), "s")
				b.ReportMetric(float64(peak)/1e6, "peak-MB")
			})
		}
	}
}
