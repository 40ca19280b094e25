package wire

import "encoding/json"

// The names of events.
const (
	EventConnected    = "connected"    // opens an epoch
	EventExited       = "exited"       // the server's process ended
	EventDisconnected = "disconnected" // the other side, or the network, ended a connection that is no process
	EventClosed       = "closed"       // we ended the connection
	EventWriteFailed  = "write-failed" // a frame that was appended could not be written
	EventLost         = "lost"         // a request was sent and its answer cannot come any more
	EventAbandoned    = "abandoned"    // we closed the stream on which the answer to a request would have come
	EventReconnecting = "reconnecting" // a stream broke and is opened again, after a pause
	EventSwitched     = "switched"     // another transport is used from here on
	EventExpired      = "expired"      // the server does not know the HTTP session any more
	EventNotice       = "notice"       // a word from parley itself, kept with the session
)

// The names of transports, in [ConnEvent] and as the Via of frames; of HTTP, Via says
// more: "POST 7".
const (
	TransportStdio = "stdio"
	TransportHTTP  = "http" // Streamable HTTP
	TransportSSE   = "sse"  // HTTP+SSE of 2024-11-05
	TransportWS    = "ws"
	TransportTCP   = "tcp"
	TransportUnix  = "unix"
)

// ConnEvent is the content of a frame of kind [Event], as JSON.
type ConnEvent struct {
	Event     string   `json:"event"`
	Epoch     int      `json:"epoch,omitempty"`     // connected: 1, 2, 3 … in a session
	PID       int      `json:"pid,omitempty"`       // connected, of a process
	Transport string   `json:"transport,omitempty"` // connected, unless it is stdio; switched
	URL       string   `json:"url,omitempty"`       // connected, switched: where to, secrets masked
	Code      *int     `json:"code,omitempty"`      // exited, by itself
	Signal    string   `json:"signal,omitempty"`    // exited, killed: "SIGSEGV"
	Stderr    []string `json:"stderr,omitempty"`    // exited: its last lines, at most 20
	Seq       uint64   `json:"seq,omitempty"`       // write-failed, lost, abandoned: the frame concerned
	Via       string   `json:"via,omitempty"`       // reconnecting: the stream that broke, "POST 7"; notice: "GET", that there is no such stream any more
	Attempt   int      `json:"attempt,omitempty"`   // reconnecting: 1, 2, 3 … in a row
	Millis    int64    `json:"ms,omitempty"`        // reconnecting: the pause before it
	Text      string   `json:"text,omitempty"`      // an error's, a reason's or a notice's words
}

// ParseEvent reads the content of an event frame. Unknown keys are ignored.
func ParseEvent(raw []byte) (ConnEvent, error) {
	var e ConnEvent
	err := json.Unmarshal(raw, &e)
	return e, err
}
