package wire

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net"
	"net/http"
	"os"
	"time"
)

const (
	defaultConnect = 10 * time.Second
	// maxIdle is how many connections to one server are kept for the next requests:
	// more than are in flight at once.
	maxIdle = 128
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
// environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY; never for loopback), HTTP/2, gzip, no
// limit on time but for connecting. It does not follow redirects by itself: the response
// comes back as it is, so that each hop can be seen, and nextHop makes the request that
// follows it. It keeps no cookies. Errors are of type [*FileError].
func NewHTTPClient(opt NetOptions) (*http.Client, error) {
	config, err := tlsConfig(opt)
	if err != nil {
		return nil, err
	}
	limit := opt.ConnectTimeout
	if limit == 0 {
		limit = defaultConnect
	}
	dialer := &net.Dialer{Timeout: limit, KeepAlive: 30 * time.Second}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			OnProxyConnectResponse: proxyAnswer,
			DialContext:            dialer.DialContext,
			TLSClientConfig:        config,
			TLSHandshakeTimeout:    limit,
			ForceAttemptHTTP2:      true,
			MaxIdleConns:           2 * maxIdle,
			MaxIdleConnsPerHost:    maxIdle,
			IdleConnTimeout:        90 * time.Second,
			ExpectContinueTimeout:  time.Second,
			// A server may take as long as it likes for a call: who waits for a head
			// sets a limit in the request's context.
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

func tlsConfig(opt NetOptions) (*tls.Config, error) {
	config := &tls.Config{InsecureSkipVerify: opt.Insecure, MinVersion: tls.VersionTLS12}
	if opt.CA != "" {
		pool, err := trusted(opt.CA)
		if err != nil {
			return nil, err
		}
		config.RootCAs = pool
	}
	if opt.Cert == "" && opt.Key != "" {
		return nil, &FileError{Flag: "--key", File: opt.Key, Err: errors.New("a key without a certificate"), hint: "--cert FILE names the certificate that it belongs to"}
	}
	if opt.Cert != "" {
		pair, err := ownCertificate(opt.Cert, opt.Key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// trusted gives the system's certificates and those of the file.
func trusted(file string) (*x509.CertPool, error) {
	const flag = "--ca"
	raw, err := readPEM(flag, file)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	found := 0
	for rest := raw; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, &FileError{Flag: flag, File: file, Err: err, what: "a certificate in it cannot be read: " + err.Error()}
		}
		pool.AddCert(cert)
		found++
	}
	if found == 0 {
		return nil, &FileError{Flag: flag, File: file, Err: errors.New("no certificate in it"), hint: "the file must hold the certificate of the authority, between BEGIN CERTIFICATE and END CERTIFICATE"}
	}
	return pool, nil
}

// ownCertificate reads a certificate and its key.
func ownCertificate(certFile, keyFile string) (tls.Certificate, error) {
	none := tls.Certificate{}
	cert, err := readPEM("--cert", certFile)
	if err != nil {
		return none, err
	}
	flag, key := "--key", cert
	if keyFile == "" {
		flag, keyFile = "--cert", certFile
	} else if key, err = readPEM(flag, keyFile); err != nil {
		return none, err
	}
	if !bytes.Contains(cert, []byte("-----BEGIN CERTIFICATE-----")) {
		return none, &FileError{Flag: "--cert", File: certFile, Err: errors.New("no certificate in it"), hint: "is it the key? --cert takes the certificate, --key the key"}
	}
	if bytes.Contains(key, []byte("ENCRYPTED")) {
		return none, &FileError{Flag: flag, File: keyFile, Err: errors.New("the key is encrypted"), hint: "write it without its passphrase: openssl pkey -in " + keyFile + " -out plain.pem"}
	}
	if !bytes.Contains(key, []byte("PRIVATE KEY-----")) {
		hint := "--key takes the private key, between BEGIN PRIVATE KEY and END PRIVATE KEY"
		if flag == "--cert" {
			hint = "--key FILE names the file of its key"
		}
		return none, &FileError{Flag: flag, File: keyFile, Err: errors.New("no private key in it"), hint: hint}
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return none, &FileError{Flag: flag, File: keyFile, Err: err, what: "the certificate in " + certFile + " and this key do not fit: " + plainTLS(err)}
	}
	return pair, nil
}

// readPEM reads a file that must hold PEM.
func readPEM(flag, file string) ([]byte, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		reason := err
		if path := (*os.PathError)(nil); errors.As(err, &path) {
			reason = path.Err
		}
		return nil, &FileError{Flag: flag, File: file, Err: err, what: reason.Error()}
	}
	if block, _ := pem.Decode(raw); block == nil {
		return nil, &FileError{Flag: flag, File: file, Err: errors.New("it is no PEM file"), hint: "other formats are converted by openssl: openssl x509 -inform der -in " + file + " -out cert.pem"}
	}
	return raw, nil
}
