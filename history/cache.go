package history

import (
	"io"
	"sync"
)

const (
	cacheBlock  = 32 << 10
	cacheBlocks = 32
)

// cache keeps the blocks of the file that were read last, so that drawing the
// same frames again needs no system call. Bytes at an offset never change, so
// nothing in it becomes wrong; the block at the end of the file becomes short.
type cache struct {
	from io.ReaderAt

	mu     sync.Mutex
	blocks [cacheBlocks]cached
	clock  uint64
}

type cached struct {
	off  int64
	b    []byte // nil: free
	used uint64
}

// ReadAt reads len(p) bytes or says why not. What is larger than a block is
// not kept.
func (c *cache) ReadAt(p []byte, off int64) (int, error) {
	if len(p) > cacheBlock {
		return c.from.ReadAt(p, off)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for n < len(p) {
		at := off + int64(n)
		start := at - at%cacheBlock
		b := c.block(start, int(min(at-start+int64(len(p)-n), cacheBlock)))
		if int64(len(b)) <= at-start {
			// The block cannot be read up to here: part of it may be lost.
			m, err := c.from.ReadAt(p[n:], at)
			return n + m, err
		}
		n += copy(p[n:], b[at-start:])
	}
	return n, nil
}

// block returns the block at start, with at least need bytes if they exist.
func (c *cache) block(start int64, need int) []byte {
	c.clock++
	oldest := &c.blocks[0]
	for i := range c.blocks {
		b := &c.blocks[i]
		if b.b != nil && b.off == start {
			b.used = c.clock
			if len(b.b) < need {
				b.b = c.fill(b.b, start)
			}
			return b.b
		}
		if b.used < oldest.used {
			oldest = b
		}
	}
	oldest.off, oldest.used = start, c.clock
	oldest.b = c.fill(oldest.b, start)
	return oldest.b
}

func (c *cache) fill(b []byte, start int64) []byte {
	if b == nil {
		b = make([]byte, cacheBlock)
	}
	n, _ := c.from.ReadAt(b[:cacheBlock], start)
	return b[:n]
}
