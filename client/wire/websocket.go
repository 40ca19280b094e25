package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/coder/websocket"
)

// WebSocket is a connection over a websocket (RFC 6455), one JSON-RPC message a
// websocket message. Its methods may be called from several goroutines.
//
// Its first frame is the event connected, then the heads of the upgrade follow; its
// last one is the event closed if Close ended it, else the event disconnected.
type WebSocket struct {
	link
	conn  *websocket.Conn
	pipe  *upgraded
	pings chan []byte // the newest ping that has no answer yet
}

// write sends text as text, and what is no UTF-8 as binary, which text must not be.
func (w *WebSocket) write(raw []byte) error {
	kind := websocket.MessageText
	if !utf8.Valid(raw) {
		kind = websocket.MessageBinary
	}
	return w.conn.Write(context.Background(), kind, raw)
}

// read reads to the end of the connection and closes it.
func (w *WebSocket) read() {
	cut, err := w.messages()
	_ = w.pipe.Close() // ends a write that is blocked, too
	_ = w.conn.CloseNow()
	e := w.disconnected(err)
	e.Cut = cut
	w.finish(e, inOrder(e.Code) && !cut)
}

// messages reads one message after the other, to the end; cut reports that it came
// within one.
func (w *WebSocket) messages() (cut bool, err error) {
	m := newMessageWriter(w.out.recorder, TransportWS)
	for {
		_, r, err := w.conn.Reader(context.Background())
		if err != nil {
			return false, err
		}
		err = m.readFrom(r, -1)
		if seq, _, _ := m.end(); seq == 0 && err == nil {
			m.put(nil, false) // an empty message is one, too
		}
		if err != nil {
			return true, err
		}
		m.reset()
	}
}

// disconnected says what an error of reading means.
func (w *WebSocket) disconnected(err error) *DisconnectedError {
	e := &DisconnectedError{URL: w.url, Code: codeNone}
	var closed websocket.CloseError
	var system syscall.Errno
	var network net.Error
	switch {
	case errors.As(err, &closed):
		e.Code, e.Reason = int(closed.Code), closed.Reason
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
	case errors.As(err, &system), errors.As(err, &network):
		e.Err = err
	default:
		e.Err = breach(err.Error())
	}
	return e
}

// breach is what the other side did against the rules of websockets.
type breach string

func (b breach) Error() string {
	text := string(b)
	for _, prefix := range []string{"failed to get reader: ", "failed to read: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return "it breaks the websocket protocol: " + text
}

// ping is told of a ping. It is answered once nothing else is being written: a server
// that pings and does not read must not stop us from reading.
func (w *WebSocket) ping(_ context.Context, payload []byte) (answer bool) {
	select {
	case <-w.pings: // the newest is enough (RFC 6455, section 5.5.3)
	default:
	}
	w.pings <- append([]byte(nil), payload...)
	return false
}

// pong answers pings until the end.
func (w *WebSocket) pong() {
	for {
		select {
		case <-w.done:
			return
		case payload := <-w.pings:
			w.out.hold()
			_, _ = w.pipe.Write(controlFrame(opPong, payload)) // a broken connection is seen by the reader
			w.out.release()
		}
	}
}

// CloseSend ends the sending. The server is not told: of a websocket there is no half
// to close, and most servers that hear a goodbye send no answers any more. What it
// sends is read on until Close.
func (w *WebSocket) CloseSend() error {
	w.asked.Store(true)
	return nil
}

// Close ends the connection in order: after the frame that is being written it sends
// the closing frame and waits for the server's, but no longer than the grace, or than
// ctx lasts. It returns when all that came was appended; the error is always nil.
// Calling it again waits for the same end.
func (w *WebSocket) Close(ctx context.Context) error {
	w.closing.Do(func() {
		w.leaving.Store(true)
		w.asked.Store(true)
		go func() { _ = w.out.closeSend() }() // may block where the server does not read
		go func() {
			if !w.await() {
				_ = w.pipe.Close()
			}
		}()
	})
	select {
	case <-w.done:
	case <-ctx.Done():
		_ = w.pipe.Close()
		<-w.done
	}
	return nil
}

// farewell is the closing of the direction of writing, in the eyes of a sender.
type farewell struct{ *upgraded }

func (f farewell) Close() error { return f.goodbye() }
