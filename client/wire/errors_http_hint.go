package wire

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	checkPath   = "check the path: most servers of Streamable HTTP are at /mcp, those of HTTP+SSE at /sse"
	serverFault = "the server failed: its own log should say why"
)

// Hint says what to do about it.
func (e *HTTPError) Hint() string {
	words := strings.ToLower(e.words())
	switch {
	case e.Status/100 == 2:
		return e.answerHint()
	case e.Status == http.StatusBadRequest:
		return badRequestHint(e, words)
	case e.Status == http.StatusForbidden && (strings.Contains(words, "origin") || strings.Contains(words, "allowed at")), e.Status == http.StatusMisdirectedRequest, e.Status/100 == 4 && strings.Contains(words, "host header"):
		return "the server guards against DNS rebinding and does not know this host name: connect by the name that it allows (often localhost), or allow this one there"
	case e.Status == http.StatusTooManyRequests, e.Status == http.StatusServiceUnavailable:
		return e.waitHint()
	}
	return statusHint(e)
}

// answerHint is about a success that answers nothing.
func (e *HTTPError) answerHint() string {
	switch {
	case len(bytes.TrimSpace(e.Body)) == 0:
		return "a request wants JSON or an event stream in return; a server that answers on another stream wants --transport sse"
	case e.packing() != "":
		return "parley takes gzip alone, unless -H 'Accept-Encoding: …' says otherwise: the server, or a proxy before it, does not keep to that"
	case e.isEvent() && e.contentType() != "text/event-stream":
		return "the Content-Type of a stream has to be text/event-stream"
	case e.isBroken():
		return "either the server writes JSON that cannot be read, or its Content-Length is too short; parley show last has the exact bytes"
	case e.marked():
		return "what is sent over a network must not begin with a byte order mark (RFC 8259, 8.1): the server has to leave it out"
	case isPage(e.contentType(), e.Body):
		return checkPath + "; a page to log in may stand before it"
	case e.contentType() == "text/event-stream":
		return "the body is no event stream, whatever its Content-Type says"
	}
	return "is this the URL of an MCP server? " + checkPath
}

func badRequestHint(e *HTTPError, words string) string {
	switch {
	case e.wantsTLS():
		return "this port speaks TLS: use " + withScheme(e.URL, "https")
	case e.aboutSession() && e.Unsent:
		return "the server's session id has characters other than visible ASCII, so that it is not sent back: no header may have them"
	case e.aboutSession() && e.Session:
		return "the server does not know the session any more, or was restarted: begin a new one"
	case e.aboutSession():
		return "the server wants a session: it begins with initialize, and ends when the server is restarted"
	case strings.Contains(words, "initializ") && !e.Session:
		return "the server wants initialize first, which --no-handshake and parley raw leave to you"
	case strings.Contains(words, "version"):
		return "--protocol VERSION speaks another version of the protocol"
	case strings.Contains(words, "accept"):
		return "a header Accept given by -H replaces ours: the server wants application/json and text/event-stream in it"
	}
	if len(e.Body) == 0 {
		return "the server does not take this message as it is, and does not say why: its own log may; -v shows what was sent"
	}
	return "the server does not take this message as it is: -v shows what was sent"
}

// waitHint is about a server that is too busy.
func (e *HTTPError) waitHint() string {
	d, ok := e.RetryAfter()
	switch {
	case ok && d == 0:
		return "try again now"
	case ok:
		return "the server asks to try again in " + plainDuration(d)
	case e.Status == http.StatusServiceUnavailable:
		return "the server is overloaded, starting or down for a while: try again later"
	}
	return "try again later, and less often; the server does not say when"
}

// plainDuration is a duration in its two greatest units: 1h5m, 90 s is 1m30s.
func plainDuration(d time.Duration) string {
	if d >= time.Hour {
		d = d.Round(time.Minute)
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = text[:len(text)-2]
	}
	if strings.HasSuffix(text, "h0m") {
		text = text[:len(text)-2]
	}
	return text
}

func statusHint(e *HTTPError) string {
	if e.elsewhere && e.Word() == "auth" {
		return "a redirect led there, where the headers of -H and passwords do not go along: if you trust it, connect to " + e.URL + " itself"
	}
	switch e.Status {
	case http.StatusUnauthorized:
		return "-H 'Authorization: Bearer TOKEN' sends a token; one that was sent is not valid here, or no more"
	case http.StatusForbidden:
		return "the token, or the user it stands for, may not do this"
	case http.StatusNotFound, http.StatusGone:
		if e.aboutSession() {
			return "the server was restarted, or it ended the session: connect again"
		}
		if u, err := url.Parse(e.URL); err == nil && e.Method == http.MethodPost && strings.HasSuffix(u.Path, "/sse") && !e.old {
			return "at /sse there is mostly a server of HTTP+SSE, which takes no POST there: --transport sse speaks that"
		}
		return checkPath
	case http.StatusMethodNotAllowed:
		hint := checkPath
		if e.Method == http.MethodGet {
			return "a server of HTTP+SSE takes GET: --transport http speaks Streamable HTTP, which does without; " + checkPath
		}
		if allow := e.Header.Get("Allow"); allow != "" {
			hint = "it takes " + shorten(allow) + "; " + checkPath
		}
		if e.Method == http.MethodPost {
			hint += "; --transport sse speaks HTTP+SSE"
		}
		return hint
	case http.StatusProxyAuthRequired:
		return proxyPassword
	case http.StatusNotAcceptable:
		return "Accept offers application/json and text/event-stream unless -H replaces it: the server wants another type, which is none of MCP's"
	case http.StatusRequestTimeout:
		return "the server, or a proxy before it, gave up waiting: try again; what was asked may be done all the same"
	case http.StatusRequestEntityTooLarge:
		return "the limit is the server's, or that of a proxy before it: raise it there, or send less at once"
	case http.StatusUnsupportedMediaType:
		return "messages go out as application/json unless -H replaces Content-Type; " + checkPath
	case http.StatusRequestHeaderFieldsTooLarge:
		return "what is long in the head: a token, a cookie, or arguments that are mirrored in it"
	case http.StatusUpgradeRequired:
		return "it may be a websocket: use ws" + strings.TrimPrefix(e.URL, "http")
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return "a proxy answers, but not the server behind it: does it run, and is it fast enough for the proxy?"
	}
	switch {
	case e.Status >= 600:
		return "that is no status of HTTP: does an MCP server listen there, or a proxy before it?"
	case e.Status >= 500:
		return serverFault
	case len(e.Body) == 0:
		return fmt.Sprintf("the server does not take this %s, and does not say why: its own log may", e.Method)
	}
	return fmt.Sprintf("the server does not take this %s: its answer should say why", e.Method)
}

// withScheme gives the URL with another scheme.
func withScheme(url, scheme string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	return scheme + "://" + rest
}
