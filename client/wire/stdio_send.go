package wire

import (
	"io"
	"sync"
	"sync/atomic"
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

// sender appends and writes what goes to the server, one frame after another. Its lock
// is a channel, not a mutex, so that a goroutine that waits for it counts as blocked in
// a synctest bubble.
type sender struct {
	*recorder
	w io.WriteCloser
	// message writes a frame where it is no line; nil writes lines to w.
	message func(raw []byte) error

	lock    chan struct{} // held while a frame is appended and written
	closing atomic.Bool   // nothing more is to be sent
	once    sync.Once     // closes w
	err     error         // of closing w
	buf     []byte
}

func newSender(rec *recorder, w io.WriteCloser) *sender {
	return &sender{recorder: rec, w: w, lock: make(chan struct{}, 1)}
}

// send appends the frame and writes it. seq is 0 if the connection was over.
func (s *sender) send(raw []byte, via string, by Origin, of uint64) (seq uint64, err error) {
	s.hold()
	defer s.release()
	if s.closing.Load() {
		return 0, ErrClosed
	}
	if seq, _ = s.sent(raw, via, by, of); seq == 0 {
		return 0, ErrClosed
	}
	if err := s.write(raw); err != nil {
		s.event(ConnEvent{Event: EventWriteFailed, Seq: seq, Text: err.Error()})
		return seq, err
	}
	return seq, nil
}

// hold keeps everything else from being sent until release.
func (s *sender) hold() { s.lock <- struct{}{} }

func (s *sender) release() {
	<-s.lock
	if s.closing.Load() { // closeSend left it to us
		_ = s.close()
	}
}

func (s *sender) write(raw []byte) error {
	if s.message != nil {
		return s.message(raw)
	}
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
	s.recorder.end(e)
}
