package wire

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
)

// NetError is a server that could not be reached, or a connection that broke before it
// answered.
type NetError struct {
	URL string // secrets masked; tcp://host:port for what is no HTTP
	Err error

	what  string
	hint  string
	sent  bool // the request may have been carried out
	vague bool // what happened is not known
}

// newNetError explains the error of a request to that URL, or of dialling that address.
func newNetError(target string, err error) *NetError {
	if outer := (*url.Error)(nil); errors.As(err, &outer) {
		err = outer.Err // its text has the URL, unmasked
	}
	e := &NetError{URL: maskURL(target), Err: err}
	for _, explain := range []func(*NetError, string) bool{explainProxy, explainTLS, explainName, explainTimeout, explainSystem, explainProtocol} {
		if explain(e, target) {
			return e
		}
	}
	e.what, e.vague = "cannot connect to "+e.URL+": "+netReason(err), true
	return e
}

// whenSent is the error of a request that had been sent by then.
func (e *NetError) whenSent() *NetError {
	if e.vague {
		e.unanswered("the connection to %s broke: "+netReason(e.Err), "the server, or a proxy before it, may have crashed or been restarted: see its log")
	}
	return e
}

// unanswered is say for what happens to a request that was sent: it may have been
// carried out.
func (e *NetError) unanswered(what, hint string) bool {
	e.sent = true
	return e.say(what, hint)
}

func (e *NetError) Error() string { return e.what }

// unanswered is how texts end to which the method can be added.
const unanswered = "without an answer"

// asked is the text, with the method of the JSON-RPC request that was sent.
func (e *NetError) asked(method string) string {
	switch {
	case method == "":
		return e.what
	case strings.HasSuffix(e.what, unanswered):
		return e.what + " to " + shorten(method)
	}
	return strings.Replace(e.what, " answered with ", " answered "+shorten(method)+" with ", 1)
}

func (e *NetError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *NetError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *NetError) Word() string { return "unreachable" }

// say sets the words; what may have one %s, for the URL.
func (e *NetError) say(what, hint string) bool {
	e.what, e.hint = strings.Replace(what, "%s", e.URL, 1), hint
	return true
}

const proxyPassword = "the proxy wants a name and a password: HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT"

// proxyError is a proxy that refuses to connect to the server.
type proxyError struct {
	proxy  string
	status int
}

func (e *proxyError) Error() string {
	return fmt.Sprintf("the proxy %s answered %s", e.proxy, statusText(e.status))
}

// proxyAnswer looks at what a proxy answers to CONNECT.
func proxyAnswer(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyError{proxy: proxy.Host, status: resp.StatusCode}
}

func explainProxy(e *NetError, _ string) bool {
	const around = "; NO_PROXY=HOST goes around it"
	if refused := (*proxyError)(nil); errors.As(e.Err, &refused) {
		if refused.status == http.StatusProxyAuthRequired {
			return e.say("cannot connect to %s: "+refused.Error(), proxyPassword)
		}
		return e.say("cannot connect to %s: "+refused.Error(), "the proxy is the one of HTTP_PROXY or HTTPS_PROXY, and does not reach the server"+around)
	}
	op := (*net.OpError)(nil)
	if !errors.As(e.Err, &op) || op.Op != "proxyconnect" {
		return false
	}
	return e.say("cannot connect to the proxy for %s: "+netReason(op.Err), "HTTP_PROXY and HTTPS_PROXY name the proxy"+around+": does it run?")
}

func explainName(e *NetError, _ string) bool {
	dns := (*net.DNSError)(nil)
	if !errors.As(e.Err, &dns) {
		return false
	}
	host := shorten(dns.Name)
	switch {
	case dns.IsNotFound:
		return e.say("cannot connect to %s: there is no host "+host, "check the spelling of the host; a name of a private network is known only inside it")
	case dns.IsTimeout:
		return e.say("cannot connect to %s: the address of "+host+" could not be found in time", "is there a network? the name server does not answer")
	}
	if dns.Err == "server misbehaving" { // Go's words for SERVFAIL
		return e.say("cannot connect to %s: the name server failed when it was asked for "+host, "is the domain set up as it should be? try again later, or with another name server")
	}
	return e.say("cannot connect to %s: the address of "+host+" could not be found: "+dns.Err, "is there a network? the name server does not answer as it should")
}

func explainTimeout(e *NetError, _ string) bool {
	late := net.Error(nil)
	if !errors.Is(e.Err, context.DeadlineExceeded) && (!errors.As(e.Err, &late) || !late.Timeout()) {
		return false
	}
	op := (*net.OpError)(nil)
	text := e.Err.Error()
	switch {
	case errors.As(e.Err, &op) && op.Op == "dial":
		return e.say("cannot connect to %s: no answer in time", "check host and port; a firewall may drop what is sent there")
	case strings.Contains(text, "TLS handshake"):
		return e.say("cannot connect to %s: the TLS handshake was not done in time", "the server takes connections but says nothing: does this port speak TLS?")
	}
	return e.unanswered("%s took the request but did not answer in time", "the server may hang, or need longer: --timeout sets how long is waited; what was asked may be done all the same")
}

// explainSystem is about what the operating system says. Windows has numbers of its own,
// and is known by its words.
func explainSystem(e *NetError, target string) bool {
	text := e.Err.Error()
	switch {
	case errors.Is(e.Err, syscall.ECONNREFUSED), strings.Contains(text, "actively refused"):
		return e.say("cannot connect to %s: connection refused", "nothing listens on "+hostPort(target)+": is the server running, and is this its port?")
	case errors.Is(e.Err, syscall.EHOSTUNREACH), errors.Is(e.Err, syscall.ENETUNREACH), strings.Contains(text, "unreachable"):
		return e.say("cannot connect to %s: "+netReason(e.Err), "no way leads to this host from here: is there a network, or a VPN to switch on?")
	case errors.Is(e.Err, syscall.EACCES), errors.Is(e.Err, os.ErrPermission):
		return e.say("cannot connect to %s: permission denied", "a firewall or a sandbox on this machine forbids the connection")
	case errors.Is(e.Err, syscall.ECONNRESET), errors.Is(e.Err, syscall.EPIPE), errors.Is(e.Err, syscall.ECONNABORTED), strings.Contains(text, "forcibly closed"):
		return e.unanswered("%s reset the connection without an answer", brokeOff)
	case strings.Contains(text, "stream error: "):
		return e.unanswered("%s broke the request off without an answer", brokeOff)
	case errors.Is(e.Err, io.EOF), errors.Is(e.Err, io.ErrUnexpectedEOF), strings.Contains(text, "server closed idle connection"), strings.Contains(text, "readLoopPeekFail"), strings.Contains(text, "GOAWAY"):
		return e.unanswered("%s closed the connection without an answer", brokeOff)
	}
	return false
}

const brokeOff = "the server may have crashed or been restarted: see its log; what was asked may be done all the same"

const brokenHead = "the server, or a proxy before it, broke off, or does not speak HTTP as it should"

// explainProtocol is about a server that answers in another protocol than HTTP.
func explainProtocol(e *NetError, target string) bool {
	text := e.Err.Error()
	switch {
	case strings.Contains(text, `malformed HTTP response "\x15\x03`):
		return e.say("%s speaks TLS, not plain HTTP", "use "+withScheme(e.URL, "https"))
	case strings.Contains(text, "malformed MIME header"):
		_, broken, _ := strings.Cut(text, "malformed MIME header")
		return e.unanswered("%s answered with a broken head"+plainWords(broken), brokenHead)
	case strings.Contains(text, "bad Content-Length"), strings.Contains(text, "unsupported transfer encoding"):
		_, broken, _ := strings.Cut(text, "bad ")
		_, encoding, _ := strings.Cut(text, "unsupported transfer encoding: ")
		if encoding != "" {
			broken = "Transfer-Encoding " + encoding
		}
		return e.unanswered("%s answered with a broken head: "+plainWords(broken), brokenHead)
	case strings.Contains(text, "server response headers exceeded"):
		return e.unanswered("%s answered with a head of more than 10 MB", "no server should send that much: another program may listen on "+hostPort(target))
	case strings.Contains(text, "malformed HTTP"):
		_, answer, _ := strings.Cut(text, "malformed ")
		return e.say("%s does not speak HTTP: malformed "+plainWords(answer), "another program listens on "+hostPort(target)+", or a server of JSON-RPC over plain TCP: tcp://"+hostPort(target))
	case strings.Contains(text, "failed to parse Location header"):
		_, location, _ := strings.Cut(text, "failed to parse Location header ")
		return e.say("%s redirects to what is no URL: "+plainWords(maskText(location, 0)), "the server, or a proxy before it, is set up wrongly")
	case strings.Contains(text, "unsupported protocol scheme"):
		return e.say("%s is no address of the web", "it must begin with http:// or https://")
	case errors.Is(e.Err, context.Canceled):
		return e.say("the request to %s was cancelled", "")
	}
	return false
}

// netReason says in short what is wrong: the system's own words where there are some.
func netReason(err error) string {
	var system syscall.Errno
	switch {
	case errors.As(err, &system):
		return system.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the connection was closed"
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	}
	return plainWords(maskText(plainHTTP(err.Error()), 0))
}

// plainHTTP is a text without the names of the packages that it went through.
func plainHTTP(text string) string {
	for _, before := range []string{"net/http: ", "HTTP/1.x transport connection broken: ", "net/http: ", "http2: ", "stream error: "} {
		text = strings.TrimPrefix(text, before)
	}
	return text
}

// bodyReason says in short why a body that had begun could not be read to its end.
func bodyReason(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, gzip.ErrHeader):
		return "it is no gzip, whatever its Content-Encoding says"
	case errors.Is(err, gzip.ErrChecksum):
		return "the gzip in it has a wrong checksum"
	case strings.Contains(text, "stream error: "): // of HTTP/2: its number, a code and who says so
		if parts := strings.Split(text, "; "); len(parts) > 1 {
			return "the server broke it off (" + plainWords(parts[1]) + ")"
		}
		return "the server broke it off"
	case strings.Contains(text, "chunk"):
		return "its chunks are broken"
	}
	return netReason(err)
}

// hostPort is where a URL is served.
func hostPort(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" {
		return shorten(maskURL(target))
	}
	if u.Port() != "" || u.Scheme != "http" && u.Scheme != "https" {
		return u.Host
	}
	return net.JoinHostPort(u.Hostname(), port(u))
}
