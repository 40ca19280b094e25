package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// pipe sends a server what parley tools sends, waits for what it waits for and
// ends it the same way, over a bare pipe: nothing is parsed or kept. It is what
// parley's own time is measured against.
func (p *place) pipe(argv []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = p.work, p.environ()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r := bufio.NewReaderSize(out, 64<<10)
	send := func(line string) { _, _ = io.WriteString(in, line+"\n") }
	send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"parley","version":"0"}}}`)
	if _, err := answer(r, 0); err != nil {
		return err
	}
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	cursor := []byte(nil)
	for id := 1; id == 1 || cursor != nil; id++ {
		params := ""
		if cursor != nil {
			params = `,"params":{"cursor":` + string(cursor) + `}`
		}
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"%s}`, id, params))
		page, err := answer(r, id)
		if err != nil {
			return err
		}
		cursor = nil
		if _, rest, more := bytes.Cut(page, []byte(`"nextCursor":`)); more {
			cursor = rest[:bytes.IndexByte(rest[1:], '"')+2]
		}
	}
	_ = in.Close()
	_, _ = io.Copy(io.Discard, r)
	return cmd.Wait()
}

// answer returns the next line that answers a request.
func answer(r *bufio.Reader, id int) ([]byte, error) {
	field := fmt.Appendf(nil, `"id":%d`, id)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("waiting for answer %d: %w", id, err)
		}
		if bytes.Contains(line, field) {
			return line, nil
		}
	}
}

// BenchmarkStartup compares parley tools with the same messages over a bare
// pipe, side by side in one run: wall-clock medians, what parley adds, and the
// most memory it had resident.
func BenchmarkStartup(b *testing.B) {
	bin := parley(b)
	servers := []struct {
		name string
		argv func(b *testing.B) []string
	}{
		{"demo", func(*testing.B) []string { return []string{bin, "demo", "--stdio"} }},
		{"go", func(b *testing.B) []string { return []string{zoo(b) + "/go-sdk/everything-server"} }},
		{"node", func(b *testing.B) []string {
			return []string{zoo(b) + "/node_modules/.bin/mcp-server-memory"}
		}},
	}
	for _, s := range servers {
		b.Run(s.name, func(b *testing.B) {
			argv := s.argv(b)
			list := append([]string{bin, "tools", "--json", "--"}, argv...)
			p := newPlace(b)
			var ours, bare []time.Duration
			for b.Loop() {
				start := time.Now()
				if err := p.pipe(argv); err != nil {
					b.Fatal(err)
				}
				half := time.Now()
				cmd := exec.Command(list[0], list[1:]...)
				out := p.prepare(cmd)
				if err := cmd.Run(); err != nil {
					b.Fatalf("%v: %v\n%s", list, err, out.err.Bytes())
				}
				bare = append(bare, half.Sub(start))
				ours = append(ours, time.Since(half))
			}
			// Watching costs time, so memory is measured in runs of its own.
			var peak int64
			for range 5 {
				peak = max(peak, p.run(b, list[1:]...).Peak)
			}
			o, n := median(ours), median(bare)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(n), "pipe-ms")
			b.ReportMetric(milliseconds(o), "parley-ms")
			b.ReportMetric(milliseconds(o-n), "added-ms")
			b.ReportMetric(float64(o)/float64(n), "ratio")
			b.ReportMetric(float64(peak)/1e6, "resident-MB")
		})
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
