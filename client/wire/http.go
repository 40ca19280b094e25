package wire

import (
	"context"
	"net/http"
	"time"
)

// Mode says which of the two HTTP transports is spoken.
type Mode uint8

// The modes.
const (
	ModeAuto       Mode = iota // Streamable HTTP, and HTTP+SSE where the server refuses that
	ModeStreamable             // Streamable HTTP (spec: basic/transports, since 2025-03-26)
	ModeSSE                    // HTTP+SSE (spec: 2024-11-05, basic/transports)
)

// HTTPOptions describe a connection over HTTP.
type HTTPOptions struct {
	URL    string // http or https
	Mode   Mode
	Header http.Header  // of every request; what is in it wins over ours
	Client *http.Client // as NewHTTPClient makes it; that of the zero NetOptions if nil
	Epoch  int
	// Reconnects is how many times in a row a stream that broke is opened again;
	// 0 means DefaultReconnects, less than 0 never.
	Reconnects int
	Now        func() time.Time // the clock that stamps frames; time.Now if nil
}

// DefaultReconnects is how often a broken stream is opened again in a row.
const DefaultReconnects = 5

// Agreement is what client and server agreed on. It shapes the headers of what is
// sent from then on.
type Agreement struct {
	Version string // for MCP-Protocol-Version, where a message does not say itself
	Modern  bool   // no sessions, no GET stream, no DELETE
	// Fields gives the Mcp-Param-* headers of a request; nil gives none.
	Fields func(h *Head, raw []byte) []Field
}

// Field is one header field, its value as it goes over the wire.
type Field struct{ Name, Value string }

// HTTPConn is a connection over HTTP.
type HTTPConn struct{}

// DialHTTP opens a connection; nothing is sent before the first Send, but in ModeSSE
// the stream is opened and its endpoint event awaited.
func DialHTTP(_ context.Context, _ HTTPOptions, _ Sink) (*HTTPConn, error) { return nil, nil }
