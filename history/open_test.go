package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"parley/client/wire"
)

const head = `{"parley":"session/1","started":"2026-11-20T09:38:50.339Z","target":{"command":["x"]},"client":"parley 0.1.0"}` + "\n"

func TestTornAtEveryByte(t *testing.T) {
	whole, err := os.ReadFile("testdata/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	full := openFile(t, "testdata/golden.jsonl")
	header := bytes.IndexByte(whole, '\n')
	path := write(t, "")
	for n := 0; n < len(whole); n++ {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path)
		if n < header {
			var format *FormatError
			if !errors.As(err, &format) || format.Hint() == "" {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		// What is there up to the last whole line is read as ever.
		atEnd := n == header || whole[n-1] == '\n' || whole[n] == '\n'
		if (l.Torn() == "") != atEnd {
			t.Errorf("%d bytes: torn %q", n, l.Torn())
		}
		if p := l.Problems(); len(p) > 0 {
			t.Errorf("%d bytes: %v", n, p)
		}
		for seq := uint64(1); seq <= l.Len(); seq++ {
			got, _ := l.Record(seq)
			want, _ := full.Record(seq)
			if got.Cut {
				continue
			}
			got.index, want.index = nil, nil
			if got != want {
				t.Errorf("%d bytes, frame %d: %+v", n, seq, got)
			}
		}
		_ = l.Close()
	}
}

func TestOpenOddFiles(t *testing.T) {
	line := func(n int, text string) string {
		return fmt.Sprintf(`{"n":%d,"t":"2026-11-20T09:38:50.3%05dZ","d":"<","k":"stderr","raw":"%s"}`+"\n", n, n, text)
	}
	for _, c := range []struct {
		name     string
		file     string
		want     string // the frames: number=bytes
		problems string // line: words
	}{
		{"nothing but a header", head, "", ""},
		{"a header without its newline", strings.TrimSpace(head), "", ""},
		{"other line ends, empty lines", strings.ReplaceAll(head+line(1, "a")+"\n  \n"+line(2, "b"), "\n", "\r\n"), "1=a 2=b", ""},
		{"a byte order mark", "\ufeff" + head + line(1, "a"), "1=a", ""},
		{"not JSON in the middle", head + line(1, "a") + "garbage\n" + `{"n":2,"raw":"` + "\n" + line(3, "c"), "1=a 3=c", "3: not JSON 4: not JSON"},
		{"JSON that is no frame", head + "[]\n{}\n5\n" + `{"n":1}` + "\n" + `{"n":-1,"raw":""}` + "\n" + `{"n":1.5,"raw":""}` + "\n", "",
			`2: not JSON 3: no number 4: not JSON 5: neither 6: no whole number 7: no whole number`},
		{"order is n", head + line(3, "c") + line(1, "a") + line(4, "d") + line(2, "b"), "1=a 2=b 3=c 4=d", ""},
		{"missing numbers", head + line(2, "b") + line(5, "e") + line(6, "f") + line(100, "z"), "2=b 5=e 6=f 100=z", ""},
		{"twice", head + line(1, "a") + line(2, "b") + line(2, "x") + line(5, "e") + line(3, "c") + line(3, "y"), "1=a 2=b 3=c 5=e",
			"4: number 2 is there twice 7: number 3 is there twice"},
		{"numbers out of reach", head + line(1<<28, "a") + line(1<<28+1, "b") + `{"n":99999999999999999999,"raw":""}` + "\n", "268435456=a",
			"3: number 268435457 is too high 4: no whole number"},
		{"unknown keys and orders of keys", head + ` { "x" : {"n":[1,"}\""]} , "raw":"a\u0041\/", "n" : 1, "t":"2026-11-20T10:38:50+01:00" , "y":null}` + "\n", "1=aA/", ""},
		{"escaped keys", head + `{"\u006e":1,"t":"2026-11-20T10:38:50Z","raw":"a"}` + "\n", "1=a", ""},
		{"unknown words", head + `{"n":1,"t":"2026-11-20T10:38:50Z","k":"smoke","raw":""}` + "\n" + `{"n":2,"t":"2026-11-20T10:38:50Z","d":"^","raw":""}` + "\n", "",
			`2: "k" has a value that is not known: "smoke" 3: "d" has`},
		{"unknown words that do not matter", head + `{"n":1,"t":"2026-11-20T10:38:50Z","by":"magic","eol":"nel","raw":"a"}` + "\n", "1=a", ""},
		{"no time", head + line(1, "a") + `{"n":2,"raw":"b"}` + "\n" + `{"n":3,"t":"today","raw":"c"}` + "\n", "1=a 2=b 3=c", "3: frame 2 has no time 4: frame 3 has no time"},
		{"bad base64", head + `{"n":1,"t":"2026-11-20T10:38:50Z","b64":"YQ"}` + "\n" + `{"n":2,"t":"2026-11-20T10:38:50Z","b64":"YQ=="}` + "\n", "2=a", `2: "b64" is not base64`},
		{"literal control character", head + "{\"n\":1,\"raw\":\"a\tb\"}\n", "", "2: not JSON"},
		{"half a surrogate pair", head + `{"n":1,"t":"2026-11-20T10:38:50Z","raw":"\ud800!"}` + "\n", "1=\ufffd!", ""},
		{"a whole frame as one part", head + `{"n":1,"t":"2026-11-20T10:38:50Z","part":0,"end":true,"raw":"a"}` + "\n", "1=a", ""},
		{"parts without a beginning", head + line(1, "a") + `{"n":2,"part":1,"end":true,"raw":"b"}` + "\n", "1=a", "3: part 1 of frame 2"},
		{"a part is missing", head + `{"n":1,"t":"2026-11-20T10:38:50Z","part":0,"raw":"a"}` + "\n" + `{"n":1,"part":2,"end":true,"raw":"c"}` + "\n" + line(2, "b"), "1=a 2=b",
			"3: part 2 of frame 1 where part 1 should be"},
		{"parts of a frame out of order", head + line(9, "x") + `{"n":1,"t":"2026-11-20T10:38:50Z","part":0,"raw":"a"}` + "\n" + line(2, "b") + `{"n":1,"part":1,"end":true,"raw":"c"}` + "\n", "1=ac 2=b 9=x", ""},
	} {
		l := open(t, c.file)
		var got []string
		for seq := uint64(1); seq <= min(l.Len(), 200); seq++ {
			got = append(got, frameText(t, l, seq)...)
		}
		if l.Len() > 200 {
			got = append(got, frameText(t, l, l.Len())...)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: frames %q, want %q", c.name, s, c.want)
		}
		if l.Torn() != "" {
			t.Errorf("%s: torn %q", c.name, l.Torn())
		}
		rest := ""
		for _, p := range l.Problems() {
			rest += fmt.Sprintf("%d: %s ", p.Line, p.Text)
		}
		for _, w := range strings.SplitAfter(c.problems, " ") {
			if i := strings.Index(rest, strings.TrimSpace(w)); i >= 0 {
				rest = rest[i:]
			} else {
				t.Errorf("%s: problems %v, want %q", c.name, l.Problems(), c.problems)
				break
			}
		}
		if c.problems == "" && rest != "" {
			t.Errorf("%s: problems %s", c.name, rest)
		}
	}
}

func frameText(t *testing.T, l *Log, seq uint64) []string {
	t.Helper()
	_, ok := l.Record(seq)
	raw, err := l.Bytes(seq, 0, -1)
	if ok != (err == nil) {
		t.Errorf("frame %d: %v %v", seq, ok, err)
	}
	if !ok {
		return nil
	}
	return []string{fmt.Sprintf("%d=%s", seq, raw)}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "empty"},
		{"hello\n", "not a session file"},
		{"{}\n", "not a session file"},
		{`{"parley":1}` + "\n", "no string"},
		{`{"parley":"session/2","started":"2030-01-01T00:00:00Z"}` + "\n", "session/2 cannot be read"},
		{`{"parley":"state/1"}` + "\n", "not a session file"},
	} {
		_, err := Open(write(t, c.text))
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) || format.Hint() == "" {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Open("testdata/nothing.jsonl"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestHeaderKeepsWhatItDoesNotKnow(t *testing.T) {
	l := open(t, `{"parley":"session/1.4","started":"soon","target":{"command":["a","b"],"new":1},"mood":{"x":[1.0]},"client":"c"}`+"\n")
	h := l.Header()
	if h.Parley != "session/1.4" || h.Client != "c" || h.Target.String() != "a b" {
		t.Errorf("%+v", h)
	}
	if string(h.Extra["mood"]) != `{"x":[1.0]}` || string(h.Extra["started"]) != `"soon"` {
		t.Errorf("%s", h.Extra)
	}
	var again map[string]json.RawMessage
	line := appendHeader(nil, &h)
	if err := json.Unmarshal(line, &again); err != nil || string(again["mood"]) != `{"x":[1.0]}` {
		t.Errorf("%s %v", line, err)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	l := open(t, head+strings.Repeat("x\n", 1500))
	p := l.Problems()
	if len(p) != maxProblems+1 || p[maxProblems].Text != "and 500 more" {
		t.Errorf("%d problems, the last %v", len(p), p[len(p)-1])
	}
}

// A file is read while it is written, and by blocks that cut it anywhere.
func TestOpenWhileRecording(t *testing.T) {
	l, err := Create(Options{Path: t.TempDir() + "/s.jsonl", Now: newClock().now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	text := strings.Repeat("天\n", 100)
	for i := range 3000 {
		l.Append([]wire.Frame{stderrLine(text[:i%len(text)])})
		if i%1000 == 500 {
			o := openFile(t, l.Path())
			same(t, l, o)
		}
	}
	l.Append([]wire.Frame{stderrLine(strings.Repeat("x", 5*blockLen)), stderrLine("y")})
	same(t, l, openFile(t, l.Path()))
}

func TestManyFramesOutOfOrder(t *testing.T) {
	var lines []string
	const n = 3 * chunkLen
	for i := n; i > 0; i-- {
		lines = append(lines, fmt.Sprintf(`{"n":%d,"t":"2026-11-20T09:38:50.000000Z","raw":"%d"}`, i*3, i))
	}
	l := open(t, head+strings.Join(lines, "\n")+"\n")
	for i := 1; i <= n; i++ {
		if raw, err := l.Bytes(uint64(i*3), 0, -1); err != nil || string(raw) != fmt.Sprint(i) {
			t.Fatalf("frame %d: %q %v", i*3, raw, err)
		}
		if _, ok := l.Record(uint64(i*3 + 1)); ok {
			t.Fatalf("frame %d exists", i*3+1)
		}
	}
}

func FuzzOpen(f *testing.F) {
	golden, err := os.ReadFile("testdata/golden.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	_, golden, _ = bytes.Cut(golden, []byte{'\n'})
	f.Add(golden)
	f.Add([]byte(`{"n":5,"part":0,"raw":"a"}` + "\n" + `{"n":3,"raw":"\ud800"}` + "\n" + `{"n":5,"part":1,"end":true,"b64":"YQ=="}`))
	f.Add([]byte(`{"n":3,"k":"event","raw":"{\"event\":\"connected\"}"}` + "\n" + `{"n":1,"raw":"[{\"id\":1,\"method\":\"a\"}]"}`))
	path := f.TempDir() + "/f.jsonl"
	f.Fuzz(func(t *testing.T, body []byte) {
		b := append([]byte(head), body...)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		lines := bytes.Count(b, []byte{'\n'}) + 1
		var s State
		s.Fold(l, l.Len(), func(r *Record, members []wire.Head) {
			raw, err := l.Bytes(r.Seq, 0, -1)
			if err != nil || int64(len(raw)) != r.Size {
				t.Errorf("frame %d: %d bytes of %d, %v", r.Seq, len(raw), r.Size, err)
			}
			h, err := l.Head(r.Seq)
			if err != nil || r.Kind == wire.Message && h.Form != r.Form {
				t.Errorf("frame %d: %+v, %v", r.Seq, h, err)
			}
			s.Exchange(r.Seq)
			lines--
		})
		if lines < 0 {
			t.Error("more frames than lines")
		}
	})
}
