package wire

import (
	"time"
	"unicode/utf8"
)

// parts makes received frames one after the other, each whole or in parts as it comes.
type parts struct {
	kind    Kind // the one expected
	other   Kind // of what is scanned and is no message
	via     string
	scanned bool

	scan *Scanner // made when it is needed
	seq  uint64   // of the frame in hand, once its first part was handed over
	size int64    // how much of it was; 0: there is no such frame
}

// next fills in the frame, or the part of it, that has these bytes; more says that
// another part follows. Whoever hands the first part over sets seq afterwards.
func (p *parts) next(f *Frame, raw []byte, at time.Time, more bool) {
	*f = Frame{Seq: p.seq, Time: at, Dir: In, Kind: p.kind, Via: p.via, Size: p.size + int64(len(raw)), Raw: raw, More: more}
	if p.scanned {
		switch {
		case p.scan == nil:
			p.scan = new(Scanner)
		case p.size == 0:
			p.scan.Reset()
		}
		p.scan.Write(raw)
		known := true
		if more {
			f.Head = p.scan.Partial()
			known = f.Head.Form == Garbage // it cannot become a message any more
		} else {
			f.Head = p.scan.Head()
		}
		if known && !f.Head.Form.IsMessage() {
			f.Kind = p.other
		}
	}
	if more {
		p.size = f.Size
	} else {
		p.seq, p.size = 0, 0
	}
}

// cutPart says where the first part of p ends, which is longer than a part: at
// MaxPart, or a little before it where that would split a character.
func cutPart(p []byte) int { return cutUTF8(p, MaxPart) }

// cutUTF8 returns n, or a little less where p[:n] would end within a UTF-8
// sequence. p is longer than n.
func cutUTF8(p []byte, n int) int {
	for i := n; i > n-utf8.UTFMax && i > 0; i-- {
		if !utf8.RuneStart(p[i]) {
			continue
		}
		if !utf8.FullRune(p[i:]) {
			return i
		}
		if _, size := utf8.DecodeRune(p[i:]); i+size > n {
			return i
		}
		break
	}
	return n
}
