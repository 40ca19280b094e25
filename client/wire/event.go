package wire

import "encoding/json"

// The names of events.
const (
	EventConnected   = "connected"    // opens an epoch
	EventExited      = "exited"       // the server's process ended
	EventClosed      = "closed"       // we ended the connection
	EventWriteFailed = "write-failed" // a frame that was appended could not be written
	EventNotice      = "notice"       // a word from parley itself, kept with the session
)

// ConnEvent is the content of a frame of kind [Event], as JSON.
type ConnEvent struct {
	Event  string   `json:"event"`
	Epoch  int      `json:"epoch,omitempty"`  // connected: 1, 2, 3 … in a session
	PID    int      `json:"pid,omitempty"`    // connected, of a process
	Code   *int     `json:"code,omitempty"`   // exited, by itself
	Signal string   `json:"signal,omitempty"` // exited, killed: "SIGSEGV"
	Stderr []string `json:"stderr,omitempty"` // exited: its last lines, at most 20
	Seq    uint64   `json:"seq,omitempty"`    // write-failed: the frame that was not written
	Text   string   `json:"text,omitempty"`   // an error's or a notice's words
}

// ParseEvent reads the content of an event frame. Unknown keys are ignored.
func ParseEvent(raw []byte) (ConnEvent, error) {
	var e ConnEvent
	err := json.Unmarshal(raw, &e)
	return e, err
}
