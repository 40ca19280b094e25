package clienttest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
)

// ListenWebSocket is [ListenTCP] over a websocket with the subprotocol mcp; the URL is
// "ws://127.0.0.1:PORT/mcp".
//
// A line is a message there, without its line ending; the server sends it as text, and
// as binary if it is no UTF-8. Bytes that are sent without a newline are on their way
// at once, as a fragment of a message that goes on. exit 0 closes with the code 1000,
// another status with 1011 and the words "exit N"; signal ends without a closing frame.
func ListenWebSocket(t testing.TB, script string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newServed(t, script, l)
	server := &http.Server{Handler: http.HandlerFunc(s.upgrade), ReadHeaderTimeout: time.Minute}
	s.running.Go(func() { _ = server.Serve(l) })
	t.Cleanup(func() { _ = server.Close() })
	return "ws://" + l.Addr().String() + "/mcp"
}

// upgrade makes a websocket of a request and runs the script on it.
func (s *served) upgrade(w http.ResponseWriter, r *http.Request) {
	taken := &taker{ResponseWriter: w}
	conn, err := websocket.Accept(taken, r, &websocket.AcceptOptions{Subprotocols: []string{"mcp"}})
	if err != nil || !s.keep(taken.conn) {
		return
	}
	defer s.drop(taken.conn)
	conn.SetReadLimit(-1)
	in, out := &messageReader{conn: conn}, &messageSender{w: taken.conn}
	exit, err := s.script.run(&socket{conn: taken.conn, over: s.over}, in, out, io.Discard)
	s.report(err)
	if exit.Signal != "" || err != nil && exit.Code != ExitMismatch {
		return
	}
	out.goodbye(exit.Code)
	in.drain()
}

// taker lets the connection be known that a websocket takes over.
type taker struct {
	http.ResponseWriter
	conn net.Conn
}

// Hijack implements [http.Hijacker].
func (t *taker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(t.ResponseWriter).Hijack()
	t.conn = conn
	return conn, rw, err
}

// messageReader reads messages as lines.
type messageReader struct {
	conn    *websocket.Conn
	message io.Reader // the one being read
}

func (r *messageReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if r.message == nil {
		_, message, err := r.conn.Reader(context.Background())
		if err != nil {
			return 0, io.EOF // however the client ended
		}
		r.message = message
	}
	n, err := r.message.Read(p)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	r.message = nil
	if n < len(p) {
		p[n] = '\n'
		return n + 1, nil
	}
	r.message = bytes.NewReader(nil) // the newline comes with the next read
	return n, nil
}

// drain waits until the client has said goodbye too, or has gone, at most a second.
func (r *messageReader) drain() {
	late := time.AfterFunc(time.Second, func() { _ = r.conn.CloseNow() })
	defer late.Stop()
	_, _ = io.Copy(io.Discard, r)
}

// The opcodes of RFC 6455, section 11.8, that are sent here.
const (
	opContinuation = 0
	opText         = 1
	opBinary       = 2
	opClose        = 8
)

// messageSender sends lines as messages. It writes frames itself, each at once, so
// that a message can be left unfinished on the wire.
type messageSender struct {
	w    io.Writer
	open bool // a message was begun
}

func (s *messageSender) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		piece, _, end := bytes.Cut(p[done:], []byte{'\n'})
		op := byte(opText)
		switch {
		case s.open:
			op = opContinuation
		case !utf8.Valid(piece):
			op = opBinary
		}
		text := piece
		if end {
			text = bytes.TrimSuffix(piece, []byte{'\r'})
		}
		if err := s.frame(op, end, text); err != nil {
			return done, err
		}
		s.open = !end
		done += len(piece)
		if end {
			done++
		}
	}
	return len(p), nil
}

// frame writes a frame as a server does (RFC 6455, section 5.2).
func (s *messageSender) frame(op byte, fin bool, payload []byte) error {
	if fin {
		op |= 0x80
	}
	frame := make([]byte, 0, len(payload)+10)
	frame = append(frame, op)
	switch n := len(payload); {
	case n < 126:
		frame = append(frame, byte(n))
	case n <= 0xffff:
		frame = binary.BigEndian.AppendUint16(append(frame, 126), uint16(n))
	default:
		frame = binary.BigEndian.AppendUint64(append(frame, 127), uint64(n))
	}
	_, err := s.w.Write(append(frame, payload...))
	return err
}

// goodbye is the server's half of the closing handshake.
func (s *messageSender) goodbye(code int) {
	status, reason := websocket.StatusNormalClosure, ""
	if code != 0 {
		status, reason = websocket.StatusInternalError, fmt.Sprintf("exit %d", code)
	}
	// The client may have gone before us.
	_ = s.frame(opClose, true, append(binary.BigEndian.AppendUint16(nil, uint16(status)), reason...))
}
