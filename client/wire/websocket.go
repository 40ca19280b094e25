package wire

import (
	"context"
	"net/http"
	"time"
)

// WebSocketOptions adjust a connection over a websocket. The zero value is usable.
type WebSocketOptions struct {
	Header http.Header  // of the upgrade's request
	Client *http.Client // as NewHTTPClient makes it; that of the zero NetOptions if nil
	Epoch  int          // the number of the connection in its session
	// Grace is how long Close waits for what is being written, and again for the other
	// side's goodbye; 0 means 500 ms.
	Grace time.Duration
	Now   func() time.Time // the clock that stamps frames; nil means time.Now
}

// WebSocket is a connection over a websocket (RFC 6455), one message a websocket
// message. Its methods may be called from several goroutines.
//
// Its first frame is the event connected, then the heads of the upgrade follow; its
// last one is the event closed if Close ended it, else the event disconnected.
type WebSocket struct{}

// DialWebSocket connects to a ws or wss URL. Errors are of type [*AddressError],
// [*NetError] or [*UpgradeError]. The heads of an upgrade that was refused are
// appended, without an event.
func DialWebSocket(_ context.Context, _ string, _ WebSocketOptions, _ Sink) (*WebSocket, error) {
	return nil, nil
}
