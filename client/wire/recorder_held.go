package wire

import "time"

// heldTime is how long heads of HTTP wait, so that they and what comes next are one
// append: mostly a request's head, its response's and the body.
const heldTime = 10 * time.Millisecond

// held is a head that waits.
type held struct {
	head interface{ appendHead(b []byte) []byte }
	dir  Dir
	via  string
	at   time.Time
}

// hold has a head of HTTP appended together with what comes next on the connection, or
// by itself when that does not come soon. Nothing overtakes it.
func (r *recorder) hold(dir Dir, via string, head interface{ appendHead(b []byte) []byte }) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	r.waiting = append(r.waiting, held{head, dir, via, r.now()})
	switch {
	case r.armed:
		return
	case r.timer == nil:
		r.timer = time.AfterFunc(heldTime, r.flush)
	default:
		r.timer.Reset(heldTime)
	}
	r.armed = true
}

// flush appends the heads that wait.
func (r *recorder) flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.armed = false
	if !r.ended && len(r.waiting) > 0 {
		r.sink.Append(r.headsLocked())
		r.doneLocked()
	}
}

// headsLocked makes the frames of the heads that wait, which hold until doneLocked. Only
// here they are spelled: nobody waits for a head.
func (r *recorder) headsLocked() []Frame {
	r.joined, r.text = r.joined[:0], r.text[:0]
	for i := range r.waiting {
		h := &r.waiting[i]
		from := len(r.text)
		r.text = h.head.appendHead(r.text)
		raw := r.text[from:]
		r.joined = append(r.joined, Frame{Time: h.at, Dir: h.dir, Kind: HTTP, Via: h.via, Size: int64(len(raw)), Raw: raw})
	}
	clear(r.waiting)
	r.waiting = r.waiting[:0]
	return r.joined
}

func (r *recorder) doneLocked() {
	clear(r.joined)
	if cap(r.text) > readSize {
		r.text = nil
	}
}

// afterHeadsLocked appends the heads that wait, then the frames.
func (r *recorder) afterHeadsLocked(frames []Frame) {
	if len(r.waiting) == 0 {
		r.sink.Append(frames)
		return
	}
	n := len(r.headsLocked())
	r.joined = append(r.joined, frames...)
	r.sink.Append(r.joined)
	copy(frames, r.joined[n:])
	r.doneLocked()
}
