// Package wire moves JSON-RPC messages as exact bytes and says what each one
// is. It knows frames and their heads, not what MCP means by them.
//
// Everything that happens on a connection becomes a [Frame] and is given to a
// [Sink] in the order observed: messages both ways, stray standard output,
// standard error, the connection's own events. Bytes are never decoded and
// encoded again.
package wire

import "time"

// Dir says which way a frame went.
type Dir uint8

// The directions. Events have none.
const (
	None Dir = iota
	Out      // toward the server
	In       // from the server
)

// Kind says what sort of observation a frame is.
type Kind uint8

// The kinds. A line is a Message only if its bytes are a JSON-RPC message.
const (
	Message Kind = iota
	Stray        // a line on standard output that is no JSON-RPC message
	Stderr       // a line of standard error
	HTTP         // a head or an event of the transport below the messages
	Event        // what the connection itself did, as JSON: see Event in event.go
)

// Origin says who caused a frame that was sent.
type Origin uint8

// The origins of sent frames. Received frames have ByNone.
const (
	ByNone    Origin = iota
	ByAuto           // parley itself: handshake, lists, answers that need nobody
	ByForm           // a form, or a command line that names an operation
	ByConsole        // a line typed by hand
	ByScript
	ByReplay
	ByProbe
	ByEdit // a frame that was changed on its way
)

// EOL says how a line ended. Lines end with EOLNone only where a stream did.
type EOL uint8

// The line endings.
const (
	EOLLF EOL = iota
	EOLCRLF
	EOLNone
)

// MaxPart is the size in bytes up to which a frame is handed over whole. A
// longer one arrives in parts of at most this size.
const MaxPart = 1 << 20

// Frame is one observation on a connection.
//
// A frame longer than [MaxPart] arrives in parts: the first has Seq 0 and More
// set, the following ones carry the number that the sink gave the first, and
// the last has More clear. Kind, EOL, Head and Size of the last part hold for
// the whole frame; in earlier parts they are what is known so far (Kind is the
// one expected, Size the bytes up to and including this part).
type Frame struct {
	Seq  uint64 // 1, 2, 3 … in the order observed; given by the sink, 0 before
	Time time.Time
	Dir  Dir
	Kind Kind
	Via  string // "stdio" …; empty means stdio
	By   Origin
	Of   uint64 // the frame this one replaces (edited, replayed), or 0
	EOL  EOL
	Head Head
	Size int64  // bytes of the whole frame, without its line ending
	Raw  []byte // this part's exact bytes, without the line ending; valid until Append returns
	More bool   // another part follows
}

// Sink takes what one read brought, in order, and numbers it: it sets Seq of
// each frame that has none to the next number and returns the first number it
// gave (0 if all frames were continuations). Append may be called from several
// goroutines; it must not keep Raw, and must not call back into the connection
// that called it.
type Sink interface {
	Append(frames []Frame) (first uint64)
}

// LossSink is a Sink that also wants to know, as an error of Go, why the answer to
// the request with that number cannot come any more. Lost is called after the event
// lost was appended, from any goroutine.
type LossSink interface {
	Sink
	Lost(seq uint64, err error)
}

var (
	dirNames    = [...]string{"", ">", "<"}
	kindNames   = [...]string{"message", "stray", "stderr", "http", "event"}
	originNames = [...]string{"", "auto", "form", "console", "script", "replay", "probe", "edit"}
	eolNames    = [...]string{"lf", "crlf", "none"}
)

// String gives the spelling of the session format: ">" , "<" or "".
func (d Dir) String() string { return name(dirNames[:], uint8(d)) }

// String gives the spelling of the session format.
func (k Kind) String() string { return name(kindNames[:], uint8(k)) }

// String gives the spelling of the session format.
func (o Origin) String() string { return name(originNames[:], uint8(o)) }

// String gives the spelling of the session format.
func (e EOL) String() string { return name(eolNames[:], uint8(e)) }

// ParseDir reads the spelling that String gives.
func ParseDir(s string) (Dir, bool) { i, ok := parse(dirNames[:], s); return Dir(i), ok }

// ParseKind reads the spelling that String gives.
func ParseKind(s string) (Kind, bool) { i, ok := parse(kindNames[:], s); return Kind(i), ok }

// ParseOrigin reads the spelling that String gives.
func ParseOrigin(s string) (Origin, bool) { i, ok := parse(originNames[:], s); return Origin(i), ok }

// ParseEOL reads the spelling that String gives.
func ParseEOL(s string) (EOL, bool) { i, ok := parse(eolNames[:], s); return EOL(i), ok }

func name(names []string, i uint8) string {
	if int(i) < len(names) {
		return names[i]
	}
	return "unknown"
}

func parse(names []string, s string) (uint8, bool) {
	for i, n := range names {
		if n == s {
			return uint8(i), true
		}
	}
	return 0, false
}
