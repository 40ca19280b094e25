package wire

import (
	"bytes"
	"encoding/json"
	"sync"
	"time"
)

// recorder is the one way in which a connection hands frames to its sink: it stamps
// events, and sees to it that nothing follows the last one. Its methods may be called
// from several goroutines.
type recorder struct {
	sink Sink
	now  func() time.Time

	mu    sync.Mutex // orders appends against the end
	ended bool       // the last event was appended: nothing may follow
	one   [1]Frame   // the frame that put hands over

	waiting []held // in the order observed
	timer   *time.Timer
	armed   bool
	joined  []Frame // what is handed over with them
	text    []byte  // their bytes
}

// newRecorder makes a recorder; now may be nil, for time.Now.
func newRecorder(sink Sink, now func() time.Time) *recorder {
	if now == nil {
		now = time.Now
	}
	return &recorder{sink: sink, now: now}
}

// append hands the frames over and reports whether it did: after the end it does not.
func (r *recorder) append(frames []Frame) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return false
	}
	r.afterHeadsLocked(frames)
	return true
}

// Append makes a recorder the sink of a reader; after the end it returns 0.
func (r *recorder) Append(frames []Frame) (first uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return 0
	}
	return r.sink.Append(frames)
}

// put hands over one frame and gives its number, 0 after the end.
func (r *recorder) put(f Frame) (seq uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.putLocked(f)
}

func (r *recorder) putLocked(f Frame) (seq uint64) {
	if r.ended {
		return 0
	}
	r.one[0] = f
	r.afterHeadsLocked(r.one[:])
	seq = r.one[0].Seq
	r.one[0] = Frame{}
	return seq
}

// sent appends what is about to be sent, in parts if it is long, and gives its number,
// 0 after the end, and its head. What is no JSON-RPC message is Stray.
func (r *recorder) sent(raw []byte, via string, by Origin, of uint64) (seq uint64, h Head) {
	f := Frame{Time: r.now(), Dir: Out, Via: via, By: by, Of: of, Head: Scan(raw)}
	if !f.Head.Form.IsMessage() {
		f.Kind = Stray
	}
	for done := 0; ; {
		rest := raw[done:]
		n := len(rest)
		if n > MaxPart {
			n = cutPart(rest)
		}
		done += n
		f.Raw, f.Size, f.More = rest[:n], int64(done), done < len(raw)
		if f.Seq = r.put(f); f.Seq == 0 || !f.More {
			return f.Seq, f.Head
		}
	}
}

// http appends a head or other text of the transport and gives its number.
func (r *recorder) http(dir Dir, via string, raw []byte) (seq uint64) {
	return r.put(Frame{Time: r.now(), Dir: dir, Kind: HTTP, Via: via, Size: int64(len(raw)), Raw: raw})
}

// event appends an event, unless the connection is over.
func (r *recorder) event(e ConnEvent) { r.put(eventFrame(e, r.now())) }

// lost says that the answer to a request cannot come any more, and why: the event
// lost, then [LossSink].Lost where the sink has it.
func (r *recorder) lost(seq uint64, err error) {
	if r.put(eventFrame(ConnEvent{Event: EventLost, Seq: seq, Text: err.Error()}, r.now())) == 0 {
		return
	}
	if s, ok := r.sink.(LossSink); ok {
		s.Lost(seq, err)
	}
}

// end appends the last event. Only the first end counts.
func (r *recorder) end(e ConnEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.putLocked(eventFrame(e, r.now()))
	r.ended = true
	if r.timer != nil {
		r.timer.Stop()
	}
}

func eventFrame(e ConnEvent, at time.Time) Frame {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		panic(err) // a struct of numbers and strings
	}
	raw := bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
	return Frame{Time: at, Kind: Event, Size: int64(len(raw)), Raw: raw}
}
