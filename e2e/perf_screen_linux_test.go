package e2e

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// screen starts the program's screen on a server of the benchmarks.
func (l load) screen(b *testing.B, p *place) *pty {
	b.Helper()
	flags, argv := l.server(b)
	return p.onPTY(b, append(append(append([]string{parley(b)}, flags...), "--"), argv...)...)
}

// BenchmarkPerfPaint measures how long it takes from the start of the program to
// the first paint and to the tool list, the latter beside a bare pipe that asks
// the same server for the same; and from ctrl+c to the end of the program.
func BenchmarkPerfPaint(b *testing.B) {
	l := load{tools: 20}
	_, argv := l.server(b)
	pipe := append([]string{self(b)}, argv...)
	p := newPlace(b)
	var first, list, own, quit samples
	for b.Loop() {
		took, _ := timed(b, p, pipe, envRole+"="+rolePerfPipe)
		own = append(own, took)
		t := l.screen(b, p)
		first = append(first, t.wait("parley").Sub(t.began))
		list = append(list, t.wait("tool_007").Sub(t.began))
		at := t.press("\x03")
		<-t.ended
		quit = append(quit, time.Since(at))
		t.end()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(first.median()), "paint-ms")
	b.ReportMetric(milliseconds(list.median()), "list-ms")
	b.ReportMetric(milliseconds(own.median()), "pipe-ms")
	b.ReportMetric(milliseconds(list.median()-own.median()), "added-ms")
	b.ReportMetric(milliseconds(quit.median()), "quit-ms")
}

// typed are characters that stand nowhere else on the screen, one cell wide.
func typed() (all []string) {
	for _, block := range [][2]rune{{'а', 'я'}, {'А', 'Я'}, {'α', 'ρ'}, {'ա', 'ֆ'}, {'ა', 'ჰ'}, {'Ꭰ', 'Ᏼ'}, {'ᐁ', 'ᑎ'}, {'ⴰ', 'ⵥ'}} {
		for r := block[0]; r <= block[1]; r++ {
			all = append(all, string(r))
		}
	}
	return all
}

// BenchmarkPerfKeys types into the console while notifications arrive and are
// followed in the traffic pane, and measures the time from each key to its
// paint, what goes to the terminal, and the processor time taken. How many
// notifications arrived is seen from the session file.
func BenchmarkPerfKeys(b *testing.B) {
	for _, c := range []struct {
		name string
		load load
		span time.Duration
	}{
		{"quiet", load{}, 10 * time.Second},
		{"rate=100", load{rate: 100, total: 1 << 30}, 10 * time.Second},
		{"rate=1000", load{rate: 1000, total: 1 << 30}, 10 * time.Second},
		{"rate=10000", load{rate: 10_000, total: 1 << 30}, 10 * time.Second},
		{"flood", load{total: 8_000_000, wait: time.Second}, 5 * time.Second},
	} {
		b.Run(c.name, func(b *testing.B) {
			var all keyRun
			for b.Loop() {
				all.keys(b, c.load, c.span)
			}
			all.report(b)
		})
	}
}

// BenchmarkPerfFollow shows nothing but traffic, on the whole screen, and
// measures what following it sends to the terminal and costs.
func BenchmarkPerfFollow(b *testing.B) {
	for _, c := range []struct {
		name string
		load load
	}{
		{"rate=100", load{rate: 100, total: 1 << 30}},
		{"rate=1000", load{rate: 1000, total: 1 << 30}},
		{"rate=10000", load{rate: 10_000, total: 1 << 30}},
		{"flood", load{total: 8_000_000, wait: time.Second}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				p := newPlace(b)
				t := c.load.screen(b, p)
				t.wait("tool_000")
				t.press("4Z")
				t.wait("message number")
				<-time.After(time.Second)
				start, bytes, paints, cpu, size := time.Now(), t.received(), t.paints(), t.usage(), p.recorded(b)
				<-time.After(4 * time.Second)
				seconds := time.Since(start).Seconds()
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(t.received()-bytes)/seconds/1e3, "kB/s")
				b.ReportMetric(float64(t.paints()-paints)/seconds, "paints/s")
				b.ReportMetric((t.usage()-cpu).Seconds()/seconds*100, "cpu-%")
				b.ReportMetric(float64(p.recorded(b)-size)/bytesPerNotification/seconds, "messages/s")
				t.end()
			}
		})
	}
}

// keyRun is what was measured while keys were pressed.
type keyRun struct {
	paints samples
	span   time.Duration
	bytes  int64
	cpu    time.Duration
	during int64 // bytes recorded
}

func (r *keyRun) keys(b *testing.B, l load, span time.Duration) {
	b.Helper()
	p := newPlace(b)
	t := l.screen(b, p)
	t.wait("tool_000")
	t.press("5")
	if l.total > 0 {
		t.wait("message number")
	}
	<-time.After(time.Second)
	rnd := rand.New(rand.NewPCG(1, 2))
	start, bytes, cpu, size := time.Now(), t.received(), t.usage(), p.recorded(b)
	for all := typed(); time.Since(start) < span; all = append(all[1:], all[0]) {
		at := t.press(all[0])
		r.paints = append(r.paints, t.wait(all[0]).Sub(at))
		t.press("\x7f")
		<-time.After(15*time.Millisecond + time.Duration(rnd.Int64N(int64(20*time.Millisecond))))
	}
	r.span += time.Since(start)
	r.bytes += t.received() - bytes
	r.cpu += t.usage() - cpu
	r.during += p.recorded(b) - size
	t.end()
}

func (r *keyRun) report(b *testing.B) {
	b.Helper()
	seconds := r.span.Seconds()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(r.paints.median()), "median-ms")
	b.ReportMetric(milliseconds(r.paints.at(0.99)), "p99-ms")
	b.ReportMetric(milliseconds(r.paints.at(1)), "max-ms")
	b.ReportMetric(float64(r.bytes)/seconds/1e3, "kB/s")
	b.ReportMetric(r.cpu.Seconds()/seconds*100, "cpu-%")
	b.ReportMetric(float64(r.during)/bytesPerNotification/seconds, "messages/s")
}

// bytesPerNotification is about what one of the notifications takes in a
// session file.
const bytesPerNotification = 225

// recorded is the size of what was recorded in a place, in bytes.
func (p *place) recorded(b *testing.B) (sum int64) {
	b.Helper()
	for _, f := range p.sessionFiles(b) {
		info, err := os.Stat(f)
		if err != nil {
			b.Fatal(err)
		}
		sum += info.Size()
	}
	return sum
}
