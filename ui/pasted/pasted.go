// Package pasted keeps what is pasted exact. Bubble Tea decodes a paste as if it
// were keys: it drops escape sequences, bytes that are not UTF-8, and a character
// that a slow line parts. Here the bytes of a paste are written, on their way in,
// as text that passes that decoder unchanged, and read back from its message.
package pasted

import (
	"io"
	"os"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// What terminals put around a paste, and what begins one that is encoded: a
// character that no paste through another way begins with.
const (
	opening = "\x1b[200~"
	closing = "\x1b[201~"
	mark    = "\x1fexact:"
)

// Text is what was pasted, exactly if it came through a [Reader].
func Text(msg tea.PasteMsg) string {
	text, ok := strings.CutPrefix(msg.Content, mark)
	if !ok {
		return msg.Content
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+2 >= len(text) {
			b.WriteByte(text[i])
			continue
		}
		b.WriteByte(digit(text[i+1])<<4 | digit(text[i+2]))
		i += 2
	}
	return b.String()
}

func digit(c byte) byte {
	if c >= 'A' {
		return c - 'A' + 10
	}
	return c - '0'
}

// Reader is a terminal whose pastes are encoded. It is still a file to those who
// make it raw or wait for it.
type Reader struct {
	*os.File
	filter filter
}

// NewReader returns a reader of the keys and pastes of a terminal. On Windows that
// is the terminal itself: there keys are read by other means.
func NewReader(terminal *os.File) io.Reader {
	if runtime.GOOS == "windows" {
		return terminal
	}
	return &Reader{File: terminal}
}

// grows is by how much a byte grows at most, with the mark of its paste.
const grows = 4

// Read implements [io.Reader]. It may return nothing, without an error, where a
// paste may be about to end.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) <= len(mark)+grows {
		return r.File.Read(p)
	}
	raw := make([]byte, (len(p)-len(mark))/grows)
	n, err := r.File.Read(raw)
	return len(r.filter.encode(p[:0], raw[:n])), err
}

// filter encodes what stands between the ends of a paste.
type filter struct {
	inside  bool
	matched int // bytes of the end that is looked for; inside, they are held back
}

// encode appends what src becomes.
func (f *filter) encode(dst, src []byte) []byte {
	for _, c := range src {
		if !f.inside {
			dst = append(dst, c)
			if f.match(opening, c) {
				f.inside = true
				dst = append(dst, mark...)
			}
			continue
		}
		held := f.matched
		switch {
		case f.match(closing, c):
			f.inside = false
			dst = append(dst, closing...)
		case f.matched > held: // held back with the others
		default:
			for i := range held {
				dst = escaped(dst, closing[i])
			}
			if f.matched == 0 {
				dst = escaped(dst, c)
			}
		}
	}
	return dst
}

// match takes note of a byte and reports whether an end is complete with it.
func (f *filter) match(end string, c byte) bool {
	switch c {
	case end[f.matched]:
		f.matched++
	case end[0]:
		f.matched = 1
	default:
		f.matched = 0
	}
	if f.matched == len(end) {
		f.matched = 0
		return true
	}
	return false
}

const hex = "0123456789ABCDEF"

func escaped(dst []byte, c byte) []byte {
	if c >= ' ' && c <= '~' && c != '%' {
		return append(dst, c)
	}
	return append(dst, '%', hex[c>>4], hex[c&15])
}
