package history

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"parley/client/wire"
)

// blockLen is how much of a file is taken at a time: whole lines, more than
// this only if one is longer.
const blockLen = 256 << 10

// block is a run of whole lines. One goroutine cuts the file into blocks,
// others read the lines in them, and what they read is put into the index in
// the order of the file.
type block struct {
	off   int64  // of data in the file
	data  []byte // in buf
	buf   []byte
	tail  bool // data is the end of the file, a line without its end
	lines []parsed
	read  chan struct{} // closed when lines are there
}

// parsed is a line with what was found in its bytes.
type parsed struct {
	line
	at    int       // offset of the line in the block
	size  int64     // of the decoded bytes
	head  wire.Head // of a frame in one piece
	text  []byte    // the line itself if it is needed again: the header, a part
	blank bool
	err   error
}

var blocks = sync.Pool{New: func() any { return new(block) }}

// newBlock returns a block that begins with rest and has room for more.
func newBlock(off int64, rest []byte) *block {
	bl := blocks.Get().(*block)
	if need := len(rest) + blockLen; cap(bl.buf) < need || cap(bl.buf) > 4*need {
		bl.buf = make([]byte, need)
	}
	bl.buf = bl.buf[:cap(bl.buf)]
	bl.off, bl.tail, bl.read = off, false, make(chan struct{})
	copy(bl.buf, rest)
	return bl
}

// cutBlocks reads f to its end and gives each block to emit, until that says
// that it is enough.
func cutBlocks(f io.Reader, emit func(*block) bool) error {
	bl, n := newBlock(0, nil), 0
	for {
		m, err := io.ReadFull(f, bl.buf[n:])
		n += m
		atEnd := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !atEnd {
			return err
		}
		cut := bytes.LastIndexByte(bl.buf[:n], '\n') + 1
		if cut == 0 && !atEnd { // a line that is longer than the block
			bl.buf = append(bl.buf, make([]byte, len(bl.buf))...)
			continue
		}
		rest := bl.buf[cut:n]
		bl.data = bl.buf[:cut]
		next := newBlock(bl.off+int64(cut), rest)
		n = len(rest)
		if cut > 0 && !emit(bl) {
			return nil
		}
		bl = next
		if atEnd {
			break
		}
	}
	if bl.data, bl.tail = bl.buf[:n], true; n > 0 {
		emit(bl)
	}
	return nil
}

// parse reads the lines.
func (bl *block) parse(r *lineReader) {
	bl.lines = bl.lines[:0]
	for at := 0; at < len(bl.data); {
		end := bytes.IndexByte(bl.data[at:], '\n')
		if end < 0 {
			end = len(bl.data) - at
		}
		bl.lines = append(bl.lines, parsed{at: at})
		p := &bl.lines[len(bl.lines)-1]
		p.parse(r, bl.data[at:at+end], bl.off == 0 && at == 0)
		at += end + 1
	}
}

func (p *parsed) parse(r *lineReader, text []byte, header bool) {
	switch {
	case header:
		p.text = text
		return
	case len(bytes.TrimSpace(text)) == 0:
		p.blank = true
		return
	}
	p.err = r.read(text)
	if p.err != nil {
		return
	}
	p.line, p.size = r.line, int64(len(r.line.raw))
	p.line.raw = nil // the next line is read into the same memory
	if p.part >= 0 && !(p.part == 0 && p.end) {
		p.text = text
		return
	}
	if p.kind == wire.Message || p.kind == wire.Stray {
		p.head = wire.Scan(r.line.raw)
	} else {
		p.head = headOf(p.dir, p.kind, nil, r.line.raw)
	}
}
