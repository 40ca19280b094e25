package wire

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxHops is how many redirects in a row are followed.
const maxHops = 10

// isRedirect reports whether the response asks for another request.
func isRedirect(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// nextHop gives the request that a redirect asks for: same method, same body (req needs
// GetBody if it has one), to where it points. The caller reads resp's body to its end
// and closes it. given are the fields that the user added by hand (-H): they,
// credentials, cookies and the session id stay behind once another origin is asked, even
// if the chain leads back. The chain is kept in the requests (Request.Response), so that
// each one must be sent as it is. Errors are of type [*RedirectError].
func nextHop(req *http.Request, resp *http.Response, given http.Header) (*http.Request, error) {
	e := &RedirectError{Method: req.Method, Hops: hopsTo(req), Status: resp.StatusCode}
	to, err := redirectTarget(req, resp)
	if err != nil {
		return nil, e.because("answered "+statusText(resp.StatusCode)+" "+err.Error(), "the server, or a proxy before it, is set up wrongly: see its documentation for the URL to use")
	}
	e.Location = maskURL(to.String())
	use := "if you trust it, connect to " + e.Location + " instead"
	switch {
	case to.Scheme != "http" && to.Scheme != "https":
		return nil, e.because("redirects to "+e.Location+", which is no web address", "see the server's documentation for the URL to use")
	case req.URL.Scheme == "https" && to.Scheme == "http":
		return nil, e.because("redirects to "+e.Location+", without encryption", use)
	case !keepsMethod(req.Method, resp.StatusCode) && wantsLogin(to):
		return nil, e.because(fmt.Sprintf("wants somebody to log in at %s (%s)", e.Location, statusText(resp.StatusCode)), "-H 'Authorization: Bearer TOKEN' or -H 'Cookie: …' sends what shows who you are")
	case !keepsMethod(req.Method, resp.StatusCode):
		return nil, e.because(fmt.Sprintf("moved to %s with %s, which turns a %s into a GET", e.Location, statusText(resp.StatusCode), req.Method), use+"; 307 and 308 would keep the "+req.Method)
	case asked(req, to):
		e.Loop = true
		return nil, e.because("redirects in a loop: "+chain(append(e.Hops, e.Location)), "the server, or a proxy before it, is set up wrongly; a slash at the end of the URL, or https for http, may be what it wants")
	case len(e.Hops) > maxHops:
		return nil, e.because(fmt.Sprintf("redirects more than %d times: %s", maxHops, chain(append(e.Hops, e.Location))), "the server, or a proxy before it, is set up wrongly")
	}
	next := req.Clone(req.Context())
	next.URL, next.Host, next.Response = to, "", resp
	if req.Body != nil && req.Body != http.NoBody {
		if req.GetBody == nil {
			return nil, e.because("redirects to "+e.Location+", but the message cannot be sent again", use)
		}
		if next.Body, err = req.GetBody(); err != nil {
			return nil, e.because("redirects to "+e.Location+": "+err.Error(), use)
		}
	}
	if sameOrigin(req.URL, to) {
		next.Host = req.Host
	} else {
		leaveBehind(next.Header, given)
	}
	return next, nil
}

// chain lists where redirects led; of many the first and the last.
func chain(hops []string) string {
	const most = 4
	if len(hops) > most {
		hops = append(append(hops[:most/2:most/2], "…"), hops[len(hops)-most/2:]...)
	}
	return strings.Join(hops, " → ")
}

// wantsLogin reports whether an address looks like a page to log in.
func wantsLogin(to *url.URL) bool {
	path := strings.ToLower(to.Path)
	for _, word := range []string{"login", "log-in", "log_in", "signin", "sign-in", "sign_in", "/sso", "/saml", "/oauth", "/authorize"} {
		if strings.Contains(path, word) {
			return true
		}
	}
	return false
}

// redirectTarget resolves where a redirect points.
func redirectTarget(req *http.Request, resp *http.Response) (*url.URL, error) {
	location := resp.Header.Get("Location")
	if location == "" {
		return nil, errors.New("without saying where to")
	}
	to, err := req.URL.Parse(location)
	if err != nil {
		return nil, fmt.Errorf("with a Location that is no URL: %s", maskURL(shorten(location)))
	}
	if to.Host == "" {
		return nil, fmt.Errorf("with a Location without a host: %s", maskURL(shorten(location)))
	}
	to.Fragment = ""
	return to, nil
}

// keepsMethod reports whether a redirect leaves the method as it is. Clients turn a POST
// into a GET at 301 and 302, and everything at 303 (RFC 9110, 15.4).
func keepsMethod(method string, status int) bool {
	return method == http.MethodGet || method == http.MethodHead || status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
}

// hopsTo lists the URLs that were asked, in order.
func hopsTo(req *http.Request) (hops []string) {
	for ; req != nil; req = hopBefore(req) {
		hops = append(hops, maskURL(req.URL.String()))
	}
	slices.Reverse(hops)
	return hops
}

// asked reports whether that URL was asked already in this chain.
func asked(req *http.Request, u *url.URL) bool {
	for ; req != nil; req = hopBefore(req) {
		if req.URL.String() == u.String() {
			return true
		}
	}
	return false
}

// hopBefore gives the request whose redirect led to this one.
func hopBefore(req *http.Request) *http.Request {
	if req.Response == nil {
		return nil
	}
	return req.Response.Request
}

// sameOrigin reports whether scheme, host and port are the same (RFC 6454).
func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if strings.EqualFold(u.Scheme, "https") {
		return "443"
	}
	return "80"
}

// leaveBehind takes out of a header what another origin must not see: everything but
// what the protocol itself needs, and of that what the user wrote.
func leaveBehind(header, given http.Header) {
	mine := map[string]bool{}
	for name := range given {
		mine[http.CanonicalHeaderKey(name)] = true
	}
	for name := range header {
		canonical := http.CanonicalHeaderKey(name)
		switch canonical {
		case "Accept", "Content-Type":
			continue // the request makes no sense without them
		case "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "User-Agent", "Cache-Control":
			if !mine[canonical] {
				continue
			}
		default:
			if strings.HasPrefix(canonical, "Mcp-Param-") && !mine[canonical] {
				continue // a copy of what the body says
			}
		}
		delete(header, name)
	}
}
