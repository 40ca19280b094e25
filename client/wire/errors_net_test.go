package wire

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var nolog = log.New(io.Discard, "", 0)

// answers takes a request and answers with these bytes.
func answers(text string) func(net.Conn) {
	return func(c net.Conn) {
		req, err := http.ReadRequest(bufio.NewReader(c))
		if err == nil {
			_, _ = io.Copy(io.Discard, req.Body)
		}
		_, _ = io.WriteString(c, text)
	}
}

func reset(c net.Conn) {
	if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
		_ = c.(*net.TCPConn).SetLinger(0)
	}
}

func TestFaultsOfTheNetwork(t *testing.T) {
	authority := issue(t, "Test Authority", nil, 100*24*time.Hour)
	other := issue(t, "Other Authority", nil, time.Hour)
	pool := x509.NewCertPool()
	pool.AddCert(authority.cert)
	fine := func(http.ResponseWriter, *http.Request) {}
	good := secure(t, issue(t, "127.0.0.1", authority, time.Hour), nil, fine)
	itself := secure(t, issue(t, "127.0.0.1", nil, time.Hour), nil, fine)
	chained := issue(t, "127.0.0.1", authority, time.Hour)
	chained.certPEM = slices.Concat(chained.certPEM, authority.certPEM)
	chain := secure(t, chained, nil, fine)
	named := secure(t, issue(t, "mcp.example", authority, time.Hour), nil, fine)
	expired := secure(t, issue(t, "127.0.0.1", authority, -time.Hour), nil, fine)
	wants := secure(t, issue(t, "127.0.0.1", authority, time.Hour), &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}, fine)
	plain := httptest.NewServer(http.HandlerFunc(fine))
	defer plain.Close()
	closed := listen(t, nil)
	hangs := listen(t, func(net.Conn) { <-t.Context().Done() })
	ca := file(t, "ca.pem", authority.certPEM)
	day := time.Now().Add(-time.Hour).UTC().Format(time.DateOnly)
	dial := func(err error) *http.Client {
		return &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
		}}}
	}
	for _, c := range []struct {
		name, url  string
		client     *http.Client
		want, hint string
	}{
		{"refused", "http://" + closed + "/mcp", nil, "cannot connect to URL: connection refused", "nothing listens on " + closed},
		{"unknown host", "http://mcp.invalid/mcp", dial(&net.DNSError{Err: "no such host", Name: "mcp.invalid", IsNotFound: true}), "cannot connect to URL: there is no host mcp.invalid", "check the spelling"},
		{"silent name server", "http://mcp.invalid/mcp", dial(&net.DNSError{Err: "i/o timeout", Name: "mcp.invalid", IsTimeout: true}), "cannot connect to URL: the address of mcp.invalid could not be found in time", "is there a network?"},
		{"broken name server", "http://mcp.invalid/mcp", dial(&net.DNSError{Err: "server misbehaving", Name: "mcp.invalid", IsTemporary: true}), "the name server failed when it was asked for mcp.invalid", "name server"},
		{"no way", "http://192.0.2.1/mcp", dial(syscall.EHOSTUNREACH), "cannot connect to URL: no route to host", "VPN"},
		{"forbidden", "http://192.0.2.1/mcp", dial(syscall.EACCES), "cannot connect to URL: permission denied", "firewall"},
		{"connect timeout", "http://192.0.2.1/mcp", dial(context.DeadlineExceeded), "cannot connect to URL: no answer in time", "firewall"},
		{"signed by itself", itself.URL + "/mcp", nil, "the certificate of URL is signed by itself", "--ca FILE trusts"},
		{"unknown authority", good.URL + "/mcp", nil, "the certificate of URL is signed by Test Authority, which is not trusted here", "--insecure"},
		{"unknown authority, sent along", chain.URL + "/mcp", nil, "the certificate of URL is signed by Test Authority, which is not trusted here", "--ca FILE"},
		{"another authority", good.URL + "/mcp", httpClient(t, NetOptions{CA: file(t, "other.pem", other.certPEM)}), "is signed by Test Authority", "--ca FILE"},
		{"another name", named.URL + "/mcp", httpClient(t, NetOptions{CA: ca}), "the certificate of URL is for mcp.example, not for 127.0.0.1", "use the name"},
		{"expired", expired.URL + "/mcp", httpClient(t, NetOptions{CA: ca}), "the certificate of URL expired on " + day, "renewed"},
		{"wants a certificate", wants.URL + "/mcp", httpClient(t, NetOptions{CA: ca}), "URL ", "--cert FILE"}, // the server says so too late for some requests
		{"plain HTTP on an https URL", strings.Replace(plain.URL, "http:", "https:", 1) + "/mcp", nil, "URL speaks plain HTTP, not TLS", "use " + plain.URL + "/mcp"},
		{"no TLS on an https URL", "https://" + listen(t, func(c net.Conn) { _, _ = io.WriteString(c, "SSH-2.0-x\r\n") }), nil, "URL does not speak TLS", "use http://"},
		{"TLS on an http URL", "http://" + listen(t, answers("\x15\x03\x01\x00\x02\x02\x46")), nil, "URL speaks TLS, not plain HTTP", "use https://127.0.0.1:"},
		{"TLS handshake timeout", "https://" + hangs, httpClient(t, NetOptions{ConnectTimeout: 20 * time.Millisecond}), "the TLS handshake was not done in time", "does this port speak TLS?"},
		{"no HTTP", "http://" + listen(t, answers("SSH-2.0-OpenSSH\r\n")), nil, `URL does not speak HTTP: malformed HTTP response "SSH-2.0-OpenSSH"`, "another program listens on 127.0.0.1:"},
		{"reset", "http://" + listen(t, reset), nil, "URL reset the connection without an answer", "may have crashed"},
		{"closed", "http://" + listen(t, answers("")), nil, "URL closed the connection without an answer", "may have crashed"},
		{"closed in the head", "http://" + listen(t, answers("HTTP/1.1 200 OK\r\nConte")), nil, `URL answered with a broken head: missing colon: "Conte"`, "broke off"},
		{"no head in time", "http://" + hangs, &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 20 * time.Millisecond}}, "URL took the request but did not answer in time", "--timeout"},
		{"no head in the context's time", "http://" + hangs, &http.Client{Timeout: 20 * time.Millisecond}, "URL took the request but did not answer in time", "--timeout"},
		{"another scheme", "ftp://127.0.0.1/x", nil, "URL is no address of the web", "http://"},
		{"secrets stay hidden", "http://user:hunter2@" + closed + "/mcp?token=hunter2", nil, "cannot connect to http://user:…@" + closed + "/mcp?token=…: connection refused", "nothing listens"},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := c.client
			if client == nil {
				client = httpClient(t, NetOptions{})
			}
			resp, err := client.Post(c.url, "application/json", strings.NewReader(ping))
			if err == nil {
				_ = resp.Body.Close()
				t.Fatalf("status %s", resp.Status)
			}
			e := newNetError(c.url, err)
			want := strings.Replace(c.want, "URL", c.url, 1)
			if !strings.Contains(e.Error(), want) || !strings.Contains(e.Hint(), c.hint) || e.Word() != "unreachable" {
				t.Errorf("error %q\nhint  %q\nwant  %q\n      %q\nof %T %v", e, e.Hint(), want, c.hint, e.Err, err)
			}
			if strings.Contains(e.Error()+e.Hint(), "hunter2") || strings.Contains(e.Error(), "\n") {
				t.Errorf("error %q, hint %q", e, e.Hint())
			}
		})
	}
}

func TestErrorsOfTheNetworkCanBeTold(t *testing.T) {
	_, err := net.Dial("tcp", listen(t, nil))
	if e := error(newNetError("tcp://127.0.0.1:1", err)); !errors.Is(e, syscall.ECONNREFUSED) {
		t.Errorf("error %v", e)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:1/", nil)
	err = noAnswer(httpClient(t, NetOptions{}).Do(req))
	if e := newNetError("http://127.0.0.1:1/", err); !errors.Is(e, context.Canceled) || !strings.Contains(e.Error(), "cancelled") {
		t.Errorf("error %v", e)
	}
	if e := newNetError("http://a/", errors.New("odd http://a/?token=hunter2")); e.Error() != "cannot connect to http://a/: odd http://a/?token=…" {
		t.Errorf("error %v", e)
	}
}

// noAnswer gives the error of a request that must have none but that.
func noAnswer(resp *http.Response, err error) error {
	if err == nil {
		_ = resp.Body.Close()
	}
	return err
}
