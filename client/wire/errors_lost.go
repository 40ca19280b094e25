package wire

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// SessionError is a server that does not know the session any more. The request was not
// carried out.
type SessionError struct {
	HTTP  *HTTPError
	Again bool // the session had been begun anew for this request
}

func (e *SessionError) Error() string {
	text := fmt.Sprintf("%s does not know the session any more (%s)", e.HTTP.URL, statusText(e.HTTP.Status))
	if words := e.HTTP.words(); words != "" {
		text += ": " + words
	}
	return text
}

func (e *SessionError) Unwrap() error { return e.HTTP }

// Hint says what to do about it.
func (e *SessionError) Hint() string {
	if e.Again {
		return "a new session was begun, and is not known either: do several servers stand behind this address that do not share their sessions? This message was not carried out"
	}
	return "the server was restarted, or it ended the session; initialize begins a new one. This message was not carried out"
}

// Word names the error for machines.
func (e *SessionError) Word() string { return "session" }

// StreamError is a request that was sent and whose answer cannot come any more: the
// stream or the body that was to bring it ended, or no head of an answer came.
type StreamError struct {
	Method string // of the JSON-RPC request; may be empty
	URL    string // secrets masked
	Via    string // "POST 7"
	Body   bool   // the answer was no stream of events
	Odd    string // the type of the last event with data that was no message, where one came
	Err    error  // nil: the server ended it in order; a [*NetError]: no head came
}

func (e *StreamError) Error() string {
	if headless, ok := e.Err.(*NetError); ok && headless.sent { //nolint:errorlint // the error itself, not one that it wraps
		return headless.asked(e.Method)
	}
	what := "the stream"
	if e.Body {
		what = "the body"
	}
	if e.Via != "" {
		what += " of " + e.Via
	}
	text := e.URL + " ended " + what
	switch {
	case errors.Is(e.Err, errOtherAnswer):
		return e.URL + " answered " + e.Via + " with a message that is no answer to " + shorten(e.Method)
	case e.Err != nil:
		text = what + " from " + e.URL + " broke"
	}
	if e.Method != "" {
		text += " before the answer to " + shorten(e.Method)
	}
	if e.Err != nil {
		text += ": " + bodyReason(e.Err)
	}
	return text
}

func (e *StreamError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *StreamError) Hint() string {
	headless, ok := e.Err.(*NetError) //nolint:errorlint // the error itself, not one that it wraps
	broken := ok && headless.sent && !strings.HasSuffix(headless.what, unanswered)
	switch {
	case errors.Is(e.Err, errOtherAnswer):
		return "an answer has the id of its request, a number as a number and a text as a text: compare the two frames"
	case e.Odd != "":
		return fmt.Sprintf("it sent an event of the type %q, which is no message: that of MCP is message, or none", shorten(e.Odd))
	case e.Method == "":
		return "the server, or a proxy before it, may have been restarted: connect again"
	case broken && harmless(e.Method):
		return headless.Hint()
	case broken:
		return headless.Hint() + "; what was asked may be done all the same"
	case harmless(e.Method):
		hint := "the server, or a proxy before it, may have crashed or been restarted: see its log, and try again"
		if first := e.Method == "initialize" || e.Method == "server/discover"; first && ok && strings.HasPrefix(e.URL, "http:") {
			hint += "; some ports that speak TLS do so too: " + withScheme(e.URL, "https")
		}
		return hint
	}
	return "the server may have done what was asked all the same: it is not asked again by itself"
}

// harmless reports whether a request changes nothing: it does not matter whether the
// server did it.
func harmless(method string) bool {
	switch method {
	case "initialize", "server/discover", "ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list":
		return true
	}
	return false
}

// Word names the error for machines.
func (e *StreamError) Word() string { return "lost" }

// EndpointError is an HTTP+SSE stream that does not say where messages are to be sent,
// or says something that must not be followed.
type EndpointError struct {
	URL      string // of the stream, secrets masked
	Endpoint string // what it said, secrets masked; empty if it said nothing
	Err      error  // why it is refused, or why the stream ended
}

var (
	// errOtherAnswer is a body that holds a message, but not the one that was waited for.
	errOtherAnswer = errors.New("another answer")

	errOtherOrigin = errors.New("which is another origin")
	errNoAddress   = errors.New("which is no address of the web")
)

func (e *EndpointError) Error() string {
	switch {
	case e.Endpoint != "" && e.Err != nil:
		return fmt.Sprintf("%s asks for messages at %s, %s", e.URL, e.Endpoint, e.Err)
	case e.Endpoint != "":
		return fmt.Sprintf("%s asks for messages at %s", e.URL, e.Endpoint)
	case e.Err != nil:
		return fmt.Sprintf("%s did not say where it wants messages: %s", e.URL, netReason(e.Err))
	}
	return e.URL + " ended its stream without saying where it wants messages"
}

func (e *EndpointError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *EndpointError) Hint() string {
	switch {
	case errors.Is(e.Err, errOtherOrigin):
		return "it is not followed, since credentials would go there too; a server behind a proxy must be told its public address"
	case e.Endpoint != "":
		return "the data of the event endpoint must be a URL, absolute or relative to that of the stream"
	}
	return "HTTP+SSE begins with the event endpoint; a server that sends none may speak Streamable HTTP: --transport http"
}

// Word names the error for machines.
func (e *EndpointError) Word() string { return "unreachable" }

// endpointURL resolves the data of the endpoint event against the stream's URL (spec:
// 2024-11-05, basic/transports, HTTP with SSE). Errors are of type [*EndpointError].
func endpointURL(stream string, data []byte) (string, error) {
	text := strings.TrimSpace(string(data))
	e := &EndpointError{URL: maskURL(stream), Endpoint: plainWords(maskURL(text)), Err: errNoAddress}
	base, err := url.Parse(stream)
	if err != nil {
		return "", e
	}
	if text == "" {
		e.Endpoint = `""`
		return "", e
	}
	u, err := base.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", e
	}
	if !sameOrigin(base, u) {
		e.Err = errOtherOrigin
		return "", e
	}
	u.Fragment = ""
	return u.String(), nil
}

// RedirectError is a redirect that is not followed.
type RedirectError struct {
	Method   string
	Hops     []string // the URLs that were asked, in order, secrets masked
	Status   int
	Location string // where the last one points, secrets masked; empty if it does not say
	Loop     bool   // it points to where it was asked already

	reason string
	hint   string
}

func (e *RedirectError) because(reason, hint string) *RedirectError {
	e.reason, e.hint = reason, hint
	return e
}

func (e *RedirectError) Error() string { return e.Hops[len(e.Hops)-1] + " " + e.reason }

// Hint says what to do about it.
func (e *RedirectError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *RedirectError) Word() string { return "http" }
