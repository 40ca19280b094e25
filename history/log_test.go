package history

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/client/wire"
)

var update = flag.Bool("update", false, "write testdata/golden.jsonl anew")

// goldenFrames has one frame of each sort that the format knows.
func goldenFrames() [][]wire.Frame {
	big := received(`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"天气"}]}}`)
	parts := inParts(big, 40, 25)
	stray := received("DEBUG: ready")
	stray.EOL = wire.EOLCRLF
	edited := sent(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	edited.By, edited.Of = wire.ByEdit, 2
	get := received(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
	get.Via = "GET"
	last := received("bye\xff")
	last.EOL = wire.EOLNone
	turned := inParts(received(`{"id":1,"result":nonsense}`), 8)
	turned[1].EOL = wire.EOLNone
	return [][]wire.Frame{
		{event(`{"event":"connected","epoch":1,"pid":4242}`)},
		{sent(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`)},
		{received(`{"jsonrpc":"2.0","id":0,"result":{"capabilities":{}}}`), stray},
		{parts[0]},
		{stderrLine("listening\ton \x1b[1m\u2028\x7f/é")},
		{parts[1], edited},
		{parts[2]},
		{get, received(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"}]`)},
		{last},
		{turned[0]},
		{turned[1]},
		overHTTP("POST 7|> 9 tools/call", `POST 7|H> POST /mcp HTTP/1.1\nAuthorization: Bearer …a1b2\n`),
		overHTTP(`POST 7|H< HTTP/1.1 200 OK\nContent-Type: text/event-stream\n`, `POST 7|H< id: 1\ndata: {"x":"天\u0001"}\n\n`),
		{event(`{"event":"reconnecting","via":"POST 7","attempt":1,"ms":250}`), event(`{"event":"lost","seq":14,"text":"no answer"}`)},
		{event(`{"event":"exited","code":7}`)},
	}
}

func TestGoldenFile(t *testing.T) {
	file, c := newMemFile(), newClock()
	l, err := Create(Options{File: file, Now: c.now, Header: Header{
		Target: Target{Command: []string{"node", "server.js", `a "b"`}, Cwd: "/home/x"}, Client: "parley 0.1.0",
	}})
	if err != nil {
		t.Fatal(err)
	}
	open := map[uint64]uint64{} // the parts know their frame by the number that the first was given
	for _, batch := range goldenFrames() {
		at := c.now()
		for i := range batch {
			batch[i].Time = at
			if batch[i].Size != int64(len(batch[i].Raw)) {
				batch[i].Seq = open[0]
			}
		}
		before := len(file.writes)
		l.Append(batch)
		for _, f := range batch {
			if f.More {
				open[0] = f.Seq
			}
		}
		if got := len(file.writes) - before; got != 1 {
			t.Errorf("%d writes for an append", got)
		}
	}
	const path = "testdata/golden.jsonl"
	if *update {
		if err := os.WriteFile(path, file.b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file.b, want) {
		t.Errorf("got\n%s\nwant\n%s", file.b, want)
	}
	reopened := openFile(t, path)
	same(t, l, reopened)
	if len(reopened.Problems()) > 0 || reopened.Torn() != "" {
		t.Error(reopened.Problems(), reopened.Torn())
	}
	if got := reopened.Header().Target.Command[2]; got != `a "b"` {
		t.Errorf("header: %+v", reopened.Header())
	}
}

func openFile(t *testing.T, path string) *Log {
	t.Helper()
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func hostile() []string {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return []string{
		"", string(all), string(all[:128]), "\x00", "\xff", "\u2028\u2029\ufeff\ufffd", `"\ud800\udfff"`, `\`, `"`,
		"a\xe5\xa4", "\xed\xa0\x80", "line\nline\r\n", strings.Repeat(`\"`, 20_000), strings.Repeat("天气", 8_000) + "\x01",
		strings.Repeat("x", 40_000), string(bytes.Repeat(all, 180)),
	}
}

func TestHostileBytesComeBack(t *testing.T) {
	var frames []wire.Frame
	for _, raw := range hostile() {
		frames = append(frames, received(raw), stderrLine(raw))
	}
	live, file := record(t, frames...)
	reopened := open(t, string(file.b))
	same(t, live, reopened)
	for i, f := range frames {
		for _, l := range []*Log{live, reopened} {
			windows(t, l, uint64(i+1), f.Raw)
		}
	}
	if p := reopened.Problems(); len(p) > 0 {
		t.Error(p)
	}
}

// windows compares parts of a frame at and around its ends and in the middle.
func windows(t *testing.T, l *Log, seq uint64, raw []byte) {
	t.Helper()
	size := int64(len(raw))
	for _, off := range []int64{0, 1, 2, 3, size / 3, size/2 + 1, size - 2, size - 1, size, size + 5, -1} {
		for _, n := range []int{0, 1, 2, 5, 4096, 40_000, -1} {
			var want []byte
			if off >= 0 && off < size {
				want = raw[off:]
				if n >= 0 {
					want = want[:min(n, len(want))]
				}
			}
			got, err := l.Bytes(seq, off, n)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("frame %d at %d, %d bytes: got %.80q %v, want %.80q", seq, off, n, got, err, want)
			}
		}
	}
}

func TestLargeFramesStandInParts(t *testing.T) {
	// Given whole, a frame of more than a part is cut here, between characters.
	raw := `{"jsonrpc":"2.0","id":1,"result":{"t":"` + strings.Repeat("天", wire.MaxPart) + `"}}`
	live, file := record(t, received(raw), received(`{"jsonrpc":"2.0","method":"x"}`))
	if n := bytes.Count(file.b, []byte(`"b64"`)); n > 0 {
		t.Errorf("%d parts are not UTF-8", n)
	}
	if n := bytes.Count(file.b, []byte(`"part"`)); n != 4 {
		t.Errorf("%d parts", n)
	}
	reopened := open(t, string(file.b))
	same(t, live, reopened)
	for _, l := range []*Log{live, reopened} {
		windows(t, l, 1, []byte(raw))
		h, err := l.Head(1)
		if want := wire.Scan([]byte(raw)); err != nil || h.Result != want.Result || h.ID != want.ID {
			t.Errorf("head %+v, %v", h, err)
		}
		if r, _ := l.Record(1); r.Size != int64(len(raw)) || r.Form != wire.Result || r.Open {
			t.Errorf("%+v", r)
		}
	}
}

func TestPartsAmongOtherFrames(t *testing.T) {
	raw := `{"jsonrpc":"2.0","method":"m","params":{"name":"n","x":"` + strings.Repeat("é\\n", 5000) + `"},"id":"s"}`
	parts := inParts(received(raw), 10, 3001, 4000)
	l, file := record(t)
	seq := l.Append(parts[:1])
	r, _ := l.Record(seq)
	if !r.Open || r.Cut || r.Size != 10 {
		t.Errorf("after one part: %+v", r)
	}
	for i, p := range parts[1:] {
		l.Append([]wire.Frame{stderrLine(fmt.Sprint("between ", i))})
		p.Seq = seq
		if first := l.Append([]wire.Frame{p}); first != 0 {
			t.Errorf("a continuation was given number %d", first)
		}
		got, err := l.Bytes(seq, 0, -1)
		if err != nil || string(got) != raw[:p.Size] {
			t.Errorf("after part %d: %d bytes, %v", i+1, len(got), err)
		}
	}
	if r, _ = l.Record(seq); r.Open || r.Method != "m" || r.Name != "n" || r.ID != wire.Str("s") {
		t.Errorf("at the end: %+v", r)
	}
	reopened := open(t, string(file.b))
	same(t, l, reopened)
	windows(t, reopened, seq, []byte(raw))
}

func TestFrameWithoutEndIsCut(t *testing.T) {
	parts := inParts(received(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"n"}}`), 45, 10)
	l, file := record(t)
	seq := l.Append(parts[:1])
	l.Append([]wire.Frame{stderrLine("then it crashed")})
	_ = l.Close()
	r, _ := l.Record(seq)
	if !r.Cut || r.Open || r.Method != "tools/call" {
		t.Errorf("%+v", r)
	}
	reopened := open(t, string(file.b))
	again, _ := reopened.Record(seq)
	r.index, again.index = nil, nil
	if r != again {
		t.Errorf("live %+v\nreopened %+v", r, again)
	}
	if raw, err := reopened.Bytes(seq, 0, -1); string(raw) != string(parts[0].Raw) || err != nil {
		t.Errorf("%q %v", raw, err)
	}
}

func TestBatchMembers(t *testing.T) {
	raw := `[{"jsonrpc":"2.0","id":1,"method":"tools/list"}, 5, {"jsonrpc":"2.0","id":"a","error":{"code":-70000000000,"message":"m"}}]`
	live, file := record(t, received(raw))
	for _, l := range []*Log{live, open(t, string(file.b))} {
		m := l.Members(1)
		if len(m) != 3 || m[0].Method != "tools/list" || m[1].Form != wire.Value || m[2].Code != -70000000000 || m[2].ID != wire.Str("a") {
			t.Errorf("%+v", m)
		}
		h, err := l.Head(1)
		if err != nil || len(h.Members) != 3 || raw[h.Members[1].Span.Off] != '5' {
			t.Errorf("%+v %v", h, err)
		}
	}
	if m := live.Members(2); m != nil {
		t.Errorf("of no frame: %v", m)
	}
}

func TestRecordsKeepOddValues(t *testing.T) {
	live, file := record(t,
		sent(`{"jsonrpc":"2.0","id":9007199254740993,"method":"a","params":{"_meta":{"progressToken":"tok"},"cursor":""}}`),
		sent(`{"jsonrpc":"2.0","id":-2147483649,"method":"a"}`),
		sent(`{"jsonrpc":"2.0","id":1.5,"method":"a"}`),
		sent(`{"jsonrpc":"2.0","id":"","method":""}`),
		received(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`),
		received(`{"jsonrpc":"2.0","id":{"a":1},"error":{"code":9007199254740993,"message":"m"},"params":{"_meta":{"progressToken":3}}}`),
		received(`{"jsonrpc":"2.0","id":2,"error":{"code":0,"message":"m"}}`),
		received(`{"id":2,"result":{"nextCursor":"x","isError":true}}`),
	)
	same(t, live, open(t, string(file.b)))
	want := []func(r Record) bool{
		func(r Record) bool {
			return r.ID == wire.Int(9007199254740993) && r.Token == wire.Str("tok") && r.Cursor
		},
		func(r Record) bool { return r.ID == wire.Int(-2147483649) },
		func(r Record) bool { return r.ID == wire.ID{Type: wire.NumberID, Text: "1.5"} },
		func(r Record) bool { return r.ID == wire.Str("") },
		func(r Record) bool { return r.ID.Type == wire.NullID && r.Code == -32700 },
		func(r Record) bool { return r.ID.Type == wire.OtherID && r.Code == 9007199254740993 },
		func(r Record) bool { return r.Form == wire.Failure && r.Code == 0 },
		func(r Record) bool { return r.Next && r.IsError && r.Flaws&wire.FlawNoVersion != 0 },
	}
	for i, ok := range want {
		if r, _ := live.Record(uint64(i + 1)); !ok(r) {
			t.Errorf("%d: %+v", i+1, r)
		}
	}
}

func TestChangedWakes(t *testing.T) {
	l, _ := record(t)
	ch := l.Changed()
	if ch != l.Changed() {
		t.Error("two channels for one change")
	}
	select {
	case <-ch:
		t.Error("woken for nothing")
	default:
	}
	l.Append([]wire.Frame{stderrLine("x")})
	<-ch
}

func TestClosedLogTakesNothing(t *testing.T) {
	l, file := record(t, stderrLine("a"))
	_ = l.Close()
	n := len(file.b)
	if first := l.Append([]wire.Frame{stderrLine("b")}); first != 0 || l.Len() != 1 || len(file.b) != n {
		t.Error("taken after Close")
	}
	o := open(t, string(file.b))
	if o.Append([]wire.Frame{stderrLine("b")}) != 0 || o.Len() != 1 {
		t.Error("a file that was opened took a frame")
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// Several connections write while several readers read everything there is.
func TestReadersAndWriters(t *testing.T) {
	l, _ := record(t)
	const writers, each = 3, 300
	var writing, reading sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for i := range each {
				f := received(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d-%d","result":{"s":"\n"}}`, w, i))
				for j, p := range inParts(f, 20+i%5) {
					frames := []wire.Frame{p, stderrLine("x")}
					if j > 0 {
						frames[0].Seq = f.Seq
					}
					l.Append(frames)
					f.Seq = frames[0].Seq
				}
			}
		})
	}
	done := make(chan struct{})
	for range 3 {
		reading.Go(func() {
			var s State
			for last := false; !last; {
				select {
				case <-done:
					last = true
				default:
				}
				s.CatchUp(l)
				for seq := l.Len(); seq > 0 && seq > l.Len()-20; seq-- {
					r, ok := l.Record(seq)
					raw, err := l.Bytes(seq, 0, -1)
					if !ok || err != nil || int64(len(raw)) < r.Size {
						t.Errorf("frame %d: %v %v %d bytes of %d", seq, ok, err, len(raw), r.Size)
						return
					}
				}
			}
			if s.Seq() != l.Len() || s.Counts().In != writers*each {
				t.Errorf("the fold has %d of %d frames, %d messages", s.Seq(), l.Len(), s.Counts().In)
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
}

// Records says what Record says, over gaps and over more than it takes at once.
func TestRecordsAreThoseOfRecord(t *testing.T) {
	var text strings.Builder
	text.WriteString(head)
	for n := 1; n < 5*feedLen; n++ {
		if n%7 != 0 {
			fmt.Fprintf(&text, `{"n":%d,"t":"2026-11-20T09:38:50.300000Z","d":"<","raw":"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}"}`+"\n", n, n)
		}
	}
	text.WriteString(`{"n":1000000,"t":"2026-11-20T09:38:50.300000Z","k":"stderr","d":"<","raw":"far"}` + "\n")
	l := open(t, text.String())
	for _, c := range []struct{ from, to uint64 }{
		{0, 2000000}, {1, l.Len()}, {7, 7}, {8, 8}, {6, 8}, {100, 100 + feedLen}, {5*feedLen - 1, 1000000}, {1000000, 1000000}, {1000001, 1000002}, {9, 8},
	} {
		var want, got []Record
		for seq := c.from; seq <= min(c.to, 5*feedLen); seq++ {
			if r, ok := l.Record(seq); ok {
				want = append(want, r)
			}
		}
		if r, ok := l.Record(1000000); ok && c.from <= r.Seq && r.Seq <= c.to {
			want = append(want, r)
		}
		l.Records(c.from, c.to, func(r *Record) bool {
			got = append(got, *r)
			return true
		})
		if !slices.Equal(got, want) {
			t.Errorf("from %d to %d: %d records, want %d", c.from, c.to, len(got), len(want))
		}
	}
	n := 0
	l.Records(1, l.Len(), func(*Record) bool { n++; return n < 3 })
	if n != 3 {
		t.Errorf("%d visits, want 3", n)
	}
}
