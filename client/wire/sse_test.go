package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// heard is what one stream brought.
type heard struct {
	keeper
	events []sseEvent
	retry  time.Duration
}

// raw gives the bytes of the stream as its frames have them.
func (h *heard) raw() (all string) {
	for _, f := range h.frames {
		if f.Head.Form == NoForm { // what is data was scanned
			all += string(f.Raw)
		}
	}
	return all
}

func (h *heard) messages() (all []string) {
	for _, f := range h.frames {
		if f.Head.Form != NoForm {
			all = append(all, f.Kind.String()+" "+string(f.Raw))
		}
	}
	return all
}

// frameList shows the frames in short.
func (h *heard) frameList() string {
	var b strings.Builder
	for _, f := range h.frames {
		fmt.Fprintf(&b, "%s %q\n", f.Kind, f.Raw)
	}
	return b.String()
}

func hear(t testing.TB, r io.Reader, limit int) *heard {
	t.Helper()
	h := &heard{}
	s := &sseReader{rec: newRecorder(&h.keeper, nil), via: "GET 1", limit: limit}
	err := s.run(r, func(e *sseEvent) bool {
		kept := *e
		kept.Data = bytes.Clone(e.Data)
		h.events = append(h.events, kept)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	h.retry = s.retry
	for i, f := range h.frames {
		if f.Via != "GET 1" || f.Dir != In || f.More || f.Size != int64(len(f.Raw)) || f.EOL != EOLLF {
			t.Errorf("frame %d: %+v", i+1, f)
		}
	}
	return h
}

// readers split a text in several ways.
func readers(text string) map[string]io.Reader {
	return map[string]io.Reader{
		"at once":       strings.NewReader(text),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(text)),
		"half reads":    iotest.HalfReader(strings.NewReader(text)),
		"eof with data": iotest.DataErrReader(strings.NewReader(text)),
	}
}

func TestEventsBecomeFrames(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     string // frames when all comes in one read
		messages string
	}{
		{"nothing", "", "", ""},
		{"one message", "data: " + ping + "\n\n", `http "data: PING\n\n"|message "PING"`, "message PING"},
		{"with type and id", "event: message\nid: 7\ndata:" + ping + "\n\n", `http "event: message\nid: 7\ndata:PING\n\n"|message "PING"`, "message PING"},
		{"crlf", "data: " + ping + "\r\n\r\n", `http "data: PING\r\n\r\n"|message "PING"`, "message PING"},
		{"cr only", "data: " + ping + "\r\rdata: x\r\r", `http "data: PING\r\r"|message "PING"|http "data: x\r\r"|stray "x"`, "message PING|stray x"},
		{"mixed line ends", "id: 1\rdata: a\r\ndata: b\n\r\ndata: c\n\n", `http "id: 1\rdata: a\r\ndata: b\n\r\n"|stray "a\nb"|http "data: c\n\n"|stray "c"`, "stray a\nb|stray c"},
		{"byte order mark", "\ufeffdata: " + ping + "\n\n\ufeffdata: x\n\n", `http "\ufeffdata: PING\n\n"|message "PING"|http "\ufeffdata: x\n\n"`, "message PING"},
		{"half a byte order mark", "\xef\xbbdata: x\n\n", `http "\xef\xbbdata: x\n\n"`, ""},
		{"lines are joined", "data: {\ndata:  \"a\":1\ndata\ndata:}\n\n", `http "data: {\ndata:  \"a\":1\ndata\ndata:}\n\n"|stray "{\n \"a\":1\n\n}"`, "stray {\n \"a\":1\n\n}"},
		{"only one space is taken away", "data:  x \n\n", `http "data:  x \n\n"|stray " x "`, "stray  x "},
		{"tabs stay", "data:\tx\n\n", `http "data:\tx\n\n"|stray "\tx"`, "stray \tx"},
		{"no data", "id: 1\n\n", `http "id: 1\n\n"`, ""},
		{"empty data", "id: 1\ndata:\n\n", `http "id: 1\ndata:\n\n"`, ""},
		{"two empty lines of data", "data\ndata\n\n", `http "data\ndata\n\n"|stray "\n"`, "stray \n"},
		{"comments", ": hello\n\n:\n\ndata: x\n: within\n\n", `http ": hello\n\n"|http ":\n\n"|http "data: x\n: within\n\n"|stray "x"`, "stray x"},
		{"a comment without an empty line", ": hello\n", `http ": hello\n"`, ""},
		{"unknown fields and cases", "Data: x\nfoo: bar\ndata : y\ndataa: z\n data: w\n\n", `http "Data: x\nfoo: bar\ndata : y\ndataa: z\n data: w\n\n"`, ""},
		{"other types", "event: ping\ndata: x\n\nevent: Message\ndata: y\n\n", `http "event: ping\ndata: x\n\n"|http "event: Message\ndata: y\n\n"`, ""},
		{"the last type counts", "event: ping\nevent:\ndata: x\n\n", `http "event: ping\nevent:\ndata: x\n\n"|stray "x"`, "stray x"},
		{"the type ends with its event", "event: ping\n\ndata: x\n\n", `http "event: ping\n\n"|http "data: x\n\n"|stray "x"`, "stray x"},
		{"empty lines", "\n\r\n\r", `http "\n"|http "\r\n"|http "\r"`, ""},
		{"cut before its empty line", "data: x\n\ndata: " + ping + "\n", `http "data: x\n\n"|stray "x"|stray "data: PING\n"`, "stray x"},
		{"cut in a line", "data: " + ping[:9], fmt.Sprintf("stray %q", "data: "+ping[:9]), ""},
		{"nul and escapes in data", "data: \x00\x1b[m\xff\n\n", `http "data: \x00\x1b[m\xff\n\n"|stray "\x00\x1b[m\xff"`, "stray \x00\x1b[m\xff"},
	} {
		t.Run(c.name, func(t *testing.T) {
			show := func(s string) string { // the way the table writes it
				return strings.ReplaceAll(s, fmt.Sprintf("%q", ping)[1:len(fmt.Sprintf("%q", ping))-1], "PING")
			}
			for how, r := range readers(c.in) {
				got := hear(t, r, 0)
				if all := got.raw(); all != c.in {
					t.Errorf("%s: the frames have %q", how, all)
				}
				if m := strings.ReplaceAll(strings.Join(got.messages(), "|"), ping, "PING"); m != c.messages {
					t.Errorf("%s: messages %q, want %q", how, m, c.messages)
				}
				if list := strings.ReplaceAll(strings.TrimSuffix(show(got.frameList()), "\n"), "\n", "|"); how == "at once" && list != c.want {
					t.Errorf("frames\n%s, want\n%s", list, c.want)
				}
			}
		})
	}
}

func TestFieldsOfEvents(t *testing.T) {
	const none = time.Duration(-1)
	for _, c := range []struct {
		in   string
		want sseEvent
	}{
		{"data: x", sseEvent{HasData: true, Retry: none, Data: []byte("x")}},
		{"data:", sseEvent{HasData: true, Retry: none}},
		{"id: 7\ndata: ", sseEvent{ID: "7", HasID: true, HasData: true, Retry: none}},
		{"id\nevent", sseEvent{HasID: true, Retry: none}},
		{"id:  a b ", sseEvent{ID: " a b ", HasID: true, Retry: none}},
		{"id: a\x00b", sseEvent{Retry: none}},
		{"id: 1\nid: 2\x00", sseEvent{ID: "1", HasID: true, Retry: none}},
		{"id: 1\nid: 2", sseEvent{ID: "2", HasID: true, Retry: none}},
		{"id: " + strings.Repeat("x", maxField+1), sseEvent{Retry: none}},
		{"retry: 1500", sseEvent{Retry: 1500 * time.Millisecond}},
		{"retry:0", sseEvent{Retry: 0}},
		{"retry: 10\nretry: x", sseEvent{Retry: 10 * time.Millisecond}},
		{"retry: 15s", sseEvent{Retry: none}},
		{"retry: -1", sseEvent{Retry: none}},
		{"retry:", sseEvent{Retry: none}},
		{"retry: ١", sseEvent{Retry: none}},
		{"retry: 99999999999999999999999999", sseEvent{Retry: 24 * time.Hour}},
		{"event: endpoint\ndata: /m?s=1", sseEvent{Type: "endpoint", HasData: true, Retry: none, Data: []byte("/m?s=1")}},
		{"event:endpoint\nevent: a:b", sseEvent{Type: "a:b", Retry: none}},
	} {
		for how, r := range readers(c.in + "\n\n") {
			got := hear(t, r, 0)
			if len(got.events) != 1 {
				t.Fatalf("%q %s: %d events", c.in, how, len(got.events))
			}
			e := got.events[0]
			if e.isMessage() && len(e.Data) > 0 {
				if e.Seq == 0 || e.Head.Form == NoForm {
					t.Errorf("%q %s: number %d, form %d", c.in, how, e.Seq, e.Head.Form)
				}
			}
			e.Seq, e.Head = 0, Head{}
			if len(e.Data) == 0 {
				e.Data = nil
			}
			if !reflect.DeepEqual(e, c.want) {
				t.Errorf("%q %s: %+v, want %+v", c.in, how, e, c.want)
			}
		}
	}
}

func TestTheEventKnowsItsMessage(t *testing.T) {
	got := hear(t, strings.NewReader("data: x\n\n: c\n\ndata: "+ping+"\n\nevent: other\ndata: "+ping+"\n\n"), 0)
	var seqs []uint64
	for _, e := range got.events {
		seqs = append(seqs, e.Seq)
	}
	if fmt.Sprint(seqs) != "[2 0 5 0]" || got.events[2].Head.ID != Int(1) || string(got.events[3].Data) != ping {
		t.Errorf("numbers %v, events %+v", seqs, got.events)
	}
	if fmt.Sprint(got.batch) != "[6]" {
		t.Errorf("frames by Append: %v, want all in one", got.batch)
	}
}

func TestRetryCountsAtOnce(t *testing.T) {
	if got := hear(t, strings.NewReader("retry: 250\n"), 0); got.retry != 250*time.Millisecond || len(got.events) != 0 {
		t.Errorf("retry %v, %d events", got.retry, len(got.events))
	}
}

// TestEventsAreNotWaitedFor looks at what is there while the server is silent.
func TestEventsAreNotWaitedFor(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"data: x\n\n", "http stray"},
		{"data: x\r\r", "http stray"},
		{"data: x\r\n\r", "http stray"},
		{": alive\n", "http"},
		{": alive\r\n", "http"},
		{": alive\n\n: ali", "http"},
		{"data: x\n", ""},
		{"id: 1\n: c\n", ""},
	} {
		k, before, reads := &keeper{}, "", 0
		body := readerFunc(func(p []byte) (int, error) {
			if reads++; reads == 1 {
				return copy(p, c.in), nil
			}
			for _, f := range k.frames {
				before += f.Kind.String() + " "
			}
			return 0, io.EOF
		})
		if err := (&sseReader{rec: newRecorder(k, nil)}).run(body, func(*sseEvent) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if before = strings.TrimSpace(before); before != c.want {
			t.Errorf("%q: while nothing more comes there is %q, want %q", c.in, before, c.want)
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestAReaderOfEventsStops(t *testing.T) {
	in := strings.Repeat("data: "+ping+"\n\n", 10)
	t.Run("when told", func(t *testing.T) {
		s, n := &sseReader{rec: newRecorder(&keeper{}, nil)}, 0
		err := s.run(strings.NewReader(in), func(*sseEvent) bool { n++; return n < 3 })
		if err != nil || n != 3 {
			t.Errorf("%d events, error %v", n, err)
		}
	})
	t.Run("when the connection has ended", func(t *testing.T) {
		k := &keeper{}
		rec := newRecorder(k, nil)
		rec.end(ConnEvent{Event: EventClosed})
		err := (&sseReader{rec: rec}).run(strings.NewReader(in), func(*sseEvent) bool { return true })
		if !errors.Is(err, ErrClosed) || len(k.frames) != 1 {
			t.Errorf("error %v, %d frames", err, len(k.frames))
		}
	})
	t.Run("when reading fails", func(t *testing.T) {
		k := &keeper{}
		err := (&sseReader{rec: newRecorder(k, nil)}).run(
			io.MultiReader(strings.NewReader(in+"data: cu"), iotest.ErrReader(io.ErrUnexpectedEOF)), func(*sseEvent) bool { return true })
		last := k.frames[len(k.frames)-1]
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(k.frames) != 21 || last.Kind != Stray || string(last.Raw) != "data: cu" {
			t.Errorf("error %v, %d frames, the last %s %q", err, len(k.frames), last.Kind, last.Raw)
		}
	})
}

func TestManyEventsComeInBoundedBatches(t *testing.T) {
	const n = 3 * maxBatch
	got := hear(t, strings.NewReader(strings.Repeat("data:1\n\n", n)), 0)
	if len(got.frames) != 2*n || len(got.events) != n {
		t.Errorf("%d frames, %d events", len(got.frames), len(got.events))
	}
	for i, e := range got.events {
		if e.Seq != uint64(2*i+2) || string(e.Data) != "1" {
			t.Fatalf("event %d: number %d, data %q", i, e.Seq, e.Data)
		}
	}
	for _, b := range got.batch {
		if b > maxBatch || b%2 != 0 {
			t.Errorf("a batch of %d", b)
		}
	}
}
