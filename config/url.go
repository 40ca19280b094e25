package config

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"parley/client/near"
)

// Schemes are the schemes of URLs that can be connected to.
var Schemes = []string{"http", "https", "ws", "wss", "tcp", "unix"}

// Address is a URL that can be connected to, taken apart.
type Address struct {
	Scheme string // one of Schemes
	// URL is without the user before the host and without a fragment.
	URL string
	// Host is "host:port" of tcp and what the URL says of the others; empty for unix.
	Host string
	// Path is that of a socket of unix.
	Path           string
	User, Password string
	HasUser        bool // a user stands before the host
}

// Encrypted reports whether the scheme stands for TLS.
func (a Address) Encrypted() bool { return a.Scheme == "https" || a.Scheme == "wss" }

// OverHTTP reports whether the scheme is http or https.
func (a Address) OverHTTP() bool { return a.Scheme == "http" || a.Scheme == "https" }

// WebSocket reports whether the scheme is ws or wss.
func (a Address) WebSocket() bool { return a.Scheme == "ws" || a.Scheme == "wss" }

// URLError says what is wrong with a URL.
type URLError struct {
	URL     string // as it may be shown
	Problem string
	Advice  string
}

func (e *URLError) Error() string { return fmt.Sprintf("%q %s", e.URL, e.Problem) }

// Hint says how it is written.
func (e *URLError) Hint() string { return e.Advice }

// Word names the error for machines.
func (e *URLError) Word() string { return "usage" }

const urlForms = "write https://host/path, http://host:port/path, ws://host/path, tcp://host:port or unix:///path"

// IsURL reports whether a word is meant as a URL: it begins with a scheme and ://, or
// with one that is known and a colon, behind which a slash is missing.
func IsURL(word string) bool {
	scheme, rest, ok := strings.Cut(word, ":")
	if !ok || !isScheme(scheme) {
		return false
	}
	return strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/") && known(scheme)
}

func known(scheme string) bool {
	for _, s := range Schemes {
		if strings.EqualFold(s, scheme) {
			return true
		}
	}
	return false
}

// isScheme reports whether a text can be a scheme (RFC 3986, 3.1).
func isScheme(text string) bool {
	for i, c := range []byte(text) {
		letter := c|' ' >= 'a' && c|' ' <= 'z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return text != ""
}

// ParseURL takes a URL apart. Its error is a [*URLError], which calls the URL shown:
// parts of it may be secret.
func ParseURL(text, shown string) (Address, error) {
	wrong := func(advice, format string, args ...any) (Address, error) {
		return Address{}, &URLError{URL: shown, Problem: fmt.Sprintf(format, args...), Advice: advice}
	}
	scheme, rest, ok := strings.Cut(text, ":")
	switch scheme = strings.ToLower(scheme); {
	case text == "":
		return wrong(urlForms, "is no URL")
	case !ok || !isScheme(scheme) || !known(scheme) && !strings.HasPrefix(rest, "//"):
		advice := urlForms
		if looksLikeHost(text) {
			advice = "write http://" + shown + " or https://" + shown
		}
		return wrong(advice, "is no URL that begins with https:// or http://")
	case !known(scheme):
		advice := urlForms
		if meant := near.Best(scheme, Schemes); meant != "" {
			advice = "did you mean " + meant + "://? " + advice
		}
		return wrong(advice, "begins with %s://, which parley does not speak", scheme)
	case scheme == "unix":
		return unixAddress(strings.TrimPrefix(rest, "//"), shown)
	case !strings.HasPrefix(rest, "//"):
		return wrong(urlForms, "lacks the slashes behind %s:", scheme)
	case strings.ContainsFunc(text, func(r rune) bool { return r == ' ' }):
		return wrong("write %20 for a space in a path", "has a space in it")
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return wrong(urlForms, "has a control character in it")
	}
	return hostAddress(scheme, text, shown)
}

// looksLikeHost reports whether a text that has no scheme is a host with a path or a
// port.
func looksLikeHost(text string) bool {
	host, _, _ := strings.Cut(text, "/")
	return host != "" && !strings.ContainsAny(host, " \t\\") && (strings.ContainsAny(host, ".:") || host == "localhost")
}

// MissingScheme reports whether a word is like host:port or host:port/path: a URL in
// which the scheme was left out.
func MissingScheme(word string) bool {
	authority, _, _ := strings.Cut(word, "/")
	host, port, ok := strings.Cut(authority, ":")
	n, err := strconv.Atoi(port)
	return ok && err == nil && n > 0 && n <= maxPort && host != "" && !strings.ContainsAny(host, ` \@=`)
}

const maxPort = 65535

// unixAddress takes the address of a socket: a path, or @name for an abstract one of
// Linux.
func unixAddress(path, shown string) (Address, error) {
	const form = "write unix:///path/of/the/socket"
	text := path
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	switch {
	case path == "" || path == "/":
		return Address{}, &URLError{URL: shown, Problem: "names no socket", Advice: form}
	case !strings.HasPrefix(path, "/") && (path == "@" || !strings.HasPrefix(path, "@")):
		return Address{}, &URLError{URL: shown, Problem: "has a host where the path of the socket should begin", Advice: form + ", with three slashes"}
	case strings.ContainsRune(path, 0):
		return Address{}, &URLError{URL: shown, Problem: "has a control character in it", Advice: form}
	}
	a := Address{Scheme: "unix", URL: "unix://" + text, Path: path}
	if len(path) > 2 && path[2] == ':' { // unix:///C:/path
		a.Path = path[1:]
	}
	return a, nil
}

// hostAddress takes a URL with a host apart.
func hostAddress(scheme, text, shown string) (Address, error) {
	wrong := func(advice, format string, args ...any) (Address, error) {
		return Address{}, &URLError{URL: shown, Problem: fmt.Sprintf(format, args...), Advice: advice}
	}
	u, err := url.Parse(text)
	if err != nil {
		reason := err.Error()
		var parts *url.Error
		if errors.As(err, &parts) { // without the URL
			reason = parts.Err.Error()
		}
		if strings.Contains(reason, "userinfo") { // it may quote a password
			return wrong("write %XX for the special characters of a user and a password", "has a user or a password with characters that cannot stand there")
		}
		if strings.HasPrefix(reason, "invalid port") {
			return wrong("a port is a number from 1 to 65535", "has a port that is no number")
		}
		return wrong(urlForms, "is no URL: %s", reason)
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > maxPort {
			return wrong("a port is a number from 1 to 65535", "has the port %q, which there is not", port)
		}
	}
	a := Address{Scheme: scheme, Host: u.Host}
	if u.User != nil {
		a.User, a.HasUser = u.User.Username(), true
		a.Password, _ = u.User.Password()
	}
	switch {
	case u.Hostname() == "":
		return wrong(urlForms, "names no host")
	case scheme != "tcp":
	case u.Port() == "":
		return wrong("write tcp://host:port", "names no port")
	case u.User != nil || u.RawQuery != "" || strings.Trim(u.Path, "/") != "":
		return wrong("write tcp://host:port and nothing else", "has more than a host and a port")
	}
	u.Scheme, u.User, u.Fragment, u.RawFragment = scheme, nil, "", ""
	if scheme == "tcp" {
		u.Path = ""
	}
	a.URL = u.String()
	return a, nil
}

// checkURL looks at the form of a URL. shown is how errors call it: what its
// variables stand for may be secret.
func checkURL(text, shown string) error {
	_, err := ParseURL(text, shown)
	return err
}
