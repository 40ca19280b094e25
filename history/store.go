package history

import (
	"errors"
	"io"
	"sort"
	"sync"
	"time"
)

// File is what a log writes to and reads from: an [os.File], or a test's.
type File interface {
	io.Writer // appends
	io.ReaderAt
	io.Closer
}

// ErrDropped says that the bytes of a frame are gone: recording had stopped,
// and there was more than is kept in memory.
var ErrDropped = errors.New("its bytes are no longer kept: recording had stopped")

const (
	keepBytes  = 64 << 20    // what is kept in memory while the file cannot be written
	retryEvery = time.Second // how often a file that could not be written is tried again
)

// store is the session file as the index sees it: an append-only run of bytes
// whose offsets never change, also when the disk is full.
//
// While the file takes what is written, an offset is an offset in the file.
// When a write fails, what follows is kept in memory under the offsets it would
// have had, the oldest dropped when it is too much; when the file can be
// written again, it gets what was kept. Then the two may have drifted apart, by
// a torn line or by what was dropped, and shifts says by how much.
//
// One goroutine writes at a time; any number read meanwhile. mu is not held
// while the file is written or read.
type store struct {
	file File
	keep int64
	now  func() time.Time

	mu      sync.RWMutex
	end     int64   // the offset of what comes next
	filed   int64   // the offset after the last whole line in the file
	size    int64   // the length of the file
	held    []held  // what the file could not take, oldest first
	heldLen int64   // bytes in held
	shifts  []shift // by offset

	torn    bool // the file ends in the middle of a line
	retryAt time.Time
}

// held is a piece of whole lines that is in memory only.
type held struct {
	off int64
	b   []byte
}

// shift says that bytes from offset on are in the file at offset + delta, and
// that those from lost to offset are nowhere.
type shift struct{ lost, off, delta int64 }

func newStore(file File, now func() time.Time) *store {
	return &store{file: file, keep: keepBytes, now: now}
}

// healthy reports whether everything written is in the file.
func (s *store) healthy() bool { return len(s.held) == 0 }

// write appends p, which consists of whole lines, and returns the offset of
// its first byte. It always takes p. An error says that the file could not take
// what it was given just now; it is returned once for each failure.
func (s *store) write(p []byte) (off int64, err error) {
	off = s.end
	if !s.healthy() && !s.now().Before(s.retryAt) {
		_ = s.flush() // the failure has been told
	}
	if !s.healthy() {
		s.hold(off, p)
		return off, nil
	}
	n, err := s.put(off, p)
	s.hold(off+int64(n), p[n:])
	return off, err
}

// put writes the lines p, whose offset is off, to the file and returns how many
// bytes of whole lines it took. The rest is for the next try.
func (s *store) put(off int64, p []byte) (whole int, err error) {
	n, err := s.file.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	if err != nil {
		s.retryAt = s.now().Add(retryEvery)
	}
	whole = n
	for whole > 0 && p[whole-1] != '\n' {
		whole--
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if delta := s.size - off; whole > 0 && delta != s.delta() {
		s.shifts = append(s.shifts, shift{lost: s.filed, off: off, delta: delta})
	}
	if whole > 0 {
		s.filed = off + int64(whole)
	}
	s.torn = n > whole
	s.size += int64(n)
	return whole, err
}

func (s *store) delta() int64 {
	if len(s.shifts) == 0 {
		return 0
	}
	return s.shifts[len(s.shifts)-1].delta
}

// hold keeps a copy of p in memory.
func (s *store) hold(off int64, p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end = off + int64(len(p))
	if len(p) == 0 {
		return
	}
	s.held = append(s.held, held{off: off, b: append([]byte(nil), p...)})
	s.heldLen += int64(len(p))
	for s.heldLen > s.keep && len(s.held) > 1 {
		s.dropHeld()
	}
}

func (s *store) dropHeld() {
	s.heldLen -= int64(len(s.held[0].b))
	s.held[0].b = nil
	s.held = s.held[1:]
}

// flush gives the file what it could not take before. On an error the rest
// stays in memory and the next try is put off.
func (s *store) flush() error {
	if s.torn {
		// The torn line becomes a line of its own, which readers skip.
		n, err := s.file.Write([]byte{'\n'})
		if n == 0 {
			s.retryAt = s.now().Add(retryEvery)
			return err
		}
		s.mu.Lock()
		s.size++
		s.torn = false
		s.mu.Unlock()
	}
	for len(s.held) > 0 {
		h := s.held[0]
		n, err := s.put(h.off, h.b)
		s.mu.Lock()
		if n == len(h.b) {
			s.dropHeld()
		} else {
			s.held[0] = held{off: h.off + int64(n), b: h.b[n:]}
			s.heldLen -= int64(n)
		}
		s.mu.Unlock()
		if err != nil {
			return err
		}
	}
	s.held = nil
	return nil
}

// ReadAt reads what was written at an offset, from the file or from memory. It
// returns [ErrDropped] for what is in neither.
func (s *store) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		m, err := s.readSome(p[n:], off+int64(n))
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// readSome reads as far as one place has what is asked for.
func (s *store) readSome(p []byte, off int64) (int, error) {
	s.mu.RLock()
	if off >= s.end {
		s.mu.RUnlock()
		return 0, io.EOF
	}
	if len(s.held) > 0 && off >= s.held[0].off {
		defer s.mu.RUnlock()
		i := sort.Search(len(s.held), func(i int) bool { return s.held[i].off > off }) - 1
		return copy(p, s.held[i].b[off-s.held[i].off:]), nil
	}
	limit := s.filed
	i := sort.Search(len(s.shifts), func(i int) bool { return s.shifts[i].off > off })
	if i < len(s.shifts) {
		limit = s.shifts[i].lost
	}
	delta := int64(0)
	if i > 0 {
		delta = s.shifts[i-1].delta
	}
	s.mu.RUnlock()
	if off >= limit {
		return 0, ErrDropped
	}
	p = p[:min(int64(len(p)), limit-off)]
	n, err := s.file.ReadAt(p, off+delta)
	if n == len(p) {
		err = nil
	}
	return n, err
}
