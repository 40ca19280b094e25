package wire

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// issued is a certificate with its key, as PEM.
type issued struct {
	cert    *x509.Certificate
	key     *ecdsa.PrivateKey
	certPEM []byte
	keyPEM  []byte
}

func (i *issued) pair(t *testing.T) tls.Certificate {
	t.Helper()
	pair, err := tls.X509KeyPair(i.certPEM, i.keyPEM)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// issue makes a certificate: of an authority, where by is nil.
func issue(t *testing.T, name string, by *issued, until time.Duration) *issued {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(until),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true, IsCA: by == nil,
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else if by != nil {
		template.DNSNames = []string{name}
	}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return &issued{
		cert: cert, key: key,
		certPEM: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		keyPEM:  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}),
	}
}

// secure starts a TLS server on loopback.
func secure(t *testing.T, cert *issued, config *tls.Config, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.Config.ErrorLog = nolog
	if config == nil {
		config = &tls.Config{}
	}
	config.Certificates = []tls.Certificate{cert.pair(t)}
	s.TLS = config
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func file(t *testing.T, name string, content ...[]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, bytes.Join(content, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func httpClient(t *testing.T, opt NetOptions) *http.Client {
	t.Helper()
	c, err := NewHTTPClient(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func get(t *testing.T, c *http.Client, url string) (string, error) {
	t.Helper()
	resp, err := c.Get(url)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %d %s", resp.Proto, resp.StatusCode, body), nil
}

func TestCertificates(t *testing.T) {
	authority := issue(t, "Test Authority", nil, time.Hour)
	server := issue(t, "127.0.0.1", authority, time.Hour)
	own := issue(t, "somebody", authority, time.Hour)
	pool := x509.NewCertPool()
	pool.AddCert(authority.cert)
	s := secure(t, server, &tls.Config{ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: pool}, func(w http.ResponseWriter, r *http.Request) {
		who := "nobody"
		if len(r.TLS.PeerCertificates) > 0 {
			who = r.TLS.PeerCertificates[0].Subject.CommonName
		}
		_, _ = io.WriteString(w, who)
	})
	ca := file(t, "ca.pem", []byte("a comment\n"), authority.certPEM)
	cert, key := file(t, "cert.pem", own.certPEM), file(t, "key.pem", own.keyPEM)
	for name, c := range map[string]struct {
		opt  NetOptions
		want string
	}{
		"--ca":                {NetOptions{CA: ca}, "HTTP/2.0 200 nobody"},
		"--insecure":          {NetOptions{Insecure: true}, "HTTP/2.0 200 nobody"},
		"--cert and --key":    {NetOptions{CA: ca, Cert: cert, Key: key}, "HTTP/2.0 200 somebody"},
		"--cert with its key": {NetOptions{CA: ca, Cert: file(t, "both.pem", own.keyPEM, own.certPEM)}, "HTTP/2.0 200 somebody"},
		"nothing":             {NetOptions{}, ""},
	} {
		got, err := get(t, httpClient(t, c.opt), s.URL)
		if got != c.want || err != nil && c.want != "" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	one, other := issue(t, "one", nil, time.Hour), issue(t, "other", nil, time.Hour)
	cert, key := file(t, "cert.pem", one.certPEM), file(t, "key.pem", one.keyPEM)
	missing := filepath.Join(t.TempDir(), "missing.pem")
	der := file(t, "cert.der", one.cert.Raw)
	for _, c := range []struct {
		opt        NetOptions
		want, hint string
	}{
		{NetOptions{CA: missing}, "--ca " + missing + ": no such file or directory", ""},
		{NetOptions{CA: der}, "--ca " + der + ": it is no PEM file", "openssl x509 -inform der"},
		{NetOptions{CA: key}, "--ca " + key + ": no certificate in it", "BEGIN CERTIFICATE"},
		{NetOptions{CA: file(t, "broken.pem", []byte("-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n"))}, "broken.pem: a certificate in it cannot be read: x509: malformed certificate", ""},
		{NetOptions{Cert: missing, Key: key}, "--cert " + missing + ": no such file or directory", ""},
		{NetOptions{Cert: cert, Key: missing}, "--key " + missing + ": no such file or directory", ""},
		{NetOptions{Key: key}, "--key " + key + ": a key without a certificate", "--cert FILE"},
		{NetOptions{Cert: cert}, "--cert " + cert + ": no private key in it", "--key FILE names"},
		{NetOptions{Cert: key, Key: cert}, "--cert " + key + ": no certificate in it", "is it the key?"},
		{NetOptions{Cert: cert, Key: cert}, "--key " + cert + ": no private key in it", "BEGIN PRIVATE KEY"},
		{NetOptions{Cert: cert, Key: file(t, "other.pem", other.keyPEM)}, "the certificate in " + cert + " and this key do not fit: private key does not match public key", ""},
		{NetOptions{Cert: cert, Key: file(t, "locked.pem", []byte("-----BEGIN ENCRYPTED PRIVATE KEY-----\nYWJj\n-----END ENCRYPTED PRIVATE KEY-----\n"))}, "locked.pem: the key is encrypted", "openssl pkey"},
	} {
		_, err := NewHTTPClient(c.opt)
		e := (*FileError)(nil)
		if !errors.As(err, &e) {
			t.Errorf("%+v: error %v", c.opt, err)
			continue
		}
		if !strings.Contains(e.Error(), c.want) || !strings.Contains(e.Hint(), c.hint) || e.Word() != "usage" {
			t.Errorf("error %q, hint %q, want %q, %q", e, e.Hint(), c.want, c.hint)
		}
	}
	if _, err := NewHTTPClient(NetOptions{CA: missing}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestAnswersAreUnpacked(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			t.Error("gzip is not offered")
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, ping)
		_ = z.Close()
	}))
	defer s.Close()
	if got, err := get(t, httpClient(t, NetOptions{}), s.URL); got != "HTTP/1.1 200 "+ping || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestRequestsShareConnections(t *testing.T) {
	const inFlight, rounds = 64, 4
	var mu sync.Mutex
	opened := map[string]bool{}
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		opened[r.RemoteAddr] = true
	}))
	defer s.Close()
	c := httpClient(t, NetOptions{})
	for range rounds {
		var all sync.WaitGroup
		for range inFlight {
			all.Go(func() {
				if _, err := get(t, c, s.URL); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	if len(opened) > 2*inFlight {
		t.Errorf("%d connections for %d requests, %d at once", len(opened), rounds*inFlight, inFlight)
	}
}

func TestConnectingTakesAsLongAsItMay(t *testing.T) {
	c := httpClient(t, NetOptions{ConnectTimeout: 30 * time.Millisecond})
	l := listen(t, func(net.Conn) { <-t.Context().Done() }) // takes connections and says nothing
	start := time.Now()
	err := noAnswer(c.Get("https://" + l))
	if e := newNetError("https://"+l, err); err == nil || !strings.Contains(e.Error(), "TLS handshake") || time.Since(start) > 5*time.Second {
		t.Errorf("error %v after %v", err, time.Since(start))
	}
}

const proxyChild = "PARLEY_TEST_PROXY_CHILD"

// TestProxiesOfTheEnvironment asks through a proxy, in a process of its own: net/http
// reads the environment once. Loopback never goes through a proxy, so the names are of
// hosts that do not exist, or of this one as no loopback address.
func TestProxiesOfTheEnvironment(t *testing.T) {
	if url := os.Getenv(proxyChild); url != "" {
		c := httpClient(t, NetOptions{})
		got, err := get(t, c, url)
		if err != nil {
			got = newNetError(url, err).Error()
		}
		fmt.Println("ANSWER", got)
		return
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			w.WriteHeader(map[bool]int{true: http.StatusProxyAuthRequired, false: http.StatusBadGateway}[r.Header.Get("Proxy-Authorization") == ""])
			return
		}
		fmt.Fprintf(w, "through the proxy to %s", r.URL)
	}))
	defer proxy.Close()
	closed := listen(t, nil)
	address := strings.TrimPrefix(proxy.URL, "http://")
	for _, c := range []struct {
		url  string
		env  []string
		want string
	}{
		{"http://mcp.invalid/mcp", []string{"HTTP_PROXY=" + proxy.URL}, "HTTP/1.1 200 through the proxy to http://mcp.invalid/mcp"},
		{"http://mcp.invalid/mcp", []string{"http_proxy=" + proxy.URL}, "HTTP/1.1 200 through the proxy to http://mcp.invalid/mcp"},
		{strings.Replace(proxy.URL, "127.0.0.1", "0.0.0.0", 1) + "/x", []string{"HTTP_PROXY=http://" + closed}, "cannot connect to the proxy for http://0.0.0.0:"},
		{strings.Replace(proxy.URL, "127.0.0.1", "0.0.0.0", 1) + "/x", []string{"HTTP_PROXY=http://" + closed, "NO_PROXY=0.0.0.0"}, "HTTP/1.1 200 through the proxy to /x"},
		{"https://mcp.invalid/mcp", []string{"HTTPS_PROXY=" + proxy.URL}, "cannot connect to https://mcp.invalid/mcp: the proxy " + address + " answered 407 proxy authentication required"},
		{"https://mcp.invalid/mcp", []string{"HTTPS_PROXY=http://u:p@" + address}, "cannot connect to https://mcp.invalid/mcp: the proxy " + address + " answered 502 bad gateway"},
		{"https://mcp.invalid/mcp", []string{"HTTPS_PROXY=http://" + closed}, "cannot connect to the proxy for https://mcp.invalid/mcp: connection refused"},
		{proxy.URL + "/x", []string{"HTTP_PROXY=http://" + closed}, "HTTP/1.1 200 through the proxy to /x"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestProxiesOfTheEnvironment$")
		cmd.Env = append(os.Environ(), proxyChild+"="+c.url, "HTTP_PROXY=", "HTTPS_PROXY=", "NO_PROXY=", "http_proxy=", "https_proxy=", "no_proxy=")
		cmd.Env = append(cmd.Env, c.env...)
		out, err := cmd.CombinedOutput()
		_, got, _ := strings.Cut(string(out), "ANSWER ")
		if err != nil || !strings.HasPrefix(got, c.want) {
			t.Errorf("%v: %q, want %q (%v)", c.env, out, c.want, err)
		}
	}
}

// listen opens a port on loopback that serves each connection, or, without a server, a
// port that nobody listens on any more. It gives its address.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if serve == nil {
		_ = l.Close()
		return l.Addr().String()
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				serve(conn)
			}()
		}
	}()
	return l.Addr().String()
}

// refuse is a dialer that never connects.
func refuse(context.Context, string, string) (net.Conn, error) { return nil, errors.New("refused") }
