package wire

import (
	"io"
	"time"
)

// sseEvent is one event of a stream: what came up to an empty line.
type sseEvent struct {
	Type    string // as it came; empty means message
	ID      string
	HasID   bool          // the field id was there, perhaps empty, and had no NUL in it
	HasData bool          // the field data was there, perhaps empty
	Retry   time.Duration // -1: none
	// Seq and Head are those of the frame of its data; 0 and empty if it is no message.
	Seq  uint64
	Head Head
	Data []byte // its data, nil if longer than MaxPart; valid until the hook returns
}

// isMessage reports whether the data of such an event is a message.
func (e *sseEvent) isMessage() bool { return e.Type == "" || e.Type == "message" }

// sseReader cuts a stream of server-sent events (the HTML standard, 9.2.6) into frames:
// the exact bytes of each event, of kind HTTP, and if it is a message its joined data
// after it, of kind Message or Stray.
type sseReader struct {
	rec *recorder
	via string
	// mask gives the bytes to be shown of an event that may hold a secret; nil masks
	// nothing.
	mask func(raw []byte, e *sseEvent) []byte
}

// run reads to the end of body and calls on for each event after its frames were
// appended. It returns nil at the end of the stream or when on returned false.
func (s *sseReader) run(body io.Reader, on func(e *sseEvent) bool) error { return nil }
