package wire

import (
	"encoding/binary"
	"unicode/utf8"

	"parley/client/rawjson"
)

// maxName is the longest text in bytes that a head holds.
const maxName = 4096

// maxHeld is how much of a captured value is kept: enough for maxName bytes
// that are all escaped.
const maxHeld = 6*maxName + 1

// capture keeps the text of the value in hand, over the ends of writes too, and
// shares the memory of texts that come again.
type capture struct {
	on      bool
	mark    int    // where it begins in p
	held    []byte // of earlier writes, at most maxHeld
	decoded []byte
	known   [256]string
}

func (c *capture) reset() {
	c.on = false
	c.held = c.held[:0]
}

// from begins to keep text at p[i].
func (c *capture) from(i int) {
	c.on, c.mark = true, i
	c.held = c.held[:0]
}

// hold keeps what the write brought, before p is gone.
func (c *capture) hold(p []byte) {
	if !c.on {
		return
	}
	more := p[c.mark:]
	c.held = append(c.held, more[:min(len(more), maxHeld-len(c.held))]...)
	c.mark = 0
}

// captured gives the text up to p[i], decoded if it was escaped, and whether it
// was too long and is cut.
func (c *capture) captured(p []byte, i int, escaped bool) (b []byte, long bool) {
	c.on = false
	b = p[c.mark:i]
	if len(c.held) > 0 {
		b = append(c.held, b[:min(len(b), maxHeld-len(c.held))]...)
		c.held = b[:0]
	}
	if len(b) > maxHeld {
		b = b[:maxHeld]
	}
	if escaped {
		c.decoded = rawjson.Unescape(c.decoded[:0], b)
		b = c.decoded
	}
	if len(b) <= maxName {
		return b, false
	}
	n := maxName
	for k := n; k > n-utf8.UTFMax; k-- {
		if utf8.RuneStart(b[k]) {
			n = k
			break
		}
	}
	return b[:n], true
}

// share gives b as a string, the one it gave before if it still has that.
func (c *capture) share(b []byte) string {
	if len(b) == 0 || len(b) > 128 {
		return string(b)
	}
	h := uint64(len(b))
	if len(b) >= 8 {
		h += binary.LittleEndian.Uint64(b) ^ binary.LittleEndian.Uint64(b[len(b)-8:])<<1
	} else {
		for _, x := range b {
			h = h<<8 | uint64(x)
		}
	}
	k := &c.known[h*0x9e3779b97f4a7c15>>56]
	if *k != string(b) {
		*k = string(b)
	}
	return *k
}
