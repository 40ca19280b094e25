package e2e

import (
	"bufio"
	"errors"
	"io"
	"os/exec"
	"testing"
	"time"
)

// barePipe is a connection to the server of the benchmarks over a bare pipe,
// handshake done.
type barePipe struct {
	b   *testing.B
	in  io.WriteCloser
	out *bufio.Reader
	end func()
}

func (l load) pipe(b *testing.B, p *place) *barePipe {
	b.Helper()
	_, argv := l.server(b)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = p.work, append(p.environ(), envRole+"="+rolePerfServer)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	c := &barePipe{b: b, in: in, out: bufio.NewReaderSize(out, 64<<10)}
	c.end = func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
	c.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)
	return c
}

// ask sends a request and reads the next line to its end, keeping nothing.
func (c *barePipe) ask(request string) time.Duration {
	c.b.Helper()
	start := time.Now()
	if _, err := io.WriteString(c.in, request+"\n"); err != nil {
		c.b.Fatal(err)
	}
	for {
		_, err := c.out.ReadSlice('\n')
		if err == nil {
			return time.Since(start)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			c.b.Fatal(err)
		}
	}
}

const callTool = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool_000","arguments":{}}}`

// BenchmarkPerfText calls a tool whose result is a text of a megabyte, with and
// without lines, and measures from the key that sends the call to the paint of
// the text, beside the same call over a bare pipe.
func BenchmarkPerfText(b *testing.B) {
	for _, c := range []struct {
		name string
		load load
	}{
		{"lines", load{text: 1 << 20, wrap: true}},
		{"one-line", load{text: 1 << 20}},
		{"small", load{text: 100}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var paints, own samples
			for b.Loop() {
				p := newPlace(b)
				pipe := c.load.pipe(b, p)
				own = append(own, pipe.ask(callTool))
				pipe.end()
				t := c.load.screen(b, p)
				t.wait("tool_000")
				t.press("\r")
				<-time.After(200 * time.Millisecond)
				at := t.press("\x13")
				paints = append(paints, t.wait("beginning").Sub(at))
				t.end()
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(own.median()), "pipe-ms")
			b.ReportMetric(milliseconds(paints.median()), "screen-ms")
			b.ReportMetric(milliseconds(paints.median()-own.median()), "added-ms")
			b.ReportMetric(milliseconds(paints.at(0.9)-own.at(0.9)), "added-p90-ms")
		})
	}
}

// BenchmarkPerfLine calls a tool whose result is one line of 100 MB, or of 1 GB,
// and measures until the screen says that the call is done, and the memory that
// this took; beside the same call over a bare pipe.
func BenchmarkPerfLine(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
	}{{"100MB", 100e6}, {"1GB", 1e9}} {
		b.Run(c.name, func(b *testing.B) {
			if c.size > 1e8 {
				big(b)
			}
			l := load{text: c.size}
			var done, own samples
			var before, after, peak int64
			for b.Loop() {
				p := newPlace(b)
				pipe := l.pipe(b, p)
				own = append(own, pipe.ask(callTool))
				pipe.end()
				t := l.screen(b, p)
				t.wait("tool_000")
				t.press("\r")
				<-time.After(500 * time.Millisecond)
				idle, _ := t.resident()
				at := t.press("\x13")
				done = append(done, t.wait("opens its frame").Sub(at))
				now, most := t.resident()
				before, after, peak = max(before, idle), max(after, now), max(peak, most)
				t.end()
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(own.median().Seconds(), "pipe-s")
			b.ReportMetric(done.median().Seconds(), "screen-s")
			b.ReportMetric(float64(before)/1e6, "idle-MB")
			b.ReportMetric(float64(after)/1e6, "after-MB")
			b.ReportMetric(float64(peak)/1e6, "peak-MB")
		})
	}
}

// BenchmarkPerfLineCall is BenchmarkPerfLine for the commands that print the
// result: parley call --json, and parley raw. Nobody looks at what they print,
// so that its reader is not what is measured.
func BenchmarkPerfLineCall(b *testing.B) {
	for _, c := range []struct {
		name  string
		argv  []string
		stdin string
	}{
		{"call", []string{"call", "--json", "tool_000"}, ""},
		{"raw", []string{"raw"}, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}` + "\n" + callTool + "\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			l := load{text: 100e6}
			flags, argv := l.server(b)
			list := []string{"sh", "-c", `exec "$@" >/dev/null`, "sh", parley(b)}
			for _, words := range [][]string{c.argv, flags, {"--"}, argv} {
				list = append(list, words...)
			}
			var done samples
			var peak int64
			for b.Loop() {
				p := newPlace(b)
				p.stdin = c.stdin
				o := p.start(b, list)
				if o.Code != 0 || o.Problem != "" {
					b.Fatal(o.Problem, o)
				}
				done = append(done, o.Wall)
				peak = max(peak, o.Peak)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(done.median().Seconds(), "s")
			b.ReportMetric(float64(peak)/1e6, "peak-MB")
		})
	}
}
