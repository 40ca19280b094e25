package wire

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"parley/client/rawjson"
)

// exchange is a message that holds at least one request, from its frame until its
// answers came or cannot come any more.
type exchange struct {
	parcel
	initialize bool // of a version with a handshake

	ctx    context.Context // ends the request and its streams
	cancel context.CancelFunc

	// What follows is guarded by the connection's mu.
	ids       []ID          // what is not answered yet
	over      bool          // answered, lost or abandoned
	cancelled bool          // notifications/cancelled was sent: the answer need not come
	parked    *HTTPError    // the answer comes on the GET stream, or this is why it does not
	done      chan struct{} // closed when it is over; nil while nobody wants to know
}

// exchanges are the open ones.
type exchanges struct {
	bySeq map[uint64]*exchange
	byID  map[ID][]*exchange // oldest first
}

func newExchanges() exchanges {
	return exchanges{bySeq: map[uint64]*exchange{}, byID: map[ID][]*exchange{}}
}

// requestIDs lists the ids of the requests in a message.
func requestIDs(h *Head) (ids []ID) {
	if h.Form == Request {
		return []ID{h.ID}
	}
	for i := range h.Members {
		if h.Members[i].Form == Request {
			ids = append(ids, h.Members[i].ID)
		}
	}
	return ids
}

func (t *exchanges) add(x *exchange) {
	t.bySeq[x.seq] = x
	for _, id := range x.ids {
		t.byID[id] = append(t.byID[id], x)
	}
}

// answer takes note of a response: the newest open request of that id has it. It
// gives nil if there is none.
func (t *exchanges) answer(id ID) *exchange {
	list := t.byID[id]
	if len(list) == 0 {
		return nil
	}
	x := list[len(list)-1]
	t.drop(id, x)
	for i, other := range x.ids {
		if other == id {
			x.ids = append(x.ids[:i], x.ids[i+1:]...)
			break
		}
	}
	if len(x.ids) == 0 {
		t.end(x)
	}
	return x
}

// end takes an exchange out. It reports whether it was open.
func (t *exchanges) end(x *exchange) bool {
	if x.over {
		return false
	}
	x.over = true
	delete(t.bySeq, x.seq)
	for _, id := range x.ids {
		t.drop(id, x)
	}
	if x.done != nil {
		close(x.done)
	}
	return true
}

func (t *exchanges) drop(id ID, x *exchange) {
	list := t.byID[id]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == x {
			list = append(list[:i], list[i+1:]...)
			break
		}
	}
	if len(list) == 0 {
		delete(t.byID, id)
		return
	}
	t.byID[id] = list
}

// ended gives a channel that is closed when the exchange is over.
func (c *HTTPConn) ended(x *exchange) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.done == nil {
		x.done = make(chan struct{})
		if x.over {
			close(x.done)
		}
	}
	return x.done
}

func (c *HTTPConn) isOver(x *exchange) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return x.over
}

// arrived looks at a message that was received and appended, on whatever stream. Raw
// is the whole frame, nil if it is too long to be kept.
func (c *HTTPConn) arrived(h *Head, raw []byte) {
	if h.Form == Batch {
		for i := range h.Members {
			c.arrived(&h.Members[i], raw)
		}
		return
	}
	if !h.Form.IsResponse() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if list := c.open.byID[h.ID]; len(list) > 0 && h.Form == Result && list[len(list)-1].initialize {
		// Before the exchange ends: what waits for that needs the version.
		c.agreed.Version = negotiated(h, raw)
	}
	c.open.answer(h.ID)
}

// negotiated reads the version from the result of initialize.
func negotiated(h *Head, raw []byte) string {
	r := h.Result
	if r.Len == 0 || r.Off+r.Len > int64(len(raw)) {
		return ""
	}
	return textAt(raw[r.Off:r.Off+r.Len], "protocolVersion")
}

// textAt gives the string at a path, empty if there is none.
func textAt(raw []byte, path ...string) string {
	value, ok := rawjson.Get(raw, path...)
	if !ok {
		return ""
	}
	text, _ := rawjson.Unquote(value)
	return text
}

// lose says that the answer to an exchange cannot come any more, unless it came, or
// need not come. It must not be called with mu held.
func (c *HTTPConn) lose(x *exchange, err error) {
	c.mu.Lock()
	open, cancelled := c.open.end(x), x.cancelled
	closing := c.ctx.Err() != nil
	c.mu.Unlock()
	if !open || cancelled || closing {
		return
	}
	c.rec.lost(x.seq, err)
}

// loseAll loses every open exchange.
func (c *HTTPConn) loseAll(why func(x *exchange) error) {
	c.mu.Lock()
	open := slices.SortedFunc(maps.Values(c.open.bySeq), func(a, b *exchange) int { return cmp.Compare(a.seq, b.seq) })
	c.mu.Unlock()
	for _, x := range open {
		c.lose(x, why(x))
	}
}

// Abandon closes the response stream of the request whose frame has that number, so
// that the server ends its work on it (spec: 2026-07-28, basic/transports,
// cancellation). That is the event abandoned, with why. It reports whether the request
// was open.
func (c *HTTPConn) Abandon(seq uint64, why string) bool {
	c.mu.Lock()
	x := c.open.bySeq[seq]
	ok := x != nil && c.open.end(x)
	c.mu.Unlock()
	if !ok {
		return false
	}
	c.rec.event(ConnEvent{Event: EventAbandoned, Seq: seq, Text: why})
	x.cancel()
	return true
}

// cancelled takes note of notifications/cancelled for a request of ours: the server
// need not answer it.
func (c *HTTPConn) cancelled(id ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.open.byID[id] {
		x.cancelled = len(x.ids) == 1
	}
}
