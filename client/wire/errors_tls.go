package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

const unchecked = "--insecure connects without checking, to whomever that may be"

// explainTLS is about certificates, and about TLS where there is none.
func explainTLS(e *NetError, target string) bool {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		record  tls.RecordHeaderError
	)
	switch {
	case errors.As(e.Err, &name):
		return e.say("the certificate of %s is for "+certificateNames(name.Certificate)+", not for "+shorten(name.Host), "use the name that the certificate has; "+unchecked)
	case errors.As(e.Err, &unknown):
		who, c := "an authority that is not trusted here", unknown.Cert
		if failed := (*tls.CertificateVerificationError)(nil); errors.As(e.Err, &failed) && len(failed.UnverifiedCertificates) > 0 {
			c = failed.UnverifiedCertificates[0] // unknown.Cert may be that of the authority
		}
		if c != nil && c.Issuer.String() == c.Subject.String() {
			who = "itself"
		} else if c != nil && c.Issuer.CommonName != "" {
			who = plainWords(c.Issuer.CommonName) + ", which is not trusted here"
		}
		return e.say("the certificate of %s is signed by "+who, "--ca FILE trusts the certificates in a file; "+unchecked)
	case errors.As(e.Err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		if from := invalid.Cert.NotBefore; time.Now().Before(from) {
			return e.say("the certificate of %s is not valid before "+from.Format(time.DateOnly), "is the clock of this computer right? "+unchecked)
		}
		return e.say("the certificate of %s expired on "+invalid.Cert.NotAfter.Format(time.DateOnly), "it has to be renewed on the server, unless the clock of this computer is wrong; "+unchecked)
	case errors.Is(e.Err, http.ErrSchemeMismatch), errors.As(e.Err, &record) && string(record.RecordHeader[:]) == "HTTP/":
		return e.say("%s speaks plain HTTP, not TLS", "use "+withScheme(e.URL, plainScheme(target)))
	case errors.As(e.Err, &record):
		return e.say("%s does not speak TLS", "use "+withScheme(e.URL, plainScheme(target))+" if it is a server without encryption")
	}
	return explainAlert(e)
}

// explainAlert is about other failures of a handshake; what the server says comes as an
// alert, whose type is not public.
func explainAlert(e *NetError) bool {
	text := e.Err.Error()
	failed := (*tls.CertificateVerificationError)(nil)
	switch _, alert, _ := strings.Cut(text, "remote error: tls: "); {
	case errors.As(e.Err, &failed):
		return e.say("the certificate of %s is not valid: "+plainWords(plainTLS(failed.Err)), unchecked)
	case strings.Contains(text, "http2: client conn could not be established"), e.encrypted() && brokenWrite(e.Err): // the alert was too late
		return e.say("%s ended the connection right after the TLS handshake", "a server that wants a certificate from us does so: --cert FILE and --key FILE send one; its own log may say more")
	case alert == "":
		if !strings.Contains(text, "tls: ") && !strings.Contains(text, "x509: ") {
			return false
		}
		return e.say("TLS with %s failed: "+plainWords(plainTLS(e.Err)), "")
	case strings.Contains(alert, "certificate required"), strings.Contains(alert, "bad certificate"), strings.Contains(alert, "unknown certificate authority"):
		return e.say("%s wants a certificate from us, or another one ("+plainWords(alert)+")", "--cert FILE and --key FILE send one that it knows")
	case strings.Contains(alert, "handshake failure"):
		return e.say("%s refused the TLS handshake ("+plainWords(alert)+")",
			"it wants a certificate from us (--cert FILE and --key FILE), or has no method of TLS 1.2 or newer in common")
	case strings.Contains(alert, "protocol version"):
		return e.say("%s and parley have no version of TLS in common ("+plainWords(alert)+")", "the server must speak TLS 1.2 or newer")
	default:
		return e.say("%s ended the TLS handshake: "+plainWords(alert), "its own log may say why")
	}
}

func (e *NetError) encrypted() bool {
	return strings.HasPrefix(e.URL, "https:") || strings.HasPrefix(e.URL, "wss:")
}

// brokenWrite reports whether the other end was gone when something was written.
func brokenWrite(err error) bool {
	op := (*net.OpError)(nil)
	return errors.As(err, &op) && op.Op == "write" && (errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET))
}

// certificateNames lists whom a certificate is for.
func certificateNames(c *x509.Certificate) string {
	if c == nil {
		return "somebody else"
	}
	names := append([]string{}, c.DNSNames...)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 && c.Subject.CommonName != "" {
		names = append(names, c.Subject.CommonName)
	}
	if len(names) == 0 {
		return "no host at all"
	}
	const most = 4
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return plainWords(strings.Join(names, ", "))
}

func plainScheme(target string) string {
	if strings.HasPrefix(target, "wss:") {
		return "ws"
	}
	return "http"
}

// plainTLS is an error of TLS without the names of the packages it went through.
func plainTLS(err error) string {
	text := err.Error()
	for _, before := range []string{"tls: ", "x509: "} {
		text = strings.TrimPrefix(text, before)
	}
	return text
}

// FileError is a file of certificates or keys that cannot be used.
type FileError struct {
	Flag string // "--ca"
	File string
	Err  error

	what string // more than Err says
	hint string
}

func (e *FileError) Error() string {
	what := e.what
	if what == "" {
		what = e.Err.Error()
	}
	return e.Flag + " " + e.File + ": " + what
}

func (e *FileError) Unwrap() error { return e.Err }

// Hint says what to do about it.
func (e *FileError) Hint() string { return e.hint }

// Word names the error for machines.
func (e *FileError) Word() string { return "usage" }
