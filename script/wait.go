package script

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"parley/client/near"
	"parley/client/wire"
	"parley/history"
)

// waits knows where a wait begins to look: at the start of the step before it.
// Steps that neither talk to the server nor let time pass do not count, and waits
// that follow one another all count from the step before the first, each message
// for one of them.
type waits struct {
	log   *history.Log
	from  uint64            // the first frame that a wait looks at
	here  uint64            // the first frame of the step at hand
	taken map[wire.Ref]bool // messages that a wait found
}

// begin starts counting on another connection: from its beginning if it is new.
func (w *waits) begin(l *Link, isNew bool) {
	before := w.log
	*w = waits{from: 1, here: 1}
	if l == nil {
		return
	}
	if w.log = l.Log; !isNew || l.Log == before {
		w.from, w.here = l.Log.Len()+1, l.Log.Len()+1
	}
}

// step takes note that a step begins.
func (w *waits) step(step *Step, l *Link) {
	if l == nil {
		return
	}
	w.here = l.Log.Len() + 1
	switch name := step.Verb.Name; {
	case name == "wait":
	case step.Verb.Online, name == "sleep", name == "connect", name == "disconnect", name == "restart":
		w.from, w.taken = w.here, nil
	}
}

// Began takes note of a step that somebody took on the present connection without
// the interpreter, at frame seq: a wait counts from there. No step may run meanwhile.
func (in *Interp) Began(seq uint64) {
	if in.link != nil && seq > in.waits.from {
		in.waits.from, in.waits.taken = seq, nil
	}
}

// WaitError is a message that did not come.
type WaitError struct {
	Method string
	After  time.Duration
	Came   []string // what came instead
}

func (e *WaitError) Error() string { return fmt.Sprintf("no %s in %s", e.Method, e.After) }

// Hint says what came instead.
func (e *WaitError) Hint() string {
	switch n := near.Best(e.Method, e.Came); {
	case n != "" && n != e.Method:
		return "did you mean " + n + "? that came"
	case len(e.Came) == 0:
		return "since the start of the step before it the server sent no notification and asked for nothing"
	}
	return "since the start of the step before it came " + strings.Join(e.Came, ", ")
}

// Word names the error for machines.
func (e *WaitError) Word() string { return "timeout" }

// doWait is the step wait: it looks for a notification or a request of the server,
// and waits for one.
func (in *Interp) doWait(ctx context.Context, step *Step, o *Outcome) error {
	l, err := in.online(ctx)
	if l == nil {
		return err
	}
	o.Link = l
	method, timeout, wrong := in.waitFor(ctx, step)
	if wrong != nil {
		return wrong
	}
	o.Name = method
	begun := time.Now()
	defer func() { o.Took = time.Since(begun) }()
	clock := time.NewTimer(timeout)
	defer clock.Stop()
	s := search{log: l.Log, method: method, from: in.waits.from, taken: in.waits.taken}
	for {
		changed, done := l.Log.Changed(), l.Client.Done()
		ref, ok := s.look()
		if !ok && err != nil { // it ended before we looked
			return fmt.Errorf("%w, and sent no %s before", err, method)
		}
		if ok {
			return in.waited(o, ref)
		}
		select {
		case <-changed:
		case <-done:
			err = ended(l)
		case <-clock.C:
			return &WaitError{Method: method, After: timeout, Came: s.others()}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// waitFor reads the words of wait.
func (in *Interp) waitFor(ctx context.Context, step *Step) (method string, timeout time.Duration, err error) {
	words, err := in.texts(ctx, step.Words)
	if err != nil {
		return "", 0, err
	}
	if len(words) > 1 {
		timeout, err = ParseDuration(words[1])
		return words[0], timeout, err
	}
	if in.settings.Timeout > 0 {
		return words[0], in.settings.Timeout, nil
	}
	return words[0], in.link.Client.Timeout(), nil
}

// waited gives the message that came, exactly as it came.
func (in *Interp) waited(o *Outcome, ref wire.Ref) (err error) {
	if in.waits.taken == nil {
		in.waits.taken = map[wire.Ref]bool{}
	}
	in.waits.taken[ref] = true
	o.From = ref.Seq
	if ref.Member == 0 {
		o.Value, err = o.Link.Log.Bytes(ref.Seq, 0, -1)
		return err
	}
	head, err := o.Link.Log.Head(ref.Seq)
	if err != nil || int(ref.Member) > len(head.Members) {
		return err
	}
	span := head.Members[ref.Member-1].Span
	o.Value, err = o.Link.Log.Bytes(ref.Seq, span.Off, int(span.Len))
	return err
}

// search looks for a message, at every frame once.
type search struct {
	log    *history.Log
	method string
	from   uint64
	taken  map[wire.Ref]bool
	came   map[string]int
}

// look looks at the frames that are new.
func (s *search) look() (found wire.Ref, ok bool) {
	if s.came == nil {
		s.came = map[string]int{}
	}
	next := s.from
	s.log.Records(s.from, s.log.Len(), func(r *history.Record) bool {
		if r.Open { // its end will come
			return false
		}
		if found, ok = s.in(r); ok {
			return false
		}
		next = r.Seq + 1
		return true
	})
	s.from = next
	return found, ok
}

// in looks into one frame.
func (s *search) in(r *history.Record) (wire.Ref, bool) {
	if r.Dir != wire.In || r.Kind != wire.Message {
		return wire.Ref{}, false
	}
	if r.Form != wire.Batch {
		return s.match(wire.Ref{Seq: r.Seq}, r.Form, r.Method)
	}
	for i, h := range s.log.Members(r.Seq) {
		if ref, ok := s.match(wire.Ref{Seq: r.Seq, Member: int32(i + 1)}, h.Form, h.Method); ok {
			return ref, true
		}
	}
	return wire.Ref{}, false
}

func (s *search) match(ref wire.Ref, form wire.Form, method string) (wire.Ref, bool) {
	if form != wire.Notification && form != wire.Request {
		return wire.Ref{}, false
	}
	if method == s.method && !s.taken[ref] {
		return ref, true
	}
	s.came[method]++
	return wire.Ref{}, false
}

// others are the methods of what came, those that came most first.
func (s *search) others() []string {
	names := slices.SortedFunc(maps.Keys(s.came), func(a, b string) int {
		if s.came[a] != s.came[b] {
			return s.came[b] - s.came[a]
		}
		return strings.Compare(a, b)
	})
	return names[:min(len(names), maxCame)]
}

// maxCame is how many other methods a hint names.
const maxCame = 6
