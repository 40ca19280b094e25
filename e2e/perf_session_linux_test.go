package e2e

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkPerfOpen opens a session file on the screen, one of 100 MB and, when
// asked for, one of 1 GB, and measures until the first paint, which today comes
// after the whole file was read, and the memory resident then; beside reading
// the bytes of the file and nothing more. Then it goes from the last frame to the
// first.
func BenchmarkPerfOpen(b *testing.B) {
	for _, c := range []struct {
		name string
		size int64
	}{{"100MB", 100e6}, {"1GB", 1e9}} {
		b.Run(c.name, func(b *testing.B) {
			if c.size > 1e8 {
				big(b)
			}
			p := newPlace(b)
			path := filepath.Join(p.work, "long.jsonl")
			frames := writeSession(b, path, c.size)
			var paint, jump, bare samples
			var now, peak int64
			for b.Loop() {
				bare = append(bare, readAll(b, path))
				t := p.onPTY(b, parley(b), "open", path)
				paint = append(paint, t.wait("frames ").Sub(t.began))
				now, peak = t.resident()
				t.press("4G")
				<-time.After(300 * time.Millisecond)
				t.forgetAll()
				at := t.press("g")
				jump = append(jump, t.wait("connected").Sub(at))
				t.end()
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(frames), "frames")
			b.ReportMetric(bare.median().Seconds(), "read-s")
			b.ReportMetric(paint.median().Seconds(), "paint-s")
			b.ReportMetric(milliseconds(jump.median()), "jump-ms")
			b.ReportMetric(float64(now)/1e6, "resident-MB")
			b.ReportMetric(float64(peak)/1e6, "peak-MB")
		})
	}
}

// writeSession writes a session of tool calls, each answered with a text of
// about a kilobyte, and returns how many frames it has.
func writeSession(b *testing.B, path string, size int64) (frames int) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintln(w, `{"parley":"session/1","started":"2026-11-20T09:38:50.339Z","target":{"command":["server"]},"client":"parley 0.1.0"}`)
	at := time.Date(2026, 11, 20, 9, 38, 50, 0, time.UTC)
	const stamp = "2006-01-02T15:04:05.000000Z"
	fmt.Fprintf(w, `{"n":1,"t":"%s","k":"event","raw":"{\"event\":\"connected\",\"epoch\":1,\"pid\":1}"}`+"\n", at.Format(stamp))
	frames = 1
	text := strings.Repeat("the quick brown fox jumps over the lazy dog. ", 23)
	for written := int64(0); written < size; frames += 2 {
		at = at.Add(time.Millisecond)
		n, _ := fmt.Fprintf(w, `{"n":%d,"t":"%s","d":">","by":"form","raw":"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"tool_%03d\",\"arguments\":{}}}"}`+"\n",
			frames+1, at.Format(stamp), frames/2, frames/2%50)
		m, _ := fmt.Fprintf(w, `{"n":%d,"t":"%s","d":"<","raw":"{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\\n\"}]}}"}`+"\n",
			frames+2, at.Format(stamp), frames/2, text)
		written += int64(n + m)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return frames
}

// readAll reads a file in pieces of a megabyte.
func readAll(b *testing.B, path string) time.Duration {
	b.Helper()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	start := time.Now()
	for buf := make([]byte, 1<<20); ; {
		if _, err := f.Read(buf); err != nil {
			return time.Since(start)
		}
	}
}

// BenchmarkPerfStart opens the start screen where 5,000 sessions were recorded,
// and measures until its first paint.
func BenchmarkPerfStart(b *testing.B) {
	p := newPlace(b)
	dir := filepath.Join(p.state, "parley", "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	at := time.Date(2026, 11, 20, 9, 38, 50, 0, time.UTC)
	for i := range 5000 {
		name := at.Add(time.Duration(i)*time.Minute).Format("20060102T150405Z") + "-server-1.jsonl"
		writeSession(b, filepath.Join(dir, name), 10_000)
	}
	var paint samples
	for b.Loop() {
		t := p.onPTY(b, parley(b))
		paint = append(paint, t.wait("recent sessions").Sub(t.began))
		t.end()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(paint.median()), "paint-ms")
}
