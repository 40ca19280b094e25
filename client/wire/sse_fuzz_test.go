package wire

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// plainEvents reads a whole stream in the plainest way: what the HTML standard says,
// step by step. It gives the data of each event that is a message.
func plainEvents(stream []byte) (messages []string) {
	text := strings.TrimPrefix(string(stream), "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	kind, data := "", ""
	for _, line := range lines[:len(lines)-1] {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if data = strings.TrimSuffix(data, "\n"); data != "" && (kind == "" || kind == "message") {
				messages = append(messages, data)
			}
			kind, data = "", ""
		case field == "event":
			kind = value
		case field == "data":
			data += value + "\n"
		}
	}
	return messages
}

// pieces reads in pieces whose sizes are given, over and over.
type pieces struct {
	rest  []byte
	sizes []byte
	n     int
}

func (c *pieces) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	size := len(c.rest)
	if len(c.sizes) > 0 {
		size = 1 + int(c.sizes[c.n%len(c.sizes)])%64
		c.n++
	}
	n := copy(p, c.rest[:min(size, len(c.rest))])
	c.rest = c.rest[n:]
	return n, nil
}

func FuzzEvents(f *testing.F) {
	for _, s := range []string{
		"data: " + ping + "\n\n", "\ufeffid: 1\r\nevent: message\r\ndata: a\r\ndata: b\r\n\r\n", ": c\r\rdata\r\r\n\n",
		"event: other\ndata: 0123456789012345678901234567890123456789\n\ndata: é日本語日本語日本語日本語\n\n: 0123456789012345678901234567890123456789\n",
		"data: 0123456789\ndata: 01234567890123456789\ndata:\ndata\nevent: x\n\n", "data:x\revent:message\n\r\ndata:y\n",
		"retry: 1\ndata: cut", "\xef\xbb", "id: 01234567890123456789012345678901234567890123456789\ndata:z\n\n",
	} {
		f.Add([]byte(s), []byte{3, 1, 7}, byte(0))
		f.Add([]byte(s), []byte{0}, byte(12))
	}
	f.Fuzz(func(t *testing.T, stream, sizes []byte, part byte) {
		if bytes.Contains(stream, []byte("endpoint")) {
			return // long addresses are dropped: see TestALongAddressIsDropped
		}
		limit := 0
		if part > 0 {
			limit = 8 + int(part) // events of a few bytes go out in parts
		}
		got := hear(t, &pieces{rest: stream, sizes: sizes}, limit)
		if all := got.raw(); all != string(stream) {
			t.Errorf("the stream is %q, its frames are %q", stream, all)
		}
		var messages []string
		for _, m := range got.messages() {
			if kind, data, _ := strings.Cut(m, " "); limit == 0 || kind == "message" {
				messages = append(messages, data)
			}
		}
		want := plainEvents(stream)
		if limit > 0 { // what was handed over before its end may turn out to be cut, and is stray
			kept := want[:0]
			for _, m := range want {
				if Scan([]byte(m)).Form.IsMessage() {
					kept = append(kept, m)
				}
			}
			want = kept
		}
		if fmt.Sprintf("%q", messages) != fmt.Sprintf("%q", want) {
			t.Errorf("messages %q, want %q", messages, want)
		}
		for _, p := range got.parts {
			if limit > 0 && len(p.Raw) > limit {
				t.Errorf("a part of %d bytes, limit %d", len(p.Raw), limit)
			}
		}
	})
}

// longEvent makes one event: head, then fill over and over up to size bytes, then foot.
func longEvent(head, fill string, size int, foot string) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(&endless{text: fill}, int64(size)), strings.NewReader(foot))
}

type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], e.text[e.at:])
		e.at = (e.at + k) % len(e.text)
		n += k
	}
	return n, nil
}

// weigher is a sink that counts bytes, and measures the memory as they come.
type weigher struct {
	seq    uint64
	bytes  map[Kind]int64
	last   map[Kind]Frame
	most   uint64
	longer int // parts over MaxPart
}

func (w *weigher) Append(frames []Frame) uint64 {
	for i := range frames {
		f := &frames[i]
		if f.Seq == 0 {
			w.seq++
			f.Seq = w.seq
		}
		kind := HTTP
		if f.Head.Form != NoForm || f.Kind == Message {
			kind = Message
		}
		w.bytes[kind] += int64(len(f.Raw))
		w.last[kind] = *f
		if len(f.Raw) > MaxPart {
			w.longer++
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	w.most = max(w.most, m.HeapAlloc)
	return 0
}

func TestLongEventsTakeLittleMemory(t *testing.T) {
	const head, foot = `{"jsonrpc":"2.0","id":1,"result":{"text":"`, `"}}`
	for _, c := range []struct {
		name             string
		size             int
		head, fill, foot string
		form             Form
		kind             Kind
	}{
		{"20 MB in one line", 20 << 20, "data: " + head, strings.Repeat("ab日本", 1000), foot + "\n\n", Result, Message},
		{"100 MB in one line", 100 << 20, "id: 1\ndata:" + head, strings.Repeat("x", 4096), foot + "\r\n\r\n", Result, Message},
		{"100 MB in lines", 100 << 20, "data: " + head + `"}}` + "\n", strings.Repeat("data:          \n", 256), "\n", Result, Message},
		{"20 MB cut", 20 << 20, "data: " + head, strings.Repeat("x", 4096), "", Garbage, Stray},
		{"20 MB that end as another type", 20 << 20, "data: " + head, strings.Repeat("x", 4096), foot + "\nevent: other\n\n", Result, Stray},
	} {
		t.Run(c.name, func(t *testing.T) {
			size := c.size / len(c.fill) * len(c.fill)
			w := &weigher{bytes: map[Kind]int64{}, last: map[Kind]Frame{}}
			runtime.GC()
			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			var events []sseEvent
			s := &sseReader{rec: newRecorder(w, nil)}
			err := s.run(longEvent(c.head, c.fill, size, c.foot), func(e *sseEvent) bool { events = append(events, *e); return true })
			if err != nil {
				t.Fatal(err)
			}
			if got, want := w.bytes[HTTP], int64(len(c.head)+size+len(c.foot)); got != want {
				t.Errorf("%d bytes in frames, want %d", got, want)
			}
			last := w.last[Message]
			if last.More || last.Size != w.bytes[Message] || last.Head.Form != c.form || last.Kind != c.kind || w.last[HTTP].More {
				t.Errorf("the message ends as %s, form %d, size %d of %d", last.Kind, last.Head.Form, last.Size, w.bytes[Message])
			}
			if c.kind == Message && (len(events) != 1 || events[0].Data != nil || events[0].Seq != 2 || events[0].Head.ID != Int(1)) {
				t.Errorf("events %+v", events)
			}
			if w.longer > 0 {
				t.Errorf("%d parts too long", w.longer)
			}
			if more := int64(w.most) - int64(before.HeapAlloc); more > 16<<20 {
				t.Errorf("%d MB of memory", more>>20)
			}
		})
	}
}

func TestALongAddressIsDropped(t *testing.T) {
	w := &weigher{bytes: map[Kind]int64{}, last: map[Kind]Frame{}}
	var events []sseEvent
	s := &sseReader{rec: newRecorder(w, nil), mask: maskEndpoint}
	err := s.run(longEvent("event: endpoint\ndata: /m?sessionId=", "abc", 3<<20, "\n\ndata: "+ping+"\n\n"), func(e *sseEvent) bool {
		events = append(events, *e)
		return true
	})
	if err != nil || len(events) != 2 || events[0].Data != nil || events[0].Seq != 0 || w.bytes[Message] != int64(len(ping)) {
		t.Errorf("error %v, events %+v, %d bytes of messages", err, events, w.bytes[Message])
	}
}

// BenchmarkEvents compares 100,000 small events read into frames with a bare reader of
// lines over the same bytes.
func BenchmarkEvents(b *testing.B) {
	const n = 100_000
	event := "data: " + notification + "\n"
	b.Run("bufio", func(b *testing.B) {
		b.SetBytes(n * int64(len(event)))
		for b.Loop() {
			if got := countLines(repeat(event, n)); got != 2*n {
				b.Fatal(got)
			}
		}
	})
	for name, text := range map[string]string{"events": event, "with ids": "id: 12\nevent: message\n" + event} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(n * int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				c, told := &counter{}, 0
				s := &sseReader{rec: newRecorder(c, time.Now)}
				if err := s.run(repeat(text, n), func(*sseEvent) bool { told++; return true }); err != nil || told != n || c.frames != 2*n {
					b.Fatal(told, c.frames, err)
				}
			}
		})
	}
}

// BenchmarkLongEvent is one event of 100 MB.
func BenchmarkLongEvent(b *testing.B) {
	const size = 100 << 20
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		s := &sseReader{rec: newRecorder(&counter{}, time.Now)}
		if err := s.run(longEvent("data: ", strings.Repeat("x", 4096), size, "\n\n"), func(*sseEvent) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}
