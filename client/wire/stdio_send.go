package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// ErrClosed is what Send returns on a connection that we ended.
var ErrClosed error = closedError{}

type closedError struct{}

func (closedError) Error() string { return "the connection is closed" }

// Word names the error for machines.
func (closedError) Word() string { return "closed" }

// oneWrite is the size up to which a frame and its line ending go out in a
// single write. A pipe takes longer ones in pieces anyway.
const oneWrite = 64 << 10

// sender appends and writes what goes to the server, one frame after another,
// and appends the connection's events. Its lock is a channel, not a mutex, so
// that a goroutine that waits for it counts as blocked in a synctest bubble.
type sender struct {
	sink Sink
	now  func() time.Time
	w    io.WriteCloser

	lock    chan struct{} // held while a frame is appended and written
	closing atomic.Bool   // nothing more is to be sent
	once    sync.Once     // closes w
	err     error         // of closing w
	buf     []byte
	out     [1]Frame // the one that is being appended

	mu    sync.Mutex // orders appends against the end
	ended bool       // the last event was appended: nothing may follow
}

func newSender(sink Sink, w io.WriteCloser, now func() time.Time) *sender {
	return &sender{sink: sink, w: w, now: now, lock: make(chan struct{}, 1)}
}

// send appends the frame and writes it. seq is 0 if the connection was over.
func (s *sender) send(raw []byte, by Origin, of uint64) (seq uint64, err error) {
	s.lock <- struct{}{}
	defer func() {
		<-s.lock
		if s.closing.Load() { // closeSend left it to us
			_ = s.close()
		}
	}()
	if s.closing.Load() {
		return 0, ErrClosed
	}
	seq = s.appendOut(raw, by, of)
	if seq == 0 {
		return 0, ErrClosed
	}
	if err := s.write(raw); err != nil {
		s.event(ConnEvent{Event: EventWriteFailed, Seq: seq, Text: err.Error()})
		return seq, err
	}
	return seq, nil
}

func (s *sender) appendOut(raw []byte, by Origin, of uint64) (seq uint64) {
	f := &s.out
	f[0] = Frame{Time: s.now(), Dir: Out, By: by, Of: of, Head: Scan(raw)}
	defer func() { f[0] = Frame{} }()
	if !f[0].Head.Form.IsMessage() {
		f[0].Kind = Stray
	}
	for done := 0; ; {
		rest := raw[done:]
		n := len(rest)
		if n > MaxPart {
			n = cutPart(rest)
		}
		done += n
		f[0].Raw, f[0].Size, f[0].More = rest[:n], int64(done), done < len(raw)
		if !s.append(f[:]) {
			return seq
		}
		seq = f[0].Seq
		if !f[0].More {
			return seq
		}
	}
}

func (s *sender) write(raw []byte) error {
	if len(raw) < oneWrite {
		s.buf = append(append(s.buf[:0], raw...), '\n')
		_, err := s.w.Write(s.buf)
		return err
	}
	if _, err := s.w.Write(raw); err != nil {
		return err
	}
	_, err := s.w.Write([]byte{'\n'})
	return err
}

// event appends an event, unless the connection is over.
func (s *sender) event(e ConnEvent) { s.append([]Frame{eventFrame(e, s.now())}) }

func (s *sender) append(frames []Frame) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.sink.Append(frames)
	return true
}

// closeSend closes the server's input once the frame is out that is being
// written, without waiting for it.
func (s *sender) closeSend() error {
	s.closing.Store(true)
	select {
	case s.lock <- struct{}{}:
		err := s.close()
		<-s.lock
		return err
	default:
		return nil
	}
}

// abort closes the server's input at once; a write that is blocked fails.
func (s *sender) abort() {
	s.closing.Store(true)
	_ = s.close()
}

func (s *sender) close() error {
	s.once.Do(func() { s.err = s.w.Close() })
	return s.err
}

// end appends the last event; whatever is being sent has failed before it.
func (s *sender) end(e ConnEvent) {
	s.abort()
	s.lock <- struct{}{}
	defer func() { <-s.lock }()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.sink.Append([]Frame{eventFrame(e, s.now())})
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
