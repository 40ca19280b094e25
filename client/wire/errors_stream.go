package wire

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// AddressError is an address that cannot be one.
type AddressError struct {
	URL    string
	Reason string
	hint   string
}

func (e *AddressError) Error() string {
	return fmt.Sprintf("%s is no address to connect to: %s", e.URL, e.Reason)
}

// Hint says what to do about it.
func (e *AddressError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *AddressError) Word() string { return "usage" }

// SocketError is a unix socket that could not be connected to. It wraps the system's
// error: [io/fs.ErrNotExist], [io/fs.ErrPermission] and the like.
type SocketError struct {
	Path   string
	Err    error
	reason string
	hint   string
}

func (e *SocketError) Error() string {
	return fmt.Sprintf("cannot connect to the socket %s: %s", shorten(e.Path), e.reason)
}

func (e *SocketError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *SocketError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *SocketError) Word() string { return "unreachable" }

// socketError looks for the reason why a unix socket could not be connected to.
func socketError(path string, err error) *SocketError {
	e := &SocketError{Path: path, Err: err, reason: err.Error(), hint: "see whether the server runs and listens on this path"}
	var system syscall.Errno
	if errors.As(err, &system) {
		e.reason = system.Error()
	}
	info, missing := os.Stat(path)
	abstract := strings.HasPrefix(path, "@")
	switch {
	case abstract && runtime.GOOS != "linux":
		e.reason, e.hint = "abstract sockets exist on Linux only", "give the path of the socket's file"
	case abstract && errors.Is(err, syscall.ECONNREFUSED):
		e.reason, e.hint = "no program listens on an abstract socket of that name", "start the server first; a file whose name begins with @ is ./@…"
	case errors.Is(err, syscall.EINVAL):
		e.reason = fmt.Sprintf("its path has %d bytes, too many for a socket", len(path))
		e.hint = "sockets take paths of about 100 bytes: let the server listen on a shorter one, or give one relative to the working directory"
	case errors.Is(err, fs.ErrNotExist):
		e.reason, e.hint = "there is no such file", "start the server first, and see on which path it listens"
		if dir := filepath.Dir(path); !exists(dir) {
			e.reason = "there is no folder " + shorten(dir)
		}
	case errors.Is(err, fs.ErrPermission):
		e.reason, e.hint = "permission denied", "connecting takes the permission to write to the socket and to search its folders: ls -l shows whose they are"
	case missing == nil && info.Mode()&fs.ModeSocket == 0:
		e.reason, e.hint = "it is "+kindOfFile(info.Mode())+", not a socket", "give the path on which the server listens"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.reason, e.hint = "nobody listens on it", "the server that made it has ended: start it again"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, syscall.EAGAIN):
		e.reason, e.hint = "the server does not accept connections", "it may hang, or serve one client at a time: restart it, or end the other client"
	case errors.Is(err, syscall.EPROTOTYPE):
		e.reason, e.hint = "it is a socket for datagrams, not for a stream", "let the server listen on a stream socket"
	}
	return e
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func kindOfFile(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a regular file"
}

// DisconnectedError is a connection that the other side, or the network, ended.
type DisconnectedError struct {
	URL    string // secrets masked
	Code   int    // of a websocket: the close code, 1006 where none came; 0 of other connections
	Reason string // the words that came with the code
	Cut    bool   // within a message
	Err    error  // what the system, or a breach of the protocol, says; nil where the other side just ended

	hint string
}

func (e *DisconnectedError) Error() string {
	var b strings.Builder
	b.WriteString(e.URL)
	switch {
	case e.Code != 0 && e.Code != codeNone:
		fmt.Fprintf(&b, " closed the connection: %d %s", e.Code, closeName(e.Code))
		if e.Reason != "" {
			fmt.Fprintf(&b, ", %q", e.Reason)
		}
	case errors.Is(e.Err, syscall.ECONNRESET):
		b.WriteString(" reset the connection")
	case errors.Is(e.Err, io.ErrUnexpectedEOF):
		b.WriteString(" broke the connection off")
	case e.Err != nil:
		b.WriteString(": the connection broke: " + plainReason(e.Err))
	default:
		b.WriteString(" ended the connection")
	}
	if e.Cut {
		b.WriteString(" in the middle of a message")
	}
	if e.Code == codeNone {
		b.WriteString(" without a closing frame (1006)")
	}
	return b.String()
}

func (e *DisconnectedError) Unwrap() error { return e.Err }

// Hint says what it means and what to do.
func (e *DisconnectedError) Hint() string {
	const again = "R, or restart in a script, connects again"
	if e.hint != "" {
		return e.hint
	}
	if words := closeHint(e.Code); words != "" {
		return words + "; " + again
	}
	if e.Cut || e.Err != nil {
		return "the server may have crashed: see its log; " + again
	}
	if e.Code == 0 {
		return "the server, or something on the way to it, ended it: see its log; " + again
	}
	return "the server closed it by itself: its log should say why; " + again
}

// Word names the error for machines.
func (e *DisconnectedError) Word() string { return "disconnected" }

// plainReason is the system's own words where there are some.
func plainReason(err error) string {
	var system syscall.Errno
	if errors.As(err, &system) {
		return system.Error()
	}
	return err.Error()
}

// codeNone stands for a close code where no closing frame came (RFC 6455, 7.1.5).
const codeNone = 1006

// closeCodes are the close codes (RFC 6455, section 7.4, and the registry it founded)
// and what to do about those that say something about the client.
var closeCodes = map[int]struct{ name, hint string }{
	1000:     {"normal closure", ""},
	1001:     {"going away", "the server shuts down, or restarts"},
	1002:     {"protocol error", "one side takes the other's frames for wrong: look at the last ones"},
	1003:     {"unsupported data", "the server does not take this type of message; what is no UTF-8 is sent as binary"},
	1005:     {"no status", ""},
	codeNone: {"no closing frame", "the server, or a proxy before it, may have crashed or timed out: see its log"},
	1007:     {"invalid payload", "the last message was no valid text for the server"},
	1008:     {"policy violation", "the server refuses this client: see its rules about origins, tokens and rates"},
	1009:     {"message too big", "the last message was larger than the server takes: its limit has to be raised there"},
	1010:     {"extension required", "the server wants an extension of websockets that is not offered"},
	1011:     {"internal error", "the server failed: see its log"},
	1012:     {"service restart", "the server restarts"},
	1013:     {"try again later", "the server is overloaded"},
	1014:     {"bad gateway", "a proxy got no good answer from the server behind it"},
}

func closeName(code int) string {
	if c, ok := closeCodes[code]; ok {
		return "(" + c.name + ")"
	}
	return "(the server's own code)"
}

func closeHint(code int) string { return closeCodes[code].hint }

// inOrder reports whether a websocket was closed because its work was done.
func inOrder(code int) bool { return code == 1000 || code == 1001 || code == 1005 }

// UpgradeError is a server that answered the upgrade to a websocket with something
// else. It wraps the [*HTTPError] of that answer.
type UpgradeError struct {
	HTTP    *HTTPError
	Problem string // what is wrong with an answer that has the status 101

	subprotocol string // that the server chose
}

func (e *UpgradeError) Error() string {
	if e.Problem != "" {
		return fmt.Sprintf("%s did not become a websocket: %s", e.HTTP.URL, e.Problem)
	}
	return "no websocket: " + e.HTTP.Error()
}

func (e *UpgradeError) Unwrap() error { return e.HTTP }

// Hint says what to do about it.
func (e *UpgradeError) Hint() string {
	switch status := e.HTTP.Status; {
	case e.Problem != "" && e.subprotocol != "":
		return fmt.Sprintf("-H 'Sec-WebSocket-Protocol: %s' offers what the server wants", e.subprotocol)
	case e.Problem != "":
		return "the server, or a proxy before it, does not speak websocket as it should (RFC 6455)"
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusTooManyRequests, status >= 500:
		return e.HTTP.Hint()
	case status/100 == 3:
		if to := e.HTTP.Header.Get("Location"); to != "" {
			return "it points to " + maskURL(to) + ": connect to that"
		}
	case status == http.StatusNotFound:
		return "there is nothing at this path: see which one the server's documentation names for websockets"
	}
	return "this is an HTTP server that makes no websocket of this path: if it speaks Streamable HTTP, connect with http:// or https:// instead"
}

// Word names the error for machines.
func (e *UpgradeError) Word() string {
	if s := e.HTTP.Status; s == http.StatusUnauthorized || s == http.StatusForbidden {
		return "auth"
	}
	return "unreachable"
}
