package rawjson

import (
	"bytes"
	"fmt"
	"io"
	"sort"
	"unicode/utf8"
)

// MaxLine is how many bytes of a line [Indexer.Window] gives.
const MaxLine = 64 << 10

// Line is one line of an indented JSON value, without its end.
type Line struct {
	Text []byte // with its indentation
	Off  int64  // of the first byte of its content in the raw bytes
	Len  int64  // of the whole line in bytes, at least len(Text)
	Cut  bool   // Text is only the beginning, see [MaxLine]

	begun bool // Off is known
	room  int  // how many bytes Text may still take
}

// add appends what belongs to the line and stands at off in the raw bytes.
func (l *Line) add(p []byte, off int64) {
	if l == nil || len(p) == 0 {
		return
	}
	if !l.begun {
		l.begun, l.Off = true, off
	}
	p = p[:min(len(p), l.room)]
	l.Text = append(l.Text, p...)
	l.room -= len(p)
}

// Indexer lets any lines of the indented form of a JSON value be made from the
// raw bytes around them. It is given the raw bytes once, in order and in any
// pieces, and keeps 24 bytes for every 256 KiB. The indented form is that of
// json.Indent with two spaces, without whitespace behind the value; bytes that
// are not JSON have one too. An Indexer is not safe for concurrent use.
type Indexer struct {
	end   layout
	marks []mark // marks[k] is the layout at k<<shift
	shift uint8
	chunk int // how much is read at once
	line  int // how much of a line is given
}

// NewIndexer returns an indexer that was given nothing yet.
func NewIndexer() *Indexer { return newIndexer(18, 64<<10, MaxLine) }

func newIndexer(shift uint8, chunk, line int) *Indexer {
	return &Indexer{marks: make([]mark, 1), shift: shift, chunk: chunk, line: line}
}

// Write takes the next raw bytes. It does not keep p and never fails.
func (ix *Indexer) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		next := int64(len(ix.marks)) << ix.shift
		part := p[:min(int64(len(p)), next-ix.end.pos)]
		ix.end.run(part, never, nil)
		if ix.end.pos == next {
			ix.marks = append(ix.marks, ix.end.mark())
		}
		p = p[len(part):]
	}
	return n, nil
}

// at gives the layout at the k-th mark.
func (ix *Indexer) at(k int) layout { return ix.marks[k].layout(int64(k) << ix.shift) }

// before gives the last mark before the first one for which is holds; once it
// holds it does for all that follow.
func (ix *Indexer) before(is func(mark layout) bool) layout {
	k := sort.Search(len(ix.marks), func(i int) bool { return is(ix.at(i)) })
	return ix.at(max(k-1, 0))
}

// Size is how many bytes were written.
func (ix *Indexer) Size() int64 { return ix.end.pos }

// Lines is how many lines the bytes written so far have when indented.
func (ix *Indexer) Lines() int64 {
	if ix.end.line == 0 && ix.end.column() == 0 {
		return 0
	}
	return ix.end.line + 1
}

// Window gives up to n lines of the indented form, from the line from on, which
// counts from 0. r has the raw bytes, size of them. It reads some 300 KiB at
// most to find the first line, and as much for each line longer than [MaxLine].
func (ix *Indexer) Window(r io.ReaderAt, size, from, n int64) ([]Line, error) {
	if from < 0 {
		n, from = n+from, 0
	}
	w := window{ix: ix, r: r, size: min(size, ix.end.pos)}
	w.at = ix.before(func(mark layout) bool { return mark.line >= from })
	if err := w.run(from, nil); err != nil || w.at.line < from {
		return nil, err
	}
	var lines []Line
	for more := true; more && int64(len(lines)) < n; {
		number := w.at.line
		line, err := w.next()
		if err != nil {
			return lines, err
		}
		if more = w.at.line > number; more || number > 0 || line.Len > 0 {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// LineAt gives the number of the line on which the raw byte at off stands; for
// whitespace between lines, one of the two.
func (ix *Indexer) LineAt(r io.ReaderAt, size, off int64) (int64, error) {
	w := window{ix: ix, r: r, size: min(size, ix.end.pos)}
	off = max(0, min(off, w.size-1))
	w.at = ix.before(func(mark layout) bool { return mark.pos > off })
	for w.at.pos < w.size {
		p, err := w.read()
		if err != nil {
			return 0, err
		}
		if rest := off - w.at.pos; rest > 0 {
			w.at.run(p[:min(rest, int64(len(p)))], never, nil)
			continue
		}
		// A line may end before the byte, or behind it.
		line := w.at.line
		if w.at.run(p[:1], line+1, nil) == 0 {
			line++
		}
		return line, nil
	}
	return 0, nil
}

// window reads lines one after the other.
type window struct {
	ix   *Indexer
	r    io.ReaderAt
	size int64
	at   layout
	buf  []byte // raw bytes that were read
	off  int64  // of buf
}

// next gives the line that begins at w.at.
func (w *window) next() (Line, error) {
	indent := int(min(w.at.column(), int64(w.ix.line)))
	line := Line{Off: w.at.pos, Text: bytes.Repeat([]byte{' '}, indent), room: w.ix.line - indent}
	number := w.at.line
	err := w.run(number+1, &line)
	line.Len = w.at.column()
	if w.at.line > number {
		line.Len = w.at.width
	}
	if line.Cut = line.Len > int64(len(line.Text)); line.Cut {
		line.Text = trimSplit(line.Text)
	}
	return line, err
}

// run goes on to where the line stop begins, or to the end.
func (w *window) run(stop int64, out *Line) error {
	for w.at.line < stop && w.at.pos < w.size {
		if out != nil {
			w.skip(out.begun && out.room == 0)
		}
		p, err := w.read()
		if err != nil {
			return err
		}
		w.at.run(p, stop, out)
	}
	return nil
}

// skip goes to the last mark in the line at hand if the line is full, else to
// the last one before which the line gets nothing more.
func (w *window) skip(full bool) {
	last := w.ix.before(func(mark layout) bool {
		return mark.line > w.at.line || mark.line == w.at.line && mark.column() > w.at.column() && !full ||
			mark.pos > w.size
	})
	if last.pos > w.at.pos {
		w.at = last
	}
}

// read gives some raw bytes from w.at on, at least one.
func (w *window) read() ([]byte, error) {
	if skip := w.at.pos - w.off; skip >= 0 && skip < int64(len(w.buf)) {
		return w.buf[skip:], nil
	}
	if w.buf == nil {
		w.buf = make([]byte, w.ix.chunk)
	}
	w.off = w.at.pos
	w.buf = w.buf[:min(int64(cap(w.buf)), w.size-w.off)]
	n, err := w.r.ReadAt(w.buf, w.off)
	if n == len(w.buf) {
		return w.buf, nil
	}
	w.buf = w.buf[:n]
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, fmt.Errorf("read the value at byte %d: %w", w.off, err)
}

// trimSplit takes the beginning of a character off the end of b, whose rest was
// cut off.
func trimSplit(b []byte) []byte {
	for k := 1; k < utf8.UTFMax && k <= len(b); k++ {
		if last := b[len(b)-k:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return b[:len(b)-k]
			}
			break
		}
	}
	return b
}
