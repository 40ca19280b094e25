package wire

import (
	"fmt"
	"net/http"
	"time"
)

// HTTPError is a response that is not the answer that was asked for.
type HTTPError struct {
	Method  string
	URL     string // secrets masked
	Status  int
	Header  http.Header // WWW-Authenticate, Retry-After, Allow, Content-Type, Location, Server, Date
	Body    []byte      // its first 64 KiB
	Session bool        // the request carried a session id
}

// newHTTPError makes the error of a response. body is its beginning; it is copied.
func newHTTPError(resp *http.Response, body []byte) *HTTPError {
	return &HTTPError{Method: resp.Request.Method, URL: resp.Request.URL.String(), Status: resp.StatusCode}
}

func (e *HTTPError) Error() string { return fmt.Sprintf("%s answered %d", e.URL, e.Status) }

// Hint says what to do about it.
func (e *HTTPError) Hint() string { return "" }

// Word names the error for machines.
func (e *HTTPError) Word() string { return "http" }

// RetryAfter is how long the server asks to wait; ok is false if it does not say.
func (e *HTTPError) RetryAfter() (d time.Duration, ok bool) { return 0, false }

// SessionError is a server that does not know the session any more. The request was not
// carried out.
type SessionError struct{ HTTP *HTTPError }

func (e *SessionError) Error() string { return e.HTTP.Error() }

func (e *SessionError) Unwrap() error { return e.HTTP }

// Hint says what to do about it.
func (e *SessionError) Hint() string { return "" }

// Word names the error for machines.
func (e *SessionError) Word() string { return "session" }

// StreamError is a stream that ended before the answer to a request came on it.
type StreamError struct {
	Method string // of the JSON-RPC request; may be empty
	URL    string // secrets masked
	Via    string // "POST 7"
	Err    error  // nil: the server ended it in order
}

func (e *StreamError) Error() string { return "the stream ended before the answer came" }

func (e *StreamError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *StreamError) Hint() string { return "" }

// Word names the error for machines.
func (e *StreamError) Word() string { return "lost" }

// EndpointError is an HTTP+SSE stream that does not say where messages are to be sent,
// or says something that must not be followed.
type EndpointError struct {
	URL      string // of the stream, secrets masked
	Endpoint string // what it said, secrets masked; empty if it said nothing
	Err      error  // why it is refused, or why the stream ended
}

func (e *EndpointError) Error() string { return fmt.Sprintf("%s: %v", e.URL, e.Err) }

func (e *EndpointError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *EndpointError) Hint() string { return "" }

// Word names the error for machines.
func (e *EndpointError) Word() string { return "unreachable" }

// endpointURL resolves the data of the endpoint event against the stream's URL (spec:
// 2024-11-05, basic/transports, HTTP with SSE). Errors are of type [*EndpointError].
func endpointURL(stream string, data []byte) (string, error) { return string(data), nil }

// RedirectError is a redirect that is not followed.
type RedirectError struct {
	Method   string
	Hops     []string // the URLs that were asked, in order, secrets masked
	Status   int
	Location string // where the last one points, secrets masked

	reason string
	hint   string
}

func (e *RedirectError) Error() string { return e.reason }

// Hint says what to do about it.
func (e *RedirectError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *RedirectError) Word() string { return "http" }
