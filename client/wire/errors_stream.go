package wire

import "net/http"

// AddressError is an address that cannot be one.
type AddressError struct {
	URL    string
	Reason string
	hint   string
}

func (e *AddressError) Error() string { return e.URL + " is no address: " + e.Reason }

// Hint says what to do about it.
func (e *AddressError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *AddressError) Word() string { return "usage" }

// SocketError is a unix socket that could not be connected to. It wraps the system's
// error where there is one: [io/fs.ErrNotExist], [io/fs.ErrPermission] and the like.
type SocketError struct {
	Path   string
	Err    error
	reason string
	hint   string
}

func (e *SocketError) Error() string { return "cannot connect to " + e.Path + ": " + e.reason }

func (e *SocketError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *SocketError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *SocketError) Word() string { return "unreachable" }

// UpgradeError is a server that answered the upgrade to a websocket with something
// else.
type UpgradeError struct {
	URL     string // secrets masked
	Status  int
	Header  http.Header // of the response
	Body    []byte      // at most 64 KiB
	Problem string      // what is wrong with a response that has the status 101
}

// DisconnectedError is a connection that the other side, or the network, ended.
type DisconnectedError struct {
	URL    string // secrets masked
	Code   int    // of a websocket: the close code, 1006 where none came; 0 of other connections
	Reason string // that came with the code
	Cut    bool   // within a message
	Err    error  // what the system says; nil where the other side ended in order
}
