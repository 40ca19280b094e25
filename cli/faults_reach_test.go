package cli_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// nameServer makes a server on the loopback interface the one that names are asked of.
// It knows none, and of broken.invalid it says that it failed.
func nameServer(t *testing.T) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	before := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
	t.Cleanup(func() {
		net.DefaultResolver = before
		_ = conn.Close()
	})
	go func() {
		packet := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(packet)
			if err != nil {
				return
			}
			if n < 12 {
				continue
			}
			answer := packet[:n]
			code := byte(3) // there is no such name
			if n > 19 && string(answer[13:19]) == "broken" {
				code = 2
			}
			answer[2] |= 0x80
			answer[3] = answer[3]&0xf0 | code
			_, _ = conn.WriteTo(answer, from)
		}
	}()
}

// address is a server that is elsewhere, or nowhere.
func address(url string) func(*peer) string { return func(*peer) string { return url } }

// refusing is a port on which nobody listens.
func refusing(scheme, path string) func(p *peer) string {
	return func(p *peer) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			p.t.Fatal(err)
		}
		_ = l.Close()
		return scheme + "://" + l.Addr().String() + path
	}
}

// talker is a server of TCP that answers what it gets with these bytes and ends the
// connection, each time.
func talker(scheme, path string, f func(conn net.Conn)) func(p *peer) string {
	return func(p *peer) string {
		return scheme + "://" + lineServer(p, "tcp", "127.0.0.1:0", f) + path
	}
}

// take reads an HTTP request to its end, or a line of something else: a connection that
// is ended with something unread is reset.
func take(conn net.Conn) {
	in := bufio.NewReader(conn)
	if start, _ := in.Peek(5); string(start) != "POST " {
		_, _ = in.ReadString('\n')
		return
	}
	if req, err := http.ReadRequest(in); err == nil {
		_, _ = io.Copy(io.Discard, req.Body)
	}
}

func greets(text string) func(net.Conn) {
	return func(conn net.Conn) {
		take(conn)
		_, _ = io.WriteString(conn, text)
	}
}

func reachFaults(*testing.T) faultGroup {
	return faultGroup{"Reaching the server", []fault{
		{name: "nothing listens on the port", serve: refusing("http", "/mcp"), code: 4},
		{name: "there is no such host", serve: address("http://no-such-host.invalid/mcp"), code: 4},
		{name: "the name server fails", serve: address("http://broken.invalid/mcp"), code: 4},
		{name: "the server takes the connection and drops it", serve: talker("http", "/mcp", greets("")), code: 4},
		{name: "the server resets the connection", serve: talker("http", "/mcp", func(conn net.Conn) {
			take(conn)
			reset(conn)
		}), code: 4},
		{name: "the server takes the request and says nothing", serve: func(p *peer) string {
			p.on[""] = func(v *visit) { v.hang() }
			return p.listen()
		}, flags: "--timeout 300ms", code: 4},
		{name: "the head of the answer comes a byte at a time, without end", serve: talker("http", "/mcp", func(conn net.Conn) {
			take(conn)
			for _, c := range []byte("HTTP/1.1 200 OK\r\nX-Slow: ") {
				if _, err := conn.Write([]byte{c}); err != nil {
					return
				}
			}
			_, _ = io.Copy(io.Discard, conn)
		}), flags: "--timeout 300ms", code: 4},
		{name: "another program listens on the port: ssh", serve: talker("http", "/mcp", greets("SSH-2.0-OpenSSH_9.6\r\n")), code: 4},
		{name: "another program listens on the port: JSON-RPC without HTTP", serve: talker("http", "/mcp", greets("{\"jsonrpc\":\"2.0\"}\n")), code: 4},
		{name: "the head of the answer is broken", serve: talker("http", "/mcp", greets("HTTP/1.1 200 OK\r\nno colon here\r\n\r\n")), code: 4},
		{name: "the connection ends in the middle of the head", serve: talker("http", "/mcp", greets("HTTP/1.1 200 OK\r\nContent-Ty")), code: 4},
		{name: "the head of the answer has 2 MB", serve: calls(func(v *visit) { v.answer(200, "application/json", v.called(), "X-Large", large(2<<20)) })},
		{name: "the head of the answer has more than 10 MB", serve: func(p *peer) string {
			return talker("http", "/mcp", greets("HTTP/1.1 200 OK\r\nX-Large: "+large(11<<20)+"\r\n\r\n"))(p)
		}, code: 4},
		{name: "interim answers come first: 100, 102, 103", serve: calls(func(v *visit) {
			for _, status := range []int{100, 102, 103} {
				v.WriteHeader(status)
			}
			v.result("{" + done + "}")
		})},
	}}
}

func large(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
	}
	return string(b)
}

// certificate makes one for the names and addresses, signed by itself or by a CA.
func certificate(t *testing.T, from, to time.Time, name string, ip net.IP, parent *tls.Certificate) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: from, NotAfter: to,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: parent == nil,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else if parent != nil {
		template.DNSNames = []string{name}
	}
	issuer, signer := template, any(key)
	if parent != nil {
		issuer, signer = parent.Leaf, parent.PrivateKey
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, issuer, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key, Leaf: leaf}
}

// encrypted is a server that does everything right, with a certificate.
func encrypted(config *tls.Config) func(p *peer) string {
	return func(p *peer) string {
		p.server = httptest.NewUnstartedServer(p)
		p.server.Config.ErrorLog = log.New(io.Discard, "", 0)
		p.server.TLS = config.Clone()
		p.server.EnableHTTP2 = true
		p.server.StartTLS()
		p.t.Cleanup(p.end)
		return p.server.URL + "/mcp"
	}
}

func tlsFaults(t *testing.T) faultGroup {
	t.Helper()
	past, future := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(2120, 1, 2, 0, 0, 0, 0, time.UTC)
	loopback := net.IPv4(127, 0, 0, 1)
	ca := certificate(t, past, future, "Test authority", nil, nil)
	with := func(c tls.Certificate, shape ...func(*tls.Config)) func(p *peer) string {
		config := &tls.Config{Certificates: []tls.Certificate{c}, MinVersion: tls.VersionTLS12}
		for _, s := range shape {
			s(config)
		}
		return encrypted(config)
	}
	good := certificate(t, past, future, "server", loopback, &ca)
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.Certificate[0]}), 0o600); err != nil {
		t.Fatal(err)
	}
	trusted := "--ca " + file
	second := func(f func(v *visit)) func(p *peer) string { // over HTTP/2
		return func(p *peer) string {
			p.on["tools/call"] = f
			return with(good)(p)
		}
	}
	return faultGroup{"TLS", []fault{
		{name: "an authority signed the certificate that is not known", serve: with(good), code: 4},
		{name: "the same with `--ca`", serve: with(good), flags: trusted},
		{name: "the same with `--insecure`", serve: with(good), flags: "--insecure"},
		{name: "the certificate is signed by itself", serve: with(certificate(t, past, future, "server", loopback, nil)), code: 4},
		{name: "the certificate is for another name", serve: with(certificate(t, past, future, "other.example", nil, &ca)), flags: trusted, code: 4},
		{name: "the certificate has expired", serve: with(certificate(t, past, past.AddDate(0, 0, 90), "server", loopback, &ca)), flags: trusted, code: 4},
		{name: "the certificate is not valid yet", serve: with(certificate(t, future.AddDate(-1, 0, 0), future, "server", loopback, &ca)), flags: trusted, code: 4},
		{name: "the server wants a certificate from the client", serve: with(good, func(c *tls.Config) {
			c.ClientAuth = tls.RequireAnyClientCert
			c.MaxVersion = tls.VersionTLS12 // later versions tell it when the handshake is done, which may be too late
		}), flags: trusted, code: 4},
		{name: "the server speaks TLS 1.1 at most", serve: with(good, func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }), flags: trusted, code: 4},
		{name: "https to a port that speaks plain HTTP", serve: func(p *peer) string { return "https" + p.listen()[len("http"):] }, code: 4},
		{name: "http to a port that speaks TLS, which a Go server tells", serve: func(p *peer) string {
			return "http" + encrypted(&tls.Config{Certificates: []tls.Certificate{good}, MinVersion: tls.VersionTLS12})(p)[len("https"):]
		}, code: 4},
		{name: "http to a port that speaks TLS, which answers with an alert", serve: talker("http", "/mcp", greets("\x15\x03\x01\x00\x02\x02\x0a")), code: 4},
		{name: "https to a port that speaks something else", serve: talker("https", "/mcp", greets("SSH-2.0-OpenSSH_9.6\r\n")), code: 4},
		{name: "HTTP/2: the server breaks off an answer", serve: second(func(v *visit) {
			v.answer(200, "application/json", v.called()[:20])
			v.cut()
		}), flags: trusted, code: 4, after: once},
		{name: "HTTP/2: the server does not answer and breaks off", serve: second(func(v *visit) { v.cut() }), flags: trusted, code: 4, after: once},
		{name: "HTTP/2: the connection ends in the middle of a stream", serve: second(func(v *visit) {
			v.stream(event(logged))
			v.peer.restart()
			v.hang()
		}), flags: trusted, code: 4, after: once, endless: true},
		{name: "wss to a port that speaks plain HTTP", serve: func(p *peer) string { return "wss" + p.listen()[len("http"):] }, code: 4},
	}}
}
