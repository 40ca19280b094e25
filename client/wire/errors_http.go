package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// HTTPError is a response that is not the answer that was asked for.
type HTTPError struct {
	Method  string
	URL     string // secrets masked
	Status  int
	Header  http.Header // the fields that say why: keptFields
	Body    []byte      // its first 64 KiB
	Session bool        // the request carried a session id
	Unsent  bool        // the server gave one that cannot be sent

	old       bool // HTTP+SSE was tried too
	elsewhere bool // a redirect led to another origin
}

// keptFields are those of a response that say why it is a refusal.
var keptFields = []string{"Www-Authenticate", "Retry-After", "Allow", "Content-Type", "Content-Encoding", "Location", "Server", "Date"}

// newHTTPError makes the error of a response. body is its beginning; it is copied.
func newHTTPError(resp *http.Response, body []byte) *HTTPError {
	e := &HTTPError{Status: resp.StatusCode, Header: http.Header{}, Body: bytes.Clone(body[:min(len(body), firstBody)])}
	for _, name := range keptFields {
		if values := resp.Header.Values(name); len(values) > 0 {
			e.Header[name] = values
		}
	}
	if req := resp.Request; req != nil {
		e.Method, e.URL = req.Method, maskURL(req.URL.String())
		for before := hopBefore(req); before != nil; before = hopBefore(before) {
			e.elsewhere = e.elsewhere || !sameOrigin(before.URL, req.URL)
		}
		for name := range req.Header {
			e.Session = e.Session || strings.EqualFold(name, "Mcp-Session-Id")
		}
	}
	return e
}

func (e *HTTPError) Error() string {
	text := e.URL + " " + e.what()
	if words := e.words(); words != "" && !e.wantsTLS() {
		text += ": " + words
	}
	return text
}

// what says what the status means, without the words of the body.
func (e *HTTPError) what() string {
	status := statusText(e.Status)
	switch {
	case e.Status/100 == 2 && len(bytes.TrimSpace(e.Body)) == 0:
		return fmt.Sprintf("took the message (%s) but gave no answer", status)
	case e.Status/100 == 2 && isPage(e.contentType(), e.Body):
		return fmt.Sprintf("is a web page, not an MCP endpoint (%s)", status)
	case e.Status/100 == 2 && e.marked():
		return fmt.Sprintf("answered with JSON behind a byte order mark (%s)", status)
	case e.Status/100 == 2 && e.packing() != "":
		return fmt.Sprintf("answered in a compression that was not asked for, %s (%s)", e.packing(), status)
	case e.Status/100 == 2 && e.isEvent():
		return fmt.Sprintf("answered with an event stream, but called it %s (%s)", shorten(cmp.Or(e.contentType(), "nothing")), status)
	case e.Status/100 == 2 && e.isBroken():
		return fmt.Sprintf("answered with broken JSON (%s)", status)
	case e.Status/100 == 2 && e.contentType() == "application/json":
		return fmt.Sprintf("answered with JSON that is no JSON-RPC (%s)", status)
	case e.Status/100 == 2 && e.contentType() != "":
		return fmt.Sprintf("answered with %s, neither JSON nor an event stream (%s)", shorten(e.contentType()), status)
	case e.Status/100 == 2:
		return fmt.Sprintf("answered with neither JSON nor an event stream (%s)", status)
	}
	if e.wantsTLS() {
		return "speaks TLS, not plain HTTP (" + status + ")"
	}
	switch e.Status {
	case http.StatusUnauthorized:
		return "wants authorization (" + status + ")"
	case http.StatusForbidden:
		return "refuses access (" + status + ")"
	case http.StatusNotFound:
		if e.aboutSession() {
			return "does not know the session (" + status + ")"
		}
		return "does not exist (" + status + ")"
	case http.StatusMethodNotAllowed:
		return fmt.Sprintf("does not take %s (%s)", e.Method, status)
	case http.StatusNotAcceptable:
		return "cannot answer in a form that was asked for (" + status + ")"
	case http.StatusRequestEntityTooLarge:
		return "does not take a message of this size (" + status + ")"
	case http.StatusUnsupportedMediaType:
		return "does not take JSON (" + status + ")"
	case http.StatusTooManyRequests:
		return "got too many requests (" + status + ")"
	case http.StatusRequestHeaderFieldsTooLarge:
		return "does not take a head of this size (" + status + ")"
	}
	return "answered " + status
}

// Word names the error for machines.
func (e *HTTPError) Word() string {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "auth"
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "unreachable"
	}
	return "http"
}

// RetryAfter is how long the server asks to wait, counted from its answer; ok is false
// if it does not say.
func (e *HTTPError) RetryAfter() (d time.Duration, ok bool) {
	text := strings.TrimSpace(e.Header.Get("Retry-After"))
	if text == "" {
		return 0, false
	}
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second, true
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	from, err := http.ParseTime(e.Header.Get("Date"))
	if err != nil {
		from = time.Now()
	}
	return max(0, at.Sub(from)).Round(time.Second), true
}

// contentType is the type of the body without its parameters.
func (e *HTTPError) contentType() string {
	kind, _, err := mime.ParseMediaType(e.Header.Get("Content-Type"))
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(e.Header.Get("Content-Type")), ";")
		kind = strings.TrimSpace(kind)
	}
	return kind
}

// words are the first ones of the body, as text, without the status at their beginning,
// which is told already.
func (e *HTTPError) words() string {
	words := bodyWords(e.contentType(), e.Body)
	rest := strings.TrimLeft(strings.TrimPrefix(words, strconv.Itoa(e.Status)), " -:")
	if name := http.StatusText(e.Status); name != "" && len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
		switch rest = rest[len(name):]; {
		case rest == "":
			return ""
		case strings.ContainsAny(rest[:1], ":.-,;"):
			return strings.TrimLeft(rest, " :.-,;")
		}
	}
	return words
}

// wantsTLS reports whether a server that speaks TLS says that we did not.
func (e *HTTPError) wantsTLS() bool {
	words := strings.ToLower(e.words())
	return e.Status == http.StatusBadRequest &&
		(strings.Contains(words, "http request") && strings.Contains(words, "https") || strings.Contains(words, "plain http request"))
}

// aboutSession reports whether the server says that a session is what it misses.
func (e *HTTPError) aboutSession() bool {
	return strings.Contains(strings.ToLower(e.words()), "session")
}

// packing is a compression of the body that we do not undo; empty if there is none.
func (e *HTTPError) packing() string {
	name := plainWords(strings.ToLower(e.Header.Get("Content-Encoding")))
	if name == "identity" {
		return ""
	}
	return shorten(name)
}

// isEvent reports whether the body looks like an event stream.
func (e *HTTPError) isEvent() bool {
	for _, field := range []string{"data:", "event:", "id:", "retry:", ": "} {
		if bytes.HasPrefix(e.Body, []byte(field)) {
			return true
		}
	}
	return false
}

// isBroken reports whether the body begins as JSON and does not go on so.
func (e *HTTPError) isBroken() bool {
	body := bytes.TrimSpace(e.Body)
	return len(body) > 0 && (body[0] == '{' || body[0] == '[') && len(e.Body) < firstBody && !json.Valid(body)
}

// marked reports whether the body is JSON but for the byte order mark at its beginning.
func (e *HTTPError) marked() bool {
	rest, ok := bytes.CutPrefix(e.Body, []byte("\ufeff"))
	return ok && len(rest) > 0 && (rest[0] == '{' || rest[0] == '[')
}

// statusText is a status with its usual words, in lower case: 404 not found.
func statusText(status int) string {
	if words := http.StatusText(status); words != "" {
		return strconv.Itoa(status) + " " + strings.ToLower(words)
	}
	return strconv.Itoa(status)
}
