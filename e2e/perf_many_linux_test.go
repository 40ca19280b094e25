package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// BenchmarkPerfMany lets a server send a million notifications, as fast as they
// are taken, to the screen, which follows them, and measures the memory that
// the program has resident then, at most, and in all before the first of them;
// how much of a core it takes when nothing happens any more, and how long a key
// takes that filters all of them. All of them must be in the session file, in
// order.
func BenchmarkPerfMany(b *testing.B) {
	const n = 1_000_000
	for b.Loop() {
		p := newPlace(b)
		t := load{total: n, wait: 2 * time.Second}.screen(b, p)
		t.wait("tool_000")
		<-time.After(time.Second)
		before, _ := t.resident()
		t.wait("message number")
		start := time.Now()
		took := t.wait(loadOver).Sub(start)
		<-time.After(time.Second)
		now, peak := t.resident()
		idle := t.idle(10 * time.Second)
		t.press("4/")
		<-time.After(200 * time.Millisecond)
		at := t.press("ж")
		filter := t.wait("ж").Sub(at)
		t.end()
		p.complete(b, n)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(before)/1e6, "before-MB")
		b.ReportMetric(float64(now)/1e6, "resident-MB")
		b.ReportMetric(float64(peak)/1e6, "peak-MB")
		b.ReportMetric(n/took.Seconds(), "messages/s")
		b.ReportMetric(idle, "idle-cpu-%")
		b.ReportMetric(milliseconds(filter), "filter-ms")
	}
}

// BenchmarkPerfRecord lets a server send 200,000 notifications before it answers
// tools/list, and measures how long parley tools takes for them, beside a bare
// reader of lines. What both take without them is measured too and left out of
// the ratio. With -q nothing is checked against the rules of the protocol after
// the answer. All of them must be in the session file, in order.
func BenchmarkPerfRecord(b *testing.B) {
	const n = 200_000
	flags, with := load{early: n}.server(b)
	_, without := load{early: n, keep: true}.server(b)
	ours := append(append([]string{parley(b), "tools", "-q"}, flags...), "--")
	var parleyWith, parleyWithout, pipeWith, pipeWithout samples
	for b.Loop() {
		p := newPlace(b)
		run := func(all *samples, argv []string, env ...string) (out string) {
			took, out := timed(b, p, argv, env...)
			*all = append(*all, took)
			return out
		}
		run(&pipeWithout, append([]string{self(b)}, without...), envRole+"="+rolePerfPipe)
		if got := run(&pipeWith, append([]string{self(b)}, with...), envRole+"="+rolePerfPipe); got != fmt.Sprintln(n+2) {
			b.Fatalf("%s lines came through the pipe, want %d", got, n+2)
		}
		run(&parleyWith, append(slices.Clone(ours), with...))
		p.complete(b, n)
		run(&parleyWithout, append(slices.Clone(ours), without...))
	}
	recorded := parleyWith.median() - parleyWithout.median()
	read := pipeWith.median() - pipeWithout.median()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(read), "pipe-ms")
	b.ReportMetric(milliseconds(recorded), "parley-ms")
	b.ReportMetric(float64(recorded)/float64(read), "ratio")
}

// BenchmarkPerfIdle measures how much of a core the screen takes while nothing
// happens, and how often it wakes up for that.
func BenchmarkPerfIdle(b *testing.B) {
	for b.Loop() {
		t := load{tools: 20}.screen(b, newPlace(b))
		t.wait("tool_007")
		<-time.After(2 * time.Second)
		woken, received := t.switches(), t.received()
		idle := t.idle(20 * time.Second)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(idle, "cpu-%")
		b.ReportMetric(float64(t.switches()-woken)/20, "wakeups/s")
		b.ReportMetric(float64(t.received()-received), "bytes")
		t.end()
	}
}

// idle is the share of a core that is used in a while, in percent.
func (t *pty) idle(d time.Duration) float64 {
	t.b.Helper()
	start, used := time.Now(), t.usage()
	<-time.After(d)
	return (t.usage() - used).Seconds() / time.Since(start).Seconds() * 100
}

// complete checks that the n notifications were recorded, in order.
func (p *place) complete(b *testing.B, n int) {
	b.Helper()
	f, err := os.Open(p.sessionFiles(b)[0])
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	next := 0
	for r := bufio.NewScanner(f); r.Scan(); {
		before, rest, ok := bytes.Cut(r.Bytes(), []byte("message number "))
		if !ok || bytes.Contains(before, []byte(`,"k":"http"`)) { // the event that a message came in
			continue
		}
		if want := fmt.Appendf(nil, "%07d", next); !bytes.HasPrefix(rest, want) {
			b.Fatalf("notification %s is missing, found %.7s", want, rest)
		}
		next++
	}
	if next != n {
		b.Fatalf("%d of %d notifications were recorded", next, n)
	}
}
