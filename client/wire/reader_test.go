package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"
)

// keeper is a sink that keeps frames whole and notes how they came.
type keeper struct {
	frames []Frame
	batch  []int // frames of each Append
	parts  []Frame
}

func (r *keeper) Append(frames []Frame) (first uint64) {
	r.batch = append(r.batch, len(frames))
	for i := range frames {
		f := &frames[i]
		kept := *f
		kept.Raw = bytes.Clone(f.Raw)
		if f.Seq == 0 {
			f.Seq = uint64(len(r.frames) + 1)
			first = f.Seq
			r.frames = append(r.frames, kept)
		} else {
			old := r.frames[f.Seq-1]
			if !old.More {
				panic("a part of a frame that is complete")
			}
			kept.Raw = append(old.Raw, kept.Raw...)
			r.frames[f.Seq-1] = kept
		}
		part := *f
		part.Raw = bytes.Clone(f.Raw)
		r.parts = append(r.parts, part)
	}
	return first
}

func read(t testing.TB, r io.Reader, kind Kind) *keeper {
	t.Helper()
	rec := &keeper{}
	l := &lineReader{sink: rec, now: time.Now, kind: kind}
	if err := l.run(r); err != nil {
		t.Fatal(err)
	}
	return rec
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestLinesBecomeFrames(t *testing.T) {
	type line struct {
		kind Kind
		eol  EOL
		raw  string
	}
	for _, c := range []struct {
		name, in string
		want     []line
	}{
		{"nothing", "", nil},
		{"one message", ping + "\n", []line{{Message, EOLLF, ping}}},
		{"crlf", ping + "\r\n" + "x\r\n", []line{{Message, EOLCRLF, ping}, {Stray, EOLCRLF, "x"}}},
		{"no final newline", "a\n" + ping, []line{{Stray, EOLLF, "a"}, {Message, EOLNone, ping}}},
		{"a final carriage return is no line ending", ping + "\r", []line{{Message, EOLNone, ping + "\r"}}},
		{"carriage returns within", "a\rb\r\r\n", []line{{Stray, EOLCRLF, "a\rb\r"}}},
		{"empty lines are evidence", "\n\r\n  \n" + ping + "\n\n", []line{
			{Stray, EOLLF, ""}, {Stray, EOLCRLF, ""}, {Stray, EOLLF, "  "}, {Message, EOLLF, ping}, {Stray, EOLLF, ""},
		}},
		{"json that is no message", "{}\n[]\n12\n", []line{{Stray, EOLLF, "{}"}, {Stray, EOLLF, "[]"}, {Stray, EOLLF, "12"}}},
		{"invalid utf-8 is kept", "\xff\xfe\n" + ping + "\n", []line{{Stray, EOLLF, "\xff\xfe"}, {Message, EOLLF, ping}}},
		{"nul and escapes", "\x00\x1b[31m\n", []line{{Stray, EOLLF, "\x00\x1b[31m"}}},
		{"a message between spaces", " " + ping + " \n", []line{{Message, EOLLF, " " + ping + " "}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"at once":      strings.NewReader(c.in),
				"byte by byte": iotest.OneByteReader(strings.NewReader(c.in)),
				"eof with data": iotest.DataErrReader(
					strings.NewReader(c.in)),
			} {
				got := read(t, r, Message).frames
				if len(got) != len(c.want) {
					t.Fatalf("%s: %d frames, want %d", how, len(got), len(c.want))
				}
				for i, f := range got {
					if g := (line{f.Kind, f.EOL, string(f.Raw)}); g != c.want[i] {
						t.Errorf("%s: frame %d is %+v, want %+v", how, i+1, g, c.want[i])
					}
					if f.Size != int64(len(f.Raw)) || f.Dir != In || f.More || f.Time.IsZero() {
						t.Errorf("%s: frame %d: size %d, dir %s, more %v, time %v", how, i+1, f.Size, f.Dir, f.More, f.Time)
					}
					if f.Kind == Message && f.Head.ID != Int(1) {
						t.Errorf("%s: frame %d has the id %v", how, i+1, f.Head.ID)
					}
				}
			}
		})
	}
}

func TestStderrIsNotScanned(t *testing.T) {
	got := read(t, strings.NewReader(ping+"\nx"), Stderr).frames
	for i, f := range got {
		if f.Kind != Stderr || f.Head.Form != NoForm {
			t.Errorf("frame %d: kind %s, form %d", i+1, f.Kind, f.Head.Form)
		}
	}
	if len(got) != 2 || got[1].EOL != EOLNone {
		t.Errorf("got %d frames", len(got))
	}
}

func TestOneReadIsOneAppendUnderOneTime(t *testing.T) {
	clock := time.Unix(0, 0)
	rec := &keeper{}
	l := &lineReader{sink: rec, kind: Message, now: func() time.Time { clock = clock.Add(time.Second); return clock }}
	err := l.run(io.MultiReader(strings.NewReader("a\nb\nc"), strings.NewReader("d\ne\n"), strings.NewReader("no end")))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(rec.batch); got != "[2 2 1]" {
		t.Errorf("frames by Append: %s", got)
	}
	for i, want := range []int64{1, 1, 2, 2, 3} {
		if got := rec.frames[i].Time.Unix(); got != want {
			t.Errorf("frame %d has the time of read %d, want %d", i+1, got, want)
		}
	}
}

func TestBatchesAreBounded(t *testing.T) {
	const n = 5*maxBatch + 7
	rec := read(t, strings.NewReader(strings.Repeat("\n", n)), Message)
	if len(rec.frames) != n {
		t.Errorf("%d frames, want %d", len(rec.frames), n)
	}
	for _, b := range rec.batch {
		if b > maxBatch {
			t.Errorf("a batch of %d", b)
		}
	}
}

func TestReadErrorsKeepWhatCame(t *testing.T) {
	rec := &keeper{}
	l := &lineReader{sink: rec, now: time.Now, kind: Message}
	err := l.run(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if len(rec.frames) != 2 || string(rec.frames[1].Raw) != "b" || rec.frames[1].EOL != EOLNone {
		t.Errorf("frames %+v", rec.frames)
	}
}

// message builds a result of exactly size bytes whose text is made of fill.
func message(size int, fill string) []byte {
	const head, foot = `{"jsonrpc":"2.0","result":{"text":"`, `"},"id":7}`
	b := make([]byte, 0, size)
	b = append(b, head...)
	for len(b)+len(fill)+len(foot) <= size {
		b = append(b, fill...)
	}
	for len(b)+len(foot) < size {
		b = append(b, '.')
	}
	return append(b, foot...)
}

func TestLongLinesComeInParts(t *testing.T) {
	fills := []string{"x", "€", "𝄞"}
	for i, size := range []int{MaxPart - 1, MaxPart, MaxPart + 1, MaxPart + 2, MaxPart + 3, 2 * MaxPart, 2*MaxPart + 1, 3*MaxPart + 12345} {
		for j, eol := range []string{"\n", "\r\n", ""} {
			raw := message(size, fills[(i+j)%len(fills)])
			in := bytes.Join([][]byte{[]byte("before"), append(bytes.Clone(raw), eol...)}, []byte("\n"))
			if eol != "" {
				in = append(in, "after"...)
			}
			name := fmt.Sprintf("%d bytes, %q", size, eol)
			checkParts(t, name, read(t, bytes.NewReader(in), Message), raw)
			checkParts(t, name+", in halves", read(t, iotest.HalfReader(bytes.NewReader(in)), Message), raw)
		}
	}
}

func checkParts(t *testing.T, name string, rec *keeper, raw []byte) {
	t.Helper()
	f := rec.frames[1]
	if !bytes.Equal(f.Raw, raw) || f.Size != int64(len(raw)) || f.More {
		t.Errorf("%s: %d bytes came as %d, size %d, more %v", name, len(raw), len(f.Raw), f.Size, f.More)
	}
	if want := Scan(raw); f.Kind != Message || f.Head.ID != want.ID || f.Head.Result != want.Result {
		t.Errorf("%s: kind %s, head %+v", name, f.Kind, f.Head)
	}
	n, size := 0, int64(0)
	for _, p := range rec.parts {
		if p.Seq != 2 {
			continue
		}
		n++
		size += int64(len(p.Raw))
		if len(p.Raw) > MaxPart || len(p.Raw) == 0 || p.Size != size || p.Kind != Message || p.More != (size < int64(len(raw))) {
			t.Errorf("%s: part %d has %d bytes, size %d, kind %s, more %v", name, n, len(p.Raw), p.Size, p.Kind, p.More)
		}
		if !utf8.Valid(p.Raw) {
			t.Errorf("%s: part %d ends within a character", name, n)
		}
	}
	if want := max(1, (len(raw)+MaxPart-1)/MaxPart); n < want || n > want+1 {
		t.Errorf("%s: %d parts, want %d", name, n, want)
	}
}

func TestPartsOfWhatCannotBecomeAMessage(t *testing.T) {
	in := "no json " + strings.Repeat("x", 2*MaxPart) + "\n"
	for i, p := range read(t, strings.NewReader(in), Message).parts {
		if p.Kind != Stray || p.Head.Form != Garbage {
			t.Errorf("part %d: kind %s, form %d", i+1, p.Kind, p.Head.Form)
		}
	}
}

func TestCutsAtCharacters(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want int
	}{
		{"abcdef", 3, 3},
		{"ab€de", 2, 2},
		{"ab€de", 3, 2},
		{"ab€de", 4, 2},
		{"ab€de", 5, 5},
		{"a𝄞b", 4, 1},
		{"a\xf0\x9d", 2, 1},            // a character that goes on in bytes to come
		{"\xa0\xa0\xa0\xa0\xa0", 4, 4}, // no UTF-8 at all
		{"ab\xe2zz", 3, 3},             // a broken character
	} {
		if got := cutUTF8([]byte(c.in), c.n); got != c.want {
			t.Errorf("cutUTF8(%q, %d) = %d, want %d", c.in, c.n, got, c.want)
		}
	}
}

// lines repeats a text n times.
type lines struct {
	text []byte
	left int // bytes
}

func repeat(text string, n int) *lines { return &lines{[]byte(text), n * len(text)} }

func (l *lines) Read(p []byte) (int, error) {
	if l.left == 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && l.left > 0 {
		off := (len(l.text) - l.left%len(l.text)) % len(l.text)
		k := copy(p[n:min(len(p), n+l.left)], l.text[off:])
		n, l.left = n+k, l.left-k
	}
	return n, nil
}

// hugeMessage is a response of about size bytes, its id at the end.
func hugeMessage(size int) io.Reader {
	const tool = `{"name":"a tool","description":"what it does"},`
	return io.MultiReader(
		strings.NewReader(`{"jsonrpc":"2.0","result":[`), repeat(tool, size/len(tool)+1), strings.NewReader(`0],"id":1}`))
}

// counter is a sink that only counts.
type counter struct {
	frames   uint64
	messages int
	bytes    int64
}

func (c *counter) Append(frames []Frame) (first uint64) {
	for i := range frames {
		if frames[i].Seq == 0 {
			c.frames++
			frames[i].Seq = c.frames
		}
		if frames[i].Kind == Message && !frames[i].More {
			c.messages++
		}
		c.bytes += int64(len(frames[i].Raw))
	}
	return 0
}

// allocated runs f and returns the bytes and objects it allocated.
func allocated(f func()) (size, objects uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}

func TestLinesAllocateNothing(t *testing.T) {
	const n = 100_000
	for _, kind := range []Kind{Message, Stderr} {
		c := &counter{}
		l := &lineReader{sink: c, now: time.Now, kind: kind, tail: &tail{}}
		_, objects := allocated(func() {
			if err := l.run(repeat(notification, n)); err != nil {
				t.Fatal(err)
			}
		})
		if c.frames != n || objects > 500 {
			t.Errorf("%s: %d frames took %d allocations", kind, c.frames, objects)
		}
	}
}

func TestHugeLinesTakeLittleMemory(t *testing.T) {
	const size = 100 << 20
	c := &counter{}
	l := &lineReader{sink: c, now: time.Now, kind: Message}
	total, _ := allocated(func() {
		if err := l.run(hugeMessage(size)); err != nil {
			t.Fatal(err)
		}
	})
	if c.bytes < size || c.messages != 1 || c.frames != 1 || total > 8<<20 {
		t.Errorf("%d bytes in %d frames took %d bytes of memory", c.bytes, c.frames, total)
	}
}

func TestTailKeepsTheLastLines(t *testing.T) {
	var tl tail
	if got := tl.strings(); got != nil {
		t.Errorf("an empty tail gives %q", got)
	}
	for i := range 25 {
		tl.add(fmt.Appendf(nil, "line %d", i))
	}
	tl.add([]byte(strings.Repeat("€", 1000)))
	got := tl.strings()
	if len(got) != 20 || got[0] != "line 6" || got[18] != "line 24" {
		t.Errorf("tail %q", got)
	}
	if last := got[19]; len(last) != 1023 || !utf8.ValidString(last) {
		t.Errorf("the long line has %d bytes", len(last))
	}
}

func FuzzReaderKeepsEveryByte(f *testing.F) {
	f.Add([]byte("a\r\n\n\xff\r"), uint8(3))
	f.Add([]byte(ping+"\n{\"id\":"), uint8(1))
	f.Fuzz(func(t *testing.T, in []byte, chunk uint8) {
		rec := &keeper{}
		l := &lineReader{sink: rec, now: time.Now, kind: Message}
		if err := l.run(&chunks{in, int(chunk) + 1}); err != nil {
			t.Fatal(err)
		}
		var out []byte
		for i, f := range rec.frames {
			out = append(out, f.Raw...)
			switch f.EOL {
			case EOLLF:
				out = append(out, '\n')
			case EOLCRLF:
				out = append(out, "\r\n"...)
			case EOLNone:
				if i != len(rec.frames)-1 || len(f.Raw) == 0 {
					t.Errorf("frame %d of %d has no line ending", i+1, len(rec.frames))
				}
			}
			if got := Scan(f.Raw).Form; got != f.Head.Form || got.IsMessage() != (f.Kind == Message) {
				t.Errorf("frame %d: form %d, kind %s, scanned alone %d", i+1, f.Head.Form, f.Kind, got)
			}
		}
		if !bytes.Equal(in, out) {
			t.Errorf("in %q, out %q", in, out)
		}
	})
}

// chunks is a reader that gives n bytes at a time.
type chunks struct {
	rest []byte
	n    int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), c.n)], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}
