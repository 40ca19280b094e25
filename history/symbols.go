package history

import (
	"encoding/binary"
	"hash/maphash"
	"unsafe"
)

// symbol names a string in a table of symbols. 0 is the empty string.
type symbol uint32

// symbols keeps each different string once: methods, names, ids. A symbol is
// the place of its string in the blocks, so that a million different ids cost
// their bytes, two for the length and about eight for the hash table.
//
// Reading is safe while another goroutine reads; interning needs the index's
// write lock. Texts stay valid for ever.
type symbols struct {
	blocks [][]byte // each of blockSize, never moved, written once
	free   int      // where the next string goes in the last block
	table  []symbol // open addressing, a power of two long
	count  int
	seed   maphash.Seed
}

const (
	blockSize  = 1 << 16
	maxSymbol  = 4096 // longer strings are cut; wire cuts names there already
	maxBlocks  = 1 << 16
	symbolHead = 2 // bytes of the length before each string
)

// intern returns the symbol of s. When four gigabytes of different strings are
// held, new ones become the empty string.
func (t *symbols) intern(s string) symbol {
	if s == "" {
		return 0
	}
	if len(s) > maxSymbol {
		s = s[:maxSymbol]
	}
	if (t.count+1)*4 > len(t.table)*3 {
		t.grow()
	}
	mask := uint64(len(t.table) - 1)
	i := maphash.String(t.seed, s) & mask
	for t.table[i] != 0 {
		if t.text(t.table[i]) == s {
			return t.table[i]
		}
		i = (i + 1) & mask
	}
	sym := t.store(s)
	if sym != 0 {
		t.table[i] = sym
		t.count++
	}
	return sym
}

// find returns the symbol of s, or one that no entry has if s was never interned.
func (t *symbols) find(s string) symbol {
	if s == "" {
		return 0
	}
	if mask := uint64(len(t.table) - 1); len(t.table) > 0 {
		for i := maphash.String(t.seed, s) & mask; t.table[i] != 0; i = (i + 1) & mask {
			if t.text(t.table[i]) == s {
				return t.table[i]
			}
		}
	}
	return ^symbol(0)
}

func (t *symbols) store(s string) symbol {
	if len(t.blocks) == 0 || t.free+symbolHead+len(s) > blockSize {
		if len(t.blocks) == maxBlocks {
			return 0
		}
		t.blocks = append(t.blocks, make([]byte, blockSize))
		t.free = 0
		if len(t.blocks) == 1 {
			t.free = 1 // so that no symbol is 0
		}
	}
	block, at := t.blocks[len(t.blocks)-1], t.free
	binary.LittleEndian.PutUint16(block[at:], uint16(len(s)))
	copy(block[at+symbolHead:], s)
	t.free += symbolHead + len(s)
	return symbol((len(t.blocks)-1)*blockSize + at)
}

func (t *symbols) text(sym symbol) string {
	if sym == 0 {
		return ""
	}
	block, at := t.blocks[sym/blockSize], int(sym%blockSize)
	n := int(binary.LittleEndian.Uint16(block[at:]))
	// The bytes of a string are never written again, so they may be a string
	// without a copy: records are made a million at a time.
	return unsafe.String(&block[at+symbolHead], n)
}

func (t *symbols) grow() {
	if t.table == nil {
		t.seed = maphash.MakeSeed()
		t.table = make([]symbol, 64)
		return
	}
	old := t.table
	t.table = make([]symbol, 2*len(old))
	mask := uint64(len(t.table) - 1)
	for _, sym := range old {
		if sym == 0 {
			continue
		}
		i := maphash.String(t.seed, t.text(sym)) & mask
		for t.table[i] != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = sym
	}
}
