package history

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/client/wire"
)

// notification is the message of 149 bytes that floods are made of.
func notification(i int) []byte {
	s := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"flood","data":"message number %06d`, i)
	return []byte(s + strings.Repeat(".", 149-len(s)-len(`"}}`)) + `"}}`)
}

// perRead is how many such lines a read of 64 KiB brings.
const perRead = 64 << 10 / 150

// BenchmarkRecord scans and records 200,000 notifications as they come from
// reads of 64 KiB; "lines" only finds the lines, for comparison.
func BenchmarkRecord(b *testing.B) {
	const n = 200_000
	var stream bytes.Buffer
	for i := range n {
		stream.Write(append(notification(i), '\n'))
	}
	b.Run("lines", func(b *testing.B) {
		for b.Loop() {
			r := bufio.NewReaderSize(bytes.NewReader(stream.Bytes()), 64<<10)
			for {
				if _, err := r.ReadSlice('\n'); err == io.EOF {
					break
				}
			}
		}
	})
	b.Run("recorded", func(b *testing.B) {
		dir := b.TempDir()
		frames := make([]wire.Frame, 0, perRead)
		b.SetBytes(int64(stream.Len()))
		for b.Loop() {
			l, err := Create(Options{Dir: dir})
			if err != nil {
				b.Fatal(err)
			}
			rest := stream.Bytes()
			for len(rest) > 0 {
				frames = frames[:0]
				at := time.Now()
				for len(frames) < perRead && len(rest) > 0 {
					i := bytes.IndexByte(rest, '\n')
					frames = append(frames, wire.Frame{Time: at, Dir: wire.In, Raw: rest[:i], Size: int64(i), Head: wire.Scan(rest[:i])})
					rest = rest[i+1:]
				}
				l.Append(frames)
			}
			if l.Len() != n {
				b.Fatal(l.Len())
			}
			_ = l.Close()
			b.StopTimer()
			_ = os.Remove(l.Path())
			b.StartTimer()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/frame")
	})
}

// exchangesFile records n frames, a request and its response in turn, and
// returns the file's path.
func exchangesFile(b testing.TB, n int) string {
	b.Helper()
	l, err := Create(Options{Path: filepath.Join(b.TempDir(), "many.jsonl")})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	var frames []wire.Frame
	for i := 0; i < n; i += 2 {
		frames = append(frames,
			sent(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool%d","arguments":{"text":"hello"}}}`, i/2, i%50)),
			received(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"the answer to %d\n"}]}}`, i/2, i)))
		if len(frames) >= perRead {
			l.Append(frames)
			frames = frames[:0]
		}
	}
	l.Append(frames)
	return l.Path()
}

func benchLines() int {
	if testing.Short() {
		return 50_000
	}
	return 1_000_000
}

func BenchmarkOpen(b *testing.B) {
	n := benchLines()
	path := exchangesFile(b, n)
	stat, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(stat.Size())
	for b.Loop() {
		l, err := Open(path)
		if err != nil || l.Len() != uint64(n) {
			b.Fatal(l, err)
		}
		_ = l.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/line")
}

// BenchmarkState folds a log, and says what index and state take a frame.
func BenchmarkState(b *testing.B) {
	n := benchLines()
	path := exchangesFile(b, n)
	before := heap()
	l, err := Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	index := heap() - before
	var s State
	for b.Loop() {
		s = State{}
		s.CatchUp(l)
	}
	if len(s.Pending()) != 0 || s.Counts().Responses != n/2 {
		b.Fatalf("%+v", s.Counts())
	}
	per := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(n)
	state := heap() - before - index
	b.ReportMetric(per, "ns/frame")
	b.ReportMetric(float64(index)/float64(n), "index-B/frame")
	b.ReportMetric(float64(state)/float64(n), "state-B/frame")
	runtime.KeepAlive(&s)
}

// heap is what is in use after everything unused is gone.
func heap() int64 {
	var m runtime.MemStats
	for range 3 { // pools are emptied in two collections
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkBytes reads what a screen shows: 50 neighbouring frames, again and
// again; and a window far inside a frame in parts.
func BenchmarkBytes(b *testing.B) {
	b.Run("screen", func(b *testing.B) {
		l, err := Open(exchangesFile(b, 10_000))
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		for b.Loop() {
			for seq := uint64(5000); seq < 5050; seq++ {
				if _, err := l.Bytes(seq, 0, 200); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("window", func(b *testing.B) {
		l, _ := record(b, received(`{"jsonrpc":"2.0","id":1,"result":{"x":"`+strings.Repeat(`a\n`, 5<<20)+`"}}`))
		for b.Loop() {
			if _, err := l.Bytes(1, 7<<20, 4096); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEscape(b *testing.B) {
	raw := notification(1)
	for name, raw := range map[string][]byte{
		"message": raw,
		"text":    []byte(strings.Repeat("plain words, quite a few of them; ", 1000)),
		"lines":   []byte(strings.Repeat("0123456789abcdef0123456789abcdef0123456789abcdef\n", 1000)),
		"json":    []byte(strings.Repeat(`{"a":1,"b":[true,"x"]},`, 1000)),
	} {
		b.Run("escape/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			var dst []byte
			for b.Loop() {
				dst = appendEscaped(dst[:0], raw)
			}
		})
	}
	b.Run("unescape", func(b *testing.B) {
		enc := appendEscaped(nil, raw)
		b.SetBytes(int64(len(raw)))
		var dst []byte
		for b.Loop() {
			dst, _, _ = unescape(dst[:0], enc, true)
		}
	})
}

// BenchmarkRecords looks at the newest 10,000 frames while others are recorded,
// one by one and together.
func BenchmarkRecords(b *testing.B) {
	l, err := Create(Options{Spool: true})
	if err != nil {
		b.Fatal(err)
	}
	frames := make([]wire.Frame, perRead)
	for i := range frames {
		frames[i] = received(string(notification(i)))
	}
	const n = 10_000
	for l.Len() < n {
		l.Append(frames)
	}
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !stop.Load() && l.Len() < 1<<22 {
			l.Append(frames)
		}
	}()
	b.Run("one by one", func(b *testing.B) {
		for b.Loop() {
			for seq, last := l.Len()-n+1, l.Len(); seq <= last; seq++ {
				if r, ok := l.Record(seq); !ok || r.Form != wire.Notification {
					b.Fatal(r)
				}
			}
		}
	})
	b.Run("together", func(b *testing.B) {
		for b.Loop() {
			l.Records(l.Len()-n+1, l.Len(), func(r *Record) bool {
				if r.Form != wire.Notification {
					b.Fatal(*r)
				}
				return true
			})
		}
	})
	stop.Store(true)
	<-done
	_ = l.Close()
}

// BenchmarkExchange asks for a call that had 100,000 progress notifications, as
// every row and every look does.
func BenchmarkExchange(b *testing.B) {
	l, _ := record(b, sent(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}`))
	var frames []wire.Frame
	for i := range 100_000 {
		frames = append(frames, received(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":%d}}`, i)))
	}
	l.Append(frames)
	var s State
	s.CatchUp(l)
	for b.Loop() {
		if x, ok := s.Exchange(1); !ok || x.Progress != len(frames) {
			b.Fatal(x)
		}
	}
}
