package wire

import (
	"context"
	"time"
)

// StreamOptions adjust a connection over a socket. The zero value is usable.
type StreamOptions struct {
	Epoch int // the number of the connection in its session, for the event connected
	// ConnectTimeout bounds the dialling; 0 means 10 s.
	ConnectTimeout time.Duration
	// Grace is how long Close waits for the other side to end; 0 means 500 ms.
	Grace time.Duration
	Now   func() time.Time // the clock that stamps frames; nil means time.Now
}

// Stream is a connection over TCP or a unix socket, with the line framing of stdio
// (spec: basic/transports, custom transports). Its methods may be called from several
// goroutines.
//
// Its first frame is the event connected, its last one the event closed if Close
// ended it, else the event disconnected.
type Stream struct{}

// DialStream connects to a socket. The network is "tcp", with an address "host:port",
// or "unix", with a path. Errors are of type [*AddressError], [*SocketError] or
// [*NetError]; nothing is appended then.
func DialStream(_ context.Context, _, _ string, _ StreamOptions, _ Sink) (*Stream, error) {
	return nil, nil
}
