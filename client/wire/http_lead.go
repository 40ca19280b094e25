package wire

import (
	"slices"
	"sync"
	"time"
)

// leadTime is how long the head of a response waits for the beginning of its body, so
// that both are one append; it may be twice as long.
const leadTime = 10 * time.Millisecond

// lead is the frame of a response's head, which is appended together with what comes
// next, or by itself when that does not come soon.
type lead struct {
	mu     sync.Mutex
	frames [2]Frame
	told   bool
	since  time.Time // when it began to wait
}

// flush appends the frame if that was not done.
func (l *lead) flush(rec *recorder) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.told {
		l.told = true
		rec.append(l.frames[:1])
	}
}

// with appends f, after the frame if that is waiting.
func (l *lead) with(rec *recorder, f Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	frames := l.frames[:]
	if l.told {
		frames = frames[1:]
	}
	l.told = true
	frames[len(frames)-1] = f
	rec.append(frames)
}

// leads are those of a connection that wait. One timer serves them all: a timer for each
// would cost more than the append that it saves.
type leads struct {
	rec *recorder

	mu      sync.Mutex
	waiting []*lead
	timer   *time.Timer
	armed   bool
}

// add has a lead wait.
func (t *leads) add(l *lead) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l.since = time.Now()
	t.waiting = append(t.waiting, l)
	if t.armed {
		return
	}
	t.armed = true
	if t.timer == nil {
		t.timer = time.AfterFunc(leadTime, t.sweep)
	} else {
		t.timer.Reset(leadTime)
	}
}

// remove takes out a lead that need not wait any more.
func (t *leads) remove(l *lead) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.waiting, l); i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
	}
}

// sweep appends what has waited long enough.
func (t *leads) sweep() {
	t.mu.Lock()
	defer t.mu.Unlock()
	limit := time.Now().Add(-leadTime)
	t.waiting = slices.DeleteFunc(t.waiting, func(l *lead) bool {
		late := !l.since.After(limit)
		if late {
			l.flush(t.rec)
		}
		return late
	})
	if t.armed = len(t.waiting) > 0; t.armed {
		t.timer.Reset(leadTime)
	}
}

// stop ends the timer; what waits is appended no more.
func (t *leads) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer != nil {
		t.timer.Stop()
	}
}
