package wire

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestABodyBecomesAFrame(t *testing.T) {
	long := message(3*MaxPart+17, "日本語x")
	for _, c := range []struct {
		name, in string
		other    Kind
		kind     Kind
		form     Form
	}{
		{"a message", ping, Stray, Message, Request},
		{"whitespace and newline are kept", " " + ping + "\r\n", Stray, Message, Request},
		{"no message", "{}", Stray, Stray, Value},
		{"a page", "<html>", HTTP, HTTP, Garbage},
		{"a batch", "[" + ping + "]", Stray, Message, Batch},
		{"a part's size", string(message(MaxPart, "x")), Stray, Message, Result},
		{"one byte more", string(message(MaxPart+1, "x")), Stray, Message, Result},
		{"several parts", string(long), Stray, Message, Result},
		{"a long page", "<html>" + string(long), HTTP, HTTP, Garbage},
		{"a long page that ends", string(long) + "<html>", HTTP, HTTP, Garbage},
	} {
		t.Run(c.name, func(t *testing.T) {
			for how, size := range map[string]int64{"known": int64(len(c.in)), "unknown": -1, "wrong": 3} {
				k := &keeper{}
				w := newMessageWriter(newRecorder(k, nil), "POST 4")
				w.parts.other = c.other
				if err := w.readFrom(strings.NewReader(c.in), size); err != nil {
					t.Fatal(err)
				}
				begin := string(w.beginning())
				seq, h, kind := w.end()
				if seq != 1 || kind != c.kind || h.Form != c.form {
					t.Errorf("%s: number %d, %s, form %d", how, seq, kind, h.Form)
				}
				if begin != c.in[:min(len(c.in), firstBody)] {
					t.Errorf("%s: it begins with %d bytes, %.40q", how, len(begin), begin)
				}
				if len(k.frames) != 1 {
					t.Fatalf("%s: %d frames", how, len(k.frames))
				}
				f := k.frames[0]
				if string(f.Raw) != c.in || f.Size != int64(len(c.in)) || f.More || f.Dir != In || f.Via != "POST 4" || f.Time.IsZero() || f.Kind != c.kind {
					t.Errorf("%s: %s %s, %d bytes of %d, size %d", how, f.Via, f.Kind, len(f.Raw), len(c.in), f.Size)
				}
				if want := 1 + (len(c.in)-1)/(MaxPart-3); len(k.parts) > want {
					t.Errorf("%s: %d parts", how, len(k.parts))
				}
			}
		})
	}
}

func TestNoBodyIsNoFrame(t *testing.T) {
	k := &keeper{}
	w := newMessageWriter(newRecorder(k, nil), "POST 4")
	if err := w.readFrom(strings.NewReader(""), -1); err != nil {
		t.Fatal(err)
	}
	if seq, _, _ := w.end(); seq != 0 || len(k.frames) != 0 || len(w.beginning()) != 0 {
		t.Errorf("number %d, %d frames", seq, len(k.frames))
	}
}

func TestABodyThatBreaksKeepsWhatCame(t *testing.T) {
	k := &keeper{}
	w := newMessageWriter(newRecorder(k, nil), "POST 4")
	err := w.readFrom(io.MultiReader(strings.NewReader(ping[:20]), iotest.ErrReader(io.ErrUnexpectedEOF)), int64(len(ping)))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if _, h, kind := w.end(); kind != Stray || h.Form != Garbage || string(k.frames[0].Raw) != ping[:20] {
		t.Errorf("%s, form %d, %q", kind, h.Form, k.frames[0].Raw)
	}
}

func TestWritingABodyInPieces(t *testing.T) {
	in := message(2*MaxPart+5, "é")
	k := &keeper{}
	w := newMessageWriter(newRecorder(k, nil), "POST 4")
	for rest := in; len(rest) > 0; {
		n := min(len(rest), 1+len(rest)/3)
		piece := bytes.Clone(rest[:n])
		w.write(piece)
		clear(piece)
		rest = rest[n:]
	}
	if seq, h, _ := w.end(); seq != 1 || h.Form != Result || !bytes.Equal(k.frames[0].Raw, in) {
		t.Errorf("number %d, form %d", seq, h.Form)
	}
}

func TestALongBodyTakesLittleMemory(t *testing.T) {
	const size = 100 << 20
	sink := &weigher{bytes: map[Kind]int64{}, last: map[Kind]Frame{}}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	w := newMessageWriter(newRecorder(sink, nil), "POST 4")
	if err := w.readFrom(hugeMessage(size), size); err != nil {
		t.Fatal(err)
	}
	if _, h, kind := w.end(); h.Form != Result || kind != Message || sink.bytes[Message] != sink.last[Message].Size || sink.longer > 0 {
		t.Errorf("form %d, %s, %d bytes, %d parts too long", h.Form, kind, sink.bytes[Message], sink.longer)
	}
	if more := int64(sink.most) - int64(before.HeapAlloc); more > 12<<20 {
		t.Errorf("%d MB of memory", more>>20)
	}
}

func TestNothingFollowsTheEnd(t *testing.T) {
	k := &lossKeeper{}
	at := time.Unix(7, 0)
	rec := newRecorder(k, func() time.Time { return at })
	rec.event(ConnEvent{Event: EventConnected, Epoch: 1})
	seq, h := rec.sent([]byte(ping), "POST 1", ByForm, 9)
	if seq != 2 || h.ID != Int(1) {
		t.Errorf("number %d, id %v", seq, h.ID)
	}
	if n := rec.http(In, "POST 1", []byte("HTTP/1.1 200 OK\r\n")); n != 3 {
		t.Errorf("number %d", n)
	}
	reason := errors.New("gone")
	rec.lost(2, reason)
	rec.end(ConnEvent{Event: EventClosed})
	rec.end(ConnEvent{Event: EventDisconnected})
	rec.lost(2, reason)
	rec.event(ConnEvent{Event: EventNotice})
	if seq, _ = rec.sent([]byte(ping), "POST 1", ByForm, 0); seq != 0 || rec.append([]Frame{{}}) || rec.Append([]Frame{{}}) != 0 {
		t.Error("something follows the end")
	}
	var got []string
	for _, f := range k.frames {
		got = append(got, f.Dir.String()+f.Kind.String()+" "+f.Via+" "+string(f.Raw))
		if !f.Time.Equal(at) || f.Size != int64(len(f.Raw)) {
			t.Errorf("time %v, size %d: %s", f.Time, f.Size, f.Raw)
		}
	}
	want := []string{
		`event  {"event":"connected","epoch":1}`, ">message POST 1 " + ping, "<http POST 1 HTTP/1.1 200 OK\r\n",
		`event  {"event":"lost","seq":2,"text":"gone"}`, `event  {"event":"closed"}`,
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("frames\n%s", strings.Join(got, "\n"))
	}
	if f := k.frames[1]; f.By != ByForm || f.Of != 9 {
		t.Errorf("by %s of %d", f.By, f.Of)
	}
	if len(k.lost) != 1 || !errors.Is(k.lost[2], reason) {
		t.Errorf("lost: %v", k.lost)
	}
}

// lossKeeper is a sink that hears of losses.
type lossKeeper struct {
	keeper
	lost map[uint64]error
}

func (k *lossKeeper) Lost(seq uint64, err error) {
	if k.lost == nil {
		k.lost = map[uint64]error{}
	}
	k.lost[seq] = err
}

func TestWhatIsSentMayBeLong(t *testing.T) {
	for _, in := range [][]byte{message(2*MaxPart+5, "é"), bytes.Repeat([]byte("x"), MaxPart+1), {}} {
		k := &keeper{}
		seq, _ := newRecorder(k, nil).sent(in, "ws", ByConsole, 0)
		f := k.frames[0]
		if seq != 1 || !bytes.Equal(f.Raw, in) || f.Size != int64(len(in)) || f.More || len(k.parts) != (len(in)+MaxPart-1)/MaxPart && len(in) > 0 {
			t.Errorf("number %d, %d bytes of %d in %d parts", seq, len(f.Raw), len(in), len(k.parts))
		}
	}
}
