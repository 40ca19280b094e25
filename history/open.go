package history

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"parley/client/wire"
)

// Open reads a session file. The log takes no frames. A file that is being
// recorded can be opened; it is read as far as it goes now.
//
// Lines that cannot be read are skipped and reported by Problems, a last line
// that is not complete by Torn. An error means that nothing can be read: the
// file is not there, or it is no session.
func Open(path string) (*Log, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the session file: %w", err)
	}
	l := &Log{path: path, readOnly: true, now: time.Now}
	l.useFile(f)
	b := builder{log: l, open: make(map[uint64]*opening)}
	if err := b.read(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return l, nil
}

// read reads the whole file.
func (b *builder) read(f io.Reader) error {
	todo := make(chan *block, 2)
	order := make(chan *block, 4)
	stop := make(chan struct{})
	defer close(stop)
	var readErr error
	go func() {
		defer close(order)
		defer close(todo)
		readErr = cutBlocks(f, func(bl *block) bool {
			for _, to := range [...]chan *block{order, todo} {
				select {
				case to <- bl:
				case <-stop:
					return false
				}
			}
			return true
		})
	}()
	for range min(runtime.GOMAXPROCS(0), 4) {
		go func() {
			var r lineReader
			for bl := range todo {
				bl.parse(&r)
				close(bl.read)
			}
		}()
	}
	for bl := range order {
		<-bl.read
		if err := b.block(bl); err != nil {
			return err
		}
		blocks.Put(bl)
	}
	if readErr != nil {
		return fmt.Errorf("reading %s: %w", b.log.path, readErr)
	}
	return b.finish()
}

// builder puts the lines of a file into a log's index.
type builder struct {
	log    *Log
	r      lineReader
	line   int   // read so far
	size   int64 // bytes read so far
	time   int64 // of the line before
	open   map[uint64]*opening
	lates  []late
	lateAt map[uint64]int // in lates
}

// opening is a frame in parts whose last part was not read yet.
type opening struct {
	frame wire.Frame
	scan  wire.Scanner
	parts int64
	size  int64
}

func (b *builder) problem(format string, args ...any) {
	b.log.problems.add(b.line, format, args...)
}

// block takes the lines of a block.
func (b *builder) block(bl *block) (err error) {
	b.size = bl.off + int64(len(bl.data))
	for i := range bl.lines {
		p := &bl.lines[i]
		b.line++
		switch {
		case b.line == 1:
			b.log.header, err = parseHeader(b.log.path, p.text)
			if err != nil {
				return err
			}
		case p.blank:
		case p.err != nil && bl.tail:
			b.log.torn = fmt.Sprintf("line %d is not complete: the file ends after %d of its bytes", b.line, len(bl.data))
		case p.err != nil:
			b.problem("%s", p.err)
		default:
			b.add(p, bl.off+int64(p.at))
		}
	}
	return nil
}

// add takes a line that stands at off in the file.
func (b *builder) add(p *parsed, off int64) {
	if p.part > 0 {
		b.addPart(p, off)
		return
	}
	if b.known(p.seq) {
		b.problem("number %d is there twice, the first counts", p.seq)
		return
	}
	if !p.hasTime {
		b.problem("frame %d has no time that can be read", p.seq)
		p.time = b.time
	}
	b.time = p.time
	f := wire.Frame{
		Seq: p.seq, Time: time.UnixMicro(p.time), Dir: p.dir, Kind: p.kind, Via: p.via, By: p.by, Of: p.of, EOL: p.eol,
	}
	at := part{size: p.size, off: off + int64(p.off), enc: int64(p.enc), base64: p.base64}
	ix := &b.log.index
	if p.part < 0 || p.end {
		e, x := ix.newEntry(&f, &p.head, at)
		b.put(f.Seq, e, x)
		return
	}
	o := &opening{frame: f, parts: 1, size: p.size}
	b.open[p.seq] = o
	h := b.scan(o, p, false)
	e, x := ix.newParts(&f, &h, at)
	b.put(f.Seq, e, x)
}

// addPart takes a further part of a frame.
func (b *builder) addPart(p *parsed, off int64) {
	o := b.open[p.seq]
	if o == nil {
		b.problem("part %d of frame %d: the parts before it are missing", p.part, p.seq)
		return
	}
	if p.part != o.parts {
		b.problem("part %d of frame %d where part %d should be", p.part, p.seq, o.parts)
		return
	}
	if p.hasKind {
		o.frame.Kind = p.kind
	}
	o.frame.EOL = p.eol
	at := part{raw: o.size, size: p.size, off: off + int64(p.off), enc: int64(p.enc), base64: p.base64}
	o.parts++
	o.size += p.size
	h := b.scan(o, p, p.end)
	e, x := b.get(p.seq)
	b.log.index.addPart(e, x, &o.frame, &h, at, p.end)
	if p.end {
		delete(b.open, p.seq)
	}
}

// scan scans the bytes of a part and returns the head as known then.
func (b *builder) scan(o *opening, p *parsed, last bool) wire.Head {
	if o.frame.Kind != wire.Message && o.frame.Kind != wire.Stray {
		return wire.Head{}
	}
	if b.r.read(p.text) == nil {
		o.scan.Write(b.r.line.raw)
	}
	if last {
		return o.scan.Head()
	}
	return o.scan.Partial()
}

func (b *builder) known(seq uint64) bool {
	if seq > b.log.index.last {
		return false
	}
	e, _ := b.get(seq)
	return e != nil
}

func (b *builder) get(seq uint64) (*entry, *extra) {
	if i, ok := b.lateAt[seq]; ok {
		return &b.lates[i].e, b.log.index.extra[seq]
	}
	return b.log.index.get(seq)
}

// put adds an entry, or keeps it for later if its number is out of order.
func (b *builder) put(seq uint64, e entry, x *extra) {
	ix := &b.log.index
	if seq > ix.last {
		ix.add(seq, e, x)
		return
	}
	if b.lateAt == nil {
		b.lateAt = make(map[uint64]int)
	}
	b.lateAt[seq] = len(b.lates)
	b.lates = append(b.lates, late{seq, e})
	ix.setExtra(seq, x)
}

// finish is called at the end of the file.
func (b *builder) finish() error {
	if b.line == 0 {
		return &FormatError{b.log.path, "the file is empty", hintNoSession}
	}
	for seq := range b.open {
		e, _ := b.get(seq)
		e.cut()
	}
	b.log.index.merge(b.lates)
	s := b.log.store
	s.end, s.filed, s.size = b.size, b.size, b.size
	return nil
}
