package widget

import (
	"bytes"

	"parley/ui/theme"
)

// Bytes is text as it was received, split at line feeds. It is the source for
// whatever has no colours. The zero value has no lines.
type Bytes struct {
	src  []byte
	ends []int // of the lines, without their line feeds
}

// NewBytes splits src, which must not be changed afterwards. A line feed at
// the very end opens no further line.
func NewBytes(src []byte) *Bytes {
	b := &Bytes{src: src, ends: make([]int, 0, bytes.Count(src, []byte{'\n'})+1)}
	for at := 0; at < len(src); {
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			end = len(src) - at
		}
		b.ends = append(b.ends, at+end)
		at += end + 1
	}
	return b
}

// Lines is the number of lines.
func (b *Bytes) Lines() int { return len(b.ends) }

// Raw returns a line as it was received. It must not be changed.
func (b *Bytes) Raw(i int) []byte {
	start := 0
	if i > 0 {
		start = b.ends[i-1] + 1
	}
	return b.src[start:b.ends[i]]
}

// Line returns a line made safe.
func (b *Bytes) Line(i int) theme.Line {
	return theme.Line{Text: theme.SafeBytes(b.Raw(i))}
}

// Search finds a line with a hit.
func (b *Bytes) Search(q Query, from, step int) (int, bool) {
	for i := from; i >= 0 && i < len(b.ends); i += step {
		if _, _, ok := q.Find(theme.SafeBytes(b.Raw(i)), 0); ok {
			return i, true
		}
	}
	return 0, false
}

// Static is a few lines of our own.
type Static []theme.Line

// Lines is the number of lines.
func (s Static) Lines() int { return len(s) }

// Line returns a line.
func (s Static) Line(i int) theme.Line { return s[i] }
