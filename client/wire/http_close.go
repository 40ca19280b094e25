package wire

import (
	"context"
	"sync"
	"time"
)

// bodyGrace is how long the end of a connection waits for short bodies that are on
// their way: what comes with them is to be in the session.
const bodyGrace = 50 * time.Millisecond

// shortBodies counts the responses that are being read, or awaited, and are short.
type shortBodies struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when there is none any more; nil while nobody waits
}

func (b *shortBodies) add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n += n
	if b.n == 0 && b.none != nil {
		close(b.none)
		b.none = nil
	}
}

// wait waits until none is being read, at most d.
func (b *shortBodies) wait(d time.Duration) {
	b.mu.Lock()
	if b.n == 0 {
		b.mu.Unlock()
		return
	}
	if b.none == nil {
		b.none = make(chan struct{})
	}
	none := b.none
	b.mu.Unlock()
	limit := time.NewTimer(d)
	defer limit.Stop()
	select {
	case <-none:
	case <-limit.C:
	}
}

// Close ends the streams and then the session, with a DELETE that may take a second;
// without it if ctx has ended. When it returns, the connection holds no goroutine and
// no socket any more.
func (c *HTTPConn) Close(ctx context.Context) error {
	c.finish(ConnEvent{Event: EventClosed}, nil, func() { c.deleteSession(ctx) })
	<-c.done
	return nil
}

// finish ends the connection, once: it waits for what runs, then for last, and appends
// the last event. It does not wait itself.
func (c *HTTPConn) finish(e ConnEvent, err error, last func()) {
	c.ending.Do(func() {
		c.mu.Lock()
		c.closing = true
		c.mu.Unlock()
		go func() {
			c.reading.wait(bodyGrace)
			c.mu.Lock()
			c.end()
			c.mu.Unlock()
			c.running.Wait()
			last()
			c.err = err
			c.rec.end(e)
			c.client.CloseIdleConnections()
			close(c.done)
		}()
	})
}
