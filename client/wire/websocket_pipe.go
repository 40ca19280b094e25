package wire

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"sync/atomic"
)

// The opcodes of control frames (RFC 6455, section 11.8).
const (
	opClose = 8
	opPong  = 10
)

// closeNormal is the code of a normal closure.
const closeNormal = 1000

// upgraded is the connection below a websocket. Frames that must not wait for others,
// or after which none may follow, are written to it directly.
type upgraded struct {
	io.ReadWriteCloser
	ready atomic.Bool // the upgrade was found to be in order
	left  atomic.Bool // our closing frame was written, or is being written
}

// Read reads nothing of an upgrade that is refused. Of a websocket no end is expected
// without a closing frame, and none within a message.
func (u *upgraded) Read(p []byte) (int, error) {
	if !u.ready.Load() {
		return 0, io.EOF
	}
	n, err := u.ReadWriteCloser.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Write drops what would follow the closing frame, such as an answer to the server's.
func (u *upgraded) Write(p []byte) (int, error) {
	if u.left.Load() {
		return len(p), nil
	}
	return u.ReadWriteCloser.Write(p)
}

// goodbye writes the closing frame, once. No message may be under way.
func (u *upgraded) goodbye() error {
	if u.left.Swap(true) {
		return nil
	}
	_, err := u.ReadWriteCloser.Write(controlFrame(opClose, binary.BigEndian.AppendUint16(nil, closeNormal)))
	return err
}

// controlFrame is a control frame as clients send it, masked (RFC 6455, section 5.2).
// The payload has at most 125 bytes.
func controlFrame(opcode byte, payload []byte) []byte {
	frame := make([]byte, 6, 6+len(payload))
	frame[0], frame[1] = 0x80|opcode, 0x80|byte(len(payload))
	_, _ = rand.Read(frame[2:]) // never fails
	mask := [4]byte(frame[2:])
	for i, b := range payload {
		frame = append(frame, b^mask[i%4])
	}
	return frame
}
