package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkWindows compares all windows of n lines with the lines of json.Indent.
func checkWindows(t *testing.T, ix *Indexer, src []byte, n int64) {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, bytes.TrimSpace(src), "", "  "); err != nil {
		t.Fatal(err)
	}
	want := bytes.Split(indented.Bytes(), []byte{'\n'})
	if ix.Lines() != int64(len(want)) {
		t.Fatalf("%.200q: %d lines, want %d", src, ix.Lines(), len(want))
	}
	size := int64(len(src))
	for from := range want {
		got, err := ix.Window(bytes.NewReader(src), size, int64(from), n)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != min(int(n), len(want)-from) {
			t.Fatalf("%.200q: %d lines from %d, want %d", src, len(got), from, min(int(n), len(want)-from))
		}
		for i, line := range got {
			checkLine(t, ix, src, line, want[from+i])
			if k, err := ix.LineAt(bytes.NewReader(src), size, line.Off); err != nil || k != int64(from+i) {
				t.Fatalf("%.200q: byte %d is on line %d, %v, want %d", src, line.Off, k, err, from+i)
			}
		}
	}
}

func checkLine(t *testing.T, ix *Indexer, src []byte, line Line, want []byte) {
	t.Helper()
	given := want[:min(len(want), ix.line)]
	if len(given) < len(want) {
		given = trimSplit(given)
	}
	if !bytes.Equal(line.Text, given) || line.Len != int64(len(want)) || line.Cut != (len(want) > ix.line) {
		t.Fatalf("%.200q: %q of %d, cut %v, want %q of %d", src, line.Text, line.Len, line.Cut, given, len(want))
	}
	content := bytes.TrimLeft(want, " ")
	if line.Off >= int64(len(src)) || src[line.Off] != content[0] {
		t.Fatalf("%.200q: line %q does not begin at %d", src, line.Text, line.Off)
	}
}

var windowSamples = []string{
	`{}`, ` [ ] `, `1`, `"a\"b"`, `[1,[],{"a":{},"b":"x\\"},"日本😀",  [ [ 2 ] ] ]`,
	`{"tools":[{"name":"a","n":1.0},{"name":"b"}],"s":"` + strings.Repeat(`long \"text\" ,[{ `, 20) + `"}`,
	"[\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n1 ,\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t2\n\n\n\n\n\n\n\n\n\n\n\n\n]",
	strings.Repeat("[", 50) + strings.Repeat("]", 50),
	strings.Repeat(`{"a":`, 30) + `[]` + strings.Repeat("}", 30),
}

func TestWindow(t *testing.T) {
	for _, src := range windowSamples {
		for _, shift := range []uint8{0, 1, 3, 5, 18} {
			for _, line := range []int{9, 30, MaxLine} {
				ix := newIndexer(shift, 7, line)
				for p := range slices.Chunk([]byte(src), 5) {
					fmt.Fprintf(ix, "%s", p)
				}
				checkWindows(t, ix, []byte(src), 1)
				checkWindows(t, ix, []byte(src), 4)
			}
		}
	}
}

func FuzzWindow(f *testing.F) {
	for i, s := range append(windowSamples, samples...) {
		f.Add([]byte(s), uint8(i), uint8(i*7), uint8(i*5))
	}
	f.Fuzz(func(t *testing.T, src []byte, shift, chunk, line uint8) {
		ix := newIndexer(shift%8, int(chunk)+1, int(line)+1)
		_, _ = ix.Write(src[:len(src)/3])
		_, _ = ix.Write(src[len(src)/3:])
		if _, _, ok := Valid(src); ok && len(src) < 1000 {
			checkWindows(t, ix, src, 3)
			return
		}
		// Anything has lines, the same ones however they are asked for.
		whole, err := ix.Window(bytes.NewReader(src), int64(len(src)), 0, never)
		if err != nil || int64(len(whole)) != ix.Lines() {
			t.Fatalf("%q: %d lines, %v, want %d", src, len(whole), err, ix.Lines())
		}
		for i := range whole[:min(len(whole), 50)] {
			one, err := ix.Window(bytes.NewReader(src), int64(len(src)), int64(i), 1)
			if err != nil || len(one) != 1 || !bytes.Equal(one[0].Text, whole[i].Text) || one[0].Len != whole[i].Len {
				t.Fatalf("%q: line %d is %+v, %v, want %+v", src, i, one, err, whole[i])
			}
		}
	})
}

// readCounter counts what is read.
type readCounter struct {
	io.ReaderAt
	n int
}

func (r *readCounter) ReadAt(p []byte, off int64) (int, error) {
	r.n += len(p)
	return r.ReaderAt.ReadAt(p, off)
}

func TestWindowOfHugeLines(t *testing.T) {
	text := strings.Repeat("日本 text ", 1<<20)
	src := []byte(`{"before":1,"text":"` + text + `",` + strings.Repeat(" ", 4<<20) + `"list":` + string(toolList(5000)) + `,"last":true}`)
	ix := NewIndexer()
	for p := range slices.Chunk(src, 1<<20) {
		_, _ = ix.Write(p)
	}
	if n := len(ix.marks); n > len(src)>>18+1 {
		t.Errorf("%d marks for %d bytes", n, len(src))
	}
	indented, _ := Indent(nil, src)
	want := bytes.Split(indented, []byte{'\n'})
	for _, from := range []int{0, 1, 2, 3, 1000, len(want) / 2, len(want) - 3} {
		r := &readCounter{ReaderAt: bytes.NewReader(src)}
		got, err := ix.Window(r, int64(len(src)), int64(from), 60)
		if err != nil || len(got) != min(60, len(want)-from) {
			t.Fatalf("%d lines from %d, %v", len(got), from, err)
		}
		for i, line := range got {
			checkLine(t, ix, src, line, want[from+i])
			if !utf8.Valid(line.Text) {
				t.Errorf("line %d is not UTF-8", from+i)
			}
		}
		if r.n > 1<<20 {
			t.Errorf("%d bytes read for 60 lines from %d", r.n, from)
		}
	}
}

func TestWindowEdges(t *testing.T) {
	src := []byte(`[1,2]`)
	ix := NewIndexer()
	if lines, err := ix.Window(bytes.NewReader(nil), 0, 0, 10); ix.Lines() != 0 || lines != nil || err != nil {
		t.Errorf("nothing written: %d lines, %v, %v", ix.Lines(), lines, err)
	}
	_, _ = ix.Write(src)
	for _, tt := range []struct {
		from, n int64
		want    string
	}{
		{-2, 3, "["}, {-2, 2, ""}, {3, 9, "]"}, {4, 1, ""}, {0, 0, ""}, {1, 2, "  1,|  2"},
	} {
		lines, err := ix.Window(bytes.NewReader(src), int64(len(src)), tt.from, tt.n)
		var got []string
		for _, line := range lines {
			got = append(got, string(line.Text))
		}
		if err != nil || strings.Join(got, "|") != tt.want {
			t.Errorf("%d lines from %d: %q, %v, want %q", tt.n, tt.from, got, err, tt.want)
		}
	}
	if _, err := ix.Window(bytes.NewReader(src[:2]), int64(len(src)), 0, 9); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a reader that is too short: %v", err)
	}
	// A value of which more is to come has the lines that it has so far.
	ix = NewIndexer()
	_, _ = ix.Write([]byte(`{"a":[1,`))
	lines, err := ix.Window(bytes.NewReader([]byte(`{"a":[1,`)), 8, 0, 9)
	if err != nil || len(lines) != 4 || string(lines[2].Text) != "    1," {
		t.Errorf("%+v, %v", lines, err)
	}
}

func BenchmarkIndexer(b *testing.B) {
	src := toolList(5000)
	ix := NewIndexer()
	_, _ = ix.Write(src)
	b.Run("Write", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			_, _ = NewIndexer().Write(src)
		}
	})
	b.Run("Write/text", func(b *testing.B) {
		text := []byte(`"` + strings.Repeat("aGVsbG8gd29ybGQK", 1<<17) + `"`)
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			_, _ = NewIndexer().Write(text)
		}
	})
	b.Run("Window", func(b *testing.B) {
		i := int64(0)
		for b.Loop() {
			i += 7919
			if _, err := ix.Window(bytes.NewReader(src), int64(len(src)), i%ix.Lines(), 60); err != nil {
				b.Fatal(err)
			}
		}
	})
}
