package wire

import (
	"bytes"
	"strconv"
	"strings"
)

// hidden stands for what is not shown.
const hidden = "…"

// longSecret is from which length on the end of a secret is shown, in bytes.
const longSecret = 16

// plainFields are the fields that most heads have and that never hold a secret.
var plainFields = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Cache-Control": true, "Connection": true, "Content-Encoding": true, "Content-Length": true,
	"Content-Type": true, "Date": true, "Host": true, "Keep-Alive": true, "Mcp-Method": true, "Mcp-Protocol-Version": true,
	"MCP-Protocol-Version": true, "Sec-Websocket-Accept": true, "Sec-WebSocket-Accept": true, "Sec-Websocket-Key": true, "Sec-WebSocket-Key": true,
	"Sec-Websocket-Version": true, "Sec-WebSocket-Version": true, "Server": true, "Transfer-Encoding": true, "Upgrade": true,
	"User-Agent": true, "Vary": true, "X-Powered-By": true, "accept": true, "accept-encoding": true, "content-length": true, "content-type": true, "user-agent": true,
}

// schemes are the words before credentials that stay to be seen.
var schemes = []string{"bearer", "basic", "dpop", "token", "digest", "negotiate", "ntlm", "apikey", "api-key", "key", "hmac", "hawk", "aws4-hmac-sha256", "gnap", "privatetoken"}

// MaskHeader gives the value of a header field so that it can be shown and kept: of
// credentials, cookies, session ids and whatever sounds secret nothing but … stays and
// of a long one its last four bytes; so do the scheme of credentials and the names of
// cookies. In other values, parameters and passwords of URLs and words that look like
// keys are masked. Names are compared without regard to case.
func MaskHeader(name, value string) string {
	if plainFields[name] {
		return value
	}
	switch lower := strings.ToLower(name); {
	case lower == "mcp-session-id":
		return maskSession(value)
	case lower == "cookie":
		return maskCookies(value)
	case lower == "set-cookie":
		return maskSetCookie(value)
	case lower == "location", lower == "content-location", lower == "referer":
		return maskURL(value)
	case strings.HasPrefix(lower, "access-control-"), lower == "www-authenticate", lower == "proxy-authenticate":
	case secretField(lower):
		return maskCredentials(value)
	}
	if scheme, _ := splitScheme(value); scheme == "bearer" || scheme == "basic" || scheme == "dpop" {
		if !strings.HasSuffix(strings.ToLower(name), "authenticate") {
			return maskCredentials(value)
		}
	}
	return maskText(value, 0)
}

// maskSecret hides a secret, but for the end of a long one.
func maskSecret(text string) string {
	if text == "" {
		return ""
	}
	if len(text) < longSecret {
		return hidden
	}
	end := text[len(text)-4:]
	for _, c := range []byte(end) {
		if c <= ' ' || c >= 0x7f {
			return hidden
		}
	}
	return hidden + end
}

// maskSession leaves the characters of a session id that are not allowed in one: they are
// why it cannot be used.
func maskSession(id string) string {
	masked := maskCredentials(id)
	if goodSession(id) {
		return masked
	}
	odd := strings.Map(func(r rune) rune {
		if 0x21 <= r && r <= 0x7e {
			return -1
		}
		return r
	}, strings.TrimSuffix(id, strings.TrimPrefix(masked, hidden)))
	return hidden + odd + strings.TrimPrefix(masked, hidden)
}

// maskCredentials hides all but the scheme. The end of a Basic one is the end of a
// password, and hidden as well.
func maskCredentials(value string) string {
	scheme, rest := splitScheme(value)
	before := value[:len(value)-len(rest)]
	if scheme == "basic" {
		return before + hidden
	}
	return before + maskSecret(rest)
}

// splitScheme takes the scheme, in lower case, off credentials; it is empty where there
// is none that is known.
func splitScheme(value string) (scheme, rest string) {
	const space = " \t"
	text := strings.TrimLeft(value, space)
	i := strings.IndexAny(text, space)
	if i < 0 {
		return "", value
	}
	rest = strings.TrimLeft(text[i:], space)
	for _, s := range schemes {
		if rest != "" && strings.EqualFold(text[:i], s) {
			return s, rest
		}
	}
	return "", value
}

func maskCookies(value string) string {
	pairs := strings.Split(value, ";")
	for i, pair := range pairs {
		pairs[i] = maskPair(pair)
	}
	return strings.Join(pairs, ";")
}

// maskPair hides the value of name=value, and what has no name.
func maskPair(pair string) string {
	name, value, ok := strings.Cut(pair, "=")
	if !ok {
		bare := strings.TrimLeft(pair, " \t")
		return pair[:len(pair)-len(bare)] + maskSecret(bare)
	}
	return name + "=" + maskSecret(value)
}

var cookieAttributes = map[string]bool{"path": true, "domain": true, "expires": true, "max-age": true, "samesite": true,
	"secure": true, "httponly": true, "partitioned": true, "priority": true}

func maskSetCookie(value string) string {
	pairs := strings.Split(value, ";")
	for i, pair := range pairs {
		name, _, _ := strings.Cut(pair, "=")
		if i == 0 || !cookieAttributes[strings.ToLower(strings.TrimSpace(name))] {
			pairs[i] = maskPair(pair)
		}
	}
	return strings.Join(pairs, ";")
}

// secretWords are parts of names, without what stands between words, that tell a secret.
var secretWords = []string{"token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "credential",
	"authoriz", "authentic", "cookie", "session", "bearer", "jwt", "signature", "xauth"}

// secretField reports whether the name of a header field sounds secret.
func secretField(name string) bool { return soundsSecret(name, true) }

// secretParam reports whether the name of a parameter in a URL sounds secret.
func secretParam(name string) bool { return soundsSecret(name, false) }

func soundsSecret(name string, field bool) bool {
	var buf [64]byte
	letters := buf[:0]
	for _, c := range []byte(unescape(name)) {
		switch {
		case c >= 'A' && c <= 'Z':
			letters = append(letters, c+'a'-'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			letters = append(letters, c)
		}
	}
	for _, w := range secretWords {
		if bytes.Contains(letters, []byte(w)) {
			return true
		}
	}
	if field && bytes.Contains(letters, []byte("key")) || bytes.HasSuffix(letters, []byte("key")) || bytes.HasSuffix(letters, []byte("auth")) {
		return true
	}
	switch string(letters) {
	case "pat", "pwd", "pass", "sig", "sid", "keys":
		return true
	}
	return false
}

// unescape decodes percent signs, also where they were encoded over and over; what
// cannot be decoded stays.
func unescape(text string) string {
	for range maxDepth {
		if !strings.Contains(text, "%") {
			break
		}
		plain := make([]byte, 0, len(text))
		for i := 0; i < len(text); i++ {
			if text[i] == '%' && i+2 < len(text) {
				if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
					plain = append(plain, byte(n))
					i += 2
					continue
				}
			}
			plain = append(plain, text[i])
		}
		text = string(plain)
	}
	return text
}

// MaskURL is the form in which frames and errors have a URL: see [MaskHeader].
func MaskURL(text string) string { return maskURL(text) }

// maskURL gives a URL, absolute or not, so that it can be shown and kept: without its
// password, without the values of parameters that sound secret, and without the parts of
// its path that look like keys or random ids, which some servers take for both.
func maskURL(text string) string {
	path, query := text, ""
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		path, query = text[:i], text[i:]
	}
	from := 0
	if i := strings.Index(path, "://"); i >= 0 {
		from = i + 3
	}
	if i := strings.IndexByte(path[from:], '/'); i >= 0 {
		from += i
		parts := strings.Split(path[from:], "/")
		for i, p := range parts {
			if looksRandom(p) {
				parts[i] = maskSecret(p)
			}
		}
		path = path[:from] + strings.Join(parts, "/")
	}
	return maskKeys(maskUsers(maskParams(path+query, "\r\n", 0)))
}

// maskText masks what looks like a secret of a URL within a text.
func maskText(text string, depth int) string {
	return maskKeys(maskUsers(maskParams(text, "\"<> \t\r\n", depth)))
}

const (
	paramStarts = "?&;#"
	paramEnds   = "&#"
	maxDepth    = 3 // of URLs within the parameters of URLs
)

// maskParams masks the values of parameters that sound secret, and those that are URLs
// with such ones in them. A value ends at & or # or where the URL does.
func maskParams(text, urlEnds string, depth int) string {
	if !strings.ContainsAny(text, paramStarts) {
		return text
	}
	var b strings.Builder
	done := 0
	for i := 1; i <= len(text); i++ {
		if i < done || !strings.ContainsRune(paramStarts, rune(text[i-1])) {
			continue
		}
		end := len(text)
		if n := strings.IndexAny(text[i:], paramEnds+urlEnds); n >= 0 {
			end = i + n
		}
		name, value, ok := strings.Cut(text[i:end], "=")
		if strings.ContainsAny(name, "?;") {
			continue // the name begins later
		}
		switch {
		case ok && secretParam(name):
		case strings.Contains(text[i:end], "%") && depth < maxDepth:
			inner := "?" + unescape(text[i:end])
			if maskText(inner, depth+1) == inner {
				continue
			}
			if !ok {
				value = text[i:end]
			}
		default:
			continue
		}
		b.WriteString(text[done : end-len(value)])
		b.WriteString(maskSecret(value))
		done = end
	}
	return b.String() + text[done:]
}

// maskUsers masks the password before the host of a URL, or what stands there alone.
func maskUsers(text string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], "//")
		if i < 0 {
			return text
		}
		from += i + 2
		end := len(text)
		if n := strings.IndexAny(text[from:], "/?#\"<> \t\r\n"); n >= 0 {
			end = from + n
		}
		at := strings.LastIndexByte(text[from:end], '@')
		if at < 0 {
			continue
		}
		user, _, ok := strings.Cut(text[from:from+at], ":")
		if ok {
			user += ":"
		} else {
			user = ""
		}
		text = text[:from] + user + hidden + text[from+at:]
	}
}

// keyPrefixes begin the keys of services that can be told by it.
var keyPrefixes = []string{"sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xapp-", "AKIA", "ASIA",
	"AIza", "ya29.", "eyJ", "npm_", "hf_", "tvly-", "fc-", "ntn_", "lin_api_", "figd_", "dop_v1_", "shpat_", "SG.", "ATATT"}

// maskKeys masks words that look like the keys of services.
func maskKeys(text string) string {
	const between = " \t\r\n\"'<>()/?&=;:,@#"
	for i := 0; i < len(text); {
		n := strings.IndexAny(text[i:], between)
		if n < 0 {
			n = len(text) - i
		}
		if word := text[i : i+n]; isKey(word) {
			masked := maskSecret(word)
			text = text[:i] + masked + text[i+n:]
			n = len(masked)
		}
		i += n + 1
	}
	return text
}

func isKey(word string) bool {
	if len(word) < longSecret {
		return false
	}
	for _, prefix := range keyPrefixes {
		if rest, ok := strings.CutPrefix(word, prefix); ok && strings.ContainsAny(rest, "0123456789") {
			return true
		}
	}
	return false
}

// looksRandom reports whether a part of a path was made by chance: a UUID, a long
// hexadecimal number, or a long jumble of digits, capital and small letters.
func looksRandom(part string) bool {
	if len(part) < 20 || len(part) > 1024 {
		return len(part) > 1024
	}
	var digit, small, capital, hex, other int
	for _, c := range []byte(part) {
		switch {
		case c >= '0' && c <= '9':
			digit++
			hex++
		case c >= 'a' && c <= 'z':
			small++
			if c <= 'f' {
				hex++
			}
		case c >= 'A' && c <= 'Z':
			capital++
			if c <= 'F' {
				hex++
			}
		case c == '-' || c == '_' || c == '=':
			other++
		default:
			return false
		}
	}
	return digit > 0 && (hex+other == len(part) && other <= 4 && hex >= 20 || digit > 1 && small > 1 && capital > 1 && other <= 4)
}

// maskEndpoint is the mask of an sseReader for the endpoint event of HTTP+SSE, whose data
// is a URL with a session id in it.
func maskEndpoint(raw []byte, e *sseEvent) []byte {
	if e.Type != "endpoint" {
		return raw
	}
	several := bytes.ContainsRune(e.Data, '\n') // no URL; who knows where its secrets end
	var out []byte
	for len(raw) > 0 {
		end := bytes.IndexAny(raw, "\r\n")
		if end < 0 {
			end = len(raw)
		}
		line := string(raw[:end])
		if value, ok := strings.CutPrefix(line, "data:"); ok {
			value = strings.TrimPrefix(value, " ")
			out = append(out, line[:len(line)-len(value)]...)
			if several {
				out = append(out, hidden...)
			} else {
				out = append(out, maskURL(value)...)
			}
		} else {
			out = append(out, line...)
		}
		if end < len(raw) {
			out = append(out, raw[end])
			end++
		}
		raw = raw[end:]
	}
	return out
}
